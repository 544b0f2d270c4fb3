//! `clipboard ...`.

use super::{Shell, absolute};
use crate::arguments::Clipboard;
use crate::render::Answer;
use crossmacro_model::limits::CLIPBOARD_TEXT;
use serde_json::{Value, json};
use std::io::Read;
use std::path::Path;

pub(super) fn run(shell: &Shell, command: Clipboard) -> Answer {
    match command {
        Clipboard::Get { image: None } => text(shell),
        Clipboard::Get { image: Some(path) } => picture(shell, &path),
        Clipboard::Set { image: Some(path), dry, .. } => {
            let arguments = json!({"imagePath": absolute(&path)});
            let response = shell.call_or_rehearse(dry.dry_run, "clipboard.set_image", arguments);
            Answer::of(&response, |reply| json!({"length": reply["pngByteCount"], "source": "image"}))
        }
        Clipboard::Set { file: Some(path), dry, .. } => match read_text(&path) {
            Ok(text) => set(shell, &text, "file", dry.dry_run),
            Err(answer) => answer,
        },
        Clipboard::Set { text, dry, .. } => set(shell, &text.unwrap_or_default(), "argument", dry.dry_run),
        Clipboard::Clear(dry) => {
            let arguments = json!({"text": ""});
            let response = shell.call_or_rehearse(dry.dry_run, "clipboard.set_text", arguments);
            let mut answer = Answer::of(&response, |_| Value::Null);
            if answer.code == 0 && !dry.dry_run {
                answer.message = "The clipboard is empty.".into();
            }
            answer
        }
    }
}

fn text(shell: &Shell) -> Answer {
    let response = shell.call("clipboard.get_text", json!({}));
    let mut answer = Answer::of(&response, |reply| json!({"value": reply["text"]}));
    answer.raw = Some(answer.data["value"].as_str().unwrap_or_default().to_owned());
    answer
}

fn picture(shell: &Shell, path: &Path) -> Answer {
    let response = shell.call("clipboard.get_image", json!({"includeImage": true}));
    let mut answer = Answer::of(
        &response,
        |reply| json!({"width": reply["width"], "height": reply["height"], "outputPath": absolute(path)}),
    );
    let Some(picture) = response.picture else {
        if answer.code == 0 {
            return Answer::failed(6, answer.message, Vec::new());
        }
        return answer;
    };
    match shell.context.write_picture(&absolute(path), &picture.bytes) {
        Ok(()) => answer.message = format!("{} Written to the file.", answer.message),
        Err(fault) => {
            return Answer::failed(fault.code.exit(), fault.message.clone(), vec![fault.to_string()]);
        }
    }
    answer
}

fn set(shell: &Shell, text: &str, source: &str, is_dry: bool) -> Answer {
    let response = shell.call_or_rehearse(is_dry, "clipboard.set_text", json!({"text": text}));
    Answer::of(&response, |reply| json!({"length": reply["length"], "source": source}))
}

fn read_text(path: &Path) -> Result<String, Answer> {
    let limit = CLIPBOARD_TEXT.value * 4;
    let fail = |code, why: String| Answer::failed(code, format!("the file can't be used: {why}"), Vec::new());
    let file = std::fs::File::open(path).map_err(|error| fail(3, error.to_string()))?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| fail(3, error.to_string()))?;
    if bytes.len() as u64 > limit {
        return Err(fail(2, format!("it is longer than {} characters", CLIPBOARD_TEXT.value)));
    }
    String::from_utf8(bytes).map_err(|_| fail(4, "it is not UTF-8 text".into()))
}
