//! The steps on windows and on the clipboard from outside: what is read, what is refused, and that printing is the
//! inverse of reading.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may stop where it fails")]

use crossmacro_model::Capability;
use crossmacro_model::run::{Program, from_lines, from_steps, from_words, parse};
use proptest::prelude::*;

fn program(script: &str) -> Program {
    from_lines(script).and_then(|steps| parse(&steps)).unwrap_or_else(|wrong| panic!("{script}\n{wrong}"))
}

fn complaint(step: &str) -> String {
    match parse(&from_steps([step])) {
        Ok(program) => panic!("{step:?} was read as {:?}", program.print()),
        Err(wrong) => wrong.to_string(),
    }
}

#[test]
fn steps_have_one_normal_form() {
    for (given, normal) in [
        ("CLIPBOARD Get $text", "clipboard get text"),
        ("clipboard set  some  words ", "clipboard set \"some  words\""),
        ("clipboard set 'it costs $$5'", "clipboard set \"it costs $$5\""),
        ("clipboard set \"\"", "clipboard set \"\""),
        ("clipboard set", "clipboard set \"\""),
        ("clipboard set a \"b\" c", "clipboard set \"a \\\"b\\\" c\""),
        ("clipboard capture CTRL+c $t", "clipboard capture Ctrl+c t"),
        ("window active TITLE $t", "window active title t"),
        ("window search title My App at", "window search title \"My App\" at"),
        ("window search Class 'exact:XTerm' $at", "window search class \"exact:XTerm\" at"),
        ("window search title \"a \\\"b\\\"\" at", "window search title \"a \\\"b\\\"\" at"),
        ("window wait title Save as 250 at", "window wait title \"Save as\" 250 at"),
        ("window wait title 7 at", "window wait title \"7\" at"),
        ("window wait class \"x\" at", "window wait class \"x\" at"),
        ("window focus active", "window focus active"),
        ("window focus title My App", "window focus title \"My App\""),
        ("window close address 0x1c00007", "window close address \"0x1c00007\""),
        ("window move -5 10", "window move -5 10"),
        ("window resize 640 480", "window resize 640 480"),
        ("window center active", "window center"),
        ("window MAXIMIZE", "window maximize"),
        ("window float", "window float"),
        ("window getdesktop $d", "window getdesktop d"),
        ("window setdesktop Web mail", "window setdesktop \"Web mail\""),
        ("window setdesktopforwindow active 2", "window setdesktopforwindow active \"2\""),
        ("window setdesktopforwindow address 0x1 3", "window setdesktopforwindow address \"0x1\" \"3\""),
    ] {
        assert_eq!(program(given).print(), [normal], "{given}");
        assert_eq!(program(normal).print(), [normal], "{normal}");
    }
}

#[test]
fn variables_are_allowed_wherever_a_text_or_a_number_is() {
    let script = "set n 3\nset who Editor\nwindow wait title \"$who - $n\" $n at\nwindow focus address $at\n\
        window move $n $n\nwindow resize $n $n\nclipboard set $who\nwindow setdesktop $n";
    assert_eq!(program(script).print().len(), 8);
}

#[test]
fn each_wrong_step_is_told_with_what_was_expected() {
    for (step, wrong) in [
        ("clipboard", "expected clipboard get VAR"),
        ("clipboard gett x", "found \"gett\""),
        ("clipboard get", "expected clipboard get VAR"),
        ("clipboard get 5", "name"),
        ("clipboard capture ctrl+c", "expected clipboard get VAR"),
        ("clipboard capture ctrl+fooo x", "fooo"),
        ("window", "expected window active"),
        ("window focsu active", "did you mean focus"),
        ("window active colour x", "expected title, class"),
        ("window search name x y", "expected title, class, found \"name\""),
        ("window search title y", "expected window search"),
        ("window search title \"open at", "no \" that ends"),
        ("window search title \"a\"b at", "expected window search"),
        ("window search title \"  \" at", "blank"),
        ("window focus", "expected window focus"),
        ("window focus title", "expected window focus"),
        ("window focus active now", "there is more here"),
        ("window focus titel x", "did you mean title"),
        ("window move 1", "expected window move X Y"),
        ("window resize 0 5", "1 or more"),
        ("window maximize twice", "there is more here"),
        ("window setdesktopforwindow title x 2", "expected window setdesktopforwindow"),
        ("window focus address $at", "is set nowhere"),
    ] {
        assert!(complaint(step).contains(wrong), "{step}: {}", complaint(step));
    }
}

#[test]
fn the_positional_form_knows_where_each_step_ends() {
    let words = "window active title t window search title App at window wait title App 200 at window wait class App at \
        window focus active window focus address 0x1 window move 1 2 window center active window maximize window getdesktop d \
        window setdesktopforwindow active 2 clipboard get c clipboard set word clipboard capture ctrl+c c tap b";
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    let steps = from_words(&words).unwrap();
    let texts: Vec<String> = parse(&steps).unwrap().print();
    assert_eq!(texts.len(), 15, "{texts:?}");
    assert_eq!(texts[14], "tap b");
}

#[test]
fn what_a_step_needs_is_what_it_does() {
    use Capability::{ClipboardRead, ClipboardWrite, InputAutomation, WindowControl, WindowRead};
    for (step, needs) in [
        ("clipboard get x", vec![ClipboardRead]),
        ("clipboard set x", vec![ClipboardWrite]),
        ("clipboard capture ctrl+c x", vec![InputAutomation, ClipboardRead, ClipboardWrite]),
        ("window active title x", vec![WindowRead]),
        ("window wait title a x", vec![WindowRead]),
        ("window getdesktop x", vec![WindowRead]),
        ("window close active", vec![WindowControl]),
        ("window setdesktop 2", vec![WindowControl]),
    ] {
        assert_eq!(program(step).capabilities(), needs.into_iter().collect(), "{step}");
        assert!(program(step).asks_outside(), "{step}");
    }
}

proptest! {
    #[test]
    fn whatever_is_read_is_printed_and_read_again(
        words in prop::collection::vec("[a-z$\"'\\\\0-9]{1,5}|active|title|class|address|search|wait|get|set|focus|ctrl\\+c", 0..7),
        keyword in prop::sample::select(vec!["window", "clipboard"]),
    ) {
        let step = format!("{keyword} {}", words.join(" "));
        let script = format!("set a 1\nset b 2\n{step}");
        if let Ok(program) = from_lines(&script).and_then(|steps| parse(&steps)) {
            let printed = program.print();
            let again = parse(&from_steps(printed.iter().map(String::as_str))).unwrap_or_else(|wrong| panic!("{step}\n{printed:?}\n{wrong}"));
            prop_assert_eq!(again.print(), printed);
        }
    }
}
