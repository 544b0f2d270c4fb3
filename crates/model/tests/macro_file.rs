//! The `.macro` file from outside: every form that files have had is read, whatever is wrong is told with its
//! line, and what is written reads back to the same bytes.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it fails")]

use crossmacro_model::macro_file::{
    Action, Comment, Created, Event, Image, Macro, Place, RandomDelay, Read, Section, Severity, Space,
    TextBoundary, WriteError, read, read_from, write,
};
use crossmacro_model::run::SourceStep;
use crossmacro_model::{Axis, Button, Direction, KeyCode};
use proptest::prelude::*;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/macros")
}

fn written(content: &Macro) -> String {
    let mut text = Vec::new();
    write(content, &mut text).unwrap_or_else(|error| panic!("{error}"));
    String::from_utf8(text).unwrap()
}

/// What was found, and what is written of the rest: the text of a golden file.
fn report(read: &Read) -> String {
    let mut text = String::new();
    for found in &read.diagnostics.list {
        let column = found.column.map(|column| format!(" column {column}")).unwrap_or_default();
        writeln!(text, "{}{column}: {found}", found.severity.name()).unwrap();
    }
    for found in &read.content.validate().list {
        writeln!(text, "validate {}: {found}", found.severity.name()).unwrap();
    }
    text.push_str("----\n");
    let mut bytes = Vec::new();
    match write(&read.content, &mut bytes) {
        Ok(()) => text.push_str(std::str::from_utf8(&bytes).unwrap()),
        Err(WriteError::Invalid(wrong)) => writeln!(text, "not written: {wrong}").unwrap(),
        Err(WriteError::Io(error)) => panic!("{error}"),
    }
    text
}

/// Every `NAME.macro` has a `NAME.txt` beside it; `BLESS=1` renews them.
#[test]
fn golden_files() {
    let mut names: Vec<_> = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.extension().is_some_and(|extension| extension == "macro"));
    names.sort();
    assert!(names.len() >= 12, "the golden files are missing");
    for path in names {
        let found = read(&std::fs::read(&path).unwrap());
        let report = report(&found);
        let expected = path.with_extension("txt");
        if option_env!("BLESS").is_some() || std::env::vars().any(|(name, _)| name == "BLESS") {
            #[allow(clippy::disallowed_methods, reason = "renews a golden file")]
            std::fs::write(&expected, &report).unwrap();
        }
        let expected = std::fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(report, expected, "{}", path.display());
        if found.content.validate().is_ok() {
            let once = written(&found.content);
            let again = read(once.as_bytes());
            assert!(again.diagnostics.is_ok(), "{}: {}", path.display(), again.diagnostics);
            assert_eq!(written(&again.content), once, "{}", path.display());
        }
    }
}

fn at(space: Space, x: i32, y: i32) -> Place {
    Place { x, y, space }
}

/// Events of one line each, without waits.
fn actions(text: &str) -> Vec<Action> {
    let found = read(text.as_bytes());
    assert!(found.diagnostics.list.is_empty(), "{text}: {}", found.diagnostics);
    found.content.events.iter().map(|event| event.action).collect()
}

