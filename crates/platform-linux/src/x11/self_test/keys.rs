//! The keyboard loop: a key without a meaning goes down and up.

use super::without_xtest;
use super::witness::{Turn, Witness};
use crate::x11::connection::X11;
use crossmacro_platform::{Error, Result};
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    ConnectionExt as _, GrabMode, GrabStatus, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, Keycode,
};
use x11rb::protocol::xtest::{self, ConnectionExt as _};

const WHAT: &str = "pressing a key";
const RELEASE: &str = "releasing a key";
const KEYMAP: &str = "the keymap";

/// Sends the key while the witness holds the keyboard: no other window and no hotkey sees it.
pub(super) fn run(turn: &Turn<'_>, x11: &X11) -> Result<String> {
    if !x11.has(xtest::X11_EXTENSION_NAME)? {
        return Err(without_xtest("keyboard"));
    }
    let key = unused_key(x11)?;
    turn.grab("holding the keyboard for a moment", || grab(turn.witness))?;
    let seen = press_and_release(turn, x11, key);
    let released = turn.witness.x11.conn().ungrab_keyboard(x11rb::CURRENT_TIME);
    released.map_err(|error| turn.witness.x11.fault("letting go of the keyboard", error))?;
    turn.witness.x11.sync()?;
    seen.map(|()| format!("x11-xtest: key code {key}, which the keymap gives no meaning, went down and up"))
}

fn grab(witness: &Witness) -> Result<GrabStatus> {
    let mode = GrabMode::ASYNC;
    let cookie = witness.x11.conn().grab_keyboard(false, witness.window, x11rb::CURRENT_TIME, mode, mode);
    Ok(witness.x11.reply("holding the keyboard", cookie)?.status)
}

fn press_and_release(turn: &Turn<'_>, x11: &X11, key: Keycode) -> Result<()> {
    // Both leave us in one piece, so that there is no moment at which only the first has been sent.
    let conn = x11.conn();
    let fake = |kind| conn.xtest_fake_input(kind, key, x11rb::CURRENT_TIME, x11rb::NONE, 0, 0, 0);
    let sent = [fake(KEY_PRESS_EVENT), fake(KEY_RELEASE_EVENT)];
    for cookie in sent {
        let checked = cookie.map_err(|error| x11.fault(WHAT, error))?.check();
        checked.map_err(|error| x11.fault(WHAT, error))?;
    }
    turn.event(WHAT, |event| {
        let Event::KeyPress(press) = event else { return Ok(None) };
        Ok((press.detail == key).then_some(()))
    })?;
    turn.event(RELEASE, |event| {
        let Event::KeyRelease(release) = event else { return Ok(None) };
        Ok((release.detail == key).then_some(()))
    })
}

/// Keysyms of F13 to F35, which next to no keyboard has.
const RARE: std::ops::RangeInclusive<u32> = 0xffca..=0xffe0;

/// A key that is up and that no program acts on, were it to see it: one without a keysym, else a rare one.
fn unused_key(x11: &X11) -> Result<Keycode> {
    let setup = x11.conn().setup();
    let (first, last) = (setup.min_keycode, setup.max_keycode);
    let count = last.saturating_sub(first).saturating_add(1);
    let conn = x11.conn();
    let (keymap, modifiers, held) =
        (conn.get_keyboard_mapping(first, count), conn.get_modifier_mapping(), conn.query_keymap());
    let keymap = x11.reply(KEYMAP, keymap)?;
    let modifiers = x11.reply(KEYMAP, modifiers)?.keycodes;
    let held = x11.reply(KEYMAP, held)?.keys;
    let is_down = |key: Keycode| held[usize::from(key / 8)] & (1 << (key % 8)) != 0;
    let rows = keymap.keysyms.chunks_exact(usize::from(keymap.keysyms_per_keycode).max(1));
    let keys: Vec<_> = (first..=last).zip(rows).collect();
    let pick = |fits: fn(u32) -> bool| {
        let fits = |row: &[u32]| row.iter().all(|&keysym| keysym == 0 || fits(keysym));
        keys.iter()
            .find(|&&(key, row)| fits(row) && !is_down(key) && !modifiers.contains(&key))
            .map(|&(key, _)| key)
    };
    pick(|_| false).or_else(|| pick(|keysym| RARE.contains(&keysym))).ok_or_else(|| Error::Unsupported {
        what: "a test of the keyboard that disturbs nobody",
        why: "every key of the keymap has a meaning; no key was sent".into(),
    })
}
