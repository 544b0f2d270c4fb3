//! The steps that look at the screen: what is read, what is refused, and that printing is the inverse of
//! reading.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it fails")]

use crossmacro_model::Capability::{InputAutomation, ScreenRead};
use crossmacro_model::run::{Program, from_lines, from_words, parse};
use proptest::prelude::*;

fn program(script: &str) -> Program {
    parse(&from_lines(script).unwrap()).unwrap_or_else(|wrong| panic!("{script}\n{wrong}"))
}

fn complaint(step: &str) -> String {
    let script = format!("set a 1\n{step}");
    match parse(&from_lines(&script).unwrap()) {
        Ok(program) => panic!("{step:?} was read as {:?}", program.print()),
        Err(wrong) => wrong.list[0].message.clone(),
    }
}

#[test]
fn steps_have_one_normal_form() {
    let table = [
        ("PixelColor 5 -7", "pixelcolor 5 -7"),
        ("pixelcolor REL 5 -7 $c", "pixelcolor rel 5 -7 c"),
        ("pixelcolor $a 0 c", "pixelcolor $a 0 c"),
        ("waitcolor 1 2 ff00aB", "waitcolor 1 2 FF00AB"),
        ("waitcolor 1 2 000000 250", "waitcolor 1 2 000000 250"),
        ("waitcolor 1 2 000000 ok", "waitcolor 1 2 000000 ok"),
        ("waitcolor 1 2 $a $a ok", "waitcolor 1 2 $a $a ok"),
        ("pixelsearch 9 9 1 1 FFFFFF", "pixelsearch 9 9 1 1 FFFFFF"),
        ("pixelsearch 1 1 9 9 FFFFFF x y", "pixelsearch 1 1 9 9 FFFFFF x y"),
        (
            "pixelsearch 100 100 900 700 3366CC hit hx hy TIMEOUT 400 tolerance 12",
            "pixelsearch 100 100 900 700 3366CC hit hx hy timeout 400 tolerance 12",
        ),
        (
            "pixelsearch 1 1 9 9 FFFFFF tolerance 0 timeout $a",
            "pixelsearch 1 1 9 9 FFFFFF timeout $a tolerance 0",
        ),
        ("imagesearch ok_Button", "imagesearch ok_Button"),
        ("imagesearch 1 2 30 40 ok f x y", "imagesearch 1 2 30 40 ok f x y"),
        ("imagesearch region", "imagesearch region"),
        ("imagesearch Region $a $a 120 60 ok", "imagesearch region $a $a 120 60 ok"),
        (
            "waitimage ok f x y matchmode BEST timeout 8000 similarity 0.990",
            "waitimage ok f x y similarity 0.990 matchmode best timeout 8000",
        ),
        (
            "imageclick region 1 2 3 4 ok done cx cy timeout 1000 button m",
            "imageclick region 1 2 3 4 ok done cx cy button middle timeout 1000",
        ),
    ];
    for (given, normal) in table {
        let print = |step: &str| program(&format!("set a 1\n{step}")).print()[1].clone();
        assert_eq!(print(given), normal, "{given}");
        assert_eq!(print(normal), normal, "{normal}");
    }
}

