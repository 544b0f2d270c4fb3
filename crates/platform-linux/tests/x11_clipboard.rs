//! The clipboard facet on a real X server. The witnesses are `xclip` and clients written here on the raw
//! protocol.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests"
)]

mod xvfb_session;

use crossmacro_platform::{Cancel, Clipboard, ClipboardContent, Error};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ConnectionExt as _, CreateWindowAux, EventMask, PropMode, Property, SelectionNotifyEvent,
    SelectionRequestEvent, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;
use xvfb_session::{Program, Session, wait_for};

const MIB: usize = 1 << 20;

/// A session whose clipboard is served by a process of its own.
fn session() -> (Session, Arc<dyn Clipboard>) {
    let session = Session::start();
    let clipboard = clipboard(&session, &server());
    (session, clipboard)
}

fn clipboard(session: &Session, server: &[OsString]) -> Arc<dyn Clipboard> {
    session.desktop(Some(server.to_vec())).clipboard.clone().unwrap()
}

fn example() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let example = tests.parent().unwrap().parent().unwrap().join("examples/clipboard_server");
    assert!(example.exists(), "cargo builds the examples of this package before its tests");
    example
}

fn server() -> Vec<OsString> {
    vec![example().into(), "serve".into()]
}

fn text(clipboard: &dyn Clipboard) -> Option<String> {
    clipboard.text(64 * MIB, &Cancel::new()).unwrap()
}

/// What `xclip` reads, which would wait for the rest of a broken transfer for ever.
fn pasted(session: &Session, target: &str) -> Vec<u8> {
    let output = session.command("timeout", &["20", "xclip", "-selection", "clipboard", "-o", "-t", target]);
    let output = { output }.stdin(Stdio::null()).output().expect("xclip must be installed");
    output.stdout
}

/// Has `xclip` own the clipboard; it goes on in the background until it loses it.
fn copied(session: &Session, target: &str, bytes: &[u8]) {
    let witness = Client::new(session);
    let before = witness.owner();
    let mut command = session.command("xclip", &["-selection", "clipboard", "-i", "-t", target]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    assert!(child.wait().unwrap().success());
    // It says that it is done before the server knows.
    wait_for("xclip", || (![before, x11rb::NONE].contains(&witness.owner())).then_some(()));
}

/// Text that no two parts of are equal.
fn long_text(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 16);
    let mut number = 0_u32;
    while text.len() < bytes {
        text.push_str(&format!("{number:x}ü "));
        number += 1;
    }
    text
}

/// A client on the raw protocol.
struct Client {
    conn: RustConnection,
    window: Window,
    clipboard: Atom,
}

impl Client {
    fn new(session: &Session) -> Self {
        let (conn, screen) = x11rb::connect(Some(&session.display)).unwrap();
        let root = conn.setup().roots[screen].root;
        let window = conn.generate_id().unwrap();
        let aux = CreateWindowAux::new().event_mask(EventMask::PROPERTY_CHANGE);
        conn.create_window(0, window, root, 0, 0, 1, 1, 0, WindowClass::INPUT_ONLY, 0, &aux).unwrap();
        let clipboard = conn.intern_atom(false, b"CLIPBOARD").unwrap().reply().unwrap().atom;
        Self { conn, window, clipboard }
    }

    fn atom(&self, name: &str) -> Atom {
        self.conn.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
    }

    fn own(&self) {
        self.conn.set_selection_owner(self.window, self.clipboard, x11rb::CURRENT_TIME).unwrap();
        self.conn.sync().unwrap();
        assert_eq!(self.owner(), self.window);
    }

    fn owner(&self) -> Window {
        self.conn.get_selection_owner(self.clipboard).unwrap().reply().unwrap().owner
    }

    fn ask(&self, target: Atom, property: Atom) {
        self.conn
            .convert_selection(self.window, self.clipboard, target, property, x11rb::CURRENT_TIME)
            .unwrap();
        self.conn.flush().unwrap();
    }

    /// Waits for the answer; the property it names.
    fn answer(&self) -> Atom {
        loop {
            if let Event::SelectionNotify(event) = self.conn.wait_for_event().unwrap() {
                return event.property;
            }
        }
    }

