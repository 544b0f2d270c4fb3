//! What the operations on text expansions say, save and keep back.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test, with files of its own")]

mod desk;

use desk::Desk;
use serde_json::{Value, json};

fn file(desk: &Desk) -> Value {
    let path = desk.home.path().join("config/profiles/default/text-expansions.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn an_expansion_lives_from_add_to_remove() {
    let desk = Desk::new();
    let arguments = json!({"trigger": ":sig", "replacement": "Grüße\nAda", "method": "shiftinsert", "insertionMode": "DIRECTTYPING"});
    let added = desk.ok("text_expansion.add", arguments);
    let shown = json!({"trigger": ":sig", "replacement": "Grüße\nAda", "isEnabled": true, "method": "ShiftInsert",
        "insertionMode": "DirectTyping", "directTypingMethod": "FastBatch"});
    assert_eq!(
        (&added["action"], &added["expansions"], &added["found"], &added["profileId"]),
        (&json!("add"), &json!([shown]), &json!(true), &json!("default"))
    );
    let stored = json!([{"trigger": ":sig", "replacement": "Grüße\nAda", "isEnabled": true, "method": 2, "insertionMode": 1, "directTypingMethod": 0}]);
    assert_eq!(file(&desk), stored);
    assert_eq!(
        desk.ok("text_expansion.disable", json!({"trigger": ":SIG"}))["expansions"][0]["isEnabled"],
        false
    );
    assert_eq!(file(&desk)[0]["isEnabled"], false);
    assert_eq!(
        desk.ok("text_expansion.test", json!({"trigger": ":Sig"}))["expansions"][0]["replacement"],
        "Grüße\nAda"
    );
    assert_eq!(
        desk.ok("text_expansion.enable", json!({"trigger": ":sig"}))["expansions"][0]["isEnabled"],
        true
    );
    assert_eq!(desk.ok("text_expansion.list", json!({"profile": ""}))["expansions"], json!([shown]));
    desk.ok("text_expansion.remove", json!({"trigger": ":sig"}));
    assert_eq!(file(&desk), json!([]));
    assert_eq!(desk.fake.timeline(), "", "nothing is typed");
}

#[test]
fn refusals_have_codes_and_no_text_of_the_user() {
    let desk = Desk::new();
    desk.ok("text_expansion.add", json!({"trigger": ":a", "replacement": "geheim"}));
    for (tool, arguments) in [
        ("text_expansion.add", json!({"trigger": ":A", "replacement": "geheim"})),
        ("text_expansion.add", json!({"trigger": " ", "replacement": "geheim"})),
        ("text_expansion.add", json!({"trigger": "x".repeat(51), "replacement": "geheim"})),
        ("text_expansion.add", json!({"trigger": "😀".repeat(26), "replacement": "geheim"})),
        ("text_expansion.add", json!({"trigger": ":b", "replacement": "geheim", "method": "CtrlX"})),
        ("text_expansion.add", json!({"trigger": ":b"})),
        ("text_expansion.remove", json!({"trigger": ":b"})),
        ("text_expansion.test", json!({"trigger": ":b"})),
        ("text_expansion.enable", json!({"trigger": ":a", "profile": "nobody"})),
    ] {
        let response = desk.call(tool, arguments.clone());
        let structured = response.structured();
        assert_eq!(response.outcome.errors[0].code, "invalid_arguments", "{tool} {arguments}");
        assert_eq!((&structured["expansions"], &structured["found"]), (&json!([]), &json!(false)));
        assert!(!structured.to_string().contains("geheim"));
    }
    let response =
        desk.call("text_expansion.add", json!({"trigger": ":b", "replacement": "", "method": "CtrlVV"}));
    assert_eq!(response.outcome.errors[0].details["accepted"], json!(["CtrlV", "CtrlShiftV", "ShiftInsert"]));
    assert!(!desk.call("text_expansion.test", json!({"trigger": ":a"})).text().contains("geheim"));
}

#[test]
fn reading_and_writing_are_two_capabilities() {
    let desk = Desk::new();
    let settings = desk.context.settings();
    settings.set("mcp.textExpansionWrite", "no").unwrap();
    desk.ok("text_expansion.list", json!({}));
    assert_eq!(
        desk.fault("text_expansion.add", json!({"trigger": ":a", "replacement": ""})).0,
        "capability_denied"
    );
    settings.set("mcp.textExpansionWrite", "yes").unwrap();
    settings.set("mcp.textExpansionRead", "no").unwrap();
    desk.ok("text_expansion.add", json!({"trigger": ":a", "replacement": ""}));
    assert_eq!(desk.fault("text_expansion.test", json!({"trigger": ":a"})).0, "capability_denied");
}
