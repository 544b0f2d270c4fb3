//! Names of X keysyms, as xdotool and old ydotool take them.

use super::foreign::{Key, Unlike};
use crate::nearest::nearest;
use crate::{KeyCode, KeyName};

/// Keysyms whose names differ from ours, case aside.
const NAMED: &[(&str, &str)] = &[
    ("Prior", "PageUp"),
    ("Page_Up", "PageUp"),
    ("Next", "PageDown"),
    ("Page_Down", "PageDown"),
    ("Control_L", "Ctrl"),
    ("Control_R", "RCtrl"),
    ("Shift_L", "Shift"),
    ("Shift_R", "RShift"),
    ("Alt_L", "Alt"),
    ("Alt_R", "AltGr"),
    ("Meta_L", "Alt"),
    ("Super_L", "Super"),
    ("Super_R", "RSuper"),
    ("Hyper_L", "Super"),
    ("ISO_Level3_Shift", "AltGr"),
    ("Caps_Lock", "CapsLock"),
    ("Num_Lock", "NumLock"),
    ("Scroll_Lock", "ScrollLock"),
    ("Print", "PrintScreen"),
    ("Sys_Req", "PrintScreen"),
    ("ISO_Left_Tab", "Shift+Tab"),
    ("KP_Enter", "NumpadEnter"),
    ("KP_Add", "NumpadPlus"),
    ("KP_Subtract", "NumpadMinus"),
    ("KP_Multiply", "NumpadAsterisk"),
    ("KP_Divide", "NumpadSlash"),
    ("KP_Decimal", "NumpadDot"),
    ("KP_Equal", "NumpadEqual"),
    ("XF86AudioMute", "Mute"),
    ("XF86AudioLowerVolume", "VolumeDown"),
    ("XF86AudioRaiseVolume", "VolumeUp"),
    ("XF86AudioPlay", "PlayPause"),
    ("XF86AudioNext", "NextTrack"),
    ("XF86AudioPrev", "PreviousTrack"),
    ("XF86AudioStop", "StopMedia"),
    ("Multi_key", "Menu"),
];

/// Keysyms of characters.
const PRINTING: &[(&str, char)] = &[
    ("exclam", '!'),
    ("quotedbl", '"'),
    ("numbersign", '#'),
    ("dollar", '$'),
    ("percent", '%'),
    ("ampersand", '&'),
    ("apostrophe", '\''),
    ("quoteright", '\''),
    ("parenleft", '('),
    ("parenright", ')'),
    ("asterisk", '*'),
    ("plus", '+'),
    ("comma", ','),
    ("minus", '-'),
    ("period", '.'),
    ("slash", '/'),
    ("colon", ':'),
    ("semicolon", ';'),
    ("less", '<'),
    ("equal", '='),
    ("greater", '>'),
    ("question", '?'),
    ("at", '@'),
    ("bracketleft", '['),
    ("backslash", '\\'),
    ("bracketright", ']'),
    ("asciicircum", '^'),
    ("underscore", '_'),
    ("grave", '`'),
    ("quoteleft", '`'),
    ("braceleft", '{'),
    ("bar", '|'),
    ("braceright", '}'),
    ("asciitilde", '~'),
    ("adiaeresis", 'ä'),
    ("odiaeresis", 'ö'),
    ("udiaeresis", 'ü'),
    ("ssharp", 'ß'),
    ("EuroSign", '€'),
];

/// Keysyms that are called as our keys are, for suggestions.
const SAME: &[&str] = &[
    "Return",
    "Enter",
    "Escape",
    "BackSpace",
    "Tab",
    "space",
    "Delete",
    "Insert",
    "Home",
    "End",
    "Left",
    "Right",
    "Up",
    "Down",
    "Menu",
    "Pause",
    "ctrl",
    "shift",
    "alt",
    "super",
];

/// The key that a keysym, or the number of an X keycode, names.
pub(super) fn key(name: &str) -> Result<Key, Unlike> {
    let mut letters = name.chars();
    if let (Some(only), None) = (letters.next(), letters.next()) {
        return Ok(Key::Prints(only));
    }
    let same = |known: &str| known.eq_ignore_ascii_case(name);
    if let Some((_, ours)) = NAMED.iter().find(|(known, _)| same(known)) {
        return Ok(Key::Named((*ours).to_owned()));
    }
    if let Some((_, character)) = PRINTING.iter().find(|(known, _)| *known == name) {
        return Ok(Key::Prints(*character));
    }
    if let Some(digit) = name.strip_prefix("KP_").filter(|rest| rest.len() == 1) {
        return known(&format!("Numpad{digit}"), name);
    }
    if let Some(character) = unicode(name) {
        return Ok(Key::Prints(character));
    }
    if name.bytes().all(|byte| byte.is_ascii_digit()) {
        // A keycode of X is the code of the key plus 8.
        let code = name
            .parse::<u16>()
            .ok()
            .and_then(|code| code.checked_sub(8))
            .filter(|code| (1..=247).contains(code));
        let code = code.ok_or_else(|| Unlike::from(format!("there is no X keycode {name}")))?;
        return Ok(Key::Named(KeyName::Code(KeyCode(code)).spell()));
    }
    known(name, name)
}

/// `U20AC` and `0x10020ac`.
fn unicode(name: &str) -> Option<char> {
    let number = match name.strip_prefix('U').filter(|hex| hex.len() >= 4) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => u32::from_str_radix(name.strip_prefix("0x100")?, 16).ok()?,
    };
    char::from_u32(number).filter(|character| !character.is_control())
}

fn known(ours: &str, name: &str) -> Result<Key, Unlike> {
    match KeyName::parse(ours) {
        Ok(KeyName::Code(code)) => Ok(Key::Named(KeyName::Code(code).spell())),
        Ok(KeyName::Character(character)) => Ok(Key::Prints(character)),
        Err(_) => {
            let names = NAMED.iter().map(|(name, _)| *name).chain(PRINTING.iter().map(|(name, _)| *name));
            let nearest = nearest(name, names.chain(SAME.iter().copied()));
            Err(Unlike { nearest, ..format!("there is no key {}", crate::run::quoted(name)).into() })
        }
    }
}

/// The modifiers and the key of `ctrl+shift+t`.
pub(super) fn chord(text: &str) -> Result<(Vec<String>, Key), Unlike> {
    let mut parts: Vec<&str> = text.split('+').collect();
    let last = parts.pop().filter(|last| !last.is_empty()).ok_or("expected keys joined by +")?;
    let mut modifiers = Vec::new();
    for part in parts {
        match key(part)? {
            Key::Named(name) if is_modifier(&name) => modifiers.push(name),
            _ => return Err(format!("{} is no modifier", crate::run::quoted(part)).into()),
        }
    }
    match key(last)? {
        Key::Named(name) if name.contains('+') => {
            let (modifier, name) = name.split_once('+').unwrap_or_default();
            modifiers.push(modifier.to_owned());
            Ok((modifiers, Key::Named(name.to_owned())))
        }
        key => Ok((modifiers, key)),
    }
}

fn is_modifier(name: &str) -> bool {
    KeyName::parse(name).is_ok_and(KeyName::is_modifier)
}
