//! Memory over many captures. Alone in its process, so that nothing else moves the numbers.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops where it fails, starts programs, and has a limit of its own on every wait"
)]

mod x11;

use crossmacro_model::Rect;
use crossmacro_platform::CaptureRequest;
use x11::Server;

/// Resident memory in KB, as the kernel counts it.
fn resident(process: &str) -> i64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn ten_thousand_captures_need_no_more_memory_than_a_few() {
    let server = Server::screen("320x240x24");
    let desktop = server.desktop();
    let capture = desktop.capture.as_ref().unwrap();
    let run = |count: u32| {
        for n in 0..count {
            let region = (n % 3 != 0).then(|| Rect::new(10, 10, 50 + n % 100, 50));
            let include_cursor = n % 2 == 0;
            let frame = capture.capture(CaptureRequest { region, include_cursor }).unwrap();
            assert!(!frame.bytes().is_empty());
        }
    };
    run(200);
    let x_server = server.child.id().to_string();
    let before = (resident("self"), resident(&x_server));
    run(10_000);
    let after = (resident("self"), resident(&x_server));
    assert!(after.0 - before.0 < 512, "ours grew from {} to {} KB", before.0, after.0);
    assert!(after.1 - before.1 < 512, "the server's grew from {} to {} KB", before.1, after.1);
}
