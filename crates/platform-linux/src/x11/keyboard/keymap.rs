//! The keymap as the server has it: which key gives which character in which group with which modifiers.
//! Pure data after it was read; nothing here talks about lock states or held keys.
//!
//! Keycodes are X keycodes (evdev code + 8), groups count from 0, modifiers are the eight real ones as a bit
//! mask. Source: "The X Keyboard Extension: Protocol Specification", chapters 3, 7 and 12.

use super::keysym;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use x11rb::protocol::xkb::{Action, GetMapReply, KeySymMap, KeyType, SAType};

/// Real modifiers that no character may need: programs take a key with one of these for a command.
const COMMAND: u8 = CONTROL;
/// The real modifier Lock.
pub(super) const LOCK: u8 = 1 << 1;
/// The real modifier Control.
pub(super) const CONTROL: u8 = 1 << 2;

/// What pressing a key does besides giving a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Effect {
    /// Nothing.
    None,
    /// Sets these real modifiers while the key is down.
    Modifiers(u8),
    /// Shifts the group, or latches: has an effect while down, and pressing it again is harmless.
    Momentary,
    /// Toggles or locks something: must not be pressed without reason.
    Lock,
    /// Anything else (pointer keys, ending the server).
    Other,
}

impl Effect {
    fn of(action: &Action) -> Self {
        match SAType::from(u8::from(action.as_noaction().type_)) {
            SAType::NO_ACTION => Self::None,
            SAType::SET_MODS => Self::Modifiers(low(u16::from(action.as_setmods().mask))),
            SAType::LATCH_MODS | SAType::SET_GROUP | SAType::LATCH_GROUP => Self::Momentary,
            SAType::LOCK_MODS | SAType::LOCK_GROUP | SAType::ISO_LOCK => Self::Lock,
            _ => Self::Other,
        }
    }
}

/// How one key is pressed to give a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Stroke {
    /// X keycode.
    pub(super) code: u8,
    /// Real modifiers that must be on; all others that the key looks at must be off.
    pub(super) mods: u8,
    /// All modifiers that the key looks at.
    pub(super) looks_at: u8,
}

struct Type {
    mask: u8,
    /// Modifiers that give a level, for every combination that is in force.
    entries: Vec<(u8, usize)>,
}

impl Type {
    fn new(wire: &KeyType) -> Self {
        let entries = wire.map.iter().filter(|entry| entry.active);
        Self {
            mask: low(u16::from(wire.mods_mask)),
            entries: entries
                .map(|entry| (low(u16::from(entry.mods_mask)), usize::from(entry.level)))
                .collect(),
        }
    }

    fn level(&self, mods: u8) -> usize {
        let seen = mods & self.mask;
        self.entries.iter().find(|(entry, _)| *entry == seen).map_or(0, |(_, level)| *level)
    }

    /// The combinations that give `level`, the one with the fewest modifiers first.
    fn ways(&self, level: usize) -> Vec<u8> {
        let listed = self.entries.iter().filter(|(_, gives)| *gives == level).map(|(mods, _)| *mods);
        let mut ways: Vec<u8> = listed.filter(|mods| mods & COMMAND == 0).collect();
        if level == 0 && self.level(0) == 0 {
            ways.push(0);
        }
        // With Lock is the last choice: it has no key that can simply be held.
        ways.sort_by_key(|mods| (mods & LOCK != 0, mods.count_ones(), *mods));
        ways
    }
}

struct Key {
    symbols: KeySymMap,
    effects: Vec<Effect>,
    modmap: u8,
}

impl Key {
    fn groups(&self) -> usize {
        usize::from(self.symbols.group_info & 0x0f).min(4)
    }

    /// The group of this key that stands for the effective group `group`.
    fn group(&self, group: u8) -> Option<usize> {
        let (group, groups) = (usize::from(group), self.groups());
        if groups == 0 || group < groups {
            return (groups != 0).then_some(group);
        }
        Some(match self.symbols.group_info & 0xc0 {
            0x40 => groups - 1,
            0x80 => {
                Some(usize::from(self.symbols.group_info >> 4 & 3)).filter(|to| *to < groups).unwrap_or(0)
            }
            _ => group % groups,
        })
    }

