//! The searches of the command line on a server of the test's own. What is on the screen was painted by a
//! second connection, templates are written by another encoder, and clicks are seen by a window of the witness.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test stops where it fails, starts programs, and has a limit of its own on every wait"
)]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    ConnectionExt as _, CreateGCAux, CreateWindowAux, EventMask, Gcontext, ImageFormat, SubwindowMode,
    Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;

const WIDTH: u16 = 1280;
const HEIGHT: u16 = 720;

/// A screen, its painter, and a home without settings.
struct Stage {
    server: Child,
    display: String,
    conn: RustConnection,
    window: Window,
    gc: Gcontext,
    home: tempfile::TempDir,
}

impl Stage {
    fn new() -> Self {
        let screen = format!("{WIDTH}x{HEIGHT}x24");
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-noreset", "-screen", "0", &screen])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is needed");
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        let display = format!(":{}", number.trim());
        let (conn, screen) = x11rb::connect(Some(&display)).unwrap();
        let root = conn.setup().roots[screen].root;
        let (window, gc) = (conn.generate_id().unwrap(), conn.generate_id().unwrap());
        let events = EventMask::BUTTON_PRESS | EventMask::BUTTON_RELEASE | EventMask::EXPOSURE;
        let aux = CreateWindowAux::new().override_redirect(1).event_mask(events).background_pixel(0);
        conn.create_window(0, window, root, 0, 0, WIDTH, HEIGHT, 0, WindowClass::INPUT_OUTPUT, 0, &aux)
            .unwrap();
        conn.create_gc(gc, window, &CreateGCAux::new().subwindow_mode(SubwindowMode::INCLUDE_INFERIORS))
            .unwrap();
        conn.map_window(window).unwrap().check().unwrap();
        while !matches!(conn.wait_for_event().unwrap(), Event::Expose(_)) {}
        Self { server, display, conn, window, gc, home: tempfile::tempdir().unwrap() }
    }

    /// Paints a picture, row by row.
    fn paint(&self, x: i16, y: i16, picture: &Picture) {
        let data: Vec<u8> = picture.pixels.iter().flat_map(|&[r, g, b]| [b, g, r, 0]).collect();
        for (row, line) in data.chunks(usize::from(picture.width) * 4).enumerate() {
            let y = y + i16::try_from(row).unwrap();
            self.conn
                .put_image(ImageFormat::Z_PIXMAP, self.window, self.gc, picture.width, 1, x, y, 0, 24, line)
                .unwrap();
        }
        self.conn.get_input_focus().unwrap().reply().unwrap();
    }

    fn file(&self, name: &str, picture: &Picture) -> PathBuf {
        let path = self.home.path().join(name);
        let file = std::fs::File::create(&path).unwrap();
        let mut encoder = png::Encoder::new(file, picture.width.into(), picture.height().into());
        encoder.set_color(png::ColorType::Rgb);
        encoder.write_header().unwrap().write_image_data(picture.pixels.as_flattened()).unwrap();
        path
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crossmacro"));
        command.args(arguments).arg("--json").env("DISPLAY", &self.display).env("HOME", self.home.path());
        command.env_remove("XDG_CONFIG_HOME").stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> (i32, Value) {
        let output = self.command(arguments).output().unwrap();
        let answer = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr)));
        (output.status.code().unwrap(), answer)
    }

    /// The data of a search that has worked, found or not.
    fn search(&self, image: &Path, more: &[&str]) -> (Value, Value) {
        let (code, answer) = self.run(&[&["screen", "search-image", image.to_str().unwrap()], more].concat());
        assert_eq!(code, 0, "{answer}");
        (answer["data"].clone(), answer["warnings"].clone())
    }

    /// Buttons that went down on the witness's window, and where.
    fn presses(&self) -> Vec<(u8, i16, i16)> {
        self.conn.get_input_focus().unwrap().reply().unwrap();
        std::iter::from_fn(|| self.conn.poll_for_event().unwrap())
            .filter_map(|event| match event {
                Event::ButtonPress(press) => Some((press.detail, press.root_x, press.root_y)),
                _ => None,
            })
            .collect()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _killed = self.server.kill();
        let _ended = self.server.wait();
    }
}

#[derive(Clone)]
struct Picture {
    width: u16,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    fn height(&self) -> u16 {
        u16::try_from(self.pixels.len()).unwrap() / self.width
    }

    fn plain(width: u16, height: u16, color: [u8; 3]) -> Self {
        Self { width, pixels: vec![color; usize::from(width) * usize::from(height)] }
    }

    /// A ring on a ground, as buttons have.
    fn ring(color: [u8; 3]) -> Self {
        let inside = |x: i32, y: i32| (40..100).contains(&((x - 12) * (x - 12) + (y - 12) * (y - 12)));
        let pixels = (0..24).flat_map(|y| (0..24).map(move |x| (x, y)));
        Self {
            width: 24,
            pixels: pixels.map(|(x, y)| if inside(x, y) { color } else { [230, 230, 230] }).collect(),
        }
    }
}

fn place(data: &Value) -> (Value, Value, Value) {
    (data["found"].clone(), data["x"].clone(), data["y"].clone())
}

fn at(x: i32, y: i32) -> (Value, Value, Value) {
    (json!(true), json!(x), json!(y))
}

#[test]
fn a_region_gives_the_same_desktop_coordinates() {
    let stage = Stage::new();
    let ring = Picture::ring([200, 30, 40]);
    stage.paint(812, 433, &ring);
    let file = stage.file("ring.png", &ring);
    assert_eq!(place(&stage.search(&file, &[]).0), at(812, 433));
    let (data, _) = stage.search(&file, &["--region", "800", "400", "200", "200"]);
    assert_eq!(place(&data), at(812, 433));
    assert_eq!(
        (&data["regionX"], &data["regionHeight"], &data["score"]),
        (&json!(800), &json!(200), &json!(1.0))
    );
    let (data, _) = stage.search(&file, &["--region", "0", "0", "200", "200"]);
    assert_eq!((&data["found"], &data["x"]), (&json!(false), &Value::Null));
}

