//! The windows facet on a real X server, with and without window managers. The witnesses are `wmctrl`,
//! `xdotool`, `xprop` and `xwininfo`, and clients written here on the raw protocol.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests"
)]

mod xvfb_session;

use crossmacro_model::{Point, Size};
use crossmacro_platform::{Cancel, Change, Error, Window, WindowId, Windows};
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;
use xvfb_session::{Session, wait_for};

/// A session with a window manager, and our windows of it.
fn managed(manager: &str, arguments: &[&str]) -> (Session, Arc<dyn Windows>) {
    manage(Session::start(), manager, arguments)
}

fn manage(mut session: Session, manager: &str, arguments: &[&str]) -> (Session, Arc<dyn Windows>) {
    let windows = session.desktop(None).windows.clone().unwrap();
    session.spawn(manager, arguments);
    await_manager(&session);
    (session, windows)
}

/// Waits until a window that is mapped gets managed. Openbox loses requests that come while it starts, after
/// all other signs of life.
fn await_manager(session: &Session) {
    let (conn, screen) = connect(session);
    let state = atom(&conn, "WM_STATE");
    wait_for("the window manager", || {
        let probe = raw_window(&conn, screen, &[]);
        let deadline = Instant::now() + Duration::from_millis(300);
        let is_managed = || {
            let reply = conn.get_property(false, probe, state, AtomEnum::ANY, 0, 1).unwrap().reply().unwrap();
            reply.type_ != 0
        };
        let mut is_done = is_managed();
        while !is_done && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
            is_done = is_managed();
        }
        conn.destroy_window(probe).unwrap();
        conn.sync().unwrap();
        is_done.then_some(())
    });
}

/// As [`managed`], with one that follows EWMH.
fn ewmh(manager: &str, arguments: &[&str]) -> (Session, Arc<dyn Windows>) {
    let (session, windows) = managed(manager, arguments);
    wait_for("workspaces", || (!session.output("wmctrl", &["-d"]).is_empty()).then_some(()));
    // The window that tested the manager is gone from its list.
    wait_for("an empty list", || windows.list().unwrap().is_empty().then_some(()));
    (session, windows)
}

fn connect(session: &Session) -> (RustConnection, usize) {
    x11rb::connect(Some(&session.display)).unwrap()
}

/// Starts an xterm and waits until we list it.
fn xterm(session: &mut Session, windows: &dyn Windows, title: &str, geometry: &str) -> Window {
    session.spawn("xterm", &["-T", title, "-n", title, "-geometry", geometry, "-e", "sleep", "1000"]);
    wait_for("xterm", || windows.list().unwrap().into_iter().find(|window| window.title == title))
}

/// A window of a raw client.
fn raw_window(conn: &RustConnection, screen: usize, protocols: &[&str]) -> u32 {
    let root = &conn.setup().roots[screen];
    let id = conn.generate_id().unwrap();
    let aux = CreateWindowAux::new().background_pixel(root.white_pixel);
    let class = WindowClass::INPUT_OUTPUT;
    conn.create_window(0, id, root.root, 40, 50, 200, 100, 0, class, 0, &aux).unwrap();
    let protocols: Vec<u32> = protocols.iter().map(|name| atom(conn, name)).collect();
    let property = atom(conn, "WM_PROTOCOLS");
    conn.change_property32(PropMode::REPLACE, id, property, AtomEnum::ATOM, &protocols).unwrap();
    conn.map_window(id).unwrap();
    conn.sync().unwrap();
    id
}

fn atom(conn: &RustConnection, name: &str) -> Atom {
    conn.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
}

fn listed(windows: &dyn Windows, id: u32) -> Window {
    wait_for("the window in the list", || {
        windows.list().unwrap().into_iter().find(|window| window.id == WindowId(id.into()))
    })
}

/// The witness for places: x, y, width and height of the inside of a window. (`xwininfo` gives the corner of
/// the border.)
fn xwininfo(session: &Session, id: WindowId) -> (i32, i32, u32, u32) {
    let text = session.output("xwininfo", &["-id", &id.to_string()]);
    let field = |name: &str| -> i32 {
        let line =
            text.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{name} in {text}"));
        line.rsplit(' ').next().unwrap().parse().unwrap()
    };
    let border = field("Border width");
    let [x, y] = ["Absolute upper-left X", "Absolute upper-left Y"].map(|name| field(name) + border);
    let [width, height] = ["  Width:", "  Height:"].map(|name| u32::try_from(field(name)).unwrap());
    (x, y, width, height)
}

