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
}

impl Spares {
    /// No key at all.
    pub(super) fn none() -> Self {
        Self { free: Vec::new(), lent: 0 }
    }

    /// The keys of `keymap` that nobody uses and nobody holds, and that are the same on all `other` keyboards:
    /// they are lent on every keyboard at once, so that a key which the user presses meanwhile does not bring
    /// in a keymap without them.
    pub(super) fn new(keymap: &Keymap, others: &[Keymap], held: impl Fn(u8) -> bool) -> Self {
        let is_free = |code: u8| !held(code) && others.iter().all(|other| other.has_same_free(keymap, code));
        let codes = keymap.free().into_iter().filter(|code| is_free(*code));
        let free: Vec<_> = codes.filter_map(|code| Some((code, keymap.symbols(code)?.clone()))).collect();
        // Every run is a request, and news for every program: the longest runs come first.
        let mut runs = runs(&free);
        runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
        Self { free: runs.concat(), lent: 0 }
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
        Self::write(line, &keys)?;
        Self::confirm(line, &keys)?;
        Ok(codes)
    }

    /// Gives every lent key back.
    pub(super) fn give_back(&mut self, line: &mut Line) -> Result<()> {
        let keys = self.free[..std::mem::take(&mut self.lent)].to_vec();
        if keys.is_empty() {
            return Ok(());
        }
        Self::write(line, &keys)?;
        Self::confirm(line, &keys)
    }

    fn write(line: &mut Line, keys: &[(u8, KeySymMap)]) -> Result<()> {
        for run in runs(keys) {
            send(line, &run)?;
        }
        line.sync()
    }

    fn confirm(line: &Line, keys: &[(u8, KeySymMap)]) -> Result<()> {
        for run in runs(keys) {
            let Some((first, _)) = run.first() else { continue };
            let found = read(line, *first, u8::try_from(run.len()).unwrap_or(u8::MAX))?;
            if found.iter().map(|key| &key.syms).ne(run.iter().map(|(_, key)| &key.syms)) {
                return Err(Error::NoEffect {
                    what: "lending an unused key to a character",
                    why: "the keymap was changed by somebody else at the same time".into(),
                });
            }
        }
        Ok(())
    }
}

/// A key that gives `symbol` in every group and with all modifiers.
fn one(symbol: u32) -> KeySymMap {
    KeySymMap { kt_index: [ONE_LEVEL; 4], group_info: 1, width: 1, syms: vec![symbol] }
}

/// Keys that follow each other, because one request is about a range. In ascending order.
fn runs(keys: &[(u8, KeySymMap)]) -> Vec<Vec<(u8, KeySymMap)>> {
    let mut sorted = keys.to_vec();
    sorted.sort_by_key(|(code, _)| *code);
    let follows = |a: &(u8, KeySymMap), b: &(u8, KeySymMap)| a.0.checked_add(1) == Some(b.0);
    sorted.chunk_by(follows).map(<[_]>::to_vec).collect()
}

fn send(line: &Line, run: &[(u8, KeySymMap)]) -> Result<()> {
    let syms: Vec<KeySymMap> = run.iter().map(|(_, key)| key.clone()).collect();
    let first = run.first().map_or(0, |(code, _)| *code);
    let count = u8::try_from(run.len()).unwrap_or(u8::MAX);
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
