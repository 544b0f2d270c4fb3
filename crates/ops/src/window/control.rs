//! `window.control`: focuses, closes, moves and changes windows.

use super::selector::{Kind, Selector};
use super::{Shown, not_found};
use crate::context::{Call, Context};
use crate::limits;
use crate::operation::{Audience, Done, Effect, Hints, Operation, Spec};
use crossmacro_engine::fault::from_platform;
use crossmacro_engine::windows::{matching, workspace};
use crossmacro_model::limits::SELECTOR;
use crossmacro_model::{Capability, Code, Delivered, Fault, Point, Size};
use crossmacro_platform::{Change, Error, Window, WindowId, Windows};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct Control;

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    Focus,
    Close,
    Move,
    Resize,
    Center,
    Maximize,
    Minimize,
    Restore,
    Fullscreen,
    Floating,
    /// The same as floating.
    Float,
    WorkspaceSwitch,
    WorkspaceMoveActive,
    WorkspaceMoveWindow,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// focus and close need a selector; other window actions act on the selected window, without one on the focused. move: the frame's top left corner goes to x, y. resize: size of the inner area. maximize, fullscreen and floating (keep above others; also float) toggle unless enabled says which. restore undoes minimize, maximize and fullscreen. The workspace actions need workspaceName, workspace_move_window an address too.
    action: Action,
    /// What selectorValue is.
    selector_kind: Option<Kind>,
    /// Address from window.query, or part of title or class in any case (or exact: or regex: before it). The topmost match is taken.
    #[schemars(length(min = 1, max = 1024))]
    selector_value: Option<String>,
    /// Only move: left edge of the frame, in logical units.
    x: Option<i32>,
    /// Only move: top edge of the frame.
    y: Option<i32>,
    /// Only resize: width of the inner area.
    #[schemars(range(min = 1, max = 32_767))]
    width: Option<u32>,
    /// Only resize: height of the inner area.
    #[schemars(range(min = 1, max = 32_767))]
    height: Option<u32>,
    /// Only maximize, fullscreen, floating: true is on, false off.
    enabled: Option<bool>,
    /// The workspace's name, or its number from 1.
    #[schemars(length(min = 1, max = 1024))]
    workspace_name: Option<String>,
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// The action that was carried out.
    action: Option<&'static str>,
    /// True when the effect was seen; null on failure.
    changed: Option<bool>,
    /// The workspace that was switched to or moved to.
    workspace: Option<String>,
    /// The window after the change; null when it is gone, none was involved, or WindowRead is not granted.
    window: Option<Shown>,
}

impl Operation for Control {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "window.control",
        title: "Control desktop windows",
        summary: "Focuses, closes, moves, resizes, centres, maximises, minimises, restores or keeps a window above others, and switches workspaces. Succeeds only when the effect was seen.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: true, idempotent: false },
        needs: &[Capability::WindowControl],
        any_of: &[],
        modes: &[],
    };

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        params.check()?;
        let selector = params.selector()?;
        let windows = context.windows()?;
        let _turn = context.window_turn();
        if params.workspace_name.is_some() {
            return to_workspace(context, &*windows, call, &params, selector.as_ref());
        }
        let (window, matches) = target(&*windows, selector.as_ref())?;
        let change = params.change(&window)?;
        apply(&*windows, &window, change, call)?;
        let after = shown(context, call, &*windows, window.id);
        let message = params.sentence(change, matches);
        let reply = Reply {
            action: Some(params.action.name()),
            changed: Some(true),
            window: after,
            ..Reply::default()
        };
        let done = Done::new(reply, message);
        Ok(match matches {
            0 | 1 => done,
            _ => done.warn(format!("{matches} windows match; the topmost was taken")),
        })
    }
}