/// The witness for frames: the outermost window around a client, with its border.
fn outermost(session: &Session, id: WindowId) -> (i32, i32, u32, u32) {
    let (conn, screen) = connect(session);
    let root = conn.setup().roots[screen].root;
    let mut window = u32::try_from(id.0).unwrap();
    loop {
        let parent = conn.query_tree(window).unwrap().reply().unwrap().parent;
        if parent == root {
            break;
        }
        window = parent;
    }
    let geometry = conn.get_geometry(window).unwrap().reply().unwrap();
    let border = 2 * u32::from(geometry.border_width);
    let size = [geometry.width, geometry.height].map(|size| u32::from(size) + border);
    (geometry.x.into(), geometry.y.into(), size[0], size[1])
}

fn tuple(rect: crossmacro_model::Rect) -> (i32, i32, u32, u32) {
    (rect.x, rect.y, rect.width, rect.height)
}

fn xprop(session: &Session, id: WindowId, property: &str) -> String {
    session.output("xprop", &["-id", &id.to_string(), property])
}

fn change(windows: &dyn Windows, id: WindowId, change: Change) {
    windows.change(id, change, &Cancel::new()).unwrap_or_else(|error| panic!("{change:?}: {error}"));
}

/// Where the frame of a window is.
type Witness = fn(&Session, WindowId) -> (i32, i32, u32, u32);

/// All changes under a window manager that follows EWMH.
fn all_changes(session: &mut Session, windows: &dyn Windows, frame: Witness) {
    let first = xterm(session, windows, "first", "60x20+50+60").id;
    let second = xterm(session, windows, "second", "60x20+300+200").id;
    let get = |id| windows.get(id).unwrap();

    // The manager gives a new window the focus in its own time: not in the middle of what follows.
    wait_for("the new window's focus", || (windows.active().unwrap() == Some(second)).then_some(()));
    for id in [first, second, first] {
        change(windows, id, Change::Focus);
        let focused = session.output("xdotool", &["getwindowfocus"]);
        assert_eq!(focused.trim(), id.0.to_string(), "the server sends keys to it");
        assert_eq!(session.output("xdotool", &["getactivewindow"]).trim(), id.0.to_string());
        assert_eq!(windows.active().unwrap(), Some(id));
        assert!(get(id).is_focused);
    }

    change(windows, first, Change::Move(Point::new(211, 133)));
    let (x, y, ..) = frame(session, first);
    assert_eq!((x, y), (211, 133));
    let seen = get(first);
    assert_eq!(tuple(seen.client), xwininfo(session, first));
    assert_eq!(tuple(seen.frame), frame(session, first));

    // An xterm takes whole cells: 6x13 pixels in the default font.
    change(windows, first, Change::Resize(Size::new(501, 303)));
    let (.., width, height) = xwininfo(session, first);
    assert!(width.abs_diff(501) < 10 && height.abs_diff(303) < 20, "{width}x{height}");

    change(windows, first, Change::Maximize(true));
    assert!(xprop(session, first, "_NET_WM_STATE").contains("_NET_WM_STATE_MAXIMIZED_VERT"));
    assert!(xprop(session, first, "_NET_WM_STATE").contains("_NET_WM_STATE_MAXIMIZED_HORZ"));
    assert!(get(first).is_maximized);
    assert!(xwininfo(session, first).2 > 1_100);

    // A move takes a maximised window out of that state.
    change(windows, first, Change::Move(Point::new(90, 70)));
    assert!(!xprop(session, first, "_NET_WM_STATE").contains("MAXIMIZED"));
    let (x, y, ..) = frame(session, first);
    assert_eq!((x, y), (90, 70));

    change(windows, first, Change::Fullscreen(true));
    assert!(xprop(session, first, "_NET_WM_STATE").contains("_NET_WM_STATE_FULLSCREEN"));
    let (x, y, width, height) = xwininfo(session, first);
    assert!(x <= 0 && y <= 0 && width >= 1_280 && height >= 800, "{width}x{height}+{x}+{y}");
    assert!(get(first).is_fullscreen);
    change(windows, first, Change::Fullscreen(false));
    assert!(!xprop(session, first, "_NET_WM_STATE").contains("FULLSCREEN"));

    change(windows, first, Change::Fullscreen(true));
    change(windows, first, Change::Resize(Size::new(400, 300)));
    assert!(!xprop(session, first, "_NET_WM_STATE").contains("FULLSCREEN"));

    change(windows, first, Change::Above(true));
    assert!(xprop(session, first, "_NET_WM_STATE").contains("_NET_WM_STATE_ABOVE"));
    assert!(get(first).is_above);
    change(windows, first, Change::Above(false));
    assert!(!xprop(session, first, "_NET_WM_STATE").contains("_NET_WM_STATE_ABOVE"));

    change(windows, first, Change::Minimize);
    assert!(xprop(session, first, "WM_STATE").contains("Iconic"));
    assert!(get(first).is_hidden);
    change(windows, first, Change::Restore);
    assert!(xprop(session, first, "WM_STATE").contains("Normal"));
    assert!(!get(first).is_hidden);
    change(windows, first, Change::Minimize);
    change(windows, first, Change::Focus);
    assert!(xprop(session, first, "WM_STATE").contains("Normal"));

    change(windows, first, Change::Maximize(true));
    change(windows, first, Change::Minimize);
    change(windows, first, Change::Restore);
    let state = xprop(session, first, "_NET_WM_STATE");
    assert!(!state.contains("MAXIMIZED") && !state.contains("HIDDEN"), "{state}");

    change(windows, first, Change::Center);
    let (x, y, width, height) = frame(session, first);
    assert!((x - (1_280 - i32::try_from(width).unwrap()) / 2).abs() <= 1, "{x} {width}");
    // Panels may take room at the top or bottom.
    assert!((y - (800 - i32::try_from(height).unwrap()) / 2).abs() <= 40, "{y} {height}");

    all_workspaces(session, windows, first);

    change(windows, second, Change::Close);
    assert!(!session.output("wmctrl", &["-l"]).contains("second"));
    let error = windows.change(second, Change::Focus, &Cancel::new()).unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error}");
}

