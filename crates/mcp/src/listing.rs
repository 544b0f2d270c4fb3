//! The answer to tools/list as it goes out: the SDK's, with the schemas put in as the text that they are.
//!
//! As trees they would be read, copied and thrown away again for each client, which took most of the time from the
//! start of the process to its first answer.

use crate::catalog;
use crate::instructions::underscored;
use crossmacro_ops::registry::{Entry, Schemas};
use rmcp::model::{JsonRpcMessage, ServerJsonRpcMessage, ServerResult, Tool, ToolAnnotations};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// What stands in the SDK's answer in the place of the tools.
const NO_TOOLS: &str = r#""tools":[]"#;

/// A tool with both schemas as text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'a> {
    name: &'a str,
    title: Option<&'a str>,
    description: Option<&'a str>,
    input_schema: Cow<'a, RawValue>,
    output_schema: Cow<'a, RawValue>,
    annotations: Option<&'a ToolAnnotations>,
}

/// The line of an answer to tools/list; `None` for every other message.
pub(crate) fn line(message: &mut ServerJsonRpcMessage) -> Option<serde_json::Result<Vec<u8>>> {
    let JsonRpcMessage::Response(response) = &mut *message else { return None };
    let ServerResult::ListToolsResult(list) = &mut response.result else { return None };
    let tools = std::mem::take(&mut list.tools);
    Some(write(message, &tools))
}

fn write(message: &ServerJsonRpcMessage, tools: &[Tool]) -> serde_json::Result<Vec<u8>> {
    let rest = serde_json::to_string(message)?;
    let listed = tools.iter().filter_map(listed).collect::<serde_json::Result<Vec<_>>>()?;
    // The last one: the text of an id can't hold it, as its quotes are escaped.
    let Some((before, after)) = rest.rsplit_once(NO_TOOLS) else { return Ok(rest.into_bytes()) };
    let mut line = before.as_bytes().to_vec();
    line.extend_from_slice(br#""tools":"#);
    serde_json::to_writer(&mut line, &listed)?;
    line.extend_from_slice(after.as_bytes());
    Ok(line)
}

fn listed(tool: &Tool) -> Option<serde_json::Result<Listed<'_>>> {
    let entry = catalog::tool_named(&tool.name)?;
    Some(with_schemas(tool, entry))
}

fn with_schemas<'a>(tool: &'a Tool, entry: &'static Entry) -> serde_json::Result<Listed<'a>> {
    let is_underscored = tool.name != entry.spec().name;
    let Schemas { input, output } = entry.schemas();
    let schema = |text: &'static str| if is_underscored { respelled(text) } else { as_it_is(text) };
    Ok(Listed {
        name: &tool.name,
        title: tool.title.as_deref(),
        description: tool.description.as_deref(),
        input_schema: schema(input)?,
        output_schema: schema(output)?,
        annotations: tool.annotations.as_ref(),
    })
}

fn as_it_is(schema: &'static str) -> serde_json::Result<Cow<'static, RawValue>> {
    serde_json::from_str::<&RawValue>(schema).map(Cow::Borrowed)
}

fn respelled(schema: &str) -> serde_json::Result<Cow<'static, RawValue>> {
    let mut tree = serde_json::from_str(schema)?;
    respell(&mut tree);
    serde_json::value::to_raw_value(&tree).map(Cow::Owned)
}

/// Respells the descriptions, and nothing else, of a schema.
fn respell(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(text) if key == "description" => *text = underscored(text),
                    other => respell(other),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(respell),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::{ListToolsResult, RequestId};

    #[test]
    fn an_id_that_looks_like_the_place_of_the_tools_is_left_alone() {
        let id = RequestId::String(NO_TOOLS.into());
        let list = ListToolsResult::with_all_items(vec![Tool::new(
            "screen.read",
            "what it does",
            serde_json::Map::new(),
        )]);
        let mut message = ServerJsonRpcMessage::response(ServerResult::ListToolsResult(list), id);
        let line = line(&mut message).unwrap().unwrap();
        let value: Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(value["id"], NO_TOOLS);
        assert_eq!(value["result"]["tools"][0]["name"], "screen.read");
        assert_eq!(value["result"]["tools"][0]["inputSchema"]["additionalProperties"], false);
    }
}
