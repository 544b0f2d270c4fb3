//! Capture, windows, clicks and typing on a private X session that shows text.

use super::memory::resident;
use super::server::Server;
use super::table::Table;
use super::{compile, median, release, timed};
use crossmacro_imaging::{Format, Options};
use crossmacro_model::{Button, Direction, Point, Rect, Size};
use crossmacro_platform::{Cancel, Capture, CaptureRequest, Desktop, DesktopSource};
use crossmacro_platform_linux::private_x::{PrivateX, PrivateXOptions};
use crossmacro_platform_linux::x11::{X11Options, X11Source};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, CreateWindowAux, PropMode, WindowClass};
use x11rb::wrapper::ConnectionExt as _;

const FULL: CaptureRequest = CaptureRequest { region: None, include_cursor: false };
const CAPTURES: usize = 10_000;

pub(super) fn measure(table: &mut Table) -> Result<(), String> {
    let options = PrivateXOptions { size: Size::new(1920, 1080), ..PrivateXOptions::default() };
    let session = PrivateX::start(&options).map_err(said)?;
    let source =
        X11Source::new(X11Options { display: Some(session.display().into()), ..X11Options::default() });
    let desktop = source.desktop().map_err(said)?;
    show_text(&session, &desktop)?;
    capture(table, &session, &desktop)?;
    pointer(table, &desktop)?;
    typing(table, &session, &desktop)?;
    windows(table, &session, &desktop)
}

/// Four terminals full of text: a text desktop.
fn show_text(session: &PrivateX, desktop: &Desktop) -> Result<(), String> {
    for corner in ["+0+0", "+960+0", "+0+540", "+960+540"] {
        let geometry = format!("155x40{corner}");
        let fill = "i=0; while [ $i -lt 60 ]; do echo \"$i the quick brown fox jumps over the lazy dog, $((i * 7919)) times; done in $i ms\"; i=$((i+1)); done; exec cat >/dev/null";
        session.launch("xterm", &["-geometry", &geometry, "-e", "sh", "-c", fill]).map_err(said)?;
    }
    let windows = desktop.windows.as_ref().map_err(said)?;
    let cancel = Cancel::new();
    for _ in 0..200 {
        if windows.list().map_err(said)?.len() >= 4 {
            // The terminals draw their text after they have appeared.
            cancel.sleep(Duration::from_millis(1500));
            return Ok(());
        }
        cancel.sleep(Duration::from_millis(50));
    }
    Err("the terminals did not appear\n".into())
}

fn capture(table: &mut Table, session: &PrivateX, desktop: &Desktop) -> Result<(), String> {
    let capture = desktop.capture.as_ref().map_err(said)?;
    let grab = compile("xshm_grab", &["-lX11", "-lXext"])?;
    let (mut ours, mut peer) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        peer.push(first_number(session, &grab, &["100"])? / 1e6);
        ours.push(timed(100, || capture.capture(FULL).map(drop).map_err(said))?);
    }
    table.ratio(
        "1920x1080 capture to pixels, against XShmGetImage in C",
        median(ours),
        median(peer),
        "ms",
        1.3,
    );
    let png = timed(30, || encode(&**capture, FULL, Format::Png))?;
    table.limit("1920x1080 capture to PNG, text desktop", png, 15.0, "ms");
    let region = CaptureRequest { region: Some(Rect::new(100, 100, 200, 200)), include_cursor: false };
    table.limit("200x200 region to PNG", timed(100, || encode(&**capture, region, Format::Png))?, 2.0, "ms");
    over_mcp(table, session)?;
    growth(table, &**capture)
}