fn all_workspaces(session: &Session, windows: &dyn Windows, id: WindowId) {
    let cancel = Cancel::new();
    let current = || {
        let text = session.output("wmctrl", &["-d"]);
        text.lines().position(|line| line.split_whitespace().nth(1) == Some("*")).unwrap()
    };
    let (names, index) = windows.workspaces().unwrap();
    assert_eq!(names.len(), session.output("wmctrl", &["-d"]).lines().count());
    assert!(names.len() > 1, "{names:?}");
    assert_eq!(index, current());
    windows.to_workspace(Some(id), 1, &cancel).unwrap();
    assert!(xprop(session, id, "_NET_WM_DESKTOP").ends_with("= 1\n"));
    assert_eq!(windows.get(id).unwrap().workspace.as_ref(), Some(&names[1]));
    assert!(windows.get(id).unwrap().is_hidden, "it is not on the screen");
    windows.to_workspace(None, 1, &cancel).unwrap();
    assert_eq!(current(), 1);
    windows.to_workspace(None, 0, &cancel).unwrap();
    // Focusing brings its workspace.
    change(windows, id, Change::Focus);
    assert_eq!(current(), 1);
    windows.to_workspace(Some(id), 0, &cancel).unwrap();
    windows.to_workspace(None, 0, &cancel).unwrap();
    let error = windows.to_workspace(None, 99, &cancel).unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error}");
}

#[test]
fn openbox_does_all_changes() {
    let (mut session, windows) = ewmh("openbox", &[]);
    let support = windows.support().unwrap();
    assert_eq!(support.manager.as_deref(), Some("Openbox"));
    assert_eq!(support.missing, []);
    all_changes(&mut session, &*windows, outermost);
}

#[test]
fn icewm_does_all_changes() {
    let (mut session, windows) = ewmh("icewm", &[]);
    assert_eq!(windows.support().unwrap().missing, []);
    all_changes(&mut session, &*windows, outermost);
}

