//! The witness tells the truth: it is checked with requests to the server, not with the back end.
#![allow(clippy::unwrap_used, reason = "functions that tests share are tests too")]

use crossmacro_platform::kit::{Pattern, Witness as _};
use crossmacro_platform_linux::private_x::PrivateX;
use crossmacro_platform_linux::x11::connection::X11;
use crossmacro_testkit::private::{Private, set_group, set_layout};
use crossmacro_testkit::witness_x11::WitnessX11;
use crossmacro_testkit::{LIMIT, Witness};
use serde_json::json;
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConnectionExt as _, ImageFormat, KEY_PRESS_EVENT,
    KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT,
};
use x11rb::protocol::xtest::ConnectionExt as _;

/// X key codes.
const A: u8 = 38;
const Q: u8 = 24;
const SHIFT: u8 = 50;
const CAPS_LOCK: u8 = 66;
const CONTROL: u8 = 37;
const RETURN: u8 = 36;
const RIGHT_ALT: u8 = 108;

struct Hand {
    x11: X11,
}

impl Hand {
    fn new(session: &PrivateX) -> Self {
        Self { x11: X11::connect(Some(session.display())).unwrap() }
    }

    fn fake(&self, kind: u8, detail: u8, x: i16, y: i16) {
        let root = self.x11.root();
        self.x11.conn().xtest_fake_input(kind, detail, 0, root, x, y, 0).unwrap().check().unwrap();
    }

    fn chord(&self, held: &[u8], key: u8) {
        held.iter().for_each(|key| self.fake(KEY_PRESS_EVENT, *key, 0, 0));
        self.fake(KEY_PRESS_EVENT, key, 0, 0);
        self.fake(KEY_RELEASE_EVENT, key, 0, 0);
        held.iter().for_each(|key| self.fake(KEY_RELEASE_EVENT, *key, 0, 0));
    }
}

/// A witness that has the focus where no manager gives it.
fn focused(session: &PrivateX) -> Witness {
    let mut witness = Witness::start(session, &["--at", "20,30", "--size", "200x100"]).unwrap();
    witness.command(&json!({ "do": "focus" })).unwrap();
    witness.wait_for_state("focus", |state| state["focused"] == true).unwrap();
    witness
}

#[test]
fn keys_become_text_as_libx11_does_it() {
    let session = Private::new().without_manager().start().unwrap();
    let (hand, witness) = (Hand::new(&session), focused(&session));
    hand.chord(&[], A);
    hand.chord(&[SHIFT], A);
    hand.chord(&[CONTROL], A);
    hand.chord(&[], RETURN);
    witness.wait_for_text("aA\u{1}\r").unwrap();
    witness.forget();
    hand.chord(&[], CAPS_LOCK);
    hand.chord(&[], A);
    hand.chord(&[SHIFT], A);
    hand.chord(&[], CAPS_LOCK);
    witness.wait_for_text("Aa").unwrap();
}

#[test]
fn the_layout_and_its_groups_are_followed() {
    let session = Private::new().without_manager().start().unwrap();
    let (hand, mut witness) = (Hand::new(&session), focused(&session));
    set_layout(&session, "de,ru", "").unwrap();
    hand.chord(&[RIGHT_ALT], Q);
    hand.chord(&[RIGHT_ALT], 26);
    witness.wait_for_text("@€").unwrap();
    set_group(&session, 1).unwrap();
    witness.sync().unwrap();
    witness.forget();
    hand.chord(&[], Q);
    hand.chord(&[SHIFT], Q);
    witness.wait_for_text("йЙ").unwrap();
    // A change of one key, as typing of other characters makes it.
    witness.forget();
    hand.x11.conn().change_keyboard_mapping(1, 200, 2, &[0x0101_f642, 0]).unwrap().check().unwrap();
    hand.chord(&[], 200);
    witness.wait_for_text("🙂").unwrap();
}

#[test]
fn buttons_and_motion_are_told_with_their_place() {
    let session = Private::new().without_manager().start().unwrap();
    let (hand, mut witness) = (Hand::new(&session), focused(&session));
    hand.fake(MOTION_NOTIFY_EVENT, 0, 50, 60);
    hand.fake(BUTTON_PRESS_EVENT, 3, 0, 0);
    let mut control = WitnessX11::new(&session).unwrap();
    assert_eq!(format!("{:?}", control.held().unwrap().buttons), "[Right]");
    hand.fake(BUTTON_RELEASE_EVENT, 3, 0, 0);
    witness.sync().unwrap();
    let buttons = witness.events_named("button");
    assert_eq!(buttons.len(), 2);
    assert_eq!((&buttons[0]["root"], &buttons[0]["at"]), (&json!([50, 60]), &json!([30, 30])));
    assert_eq!((&buttons[1]["direction"], &buttons[1]["button"]), (&json!("release"), &json!(3)));
    assert_eq!(control.pointer().unwrap(), crossmacro_model::Point::new(50, 60));
    assert!(control.held().unwrap().buttons.is_empty());
}

