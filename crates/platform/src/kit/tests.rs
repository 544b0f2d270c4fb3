//! The kit must be able to fail: no behaviour may be shown by a desktop that does nothing.

#![allow(clippy::panic, reason = "tests of what happens then")]

use super::*;
use crate::cancel::Cancel;
use crate::desktop::{Session, SessionKind};
use crate::error::Result;
use crate::facets::capture::{Capture, CaptureRequest, Watch};
use crate::facets::clipboard::Clipboard;
use crate::facets::displays::{Display, Displays, Layout};
use crate::facets::keyboard::{Keyboard, Typed};
use crate::facets::listener::{Begun, Heard, ListenRequest, Listener, Listening};
use crate::facets::pointer::Pointer;
use crate::facets::windows::{Change, Window, WindowId, WindowSupport, Windows};
use crossmacro_model::{Frame, Logical};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// Says yes to everything and does nothing.
struct Liar;

impl Displays for Liar {
    fn layout(&self) -> Result<Layout> {
        let region = Rect::new(0, 0, 1000, 800);
        let display = Display { name: "liar".into(), region, scale: 1.0, is_primary: true };
        Ok(Layout { displays: vec![display] })
    }

    fn backend(&self) -> &'static str {
        "liar"
    }
}

impl Capture for Liar {
    fn capture(&self, request: CaptureRequest) -> Result<Frame> {
        let region = request.region.unwrap_or(Rect::new(0, 0, 1000, 800));
        let size = Size::new(region.width.min(1000), region.height.min(1000));
        let bytes = vec![0; usize::try_from(size.area() * 4).unwrap()];
        let stride = size.width as usize * 4;
        let region = Rect::at(region.origin(), Size::new(size.width, size.height));
        Ok(Frame::new(region, size, stride, Box::new(bytes)).unwrap())
    }

    fn watch(&self, _region: Rect<Logical>) -> Result<Box<dyn Watch>> {
        Err(Error::Unsupported { what: "watching the screen", why: "it lies".into() })
    }

    fn backend(&self) -> &'static str {
        "liar"
    }
}

impl Pointer for Liar {
    fn position(&self) -> Result<Point<Logical>> {
        Ok(Point::new(0, 0))
    }

    fn move_to(&self, to: Point<Logical>) -> Result<Point<Logical>> {
        Ok(to)
    }

    fn move_by(&self, dx: i32, dy: i32) -> Result<Point<Logical>> {
        Ok(Point::new(dx, dy))
    }

    fn button(&self, _button: Button, _direction: Direction) -> Result<()> {
        Ok(())
    }

    fn scroll(&self, _axis: Axis, _count: u32) -> Result<()> {
        Ok(())
    }

    fn backend(&self) -> &'static str {
        "liar"
    }
}

impl Keyboard for Liar {
    fn key(&self, _key: KeyCode, _direction: Direction) -> Result<()> {
        Ok(())
    }

    fn key_for(&self, _character: char) -> Result<Option<KeyCode>> {
        Ok(Some(KeyCode(30)))
    }

    fn check_text(&self, _text: &str) -> Result<()> {
        Ok(())
    }

    fn type_text(&self, text: &str, _pause: Duration, _cancel: &Cancel) -> Result<Typed> {
        Ok(Typed { characters: text.chars().count(), outside_layout: 0 })
    }

    fn backend(&self) -> &'static str {
        "liar"
    }
}

impl Listener for Liar {
    fn listen(&self, _request: ListenRequest) -> Result<Box<dyn Listening>> {
        Ok(Box::new(Deaf(Begun::default())))
    }

    fn backend(&self) -> &'static str {
        "liar"
    }
}

struct Deaf(Begun);

impl Listening for Deaf {
    fn begun(&self) -> &Begun {
        &self.0
    }

    fn next(&mut self, _limit: Duration, _cancel: &Cancel) -> Result<Vec<Heard>> {
        Ok(vec![])
    }
}

impl Windows for Liar {
    fn list(&self) -> Result<Vec<Window>> {
        Ok(vec![])
    }

    fn get(&self, _id: WindowId) -> Result<Window> {
        Err(Error::NotFound { what: "the window" })
    }