#[test]
fn a_list_says_what_the_witnesses_say() {
    let (mut session, windows) = ewmh("openbox", &[]);
    let title = "über ✓ title";
    session.spawn("xterm", &["-T", title, "-u8", "-geometry", "40x10+600+100", "-e", "sleep", "1000"]);
    let first = wait_for("xterm", || windows.list().unwrap().into_iter().next());
    let second = xterm(&mut session, &*windows, "second", "60x20+300+200");
    change(&*windows, first.id, Change::Focus);
    let list = windows.list().unwrap();
    assert_eq!(list.iter().map(|window| window.id).collect::<Vec<_>>(), [second.id, first.id], "stacking");
    let stacking = session.output("xprop", &["-root", "_NET_CLIENT_LIST_STACKING"]);
    assert!(stacking.ends_with(&format!("# {}, {}\n", second.id, first.id)), "{stacking}");
    for window in &list {
        assert_eq!(window.class, "XTerm");
        assert_eq!(window.process_name.as_deref(), Some("xterm"));
        assert_eq!(tuple(window.client), xwininfo(&session, window.id));
        assert_eq!(tuple(window.frame), outermost(&session, window.id));
        assert!(window.frame.height > window.client.height, "openbox decorates");
        assert!(!window.is_hidden && !window.is_sticky && !window.is_fullscreen);
        let pid = session.output("xdotool", &["getwindowpid", &window.id.0.to_string()]);
        assert_eq!(window.pid.unwrap().to_string(), pid.trim());
        assert_eq!(window.workspace.as_deref(), Some(windows.workspaces().unwrap().0[0].as_str()));
    }
    // An xterm writes this one as compound text.
    assert_eq!(list[1].title, title);
    assert!(xprop(&session, first.id, "WM_NAME").ends_with(&format!("(COMPOUND_TEXT) = \"{title}\"\n")));
    let (conn, screen) = connect(&session);
    let to_all = [u32::MAX, 2, 0, 0, 0];
    let kind = atom(&conn, "_NET_WM_DESKTOP");
    let message = ClientMessageEvent::new(32, u32::try_from(second.id.0).unwrap(), kind, to_all);
    let root = conn.setup().roots[screen].root;
    conn.send_event(false, root, EventMask::SUBSTRUCTURE_REDIRECT, message).unwrap();
    conn.sync().unwrap();
    wait_for("sticky", || windows.get(second.id).unwrap().is_sticky.then_some(()));
}

#[test]
fn hostile_and_legacy_titles_are_text() {
    let (session, windows) = ewmh("openbox", &[]);
    let (conn, screen) = connect(&session);
    let id = raw_window(&conn, screen, &[]);
    let utf8 = atom(&conn, "UTF8_STRING");
    let modern = atom(&conn, "_NET_WM_NAME");
    let set = |property: Atom, kind: Atom, bytes: &[u8]| {
        conn.change_property8(PropMode::REPLACE, id, property, kind, bytes).unwrap();
        conn.sync().unwrap();
    };
    let title = || windows.get(WindowId(id.into())).unwrap().title;
    assert_eq!(listed(&*windows, id).title, "");
    set(AtomEnum::WM_NAME.into(), AtomEnum::STRING.into(), b"\xfcber");
    assert_eq!(title(), "über");
    set(AtomEnum::WM_NAME.into(), atom(&conn, "COMPOUND_TEXT"), b"\x1b%G\xe2\x9c\x93\x1b%@\xfc");
    assert_eq!(title(), "✓ü");
    set(modern, utf8, b"bad \xff\xfe end\0");
    assert_eq!(title(), "bad \u{fffd}\u{fffd} end");
    set(modern, utf8, "✓".repeat(1 << 20).as_bytes());
    assert!(title().len() <= 4_096 && title().chars().all(|char| char == '✓'));
    conn.change_property32(PropMode::REPLACE, id, modern, utf8, &[1, 2, 3]).unwrap();
    conn.sync().unwrap();
    assert_eq!(title(), "✓ü", "a title of the wrong format is none");
    // Another machine's process is not one of ours.
    set(AtomEnum::WM_CLIENT_MACHINE.into(), AtomEnum::STRING.into(), b"elsewhere.example");
    let pid = atom(&conn, "_NET_WM_PID");
    conn.change_property32(PropMode::REPLACE, id, pid, AtomEnum::CARDINAL, &[1]).unwrap();
    conn.sync().unwrap();
    assert_eq!(windows.get(WindowId(id.into())).unwrap().pid, None);
}

