//! The connection, and what arrives on it.

use crate::Result;
use crate::clipboard::Clipboard;
use crate::keymap::Keymap;
use crate::options::Options;
use crate::report::report;
use crate::window::Picture;
use serde_json::json;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xinput::ConnectionExt as _;
use x11rb::protocol::xproto::{
    ButtonPressEvent, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, FocusInEvent,
    KeyPressEvent, NotifyDetail, NotifyMode, Screen, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;

x11rb::atom_manager! {
    /// The names that the witness uses.
    pub(crate) Atoms: AtomsCookie {
        WM_PROTOCOLS, WM_DELETE_WINDOW, WM_STATE, WM_CLIENT_MACHINE,
        _NET_WM_PING, _NET_WM_NAME, _NET_WM_PID, _NET_WM_STATE,
        UTF8_STRING, TARGETS, TIMESTAMP, INCR, ATOM, INTEGER,
        CROSSMACRO_WITNESS_DATA, CROSSMACRO_WITNESS_TIME,
    }
}

pub(crate) struct Client {
    pub(crate) conn: RustConnection,
    pub(crate) screen: Screen,
    pub(crate) atoms: Atoms,
    pub(crate) options: Options,
    /// Absent after it was destroyed.
    pub(crate) window: Option<Window>,
    /// Never shown; for selections.
    pub(crate) helper: Window,
    pub(crate) picture: Picture,
    pub(crate) clipboard: Clipboard,
    pub(crate) quit: bool,
    keymap: Keymap,
    /// Whether it was reported that the window is there.
    is_ready: bool,
}

impl Client {
    pub(crate) fn new(options: Options) -> Result<Self> {
        let (conn, number) = x11rb::connect(None)?;
        let screen = conn.setup().roots[number].clone();
        let atoms = Atoms::new(&conn)?.reply()?;
        conn.xinput_xi_query_version(2, 2)?.reply()?;
        let helper = conn.generate_id()?;
        let aux = CreateWindowAux::new().event_mask(EventMask::PROPERTY_CHANGE);
        conn.create_window(0, helper, screen.root, -1, -1, 1, 1, 0, WindowClass::INPUT_OUTPUT, 0, &aux)?;
        let keymap = Keymap::new(&conn)?;
        let mut client = Self {
            conn,
            screen,
            atoms,
            options,
            window: None,
            helper,
            picture: Picture::default(),
            clipboard: Clipboard::default(),
            quit: false,
            keymap,
            is_ready: false,
        };
        client.create_window()?;
        if client.options.hidden {
            client.ready()?;
        } else {
            client.map()?;
        }
        Ok(client)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.quit
    }

    /// Reports everything that has arrived.
    pub(crate) fn handle_events(&mut self) -> Result<()> {
        while let Some(event) = self.conn.poll_for_event()? {
            self.handle(&event)?;
        }
        Ok(())
    }

    fn handle(&mut self, event: &Event) -> Result<()> {
        match event {
            Event::KeyPress(event) => self.key("press", event),
            Event::KeyRelease(event) => self.key("release", event),
            Event::ButtonPress(event) => Self::button("press", event),
            Event::ButtonRelease(event) => Self::button("release", event),
            Event::MotionNotify(event) => report(
                "motion",
                json!({ "root": [event.root_x, event.root_y], "at": [event.event_x, event.event_y],
                        "state": u16::from(event.state), "time": event.time }),
            ),
            Event::FocusIn(event) => Self::focus(true, event),
            Event::FocusOut(event) => Self::focus(false, event),
            Event::Expose(event) if event.count == 0 && !self.is_ready => self.ready(),
            Event::ConfigureNotify(event) if Some(event.window) == self.window => self.configured(event),
            Event::MapNotify(event) if Some(event.window) == self.window => report("mapped", json!({})),
            Event::UnmapNotify(event) if Some(event.window) == self.window => report("unmapped", json!({})),
            Event::DestroyNotify(event) if Some(event.window) == self.window => {
                self.window = None;
                report("destroyed", json!({}))
            }
            Event::ClientMessage(event) => self.message(event),
            Event::MappingNotify(_) | Event::XkbMapNotify(_) | Event::XkbNewKeyboardNotify(_) => {
                self.keymap.refetch(&self.conn)?;
                report("keymap", json!({}))
            }
            Event::PropertyNotify(event) => self.property(event),
            Event::SelectionRequest(event) => self.selection_request(event),
            Event::SelectionNotify(event) => self.selection_notify(event),
            Event::SelectionClear(event) => self.selection_clear(event),
            _ => Ok(()),
        }
    }

    fn ready(&mut self) -> Result<()> {
        self.is_ready = true;
        let content = self.content()?;
        report("ready", json!({ "window": self.window, "pid": std::process::id(), "content": content }))
    }

    fn key(&self, direction: &str, event: &KeyPressEvent) -> Result<()> {
        let state = u16::from(event.state);
        let keysym = self.keymap.keysym(event.detail, state);
        let text = if direction == "press" { self.keymap.text(event.detail, state) } else { String::new() };
        report(
            "key",
            json!({ "direction": direction, "keycode": event.detail, "state": state, "keysym": keysym,
                    "text": text, "time": event.time }),
        )
    }

    fn button(direction: &str, event: &ButtonPressEvent) -> Result<()> {
        report(
            "button",
            json!({ "direction": direction, "button": event.detail, "root": [event.root_x, event.root_y],
                    "at": [event.event_x, event.event_y], "state": u16::from(event.state), "time": event.time }),
        )
    }

    /// Grabs (a window manager's key binding) and the pointer's share are not a change of focus.
    fn focus(focused: bool, event: &FocusInEvent) -> Result<()> {
        if matches!(event.mode, NotifyMode::GRAB | NotifyMode::UNGRAB)
            || event.detail == NotifyDetail::POINTER
        {
            return Ok(());
        }
        report("focus", json!({ "focused": focused }))
    }

    fn message(&mut self, event: &ClientMessageEvent) -> Result<()> {
        let [protocol, time, ..] = event.data.as_data32();
        if event.type_ != self.atoms.WM_PROTOCOLS {
            let name = self.conn.get_atom_name(event.type_)?.reply()?.name;
            return report("message", json!({ "type": String::from_utf8_lossy(&name) }));
        }
        if protocol == self.atoms.WM_DELETE_WINDOW {
            report("message", json!({ "type": "WM_DELETE_WINDOW", "time": time }))?;
            if !self.options.stubborn {
                self.destroy()?;
            }
        } else if protocol == self.atoms._NET_WM_PING {
            let mut answer = *event;
            answer.window = self.screen.root;
            let mask = EventMask::SUBSTRUCTURE_NOTIFY | EventMask::SUBSTRUCTURE_REDIRECT;
            self.conn.send_event(false, self.screen.root, mask, answer)?;
            report("message", json!({ "type": "_NET_WM_PING", "time": time }))?;
        }
        Ok(())
    }
}
