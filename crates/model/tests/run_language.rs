//! The run language from outside: what is read, what is refused and how, and that printing is the inverse of
//! reading.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it fails")]

use crossmacro_model::run::{Diagnostics, Program, from_lines, from_steps, from_words, parse};
use crossmacro_model::{Capability, Fault, limits};
use proptest::prelude::*;

fn read(script: &str) -> Result<Program, Diagnostics> {
    parse(&from_lines(script)?)
}

fn printed(script: &str) -> Vec<String> {
    read(script).unwrap_or_else(|wrong| panic!("{script}\n{wrong}")).print()
}

/// The diagnostics of one step alone, as a person sees them.
fn complaint(step: &str) -> String {
    match parse(&from_steps([step])) {
        Ok(program) => panic!("{step:?} was read as {:?}", program.print()),
        Err(wrong) => wrong.to_string(),
    }
}

#[test]
fn steps_have_one_normal_form() {
    let table = [
        ("MOVE Absolute -5  +7", "move abs -5 7"),
        ("move\trel 1\t2", "move rel 1 2"),
        ("move relative-raw 1 2", "move rel 1 2"),
        ("move relative-logical 1 2", "move rel-logical 1 2"),
        ("click l", "click left"),
        ("Down Current BACK", "down current side1"),
        ("up forward", "up side2"),
        ("scroll Down", "scroll down"),
        ("scroll left 1", "scroll left"),
        ("scroll up 100", "scroll up 100"),
        ("key DOWN lctrl", "key down Ctrl"),
        ("key up 30", "key up KEY_A"),
        ("key up 400", "key up 400"),
        ("key down A", "key down a"),
        ("tap Ctrl + shift+ESC", "tap Ctrl+Shift+Escape"),
        ("tap $$", "tap $$"),
        ("tap ctrl+plus", "tap Ctrl+Plus"),
        ("type   two blanks ", "type   two blanks "),
        ("type cost $$5", "type cost $$5"),
        ("delay 2.375ms", "delay 2375us"),
        ("delay 3000 us", "delay 3"),
        ("delay 0", "delay 0"),
        ("delay random 5..9", "delay random 5 9"),
        ("mouse Position $x y", "mouse position x y"),
        ("set a=b=c", "set a b=c"),
        ("set a = 1+2", "set a 1+2"),
        ("set a==", "set a=="),
        ("set a  'x  y' ", "set a 'x  y'"),
    ];
    for (given, normal) in table {
        assert_eq!(printed(given), [normal], "{given}");
        assert_eq!(printed(normal), [normal], "{normal}");
    }
}

#[test]
fn blocks_nest_and_print() {
    let script = "set n 3\n# a comment\nFOR i from 1 to $n * 2 step -1 {\n  if $i>=2{\n\tcontinue\n  }\n  else {\n    \
        break\n  }\n}\nrepeat 5 -2 {\n}\nwhile \"a == b\" != $n {\n}\n";
    let normal = [
        "set n 3",
        "for i from 1 to $n * 2 step -1 {",
        "if $i >= 2 {",
        "continue",
        "}",
        "else {",
        "break",
        "}",
        "}",
        "repeat 5 - 2 {",
        "}",
        "while \"a == b\" != $n {",
        "}",
    ];
    assert_eq!(printed(script), normal);
    assert_eq!(read(script).unwrap().step_count, normal.len());
}

#[test]
fn the_examples_of_the_manual_are_read() {
    let loops = "set cols 4\nfor c from 1 to $cols {\n  repeat $c * 2 {\n    tap Tab\n  }\n  type cell $c costs $$5\n  \
        tap Enter\n}";
    assert_eq!(
        read(loops).unwrap().capabilities().into_iter().collect::<Vec<_>>(),
        [Capability::InputAutomation]
    );
    let reads = read("mouse position x y\nset z $x\ndelay 5").unwrap();
    assert_eq!(reads.capabilities().into_iter().collect::<Vec<_>>(), [Capability::ScreenRead]);
    assert!(reads.asks_outside());
    assert!(read("set a 1\ndelay 5").unwrap().capabilities().is_empty());
}