#[test]
fn a_window_that_asks_before_closing_is_reported_as_still_there() {
    let (session, windows) = ewmh("openbox", &[]);
    let (conn, screen) = connect(&session);
    let id = raw_window(&conn, screen, &["WM_DELETE_WINDOW"]);
    listed(&*windows, id);
    let error = windows.change(WindowId(id.into()), Change::Close, &Cancel::new()).unwrap_err();
    assert!(matches!(&error, Error::NoEffect { why, .. } if why.contains("asking the user")), "{error}");
    let cancel = Cancel::new();
    cancel.cancel();
    let error = windows.change(WindowId(id.into()), Change::Close, &cancel).unwrap_err();
    assert!(matches!(error, Error::Cancelled), "{error}");
}

#[test]
fn what_the_manager_does_not_do_is_no_success() {
    let (session, windows) = ewmh("openbox", &[]);
    let (conn, screen) = connect(&session);
    let id = raw_window(&conn, screen, &[]);
    listed(&*windows, id);
    // A window that allows one size only is not maximised and not resized by openbox.
    let fixed = x11rb::properties::WmSizeHints {
        min_size: Some((200, 100)),
        max_size: Some((200, 100)),
        ..Default::default()
    };
    fixed.set_normal_hints(&conn, id).unwrap();
    conn.sync().unwrap();
    let id = WindowId(id.into());
    wait_for("the hints", || {
        (!xprop(&session, id, "_NET_WM_ALLOWED_ACTIONS").contains("RESIZE")).then_some(())
    });
    let error = windows.change(id, Change::Maximize(true), &Cancel::new()).unwrap_err();
    assert!(matches!(error, Error::NoEffect { .. }), "{error}");
    let far = Change::Move(Point::new(100_000, 0));
    let error = windows.change(id, far, &Cancel::new()).unwrap_err();
    assert!(matches!(error, Error::Unsupported { .. }), "{error}");
}

#[test]
fn a_window_destroyed_between_list_and_change_is_not_found() {
    for manager in [Some("openbox"), None] {
        let (session, windows) = match manager {
            Some(manager) => ewmh(manager, &[]),
            None => {
                let session = Session::start();
                let windows = session.desktop(None).windows.clone().unwrap();
                (session, windows)
            }
        };
        let (conn, screen) = connect(&session);
        let id = raw_window(&conn, screen, &[]);
        let window = listed(&*windows, id).id;
        conn.destroy_window(id).unwrap();
        conn.sync().unwrap();
        for wanted in [Change::Focus, Change::Close, Change::Move(Point::new(1, 2)), Change::Center] {
            let error = windows.change(window, wanted, &Cancel::new()).unwrap_err();
            assert!(matches!(error, Error::NotFound { .. }), "{wanted:?}: {error}");
        }
        assert!(matches!(windows.get(window), Err(Error::NotFound { .. })));
        assert!(matches!(windows.get(WindowId(u64::MAX)), Err(Error::NotFound { .. })));
    }
}

