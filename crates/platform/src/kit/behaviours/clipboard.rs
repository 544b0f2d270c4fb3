//! The clipboard.

use crate::cancel::Cancel;
use crate::desktop::Desktop;
use crate::error::Error;
use crate::facets::clipboard::ClipboardContent;
use crate::kit::check::{Check, SOON, ensure, eventually};
use crate::kit::{Failure, Witness};
use std::time::Duration;

/// More than any content of these behaviours.
const LIMIT: usize = 16 << 20;
const LARGE: usize = 2 << 20;
const TEXTS: [&str; 4] = ["plain", "zwei\nZeilen\r\n\tund Tab ", "日本 🙂 \u{202e}€", "x"];

/// Compares without printing megabytes.
fn same(what: &str, seen: Option<&[u8]>, expected: &[u8]) -> Check {
    let place = seen.map(|seen| seen.iter().zip(expected).take_while(|(one, two)| one == two).count());
    ensure(seen == Some(expected), || {
        let length = seen.map(<[u8]>::len);
        format!("{what}: {length:?} bytes instead of {}, equal until {place:?}", expected.len())
    })
}

/// A PNG with one grey pixel, followed by a chunk of `filler` bytes: back ends hand it on, nobody decodes it.
fn png(filler: usize) -> Vec<u8> {
    let mut bytes = vec![0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a];
    bytes.extend([0, 0, 0, 13]);
    bytes.extend(b"IHDR");
    bytes.extend([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3a, 0x7e, 0x9b, 0x55]);
    bytes.extend([0, 0, 0, 10]);
    bytes.extend(b"IDAT");
    bytes.extend([0x78, 0x9c, 0x63, 0x68, 0x00, 0x00, 0x00, 0x82, 0x00, 0x81]);
    bytes.extend([0x77, 0xcd, 0x72, 0xb6]);
    bytes.extend((0..filler).map(|n| u8::try_from(n * 7 % 251).unwrap_or_default()));
    bytes
}

fn large_text() -> String {
    let mut text = "0123456789 äöü € 🙂\n".repeat(LARGE / 20);
    text.push_str("the end");
    text
}

fn text_goes_out(desktop: &Desktop, witness: &mut dyn Witness, text: &str) -> Check {
    desktop.clipboard.clone()?.set(ClipboardContent::Text(text.to_owned()))?;
    same("text", witness.clipboard_text()?.as_deref().map(str::as_bytes), text.as_bytes())
}

fn text_comes_in(desktop: &Desktop, witness: &mut dyn Witness, text: &str) -> Check {
    witness.own_clipboard(Some(&ClipboardContent::Text(text.to_owned())))?;
    let seen = desktop.clipboard.clone()?.text(LIMIT, &Cancel::new())?;
    same("text", seen.as_deref().map(str::as_bytes), text.as_bytes())
}

fn png_goes_out(desktop: &Desktop, witness: &mut dyn Witness, png: &[u8]) -> Check {
    desktop.clipboard.clone()?.set(ClipboardContent::Png(png.to_vec()))?;
    same("picture", witness.clipboard_png()?.as_deref(), png)
}

fn png_comes_in(desktop: &Desktop, witness: &mut dyn Witness, png: &[u8]) -> Check {
    witness.own_clipboard(Some(&ClipboardContent::Png(png.to_vec())))?;
    same("picture", desktop.clipboard.clone()?.png(LIMIT, &Cancel::new())?.as_deref(), png)
}

pub(super) fn text_out(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    TEXTS.iter().try_for_each(|text| text_goes_out(desktop, witness, text))
}

pub(super) fn text_in(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    TEXTS.iter().try_for_each(|text| text_comes_in(desktop, witness, text))?;
    let picture = desktop.clipboard.clone()?.png(LIMIT, &Cancel::new())?;
    ensure(picture.is_none(), || "a picture where there is only text".to_owned())
}