    fn request(&self) -> SelectionRequestEvent {
        loop {
            if let Event::SelectionRequest(event) = self.conn.wait_for_event().unwrap() {
                return event;
            }
        }
    }

    fn notify(&self, request: &SelectionRequestEvent, property: Atom) {
        let event = SelectionNotifyEvent {
            response_type: x11rb::protocol::xproto::SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: request.time,
            requestor: request.requestor,
            selection: request.selection,
            target: request.target,
            property,
        };
        self.conn.send_event(false, request.requestor, EventMask::NO_EVENT, event).unwrap();
        self.conn.flush().unwrap();
    }

    fn take(&self, property: Atom) -> (Atom, Vec<u8>) {
        let asked =
            self.conn.get_property(true, self.window, property, AtomEnum::ANY, 0, u32::MAX / 4).unwrap();
        let reply = asked.reply().unwrap();
        (reply.type_, reply.value)
    }
}

#[test]
fn text_goes_both_ways() {
    let (session, clipboard) = session();
    assert_eq!(text(&*clipboard), None);
    assert_eq!(clipboard.formats(&Cancel::new()).unwrap(), Vec::<String>::new());
    for sample in ["über ✓ 🙂\n\ttab", "", "a\0b"] {
        clipboard.set(ClipboardContent::Text(sample.into())).unwrap();
        for target in ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain"] {
            assert_eq!(pasted(&session, target), sample.as_bytes(), "{target}");
        }
        assert_eq!(text(&*clipboard).as_deref(), Some(sample));
    }
    for sample in ["über ✓ 🙂", "plain"] {
        copied(&session, "UTF8_STRING", sample.as_bytes());
        assert_eq!(text(&*clipboard).as_deref(), Some(sample));
    }
    copied(&session, "STRING", b"\xfcber");
    assert_eq!(text(&*clipboard).as_deref(), Some("über"));
    let error = clipboard.text(4, &Cancel::new()).unwrap_err();
    assert!(matches!(error, Error::TooLarge { limit: 4, .. }), "{error}");
    assert_eq!(clipboard.text(5, &Cancel::new()).unwrap().as_deref(), Some("über"));
}

#[test]
fn formats_are_listed_and_latin1_is_offered_only_where_it_can_be() {
    let (session, clipboard) = session();
    clipboard.set(ClipboardContent::Text("über".into())).unwrap();
    assert_eq!(pasted(&session, "STRING"), b"\xfcber");
    let targets = String::from_utf8(pasted(&session, "TARGETS")).unwrap();
    let targets: Vec<&str> = targets.lines().collect();
    for name in ["TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "UTF8_STRING", "TEXT", "STRING"] {
        assert!(targets.contains(&name), "{name} in {targets:?}");
    }
    assert_eq!(clipboard.formats(&Cancel::new()).unwrap(), targets);
    clipboard.set(ClipboardContent::Text("✓".into())).unwrap();
    assert_eq!(pasted(&session, "STRING"), b"");
    assert_eq!(pasted(&session, "TEXT"), "✓".as_bytes());
    let stamp = String::from_utf8(pasted(&session, "TIMESTAMP")).unwrap();
    assert!(stamp.trim().parse::<u32>().unwrap() > 0, "{stamp}");
}

#[test]
fn pictures_go_both_ways() {
    let (session, clipboard) = session();
    let cancel = Cancel::new();
    let picture: Vec<u8> = b"\x89PNG\r\n\x1a\n".iter().copied().chain((0..=255).cycle().take(MIB)).collect();
    clipboard.set(ClipboardContent::Png(picture.clone())).unwrap();
    assert!(pasted(&session, "image/png") == picture);
    assert_eq!(text(&*clipboard), None, "a picture is no text");
    copied(&session, "image/png", &picture[..MIB / 2]);
    assert!(clipboard.png(MIB, &cancel).unwrap().unwrap() == picture[..MIB / 2]);
    let error = clipboard.png(1_000, &cancel).unwrap_err();
    assert!(matches!(error, Error::TooLarge { limit: 1_000, .. }), "{error}");
    copied(&session, "UTF8_STRING", b"text");
    assert_eq!(clipboard.png(MIB, &cancel).unwrap(), None, "a text is no picture");
}

