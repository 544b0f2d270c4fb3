//! What the server says: identity, versions, the list of tools, results.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::needless_pass_by_value,
    clippy::cast_possible_truncation,
    clippy::cast_lossless,
    reason = "a test may fail loudly, starts its own programs and files, and measures real time"
)]

mod host;

use crossmacro_mcp::{Options, ToolNames};
use crossmacro_platform::fake::FakeDesktop;
use host::{Host, Nothing, code};
use serde_json::{Value, json};
use std::sync::Arc;

fn tools(host: &mut Host) -> Vec<Value> {
    host.ask("tools/list", json!({}))["tools"].as_array().unwrap().clone()
}

fn names(host: &mut Host) -> Vec<String> {
    tools(host).iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_server_names_itself_and_teaches_the_order_of_work() {
    let mut host = Host::new(Arc::new(Nothing), Options::default(), false);
    let hello = host.greet("test");
    assert_eq!(hello["serverInfo"]["name"], "CrossMacro");
    assert_eq!(hello["serverInfo"]["title"], "CrossMacro MCP");
    assert_eq!(hello["capabilities"], json!({ "tools": {} }));
    assert!(hello["instructions"].as_str().unwrap().chars().count() <= 1_200);
}

#[test]
fn every_version_with_a_greeting_is_spoken_and_others_get_the_newest() {
    let versions = [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
        ("2999-01-01", "2025-11-25"),
    ];
    for (asked, given) in versions {
        let mut host = Host::new(Arc::new(Nothing), Options::default(), false);
        let client = json!({ "name": "test", "version": "1" });
        let hello = json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": client });
        assert_eq!(host.ask("initialize", hello)["protocolVersion"], given, "{asked}");
        assert!(!tools(&mut host).is_empty(), "{asked}");
    }
}

fn modern(version: &str, client: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": { "name": client, "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

#[test]
fn the_version_without_a_greeting_is_spoken() {
    let mut host = Host::new(Arc::new(Nothing), Options::default(), false);
    let meta = modern("2026-07-28", "claude-ai");
    let found = host.ask("server/discover", json!({ "_meta": meta }));
    assert!(found["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")), "{found}");
    assert!(found["instructions"].as_str().unwrap().contains("status_get"), "{found}");
    let list = host.ask("tools/list", json!({ "_meta": meta }));
    assert_eq!(list["resultType"], "complete");
    assert_eq!(list["tools"][0]["name"], "status_get");
    let params = json!({ "name": "cursor.position", "arguments": [], "_meta": meta });
    let result = host.ask("tools/call", params);
    assert_eq!((code(&result), &result["resultType"]), ("invalid_arguments", &json!("complete")));
    let unknown = host.ask("tools/list", json!({ "_meta": modern("2999-01-01", "test") }));
    assert_eq!(unknown["code"], -32022, "{unknown}");
}

#[test]
fn the_list_is_the_golden_one() {
    let mut host = Host::greeted(Arc::new(Nothing));
    let list = serde_json::to_string_pretty(&tools(&mut host)).unwrap() + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/tools-list.json");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &list).unwrap();
    }
    let golden = std::fs::read_to_string(path).unwrap_or_default();
    let first = golden.lines().zip(list.lines()).find(|(golden, list)| golden != list);
    assert!(golden == list, "tools/list has changed at {first:?}; if it should, run: cargo xtask bless");
}

#[test]
fn the_list_stays_small_and_says_what_clients_may_rely_on() {
    let mut host = Host::greeted(Arc::new(Nothing));
    let tools = tools(&mut host);
    // The budget is that of the tools which other servers have too; ours come on top.
    let ours = ["automation.list", "screen.wait_stable", "screen.wait_change", "screen.diff"];
    let known = || tools.iter().filter(|tool| !ours.contains(&tool["name"].as_str().unwrap()));
    let size = |keys: &[&str]| -> usize {
        known().map(|tool| keys.iter().map(|key| tool[*key].to_string().len()).sum::<usize>()).sum()
    };
    let inputs = size(&["name", "description", "inputSchema"]);
    let all = size(&["name", "description", "inputSchema", "outputSchema", "title", "annotations"]);
    assert!(inputs < 40 * 1024 && all < 120 * 1024, "{inputs} {all}");
    for tool in &tools {
        let name = tool["name"].as_str().unwrap();
        assert!(!tool["title"].as_str().unwrap().is_empty(), "{name}");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
        assert_eq!(tool["outputSchema"]["properties"]["outcome"]["type"], "object", "{name}");
        let hints = tool["annotations"].as_object().unwrap();
        let keys: Vec<&str> = hints.keys().map(String::as_str).collect();
        assert_eq!(keys, ["readOnlyHint", "destructiveHint", "idempotentHint"], "{name}");
        assert!(hints.values().all(Value::is_boolean), "{name}");
    }
    let reads: Vec<&str> = tools
        .iter()
        .filter(|tool| tool["annotations"]["readOnlyHint"] == true)
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert!(reads.contains(&"screen.read") && !reads.contains(&"clipboard.set_text"), "{reads:?}");
}

