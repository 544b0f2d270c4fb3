//! The conformance kit's witness on an X display.

use crate::Witness;
use crate::private;
use crossmacro_model::{Axis, Button, Direction, KeyCode, Logical, Point, Rect};
use crossmacro_platform::ClipboardContent;
use crossmacro_platform::kit::{self, Act, Held, Pattern, Received, Shown, ShownState, WindowSpec};
use crossmacro_platform_linux::private_x::PrivateX;
use serde_json::{Value, json};

/// An X key code is the evdev code plus this.
const EVDEV_OFFSET: u64 = 8;
const FOCUS_ATTEMPTS: usize = 1000;
const TEXT_TARGETS: [&str; 3] = ["UTF8_STRING", "text/plain;charset=utf-8", "TEXT"];

/// A witness that opens its windows on one private display.
pub struct WitnessX11<'a> {
    session: &'a PrivateX,
    /// Has no window to be seen; for all that belongs to no window.
    control: Witness,
}

impl<'a> WitnessX11<'a> {
    /// Starts it.
    ///
    /// # Errors
    /// Why it does not run.
    pub fn new(session: &'a PrivateX) -> Result<Self, String> {
        Ok(Self { session, control: Witness::start(session, &["--hidden", "--title", "control"])? })
    }

    /// Sets the keyboard layout, for lanes that go through several.
    ///
    /// # Errors
    /// What setxkbmap said.
    pub fn set_layout(&mut self, layouts: &str, variants: &str) -> Result<(), String> {
        private::set_layout(self.session, layouts, variants)
    }
}

impl kit::Witness for WitnessX11<'_> {
    fn desktop(&mut self) -> Result<Rect<Logical>, String> {
        let answer = self.control.command(&json!({ "do": "pointer" }))?;
        let [width, height] = numbers(&answer["desktop"])?;
        Ok(Rect::new(0, 0, width.unsigned_abs(), height.unsigned_abs()))
    }

    fn show(&mut self, spec: &WindowSpec) -> Result<Box<dyn Shown>, String> {
        let mut witness = Witness::start(self.session, &as_strs(&flags(spec)))?;
        witness.wait_for_state("the window is visible", |state| state["visible"] == true)?;
        Ok(Box::new(WindowX11 { witness }))
    }

    fn pointer(&mut self) -> Result<Point<Logical>, String> {
        let answer = self.control.command(&json!({ "do": "pointer" }))?;
        let [x, y] = numbers(&answer["at"])?;
        Ok(Point::new(x, y))
    }

    fn held(&mut self) -> Result<Held, String> {
        let answer = self.control.command(&json!({ "do": "held" }))?;
        let codes = |list: &Value| {
            let list = list.as_array().into_iter().flatten();
            list.filter_map(Value::as_u64).collect::<Vec<_>>()
        };
        let keys = codes(&answer["keys"]).into_iter().map(key).collect();
        let buttons = codes(&answer["buttons"]).into_iter().filter_map(button).collect();
        Ok(Held { keys, buttons })
    }

    fn act(&mut self, act: Act) -> Result<(), String> {
        let commands = match act {
            Act::Move(to) => vec![json!({ "do": "act", "kind": "to", "x": to.x, "y": to.y })],
            Act::Button(button, direction) => vec![deed("button", number(button), direction)],
            Act::Wheel(axis) => {
                let turn = |direction| deed("button", notch(axis), direction);
                vec![turn(Direction::Press), turn(Direction::Release)]
            }
            Act::Key(key, direction) => vec![deed("key", u64::from(key.0) + EVDEV_OFFSET, direction)],
        };
        commands.iter().try_for_each(|command| self.control.command(command).map(|_| ()))
    }

    fn own_clipboard(&mut self, content: Option<&ClipboardContent>) -> Result<(), String> {
        match content {
            None => self.control.own_silently("CLIPBOARD"),
            Some(ClipboardContent::Empty) => self.control.own("CLIPBOARD", &[]),
            Some(ClipboardContent::Text(text)) => {
                self.control.own("CLIPBOARD", &TEXT_TARGETS.map(|target| (target, text.as_bytes())))
            }
            Some(ClipboardContent::Png(png)) => self.control.own("CLIPBOARD", &[("image/png", png)]),
        }
    }

    fn clipboard_text(&mut self) -> Result<Option<String>, String> {
        let bytes = self.control.read("CLIPBOARD", "UTF8_STRING")?;
        bytes.map(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string())).transpose()
    }

    fn clipboard_png(&mut self) -> Result<Option<Vec<u8>>, String> {
        self.control.read("CLIPBOARD", "image/png")
    }
}

struct WindowX11 {
    witness: Witness,
}

impl Shown for WindowX11 {
    fn pid(&self) -> u32 {
        self.witness.pid()
    }

    fn content(&mut self) -> Result<Rect<Logical>, String> {
        let [x, y, width, height] = numbers(&self.witness.state()?["content"])?;
        Ok(Rect::new(x, y, width.unsigned_abs(), height.unsigned_abs()))
    }

