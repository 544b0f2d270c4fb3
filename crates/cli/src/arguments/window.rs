//! `window ...`.

use super::DryRun;
use clap::{Args, Subcommand};

/// A window by one of its names.
#[derive(Args, Clone)]
#[group(required = true, multiple = false)]
pub(crate) struct Which {
    /// Part of its title, in any case (exact: and regex: are understood)
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// Part of its class, in any case (exact: and regex: are understood)
    #[arg(long)]
    pub(crate) class: Option<String>,
    /// Its address, as listed
    #[arg(long)]
    pub(crate) address: Option<String>,
}

/// A window by one of its names, or the focused one.
#[derive(Args, Clone)]
pub(crate) struct Target {
    #[command(flatten)]
    pub(crate) name: OneOf,
    #[command(flatten)]
    pub(crate) dry: DryRun,
}

/// At most one of these.
#[derive(Args, Clone)]
#[group(multiple = false)]
pub(crate) struct OneOf {
    /// The focused window (the default)
    #[arg(long)]
    pub(crate) active: bool,
    /// Part of its title, in any case
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// Part of its class, in any case
    #[arg(long)]
    pub(crate) class: Option<String>,
    /// Its address, as listed
    #[arg(long)]
    pub(crate) address: Option<String>,
}

#[derive(Subcommand)]
pub(crate) enum Window {
    /// The window with the keyboard focus
    #[command(after_help = "Examples:\n  crossmacro window active")]
    Active,
    /// All windows, the lowest first
    #[command(after_help = "Examples:\n  crossmacro window list --json")]
    List,
    /// Windows by title, class or address, the topmost first
    #[command(after_help = "Examples:\n  crossmacro window search --class xterm")]
    Search(Which),
    /// Wait for a window
    #[command(after_help = "Examples:\n  crossmacro window wait --title 'Save as' --timeout-ms 10000")]
    Wait {
        #[command(flatten)]
        which: Which,
        /// How long to wait; 0 looks once
        #[arg(long, default_value_t = 5000, value_name = "MS", value_parser = clap::value_parser!(u32).range(0..=30_000))]
        timeout_ms: u32,
    },
    /// Give a window the keyboard focus
    #[command(after_help = "Examples:\n  crossmacro window focus --title exact:Editor")]
    Focus {
        #[command(flatten)]
        which: Which,
        #[command(flatten)]
        dry: DryRun,
    },
    /// Ask a window to close
    #[command(after_help = "Examples:\n  crossmacro window close --title 'Save as'")]
    Close {
        #[command(flatten)]
        which: Which,
        #[command(flatten)]
        dry: DryRun,
    },
    /// Put the top left corner of its frame somewhere
    #[command(after_help = "Examples:\n  crossmacro window move --title Editor 40 40")]
    Move {
        #[command(flatten)]
        target: Target,
        /// Left edge
        #[arg(allow_negative_numbers = true)]
        x: i32,
        /// Top edge
        #[arg(allow_negative_numbers = true)]
        y: i32,
    },
    /// Give its inner area a size
    #[command(after_help = "Examples:\n  crossmacro window resize --title Editor 800 600")]
    Resize {
        #[command(flatten)]
        target: Target,
        /// Width
        width: u32,
        /// Height
        height: u32,
    },
    /// Put it in the middle of its monitor
    #[command(after_help = "Examples:\n  crossmacro window center")]
    Center(Target),
    /// Maximise it, or undo that
    #[command(after_help = "Examples:\n  crossmacro window maximize --class xterm")]
    Maximize(Target),
    /// Minimise it
    #[command(after_help = "Examples:\n  crossmacro window minimize --class xterm")]
    Minimize(Target),
    /// Undo minimising, maximising and fullscreen
    #[command(after_help = "Examples:\n  crossmacro window restore --class xterm")]
    Restore(Target),
    /// Cover the whole monitor, or undo that
    #[command(after_help = "Examples:\n  crossmacro window fullscreen --class xterm")]
    Fullscreen(Target),
    /// Keep it above others, or undo that
    #[command(
        visible_alias = "always-on-top",
        after_help = "Examples:\n  crossmacro window float --class xterm"
    )]
    Float(Target),
    /// Workspaces
    #[command(
        subcommand,
        after_help = "Examples:\n  crossmacro window workspace get\n  crossmacro window workspace switch 2"
    )]
    Workspace(Workspace),
}

#[derive(Subcommand)]
pub(crate) enum Workspace {
    /// The workspace that is shown
    #[command(after_help = "Examples:\n  crossmacro window workspace get")]
    Get,
    /// Show a workspace, by name or number from 1
    #[command(after_help = "Examples:\n  crossmacro window workspace switch 2")]
    Switch {
        /// Name or number
        name: String,
        #[command(flatten)]
        dry: DryRun,
    },
    /// Send the focused window to a workspace
    #[command(after_help = "Examples:\n  crossmacro window workspace move-active 2")]
    MoveActive {
        /// Name or number
        name: String,
        #[command(flatten)]
        dry: DryRun,
    },
    /// Send a window to a workspace
    #[command(after_help = "Examples:\n  crossmacro window workspace move-window --address 0x1c00007 2")]
    MoveWindow {
        /// Its address, as listed
        #[arg(long)]
        #[arg(value_name = "ADDRESS")]
        address: String,
        /// Name or number
        name: String,
        #[command(flatten)]
        dry: DryRun,
    },
}