#[test]
fn each_spelling_of_an_event_is_understood() {
    let click = |button, at| Action::Click { button, at };
    let press = |direction, button, at| Action::Button { button, direction, at };
    let key = |code, direction| Action::Key { code: KeyCode(code), direction };
    let unstated = at(Space::Unstated, 1, -2);
    let table = [
        ("M,1,-2", Action::Move(unstated)),
        ("move,+1,-2", Action::Move(unstated)),
        (" m , 1 , -2 ", Action::Move(unstated)),
        ("M,abs,1,-2", Action::Move(at(Space::Absolute, 1, -2))),
        ("M, ABSOLUTE ,1,-2", Action::Move(at(Space::Absolute, 1, -2))),
        ("M,rel-logical,1,-2", Action::Move(at(Space::RelativeLogical, 1, -2))),
        ("M,rel-raw,1,-2", Action::Move(at(Space::RelativeRaw, 1, -2))),
        ("M,rel,1,-2", Action::Move(at(Space::RelativeRaw, 1, -2))),
        ("M,Relative,1,-2", Action::Move(at(Space::RelativeRaw, 1, -2))),
        ("P,1,-2,Left", press(Direction::Press, Button::Left, unstated)),
        ("PRESS,1,-2,1", press(Direction::Press, Button::Left, unstated)),
        ("R,1,-2,right", press(Direction::Release, Button::Right, unstated)),
        ("RELEASE,1,-2,3", press(Direction::Release, Button::Middle, unstated)),
        ("C,1,-2,Side1", click(Button::Side1, unstated)),
        ("CLICK,1,-2,9", click(Button::Side2, unstated)),
        ("C,1,-2,Left,CurrentPosition", click(Button::Left, at(Space::Current, 1, -2))),
        ("C,abs,1,-2,Left,current", click(Button::Left, at(Space::Current, 1, -2))),
        ("C,1,-2,Left,LIVE", click(Button::Left, at(Space::Current, 1, -2))),
        ("C,1,-2,Left,True", click(Button::Left, at(Space::Current, 1, -2))),
        ("C,1,-2,Left,1", click(Button::Left, at(Space::Current, 1, -2))),
        ("C,1,-2,Left,false", click(Button::Left, unstated)),
        ("C,0,0,ScrollUp", Action::Wheel(Axis::Up)),
        ("C,7,8,5", Action::Wheel(Axis::Down)),
        ("C,abs,7,8,scrollleft", Action::Wheel(Axis::Left)),
        ("C,0,0,ScrollRight,CurrentPosition", Action::Wheel(Axis::Right)),
        ("KP,30", key(30, Direction::Press)),
        ("keypress, 30 ", key(30, Direction::Press)),
        ("KR,767", key(767, Direction::Release)),
        ("KEYRELEASE,1", key(1, Direction::Release)),
    ];
    for (line, action) in table {
        assert_eq!(actions(&format!("[Events]\n{line}")), [action], "{line}");
        assert_eq!(actions(&format!("{line}\r\n")), [action], "{line} without a section");
    }
}

#[test]
fn waits_before_an_event_add_up() {
    let found = read(b"W,2\nWAITUS,30\nWR,1,5\nWAITMICROSECONDS,4\nWAITRANDOM,10,20\nWAIT,1\nKP,1\nKR,1");
    assert!(found.diagnostics.list.is_empty(), "{}", found.diagnostics);
    let waits: Vec<_> = found.content.events.iter().map(|event| (event.wait_us, event.random)).collect();
    assert_eq!(waits, [(3034, Some(RandomDelay { min_ms: 11, max_ms: 25 })), (0, None)]);
}

#[test]
fn a_wrong_line_leaves_the_time_of_what_follows() {
    let found = read(b"[Events]\nKP,30\nW,500\nKQ,30\nW,100\nKR,30\n");
    assert_eq!(found.content.events[1].wait_us, 600_000);
    assert_eq!(
        found.diagnostics.to_string(),
        "error: line 4: expected a wait (W, WU, WR), M, P, R, C, KP or KR, found \"KQ\"; did you mean KP or KR?"
    );
}

#[test]
fn buttons_in_the_corner_act_where_the_pointer_is_by_the_rule_of_old_files() {
    let spaces = |head: &str, events: &str| -> Vec<Space> {
        let found = read(format!("{head}[Events]\n{events}").as_bytes());
        found.content.events.iter().filter_map(|event| event.action.place()).map(|at| at.space).collect()
    };
    let skips = "# SkipInitialZero: True\n";
    use Space::{Absolute, Current, Unstated};
    assert_eq!(
        spaces(skips, "P,0,0,Left\nM,0,0\nKP,1\nR,0,0,Left\nM,3,0\nC,0,0,Left"),
        [Current, Unstated, Current, Unstated, Unstated]
    );
    assert_eq!(spaces("", "P,0,0,Left"), [Unstated]);
    assert_eq!(spaces("# SkipInitialZero: True\n# IsAbsolute: True\n", "P,0,0,Left"), [Unstated]);
    assert_eq!(spaces(skips, "C,0,0,Left\nC,abs,0,0,Left\nC,0,0,Left"), [Current, Absolute, Unstated]);
    assert_eq!(spaces(skips, "C,0,0,Left\nC,5,5,Left,Live"), [Unstated, Current]);
}