#[test]
fn a_black_picture_is_not_found_on_dark_grey() {
    let stage = Stage::new();
    let black = Picture::plain(20, 20, [0, 0, 0]);
    let file = stage.file("black.png", &black);
    stage.paint(0, 0, &Picture::plain(WIDTH, HEIGHT, [10, 10, 10]));
    let (data, _) = stage.search(&file, &[]);
    assert_eq!(data["found"], false, "{data}");
    stage.paint(640, 222, &black);
    let (data, warnings) = stage.search(&file, &[]);
    assert_eq!(place(&data), at(640, 222));
    assert_eq!(warnings, json!([]), "exactly one");
}

#[test]
fn one_changed_pixel_and_another_colour_are_no_exact_match() {
    let stage = Stage::new();
    let ring = Picture::ring([200, 30, 40]);
    let file = stage.file("ring.png", &ring);
    let mut changed = ring.clone();
    changed.pixels[100][1] += 1;
    stage.paint(300, 200, &changed);
    let (data, _) = stage.search(&file, &["--similarity", "1"]);
    assert_eq!(data["found"], false, "{data}");
    let (data, _) = stage.search(&file, &[]);
    assert_eq!(place(&data), at(300, 200));
    let score = data["score"].as_f64().unwrap();
    let truth = 1.0 - 1.0 / (3.0 * 255.0 * 576.0);
    assert!(score < 1.0 && (score - truth).abs() < 1e-9, "{score}");
    stage.paint(300, 200, &Picture::ring([30, 200, 40]));
    let (data, _) = stage.search(&file, &["--similarity", "1"]);
    assert_eq!(data["found"], false, "{data}");
}

#[test]
fn a_click_waits_for_its_picture_and_hits_the_middle() {
    let stage = Stage::new();
    let ring = Picture::ring([20, 30, 240]);
    let file = stage.file("ring.png", &ring);
    let file = file.to_str().unwrap();
    let waiter = stage
        .command(&["screen", "image-click", file, "--timeout-ms", "20000", "--button", "right"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(300));
    stage.paint(1000, 600, &ring);
    let output = waiter.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{answer}");
    assert_eq!((&answer["data"]["clickX"], &answer["data"]["clickY"]), (&json!(1012), &json!(612)));
    assert_eq!(stage.presses(), [(3, 1012, 612)]);
    // Two of them: nothing is clicked by guess. None: neither.
    stage.paint(100, 100, &ring);
    let (code, answer) = stage.run(&["screen", "image-click", file, "--timeout-ms", "200"]);
    assert_eq!(code, 6, "{answer}");
    assert!(answer["message"].as_str().unwrap().starts_with("ambiguous_match"), "{answer}");
    let (code, _) =
        stage.run(&["screen", "image-click", file, "--timeout-ms", "0", "--region", "500", "0", "90", "90"]);
    assert_eq!((code, stage.presses()), (6, vec![]));
}

#[test]
fn a_script_waits_for_a_picture_and_clicks_it() {
    let stage = Stage::new();
    let ring = Picture::ring([20, 130, 40]);
    stage.paint(500, 300, &ring);
    let file = stage.file("ring.png", &ring);
    let (code, answer) = stage.run(&[
        "run",
        "--asset",
        "ring",
        file.to_str().unwrap(),
        "--step",
        "waitimage ring seen x y",
        "--step",
        "pixelcolor $x $y color",
        "--step",
        "imageclick region 490 290 100 100 ring",
    ]);
    assert_eq!(code, 0, "{answer}");
    let expected = json!({"color": "E6E6E6", "seen": "true", "x": "500", "y": "300"});
    assert_eq!(answer["data"]["runtimeVariables"], expected);
    assert_eq!(stage.presses(), [(1, 512, 312)]);
    let (code, answer) = stage.run(&["run", "--step", "waitimage ring"]);
    assert_eq!(code, 2, "{answer}");
}

#[test]
fn what_was_searched_is_drawn() {
    let stage = Stage::new();
    let ring = Picture::ring([20, 130, 40]);
    stage.paint(500, 300, &ring);
    let (file, explain) = (stage.file("ring.png", &ring), stage.home.path().join("explain.png"));
    let more = ["--explain", explain.to_str().unwrap(), "--region", "400", "200", "300", "300"];
    stage.search(&file, &more);
    let mut reader =
        png::Decoder::new(BufReader::new(std::fs::File::open(&explain).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (WIDTH.into(), HEIGHT.into()));
}

/// A wait of the command line on a screen that does not change: what the kernel says it cost.
#[test]
fn a_wait_for_a_picture_costs_next_to_nothing_once_it_waits() {
    let stage = Stage::new();
    let file = stage.file("ring.png", &Picture::ring([20, 130, 40]));
    let mut waiter = stage
        .command(&["screen", "wait-image", file.to_str().unwrap(), "--timeout-ms", "30000"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // User and system time in ticks of 10 ms.
    let ticks = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", waiter.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    };
    // It has settled when two seconds pass with two ticks at most: 1 %, all that ticks can tell.
    let limit = Instant::now() + Duration::from_secs(25);
    loop {
        let before = ticks();
        std::thread::sleep(Duration::from_secs(2));
        if ticks() - before <= 2 {
            break;
        }
        assert!(Instant::now() < limit, "it never settled");
    }
    waiter.kill().unwrap();
    waiter.wait().unwrap();
}
