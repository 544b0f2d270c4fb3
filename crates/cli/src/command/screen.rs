//! `screen ...` and `screenshot`.

use super::{Shell, absolute, pick, search, without_nulls};
use crate::arguments::{Screen, Screenshot};
use crate::render::Answer;
use crossmacro_ops::Response;
use serde_json::{Value, json};

pub(super) fn read(shell: &Shell, command: Screen) -> Answer {
    match command {
        Screen::SearchImage(command) => search::search(shell, &command),
        Screen::WaitImage(command) => search::wait(shell, &command),
        Screen::ImageClick(command) => search::click(shell, &command),
        Screen::Pixel { relative, x, y } => pixel(shell, relative, x, y),
        Screen::WaitColor { x, y, color, timeout_ms } => {
            let arguments =
                json!({"mode": "wait_color", "x": x, "y": y, "color": color, "timeoutMs": timeout_ms});
            awaited(&shell.call("screen.read", arguments), |reply| {
                let mut data = pick(
                    reply,
                    &[
                        ("expectedColor", "/expectedColor"),
                        ("actualColor", "/color"),
                        ("providerName", "/providerName"),
                        ("matched", "/found"),
                        ("timeoutMs", "/timeoutMs"),
                    ],
                );
                data["x"] = x.into();
                data["y"] = y.into();
                data
            })
        }
        Screen::SearchColor { x1, y1, x2, y2, color, timeout_ms, tolerance } => {
            let arguments = json!({"mode": "search_color", "x": x1, "y": y1, "x2": x2, "y2": y2, "color": color,
                "timeoutMs": timeout_ms, "tolerance": tolerance});
            awaited(&shell.call("screen.read", arguments), |reply| {
                pick(
                    reply,
                    &[
                        ("found", "/found"),
                        ("x", "/point/x"),
                        ("y", "/point/y"),
                        ("color", "/color"),
                        ("expectedColor", "/expectedColor"),
                        ("regionX", "/region/x"),
                        ("regionY", "/region/y"),
                        ("regionWidth", "/region/width"),
                        ("regionHeight", "/region/height"),
                        ("tolerance", "/tolerance"),
                        ("providerName", "/providerName"),
                    ],
                )
            })
        }
    }
}

/// What was seen is told also when it is not what was waited for.
fn awaited(response: &Response, data: impl Fn(&Value) -> Value) -> Answer {
    let mut answer = Answer::of(response, &data);
    let reply = Value::Object(response.reply.clone());
    if answer.code != 0 && reply["found"] == false {
        answer.data = data(&reply);
    }
    answer
}

fn pixel(shell: &Shell, relative: bool, x: i32, y: i32) -> Answer {
    let (mut x, mut y) = (x, y);
    if relative {
        let response = shell.call("cursor.position", json!({}));
        let point = response.reply.get("point").cloned().unwrap_or_default();
        if !response.outcome.success {
            return Answer::of(&response, Value::clone);
        }
        let add = |distance: i32, name: &str| {
            let from = point[name].as_i64().and_then(|from| i32::try_from(from).ok()).unwrap_or(0);
            from.saturating_add(distance)
        };
        (x, y) = (add(x, "x"), add(y, "y"));
    }
    Answer::of(&shell.call("screen.read", json!({"mode": "pixel", "x": x, "y": y})), |reply| {
        let mut data = pick(
            reply,
            &[("x", "/point/x"), ("y", "/point/y"), ("color", "/color"), ("providerName", "/providerName")],
        );
        data["relative"] = relative.into();
        data
    })
}

pub(super) fn capture(shell: &Shell, command: Screenshot) -> Answer {
    if command.output.is_none() && !command.clipboard {
        return Answer::failed(
            2,
            "the picture has no destination",
            vec!["give --output PATH, --clipboard or both".into()],
        );
    }
    let region = command.region.unwrap_or_default();
    let number = |index: usize| region.get(index).copied().map_or(Value::Null, Value::from);
    let output = command.output.as_deref().map(absolute);
    let format = command.format.or_else(|| output.as_deref().and_then(format_of));
    let arguments = without_nulls(json!({
        "outputPath": output,
        "copyToClipboard": command.clipboard,
        "regionX": number(0), "regionY": number(1), "regionWidth": number(2), "regionHeight": number(3),
        "monitor": command.monitor,
        "windowAddress": command.window,
        "format": format,
        "maxWidth": command.max_width,
        "maxHeight": command.max_height,
        "includeCursor": command.cursor,
    }));
    Answer::of(&shell.call("screenshot.capture", arguments), |reply| {
        pick(
            reply,
            &[
                ("outputPath", "/outputPath"),
                ("width", "/width"),
                ("height", "/height"),
                ("format", "/format"),
                ("providerName", "/providerName"),
                ("isRegion", "/isRegion"),
                ("copiedToClipboard", "/copiedToClipboard"),
            ],
        )
    })
}

/// The format that the name of the file asks for.
fn format_of(path: &std::path::Path) -> Option<String> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "jpg" | "jpeg" => Some("jpeg".into()),
        "webp" => Some("webp".into()),
        _ => None,
    }
}