/// What a model waits for: the whole call, from the request in the pipe to the last byte of the answer.
fn over_mcp(table: &mut Table, session: &PrivateX) -> Result<(), String> {
    let mut server = Server::start(&release("crossmacro"), &["mcp"], Some(session.display()))?;
    server.ask_for_tools()?;
    let time = timed(30, || {
        let answer = server.call("screenshot.capture", r#"{"includeImage":true}"#)?;
        if answer.contains("image/png") { Ok(()) } else { Err(format!("no picture: {answer:.300}\n")) }
    })?;
    table.limit("1920x1080 PNG as MCP image content, the whole call", time, 15.0, "ms");
    server.end()
}

fn encode(capture: &dyn Capture, request: CaptureRequest, format: Format) -> Result<(), String> {
    let frame = capture.capture(request).map_err(said)?;
    crossmacro_imaging::encode(&frame, format, Options::default()).map(drop).map_err(said)
}

fn growth(table: &mut Table, capture: &dyn Capture) -> Result<(), String> {
    let own = std::process::id();
    let grow = |count: usize| (0..count).try_for_each(|_| capture.capture(FULL).map(drop).map_err(said));
    grow(100)?;
    let before = resident(own)?;
    grow(CAPTURES)?;
    table.limit("growth over 10,000 captures", (resident(own)? - before).max(0.0), 1.0, "MB");
    Ok(())
}

fn pointer(table: &mut Table, desktop: &Desktop) -> Result<(), String> {
    let pointer = desktop.pointer.as_ref().map_err(said)?;
    let mut x = 0;
    let click = timed(200, || {
        x = (x + 7) % 900;
        pointer.move_to(Point::new(x, 300)).map_err(said)?;
        pointer.button(Button::Left, Direction::Press).map_err(said)?;
        pointer.button(Button::Left, Direction::Release).map_err(said)
    })?;
    table.limit("move and click, confirmed", click, 2.0, "ms");
    Ok(())
}

fn typing(table: &mut Table, session: &PrivateX, desktop: &Desktop) -> Result<(), String> {
    let keyboard = desktop.keyboard.as_ref().map_err(said)?;
    let text: String = ('a'..='z').cycle().take(1000).collect();
    let peer = compile("xtest_type", &["-lX11", "-lXtst"])?;
    let cancel = Cancel::new();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        theirs.push(last_number(session, &peer, &["1000", "5"])? / 1e6);
        ours.push(timed(5, || keyboard.type_text(&text, Duration::ZERO, &cancel).map(drop).map_err(said))?);
    }
    table.ratio(
        "1,000 characters typed, against the same events from C",
        median(ours),
        median(theirs),
        "ms",
        1.5,
    );
    Ok(())
}

fn windows(table: &mut Table, session: &PrivateX, desktop: &Desktop) -> Result<(), String> {
    let (connection, screen) = x11rb::connect(Some(session.display())).map_err(said)?;
    let root = connection.setup().roots[screen].root;
    for index in 0..50_i16 {
        let id = connection.generate_id().map_err(said)?;
        let place = (index * 10, index * 8);
        let look = CreateWindowAux::new().background_pixel(0x0033_6699);
        connection
            .create_window(0, id, root, place.0, place.1, 200, 150, 0, WindowClass::INPUT_OUTPUT, 0, &look)
            .map_err(said)?;
        let title = format!("window number {index}");
        connection
            .change_property8(PropMode::REPLACE, id, AtomEnum::WM_NAME, AtomEnum::STRING, title.as_bytes())
            .map_err(said)?;
        connection.map_window(id).map_err(said)?;
    }
    connection.sync().map_err(said)?;
    let windows = desktop.windows.as_ref().map_err(said)?;
    let cancel = Cancel::new();
    for _ in 0..200 {
        if windows.list().map_err(said)?.len() >= 54 {
            break;
        }
        cancel.sleep(Duration::from_millis(50));
    }
    let count = windows.list().map_err(said)?.len();
    let time = timed(100, || windows.list().map(drop).map_err(said))?;
    table.limit(&format!("list of {count} windows"), time, 5.0, "ms");
    Ok(())
}

fn first_number(session: &PrivateX, program: &Path, arguments: &[&str]) -> Result<f64, String> {
    numbers(session, program, arguments)?.first().copied().ok_or("the peer printed nothing\n".into())
}

fn last_number(session: &PrivateX, program: &Path, arguments: &[&str]) -> Result<f64, String> {
    numbers(session, program, arguments)?.last().copied().ok_or("the peer printed nothing\n".into())
}

#[expect(clippy::disallowed_methods, reason = "a development tool that starts what it measures")]
fn numbers(session: &PrivateX, program: &Path, arguments: &[&str]) -> Result<Vec<f64>, String> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped());
    session.apply_envs(&mut command);
    let output = command.output().map_err(said)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.split_whitespace().filter_map(|word| word.parse().ok()).collect())
}

fn said(error: impl std::fmt::Display) -> String {
    format!("{error}\n")
}
