//! What the clipboard operations say and do.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test, with files of its own")]

mod desk;

use crossmacro_platform::fake::FakeClipboard;
use desk::Desk;
use serde_json::{Value, json};

#[test]
fn text_goes_both_ways_and_is_never_echoed() {
    let desk = Desk::new();
    let response = desk.call("clipboard.set_text", json!({"text": "geheim 😀"}));
    assert_eq!(response.structured()["length"], 9);
    assert!(!response.structured().to_string().contains("geheim"));
    assert_eq!(desk.fake.clipboard().text.as_deref(), Some("geheim 😀"));
    assert_eq!(desk.ok("clipboard.get_text", json!({}))["text"], "geheim 😀");
}

#[test]
fn the_limit_counts_utf_16_units() {
    let desk = Desk::new();
    // Each of these is two units, so half as many characters as the schema's bound are already too many.
    let (code, _) = desk.fault("clipboard.set_text", json!({"text": "😀".repeat(32_769)}));
    assert_eq!(code, "invalid_arguments");
    assert_eq!(desk.fake.timeline(), "");
    desk.ok("clipboard.set_text", json!({"text": "😀".repeat(32_768)}));
    desk.fake.set_clipboard(FakeClipboard { text: Some("x".repeat(65_537)), png: None });
    let response = desk.call("clipboard.get_text", json!({}));
    assert_eq!(response.outcome.errors[0].code, "runtime_error");
    assert_eq!(response.structured()["text"], Value::Null);
}

#[test]
fn an_empty_text_empties_the_clipboard() {
    let desk = Desk::new();
    desk.fake.set_clipboard(FakeClipboard { text: Some("old".into()), png: None });
    desk.ok("clipboard.set_text", json!({"text": ""}));
    assert_eq!(desk.fake.clipboard(), FakeClipboard::default());
    assert_eq!(desk.ok("clipboard.get_text", json!({}))["text"], Value::Null);
}

#[test]
fn a_broken_picture_is_found_before_it_is_shown() {
    let desk = Desk::new();
    assert_eq!(desk.ok("clipboard.get_image", json!({}))["imageAvailable"], false);
    desk.fake.set_clipboard(FakeClipboard { text: None, png: Some(b"\x89PNG\r\n\x1a\nnonsense".to_vec()) });
    let response = desk.call("clipboard.get_image", json!({"includeImage": true}));
    assert_eq!(response.outcome.errors[0].code, "validation_error");
    assert_eq!(response.structured()["imageAvailable"], true);
    assert!(response.picture.is_none());
}
