//! One line from the host: a message, or the answer that says what is wrong with it.
//!
//! The SDK's own reader stays silent about lines that are not JSON. This one answers, as JSON-RPC 2.0 asks
//! (section 5.1: -32700, -32600 and -32602, with the id where it can be read and null where not), and serving goes on.

use crate::id;
use rmcp::model::ClientJsonRpcMessage;
use serde_json::{Value, json};

/// Longest line that is accepted, in bytes.
pub(crate) const LONGEST_LINE: usize = 16 << 20;
/// Most values (numbers, texts, lists, ...) in one message. A message is held as a tree, whose nodes take
/// many times the bytes of their text: this keeps 16 MiB of brackets from becoming a gigabyte.
const MOST_VALUES: usize = 1 << 16;

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMS: i32 = -32602;

/// What a line turned out to be.
pub(crate) enum Incoming {
    /// A message for the session.
    Message(Box<ClientJsonRpcMessage>),
    /// Nothing to answer: an empty line, or a broken notification.
    Nothing,
    /// Not a message; the line to answer with.
    Refused(Vec<u8>),
}

/// Reads one line.
pub(crate) fn read(line: &[u8]) -> Incoming {
    // RFC 8259 section 8.1 lets a reader ignore a byte order mark.
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Incoming::Nothing;
    }
    if values(line) > MOST_VALUES {
        let why = format!("the message has more than {MOST_VALUES} values");
        return refuse(INVALID_REQUEST, &id::of(line), &why);
    }
    match serde_json::from_slice(line) {
        Ok(message) => Incoming::Message(Box::new(message)),
        Err(_) => explain(line),
    }
}

/// The answer to a line that is too long.
pub(crate) fn too_long(id: &Value) -> Vec<u8> {
    error(INVALID_REQUEST, id, &format!("the message is longer than {LONGEST_LINE} bytes; it was skipped"))
}

/// The answer to a request whose id is already taken by a request that has not been answered yet.
pub(crate) fn id_in_use() -> Vec<u8> {
    error(INVALID_REQUEST, &Value::Null, "the id belongs to a request that has not been answered yet")
}

fn explain(line: &[u8]) -> Incoming {
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => {
            return refuse(PARSE_ERROR, &id::of(line), &format!("the line can't be read as JSON: {error}"));
        }
    };
    let Some(object) = value.as_object() else {
        let why = if value.is_array() {
            "batches are not part of this protocol: send one message a line"
        } else {
            "a message is a JSON object"
        };
        return refuse(INVALID_REQUEST, &Value::Null, why);
    };
    let id = object.get("id");
    if id.is_none() && object.get("method").is_some_and(Value::is_string) {
        return Incoming::Nothing;
    }
    let readable = id.filter(|id| id.is_string() || id.is_i64()).unwrap_or(&Value::Null);
    let has_odd_params = object.get("params").is_some_and(|params| !params.is_object());
    let why = match (object.get("jsonrpc").and_then(Value::as_str), id) {
        (version, _) if version != Some("2.0") => "jsonrpc must be \"2.0\"",
        (_, Some(_)) if readable.is_null() => "the id must be a text or an integer",
        _ if object.get("method").is_some_and(|method| !method.is_string()) => "the method must be a text",
        _ if has_odd_params => return refuse(INVALID_PARAMS, readable, "the params must be an object"),
        _ => "the message is neither a request, a notification nor an answer",
    };
    refuse(INVALID_REQUEST, readable, why)
}

fn refuse(code: i32, id: &Value, message: &str) -> Incoming {
    Incoming::Refused(error(code, id, message))
}

fn error(code: i32, id: &Value, message: &str) -> Vec<u8> {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
        .to_string()
        .into_bytes()
}

/// An upper bound of the number of JSON values in a line, from its separators outside texts.
fn values(line: &[u8]) -> usize {
    let (mut count, mut in_text, mut is_escaped) = (1, false, false);
    for byte in line {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            b',' | b':' | b'[' | b'{' if !in_text => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(line: &str) -> String {
        match read(line.as_bytes()) {
            Incoming::Message(_) => "message".into(),
            Incoming::Nothing => "nothing".into(),
            Incoming::Refused(line) => {
                let value: Value = serde_json::from_slice(&line).unwrap();
                format!("{} {}", value["error"]["code"], value["id"])
            }
        }
    }

    #[test]
    fn every_kind_of_line_is_told_apart() {
        assert_eq!(answer(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#), "message");
        assert_eq!(answer("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r"), "message");
        assert_eq!(answer(r#"{"jsonrpc":"2.0","method":"notifications/unheard_of"}"#), "message");
        assert_eq!(answer("  \r"), "nothing");
        assert_eq!(answer(r#"{"method":"notifications/initialized"}"#), "nothing");
        assert_eq!(answer("{"), "-32700 null");
        assert_eq!(answer(r#"{"jsonrpc":"2.0","id":1,"method":"ping","x":1e999}"#), "-32700 1");
        assert_eq!(answer("[]"), "-32600 null");
        assert_eq!(answer("7"), "-32600 null");
        assert_eq!(answer(r#"{"id":"a","method":"ping"}"#), "-32600 \"a\"");
        assert_eq!(answer(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#), "-32600 null");
        assert_eq!(answer(r#"{"jsonrpc":"2.0","id":4,"method":7}"#), "-32600 4");
        assert_eq!(answer(&format!("[{}]", "0,".repeat(MOST_VALUES + 1))), "-32600 null");
        assert_eq!(answer(&"[".repeat(1000)), "-32700 null");
        let deep = format!("{{\"params\":{}{},\"id\":9}}", "[".repeat(1000), "]".repeat(1000));
        assert_eq!(answer(&deep), "-32700 9");
    }

    #[test]
    fn separators_inside_texts_are_not_values() {
        assert_eq!(values(br#"{"a":"[,\",{"}"#), 3);
    }
}
