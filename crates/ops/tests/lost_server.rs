//! A real X server that dies while an operation waits on it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops where it fails, starts programs, and has a limit of its own on every wait"
)]

use crossmacro_model::{Frame, Rect};
use crossmacro_ops::{Call, Context, Response, Surface, guard};
use crossmacro_platform::{
    Cancel, Capture, CaptureRequest, Desktop, DesktopSource, Result, Unavailable, Watch,
};
use crossmacro_platform_linux::x11::{X11Options, X11Source};
use crossmacro_store::{Directories, SettingsHandle};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// An Xvfb that ends with the test.
struct Server {
    child: Child,
    display: String,
}

impl Server {
    fn start(number: Option<&str>) -> Self {
        let mut child = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-noreset", "-screen", "0", "200x150x24"])
            .args(number)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(!line.trim().is_empty(), "Xvfb ended before it was ready");
        Self { child, display: format!(":{}", line.trim()) }
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Killed already in the middle of the test.
        let _killed = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// The X11 back end, with a count of the pictures that were taken: the test must know that a wait is under way.
struct Counted {
    source: X11Source,
    count: Arc<AtomicU32>,
}

impl DesktopSource for Counted {
    fn desktop(&self) -> Result<Arc<Desktop>, Unavailable> {
        let mut desktop = (*self.source.desktop()?).clone();
        let count = Arc::clone(&self.count);
        desktop.capture =
            desktop.capture.map(|inner| Arc::new(Counting { inner, count }) as Arc<dyn Capture>);
        Ok(Arc::new(desktop))
    }
}

struct Counting {
    inner: Arc<dyn Capture>,
    count: Arc<AtomicU32>,
}

impl Capture for Counting {
    fn capture(&self, request: CaptureRequest) -> Result<Frame> {
        let frame = self.inner.capture(request)?;
        self.count.fetch_add(1, Ordering::Relaxed);
        Ok(frame)
    }

    fn watch(&self, region: Rect) -> Result<Box<dyn Watch>> {
        self.inner.watch(region)
    }

    fn backend(&self) -> &'static str {
        self.inner.backend()
    }
}

fn read(context: &Context, arguments: Value) -> Response {
    guard::call(context, &Call::new(Surface::Mcp, &Cancel::new()), "screen.read", arguments)
}

#[test]
fn a_wait_ends_with_its_server_and_the_next_call_finds_the_new_one() {
    let mut server = Server::start(None);
    let count = Arc::new(AtomicU32::new(0));
    let options = X11Options { display: Some(server.display.clone()), ..X11Options::default() };
    let source = Counted { source: X11Source::new(options), count: Arc::clone(&count) };
    let home = tempfile::tempdir().unwrap();
    let settings = SettingsHandle::open(&Directories::beneath(home.path()));
    let context = Context::new(Arc::new(source), Arc::new(settings), false);

    let wait = json!({"mode": "wait_color", "x": 5, "y": 5, "color": "FF00FF", "timeoutMs": 30_000});
    let response = std::thread::scope(|scope| {
        let call = scope.spawn(|| read(&context, wait));
        let limit = Instant::now() + Duration::from_secs(20);
        while count.load(Ordering::Relaxed) < 1 {
            assert!(Instant::now() < limit && !call.is_finished(), "the wait does not look at the screen");
            std::thread::yield_now();
        }
        server.kill();
        let killed = Instant::now();
        let response = call.join().unwrap();
        assert!(killed.elapsed() < Duration::from_secs(6), "{:?}", killed.elapsed());
        response
    });
    assert!(!response.outcome.success);
    let [error] = &response.outcome.errors[..] else { panic!("{:?}", response.text()) };
    assert_eq!(error.code, "environment_error", "{}", error.message);
    assert!(error.message.contains("the connection to the display was lost"), "{}", error.message);

    let pixel = json!({"mode": "pixel", "x": 5, "y": 5});
    let gone = read(&context, pixel.clone());
    assert_eq!(gone.outcome.errors[0].code, "environment_error");
    assert!(gone.outcome.errors[0].message.contains(&server.display), "{}", gone.text());

    let _again = Server::start(Some(&server.display));
    let response = read(&context, pixel);
    assert!(response.outcome.success, "{}", response.text());
    assert_eq!(response.structured()["color"], "000000");
}