#[test]
fn each_wrong_step_is_told_with_what_was_expected() {
    let table = [
        ("clik left", "Step 1: there is no step kind \"clik\"; did you mean click?"),
        ("screenshot output a.png", "Step 1: the step kind \"screenshot\" is not available in this build"),
        ("SHELL ls", "Step 1: the step kind \"shell\" is not available in this build"),
        ("move abs 1", "Step 1: expected move abs|rel|rel-logical|rel-raw X Y"),
        ("move abs 1 2 3", "Step 1: there is more here than move abs|rel|rel-logical|rel-raw X Y"),
        ("move ab 1 2", "Step 1: expected abs, rel, rel-logical or rel-raw, found \"ab\"; did you mean abs?"),
        ("move abs 1 2.5", "Step 1: expected a whole number, found \"2.5\""),
        ("move abs 1 99999999999", "Step 1: expected a number within 32 bits, found \"99999999999\""),
        ("click", "Step 1: expected [current] left|right|middle|side1|side2"),
        ("click current", "Step 1: expected [current] left|right|middle|side1|side2"),
        (
            "click lefft",
            "Step 1: expected a mouse button (left, right, middle, side1, side2), found \"lefft\"; did you mean left?",
        ),
        ("scroll up 0", "Step 1: expected a number of notches from 1 to 100, found \"0\""),
        ("scroll sideways", "Step 1: expected a direction (up, down, left, right), found \"sideways\""),
        ("key press A", "Step 1: expected what the key does (down, up), found \"press\""),
        ("tap ctrl+", "Step 1: a key is missing here; the + key itself is written Plus, found \"ctrl+\""),
        ("tap", "Step 1: expected tap KEY or tap MODIFIER+KEY"),
        ("type ", "Step 1: expected a text to type"),
        (
            "delay -5",
            "Step 1: expected a time such as 250, 2.5ms or 900us (whole microseconds, 0 or more), found \"-5\"",
        ),
        ("delay random 9 5", "Step 1: the least delay is more than the most"),
        ("mouse position x X", "Step 1: the two variables must be different"),
        ("set a", "Step 1: expected a value"),
        ("set a 5/0", "Step 1: division by zero"),
        ("set a $", "Step 1: expected a name after $; a dollar sign itself is written $$"),
        ("set $a 5", "Step 1: a variable that is set is written without $"),
        ("inc a", "Step 1: the variable a is set nowhere"),
        ("div a 0", "Step 1: division by zero"),
        ("}", "Step 1: there is no open block that this } could close"),
        ("} else {", "Step 1: expected } alone; what follows it (such as else {) is a step of its own"),
        (
            "else {",
            "Step 1: expected else directly after the } of an if\nStep 1: the } that closes this block is missing",
        ),
        ("if 1 == 1", "Step 1: expected { at the end of the first line of a block"),
        (
            "repeat -1 {",
            "Step 1: expected a count of 0 or more\nStep 1: the } that closes this block is missing",
        ),
        ("break", "Step 1: expected inside a loop (repeat, while or for) only"),
        ("", "Step 1: expected a step, found nothing"),
        ("click\nleft", "Step 1: a step is one line"),
    ];
    for (step, expected) in table {
        let found = complaint(step);
        assert_eq!(found, expected, "{step:?}");
    }
    let wrong = parse(&from_steps(["set bb 1", "  move abs $bb $b"])).unwrap_err();
    assert_eq!((wrong.list[0].place.step, wrong.list[0].column), (2, 12));
    assert!(complaint("tap ctrl+Entr").ends_with("did you mean Enter?"));
    assert!(complaint("whle $x == 1 {").contains("did you mean while?"));
    assert!(complaint("for i from 1 to 2 step 0 {").contains("expected a step other than 0"));
    assert!(complaint("else if 1 == 1 {").contains("a further condition is an if inside it"));
}