    fn at<T: Copy>(&self, values: &[T], group: usize, level: usize) -> Option<T> {
        let width = usize::from(self.symbols.width);
        if level < width { values.get(group * width + level).copied() } else { None }
    }

    fn is_free(&self) -> bool {
        self.symbols.syms.iter().all(|symbol| *symbol == keysym::NO_SYMBOL)
            && self.modmap == 0
            && self.effects.iter().all(|effect| *effect == Effect::None)
    }
}

/// One keymap.
pub(super) struct Keymap {
    min: u8,
    types: Vec<Type>,
    keys: Vec<Key>,
    groups: u8,
}

impl Keymap {
    /// Takes over what the server said; parts that are missing or out of range are empty keys.
    pub(super) fn new(reply: GetMapReply) -> Self {
        let map = reply.map;
        let mut keys: Vec<Key> = Vec::new();
        for symbols in map.syms_rtrn.unwrap_or_default() {
            keys.push(Key { symbols, effects: Vec::new(), modmap: 0 });
        }
        let place = |code: u8| usize::from(code.wrapping_sub(reply.first_key_sym));
        if let Some(actions) = map.key_actions {
            let mut rest = actions.acts_rtrn_acts.iter().map(Effect::of);
            for (code, count) in (reply.first_key_action..=u8::MAX).zip(&actions.acts_rtrn_count) {
                let effects = rest.by_ref().take(usize::from(*count)).collect();
                if let Some(key) = keys.get_mut(place(code)) {
                    key.effects = effects;
                }
            }
        }
        for entry in map.modmap_rtrn.unwrap_or_default() {
            if let Some(key) = keys.get_mut(place(entry.keycode)) {
                key.modmap = low(u16::from(entry.mods));
            }
        }
        let groups = keys.iter().map(Key::groups).max().unwrap_or(0).clamp(1, 4);
        Self {
            min: reply.first_key_sym,
            types: map.types_rtrn.unwrap_or_default().iter().map(Type::new).collect(),
            keys,
            groups: u8::try_from(groups).unwrap_or(1),
        }
    }

    /// Number of groups.
    pub(super) fn groups(&self) -> u8 {
        self.groups
    }

    /// What a press of `code` does in `group` while `mods` are on.
    pub(super) fn effect(&self, code: u8, group: u8, mods: u8) -> Effect {
        let Some(key) = self.key(code) else { return Effect::None };
        let Some(group) = key.group(group) else { return Effect::None };
        let level = self.type_of(key, group).map_or(0, |key_type| key_type.level(mods));
        key.at(&key.effects, group, level).unwrap_or(Effect::None)
    }

    /// Whether `code`, while it is down, can change what other keys give.
    pub(super) fn is_modifier(&self, code: u8) -> bool {
        self.key(code).is_some_and(|key| {
            let shifts = |effect: &Effect| !matches!(effect, Effect::None | Effect::Other);
            key.modmap != 0 || key.effects.iter().any(shifts)
        })
    }

    /// Whether a press of the modifier key `code` locks something, so that it must not be repeated.
    pub(super) fn locks(&self, code: u8) -> bool {
        self.key(code).is_some_and(|key| key.effects.contains(&Effect::Lock))
    }

    /// The real modifiers that Num Lock locks.
    pub(super) fn num_lock(&self) -> u8 {
        let keys = self.keys.iter().filter(|key| key.symbols.syms.contains(&keysym::NUM_LOCK));
        keys.fold(0, |mods, key| mods | key.modmap)
    }

    /// The keys to hold down, in order, so that exactly `mods` are on in `group`, and the modifiers that no
    /// key gives and that must be locked instead.
    pub(super) fn chord(&self, group: u8, mods: u8) -> (Vec<u8>, u8) {
        let (mut keys, mut on) = (Vec::new(), 0);
        while on != mods {
            let found = self.codes().find_map(|code| match self.effect(code, group, on) {
                Effect::Modifiers(sets) if sets & !on != 0 && sets & !mods == 0 && sets & LOCK == 0 => {
                    Some((code, sets))
                }
                _ => None,
            });
            let Some((code, sets)) = found else { break };
            keys.push(code);
            on |= sets;
        }
        (keys, mods & !on)
    }