#[test]
fn a_macro_that_only_clicks_in_the_corner_is_played_where_the_pointer_is() {
    let spaces = |text: &str| -> Vec<Space> {
        read(text.as_bytes())
            .content
            .playable()
            .filter_map(|event| event.action.place())
            .map(|at| at.space)
            .collect()
    };
    use Space::{Absolute, Current, RelativeRaw};
    assert_eq!(spaces("# IsAbsolute: True\nP,0,0,Left\nM,0,0\nR,0,0,Left"), [Current, Absolute, Current]);
    assert_eq!(spaces("C,0,0,Left\nM,1,0"), [RelativeRaw, RelativeRaw]);
    assert_eq!(spaces("# IsAbsolute: True\nC,0,0,Left\nM,1,0"), [Absolute, Absolute]);
    assert_eq!(spaces("C,abs,0,0,Left"), [Absolute]);
}

#[test]
fn summaries_are_counted() {
    let text =
        "# IsAbsolute: True\nM,1,1\nW,3\nP,1,1,Left\nW,4\nR,1,1,Left\nC,0,0,ScrollUp\nWR,5,9\nKP,1\nKR,1";
    let content = read(text.as_bytes()).content;
    assert_eq!(content.duration_us(), 12_000);
    assert_eq!(content.coordinate_mode().name(), "absolute");
    let counts = content.breakdown();
    assert_eq!([counts.mouse_move, counts.button_press, counts.button_release], [1, 1, 1]);
    assert_eq!([counts.click, counts.key_press, counts.key_release], [1, 1, 1]);
    assert_eq!(read(b"M,abs,1,1\nM,rel,1,1").content.coordinate_mode().name(), "mixed");
    assert_eq!(read(b"KP,1\nC,0,0,Left,1").content.coordinate_mode().name(), "none");
}

#[test]
fn what_may_not_be_meant_is_a_warning_of_the_validator() {
    let mut text = "# IsAbsolute: True\nW,400000\nC,0,0,Left\nW,300001\nM,5,5\n".to_owned();
    text.push_str(&"KP,30\nKR,30\n".repeat(5_000));
    let found = read(text.as_bytes());
    let remarks: Vec<_> =
        found.content.validate().list.into_iter().map(|found| (found.severity, found.message)).collect();
    let expected = [
        "2 waits are longer than 10 s; the longest is 400000 ms",
        "the macro lasts 300 s, more than 5 minutes",
        "the macro has 10002 events, more than 10000",
        "1 button event is in the corner (0,0) of the desktop, while others are elsewhere",
    ];
    assert_eq!(remarks, expected.map(|message| (Severity::Warning, message.to_owned())));
}

#[test]
fn a_stream_in_small_pieces_reads_like_the_whole() {
    for name in ["script.macro", "legacy.macro", "wrong.macro"] {
        let bytes = std::fs::read(folder().join(name)).unwrap();
        for size in [1, 2, 3, 7, 64] {
            let mut pieces = std::io::BufReader::with_capacity(size, bytes.as_slice());
            assert_eq!(read_from(&mut pieces).unwrap(), read(&bytes), "{name} by {size}");
        }
    }
}

#[test]
fn moments_are_spelled_as_the_files_do() {
    let moment = "2030-02-03T04:05:06.1234567+02:00";
    let created = Created::parse(moment).unwrap();
    assert_eq!(created.as_str(), moment);
    assert_eq!(Created::at(created.timestamp().unwrap()).as_str(), "2030-02-03T02:05:06.1234567Z");
    assert!(Created::parse("2030-02-03T04:05:06").is_some());
    assert!(Created::parse("yesterday").is_none());
}