    fn active(&self) -> Result<Option<WindowId>> {
        Ok(None)
    }

    fn change(&self, _id: WindowId, _change: Change, _cancel: &Cancel) -> Result<()> {
        Ok(())
    }

    fn workspaces(&self) -> Result<(Vec<String>, usize)> {
        Ok((vec!["1".into(), "2".into()], 0))
    }

    fn to_workspace(&self, _window: Option<WindowId>, _index: usize, _cancel: &Cancel) -> Result<()> {
        Ok(())
    }

    fn support(&self) -> Result<WindowSupport> {
        Ok(WindowSupport { manager: None, missing: vec![] })
    }

    fn backend(&self) -> &'static str {
        "liar"
    }
}

impl Clipboard for Liar {
    fn text(&self, _limit: usize, _cancel: &Cancel) -> Result<Option<String>> {
        Ok(None)
    }

    fn png(&self, _limit: usize, _cancel: &Cancel) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }

    fn set(&self, _content: ClipboardContent) -> Result<()> {
        Ok(())
    }

    fn formats(&self, _cancel: &Cancel) -> Result<Vec<String>> {
        Ok(vec![])
    }

    fn backend(&self) -> &'static str {
        "liar"
    }
}

/// A witness of a desktop where nothing ever happens.
struct Bored {
    held: Held,
}

impl Witness for Bored {
    fn desktop(&mut self) -> Result<Rect<Logical>, String> {
        Ok(Rect::new(0, 0, 640, 480))
    }

    fn show(&mut self, spec: &WindowSpec) -> Result<Box<dyn Shown>, String> {
        Ok(Box::new(BoredWindow(spec.content)))
    }

    fn pointer(&mut self) -> Result<Point<Logical>, String> {
        Ok(Point::new(-1, -1))
    }

    fn held(&mut self) -> Result<Held, String> {
        Ok(self.held.clone())
    }

    fn act(&mut self, _act: Act) -> Result<(), String> {
        Ok(())
    }

    fn own_clipboard(&mut self, _content: Option<&ClipboardContent>) -> Result<(), String> {
        Ok(())
    }

    fn clipboard_text(&mut self) -> Result<Option<String>, String> {
        Ok(Some("untouched".into()))
    }

    fn clipboard_png(&mut self) -> Result<Option<Vec<u8>>, String> {
        Ok(None)
    }
}

struct BoredWindow(Rect<Logical>);

impl Shown for BoredWindow {
    fn pid(&self) -> u32 {
        1
    }

    fn content(&mut self) -> Result<Rect<Logical>, String> {
        Ok(self.0)
    }

    fn state(&mut self) -> Result<ShownState, String> {
        Ok(ShownState { is_visible: true, ..ShownState::default() })
    }

    fn received(&mut self) -> Result<Vec<Received>, String> {
        Ok(vec![])
    }

