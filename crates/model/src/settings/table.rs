//! The rows.

use super::{Choice, Kind, OnRead, OnSet, Row, Scope, Secrecy, Stored, Value};
use crate::Capability;
use std::sync::LazyLock;

/// Whole numbers of the files are 32 bits wide.
const LARGEST: i64 = i32::MAX as i64;

const COUNT: Kind = Kind::Integer { min: 0, max: LARGEST, on_read: OnRead::Clamp };
const RATE: Kind = Kind::Integer { min: 1, max: 10_000, on_read: OnRead::Default };

const MOTION_MODES: &[Choice] = &[
    Choice { name: "Precision", aliases: &[] },
    Choice { name: "StrictSpeed", aliases: &["strict-speed", "strict"] },
];
const LOG_LEVELS: &[Choice] = &[
    Choice { name: "Debug", aliases: &[] },
    Choice { name: "Information", aliases: &[] },
    Choice { name: "Warning", aliases: &[] },
    Choice { name: "Error", aliases: &[] },
];
const APPROVALS: &[Choice] = &[
    Choice { name: "auto", aliases: &[] },
    Choice { name: "ask", aliases: &[] },
    Choice { name: "deny", aliases: &[] },
];
const OWN_APPROVALS: &[Choice] = &[
    Choice { name: "inherit", aliases: &["default"] },
    Choice { name: "auto", aliases: &[] },
    Choice { name: "ask", aliases: &[] },
    Choice { name: "deny", aliases: &[] },
];
const THEMES: &[&str] = &[
    "Classic",
    "Latte",
    "Mocha",
    "Dracula",
    "Nord",
    "Everforest",
    "Gruvbox",
    "GruvboxSublime",
    "Solarized",
    "Crimson",
];
const LANGUAGES: &[&str] = &["en", "tr", "zh", "ja", "es", "ar", "fr", "pt", "ru"];

/// All rows, in the order of listings.
pub(super) static ROWS: LazyLock<Vec<Row>> =
    LazyLock::new(|| [playback(), recording(), application(), policy()].concat());

fn playback() -> Vec<Row> {
    let speed = Kind::Number { min: 0.1, max: 10.0, on_set: OnSet::Clamp, on_read: OnRead::Clamp };
    let pixels = Kind::Number { min: 0.25, max: 500.0, on_set: OnSet::Refuse, on_read: OnRead::Default };
    let mode = Kind::Choice { choices: MOTION_MODES, stored: Stored::Index };
    vec![
        profile(
            "playback.speed",
            speed,
            Value::Number(1.0),
            &["playbackSpeed"],
            "How fast macros are played; 1 is the speed of the recording.",
        ),
        profile(
            "playback.loop",
            Kind::Bool,
            Value::Bool(false),
            &["isLooping"],
            "Whether a macro starts again after its end.",
        ),
        profile(
            "playback.loopCount",
            COUNT,
            Value::Integer(1),
            &["loopCount"],
            "How often a looping macro is played; 0 is without end.",
        ),
        profile(
            "playback.loopDelayMs",
            COUNT,
            Value::Integer(0),
            &["loopDelayMs"],
            "The pause between two passes, in milliseconds.",
        ),
        profile(
            "playback.motionMode",
            mode,
            Value::Choice("Precision"),
            &["motionMode"],
            "Whether pointer motion keeps its path (Precision) or its duration (StrictSpeed).",
        ),
        profile(
            "playback.strictSpeedMotionEventsPerSecond",
            RATE,
            Value::Integer(1_000),
            &["strictSpeedMotionEventsPerSecond"],
            "The most pointer motions sent in a second in mode StrictSpeed.",
        ),
        profile(
            "playback.precisionMotionEventsPerSecond",
            RATE,
            Value::Integer(300),
            &["precisionMotionEventsPerSecond"],
            "The most pointer motions sent in a second in mode Precision.",
        ),
        profile(
            "playback.maximumMotionErrorPixels",
            pixels,
            Value::Number(2.0),
            &["maximumMotionErrorPixels"],
            "How far the pointer may leave the recorded path, in pixels.",
        ),
        profile(
            "playback.countdownSeconds",
            COUNT,
            Value::Integer(0),
            &["countdownSeconds"],
            "The time before playback starts, in seconds.",
        ),
    ]
}

fn recording() -> Vec<Row> {
    let level = Kind::Choice { choices: LOG_LEVELS, stored: Stored::Name };
    vec![
        global(
            "logging.level",
            level,
            Value::Choice("Information"),
            &["logLevel"],
            "The least severe messages that are logged.",
        ),
        switch("recording.mouse", true, &["isMouseRecordingEnabled"], "Whether the mouse is recorded."),
        switch(
            "recording.keyboard",
            true,
            &["isKeyboardRecordingEnabled"],
            "Whether the keyboard is recorded.",
        ),
        switch(
            "recording.forceRelative",
            false,
            &["forceRelativeCoordinates"],
            "Whether motion is recorded as distances instead of places.",
        ),
        switch(
            "recording.logicalRelative",
            false,
            &["useLogicalRelativeCoordinates"],
            "Whether recorded distances are those of the pointer rather than of the device; needs \
             recording.forceRelative.",
        ),
        switch(
            "recording.skipInitialZeroZero",
            false,
            &["skipInitialZeroZero"],
            "Whether a recording starts where the pointer is rather than at 0,0; needs \
             recording.forceRelative.",
        ),
        profile(
            "schedule.misfireGraceSeconds",
            Kind::Integer { min: 0, max: 86_400, on_read: OnRead::Clamp },
            Value::Integer(60),
            &["scheduleMisfireGraceSeconds"],
            "How late a scheduled run may still be made, in seconds; a later one is skipped.",
        ),
        switch(
            "textExpansion.enabled",
            false,
            &["enableTextExpansion"],
            "Whether typed triggers are replaced by their texts.",
        ),
    ]
}