#[test]
fn places_are_those_of_the_source() {
    let wrong = read("\n# comment\ntap a\n  move abs 1 zwei\n\nrepeat 2 {\ntap Entr\n").unwrap_err();
    let places: Vec<_> = wrong.list.iter().map(|one| (one.place.step, one.place.line, one.column)).collect();
    assert_eq!(places, [(2, Some(4), 14), (3, Some(6), 11), (4, Some(7), 5)]);
    assert!(wrong.list[0].to_string().starts_with("Step 2 (line 4): "));
    let fault = Fault::from(wrong);
    assert_eq!(fault.details["diagnostics"][0]["column"], 14);
    assert_eq!(fault.details["diagnosticCount"], 3);
    assert!(fault.message.ends_with("(and 2 more)"));
}

#[test]
fn typed_text_appears_in_no_message() {
    for step in ["type hunter2$", "type pa$hunter2", "type x $hunter2 y"] {
        assert!(!complaint(step).contains("hunter2"), "{step}");
    }
}

#[test]
fn nesting_is_capped_and_deep_text_is_no_danger() {
    let nested = |depth: usize| [vec!["repeat 1 {"; depth], vec!["tap a"], vec!["}"; depth]].concat();
    let deepest = usize::try_from(limits::NESTING.value).unwrap();
    assert!(parse(&from_steps(nested(deepest))).is_ok());
    let wrong = parse(&from_steps(nested(deepest + 1))).unwrap_err().to_string();
    assert_eq!(wrong, "Step 129: blocks may be nested 128 deep; this one is deeper");
    assert!(parse(&from_steps(nested(90_000))).is_err());
}

#[test]
fn a_file_of_nonsense_is_refused_in_bounded_work() {
    let wrong = read(&"tap Entre\n".repeat(100_000)).unwrap_err();
    assert_eq!(wrong.list.len(), 100);
    let quotes = format!("if {} == 1 {{\n}}", "'x=".repeat(60_000));
    assert!(read(&quotes).is_ok());
    let operators = format!("if {} {{\n}}", "\"=\" == ".repeat(30_000));
    drop(read(&operators));
}

#[test]
fn files_are_limited() {
    assert!(from_lines(&"\n".repeat(100_000)).is_ok());
    assert!(from_lines(&"\n".repeat(100_001)).unwrap_err().to_string().contains("100000 lines"));
    assert!(from_lines(&format!("type {}", "é".repeat(262_139))).is_ok());
    assert!(from_lines(&format!("type {}", "é".repeat(262_140))).is_err());
    assert!(from_lines(&" ".repeat((16 << 20) + 1)).is_err());
    let steps = from_lines("\u{feff}tap a\r\n#no\r\n\r\n  type b \r").unwrap();
    let texts: Vec<_> = steps.iter().map(|step| (step.text.as_str(), step.line)).collect();
    assert_eq!(texts, [("tap a", Some(1)), ("  type b ", Some(4))]);
}

fn words(line: &str) -> Result<Vec<String>, String> {
    let words: Vec<String> = line.split('|').map(str::to_owned).collect();
    match from_words(&words) {
        Ok(steps) => Ok(steps.into_iter().map(|step| step.text).collect()),
        Err(wrong) => Err(wrong.to_string()),
    }
}

#[test]
fn the_words_of_a_command_line_are_steps() {
    let steps = words(
        "move|abs|1|2|click|current|left|scroll|up|3|scroll|down|tap|ctrl+c|type|a  b|delay|random|1|2|delay|random|1..2|delay|5|set|a=1|set|b|2|inc|a|dec|b|$a|repeat|2|{|tap|x|}|else|{|if|$a|==|1{|break|}|mouse|position|x|y|key|down|a",
    );
    let expected = [
        "move abs 1 2",
        "click current left",
        "scroll up 3",
        "scroll down",
        "tap ctrl+c",
        "type a  b",
        "delay random 1 2",
        "delay random 1..2",
        "delay 5",
        "set a=1",
        "set b 2",
        "inc a",
        "dec b $a",
        "repeat 2 {",
        "tap x",
        "}",
        "else {",
        "if $a == 1{",
        "break",
        "}",
        "mouse position x y",
        "key down a",
    ];
    assert_eq!(steps.unwrap(), expected);
    assert_eq!(
        words("tap|a|move|abs|1").unwrap_err(),
        "Step 2: \"move\" needs 3 words after it, 2 are there"
    );
    assert_eq!(words("tpe|a").unwrap_err(), "Step 1: there is no step kind \"tpe\"; did you mean type?");
    assert!(words("shell|ls").unwrap_err().contains("not available"));
    assert!(words("repeat|3").unwrap_err().contains("expected {"));
    assert!(words("tap|a|").is_err());
}

