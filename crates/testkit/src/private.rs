//! Private X displays for tests, and what can be set on them.

use crossmacro_model::Size;
use crossmacro_platform_linux::private_x::{PrivateX, PrivateXOptions};
use crossmacro_platform_linux::x11::connection::X11;
use std::process::{Command, Stdio};
use x11rb::protocol::xkb::{ConnectionExt as _, Group};
use x11rb::protocol::xproto::ModMask;

/// Keeps the options of a display until it is started.
#[derive(Debug, Clone)]
pub struct Private {
    options: PrivateXOptions,
}

impl Default for Private {
    fn default() -> Self {
        Self { options: PrivateXOptions { size: Size::new(1280, 800), ..PrivateXOptions::default() } }
    }
}

impl Private {
    /// 1280x800, depth 24, with a window manager.
    pub fn new() -> Self {
        Self::default()
    }

    /// Another size.
    #[must_use]
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.options.size = Size::new(width, height);
        self
    }

    /// Another depth (16, 24, 30).
    #[must_use]
    pub fn depth(mut self, depth: u8) -> Self {
        self.options.depth = depth;
        self
    }

    /// Without an extension of the server ("MIT-SHM", "XTEST", "RANDR", "XFIXES").
    #[must_use]
    pub fn without(self, extension: &str) -> Self {
        self.args(&["-extension", extension])
    }

    /// Without a window manager.
    #[must_use]
    pub fn without_manager(mut self) -> Self {
        self.options.window_manager = false;
        self
    }

    /// More arguments of the server.
    #[must_use]
    pub fn args(mut self, args: &[&str]) -> Self {
        self.options.extra_args.extend(args.iter().map(|arg| (*arg).to_owned()));
        self
    }

    /// A further screen (":N.1", ":N.2") of this number, size and depth: "1", "800x600x24".
    #[must_use]
    pub fn screen(self, number: u32, mode: &str) -> Self {
        self.args(&["-screen", &number.to_string(), mode])
    }

    /// Starts it. A window manager that was asked for and does not run is an error.
    ///
    /// # Errors
    /// Why it does not run, with the remedy.
    pub fn start(&self) -> Result<PrivateX, String> {
        let session = PrivateX::start(&self.options).map_err(|error| {
            let remedies = error.tried.iter().filter_map(|attempt| attempt.remedy.as_deref());
            format!("{error} (remedy: {})", remedies.collect::<Vec<_>>().join("; "))
        })?;
        match session.warnings() {
            [] => Ok(session),
            warnings => Err(warnings.join("; ")),
        }
    }
}

/// Sets the keyboard layout with setxkbmap ("us,de"; variants "nodeadkeys" or ""), and returns when the
/// server has it.
///
/// # Errors
/// What setxkbmap said.
pub fn set_layout(session: &PrivateX, layouts: &str, variants: &str) -> Result<(), String> {
    let mut command = Command::new("setxkbmap");
    command.args(["-model", "pc105", "-layout", layouts, "-variant", variants, "-option", ""]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = session.spawn(command).map_err(|error| format!("setxkbmap: {error}"))?;
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("setxkbmap: {}", String::from_utf8_lossy(&output.stderr)))
}

/// Locks a group of the layout (0 is the first), as a layout switch does.
///
/// # Errors
/// What the server said.
pub fn set_group(session: &PrivateX, group: u8) -> Result<(), String> {
    let x11 = X11::connect(Some(session.display())).map_err(|error| error.to_string())?;
    let text = |error: x11rb::errors::ReplyError| error.to_string();
    let conn = x11.conn();
    conn.xkb_use_extension(1, 0).map_err(|error| error.to_string())?.reply().map_err(text)?;
    let none = ModMask::default();
    let group = Group::from(group);
    conn.xkb_latch_lock_state(0x100, none, none, true, group, none, false, 0)
        .map_err(|error| error.to_string())?
        .check()
        .map_err(text)?;
    Ok(())
}
