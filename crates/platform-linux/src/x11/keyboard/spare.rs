//! Spare keys: keycodes without any meaning, lent to characters that the layout lacks, and given back as they
//! were. When they may be given back is decided by [`super::delivery`].

use super::keymap::Keymap;
use super::keysym;
use super::line::{CORE, Line};
use crossmacro_platform::{Error, Result};
use std::collections::HashMap;
use x11rb::connection::Connection;
use x11rb::protocol::xkb::{self, ConnectionExt as _, KeySymMap, MapPart, SetMapAux};

/// The key type ONE_LEVEL, which every keymap has at this place: one symbol, whatever the modifiers.
const ONE_LEVEL: u8 = 0;

/// What may be lent, and what is.
pub(super) struct Spares {
    /// Keycodes that may be lent, with what they were.
    free: Vec<(u8, KeySymMap)>,
    /// How many of them, from the first, are lent now.
    lent: usize,
    /// Keycodes that are written down alike on every keyboard: one request may reach across them.
    alike: Vec<u8>,
}

impl Spares {
    /// No key at all.
    pub(super) fn none() -> Self {
        Self { free: Vec::new(), lent: 0, alike: Vec::new() }
    }

    /// The keys of `keymap` that nobody uses and nobody holds, and that are the same on all `other` keyboards:
    /// they are lent on every keyboard at once, so that a key which the user presses meanwhile does not bring
    /// in a keymap without them.
    pub(super) fn new(keymap: &Keymap, others: &[Keymap], held: impl Fn(u8) -> bool) -> Self {
        let is_free = |code: u8| !held(code) && others.iter().all(|other| other.has_same_free(keymap, code));
        let codes = keymap.free().into_iter().filter(|code| is_free(*code));
        let free: Vec<_> = codes.filter_map(|code| Some((code, keymap.symbols(code)?.clone()))).collect();
        let is_alike = |code: &u8| others.iter().all(|other| other.has_same(keymap, *code));
        let alike = keymap.codes().filter(is_alike).collect();
        Self { free, lent: 0, alike }
    }

    /// How many different characters fit at once.
    pub(super) fn len(&self) -> usize {
        self.free.len()
    }

    /// The keycodes that are lent or may be.
    pub(super) fn codes(&self) -> Vec<u8> {
        self.free.iter().map(|(code, _)| *code).collect()
    }

    /// Whether any key is lent now.
    pub(super) fn is_lent(&self) -> bool {
        self.lent > 0
    }

    /// Lends one key to each of `characters` (at most [`Spares::len`]) and confirms that the server has it so.
    pub(super) fn lend(&mut self, line: &mut Line, characters: &[char]) -> Result<HashMap<char, u8>> {
        let mut keys = Vec::new();
        let mut codes = HashMap::new();
        for (character, (code, _)) in characters.iter().zip(&self.free) {
            keys.push((*code, one(keysym::for_spare(*character).unwrap_or(keysym::NO_SYMBOL))));
            codes.insert(*character, *code);
        }
        self.lent = self.lent.max(keys.len());
        self.write(line, &keys)?;
        self.confirm(line, &keys)?;
        Ok(codes)
    }

    /// Gives every lent key back.
    pub(super) fn give_back(&mut self, line: &mut Line) -> Result<()> {
        let keys = self.free[..self.lent].to_vec();
        if keys.is_empty() {
            return Ok(());
        }
        self.write(line, &keys)?;
        self.confirm(line, &keys)?;
        self.lent = 0;
        Ok(())
    }

    /// One request a span: each is news for every program, and window managers take many milliseconds for it.
    fn write(&self, line: &mut Line, keys: &[(u8, KeySymMap)]) -> Result<()> {
        for span in self.spans(keys) {
            let (first, count) = extent(&span);
            let mut now = read(line, first, count)?;
            for (code, key) in span {
                if let Some(place) = now.get_mut(usize::from(code - first)) {
                    *place = key;
                }
            }
            send(line, first, now)?;
        }
        line.sync()
    }

    fn confirm(&self, line: &Line, keys: &[(u8, KeySymMap)]) -> Result<()> {
        for span in self.spans(keys) {
            let (first, count) = extent(&span);
            let found = read(line, first, count)?;
            let is_there = |(code, key): &(u8, KeySymMap)| {
                found.get(usize::from(code - first)).is_some_and(|found| found.syms == key.syms)
            };
            if !span.iter().all(is_there) {
                return Err(Error::NoEffect {
                    what: "lending an unused key to a character",
                    why: "the keymap was changed by somebody else at the same time".into(),
                });
            }
        }
        Ok(())
    }

    /// Keys that one request can write, in ascending order: between them lie only keys that are alike on every
    /// keyboard, because the request writes these too, as they are.
    fn spans(&self, keys: &[(u8, KeySymMap)]) -> Vec<Vec<(u8, KeySymMap)>> {
        let mut sorted = keys.to_vec();
        sorted.sort_by_key(|(code, _)| *code);
        let is_bridged = |a: &(u8, KeySymMap), b: &(u8, KeySymMap)| {
            (a.0..b.0).skip(1).all(|code| self.alike.contains(&code))
        };
        sorted.chunk_by(is_bridged).map(<[_]>::to_vec).collect()
    }
}

/// First keycode and number of keycodes of a span.
fn extent(span: &[(u8, KeySymMap)]) -> (u8, u8) {
    match (span.first(), span.last()) {
        (Some((first, _)), Some((last, _))) => (*first, (last - first).saturating_add(1)),
        _ => (0, 0),
    }
}

/// A key that gives `symbol` in every group and with all modifiers.
fn one(symbol: u32) -> KeySymMap {
    KeySymMap { kt_index: [ONE_LEVEL; 4], group_info: 1, width: 1, syms: vec![symbol] }
}

fn send(line: &Line, first: u8, syms: Vec<KeySymMap>) -> Result<()> {
    let count = u8::try_from(syms.len()).unwrap_or(u8::MAX);
    let total = syms.iter().map(|key| key.syms.len()).sum::<usize>();
    let setup = line.x11.conn().setup();
    let values = SetMapAux::new().syms(syms);
    let cookie = line.x11.conn().xkb_set_map(
        CORE,
        xkb::SetMapFlags::from(0u16),
        setup.min_keycode,
        setup.max_keycode,
        0,
        0,
        first,
        count,
        u16::try_from(total).unwrap_or(u16::MAX),
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0u16.into(),
        &values,
    );
    line.send("lending an unused key", cookie)
}

fn read(line: &Line, first: u8, count: u8) -> Result<Vec<KeySymMap>> {
    let none = MapPart::from(0u8);
    let core = line.x11.conn().xkb_get_map(
        CORE,
        none,
        MapPart::KEY_SYMS,
        0,
        0,
        first,
        count,
        0,
        0,
        0,
        0,
        0u16.into(),
        0,
        0,
        0,
        0,
        0,
        0,
    );
    Ok(line.x11.reply("the keymap", core)?.map.syms_rtrn.unwrap_or_default())
}