impl Action {
    fn name(self) -> &'static str {
        match self {
            Self::Focus => "focus",
            Self::Close => "close",
            Self::Move => "move",
            Self::Resize => "resize",
            Self::Center => "center",
            Self::Maximize => "maximize",
            Self::Minimize => "minimize",
            Self::Restore => "restore",
            Self::Fullscreen => "fullscreen",
            Self::Floating | Self::Float => "floating",
            Self::WorkspaceSwitch => "workspace_switch",
            Self::WorkspaceMoveActive => "workspace_move_active",
            Self::WorkspaceMoveWindow => "workspace_move_window",
        }
    }

    /// The arguments it needs, and those it accepts besides. Every other one is refused.
    fn arguments(self) -> (&'static [&'static str], &'static [&'static str]) {
        const SELECTOR: &[&str] = &["selectorKind", "selectorValue"];
        match self {
            Self::Focus | Self::Close => (SELECTOR, &[]),
            Self::Move => (&["x", "y"], SELECTOR),
            Self::Resize => (&["width", "height"], SELECTOR),
            Self::Center | Self::Minimize | Self::Restore => (&[], SELECTOR),
            Self::Maximize | Self::Fullscreen | Self::Floating | Self::Float => {
                (&[], &["selectorKind", "selectorValue", "enabled"])
            }
            Self::WorkspaceSwitch | Self::WorkspaceMoveActive => (&["workspaceName"], &[]),
            Self::WorkspaceMoveWindow => (&["selectorKind", "selectorValue", "workspaceName"], &[]),
        }
    }
}

impl Params {
    fn check(&self) -> Result<(), Fault> {
        let given = [
            ("selectorKind", self.selector_kind.is_some()),
            ("selectorValue", self.selector_value.is_some()),
            ("x", self.x.is_some()),
            ("y", self.y.is_some()),
            ("width", self.width.is_some()),
            ("height", self.height.is_some()),
            ("enabled", self.enabled.is_some()),
            ("workspaceName", self.workspace_name.is_some()),
        ];
        let (needed, accepted) = self.action.arguments();
        let action = self.action.name();
        for (name, is_given) in given {
            if needed.contains(&name) && !is_given {
                return Err(
                    Fault::arguments(format!("the action {action} needs {name}")).detail("argument", name)
                );
            }
            if is_given && !needed.contains(&name) && !accepted.contains(&name) {
                return Err(Fault::arguments(format!("{name} does not belong to the action {action}"))
                    .detail("argument", name));
            }
        }
        if let Some(name) = &self.workspace_name {
            limits::utf16("workspaceName", name, SELECTOR)?;
        }
        Ok(())
    }

    fn selector(&self) -> Result<Option<Selector>, Fault> {
        match (self.selector_kind, &self.selector_value) {
            (None, None) => Ok(None),
            (Some(kind), Some(value)) => {
                if self.action == Action::WorkspaceMoveWindow && kind != Kind::Address {
                    return Err(Fault::arguments(
                        "the action workspace_move_window needs selectorKind address",
                    ));
                }
                Selector::new(kind, value).map(Some)
            }
            _ => Err(Fault::arguments("selectorKind and selectorValue belong together")),
        }
    }

    fn change(&self, window: &Window) -> Result<Change, Fault> {
        Ok(match self.action {
            Action::Focus => Change::Focus,
            Action::Close => Change::Close,
            Action::Move => Change::Move(Point::new(self.x.unwrap_or(0), self.y.unwrap_or(0))),
            Action::Resize => Change::Resize(Size::new(self.width.unwrap_or(1), self.height.unwrap_or(1))),
            Action::Center => Change::Center,
            Action::Minimize => Change::Minimize,
            Action::Restore => Change::Restore,
            Action::Maximize => Change::Maximize(self.enabled.unwrap_or(!window.is_maximized)),
            Action::Fullscreen => Change::Fullscreen(self.enabled.unwrap_or(!window.is_fullscreen)),
            Action::Floating | Action::Float => Change::Above(self.enabled.unwrap_or(!window.is_above)),
            Action::WorkspaceSwitch | Action::WorkspaceMoveActive | Action::WorkspaceMoveWindow => {
                return Err(Fault::arguments("the workspace actions need workspaceName"));
            }
        })
    }