#[test]
fn a_macro_that_has_no_form_is_not_written() {
    let step =
        |text: &str| Macro { script: vec![SourceStep { text: text.into(), line: None }], ..Macro::default() };
    let click = Event { wait_us: 0, random: None, action: Action::Wheel(Axis::Up) };
    let events = |events: Vec<Event>| Macro { events, ..Macro::default() };
    let comment = |text: &str, section| Comment { section, before: 0, text: text.into() };
    let table = [
        (Macro::default(), "empty"),
        (Macro { name: "two\nlines".into(), ..events(vec![click]) }, "not one line"),
        (events(vec![Event { wait_us: u64::MAX, ..click }]), "wait before event 1"),
        (
            events(vec![Event { random: Some(RandomDelay { min_ms: 2, max_ms: 1 }), ..click }]),
            "wait before event 1",
        ),
        (
            events(vec![Event {
                action: Action::Key { code: KeyCode(0), direction: Direction::Press },
                ..click
            }]),
            "no form",
        ),
        (events(vec![Event { action: Action::Move(at(Space::Current, 0, 0)), ..click }]), "no form"),
        (Macro { trailing_us: u64::MAX, ..events(vec![click]) }, "after the last event"),
        (step(""), "no form"),
        (step("# x"), "no form"),
        (step("[Events]"), "no form"),
        (step("clik left"), "did you mean click"),
        (step("waitimage missing"), "no picture named missing"),
        (
            Macro { comments: vec![comment("no sign", Section::Events)], ..events(vec![click]) },
            "a comment is one line",
        ),
        (
            Macro { comments: vec![comment("# Name: x", Section::Header)], ..events(vec![click]) },
            "a comment is one line",
        ),
        (
            Macro {
                images: vec![Image { name: "a".into(), png: b"GIF89a".to_vec() }],
                ..events(vec![click])
            },
            "expected a PNG",
        ),
    ];
    for (content, reason) in table {
        let mut text = Vec::new();
        let error = write(&content, &mut text).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
        assert!(text.is_empty(), "{reason}: something was written");
    }
}

#[test]
fn carriage_returns_at_line_ends_are_no_part_of_a_text() {
    let step = SourceStep { text: "type a\r\nb\rc\r".into(), line: None };
    let text = written(&Macro { script: vec![step], ..Macro::default() });
    assert!(text.contains("[Script]\ntype a\n| b\rc\n[Events]"), "{text:?}");
    assert_eq!(written(&read(text.as_bytes()).content), text);
}

#[test]
fn lenient_takes_what_remains_and_strict_nothing() {
    let found = read(b"# Format: CrossMacroFormatV9\nKP,30\nKQ,30\n");
    assert_eq!(found.diagnostics.errors, 2);
    assert_eq!(found.clone().lenient().unwrap().0.events.len(), 1);
    assert_eq!(found.strict().unwrap_err().errors, 2);
    assert!(read(b"KQ,30").lenient().is_err());
}

// ---- properties

fn space() -> impl Strategy<Value = Space> {
    prop_oneof![
        Just(Space::Absolute),
        Just(Space::RelativeLogical),
        Just(Space::RelativeRaw),
        Just(Space::Unstated),
        Just(Space::Current),
    ]
}

fn place() -> impl Strategy<Value = Place> {
    (prop_oneof![-3..3, any::<i32>()], prop_oneof![-3..3, any::<i32>()], space())
        .prop_map(|(x, y, space)| Place { x, y, space })
}

fn action() -> impl Strategy<Value = Action> {
    let button = || prop::sample::select(Button::ALL.to_vec());
    let direction = || prop::sample::select(vec![Direction::Press, Direction::Release]);
    prop_oneof![
        place().prop_map(|at| {
            let space = if at.space == Space::Current { Space::Absolute } else { at.space };
            Action::Move(Place { space, ..at })
        }),
        (button(), direction(), place()).prop_map(|(button, direction, at)| Action::Button {
            button,
            direction,
            at
        }),
        (button(), place()).prop_map(|(button, at)| Action::Click { button, at }),
        prop::sample::select(Axis::ALL.to_vec()).prop_map(Action::Wheel),
        (1..=767_u16, direction())
            .prop_map(|(code, direction)| Action::Key { code: KeyCode(code), direction }),
    ]
}

fn range() -> impl Strategy<Value = Option<RandomDelay>> {
    prop::option::of(
        (0..=i32::MAX as u32, 0..=i32::MAX as u32)
            .prop_map(|(a, b)| RandomDelay { min_ms: a.min(b), max_ms: a.max(b) }),
    )
}

fn event() -> impl Strategy<Value = Event> {
    (0..=i64::MAX as u64, range(), action()).prop_map(|(wait_us, random, action)| Event {
        wait_us,
        random,
        action,
    })
}