pub(super) fn png_out(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    png_goes_out(desktop, witness, &png(100))?;
    ensure(witness.clipboard_text()?.is_none(), || "text where there is only a picture".to_owned())
}

pub(super) fn png_in(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    png_comes_in(desktop, witness, &png(100))?;
    let text = desktop.clipboard.clone()?.text(LIMIT, &Cancel::new())?;
    ensure(text.is_none(), || "text where there is only a picture".to_owned())
}

pub(super) fn large(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    text_goes_out(desktop, witness, &large_text())?;
    text_comes_in(desktop, witness, &large_text())?;
    png_goes_out(desktop, witness, &png(LARGE))?;
    png_comes_in(desktop, witness, &png(LARGE))
}

pub(super) fn empty(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let clipboard = desktop.clipboard.clone()?;
    clipboard.set(ClipboardContent::Text("before".to_owned()))?;
    clipboard.set(ClipboardContent::Empty)?;
    let others = (witness.clipboard_text()?, witness.clipboard_png()?);
    ensure(others == (None, None), || "other programs still get something".to_owned())?;
    let ours = (clipboard.text(LIMIT, &Cancel::new())?, clipboard.png(LIMIT, &Cancel::new())?);
    ensure(ours == (None, None), || "we still read something".to_owned())?;
    // Empty text is text.
    text_goes_out(desktop, witness, "")?;
    text_comes_in(desktop, witness, "")
}

pub(super) fn replaced(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    for round in 0..5 {
        text_goes_out(desktop, witness, &format!("ours {round}"))?;
        text_comes_in(desktop, witness, &format!("theirs {round}"))?;
    }
    text_goes_out(desktop, witness, "one")?;
    text_goes_out(desktop, witness, "two")
}

pub(super) fn formats(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let clipboard = desktop.clipboard.clone()?;
    let offered = |part: &str| {
        let formats = clipboard.formats(&Cancel::new())?;
        Ok::<_, Failure>(formats.iter().any(|format| format.to_lowercase().contains(part)))
    };
    witness.own_clipboard(Some(&ClipboardContent::Text("text".to_owned())))?;
    eventually("text is on offer", (true, false), || Ok((offered("utf")?, offered("png")?)))?;
    witness.own_clipboard(Some(&ClipboardContent::Png(png(0))))?;
    eventually("a picture is on offer", (false, true), || Ok((offered("utf")?, offered("png")?)))
}

pub(super) fn too_large(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    let clipboard = desktop.clipboard.clone()?;
    for length in [1001, 100_000, LARGE] {
        witness.own_clipboard(Some(&ClipboardContent::Text("x".repeat(length))))?;
        let answer = clipboard.text(1000, &Cancel::new()).map(|text| text.map(|text| text.len()));
        ensure(matches!(answer, Err(Error::TooLarge { .. })), || format!("{length} bytes gave {answer:?}"))?;
    }
    text_comes_in(desktop, witness, "and the next one works")
}

pub(super) fn silent_owner(desktop: &Desktop, witness: &mut dyn Witness) -> Check {
    witness.own_clipboard(None)?;
    let clipboard = desktop.clipboard.clone()?;
    let cancel = Cancel::new();
    let asked = crate::clock::now();
    let answer = std::thread::scope(|scope| {
        let reading = scope.spawn(|| clipboard.text(LIMIT, &cancel));
        // Long enough that the question is on its way; the answer never comes, so nothing depends on it.
        Cancel::new().sleep(Duration::from_millis(50));
        cancel.cancel();
        reading.join().map_err(|_| Failure("reading panicked".to_owned()))
    })?;
    let is_right = matches!(answer, Err(Error::Cancelled | Error::Timeout { .. }));
    ensure(is_right, || format!("the answer is {answer:?}"))?;
    ensure(asked.elapsed() < SOON, || format!("it took {:?}", asked.elapsed()))?;
    text_goes_out(desktop, witness, "and it can be taken from it")
}
