//! The table of bad input: each case gets its code, and the server goes on.

use super::server::{Server, call};
use serde_json::{Value, json};

/// What a line must be answered with.
enum Expected {
    /// No answer at all.
    Silence,
    /// A protocol error with this code and this id.
    Error(i64, Value),
    /// A tool result whose outcome has this code.
    Fault(&'static str),
}

use Expected::{Error, Fault, Silence};

const ID: i64 = 1;

struct Case {
    name: String,
    line: Vec<u8>,
    expected: Expected,
}

fn case(name: &str, line: impl Into<Vec<u8>>, expected: Expected) -> Case {
    Case { name: name.to_owned(), line: line.into(), expected }
}

fn id() -> Value {
    json!(ID)
}

/// Lines that are not JSON, or no message.
fn malformed() -> Vec<Case> {
    let parse = || Error(-32700, Value::Null);
    // The object is whole and has one id: the host is told which of its requests it was.
    let known = || Error(-32700, Value::from(1));
    let invalid = || Error(-32600, Value::Null);
    let request = |rest: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list"{rest}"#);
    vec![
        case("words", "hello", parse()),
        case("an open brace", "{", parse()),
        case("an open text", "\"abc", parse()),
        case("a cut message", request(""), parse()),
        case("a trailing comma", request(",}"), known()),
        case("two messages on a line", format!("{0}{0}", request("}")), parse()),
        case("something after the message", request("} x"), parse()),
        case("single quotes", "{'jsonrpc':'2.0'}", parse()),
        case("a comment", request("} // yes"), parse()),
        case("NaN", request(r#","params":{"x":NaN}}"#), known()),
        case("infinity", request(r#","params":{"x":Infinity}}"#), known()),
        case("a number beyond floating point", request(r#","params":{"x":1e999}}"#), known()),
        case("a leading zero", request(r#","params":{"x":01}}"#), known()),
        case("a hexadecimal number", request(r#","params":{"x":0x10}}"#), known()),
        case("invalid UTF-8", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}".to_vec(), known()),
        case(
            "an overlong UTF-8 form",
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc0\xaf\"}".to_vec(),
            known(),
        ),
        case("half of a surrogate pair", request(r#","params":{"x":"\ud800"}}"#), known()),
        case("a NUL byte", b"\0".to_vec(), parse()),
        case(
            "a NUL byte in a message",
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\0\"method\":\"ping\"}".to_vec(),
            known(),
        ),
        case(
            "a control character in a text",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\u{1}b\"}",
            known(),
        ),
        case("lists in lists", "[".repeat(60_000), parse()),
        case("objects in objects", "{\"a\":".repeat(30_000), parse()),
        case(
            "arguments nested too deeply",
            call(ID, "status.get", &json!({})).replace("{}", &deep(500)),
            known(),
        ),
        case("a header of another protocol", "Content-Length: 12\r", parse()),
        case("a request of HTTP", "GET / HTTP/1.1\r", parse()),
        case("random bytes", (0..=255_u8).filter(|byte| *byte != b'\n').collect::<Vec<u8>>(), parse()),
        case("null", "null", invalid()),
        case("a number", "42", invalid()),
        case("a text", "\"tools/list\"", invalid()),
        case("an empty batch", "[]", invalid()),
        case("a batch", format!("[{}]", request("}")), invalid()),
        case("an empty object", "{}", invalid()),
        case("no version", r#"{"id":1,"method":"tools/list"}"#, Error(-32600, id())),
        case("an older version", r#"{"jsonrpc":"1.0","id":1,"method":"tools/list"}"#, Error(-32600, id())),
        case(
            "a version that is a number",
            r#"{"jsonrpc":2.0,"id":1,"method":"tools/list"}"#,
            Error(-32600, id()),
        ),
        case("an id of null", r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#, invalid()),
        case("a fractional id", r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#, invalid()),
        case("an id that is a list", r#"{"jsonrpc":"2.0","id":[1],"method":"tools/list"}"#, invalid()),
        case("an id that is an object", r#"{"jsonrpc":"2.0","id":{},"method":"tools/list"}"#, invalid()),
        case("an id that is true", r#"{"jsonrpc":"2.0","id":true,"method":"tools/list"}"#, invalid()),
        case(
            "an id beyond 64 bits",
            r#"{"jsonrpc":"2.0","id":99999999999999999999,"method":"tools/list"}"#,
            invalid(),
        ),
        case("two ids", r#"{"jsonrpc":"2.0","id":1,"id":1,"method":"tools/list"}"#, Error(-32600, id())),
        case("no method", r#"{"jsonrpc":"2.0","id":1}"#, Error(-32600, id())),
        case("a method that is a number", r#"{"jsonrpc":"2.0","id":1,"method":5}"#, Error(-32600, id())),
        case("a request that is an answer", request(r#","result":{}}"#), Error(-32600, id())),
        case("too many values", format!("[{}0]", "0,".repeat(100_000)), invalid()),
        case("a line that is too long", vec![b' '; (16 << 20) + 1], invalid()),
        case(
            "a request with too many values",
            request(&format!(r#","params":[{}0]}}"#, "0,".repeat(100_000))),
            Error(-32600, id()),
        ),
        case(
            "a request that is too long",
            request(&format!(r#","params":"{}"}}"#, "x".repeat(16 << 20))),
            Error(-32600, id()),
        ),
    ]
}

/// Lines to which nobody may answer.
fn silent() -> Vec<Case> {
    vec![
        case("an empty line", "", Silence),
        case("a line of blanks", "  \t \r", Silence),
        case(
            "an unknown notification",
            r#"{"jsonrpc":"2.0","method":"notifications/nonsense","params":[1]}"#,
            Silence,
        ),
        case("a notification without a version", r#"{"method":"notifications/initialized"}"#, Silence),
        case(
            "the cancellation of nothing",
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":555}}"#,
            Silence,
        ),
        case(
            "a cancellation without an id",
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#,
            Silence,
        ),
        case(
            "a cancellation with an odd id",
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}"#,
            Silence,
        ),
        case("an answer to nothing", r#"{"jsonrpc":"2.0","id":4,"result":{}}"#, Silence),
        case(
            "an error for nothing",
            r#"{"jsonrpc":"2.0","id":4,"error":{"code":-1,"message":"no"}}"#,
            Silence,
        ),
        case(
            "a tool call without an id",
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"status.get"}}"#,
            Silence,
        ),
    ]
}

/// Messages that ask for what does not exist, or in the wrong shape.
fn misdirected() -> Vec<Case> {
    let request = |method: &str, params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":{},"params":{params}}}"#, json!(method))
    };
    let error = |code| Error(code, id());
    vec![
        case("an unknown method", request("tools/destroy", "{}"), error(-32601)),
        case("an empty method", request("", "{}"), error(-32601)),
        case("a method of a huge name", request(&"m".repeat(1 << 20), "{}"), error(-32601)),
        case("a method with a NUL", request("tools/\0list", "{}"), error(-32601)),
        case("prompts", request("prompts/list", "{}"), error(-32601)),
        case("resources", request("resources/read", r#"{"uri":"file:///etc/passwd"}"#), error(-32601)),
        case("a cursor that is none", request("tools/list", r#"{"cursor":"abc"}"#), error(-32602)),
        case("params that are a list", request("tools/call", "[]"), error(-32602)),
        case("params that are a text", request("tools/call", "\"status.get\""), error(-32602)),
        case("no tool name", request("tools/call", r#"{"arguments":{}}"#), error(-32602)),
        case("a tool name that is a number", request("tools/call", r#"{"name":7}"#), error(-32602)),
        case("a tool name that is null", request("tools/call", r#"{"name":null}"#), error(-32602)),
    ]
}

fn fault(name: &str, tool: &str, arguments: &str, code: &'static str) -> Case {
    let line = call(ID, tool, &json!("ARGUMENTS")).replace("\"ARGUMENTS\"", arguments);
    case(name, line, Fault(code))
}

/// Calls of what does not exist, or with arguments of the wrong kind.
fn refused() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add =
        |name: &str, tool: &str, arguments: &str, code| cases.push(fault(name, tool, arguments, code));
    let unknown = "tool_not_allowed";
    let invalid = "invalid_arguments";
    add("an unknown tool", "desktop.destroy", "{}", unknown);
    add("an empty tool name", "", "{}", unknown);
    add("a tool name in capitals", "STATUS.GET", "{}", unknown);
    add("a tool name with blanks", " status.get ", "{}", unknown);
    add("a tool name of a megabyte", &"t".repeat(1 << 20), "{}", unknown);
    add("a tool name with a NUL", "status.get\0", "{}", unknown);
    add("a tool name that is a path", "../../status.get", "{}", unknown);
    add("arguments that are a list", "status.get", "[1]", invalid);
    add("arguments that are a text", "status.get", "\"x\"", invalid);
    add("arguments that are true", "status.get", "true", invalid);
    add("arguments where none belong", "status.get", r#"{"verbose":true}"#, invalid);
    add("an unknown argument", "window.query", r#"{"mode":"list","colour":"red"}"#, invalid);
    add("a missing argument", "window.query", "{}", invalid);
    add("an unknown mode", "window.query", r#"{"mode":"everything"}"#, invalid);
    add("a mode that is a number", "window.query", r#"{"mode":1}"#, invalid);
    add("a mode that is null", "window.query", r#"{"mode":null}"#, invalid);
    cases
}

/// Calls with values that are out of bounds, or that don't go together.
fn out_of_bounds() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add =
        |name: &str, tool: &str, arguments: &str, code| cases.push(fault(name, tool, arguments, code));
    let invalid = "invalid_arguments";
    add(
        "a time limit below zero",
        "window.query",
        r#"{"mode":"wait","selectorKind":"title","selectorValue":"x","timeoutMs":-1}"#,
        invalid,
    );
    add(
        "a time limit beyond the bound",
        "window.query",
        r#"{"mode":"wait","selectorKind":"title","selectorValue":"x","timeoutMs":30001}"#,
        invalid,
    );
    add(
        "a selector that is too long",
        "window.query",
        &json!({ "mode": "search", "selectorKind": "title", "selectorValue": "x".repeat(1025) }).to_string(),
        invalid,
    );
    add("a coordinate as text", "screen.read", r#"{"mode":"pixel","x":"0","y":0}"#, invalid);
    add("a coordinate with a fraction", "screen.read", r#"{"mode":"pixel","x":0.5,"y":0}"#, invalid);
    add("a coordinate beyond 32 bits", "screen.read", r#"{"mode":"pixel","x":2147483648,"y":0}"#, invalid);
    add(
        "a coordinate beyond 64 bits",
        "screen.read",
        r#"{"mode":"pixel","x":99999999999999999999,"y":0}"#,
        invalid,
    );
    add("a huge coordinate", "screen.read", r#"{"mode":"pixel","x":1e300,"y":0}"#, invalid);
    add(
        "a colour that is none",
        "screen.read",
        r#"{"mode":"wait_color","x":0,"y":0,"color":"GGGGGG"}"#,
        invalid,
    );
    add(
        "a colour that is too long",
        "screen.read",
        r#"{"mode":"wait_color","x":0,"y":0,"color":"0000000"}"#,
        invalid,
    );
    add(
        "a region given by half",
        "screenshot.capture",
        r#"{"includeImage":true,"regionX":0,"regionY":0}"#,
        invalid,
    );
    add(
        "a region of no width",
        "screenshot.capture",
        r#"{"includeImage":true,"regionX":0,"regionY":0,"regionWidth":0,"regionHeight":5}"#,
        invalid,
    );
    add(
        "a region below zero",
        "screenshot.capture",
        r#"{"includeImage":true,"regionX":0,"regionY":0,"regionWidth":-5,"regionHeight":5}"#,
        invalid,
    );
    add(
        "a region that overflows",
        "screenshot.capture",
        r#"{"includeImage":true,"regionX":2147483647,"regionY":2147483647,"regionWidth":4294967295,"regionHeight":4294967295}"#,
        invalid,
    );
    add("a screenshot for nobody", "screenshot.capture", "{}", invalid);
    add("an operation id that is none", "automation.get", r#"{"operationId":"x"}"#, invalid);
    add(
        "an operation that is not known",
        "automation.get",
        &json!({ "operationId": "0".repeat(32) }).to_string(),
        invalid,
    );
    add("a clipboard text that is a list", "clipboard.set_text", r#"{"text":["a"]}"#, invalid);
    add(
        "a clipboard text that is too long",
        "clipboard.set_text",
        &json!({ "text": "x".repeat(1 << 20) }).to_string(),
        invalid,
    );
    add(
        "arguments of many megabytes",
        "clipboard.set_text",
        &json!({ "text": "x".repeat(15 << 20) }).to_string(),
        invalid,
    );
    add("a relative path", "image.read", r#"{"imagePath":"a.png"}"#, invalid);
    add("a path with a NUL", "image.read", r#"{"imagePath":"/tmp/a\u0000.png"}"#, invalid);
    add("a file that is not there", "image.read", r#"{"imagePath":"/nonexistent/a.png"}"#, "file_error");
    add("no display", "cursor.position", "{}", "environment_error");
    cases
}

fn deep(levels: usize) -> String {
    format!("{{\"a\":{}0{}}}", "[".repeat(levels), "]".repeat(levels))
}

fn check(server: &mut Server, case: &Case) {
    let Case { name, line, expected } = case;
    server.send(line);
    // A second request marks the end of what the line may be answered with. It is sent after the answer, because
    // calls are answered as they end.
    let answer = match expected {
        Silence => None,
        Error(..) | Fault(_) => Some(server.next().unwrap_or_else(|| panic!("{name}: the server ended"))),
    };
    match (expected, answer) {
        (Error(code, id), Some(answer)) => {
            assert_eq!(
                (answer["error"]["code"].as_i64(), &answer["id"]),
                (Some(*code), id),
                "{name}: {answer}"
            );
            assert!(answer["error"]["message"].as_str().unwrap().len() < 300, "{name}");
        }
        (Fault(code), Some(answer)) => {
            let outcome = &answer["result"]["structuredContent"]["outcome"];
            assert_eq!(
                (&outcome["errors"][0]["code"], &answer["id"]),
                (&json!(code), &id()),
                "{name}: {answer}"
            );
            assert_eq!(
                (&answer["result"]["isError"], &outcome["success"]),
                (&json!(true), &json!(false)),
                "{name}"
            );
            assert!(outcome.to_string().len() < 2_000, "{name}: a long input is not repeated");
        }
        _ => {}
    }
    server.send(br#"{"jsonrpc":"2.0","id":"after","method":"ping"}"#);
    let after = server.next().unwrap_or_else(|| panic!("{name}: the server ended"));
    assert_eq!((&after["id"], &after["result"]), (&json!("after"), &json!({})), "{name}: {after}");
}

#[test]
fn every_bad_line_gets_its_code_and_the_server_goes_on() {
    let cases: Vec<Case> =
        [malformed(), silent(), misdirected(), refused(), out_of_bounds()].into_iter().flatten().collect();
    assert!(cases.len() >= 60, "{}", cases.len());
    let mut server = Server::greeted(&[]);
    for case in &cases {
        check(&mut server, case);
    }
    server.still_serves();
    server.close_input();
    server.ends_well();
}

#[test]
fn the_same_lines_before_the_greeting_end_nothing() {
    let mut server = Server::start(&[]);
    for case in malformed().iter().chain(&silent()) {
        server.send(&case.line);
    }
    for case in misdirected().iter().chain(&refused()).filter(|case| case.line.len() < 10_000) {
        server.send(&case.line);
    }
    server.greet();
    server.still_serves();
    server.close_input();
    server.ends_well();
}

#[test]
fn duplicate_keys_in_arguments_take_the_last_value_as_the_schema_check_does() {
    let mut server = Server::greeted(&[]);
    let line = call(ID, "window.query", &json!("A")).replace("\"A\"", r#"{"mode":"list","mode":"nonsense"}"#);
    server.send(line.as_bytes());
    let answer = server.answer(&id());
    assert_eq!(answer["result"]["structuredContent"]["outcome"]["errors"][0]["code"], "invalid_arguments");
}