    fn sentence(&self, change: Change, matches: usize) -> String {
        let which = if matches == 0 { "The focused window" } else { "The window" };
        match change {
            Change::Focus => format!("{which} has the keyboard focus."),
            Change::Close => format!("{which} is closed."),
            Change::Move(to) => format!("{which} is at {to}."),
            Change::Resize(_) => format!("{which} has the new size."),
            Change::Center => format!("{which} is in the middle of its monitor."),
            Change::Minimize => format!("{which} is minimised."),
            Change::Restore => format!("{which} is restored."),
            Change::Maximize(on) => format!("{which} is {}maximised.", if on { "" } else { "no longer " }),
            Change::Fullscreen(on) => format!("{which} is {}fullscreen.", if on { "" } else { "no longer " }),
            Change::Above(on) => {
                format!("{which} is {}kept above others.", if on { "" } else { "no longer " })
            }
        }
    }
}

/// The window that is meant, and how many match; 0 stands for the focused one.
fn target(windows: &dyn Windows, selector: Option<&Selector>) -> Result<(Window, usize), Fault> {
    let Some(selector) = selector else {
        let id = windows.active().map_err(from_platform)?;
        let id = id.ok_or_else(|| {
            Fault::new(Code::RuntimeError, "no window has the keyboard focus")
                .remedy("name a window by selectorKind and selectorValue")
        })?;
        return windows.get(id).map(|window| (window, 0)).map_err(from_platform);
    };
    let found = matching(windows, |window| selector.matches(window))?;
    let matches = found.len();
    found.into_iter().next().map(|window| (window, matches)).ok_or_else(not_found)
}

fn apply(windows: &dyn Windows, window: &Window, change: Change, call: &Call<'_>) -> Result<(), Fault> {
    windows.change(window.id, change, call.cancel).map_err(|error| {
        let delivered = match error {
            Error::NoEffect { .. } | Error::Lost { .. } | Error::Timeout { .. } | Error::Cancelled => {
                Delivered::Uncertain
            }
            _ => Delivered::Nothing,
        };
        from_platform(error).delivered(delivered)
    })
}

/// The window after the change, for a caller that may read windows.
fn shown(context: &Context, call: &Call<'_>, windows: &dyn Windows, id: WindowId) -> Option<Shown> {
    let may_read = context.policy(call.surface).allows(Capability::WindowRead);
    may_read.then(|| windows.get(id).ok().map(Shown::from)).flatten()
}

fn to_workspace(
    context: &Context,
    windows: &dyn Windows,
    call: &Call<'_>,
    params: &Params,
    selector: Option<&Selector>,
) -> Result<Done<Reply>, Fault> {
    let wanted = params.workspace_name.as_deref().unwrap_or_default();
    let (names, _) = windows.workspaces().map_err(from_platform)?;
    let index = workspace(&names, wanted).ok_or_else(|| {
        Fault::new(Code::RuntimeError, format!("there is no such workspace; there are {}", names.len()))
            .detail("argument", "workspaceName")
            .remedy("window.query with mode workspaces lists them")
    })?;
    let window = match params.action {
        Action::WorkspaceSwitch => None,
        _ => Some(target(windows, selector)?.0.id),
    };
    windows.to_workspace(window, index, call.cancel).map_err(from_platform)?;
    let name = names.get(index).cloned().unwrap_or_default();
    let message = match window {
        None => "The workspace is shown.",
        Some(_) => "The window is on the workspace.",
    };
    let reply = Reply {
        action: Some(params.action.name()),
        changed: Some(true),
        workspace: Some(name),
        window: window.and_then(|id| shown(context, call, windows, id)),
    };
    Ok(Done::new(reply, message))
}
