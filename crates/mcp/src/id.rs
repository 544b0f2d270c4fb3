//! The id of a message that can't be read as a whole: too long, too many values, nested too deep, or with a number
//! that no type holds.
//!
//! A host that gets an error without the id of its request waits until its own limit. So the id is looked for in the
//! text, in one pass over it, in any pieces, in constant memory.

use serde_json::Value;

/// Longest id that is found, in bytes of its JSON.
const LONGEST: usize = 1024;

/// Looks at the members of the outermost object.
#[derive(Default)]
pub(crate) struct Finder {
    depth: u32,
    in_text: bool,
    is_escaped: bool,
    /// The bytes of the member that is being read, its name at first.
    member: Vec<u8>,
    /// Between the colon and the end of a member that is called "id".
    is_id: bool,
    id: Option<Value>,
    /// After the end of the object.
    is_over: bool,
    /// Something stands where it should not, so that nothing that was found can be trusted.
    is_odd: bool,
}

impl Finder {
    /// Takes in the next bytes of the line.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.take(*byte);
        }
    }

    /// The id, if the line was one whole object with one id that a request may have; else null.
    pub(crate) fn found(self) -> Value {
        let is_whole = self.is_over && !self.is_odd;
        self.id.filter(|id| is_whole && (id.is_string() || id.is_i64())).unwrap_or(Value::Null)
    }

    fn take(&mut self, byte: u8) {
        if self.in_text {
            self.keep(byte);
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.in_text = false,
                _ => {}
            }
            return;
        }
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => return,
            b'{' | b'[' => self.depth = self.depth.saturating_add(1),
            b'}' | b']' if self.depth == 1 => {
                self.end_of_member();
                self.is_over = true;
                self.depth = 0;
                return;
            }
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b':' if self.depth == 1 => {
                self.is_id = self.member == br#""id""#;
                self.member.clear();
                return;
            }
            b',' if self.depth == 1 => return self.end_of_member(),
            b'"' => self.in_text = true,
            _ => {}
        }
        // The object begins with a brace, and ends the line.
        self.is_odd |= self.is_over || self.depth == 0;
        if !(byte == b'{' && self.depth == 1) {
            self.keep(byte);
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.member.len() < LONGEST {
            self.member.push(byte);
        }
    }

    fn end_of_member(&mut self) {
        if std::mem::take(&mut self.is_id) {
            self.is_odd |= self.id.is_some();
            self.id = serde_json::from_slice(&self.member).ok();
        }
        self.member.clear();
    }
}

/// The id of a line that is there as a whole.
pub(crate) fn of(line: &[u8]) -> Value {
    let mut finder = Finder::default();
    finder.feed(line);
    finder.found()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_id_is_the_one_of_the_outermost_object() {
        for (line, id) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"x"}"#, json!(1)),
            (r#" { "id" : "a\"b" , "x" : [[[1e999]]] } "#, json!("a\"b")),
            (r#"{"params":{"id":7,"a":["id",{"id":8}]},"id":-3}"#, json!(-3)),
            (r#"{"a":"\"id\":5,","id":"}"}"#, json!("}")),
            (r#"{"params":{"id":7}}"#, Value::Null),
            (r#"{"id":1.5}"#, Value::Null),
            (r#"{"id":null}"#, Value::Null),
            (r#"{"id":[1]}"#, Value::Null),
            (r#"{"id":1,"id":2}"#, Value::Null),
            (r#"{"id":1"#, Value::Null),
            (r#"{"id":1}{"id":2}"#, Value::Null),
            (r#"[{"id":1}]"#, Value::Null),
            (r#"7{"id":1}"#, Value::Null),
            ("", Value::Null),
        ] {
            assert_eq!(of(line.as_bytes()), id, "{line}");
            let mut finder = Finder::default();
            line.as_bytes().chunks(1).for_each(|piece| finder.feed(piece));
            assert_eq!(finder.found(), id, "{line}, byte by byte");
        }
        assert_eq!(of(format!("{{\"id\":\"{}\"}}", "x".repeat(LONGEST)).as_bytes()), Value::Null);
    }
}