#[test]
fn without_a_manager_the_protocol_is_what_there_is() {
    let mut session = Session::start();
    let windows = session.desktop(None).windows.clone().unwrap();
    let support = windows.support().unwrap();
    assert_eq!(support.manager, None);
    let missing: Vec<_> = support.missing.iter().map(|(name, _)| *name).collect();
    let all = ["maximize", "minimize", "restore", "fullscreen", "above", "workspaces", "send_to_workspace"];
    assert_eq!(missing, all);
    let first = xterm(&mut session, &*windows, "first", "60x20+50+60");
    let second = xterm(&mut session, &*windows, "second", "60x20+300+200");
    assert_eq!(first.process_name.as_deref(), Some("xterm"));
    assert_eq!(first.workspace, None);
    let ids: Vec<_> = windows.list().unwrap().iter().map(|window| window.id).collect();
    assert_eq!(ids, [first.id, second.id]);

    change(&*windows, first.id, Change::Focus);
    assert_eq!(session.output("xdotool", &["getwindowfocus"]).trim(), first.id.0.to_string());
    assert_eq!(windows.active().unwrap(), Some(first.id));
    let ids: Vec<_> = windows.list().unwrap().iter().map(|window| window.id).collect();
    assert_eq!(ids, [second.id, first.id], "raised");

    change(&*windows, first.id, Change::Move(Point::new(17, 23)));
    change(&*windows, first.id, Change::Resize(Size::new(333, 222)));
    let (x, y, ..) = outermost(&session, first.id);
    assert_eq!((x, y), (17, 23));
    let (.., width, height) = xwininfo(&session, first.id);
    assert_eq!((width, height), (333, 222));
    let seen = windows.get(first.id).unwrap();
    assert_eq!(tuple(seen.frame), outermost(&session, first.id));
    assert_eq!(tuple(seen.client), xwininfo(&session, first.id));

    for wanted in [Change::Maximize(true), Change::Minimize, Change::Restore, Change::Fullscreen(true)] {
        let error = windows.change(first.id, wanted, &Cancel::new()).unwrap_err();
        assert!(matches!(&error, Error::Unsupported { why, .. } if why.contains("no window manager")));
    }
    assert_eq!(windows.workspaces().unwrap(), (Vec::new(), 0));
    change(&*windows, second.id, Change::Close);
    assert!(!session.output("xwininfo", &["-root", "-tree"]).contains("second"));

    let (conn, screen) = connect(&session);
    let menu = raw_window(&conn, screen, &[]);
    conn.unmap_window(menu).unwrap();
    conn.sync().unwrap();
    assert_eq!(windows.list().unwrap().len(), 1, "what is not shown is not listed");
    let redirect = x11rb::protocol::xproto::ChangeWindowAttributesAux::new().override_redirect(1);
    conn.change_window_attributes(menu, &redirect).unwrap();
    conn.map_window(menu).unwrap();
    conn.sync().unwrap();
    assert_eq!(windows.list().unwrap().len(), 1, "a menu is not listed");
    let deaf = raw_window(&conn, screen, &[]);
    let error = windows.change(WindowId(deaf.into()), Change::Close, &Cancel::new()).unwrap_err();
    assert!(matches!(error, Error::Unsupported { .. }), "{error}");
}

/// Windows appear where they ask to, and no font is needed that a bare server doesn't have.
const TWM: &str = r#"
NoIconManagers
RandomPlacement
UsePPosition "on"
TitleFont "fixed"
ResizeFont "fixed"
MenuFont "fixed"
IconFont "fixed"
IconManagerFont "fixed"
"#;

#[test]
fn twm_does_what_icccm_has() {
    let rules = tempfile(TWM);
    let (mut session, windows) = managed("twm", &["-f", rules.to_str().unwrap()]);
    let first = xterm(&mut session, &*windows, "first", "60x20+50+60");
    let second = xterm(&mut session, &*windows, "second", "60x20+300+200");
    assert_eq!(windows.list().unwrap().len(), 2, "frames and icons of twm are no windows of the person's");
    for window in [&first, &second] {
        let seen = windows.get(window.id).unwrap();
        assert_eq!(tuple(seen.client), xwininfo(&session, window.id));
        assert_eq!(tuple(seen.frame), outermost(&session, window.id));
        assert!(seen.frame.height > seen.client.height, "twm decorates");
    }
    change(&*windows, first.id, Change::Focus);
    assert_eq!(session.output("xdotool", &["getwindowfocus"]).trim(), first.id.0.to_string());
    change(&*windows, first.id, Change::Move(Point::new(120, 130)));
    let (x, y, ..) = outermost(&session, first.id);
    assert_eq!((x, y), (120, 130));
    change(&*windows, first.id, Change::Resize(Size::new(400, 300)));
    change(&*windows, first.id, Change::Minimize);
    assert!(xprop(&session, first.id, "WM_STATE").contains("Iconic"));
    assert!(windows.get(first.id).unwrap().is_hidden);
    change(&*windows, first.id, Change::Restore);
    assert!(xprop(&session, first.id, "WM_STATE").contains("Normal"));
    change(&*windows, first.id, Change::Close);
    assert_eq!(windows.list().unwrap().len(), 1);
    let error = windows.change(second.id, Change::Maximize(true), &Cancel::new()).unwrap_err();
    assert!(matches!(error, Error::Unsupported { .. }), "{error}");
}