/// Blanks between words, as people type them.
fn gap() -> impl Strategy<Value = String> {
    "[ \t]{1,3}"
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i32>().prop_map(|n| n.to_string()),
        "\\+?[0-9]{1,4}",
        Just("$a".to_owned()),
        Just("$B_1".to_owned()),
        Just("-$a".to_owned())
    ]
}

fn expression() -> impl Strategy<Value = String> {
    let term = || {
        prop_oneof![any::<i16>().prop_map(|n| n.to_string()), Just("$a".to_owned()), Just("$B_1".to_owned())]
    };
    prop_oneof![
        term(),
        (term(), "[ \t]?", "[-+*/%]", "[ \t]?", "\\$a|[1-9]")
            .prop_map(|(a, b, c, d, e)| format!("{a}{b}{c}{d}{e}"))
    ]
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        expression(),
        "\"[a-z=<> ]{0,6}\"",
        "'[a-z!=\" ]{0,6}'",
        "[a-zA-Z0-9'\".,;:#äß]{1,8}",
        "[a-z=<>'\" \\-+]{1,10}",
        "[a-z ]{0,3}\\$\\$[a-z$]{0,1}".prop_map(|text| text.trim_end_matches('$').to_owned() + "$$"),
    ]
    .prop_filter("not blank", |text| !text.trim().is_empty())
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9äß,;.\\[\\]'-]",
        "F[1-9]",
        "(?i)enter|esc|KEY_[a-z]|pgup|numpad[0-9]|plus|minus|volumeup",
        "[1-9][0-9]",
        Just("$a".to_owned())
    ]
}

fn simple() -> impl Strategy<Value = String> {
    let button = "(?i)l|left|r|right|m|middle|side1|side|back|side2|extra|forward|\\$a";
    prop_oneof![
        (
            "(?i)move",
            gap(),
            "(?i)abs|absolute|rel|relative|rel-logical|rel-raw",
            gap(),
            number(),
            gap(),
            number()
        )
            .prop_map(|(a, b, c, d, e, f, g)| [a, b, c, d, e, f, g].concat()),
        ("(?i)click|down|up", gap(), "((?i)current\t)?", button)
            .prop_map(|(a, b, c, d)| [a, b, c, d].concat()),
        ("(?i)scroll", gap(), "(?i)up|down|left|right|\\$a", "( [1-9][0-9]?| \\$a)?")
            .prop_map(|(a, b, c, d)| [a, b, c, d].concat()),
        ("(?i)key", gap(), "(?i)up|down", gap(), key()).prop_map(|(a, b, c, d, e)| [a, b, c, d, e].concat()),
        ("(?i)tap", gap(), "((?i)(r?ctrl|shift|alt|altgr|super)[ \t]?\\+[ \t]?){0,3}", key())
            .prop_map(|(a, b, c, d)| [a, b, c, d].concat()),
        ("(?i)type ", "[^$\\x00-\\x08]{1,20}", "(\\$\\$|\\$a)?").prop_map(|(a, b, c)| [a, b, c].concat()),
        ("(?i)delay", gap(), "[0-9]{1,6}(\\.[0-9]{1,3})?( ?ms)?|[0-9]{1,6} ?(us|µs)|\\$a|\\$a us")
            .prop_map(|(a, b, c)| [a, b, c].concat()),
        ("(?i)delay random", gap(), "0|\\$a", "[ \t]{1,2}|\\.\\.", "[1-9][0-9]{0,6}|\\$B_1")
            .prop_map(|(a, b, c, d, e)| [a, b, c, d, e].concat()),
        ("(?i)mouse position \\$?x \\$?y"),
        ("(?i)set", gap(), "[a-c_]{1,3}", " |[ \t]?=[ \t]?", value())
            .prop_map(|(a, b, c, d, e)| [a, b, c, d, e].concat()),
        ("(?i)inc|dec|mul|div", gap(), "a|B_1", "( [1-9]{1,4}| \\$a)?")
            .prop_map(|(a, b, c, d)| [a, b, c, d].concat()),
    ]
}

