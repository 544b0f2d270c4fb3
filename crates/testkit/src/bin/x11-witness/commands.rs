//! What the driver asks for.

use crate::Result;
use crate::client::Client;
use crate::options::pattern;
use crate::report::report;
use crossmacro_platform::{Cancel, clock};
use serde_json::{Map, Value, json};
use std::time::Duration;
use x11rb::connection::Connection as _;
use x11rb::protocol::xinput::ConnectionExt as _;
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConfigureWindowAux, ConnectionExt as _, KEY_PRESS_EVENT,
    KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT, StackMode,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::wrapper::ConnectionExt as _;

/// A, as an X keycode.
const STORM_KEY: u8 = 38;

impl Client {
    /// Carries out one line.
    pub(crate) fn command(&mut self, line: &[u8]) -> Result<()> {
        let command: Value = serde_json::from_slice(line)?;
        let name = command["do"].as_str().unwrap_or_default().to_owned();
        let text = command["text"].as_str().unwrap_or_default();
        let mut facts = json!({});
        match (name.as_str(), self.window) {
            ("quit", _) => self.quit = true,
            ("sync", _) => {}
            ("paint", _) => {
                self.picture.pattern = pattern(command["pattern"].as_str().unwrap_or_default())?;
                self.paint()?;
            }
            ("title", Some(window)) => self.set_title(window, text)?,
            ("map", _) => self.map()?,
            ("unmap", Some(window)) => drop(self.conn.unmap_window(window)?),
            ("raise", Some(window)) => {
                let top = ConfigureWindowAux::new().stack_mode(StackMode::ABOVE);
                self.conn.configure_window(window, &top)?;
            }
            ("destroy", _) => self.destroy()?,
            ("focus", _) => self.focus_self()?,
            ("state", _) => facts = self.state()?,
            ("pointer", _) => facts = self.pointer()?,
            ("held", _) => facts = self.held()?,
            ("act", _) => self.act(&command)?,
            ("storm", _) => self.storm(&command)?,
            // These two are done when the server has answered.
            ("own", _) => return self.own(&command),
            ("read", _) => return self.read(&command),
            (other, _) => return Err(format!("unknown command {other:?}, or no window for it").into()),
        }
        self.done(&name, facts)
    }

    /// Reports the end of a command, after all that the server had sent until then.
    fn done(&mut self, name: &str, facts: Value) -> Result<()> {
        self.conn.sync()?;
        self.handle_events()?;
        let mut done = Map::new();
        done.insert("do".to_owned(), name.into());
        if let Value::Object(facts) = facts {
            done.extend(facts);
        }
        report("done", Value::Object(done))
    }

    fn pointer(&self) -> Result<Value> {
        let pointer = self.conn.query_pointer(self.screen.root)?.reply()?;
        let geometry = self.conn.get_geometry(self.screen.root)?.reply()?;
        Ok(json!({ "at": [pointer.root_x, pointer.root_y], "desktop": [geometry.width, geometry.height] }))
    }

    /// Does what a person would: `to` a place, `by` a distance, a `button` or a `key` (X numbers).
    fn act(&self, command: &Value) -> Result<()> {
        let coordinate = |name: &str| i16::try_from(command[name].as_i64().unwrap_or(0));
        let (x, y) = (coordinate("x")?, coordinate("y")?);
        let is_press = command["press"] == true;
        let number = u8::try_from(command["number"].as_u64().unwrap_or(0))?;
        let (kind, detail) = match command["kind"].as_str().unwrap_or_default() {
            "to" => (MOTION_NOTIFY_EVENT, 0),
            "by" => (MOTION_NOTIFY_EVENT, 1),
            "button" if is_press => (BUTTON_PRESS_EVENT, number),
            "button" => (BUTTON_RELEASE_EVENT, number),
            "key" if is_press => (KEY_PRESS_EVENT, number),
            "key" => (KEY_RELEASE_EVENT, number),
            other => return Err(format!("unknown deed {other:?}").into()),
        };
        self.conn.xtest_fake_input(kind, detail, 0, self.screen.root, x, y, 0)?.check()?;
        Ok(())
    }

    /// So many deeds so fast: a place, a key down, another place, the key up, and so on. Places are told apart.
    fn storm(&self, command: &Value) -> Result<()> {
        let number = |name: &str| command[name].as_u64().ok_or_else(|| format!("{name} is missing"));
        let (count, per_second) = (number("count")?, number("perSecond")?);
        let (begun, pause) = (clock::now(), Cancel::new());
        for index in 0..count {
            pause.sleep_until(begun + Duration::from_micros(index * 1_000_000 / per_second));
            let (x, y) = (i16::try_from(index % 1000)?, i16::try_from(index / 1000 % 700)?);
            let (kind, detail) = match index % 4 {
                1 => (KEY_PRESS_EVENT, STORM_KEY),
                3 => (KEY_RELEASE_EVENT, STORM_KEY),
                _ => (MOTION_NOTIFY_EVENT, 0),
            };
            self.conn.xtest_fake_input(kind, detail, 0, self.screen.root, x, y, 0)?;
            self.conn.flush()?;
        }
        Ok(())
    }

    /// What is pressed. The core protocol tells of five buttons only, so they come from XInput.
    fn held(&self) -> Result<Value> {
        let keys = self.conn.query_keymap()?.reply()?.keys;
        let keys = (0..256_usize).filter(|key| keys[key / 8] >> (key % 8) & 1 == 1).collect::<Vec<_>>();
        let device = self.conn.xinput_xi_get_client_pointer(x11rb::NONE)?.reply()?.deviceid;
        let pointer = self.conn.xinput_xi_query_pointer(self.screen.root, device)?.reply()?;
        let count = pointer.buttons.len() * 32;
        let is_down = |button: &usize| pointer.buttons[button / 32] >> (button % 32) & 1 == 1;
        let buttons = (0..count).filter(is_down).collect::<Vec<_>>();
        Ok(json!({ "keys": keys, "buttons": buttons }))
    }
}
