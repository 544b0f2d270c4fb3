//! `screen search-image`, `wait-image` and `image-click`.

use super::{Shell, absolute, pick, without_nulls};
use crate::render::Answer;
use clap::{Args, ValueEnum};
use crossmacro_engine::operations::Id;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// What to look for.
#[derive(Args)]
pub(crate) struct Target {
    /// The picture, a PNG file; transparent pixels match anything
    #[arg(value_name = "PNG")]
    image: PathBuf,
    /// Only in this rectangle
    #[arg(long, num_args = 4, value_names = ["X", "Y", "W", "H"], allow_negative_numbers = true)]
    region: Option<Vec<i64>>,
    /// Least similarity, 0 to 1; 1 means every pixel equal
    #[arg(long, value_name = "S", default_value_t = 0.95)]
    similarity: f64,
    /// auto (best, also at other scales), first (topmost) or best (at its own size)
    #[arg(long, value_name = "MODE", value_enum, ignore_case = true, default_value = "auto")]
    matchmode: MatchMode,
    /// Draw the places, their scores and the region on a picture of the desktop, and write it here
    #[arg(long, value_name = "PNG")]
    explain: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
enum MatchMode {
    Auto,
    First,
    Best,
}

#[derive(Args)]
pub(crate) struct SearchImage {
    #[command(flatten)]
    target: Target,
}

#[derive(Args)]
pub(crate) struct WaitImage {
    #[command(flatten)]
    target: Target,
    /// How long to wait
    #[arg(long, default_value_t = 5000, value_name = "MS")]
    timeout_ms: u32,
}

#[derive(Args)]
pub(crate) struct ImageClick {
    #[command(flatten)]
    target: Target,
    /// How long to wait for it
    #[arg(long, default_value_t = 5000, value_name = "MS")]
    timeout_ms: u32,
    /// left, right or middle
    #[arg(long, value_enum, ignore_case = true, default_value = "left")]
    button: Button,
    /// Click this far right of the middle, and this far below it
    #[arg(long, num_args = 2, value_names = ["DX", "DY"], allow_negative_numbers = true)]
    offset: Option<Vec<i32>>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Button {
    Left,
    Right,
    Middle,
}

impl Button {
    fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Middle => "middle",
        }
    }
}

impl Target {
    fn arguments(&self, timeout_ms: u32) -> Value {
        let region = self.region.as_deref().unwrap_or_default();
        let number = |index: usize| region.get(index).copied().map_or(Value::Null, Value::from);
        json!({
            "imagePath": absolute(&self.image),
            "regionX": number(0), "regionY": number(1), "regionWidth": number(2), "regionHeight": number(3),
            "similarity": self.similarity,
            "matchMode": match self.matchmode {
                MatchMode::Auto => "auto",
                MatchMode::First => "first",
                MatchMode::Best => "best",
            },
            "explainPath": self.explain.as_deref().map(absolute),
            "timeoutMs": timeout_ms,
        })
    }
}

const FIELDS: &[(&str, &str)] = &[
    ("found", "/found"),
    ("x", "/point/x"),
    ("y", "/point/y"),
    ("width", "/size/width"),
    ("height", "/size/height"),
    ("score", "/score"),
    ("imagePath", "/imagePath"),
    ("regionX", "/region/x"),
    ("regionY", "/region/y"),
    ("regionWidth", "/region/width"),
    ("regionHeight", "/region/height"),
    ("similarity", "/similarity"),
    ("matchMode", "/matchMode"),
    ("providerName", "/providerName"),
];

pub(super) fn search(shell: &Shell, command: &SearchImage) -> Answer {
    find(shell, &command.target, 0)
}

pub(super) fn wait(shell: &Shell, command: &WaitImage) -> Answer {
    find(shell, &command.target, command.timeout_ms)
}

fn find(shell: &Shell, target: &Target, timeout_ms: u32) -> Answer {
    let response = shell.call("screen.find_image", without_nulls(target.arguments(timeout_ms)));
    Answer::of(&response, |reply| data(reply, target))
}

fn data(reply: &Value, target: &Target) -> Value {
    let mut data = pick(reply, FIELDS);
    // The picture that was looked for, found or not.
    data["imagePath"] = absolute(&target.image).to_string_lossy().into();
    data
}

/// Finds it, and clicks where it is. Two places that match equally well are no place to click.
pub(super) fn click(shell: &Shell, command: &ImageClick) -> Answer {
    let mut arguments = command.target.arguments(command.timeout_ms);
    if let Some([dx, dy]) = command.offset.as_deref() {
        arguments["offsetX"] = (*dx).into();
        arguments["offsetY"] = (*dy).into();
    }
    let response = shell.call("screen.find_image", without_nulls(arguments));
    let mut answer = Answer::of(&response, |reply| data(reply, &command.target));
    if !response.outcome.success {
        return answer;
    }
    let reply = Value::Object(response.reply.clone());
    let is_ambiguous = answer.warnings.iter().any(|warning| warning.starts_with("ambiguous_match"));
    let failure = match (reply["found"] == true, is_ambiguous && command.target.matchmode == MatchMode::Auto)
    {
        (true, false) => click_at(shell, &reply["clickPoint"], command.button).err(),
        (true, true) => Some("ambiguous_match: two places match, so nothing was clicked".into()),
        (false, _) => Some("the picture was not found, so nothing was clicked".into()),
    };
    answer.data["clickX"] = reply["clickPoint"]["x"].clone();
    answer.data["clickY"] = reply["clickPoint"]["y"].clone();
    answer.data["button"] = command.button.name().into();
    match failure {
        None => answer.message = format!("{} Clicked.", answer.message),
        Some(why) => {
            (answer.code, answer.message) = (6, why.clone());
            answer.errors.push(why);
        }
    }
    answer
}

fn click_at(shell: &Shell, at: &Value, button: Button) -> Result<(), String> {
    let steps = [format!("move abs {} {}", at["x"], at["y"]), format!("click {}", button.name())];
    let response = shell.call("automation.start", json!({"kind": "run", "steps": steps}));
    let id = response.reply.get("operation").and_then(|operation| operation["operationId"].as_str());
    let Some(id) = id.and_then(Id::parse) else { return Err(response.outcome.message.clone()) };
    let operations = &shell.context.operations;
    operations.wait(id, Duration::from_secs(30), &shell.cancel);
    match operations.get(id).and_then(|operation| operation.result).as_deref() {
        Some(Ok(_)) => Ok(()),
        Some(Err(fault)) => Err(fault.to_string()),
        None => {
            operations.stop(id);
            Err("the click was not carried out in time".into())
        }
    }
}