#[test]
fn five_megabytes_go_both_ways_in_pieces() {
    let (session, clipboard) = session();
    let long = long_text(5 * MIB);
    clipboard.set(ClipboardContent::Text(long.clone())).unwrap();
    assert!(pasted(&session, "UTF8_STRING") == long.as_bytes());
    assert!(text(&*clipboard).unwrap() == long);
    copied(&session, "UTF8_STRING", long.as_bytes());
    assert!(text(&*clipboard).unwrap() == long);
    let error = clipboard.text(MIB, &Cancel::new()).unwrap_err();
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    clipboard.set(ClipboardContent::Text(long.clone())).unwrap();
    let error = clipboard.text(MIB, &Cancel::new()).unwrap_err();
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    assert!(text(&*clipboard).unwrap() == long, "our service survives an abandoned transfer");
}

#[test]
fn a_thread_serves_where_no_program_is_configured() {
    let session = Session::start();
    let clipboard = session.desktop(None).clipboard.clone().unwrap();
    let long = long_text(MIB);
    clipboard.set(ClipboardContent::Text(long.clone())).unwrap();
    assert!(pasted(&session, "UTF8_STRING") == long.as_bytes());
    clipboard.set(ClipboardContent::Text("second".into())).unwrap();
    assert_eq!(pasted(&session, "UTF8_STRING"), b"second");
}

#[test]
fn an_emptied_clipboard_has_no_owner() {
    let (session, clipboard) = session();
    let witness = Client::new(&session);
    clipboard.set(ClipboardContent::Text("text".into())).unwrap();
    assert_ne!(witness.owner(), x11rb::NONE);
    clipboard.set(ClipboardContent::Empty).unwrap();
    assert_eq!(witness.owner(), x11rb::NONE);
    assert_eq!(text(&*clipboard), None);
    copied(&session, "UTF8_STRING", b"foreign");
    clipboard.set(ClipboardContent::Empty).unwrap();
    assert_eq!(witness.owner(), x11rb::NONE);
}

/// Processes that were started with `mark`, other than the one that set the clipboard.
fn serving(mark: &str) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        line.ends_with(&format!("\0serve\0{mark}\0"))
    })
    .collect()
}

#[test]
fn what_was_set_survives_the_program_and_ends_with_the_ownership() {
    let session = Session::start();
    let mark = format!("mark-{}", std::process::id());
    let arguments = ["set", &session.display, "kept ✓", &mark];
    let mut command = session.command(example().to_str().unwrap(), &arguments);
    let setter = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut setter = Program(setter);
    let mut line = String::new();
    BufReader::new(setter.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "set\n");
    setter.0.kill().unwrap();
    setter.0.wait().unwrap();
    assert_eq!(pasted(&session, "UTF8_STRING"), "kept ✓".as_bytes());
    let switches = |pid: u32| -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let line = status.lines().find(|line| line.starts_with("voluntary_ctxt_switches")).unwrap();
        line.rsplit('\t').next().unwrap().parse().unwrap()
    };
    let [server] = serving(&mark)[..] else { panic!("one process serves: {:?}", serving(&mark)) };
    let stat = std::fs::read_to_string(format!("/proc/{server}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    assert_eq!(fields[3], server.to_string(), "it leads a session of its own");
    // It has not woken while nobody asked: the requests of the start need a few, a timer would add more.
    let start = switches(server);
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(switches(server), start, "it idles");
    copied(&session, "UTF8_STRING", b"another");
    wait_for("the end of the serving process", || serving(&mark).is_empty().then_some(()));
    assert_eq!(pasted(&session, "UTF8_STRING"), b"another");
}

#[test]
fn the_serving_process_ends_with_the_display_server() {
    let session = Session::start();
    let mark = format!("ends-{}", std::process::id());
    let command = [server(), vec![OsString::from(&mark)]].concat();
    let clipboard = clipboard(&session, &command);
    clipboard.set(ClipboardContent::Text("text".into())).unwrap();
    assert_eq!(serving(&mark).len(), 1);
    drop(session);
    wait_for("the end of the serving process", || {
        let error = clipboard.text(MIB, &Cancel::new()).unwrap_err();
        assert!(error.is_lost(), "{error}");
        serving(&mark).is_empty().then_some(())
    });
}

#[test]
fn an_owner_that_never_answers_is_a_timeout_and_can_be_cancelled() {
    let (session, clipboard) = session();
    let owner = Client::new(&session);
    owner.own();
    let error = clipboard.text(MIB, &Cancel::new()).unwrap_err();
    assert!(matches!(error, Error::Timeout { what: "the program that owns the clipboard", .. }), "{error}");
    let cancel = Cancel::new();
    let canceller = cancel.clone();
    owner.request();
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            owner.request();
            canceller.cancel();
        });
        let error = clipboard.png(MIB, &cancel).unwrap_err();
        assert!(matches!(error, Error::Cancelled), "{error}");
    });
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