#[test]
fn the_painted_pixels_are_the_known_ones() {
    for depth in [24, 16, 30] {
        let session = Private::new().without_manager().depth(depth).start().unwrap();
        let (hand, mut witness) = (Hand::new(&session), focused(&session));
        for (name, pattern) in [("grid", Pattern::Grid), ("gradient", Pattern::Gradient)] {
            witness.command(&json!({ "do": "paint", "pattern": name })).unwrap();
            let root = hand.x11.root();
            let cookie = hand.x11.conn().get_image(ImageFormat::Z_PIXMAP, root, 20, 30, 200, 100, !0);
            let image = hand.x11.reply("image", cookie).unwrap();
            for (x, y) in [(0, 0), (17, 33), (199, 99)] {
                let [red, green, blue] = pattern.rgb(x, y);
                let at = (y * 200 + x) as usize;
                let bits = |value: u8, count: u32| (u32::from(value) * 257) >> (16 - count);
                let (seen, expected) = if depth == 16 {
                    let pixel = u16::from_le_bytes(image.data[at * 2..at * 2 + 2].try_into().unwrap());
                    (u32::from(pixel), bits(red, 5) << 11 | bits(green, 6) << 5 | bits(blue, 5))
                } else {
                    let count = u32::from(depth) / 3;
                    let pixel = u32::from_le_bytes(image.data[at * 4..at * 4 + 4].try_into().unwrap());
                    let expected =
                        bits(red, count) << (2 * count) | bits(green, count) << count | bits(blue, count);
                    (pixel & ((1 << depth) - 1), expected)
                };
                assert_eq!(seen, expected, "depth {depth} {name} at {x},{y}");
            }
        }
    }
}

#[test]
fn selections_go_from_witness_to_witness() {
    let session = Private::new().without_manager().start().unwrap();
    let mut owner = Witness::start(&session, &["--hidden"]).unwrap();
    let mut reader = Witness::start(&session, &["--hidden"]).unwrap();
    assert_eq!(reader.read("CLIPBOARD", "UTF8_STRING").unwrap(), None);
    let large = (0..3_000_000_u32).map(|n| (n % 251) as u8).collect::<Vec<_>>();
    for bytes in [&b"short"[..], b"", &large] {
        owner.own("CLIPBOARD", &[("UTF8_STRING", bytes), ("image/png", b"png")]).unwrap();
        let read = reader.read("CLIPBOARD", "UTF8_STRING").unwrap();
        assert!(read.as_deref() == Some(bytes), "{} bytes", bytes.len());
        assert_eq!(reader.read("CLIPBOARD", "image/png").unwrap().as_deref(), Some(&b"png"[..]));
        assert_eq!(reader.read("CLIPBOARD", "text/html").unwrap(), None);
    }
    reader.own("CLIPBOARD", &[]).unwrap();
    let lost = |event: &serde_json::Value| event["what"] == "lost";
    owner.wait_for("it lost the selection", LIMIT, |events| events.iter().any(lost)).unwrap();
}

#[test]
fn a_window_goes_where_the_flags_say_and_closes_when_asked() {
    let session = Private::new().start().unwrap();
    assert_eq!(session.manager(), Some("openbox"));
    let mut witness = Witness::start(&session, &["--at", "200,150", "--size", "300x200", "--ping"]).unwrap();
    let state =
        witness.wait_for_state("shown", |state| state["wm"] == 1 && state["focused"] == true).unwrap();
    assert_eq!(state["content"], json!([200, 150, 300, 200]));
    let window = u32::try_from(witness.window()).unwrap();
    let x11 = X11::connect(Some(session.display())).unwrap();
    let name = x11.reply(
        "title",
        x11.conn().get_property(false, window, x11.atom("_NET_WM_NAME").unwrap(), 0_u32, 0, 100),
    );
    assert_eq!(name.unwrap().value, b"witness");
    let close = x11rb::protocol::xproto::ClientMessageEvent::new(
        32,
        window,
        x11.atom("_NET_CLOSE_WINDOW").unwrap(),
        [0, 2, 0, 0, 0],
    );
    let mask = x11rb::protocol::xproto::EventMask::SUBSTRUCTURE_REDIRECT;
    x11.conn().send_event(false, x11.root(), mask, close).unwrap().check().unwrap();
    witness
        .wait_for("closed", LIMIT, |events| events.iter().any(|event| event["event"] == "destroyed"))
        .unwrap();
    assert_eq!(witness.state().unwrap()["exists"], false);
}