fn condition() -> impl Strategy<Value = String> {
    (value(), "[ \t]{0,2}(==|!=|>=|<=|>|<)[ \t]{0,2}", value()).prop_map(|(a, b, c)| [a, b, c].concat())
}

/// A step or a block as lines.
fn statement() -> impl Strategy<Value = Vec<String>> {
    simple().prop_map(|step| vec![step]).prop_recursive(4, 24, 4, |inner| {
        let body = prop::collection::vec(inner, 0..4).prop_map(|parts| parts.concat()).boxed();
        let condition = condition().boxed();
        let header = prop_oneof![
            expression().prop_map(|count| format!("repeat\t{count} {{")),
            condition.clone().prop_map(|condition| format!("While {condition}{{")),
            (expression(), expression(), prop::option::of(expression())).prop_map(
                |(first, last, stride)| format!(
                    "for v from {first} TO {last}{}{{",
                    stride.map(|s| format!(" step {s}")).unwrap_or_default()
                )
            ),
        ];
        let block = |header: String, body: Vec<String>| [vec![header], body, vec![" } ".to_owned()]].concat();
        let leave = prop::option::of(prop_oneof![Just("break".to_owned()), Just(" Continue".to_owned())]);
        prop_oneof![
            (header, body.clone(), leave).prop_map(move |(header, body, leave)| block(
                header,
                [body, leave.into_iter().collect()].concat()
            )),
            (condition, body.clone(), prop::option::of(body)).prop_map(
                move |(condition, then, otherwise)| {
                    let mut lines = block(format!("if {condition} {{"), then);
                    lines.extend(otherwise.map(|body| block("else {".to_owned(), body)).unwrap_or_default());
                    lines
                }
            ),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_is_the_inverse_of_reading(lines in prop::collection::vec(statement(), 0..6)) {
        let mut lines = lines.concat();
        lines.insert(0, "set a 1".to_owned());
        lines.insert(0, "set B_1 2".to_owned());
        // A few of the generated steps are wrong by their values (0 as stride); these say so and are done.
        if let Ok(program) = parse(&from_steps(lines.clone())) {
            let normal = program.print();
            let again = parse(&from_steps(normal.clone())).unwrap_or_else(|wrong| panic!("{lines:?}\n{normal:?}\n{wrong}"));
            prop_assert_eq!(&again, &program, "{:?}", lines);
            prop_assert_eq!(again.print(), normal);
        }
    }

    #[test]
    fn no_text_is_a_danger(text in ".*", steps in prop::collection::vec("(?s).{0,40}", 0..8)) {
        drop(read(&text));
        drop(parse(&from_steps(steps.clone())));
        drop(from_words(&steps));
    }

    #[test]
    fn no_text_after_a_keyword_is_a_danger(
        keyword in "move|click|scroll|key|tap|type|delay|mouse|set|inc|repeat|if|else|while|for|break|\\}",
        rest in "[ \ta-z0-9$=<>!'\"{}+*/%.äµ-]{0,30}",
    ) {
        let line = format!("{keyword} {rest}");
        if let Ok(program) = parse(&from_steps([line.clone(), "}".to_owned()])).or_else(|_| parse(&from_steps([line.clone()]))) {
            let normal = program.print();
            prop_assert_eq!(parse(&from_steps(normal.clone())).map(|again| again.print()), Ok(normal), "{:?}", line);
        }
    }
}

#[test]
fn generated_scripts_are_mostly_right() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let good = (0..400).filter(|_| {
        let lines = statement().new_tree(&mut runner).unwrap().current();
        let lines = [vec!["set a 1".to_owned(), "set B_1 2".to_owned()], lines].concat();
        parse(&from_steps(lines)).is_ok()
    });
    assert!(good.count() > 200);
}