/// An owner that offers UTF8_STRING in pieces and sends `pieces` of them, each of 64 KiB, then nothing more.
fn trickle(owner: &Client, pieces: usize) {
    let [utf8, incr] = ["UTF8_STRING", "INCR"].map(|name| owner.atom(name));
    let listed = owner.request();
    owner
        .conn
        .change_property32(PropMode::REPLACE, listed.requestor, listed.property, AtomEnum::ATOM, &[utf8])
        .unwrap();
    owner.notify(&listed, listed.property);
    let request = owner.request();
    let events =
        x11rb::protocol::xproto::ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE);
    owner.conn.change_window_attributes(request.requestor, &events).unwrap();
    owner.conn.change_property32(PropMode::REPLACE, request.requestor, request.property, incr, &[1]).unwrap();
    owner.notify(&request, request.property);
    let mut sent = 0;
    while sent < pieces {
        match owner.conn.wait_for_event() {
            Ok(Event::PropertyNotify(event))
                if event.state == Property::DELETE && event.window == request.requestor =>
            {
                let piece = vec![b'x'; 64 << 10];
                owner
                    .conn
                    .change_property8(PropMode::REPLACE, request.requestor, request.property, utf8, &piece)
                    .unwrap();
                owner.conn.flush().unwrap();
                sent += 1;
            }
            // The requestor has gone away.
            Ok(Event::Error(_)) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

#[test]
fn an_owner_that_stalls_or_never_ends_is_stopped() {
    let (session, clipboard) = session();
    let owner = Client::new(&session);
    owner.own();
    std::thread::scope(|scope| {
        scope.spawn(|| trickle(&owner, 3));
        let error = clipboard.text(MIB, &Cancel::new()).unwrap_err();
        assert!(matches!(error, Error::Timeout { .. }), "{error}");
    });
    std::thread::scope(|scope| {
        // More pieces than fit: it is stopped at the limit, however many there would be.
        scope.spawn(|| trickle(&owner, 17));
        let error = clipboard.text(MIB, &Cancel::new()).unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    });
}

#[test]
fn several_formats_are_given_in_one_request() {
    let (session, clipboard) = session();
    let long = long_text(MIB);
    clipboard.set(ClipboardContent::Text(long.clone())).unwrap();
    let client = Client::new(&session);
    let names = ["MULTIPLE", "TARGETS", "UTF8_STRING", "image/png", "A", "B", "C", "PAIRS", "INCR"];
    let [multiple, targets, utf8, png, a, b, c, pairs, incr] = names.map(|name| client.atom(name));
    let asked = [targets, a, utf8, b, png, c];
    let pair = client.atom("ATOM_PAIR");
    client.conn.change_property32(PropMode::REPLACE, client.window, pairs, pair, &asked).unwrap();
    client.ask(multiple, pairs);
    assert_eq!(client.answer(), pairs);
    let (_, answered) = client.take(pairs);
    let answered: Vec<u32> = answered.as_chunks().0.iter().map(|bytes| u32::from_ne_bytes(*bytes)).collect();
    assert_eq!(answered, [targets, a, utf8, b, png, x11rb::NONE]);
    assert_eq!(client.take(a).0, Atom::from(AtomEnum::ATOM));
    assert_eq!(client.take(b).0, incr);
    let mut text = Vec::new();
    loop {
        match client.conn.wait_for_event().unwrap() {
            Event::PropertyNotify(event) if event.atom == b && event.state == Property::NEW_VALUE => {
                let (kind, piece) = client.take(b);
                match kind {
                    x11rb::NONE => {}
                    _ if piece.is_empty() => break,
                    _ => text.extend(piece),
                }
            }
            _ => {}
        }
    }
    assert!(text == long.as_bytes());
    client.ask(png, c);
    assert_eq!(client.answer(), x11rb::NONE, "refused");
}

#[test]
fn a_requestor_that_stalls_or_dies_does_not_hold_up_others() {
    let (session, clipboard) = session();
    let long = long_text(2 * MIB);
    clipboard.set(ClipboardContent::Text(long.clone())).unwrap();
    let stalled: Vec<Client> = (0..80).map(|_| Client::new(&session)).collect();
    let [utf8, property] = ["UTF8_STRING", "HERE"].map(|name| stalled[0].atom(name));
    for client in &stalled {
        client.ask(utf8, property);
        assert_eq!(client.answer(), property);
    }
    assert!(pasted(&session, "UTF8_STRING") == long.as_bytes());
    // Die in the middle: the transfers have begun, and their windows vanish.
    for client in &stalled {
        client.take(property);
    }
    drop(stalled);
    assert!(pasted(&session, "UTF8_STRING") == long.as_bytes());
    // A forged loss does not end the service.
    let forger = Client::new(&session);
    let event = x11rb::protocol::xproto::SelectionClearEvent {
        response_type: x11rb::protocol::xproto::SELECTION_CLEAR_EVENT,
        sequence: 0,
        time: 0,
        owner: forger.owner(),
        selection: forger.clipboard,
    };
    forger.conn.send_event(false, forger.owner(), EventMask::NO_EVENT, event).unwrap();
    forger.conn.sync().unwrap();
    assert!(pasted(&session, "UTF8_STRING") == long.as_bytes());
}

#[test]
fn a_serving_program_that_does_not_serve_is_an_error() {
    let session = Session::start();
    let set = |command: &[&str]| {
        let command: Vec<OsString> = command.iter().map(OsString::from).collect();
        clipboard(&session, &command).set(ClipboardContent::Text("x".repeat(1_000))).unwrap_err()
    };
    let error = set(&["/nonexistent/program"]);
    assert!(matches!(error, Error::Unsupported { .. }), "{error}");
    for command in
        [&["true"][..], &["cat"], &["sh", "-c", "cat >&2; echo OK 77"], &["sh", "-c", "echo ERROR no"]]
    {
        let error = set(command);
        assert!(matches!(error, Error::NoEffect { .. }), "{command:?}: {error}");
    }
    let error = set(&["sleep", "1000"]);
    assert!(matches!(error, Error::Timeout { .. }), "{error}");
}

#[test]
fn a_stalled_transfer_is_given_up_and_does_not_keep_the_service_alive() {
    let session = Session::start();
    let mark = format!("stalled-{}", std::process::id());
    let clipboard = clipboard(&session, &[server(), vec![OsString::from(&mark)]].concat());
    clipboard.set(ClipboardContent::Text(long_text(MIB))).unwrap();
    let client = Client::new(&session);
    let [utf8, property] = ["UTF8_STRING", "HERE"].map(|name| client.atom(name));
    client.ask(utf8, property);
    assert_eq!(client.answer(), property);
    let is_watched = || {
        let attributes = client.conn.get_window_attributes(client.window).unwrap().reply().unwrap();
        attributes.all_event_masks.contains(EventMask::STRUCTURE_NOTIFY)
    };
    assert!(is_watched());
    wait_for("the end of the transfer", || (!is_watched()).then_some(()));
    assert_eq!(serving(&mark).len(), 1, "the service goes on");
    client.ask(utf8, property);
    assert_eq!(client.answer(), property);
    client.take(property);
    copied(&session, "UTF8_STRING", b"another");
    assert_eq!(serving(&mark).len(), 1, "a transfer under way is finished");
    wait_for("the end of the service", || serving(&mark).is_empty().then_some(()));
}