    fn forget(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn paint(&mut self, _pattern: Pattern) -> Result<(), String> {
        Ok(())
    }

    fn set_title(&mut self, _title: &str) -> Result<(), String> {
        Ok(())
    }

    fn focus(&mut self) -> Result<(), String> {
        Ok(())
    }
}

fn session() -> Session {
    Session { kind: SessionKind::Fake, name: "stub".into(), is_private: true }
}

fn liar() -> Desktop {
    Desktop {
        session: session(),
        displays: Ok(Arc::new(Liar)),
        capture: Ok(Arc::new(Liar)),
        pointer: Ok(Arc::new(Liar)),
        keyboard: Ok(Arc::new(Liar)),
        listener: Ok(Arc::new(Liar)),
        windows: Ok(Arc::new(Liar)),
        clipboard: Ok(Arc::new(Liar)),
        self_test: Err(Unavailable::new("self-test", "stub", "it is a stub")),
    }
}

fn nothing() -> Desktop {
    Desktop {
        session: session(),
        displays: Err(Unavailable::new("displays", "stub", "it is a stub")),
        capture: Err(Unavailable::new("capture", "stub", "it is a stub")),
        pointer: Err(Unavailable::new("pointer", "stub", "it is a stub")),
        keyboard: Err(Unavailable::new("keyboard", "stub", "it is a stub")),
        listener: Err(Unavailable::new("listener", "stub", "it is a stub")),
        windows: Err(Unavailable::new("windows", "stub", "it is a stub")),
        clipboard: Err(Unavailable::new("clipboard", "stub", "it is a stub")),
        self_test: Err(Unavailable::new("self-test", "stub", "it is a stub")),
    }
}

fn bored() -> Bored {
    Bored { held: Held::default() }
}

fn outcome(report: &Report, name: &str) -> Outcome {
    report.results.iter().find(|(it, _)| it == name).unwrap().1.clone()
}

#[test]
fn a_desktop_that_only_says_yes_shows_nothing() {
    let report = run_all(&liar(), &mut bored(), &[]);
    assert_eq!(report.failed(), BEHAVIOURS.iter().map(|it| it.name).collect::<Vec<_>>(), "{report}");
}

#[test]
fn a_desktop_without_facets_fails_everywhere_and_says_why() {
    let report = run_all(&nothing(), &mut bored(), &[]);
    assert_eq!(report.failed().len(), BEHAVIOURS.len(), "{report}");
    let Outcome::Failed(why) = outcome(&report, "pointer: it arrives at the exact place") else { panic!() };
    assert_eq!(why, "no pointer is available: stub: it is a stub");
}

#[test]
fn names_are_unique_and_begin_with_a_facet() {
    let names = BEHAVIOURS.iter().map(|it| it.name).collect::<BTreeSet<_>>();
    assert_eq!(names.len(), BEHAVIOURS.len());
    let facets = ["displays", "pointer", "keyboard", "listener", "capture", "windows", "clipboard"];
    for name in names {
        assert!(facets.iter().any(|facet| name.starts_with(&format!("{facet}: "))), "{name}");
    }
}

fn passes(_desktop: &Desktop, _witness: &mut dyn Witness) -> Result<(), Failure> {
    Ok(())
}

fn panics(_desktop: &Desktop, _witness: &mut dyn Witness) -> Result<(), Failure> {
    panic!("a bug of the back end")
}

fn behaviour(
    name: &'static str,
    is_essential: bool,
    run: fn(&Desktop, &mut dyn Witness) -> Result<(), Failure>,
) -> Behaviour {
    Behaviour { name, is_essential, run }
}

#[test]
fn excuses_are_for_what_is_optional_and_exists() {
    let list = [behaviour("must", true, passes), behaviour("may", false, passes)];
    let excused = [("must", "too hard"), ("may", "the protocol lacks it"), ("myst", "a typing error")];
    let report = run_list(&list, &nothing(), &mut bored(), &excused);
    assert!(matches!(outcome(&report, "must"), Outcome::Failed(_)));
    assert_eq!(outcome(&report, "may"), Outcome::Excused("the protocol lacks it".into()));
    assert!(matches!(outcome(&report, "myst"), Outcome::Failed(_)));
    assert!(!report.is_success());
    assert!(run_list(&list, &nothing(), &mut bored(), &[]).is_success());
}

#[test]
fn a_panic_is_a_failure_of_that_behaviour_alone() {
    let list = [behaviour("one", true, panics), behaviour("two", true, passes)];
    let report = run_list(&list, &nothing(), &mut bored(), &[]);
    assert_eq!(report.failed(), ["one"]);
}

#[test]
fn what_stays_pressed_is_a_failure() {
    let list = [behaviour("one", true, passes)];
    let held = Held { keys: vec![KeyCode(42)], buttons: vec![] };
    let report = run_list(&list, &liar(), &mut Bored { held }, &[]);
    assert_eq!(report.failed(), ["one"]);
}

#[test]
fn neighbouring_pixels_and_cells_differ() {
    for at in 0..600 {
        assert_ne!(Pattern::Gradient.rgb(at, 7), Pattern::Gradient.rgb(at + 1, 7));
        assert_ne!(Pattern::Gradient.rgb(7, at), Pattern::Gradient.rgb(7, at + 1));
        assert_ne!(Pattern::Grid.rgb(at, 7), Pattern::Grid.rgb(at + 16, 7));
        assert_ne!(Pattern::Grid.rgb(7, at), Pattern::Grid.rgb(7, at + 16));
    }
}