fn application() -> Vec<Row> {
    let text = |key, known, default: &str, property, description| {
        global(key, Kind::Text { known }, Value::Text(default.to_owned()), property, description)
    };
    let flag =
        |key, property, description| global(key, Kind::Bool, Value::Bool(false), property, description);
    let token = global(
        "screen.portalRestoreToken",
        Kind::Secret,
        Value::Secret(false),
        &["portalScreenCastRestoreToken"],
        "The desktop portal's permission to share the screen without asking again.",
    );
    vec![
        text("ui.theme", THEMES, "Mocha", &["theme"], "The colours of the window."),
        text("ui.language", LANGUAGES, "en", &["language"], "The language of the window."),
        flag("ui.trayIcon", &["enableTrayIcon"], "Whether there is an icon in the tray."),
        flag("ui.startMinimized", &["startMinimized"], "Whether the window starts minimized."),
        switch(
            "updates.checkForUpdates",
            false,
            &["checkForUpdates"],
            "Whether new versions are looked for at the start.",
        ),
        Row { secrecy: Secrecy::Hidden, ..token },
    ]
}

fn policy() -> Vec<Row> {
    let mut rows: Vec<_> = Capability::ALL.iter().filter_map(|&capability| permission(capability)).collect();
    let mode = Kind::Choice { choices: APPROVALS, stored: Stored::Name };
    let mode = global(
        "mcp.approvalMode",
        mode,
        Value::Choice("auto"),
        &["mcpSecurity", "approvalMode"],
        "Whether calls of MCP clients that act are made at once (auto), only when a person agrees (ask), or never \
         (deny).",
    );
    rows.push(Row { narrowest: Some(Value::Choice("deny")), ..mode });
    rows.push(global(
        "mcp.approvalTimeoutSeconds",
        Kind::Integer { min: 1, max: 300, on_read: OnRead::Clamp },
        Value::Integer(30),
        &["mcpSecurity", "approvalTimeoutSeconds"],
        "How long a person has to approve a call, in seconds.",
    ));
    rows.extend(Capability::ALL.iter().filter_map(|&capability| approval(capability)));
    rows.extend([
        roots(
            "mcp.paths.macroRead",
            &["mcpSecurity", "paths", "macroReadRoots"],
            "Macros are read only here.",
        ),
        roots(
            "mcp.paths.macroWrite",
            &["mcpSecurity", "paths", "macroWriteRoots"],
            "Macros are written only here.",
        ),
        roots(
            "mcp.paths.imageRead",
            &["mcpSecurity", "paths", "imageReadRoots"],
            "Images are read only here.",
        ),
        roots(
            "mcp.paths.imageWrite",
            &["mcpSecurity", "paths", "imageWriteRoots"],
            "Images are written only here.",
        ),
        roots(
            "mcp.paths.fileRead",
            &["mcpSecurity", "paths", "fileReadRoots"],
            "Other files are read only here.",
        ),
        roots(
            "mcp.paths.fileWrite",
            &["mcpSecurity", "paths", "fileWriteRoots"],
            "Other files are written only here.",
        ),
    ]);
    let audit = global(
        "audit.required",
        Kind::Bool,
        Value::Bool(false),
        &["mcpSecurity", "auditRequired"],
        "Whether calls of MCP clients that act are refused when their record can't be written.",
    );
    rows.push(Row { narrowest: Some(Value::Bool(true)), ..audit });
    rows
}

fn permission(capability: Capability) -> Option<Row> {
    let key = capability.settings_key()?;
    let default = Value::Bool(capability.default_allowed());
    let row = global(key, Kind::Bool, default, capability.settings_property(), capability.summary());
    Some(Row { narrowest: Some(Value::Bool(false)), ..row })
}

fn approval(capability: Capability) -> Option<Row> {
    let row = global(
        capability.approval_key()?,
        Kind::Choice { choices: OWN_APPROVALS, stored: Stored::Name },
        Value::Choice("inherit"),
        capability.approval_property(),
        "Whether calls that need this capability are made at once (auto), only when a person agrees (ask), or \
         never (deny); inherit takes mcp.approvalMode.",
    );
    Some(Row { narrowest: Some(Value::Choice("deny")), ..row })
}

fn roots(key: &'static str, property: &'static [&'static str], description: &'static str) -> Row {
    let row = global(key, Kind::Paths, Value::Paths(Vec::new()), property, description);
    Row { secrecy: Secrecy::HiddenFromClients, ..row }
}

fn switch(
    key: &'static str,
    default: bool,
    property: &'static [&'static str],
    description: &'static str,
) -> Row {
    profile(key, Kind::Bool, Value::Bool(default), property, description)
}

fn profile(
    key: &'static str,
    kind: Kind,
    default: Value,
    property: &'static [&'static str],
    description: &'static str,
) -> Row {
    Row {
        key,
        kind,
        default,
        scope: Scope::Profile,
        secrecy: Secrecy::Open,
        property,
        narrowest: None,
        description,
    }
}

fn global(
    key: &'static str,
    kind: Kind,
    default: Value,
    property: &'static [&'static str],
    description: &'static str,
) -> Row {
    Row {
        key,
        kind,
        default,
        scope: Scope::Global,
        secrecy: Secrecy::Open,
        property,
        narrowest: None,
        description,
    }
}
