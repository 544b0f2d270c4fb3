//! From a key event to text, by the rules of the XKB protocol (X Keyboard Extension, "Protocol
//! Specification", chapters 2 and 7, and "Library Specification" 12.1), as libX11 applies them: group and
//! level from the event's state and the key's type, modifiers that the type consumes, then caps lock and
//! control on what is left.

use crate::Result;
use x11rb::protocol::xkb::{
    self, ConnectionExt as _, EventType, GetMapMap, GetMapReply, KeySymMap, KeyType, MapPart, SelectEventsAux,
};
use x11rb::rust_connection::RustConnection;
use xkeysym::Keysym;

/// The device that all keyboards together make up.
const CORE_KEYBOARD: u16 = 0x100;
const LOCK: u8 = 1 << 1;
const CONTROL: u8 = 1 << 2;

pub(crate) struct Keymap {
    first_key: u8,
    types: Vec<KeyType>,
    keys: Vec<KeySymMap>,
}

impl Keymap {
    pub(crate) fn new(conn: &RustConnection) -> Result<Self> {
        conn.xkb_use_extension(1, 0)?.reply()?;
        let events = EventType::MAP_NOTIFY | EventType::NEW_KEYBOARD_NOTIFY;
        let parts = MapPart::KEY_TYPES | MapPart::KEY_SYMS | MapPart::MODIFIER_MAP;
        let details = SelectEventsAux::new();
        conn.xkb_select_events(CORE_KEYBOARD, EventType::default(), events, parts, parts, &details)?
            .check()?;
        let mut keymap = Self { first_key: 0, types: Vec::new(), keys: Vec::new() };
        keymap.refetch(conn)?;
        Ok(keymap)
    }

    /// Takes over the server's map as it is now.
    pub(crate) fn refetch(&mut self, conn: &RustConnection) -> Result<()> {
        let parts = MapPart::KEY_TYPES | MapPart::KEY_SYMS;
        let none = MapPart::default();
        let reply = conn
            .xkb_get_map(
                CORE_KEYBOARD,
                parts,
                none,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                xkb::VMod::default(),
                0,
                0,
                0,
                0,
                0,
                0,
            )?
            .reply()?;
        let GetMapReply { first_key_sym, map: GetMapMap { types_rtrn, syms_rtrn, .. }, .. } = reply;
        self.first_key = first_key_sym;
        self.types = types_rtrn.unwrap_or_default();
        self.keys = syms_rtrn.unwrap_or_default();
        Ok(())
    }

    /// The keysym of a key in a state, and the modifiers that finding it did not use up.
    fn lookup(&self, keycode: u8, state: u16) -> Option<(u32, u8)> {
        let key = self.keys.get(usize::from(keycode.checked_sub(self.first_key)?))?;
        let group = group_of(key, usize::from(state >> 13 & 3))?;
        let kind = self.types.get(usize::from(*key.kt_index.get(group)?))?;
        let [modifiers, _] = state.to_le_bytes();
        let relevant = modifiers & u8::try_from(u16::from(kind.mods_mask)).ok()?;
        let mask = |mask: x11rb::protocol::xproto::ModMask| u8::try_from(u16::from(mask)).unwrap_or_default();
        let entry = kind.map.iter().position(|entry| entry.active && mask(entry.mods_mask) == relevant);
        let level = entry.map_or(0, |index| kind.map[index].level);
        let preserved = entry.and_then(|index| kind.preserve.get(index)).map_or(0, |kept| mask(kept.mask));
        let left = modifiers & !(mask(kind.mods_mask) & !preserved);
        let symbol = key.syms.get(group * usize::from(key.width) + usize::from(level))?;
        Some((*symbol, left))
    }

    pub(crate) fn keysym(&self, keycode: u8, state: u16) -> u32 {
        self.lookup(keycode, state).map_or(0, |(symbol, _)| symbol)
    }

    /// What a toolkit would insert.
    pub(crate) fn text(&self, keycode: u8, state: u16) -> String {
        let Some((symbol, left)) = self.lookup(keycode, state) else { return String::new() };
        let Some(character) = Keysym::new(symbol).key_char() else { return String::new() };
        if left & CONTROL != 0 {
            return control(character).map(String::from).unwrap_or_default();
        }
        if left & LOCK != 0 { character.to_uppercase().collect() } else { character.into() }
    }
}

/// The group that is used where the key has fewer than the state names.
fn group_of(key: &KeySymMap, asked: usize) -> Option<usize> {
    let count = usize::from(key.group_info & 0x0f);
    if count == 0 {
        return None;
    }
    if asked < count {
        return Some(asked);
    }
    Some(match key.group_info & 0xc0 {
        0x40 => count - 1,
        0x80 => Some(usize::from(key.group_info >> 4 & 3)).filter(|group| *group < count).unwrap_or(0),
        _ => asked % count,
    })
}

fn control(character: char) -> Option<char> {
    match character {
        '@'..='_' | 'a'..='z' => char::from_u32(u32::from(character) & 0x1f),
        ' ' => Some('\0'),
        other => Some(other),
    }
}