    fn state(&mut self) -> Result<ShownState, String> {
        let state = self.witness.state()?;
        let net = |name: &str| {
            let names = state["net"].as_array().into_iter().flatten();
            names.into_iter().any(|it| it.as_str() == Some(&format!("_NET_WM_STATE_{name}")))
        };
        Ok(ShownState {
            is_visible: state["visible"] == true,
            is_focused: state["focused"] == true,
            is_maximized: net("MAXIMIZED_VERT") && net("MAXIMIZED_HORZ"),
            is_fullscreen: net("FULLSCREEN"),
            is_minimized: net("HIDDEN"),
            is_above: net("ABOVE"),
        })
    }

    fn received(&mut self) -> Result<Vec<Received>, String> {
        self.witness.sync()?;
        Ok(self.witness.events().iter().filter_map(received).collect())
    }

    fn forget(&mut self) -> Result<(), String> {
        self.witness.sync()?;
        self.witness.forget();
        Ok(())
    }

    fn paint(&mut self, pattern: Pattern) -> Result<(), String> {
        self.witness.command(&json!({ "do": "paint", "pattern": name(pattern) })).map(|_| ())
    }

    fn set_title(&mut self, title: &str) -> Result<(), String> {
        self.witness.command(&json!({ "do": "title", "text": title })).map(|_| ())
    }

    fn focus(&mut self) -> Result<(), String> {
        // A window manager may just be giving the focus to another window, so it is asked for until it stays.
        let mut seen = Ok(());
        for _ in 0..FOCUS_ATTEMPTS {
            self.witness.command(&json!({ "do": "focus" }))?;
            if self.witness.state()?["focused"] == true {
                return Ok(());
            }
            seen = Err("the window does not get the focus".to_owned());
        }
        seen
    }
}

fn flags(spec: &WindowSpec) -> Vec<String> {
    let Rect { x, y, width, height, .. } = spec.content;
    let mut flags = vec!["--title".to_owned(), spec.title.clone(), "--class".to_owned(), spec.class.clone()];
    flags.extend(["--at".to_owned(), format!("{x},{y}"), "--size".to_owned(), format!("{width}x{height}")]);
    flags.extend(["--pattern".to_owned(), name(spec.pattern)]);
    flags.extend(spec.is_overlay.then(|| "--override-redirect".to_owned()));
    flags.extend((!spec.obeys_close).then(|| "--stubborn".to_owned()));
    if let Some(step) = spec.increment {
        flags.extend(["--increment".to_owned(), format!("{}x{}", step.width, step.height)]);
    }
    flags
}

fn as_strs(flags: &[String]) -> Vec<&str> {
    flags.iter().map(String::as_str).collect()
}

fn name(pattern: Pattern) -> String {
    match pattern {
        Pattern::Grid => "grid".to_owned(),
        Pattern::Gradient => "gradient".to_owned(),
        Pattern::Solid([red, green, blue]) => format!("{red:02x}{green:02x}{blue:02x}"),
    }
}

fn numbers<const N: usize>(value: &Value) -> Result<[i32; N], String> {
    let list = value.as_array().into_iter().flatten();
    let list = list.filter_map(|it| i32::try_from(it.as_i64()?).ok()).collect::<Vec<_>>();
    list.try_into().map_err(|_| format!("the witness says {value} instead of {N} numbers"))
}

fn key(keycode: u64) -> KeyCode {
    KeyCode(u16::try_from(keycode.saturating_sub(EVDEV_OFFSET)).unwrap_or_default())
}

fn button(number: u64) -> Option<Button> {
    Some(match number {
        1 => Button::Left,
        2 => Button::Middle,
        3 => Button::Right,
        8 => Button::Side1,
        9 => Button::Side2,
        _ => return None,
    })
}

fn deed(kind: &str, number: u64, direction: Direction) -> Value {
    json!({ "do": "act", "kind": kind, "number": number, "press": direction == Direction::Press })
}

fn number(button: Button) -> u64 {
    match button {
        Button::Left => 1,
        Button::Middle => 2,
        Button::Right => 3,
        Button::Side1 => 8,
        Button::Side2 => 9,
    }
}

fn notch(axis: Axis) -> u64 {
    match axis {
        Axis::Up => 4,
        Axis::Down => 5,
        Axis::Left => 6,
        Axis::Right => 7,
    }
}

fn axis(number: u64) -> Option<Axis> {
    Some(match number {
        4 => Axis::Up,
        5 => Axis::Down,
        6 => Axis::Left,
        7 => Axis::Right,
        _ => return None,
    })
}

fn received(event: &Value) -> Option<Received> {
    let direction = if event["direction"] == "press" { Direction::Press } else { Direction::Release };
    match event["event"].as_str()? {
        "key" => {
            let text = event["text"].as_str().unwrap_or_default().replace('\r', "\n");
            Some(Received::Key { key: key(event["keycode"].as_u64()?), direction, text })
        }
        "button" => {
            let number = event["button"].as_u64()?;
            if let Some(axis) = axis(number) {
                // A notch is a press and a release of its button; one of the two counts.
                return (direction == Direction::Press).then_some(Received::Scroll(axis));
            }
            let [x, y] = numbers(&event["root"]).ok()?;
            Some(Received::Button { button: button(number)?, direction, at: Point::new(x, y) })
        }
        "motion" => {
            let [x, y] = numbers(&event["root"]).ok()?;
            Some(Received::Motion(Point::new(x, y)))
        }
        "message" if event["type"] == "WM_DELETE_WINDOW" => Some(Received::CloseRequested),
        _ => None,
    }
}
