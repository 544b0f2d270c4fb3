//! `window ...`.

use super::{Shell, without_nulls};
use crate::arguments::{Target, Which, Window, Workspace};
use crate::render::Answer;
use serde_json::{Value, json};

pub(super) fn run(shell: &Shell, command: Window) -> Answer {
    match command {
        Window::Active => {
            let response = shell.call("window.query", json!({"mode": "active"}));
            Answer::of(&response, |reply| {
                let mut window = reply["windows"][0].clone();
                window.as_object_mut().map(|fields| fields.shift_remove("processName"));
                window
            })
        }
        Window::List => pages(shell, &json!({"mode": "list"})),
        Window::Search(which) => pages(shell, &selected(json!({"mode": "search"}), &which)),
        Window::Wait { which, timeout_ms } => {
            let arguments = selected(json!({"mode": "wait", "timeoutMs": timeout_ms}), &which);
            Answer::of(
                &shell.call("window.query", arguments),
                |reply| json!({"found": reply["found"], "window": reply["windows"][0], "timeoutMs": reply["timeoutMs"]}),
            )
        }
        Window::Focus(which) => change(shell, selected(json!({"action": "focus"}), &which)),
        Window::Close(which) => change(shell, selected(json!({"action": "close"}), &which)),
        Window::Move { target, x, y } => {
            change(shell, targeted(json!({"action": "move", "x": x, "y": y}), target))
        }
        Window::Resize { target, width, height } => {
            change(shell, targeted(json!({"action": "resize", "width": width, "height": height}), target))
        }
        Window::Center(target) => change(shell, targeted(json!({"action": "center"}), target)),
        Window::Maximize(target) => change(shell, targeted(json!({"action": "maximize"}), target)),
        Window::Minimize(target) => change(shell, targeted(json!({"action": "minimize"}), target)),
        Window::Restore(target) => change(shell, targeted(json!({"action": "restore"}), target)),
        Window::Fullscreen(target) => change(shell, targeted(json!({"action": "fullscreen"}), target)),
        Window::Float(target) => change(shell, targeted(json!({"action": "floating"}), target)),
        Window::Workspace(command) => workspace(shell, command),
    }
}

fn workspace(shell: &Shell, command: Workspace) -> Answer {
    match command {
        Workspace::Get => {
            let response = shell.call("window.query", json!({"mode": "workspaces"}));
            Answer::of(&response, |reply| {
                let all = reply["workspaces"].as_array();
                let shown = all.into_iter().flatten().find(|one| one["isCurrent"] == true);
                json!({"workspace": shown.map(|one| one["name"].clone())})
            })
        }
        Workspace::Switch { name } => {
            change(shell, json!({"action": "workspace_switch", "workspaceName": name}))
        }
        Workspace::MoveActive { name } => {
            change(shell, json!({"action": "workspace_move_active", "workspaceName": name}))
        }
        Workspace::MoveWindow { address, name } => change(
            shell,
            json!({"action": "workspace_move_window", "selectorKind": "address", "selectorValue": address, "workspaceName": name}),
        ),
    }
}

fn change(shell: &Shell, arguments: Value) -> Answer {
    let response = shell.call("window.control", arguments);
    Answer::of(&response, |reply| json!({"operation": reply["action"], "result": "ok"}))
}

/// All pages of a list: a person is not to count cursors.
fn pages(shell: &Shell, arguments: &Value) -> Answer {
    let mut windows = Vec::new();
    let mut arguments = arguments.clone();
    loop {
        let response = shell.call("window.query", arguments.clone());
        windows.extend(response.reply.get("windows").and_then(Value::as_array).cloned().unwrap_or_default());
        match response.reply.get("cursor") {
            Some(cursor) if response.outcome.success && !cursor.is_null() => {
                arguments["cursor"] = cursor.clone()
            }
            _ => {
                let count = windows.len();
                let mut answer = Answer::of(&response, |_| json!({"windows": windows, "count": count}));
                if answer.code == 0 {
                    answer.message = format!("{count} windows.");
                }
                return answer;
            }
        }
    }
}

fn selected(mut arguments: Value, which: &Which) -> Value {
    let given = [("title", &which.title), ("class", &which.class), ("address", &which.address)];
    if let Some((kind, Some(value))) = given.into_iter().find(|(_, value)| value.is_some()) {
        arguments["selectorKind"] = kind.into();
        arguments["selectorValue"] = value.clone().into();
    }
    without_nulls(arguments)
}

fn targeted(arguments: Value, target: Target) -> Value {
    selected(arguments, &Which { title: target.title, class: target.class, address: target.address })
}
