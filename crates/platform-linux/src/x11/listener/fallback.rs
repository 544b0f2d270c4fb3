//! Places without RECORD. No server of the tests lacks RECORD and has XTEST (one switch turns both off), so the
//! choice is made here.

use super::*;
use crate::private_x::{PrivateX, PrivateXOptions};
use crossmacro_model::{Direction, Point, Size};
use crossmacro_platform::Input;
use x11rb::protocol::xproto::{BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, MOTION_NOTIFY_EVENT};
use x11rb::protocol::xtest::ConnectionExt as _;

const ALL: ListenRequest = ListenRequest { motion: Some(MotionDetail::Places), buttons: true, keys: true };

fn inject(witness: &X11, kind: u8, detail: u8, x: i16, y: i16) {
    let sent = witness.conn().xtest_fake_input(kind, detail, 0, witness.root(), x, y, 0);
    sent.unwrap().check().unwrap();
}

/// Everything until nothing more comes.
fn hear(ear: &mut dyn Listening) -> Vec<Input> {
    let mut heard = Vec::new();
    loop {
        let more = ear.next(Duration::from_millis(200), &Cancel::new()).unwrap();
        if more.is_empty() {
            return heard;
        }
        heard.extend(more.into_iter().map(|heard| heard.input));
    }
}

#[test]
fn the_place_after_each_burst_is_heard() {
    let size = Size::new(640, 480);
    let session =
        PrivateX::start(&PrivateXOptions { size, window_manager: false, ..PrivateXOptions::default() });
    let session = session.unwrap();
    let connect = || X11::connect(Some(session.display())).unwrap();
    let (ears, witness) = (Ears { x11: Arc::new(connect()), has_record: false }, connect());
    assert_eq!(ears.backend(), "x11-xinput2");
    let mut ear = ears.listen(ALL).unwrap();
    let left = [Direction::Press, Direction::Release]
        .map(|direction| Input::Button { button: Button::Left, direction });
    for (x, y) in [(10, 20), (0, 0), (639, 479)] {
        inject(&witness, MOTION_NOTIFY_EVENT, 0, x, y);
        inject(&witness, BUTTON_PRESS_EVENT, 1, 0, 0);
        inject(&witness, BUTTON_RELEASE_EVENT, 1, 0, 0);
        let place = Input::Place(Point::new(x.into(), y.into()));
        assert_eq!(hear(&mut *ear), [place, left[0], left[1]]);
    }
    for step in 0..500 {
        inject(&witness, MOTION_NOTIFY_EVENT, 0, step, step / 2);
    }
    let heard = hear(&mut *ear);
    assert_eq!(heard.last(), Some(&Input::Place(Point::new(499, 249))), "the place at rest");
    assert!(heard.windows(2).all(|pair| pair[0] != pair[1]));
}
