//! What it costs to record a thousand events a second, and whether all of them are there afterwards.

use super::release;
use super::table::Table;
use crossmacro_model::Size;
use crossmacro_platform::{Cancel, clock};
use crossmacro_platform_linux::private_x::{PrivateX, PrivateXOptions};
use crossmacro_platform_linux::x11::connection::X11;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, MOTION_NOTIFY_EVENT};
use x11rb::protocol::xtest::ConnectionExt as _;

const PER_SECOND: u64 = 1000;
const SECONDS: u64 = 5;
/// Of the private screen; no place comes twice in a row.
const WIDTH: u64 = 1000;

pub(super) fn measure(table: &mut Table) -> Result<(), String> {
    let options =
        PrivateXOptions { size: Size::new(1280, 800), window_manager: false, ..PrivateXOptions::default() };
    let session = PrivateX::start(&options).map_err(said)?;
    let hand = X11::connect(Some(session.display())).map_err(said)?;
    let folder = Path::new("target/bench");
    std::fs::create_dir_all(folder).map_err(said)?;
    let file = folder.join("recorded.macro");
    let mut recorder = record(&session, &file)?;
    wait_until_it_listens(&hand, &mut recorder)?;
    let before = busy(recorder.id())?;
    let begun = clock::now();
    storm(&hand)?;
    let took = begun.elapsed();
    let cost = busy(recorder.id())?.saturating_sub(before);
    interrupt(&mut recorder)?;
    let recorded = std::fs::read_to_string(&file).map_err(said)?;
    let last = PER_SECOND * SECONDS;
    let missing = (0..last).filter(|index| !has(&recorded, *index)).count();
    table.limit(
        "recording 1,000 events a second: share of a core",
        cost.as_secs_f64() / took.as_secs_f64() * 100.0,
        5.0,
        "%",
    );
    table.note("  events that are missing of those injected", format!("{missing} of {last}"));
    Ok(())
}

fn said(error: impl std::fmt::Display) -> String {
    format!("{error}\n")
}

fn place(index: u64) -> (u64, u64) {
    (index % WIDTH, 1 + index / WIDTH)
}

fn has(recorded: &str, index: u64) -> bool {
    let (x, y) = place(index);
    recorded.contains(&format!("\nM,abs,{x},{y}\n"))
}

fn record(session: &PrivateX, file: &Path) -> Result<Child, String> {
    let program = std::path::absolute(release("crossmacro")).map_err(said)?;
    #[expect(clippy::disallowed_methods, reason = "a development tool that starts what it measures")]
    let mut command = Command::new(program);
    command.arg("record").arg("--output").arg(file);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    session.spawn(command).map_err(said)
}

/// It rests between its glances when it has begun to listen; its start is not counted.
fn wait_until_it_listens(hand: &X11, recorder: &mut Child) -> Result<(), String> {
    let cancel = Cancel::new();
    let mut before = Duration::MAX;
    for _ in 0..100 {
        if let Some(status) = recorder.try_wait().map_err(said)? {
            return Err(format!("record ended: {status}\n"));
        }
        let now = busy(recorder.id())?;
        if now.saturating_sub(before) < Duration::from_millis(5) && before < now {
            return hand.sync().map_err(said);
        }
        before = now;
        cancel.sleep(Duration::from_millis(500));
    }
    Err("record never came to rest\n".into())
}

fn storm(hand: &X11) -> Result<(), String> {
    let (begun, cancel, conn) = (clock::now(), Cancel::new(), hand.conn());
    for index in 0..PER_SECOND * SECONDS {
        cancel.sleep_until(begun + Duration::from_micros(index * 1_000_000 / PER_SECOND));
        let (x, y) = place(index);
        let coordinate = |value: u64| i16::try_from(value).unwrap_or(i16::MAX);
        conn.xtest_fake_input(MOTION_NOTIFY_EVENT, 0, 0, hand.root(), coordinate(x), coordinate(y), 0)
            .map_err(said)?;
        conn.flush().map_err(said)?;
    }
    conn.get_input_focus().map_err(said)?.reply().map_err(said)?;
    Ok(())
}

/// The time that all threads of a process have been on a core (`schedstat`, proc(5)).
fn busy(pid: u32) -> Result<Duration, String> {
    let mut total = 0;
    for thread in std::fs::read_dir(format!("/proc/{pid}/task")).map_err(said)? {
        let path = thread.map_err(said)?.path().join("schedstat");
        // A thread may end meanwhile.
        let text = std::fs::read_to_string(path).unwrap_or_default();
        total += text.split_whitespace().next().and_then(|first| first.parse().ok()).unwrap_or(0);
    }
    Ok(Duration::from_nanos(total))
}

fn interrupt(recorder: &mut Child) -> Result<(), String> {
    #[expect(clippy::disallowed_methods, reason = "a development tool")]
    let sent = Command::new("kill").args(["-INT", &recorder.id().to_string()]).status().map_err(said)?;
    let ended = recorder.wait().map_err(said)?;
    if sent.success() && ended.success() { Ok(()) } else { Err(format!("record ended: {ended}\n")) }
}