    /// Every character of `group`, with the simplest way to give it.
    pub(super) fn characters(&self, group: u8) -> HashMap<char, Stroke> {
        let mut found: HashMap<char, (u32, Stroke)> = HashMap::new();
        for (code, key) in self.codes().zip(&self.keys).filter(|(_, key)| key.modmap == 0) {
            for (character, stroke) in self.strokes(code, key, group) {
                let cost = self.cost(group, stroke.mods);
                let best = found.entry(character).or_insert((u32::MAX, stroke));
                if cost < best.0 {
                    *best = (cost, stroke);
                }
            }
        }
        found.into_iter().map(|(character, (_, stroke))| (character, stroke)).collect()
    }

    fn strokes(&self, code: u8, key: &Key, group: u8) -> Vec<(char, Stroke)> {
        let mut strokes = Vec::new();
        let Some(own) = key.group(group) else { return strokes };
        let Some(key_type) = self.type_of(key, own) else { return strokes };
        for level in 0..usize::from(key.symbols.width) {
            let symbol = key.at(&key.symbols.syms, own, level).and_then(keysym::character);
            let effect = key.at(&key.effects, own, level).unwrap_or(Effect::None);
            let (Some(character), Effect::None) = (symbol, effect) else { continue };
            let looks_at = key_type.mask;
            strokes.extend(
                key_type.ways(level).into_iter().map(|mods| (character, Stroke { code, mods, looks_at })),
            );
        }
        strokes
    }

    /// Fewer modifiers are simpler; modifiers that have to be locked are a last resort.
    fn cost(&self, group: u8, mods: u8) -> u32 {
        if mods == 0 { 0 } else { mods.count_ones() + 100 * self.chord(group, mods).1.count_ones() }
    }

    /// Keys that have no meaning at all, so that one may be lent.
    pub(super) fn free(&self) -> Vec<u8> {
        let free = self.codes().zip(&self.keys).filter(|(_, key)| key.is_free());
        free.map(|(code, _)| code).collect()
    }

    /// Whether `code` is without meaning here too, and written down in the same way as in `other`.
    pub(super) fn has_same_free(&self, other: &Self, code: u8) -> bool {
        self.key(code).is_some_and(Key::is_free) && self.has_same(other, code)
    }

    /// Whether `code` is written down in the same way as in `other`.
    pub(super) fn has_same(&self, other: &Self, code: u8) -> bool {
        let (Some(own), Some(symbols)) = (self.symbols(code), other.symbols(code)) else { return false };
        let form = |key: &KeySymMap| (key.kt_index, key.group_info, key.width, key.syms.clone());
        form(own) == form(symbols)
    }

    /// The symbols of `code` as they came from the server.
    pub(super) fn symbols(&self, code: u8) -> Option<&KeySymMap> {
        self.key(code).map(|key| &key.symbols)
    }

    /// Two keymaps with the same print give the same characters, the keys `except` aside.
    pub(super) fn print(&self, except: &[u8]) -> u64 {
        let mut hasher = DefaultHasher::new();
        for (code, key) in self.codes().zip(&self.keys).filter(|(code, _)| !except.contains(code)) {
            (code, key.symbols.group_info, key.modmap).hash(&mut hasher);
            (&key.symbols.syms, key.symbols.kt_index, &key.effects).hash(&mut hasher);
        }
        for key_type in &self.types {
            (key_type.mask, &key_type.entries).hash(&mut hasher);
        }
        hasher.finish()
    }

    pub(super) fn codes(&self) -> impl Iterator<Item = u8> {
        (self.min..=u8::MAX).take(self.keys.len())
    }

    fn key(&self, code: u8) -> Option<&Key> {
        self.keys.get(usize::from(code.checked_sub(self.min)?))
    }

    fn type_of(&self, key: &Key, group: usize) -> Option<&Type> {
        self.types.get(usize::from(*key.symbols.kt_index.get(group)?))
    }
}

