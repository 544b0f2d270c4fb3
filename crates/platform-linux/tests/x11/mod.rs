//! What the X11 tests share: a server of their own, and a witness that talks to it over its own connection.
#![allow(dead_code, reason = "each test file uses its part")]

use crossmacro_platform::{Desktop, DesktopSource};
use crossmacro_platform_linux::x11::{X11Options, X11Source};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    self, ChangeGCAux, ConnectionExt as _, CreateGCAux, CreateWindowAux, EventMask, Rectangle, Window,
    WindowClass,
};
use x11rb::rust_connection::RustConnection;

/// How long anything may take to come true.
pub(crate) const LIMIT: Duration = Duration::from_secs(20);

/// An X server that ends with the test.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) display: String,
}

impl Server {
    /// An Xvfb on a free display number.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::spawn("Xvfb", arguments)
    }

    /// Any server program that knows `-displayfd`; `:7` among the arguments fixes the number.
    pub(crate) fn spawn(program: &str, arguments: &[&str]) -> Self {
        let mut child = Command::new(program)
            .args(["-displayfd", "1", "-nolisten", "tcp", "-noreset"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{program} can't be started: {error}"));
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(!line.trim().is_empty(), "{program} {arguments:?} ended before it was ready");
        Self { child, display: format!(":{}", line.trim()) }
    }

    /// One screen of this size and depth.
    pub(crate) fn screen(geometry: &str) -> Self {
        Self::start(&["-screen", "0", geometry])
    }

    pub(crate) fn source(&self) -> X11Source {
        X11Source::new(X11Options { display: Some(self.display.clone()), ..X11Options::default() })
    }

    pub(crate) fn desktop(&self) -> Arc<Desktop> {
        self.source().desktop().unwrap()
    }

    pub(crate) fn witness(&self) -> Witness {
        Witness::new(&self.display)
    }

    /// What an independent program prints about this server.
    pub(crate) fn ask(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program).args(arguments).env("DISPLAY", &self.display).output();
        let output = output.unwrap_or_else(|error| panic!("{program} can't be started: {error}"));
        assert!(
            output.status.success(),
            "{program} {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    /// The same for bytes.
    pub(crate) fn bytes(&self, program: &str, arguments: &[&str]) -> Vec<u8> {
        let output = Command::new(program).args(arguments).env("DISPLAY", &self.display).output().unwrap();
        assert!(
            output.status.success(),
            "{program} {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        output.stdout
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Killed already in some tests.
        let _killed = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// A client that shares no code with what is tested but the protocol library.
pub(crate) struct Witness {
    pub(crate) conn: RustConnection,
    pub(crate) root: Window,
    gc: xproto::Gcontext,
}

impl Witness {
    pub(crate) fn new(display: &str) -> Self {
        let (conn, screen) = x11rb::connect(Some(display)).unwrap();
        let root = conn.setup().roots[screen].root;
        let gc = conn.generate_id().unwrap();
        let aux = CreateGCAux::new().subwindow_mode(xproto::SubwindowMode::INCLUDE_INFERIORS);
        conn.create_gc(gc, root, &aux).unwrap().check().unwrap();
        Self { conn, root, gc }
    }

    pub(crate) fn screen(&self) -> &xproto::Screen {
        &self.conn.setup().roots[0]
    }

    /// Asks the server for a colour; gives back the pixel value and what the screen really shows.
    pub(crate) fn color(&self, [red, green, blue]: [u8; 3]) -> (u32, [u8; 3]) {
        let wide = |value: u8| u16::from(value) * 257;
        let map = self.screen().default_colormap;
        let pixel =
            self.conn.alloc_color(map, wide(red), wide(green), wide(blue)).unwrap().reply().unwrap().pixel;
        let color = self.conn.query_colors(map, &[pixel]).unwrap().reply().unwrap().colors.remove(0);
        let narrow = |value: u16| u8::try_from((u32::from(value) * 255 + 32_767) / 65_535).unwrap();
        (pixel, [narrow(color.red), narrow(color.green), narrow(color.blue)])
    }

    /// Fills a part of the root window; gives back the colour that is then there.
    pub(crate) fn paint(&self, (x, y, width, height): (i16, i16, u16, u16), rgb: [u8; 3]) -> [u8; 3] {
        let (pixel, shown) = self.color(rgb);
        self.conn.change_gc(self.gc, &ChangeGCAux::new().foreground(pixel)).unwrap();
        let area = Rectangle { x, y, width, height };
        self.conn.poly_fill_rectangle(self.root, self.gc, &[area]).unwrap().check().unwrap();
        shown
    }

    /// A mapped window without a frame that sees its events.
    pub(crate) fn window(&self, (x, y, width, height): (i16, i16, u16, u16), events: EventMask) -> Window {
        let window = self.conn.generate_id().unwrap();
        let aux = CreateWindowAux::new().override_redirect(1).event_mask(events | EventMask::EXPOSURE);
        let class = WindowClass::INPUT_OUTPUT;
        self.conn.create_window(0, window, self.root, x, y, width, height, 0, class, 0, &aux).unwrap();
        self.conn.map_window(window).unwrap().check().unwrap();
        self.wait(|event| matches!(event, Event::Expose(_)).then_some(()));
        window
    }

    pub(crate) fn pointer(&self) -> (i16, i16, u16) {
        let reply = self.conn.query_pointer(self.root).unwrap().reply().unwrap();
        (reply.root_x, reply.root_y, reply.mask.into())
    }

    /// The next event that `wanted` takes.
    pub(crate) fn wait<T>(&self, mut wanted: impl FnMut(&Event) -> Option<T>) -> T {
        let limit = Instant::now() + LIMIT;
        loop {
            while let Some(event) = self.conn.poll_for_event().unwrap() {
                if let Some(found) = wanted(&event) {
                    return found;
                }
            }
            assert!(Instant::now() < limit, "the event did not come");
            std::thread::yield_now();
        }
    }

    /// Button events up to now: number, and whether it went down.
    pub(crate) fn buttons(&self) -> Vec<(u8, bool)> {
        self.conn.get_input_focus().unwrap().reply().unwrap();
        let mut seen = Vec::new();
        while let Some(event) = self.conn.poll_for_event().unwrap() {
            match event {
                Event::ButtonPress(event) => seen.push((event.detail, true)),
                Event::ButtonRelease(event) => seen.push((event.detail, false)),
                _ => {}
            }
        }
        seen
    }
}

/// Waits until `met` gives something.
pub(crate) fn until<T>(what: &str, mut met: impl FnMut() -> Option<T>) -> T {
    let limit = Instant::now() + LIMIT;
    loop {
        if let Some(found) = met() {
            return found;
        }
        assert!(Instant::now() < limit, "{what} did not happen");
        std::thread::yield_now();
    }
}

/// An Xorg with sixteen real outputs that show nothing, three of them on: with gaps, and the primary not
/// the first.
pub(crate) fn outputs() -> (Server, tempfile::NamedTempFile) {
    let mut config = tempfile::NamedTempFile::new().unwrap();
    let mut text = String::from("Section \"ServerFlags\"\n");
    for option in ["AutoAddDevices", "AutoEnableDevices", "AutoAddGPU"] {
        writeln!(text, "Option \"{option}\" \"false\"").unwrap();
    }
    text += "Option \"DontVTSwitch\" \"true\"\nEndSection\n\
        Section \"Device\"\nIdentifier \"dummy\"\nDriver \"dummy\"\nVideoRam 256000\nEndSection\n\
        Section \"Screen\"\nIdentifier \"screen\"\nDevice \"dummy\"\nDefaultDepth 24\nEndSection\n";
    config.write_all(text.as_bytes()).unwrap();
    let path = config.path().to_str().unwrap();
    let server =
        Server::spawn("Xorg", &["-config", path, "-logfile", "/dev/null", "-novtswitch", "-sharevts"]);
    let xrandr = |arguments: &str| server.ask("xrandr", &arguments.split_whitespace().collect::<Vec<_>>());
    xrandr("--newmode big 108.88 1280 1360 1496 1712 1024 1025 1028 1060");
    xrandr("--newmode small 25.18 640 656 752 800 480 490 492 525");
    for output in ["DUMMY0", "DUMMY1", "DUMMY2"] {
        xrandr(&format!("--addmode {output} big"));
        xrandr(&format!("--addmode {output} small"));
    }
    xrandr(
        "--output DUMMY0 --mode small --pos 0x100 --output DUMMY1 --mode big --pos 700x0 --primary \
         --output DUMMY2 --mode small --pos 1980x300",
    );
    (server, config)
}
