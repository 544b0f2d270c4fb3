//! `window ...`.

use super::{Shell, without_nulls};
use crate::arguments::{DryRun, OneOf, Target, Which, Window, Workspace};
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
        Window::Focus { which, dry } => change(shell, selected(json!({"action": "focus"}), &which), dry),
        Window::Close { which, dry } => change(shell, selected(json!({"action": "close"}), &which), dry),
        Window::Move { target, x, y } => on_target(shell, json!({"action": "move", "x": x, "y": y}), target),
        Window::Resize { target, width, height } => {
            on_target(shell, json!({"action": "resize", "width": width, "height": height}), target)
        }
        Window::Center(target) => on_target(shell, json!({"action": "center"}), target),
        Window::Maximize(target) => on_target(shell, json!({"action": "maximize"}), target),
        Window::Minimize(target) => on_target(shell, json!({"action": "minimize"}), target),
        Window::Restore(target) => on_target(shell, json!({"action": "restore"}), target),
        Window::Fullscreen(target) => on_target(shell, json!({"action": "fullscreen"}), target),
        Window::Float(target) => on_target(shell, json!({"action": "floating"}), target),
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
        Workspace::Switch { name, dry } => {
            change(shell, json!({"action": "workspace_switch", "workspaceName": name}), dry)
        }
        Workspace::MoveActive { name, dry } => {
            change(shell, json!({"action": "workspace_move_active", "workspaceName": name}), dry)
        }
        Workspace::MoveWindow { address, name, dry } => change(
            shell,
            json!({"action": "workspace_move_window", "selectorKind": "address", "selectorValue": address, "workspaceName": name}),
            dry,
        ),
    }
}

fn change(shell: &Shell, arguments: Value, dry: DryRun) -> Answer {
    if dry.dry_run {
        return rehearse(shell, arguments);
    }
    let response = shell.call("window.control", arguments);
    Answer::of(&response, |reply| json!({"operation": reply["action"], "result": "ok"}))
}

fn on_target(shell: &Shell, arguments: Value, target: Target) -> Answer {
    let OneOf { title, class, address, .. } = target.name;
    change(shell, selected(arguments, &Which { title, class, address }), target.dry)
}

/// Checks the arguments, and that the window is there.
fn rehearse(shell: &Shell, arguments: Value) -> Answer {
    let action = arguments["action"].clone();
    let query = match (&arguments["selectorKind"], &arguments["workspaceName"]) {
        (Value::Null, Value::Null) => json!({"mode": "active"}),
        (Value::Null, _) => json!({"mode": "workspaces"}),
        (kind, _) => {
            json!({"mode": "search", "selectorKind": kind, "selectorValue": arguments["selectorValue"]})
        }
    };
    let checked = shell.rehearse("window.control", arguments);
    let answer = Answer::of(&checked, |_| json!({"operation": action, "result": "dry-run"}));
    if answer.code != 0 {
        return answer;
    }
    let found = shell.call("window.query", query);
    if !found.outcome.success {
        return Answer::of(&found, Value::clone);
    }
    if found.reply["mode"] == "search" && found.reply["totalCount"] == 0 {
        return Answer::failed(6, "no window matches", Vec::new());
    }
    answer
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
                arguments["cursor"] = cursor.clone();
            }
            _ => {
                let count = windows.len();
                let mut answer = Answer::of(&response, |_| json!({"windows": windows, "count": count}));
                if answer.code == 0 {
                    answer.message =
                        if count == 1 { "1 window.".into() } else { format!("{count} windows.") };
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