fn tempfile(text: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("x11_windows_{}.rc", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

/// The titles of the root window's own properties outlive the manager; only a living one counts.
#[test]
fn a_manager_that_died_is_not_believed() {
    let session = Session::start();
    let windows = session.desktop(None).windows.clone().unwrap();
    let mut manager = session.command("openbox", &[]);
    let manager = manager.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut manager = xvfb_session::Program(manager);
    wait_for("openbox", || windows.support().unwrap().manager);
    manager.0.kill().unwrap();
    manager.0.wait().unwrap();
    wait_for("its end", || windows.support().unwrap().manager.is_none().then_some(()));
    let (conn, screen) = connect(&session);
    let id = raw_window(&conn, screen, &[]);
    assert_eq!(listed(&*windows, id).id, WindowId(id.into()));
}

#[test]
fn fifty_windows_are_listed_and_the_time_is_printed() {
    let (session, windows) = ewmh("openbox", &[]);
    let (conn, screen) = connect(&session);
    for number in 0..50 {
        let id = raw_window(&conn, screen, &["WM_DELETE_WINDOW"]);
        let title = format!("window number {number}");
        conn.change_property8(PropMode::REPLACE, id, AtomEnum::WM_NAME, AtomEnum::STRING, title.as_bytes())
            .unwrap();
    }
    conn.sync().unwrap();
    wait_for("fifty windows", || (windows.list().unwrap().len() == 50).then_some(()));
    let rounds = 50;
    let start = Instant::now();
    for _ in 0..rounds {
        assert_eq!(windows.list().unwrap().len(), 50);
    }
    println!("50 windows listed in {:?} (mean of {rounds})", start.elapsed() / rounds);
}

#[test]
fn a_client_that_draws_its_own_shadow_is_placed_by_what_is_seen() {
    let (session, windows) = ewmh("openbox", &[]);
    let (conn, screen) = connect(&session);
    let id = raw_window(&conn, screen, &[]);
    listed(&*windows, id);
    let motif = atom(&conn, "_MOTIF_WM_HINTS");
    conn.change_property32(PropMode::REPLACE, id, motif, motif, &[2, 0, 0, 0, 0]).unwrap();
    let margins = atom(&conn, "_GTK_FRAME_EXTENTS");
    conn.change_property32(PropMode::REPLACE, id, margins, AtomEnum::CARDINAL, &[10, 12, 14, 16]).unwrap();
    conn.sync().unwrap();
    let id = WindowId(id.into());
    let extents = "_NET_FRAME_EXTENTS(CARDINAL) = 0, 0, 0, 0\n";
    wait_for("no decoration", || (xprop(&session, id, "_NET_FRAME_EXTENTS") == extents).then_some(()));
    change(&*windows, id, Change::Move(Point::new(100, 100)));
    let (x, y, width, height) = xwininfo(&session, id);
    assert_eq!((x, y), (90, 86));
    let frame = windows.get(id).unwrap().frame;
    assert_eq!(tuple(frame), (100, 100, width - 22, height - 30));
}

#[test]
fn a_window_is_centred_on_the_monitor_that_shows_it() {
    let (mut session, windows) = ewmh("openbox", &[]);
    for (name, place) in [("left", "640/160x800/200+0+0"), ("right", "640/160x800/200+640+0")] {
        let output = if name == "left" { "screen" } else { "none" };
        let status = session.command("xrandr", &["--setmonitor", name, place, output]).status();
        assert!(status.expect("xrandr must be installed").success());
    }
    let window = xterm(&mut session, &*windows, "centred", "20x10+700+20");
    change(&*windows, window.id, Change::Center);
    let (x, y, width, height) = outermost(&session, window.id);
    let [width, height] = [width, height].map(|size| i32::try_from(size).unwrap());
    assert!((x - (640 + (640 - width) / 2)).abs() <= 1, "{x} {width}");
    assert!((y - (800 - height) / 2).abs() <= 1, "{y} {height}");
}

#[test]
fn a_server_without_extensions_serves_too() {
    let session = Session::start_with(&["-extension", "RANDR", "-extension", "X-Resource"]);
    let (mut session, windows) = manage(session, "openbox", &[]);
    let window = xterm(&mut session, &*windows, "old", "20x10+700+20");
    assert_eq!(window.process_name.as_deref(), Some("xterm"), "by what the window says");
    change(&*windows, window.id, Change::Fullscreen(true));
    let (.., width, height) = xwininfo(&session, window.id);
    assert_eq!((width, height), (1_280, 800));
}

#[test]
fn a_server_that_dies_is_one_clear_error() {
    let (mut session, windows) = ewmh("openbox", &[]);
    let window = xterm(&mut session, &*windows, "last", "20x10+700+20");
    session.kill_server();
    let error = windows.change(window.id, Change::Focus, &Cancel::new()).unwrap_err();
    assert!(error.is_lost(), "{error}");
    assert!(windows.list().unwrap_err().is_lost());
}

/// A manager that claims to do everything, and does nothing.
fn lying_manager(session: &Session) -> (RustConnection, u32) {
    let (conn, screen) = connect(session);
    let client = raw_window(&conn, screen, &["WM_DELETE_WINDOW"]);
    let root = conn.setup().roots[screen].root;
    let redirect = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
    let aux = x11rb::protocol::xproto::ChangeWindowAttributesAux::new().event_mask(redirect);
    conn.change_window_attributes(root, &aux).unwrap().check().unwrap();
    let check = raw_window(&conn, screen, &[]);
    let claims = [
        "_NET_WM_STATE",
        "_NET_WM_STATE_MAXIMIZED_VERT",
        "_NET_WM_STATE_MAXIMIZED_HORZ",
        "_NET_WM_STATE_FULLSCREEN",
        "_NET_WM_STATE_ABOVE",
        "_NET_ACTIVE_WINDOW",
        "_NET_CLOSE_WINDOW",
        "_NET_MOVERESIZE_WINDOW",
        "_NET_CURRENT_DESKTOP",
        "_NET_WM_DESKTOP",
    ]
    .map(|name| atom(&conn, name));
    let set = |window: u32, name: &str, kind: AtomEnum, values: &[u32]| {
        conn.change_property32(PropMode::REPLACE, window, atom(&conn, name), kind, values).unwrap();
    };
    for window in [root, check] {
        set(window, "_NET_SUPPORTING_WM_CHECK", AtomEnum::WINDOW, &[check]);
    }
    set(root, "_NET_SUPPORTED", AtomEnum::ATOM, &claims);
    // With windows that don't exist, twice the same, and a hostile number of workspaces.
    set(root, "_NET_CLIENT_LIST_STACKING", AtomEnum::WINDOW, &[0, client, 1, u32::MAX, root]);
    set(root, "_NET_ACTIVE_WINDOW", AtomEnum::WINDOW, &[client]);
    set(root, "_NET_NUMBER_OF_DESKTOPS", AtomEnum::CARDINAL, &[u32::MAX]);
    set(root, "_NET_CURRENT_DESKTOP", AtomEnum::CARDINAL, &[u32::MAX]);
    set(root, "_NET_WORKAREA", AtomEnum::CARDINAL, &[u32::MAX; 8]);
    set(client, "_NET_WM_DESKTOP", AtomEnum::CARDINAL, &[u32::MAX]);
    set(client, "_NET_FRAME_EXTENTS", AtomEnum::CARDINAL, &[u32::MAX, 1, 1, 1]);
    set(client, "_NET_WM_STATE", AtomEnum::CARDINAL, &[u32::MAX; 1_000]);
    conn.sync().unwrap();
    (conn, client)
}

#[test]
fn a_manager_that_lies_does_not_make_us_lie() {
    let session = Session::start();
    let windows = session.desktop(None).windows.clone().unwrap();
    let (_conn, client) = lying_manager(&session);
    let id = WindowId(client.into());
    assert_eq!(windows.support().unwrap().missing, []);
    let seen = listed(&*windows, client);
    assert_eq!(tuple(seen.client), (40, 50, 200, 100));
    assert_eq!(seen.frame, seen.client);
    let (names, current) = windows.workspaces().unwrap();
    assert!(names.len() <= 4_096 && current < names.len());
    let wanted = [
        Change::Focus,
        Change::Close,
        Change::Move(Point::new(1, 2)),
        Change::Resize(Size::new(30, 40)),
        Change::Center,
        Change::Maximize(true),
        Change::Minimize,
        Change::Fullscreen(true),
        Change::Above(true),
    ];
    std::thread::scope(|scope| {
        for change in wanted {
            let windows = &windows;
            scope.spawn(move || {
                let error = windows.change(id, change, &Cancel::new()).unwrap_err();
                assert!(matches!(error, Error::NoEffect { .. }), "{change:?}: {error}");
            });
        }
        for window in [Some(id), None] {
            let windows = &windows;
            scope.spawn(move || {
                let error = windows.to_workspace(window, 1, &Cancel::new()).unwrap_err();
                assert!(matches!(error, Error::NoEffect { .. }), "{window:?}: {error}");
            });
        }
    });
}