/// The eight real modifiers of a wider mask.
pub(super) fn low(mask: u16) -> u8 {
    mask.to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIFT: u8 = 1;
    const ALTGR: u8 = 1 << 7;

    fn key(group_info: u8, width: u8, syms: &[u32], effects: &[Effect]) -> Key {
        let symbols = KeySymMap { kt_index: [0; 4], group_info, width, syms: syms.to_vec() };
        Key { symbols, effects: effects.to_vec(), modmap: 0 }
    }

    /// Keys from keycode 10 on, all of a type with Shift and AltGr.
    fn keymap(keys: Vec<Key>) -> Keymap {
        let entries = vec![(SHIFT, 1), (ALTGR, 2), (SHIFT | ALTGR, 3), (CONTROL, 1)];
        let mask = SHIFT | ALTGR | CONTROL;
        Keymap { min: 10, types: vec![Type { mask, entries }], keys, groups: 2 }
    }

    fn char_at(map: &Keymap, group: u8, character: char) -> Option<(u8, u8)> {
        map.characters(group).get(&character).map(|stroke| (stroke.code, stroke.mods))
    }

    #[test]
    fn a_level_is_reached_by_the_fewest_modifiers_and_never_by_control() {
        let map = keymap(vec![key(1, 4, &[0x61, 0x41, 0xe4, 0x61], &[])]);
        let found = ['a', 'A', 'ä'].map(|character| char_at(&map, 0, character));
        assert_eq!(found, [Some((10, 0)), Some((10, SHIFT)), Some((10, ALTGR))]);
    }

    #[test]
    fn a_group_that_the_key_lacks_is_wrapped_clamped_or_redirected() {
        let (two, three) = (&[0x61, 0x62][..], &[0x61, 0x62, 0x63][..]);
        let cases =
            [(two, 0x02, 'a'), (two, 0x42, 'b'), (three, 0x03, 'c'), (two, 0x92, 'b'), (two, 0xb2, 'a')];
        for (syms, group_info, expected) in cases {
            let map = keymap(vec![key(group_info, 1, syms, &[])]);
            assert_eq!(char_at(&map, 2, expected), Some((10, 0)), "{group_info:#x}");
        }
        assert!(keymap(vec![key(0, 0, &[], &[])]).characters(0).is_empty());
    }

    #[test]
    fn a_chord_uses_keys_that_hold_and_locks_what_has_none() {
        let shift = key(1, 1, &[0xffe1], &[Effect::Modifiers(SHIFT)]);
        let meta = key(1, 1, &[0xffe7], &[Effect::Modifiers(SHIFT | CONTROL)]);
        let caps = key(1, 1, &[0xffe5], &[Effect::Lock]);
        let map = keymap(vec![meta, caps, shift]);
        assert_eq!(map.chord(0, SHIFT), (vec![12], 0));
        assert_eq!(map.chord(0, SHIFT | ALTGR), (vec![12], ALTGR));
        assert_eq!(map.chord(0, LOCK), (vec![], LOCK));
    }

    #[test]
    fn a_key_that_does_something_is_neither_typed_with_nor_lent() {
        let map = keymap(vec![
            key(1, 1, &[0x61], &[Effect::Other]),
            key(1, 1, &[0], &[Effect::Lock]),
            key(0, 0, &[], &[]),
            key(1, 2, &[0, 0], &[]),
        ]);
        assert_eq!(char_at(&map, 0, 'a'), None);
        assert_eq!(map.free(), [12, 13]);
    }

    #[test]
    fn sizes_that_do_not_fit_together_are_no_panic() {
        let mut odd = key(0xff, 200, &[0x61], &[]);
        odd.symbols.kt_index = [255, 0, 0, 0];
        let map = keymap(vec![odd]);
        for group in 0..=u8::MAX {
            assert_eq!(map.effect(10, group, u8::MAX), Effect::None);
            map.characters(group);
        }
        assert_eq!(map.effect(255, 0, 0), Effect::None);
        assert!(!map.is_modifier(0));
    }
}