fn step() -> impl Strategy<Value = String> {
    let plain = ["move abs 1 2", "  click left", "tap ctrl+c", "delay 5", "scroll up 3"];
    prop_oneof![
        prop::sample::select(plain.to_vec()).prop_map(str::to_owned),
        "[^\0\r$]{1,20}".prop_map(|text| format!("type {text}")),
    ]
}

fn content() -> impl Strategy<Value = Macro> {
    let comment = |section, most: usize| {
        (0..=most, "#[^\0\r\n]{0,10}").prop_map(move |(before, text)| Comment { section, before, text })
    };
    let boundary = (0..=i32::MAX as u32, 1..=i32::MAX as u32, ".{0,8}")
        .prop_map(|(start, count, text)| TextBoundary { start, count, text });
    let header = ("[^\0\r\n]{0,12}", any::<bool>(), any::<bool>(), 0..=i64::MAX as u64, range());
    let body = (prop::collection::vec(step(), 0..5), prop::collection::vec(event(), 0..8));
    let extra = (
        prop::collection::vec(comment(Section::Script, 5), 0..3),
        prop::collection::vec(comment(Section::Events, 8), 0..3),
        prop::collection::vec(boundary, 0..2),
    );
    (header, body, extra).prop_map(
        |(
            (name, is_absolute, skip_initial_zero, trailing_us, trailing_random),
            (script, events),
            (in_script, in_events, text_boundaries),
        )| Macro {
            name,
            created: None,
            is_absolute,
            skip_initial_zero,
            trailing_us,
            trailing_random,
            text_boundaries,
            images: Vec::new(),
            script: script.into_iter().map(|text| SourceStep { text, line: None }).collect(),
            events,
            comments: in_script.into_iter().chain(in_events).collect(),
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    /// Writing, reading and writing again gives the same bytes, and the events come back as they were.
    #[test]
    fn what_is_written_reads_back_to_the_same_bytes(content in content()) {
        prop_assume!(!content.events.is_empty() || !content.script.is_empty());
        let once = written(&content);
        let found = read(once.as_bytes());
        prop_assert!(found.diagnostics.is_ok(), "{}\n{once}", found.diagnostics);
        let twice = written(&found.content);
        prop_assert_eq!(&written(&read(twice.as_bytes()).content), &twice);
        let says_current = content.events.iter().filter_map(|event| event.action.place()).any(|at| at.space == Space::Current);
        if says_current || !content.skip_initial_zero {
            prop_assert_eq!(&twice, &once);
            prop_assert_eq!(&found.content.events, &content.events);
        }
        let texts = |content: &Macro| content.script.iter().map(|step| step.text.clone()).collect::<Vec<_>>();
        prop_assert_eq!(texts(&found.content), texts(&content));
        prop_assert_eq!(&found.content.text_boundaries, &content.text_boundaries);
        prop_assert_eq!(found.content.comments.len(), content.comments.len());
    }

    /// No bytes make it panic, and what remains of them can be written and read again.
    #[test]
    fn any_bytes_are_read(bytes in prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        "[#\\[\\]MPRCKWU,0-9a-z| :\n\r-]{0,200}".prop_map(String::into_bytes),
        "(# (Name|Image|Format|IsAbsolute|TrailingDelayUs|TrailingRandomDelayMs|TextInputBoundaryBase64|Created): [A-Za-z0-9=,_+/-]{0,12}\r?\n|\\[(Script|Events)\\]\n|(M|P|R|C|W|WU|WR|KP|KR),(abs,|rel,)?-?[0-9]{1,12},-?[0-9]{1,4}(,(Left|5|None|ScrollUp))?(,Live)?\n|type [ -~]{0,9}\n\\| [ -~]{0,5}\n){0,12}".prop_map(String::into_bytes),
    ]) {
        let found = read(&bytes);
        let mut once = Vec::new();
        if write(&found.content, &mut once).is_ok() {
            let again = read(&once);
            prop_assert!(again.diagnostics.is_ok(), "{}\n{}", again.diagnostics, String::from_utf8_lossy(&once));
            let mut twice = Vec::new();
            write(&again.content, &mut twice).unwrap();
            prop_assert_eq!(String::from_utf8(twice).unwrap(), String::from_utf8(once).unwrap());
        }
    }
}