#[test]
fn clients_that_refuse_dots_see_none_and_everyone_may_use_either() {
    for (client, spelling, dotted) in [
        ("claude-ai", ToolNames::Auto, false),
        ("codex-mcp-client", ToolNames::Auto, false),
        ("claude-code", ToolNames::Auto, true),
        ("claude-ai", ToolNames::Dotted, true),
        ("anything", ToolNames::Underscore, false),
    ] {
        let options = Options { names: spelling, ..Options::default() };
        let mut host = Host::new(Arc::new(Nothing), options, false);
        let hello = host.greet(client);
        let names = names(&mut host);
        assert!(names.iter().all(|name| name.contains('.') == dotted), "{client}: {names:?}");
        assert_eq!(hello["instructions"].as_str().unwrap().contains("status.get"), dotted, "{client}");
        let listed = host.ask("tools/list", json!({})).to_string();
        assert_eq!(listed.contains("screenshot.capture"), dotted, "{client}");
        for name in ["status.get", "status_get"] {
            assert_eq!(host.call(name, json!({}))["isError"], false, "{client} {name}");
        }
    }
}

#[test]
fn a_narrowed_server_lists_and_offers_only_its_tools() {
    let chosen = vec!["window_query".to_owned(), "status.get".to_owned()];
    let options = Options { tools: Some(chosen), ..Options::default() };
    let mut host = Host::new(FakeDesktop::new().source(), options, false);
    host.greet("test");
    assert_eq!(names(&mut host), ["status.get", "window.query"]);
    assert_eq!(host.call("window.query", json!({ "mode": "list" }))["isError"], false);
    let refused = host.call("clipboard_get_text", json!({}));
    assert_eq!(code(&refused), "tool_not_allowed");
    let unknown = Options { tools: Some(vec!["no.tool".into()]), ..Options::default() };
    let context_ends = Host::silent(Arc::new(Nothing), unknown, false).end_with_error();
    assert!(context_ends.contains("no.tool") && context_ends.contains("status.get"), "{context_ends}");
}

#[test]
fn forbidden_tools_are_listed_or_hidden_and_always_refused_with_the_reason() {
    for hides_forbidden in [false, true] {
        let options = Options { hides_forbidden, ..Options::default() };
        let mut host = Host::new(FakeDesktop::new().source(), options, true);
        host.greet("test");
        let names = names(&mut host);
        assert!(names.iter().any(|name| name == "status.get"), "{names:?}");
        for forbidden in ["clipboard.set_text", "automation.start", "screenshot.capture"] {
            assert_eq!(names.iter().any(|name| name == forbidden), !hides_forbidden, "{forbidden}");
        }
        let refused = host.call("clipboard.set_text", json!({ "text": "x" }));
        assert_eq!(code(&refused), "capability_denied");
    }
}

#[test]
fn a_result_says_the_same_in_words_and_in_structure() {
    let desktop = FakeDesktop::new();
    let mut host = Host::greeted(desktop.source());
    let result = host.call("cursor.position", json!({}));
    assert_eq!(result["isError"], false);
    assert_eq!(result["structuredContent"]["point"], json!({ "x": 0, "y": 0 }));
    assert_eq!(result["content"][0]["text"], result["structuredContent"]["outcome"]["message"]);
    assert!(result.get("resultType").is_none(), "older clients don't know it");
    let picture = host.call("screenshot.capture", json!({ "includeImage": true }));
    assert_eq!(picture["content"][1]["type"], "image", "{picture}");
    assert_eq!(picture["content"][1]["mimeType"], "image/png");
    // A PNG starts with eight bytes that base64 spells so.
    assert!(picture["content"][1]["data"].as_str().unwrap().starts_with("iVBORw0KGgo"));
    assert!(!picture["structuredContent"].to_string().contains("iVBORw0KGgo"));
}

#[test]
fn faults_of_a_call_are_results_and_faults_of_the_protocol_are_errors() {
    let mut host = Host::greeted(FakeDesktop::new().source());
    let unknown = host.call("window.qeury", json!({}));
    assert_eq!(code(&unknown), "tool_not_allowed");
    assert!(unknown["content"][0]["text"].as_str().unwrap().contains("window.query"), "{unknown}");
    for arguments in [json!([]), json!("text"), json!(7), json!({ "mode": 7 }), json!({ "mode": "lsit" })] {
        assert_eq!(code(&host.call("window.query", arguments.clone())), "invalid_arguments", "{arguments}");
    }
    assert_eq!(host.ask("tools/call", json!({ "arguments": {} }))["code"], -32602);
    assert_eq!(host.ask("tools/call", json!({ "name": 7 }))["code"], -32602);
    assert_eq!(host.ask("tools/list", json!({ "cursor": "more" }))["code"], -32602);
    for method in ["tools/unheard_of", "prompts/list", "resources/list", ""] {
        assert_eq!(host.ask(method, json!({}))["code"], -32601, "{method}");
    }
}