#[test]
fn wrong_steps_say_what_was_expected() {
    let table = [
        ("pixelcolor 1", "pixelcolor [rel] X Y [VAR]"),
        ("pixelcolor 1 2 3", "expected the name of a variable"),
        ("waitcolor 1 2 red", "six hexadecimal digits"),
        ("waitcolor 1 2 #FF0000", "six hexadecimal digits"),
        ("waitcolor 1 2 FF0000 1 2", "expected the name of a variable"),
        ("waitcolor 1 2 FF0000 -1", "milliseconds"),
        ("pixelsearch 1 2 3 4 FF0000 x", "expected pixelsearch"),
        ("pixelsearch 1 2 3 4 FF0000 x X", "must be different"),
        ("pixelsearch 1 2 3 4 FF0000 tolerance 256", "0 to 255"),
        ("pixelsearch 1 2 3 4 FF0000 tolerance", "needs a value"),
        ("pixelsearch 1 2 3 4 FF0000 timeout 1 timeout 1", "given twice"),
        ("imagesearch", "imagesearch [X1 Y1 X2 Y2"),
        ("imagesearch 1 2 3 ok", "expected a whole number"),
        ("imagesearch 1 2 3 4", "imagesearch [X1 Y1 X2 Y2"),
        ("imagesearch 5 5 5 9 ok", "the region is empty"),
        ("imagesearch 5 5 4 9 ok", "the region is empty"),
        ("imagesearch region 5 5 0 9 ok", "the region is empty"),
        ("imagesearch ok-button", "the name of a picture"),
        ("imagesearch ok x y", "expected imagesearch"),
        ("imagesearch ok f x x", "must be different"),
        ("imagesearch ok timeout 5", "expected imagesearch"),
        ("imagesearch ok similarity 1.01", "from 0 to 1"),
        ("imagesearch ok similarity NaN", "from 0 to 1"),
        ("waitimage ok similarity 1 similarity 1", "given twice"),
        ("waitimage ok poll 5", "has no meaning any more"),
        ("waitimage ok matchmode any", "a match mode"),
        ("imageclick ok button side1", "a mouse button (left, right, middle)"),
        ("imageclick ok timeout $b", "is set nowhere"),
    ];
    for (step, expected) in table {
        let complaint = complaint(step);
        assert!(complaint.contains(expected), "{step}: {complaint}");
    }
}

#[test]
fn needs_and_pictures_are_known_before_it_runs() {
    let looks = program("waitimage ok\nif 1 == 2 {\nimagesearch No f x y\n}");
    assert_eq!(looks.capabilities().into_iter().collect::<Vec<_>>(), [ScreenRead]);
    assert!(looks.asks_outside());
    looks.check_assets(&["No", "ok"]).unwrap();
    let wrong = looks.check_assets(&["ok", "no"]).unwrap_err();
    assert_eq!((wrong.total, wrong.list[0].place.step), (1, 3));
    let clicks = program("imageclick ok").capabilities();
    assert!(clicks.contains(&ScreenRead) && clicks.contains(&InputAutomation));
}

#[test]
fn the_positional_form_takes_what_is_its_own() {
    let words: Vec<String> = "pixelcolor 1 2 c pixelcolor rel 1 2 click left waitcolor 1 2 00FF00 250 ok waitcolor 1 2 00FF00 \
        tap a pixelsearch 1 2 3 4 00FF00 f x y timeout 5 pixelsearch 1 2 3 4 00FF00 x y delay 5 \
        imagesearch ok imagesearch region 1 2 3 4 ok f x y similarity 1 waitimage 1 2 3 4 ok timeout 9 imageclick ok button left tap b"
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let steps: Vec<String> = from_words(&words).unwrap().into_iter().map(|step| step.text).collect();
    let expected = [
        "pixelcolor 1 2 c",
        "pixelcolor rel 1 2",
        "click left",
        "waitcolor 1 2 00FF00 250 ok",
        "waitcolor 1 2 00FF00",
        "tap a",
        "pixelsearch 1 2 3 4 00FF00 f x y timeout 5",
        "pixelsearch 1 2 3 4 00FF00 x y",
        "delay 5",
        "imagesearch ok",
        "imagesearch region 1 2 3 4 ok f x y similarity 1",
        "waitimage 1 2 3 4 ok timeout 9",
        "imageclick ok button left",
        "tap b",
    ];
    assert_eq!(steps, expected);
}

proptest! {
    #[test]
    fn any_words_are_read_or_refused_and_what_is_read_can_be_printed(
        keyword in prop::sample::select(vec!["pixelcolor", "waitcolor", "pixelsearch", "imagesearch", "waitimage", "imageclick"]),
        words in prop::collection::vec(prop::sample::select(vec![
            "1", "-2", "30", "40", "$a", "-$a", "rel", "region", "FF00ff", "ok", "x", "y", "f", "timeout", "tolerance",
            "similarity", "matchmode", "button", "0.5", "best", "left", "poll", "$$", "é",
        ]), 0..12)
    ) {
        let script = format!("set a 1\n{keyword} {}", words.join(" "));
        if let Ok(program) = parse(&from_lines(&script).unwrap()) {
            let printed = program.print().join("\n");
            let again = parse(&from_lines(&printed).unwrap());
            prop_assert_eq!(again.map(|again| again.print().join("\n")), Ok(printed));
        }
        let _read = from_words(&script.split_whitespace().skip(3).map(str::to_owned).collect::<Vec<_>>());
    }
}
