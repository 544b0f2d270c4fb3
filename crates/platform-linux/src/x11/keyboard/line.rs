//! The requests that typing is made of, and the events that answer them. Knows keycodes, not characters.
//!
//! Keys are injected with XTEST, whose events come from a device of their own ("XTEST keyboard") with a keymap
//! of its own: the server copies it to the core keyboard with the first event. What a key will give is
//! therefore read from that device, where the server has the X Input extension.

use super::super::connection::{TimedStream, X11, XINPUT};
use super::keymap::Keymap;
use crossmacro_platform::{Error, Result, clock};
use rustix::event::{PollFd, PollFlags, Timespec};
use std::collections::HashMap;
use std::io::IoSlice;
use std::time::Instant;
use x11rb::connection::{Connection, RequestConnection, SequenceNumber};
use x11rb::cookie::{Cookie, VoidCookie};
use x11rb::errors::{ConnectionError, ReplyError};
use x11rb::protocol::Event;
use x11rb::protocol::xinput::{self, ConnectionExt as _, Device, DeviceType, InputStateData, XIEventMask};
use x11rb::protocol::xkb::{self, ConnectionExt as _, GetMapReply, GetStateReply, MapPart, SelectEventsAux};
use x11rb::protocol::xproto::{
    ConnectionExt as _, GetInputFocusReply, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, ModMask,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

/// The core keyboard, in XKB requests.
pub(super) const CORE: u16 = 0x100;

/// The input devices that matter here.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Devices {
    /// The device whose keys XTEST presses; unknown without the X Input extension.
    xtest: Option<u8>,
    /// The number of the first event of the X Input extension.
    first_event: u8,
    /// The major opcode of XKB.
    xkb_opcode: u8,
}

/// A key that is down, and the device that holds it (the injecting one where absent).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Held {
    pub(super) device: Option<u8>,
    pub(super) code: u8,
}

/// Announces the extensions on a connection and finds the devices.
pub(super) fn prepare(x11: &X11) -> Result<Devices> {
    x11.reply("the keyboard extension", x11.conn().xkb_use_extension(1, 0))?;
    let xkb = x11.conn().extension_information(xkb::X11_EXTENSION_NAME);
    let xkb_opcode = xkb.ok().flatten().map_or(0, |found| found.major_opcode);
    let extension = x11.conn().extension_information(xinput::X11_EXTENSION_NAME);
    let Some(extension) = extension.map_err(|error| x11.fault("its extensions", error))? else {
        return Ok(Devices { xkb_opcode, ..Devices::default() });
    };
    x11.reply("the input extension", x11.conn().xinput_xi_query_version(XINPUT.0, XINPUT.1))?;
    let core = x11.reply("the keyboard state", x11.conn().xkb_get_state(CORE))?.device_id;
    let found = slaves(x11, core)?.into_iter().find(|(_, name)| name.ends_with(b"XTEST keyboard"));
    Ok(Devices { xtest: found.map(|(id, _)| id), first_event: extension.first_event, xkb_opcode })
}

/// Has the server tell of every change of the keymap. It tells everybody who does not know XKB, but those who do
/// must ask.
fn follow_keymap(x11: &X11) -> Result<()> {
    let events = xkb::EventType::NEW_KEYBOARD_NOTIFY | xkb::EventType::MAP_NOTIFY;
    let (none, parts) = (xkb::EventType::from(0u16), MapPart::from(0xffu8));
    let asked = x11.conn().xkb_select_events(CORE, none, events, parts, parts, &SelectEventsAux::new());
    let checked = asked.map_err(ReplyError::from).and_then(VoidCookie::check);
    checked.map_err(|error| x11.fault("news of the keymap", error))
}

/// Keyboards that feed the core keyboard `core`: number and name.
fn slaves(x11: &X11, core: u8) -> Result<Vec<(u8, Vec<u8>)>> {
    let reply = x11.reply("the input devices", x11.conn().xinput_xi_query_device(Device::ALL))?;
    let slaves = reply.infos.into_iter().filter(|info| {
        info.type_ == DeviceType::SLAVE_KEYBOARD && info.attachment == u16::from(core) && info.enabled
    });
    Ok(slaves.filter_map(|info| Some((u8::try_from(info.deviceid).ok()?, info.name))).collect())
}

/// The keymap that injected keys go by, and the state of the core keyboard: modifiers and group.
pub(super) fn keymap_and_state(x11: &X11, devices: Devices) -> Result<(Keymap, GetStateReply)> {
    let state = x11.conn().xkb_get_state(CORE);
    let keymap = request_keymap(x11, devices);
    Ok((Keymap::new(x11.reply("the keymap", keymap)?), x11.reply("the keyboard state", state)?))
}

/// Asks for the keymap of the device that `devices` names.
fn request_keymap(x11: &X11, devices: Devices) -> Asked<'_, GetMapReply> {
    let parts = MapPart::KEY_TYPES | MapPart::KEY_SYMS | MapPart::KEY_ACTIONS | MapPart::MODIFIER_MAP;
    let device = devices.xtest.map_or(CORE, u16::from);
    let (none, vmods) = (MapPart::from(0u8), 0u16.into());
    x11.conn().xkb_get_map(device, parts, none, 0, 0, 0, 0, 0, 0, 0, 0, vmods, 0, 0, 0, 0, 0, 0)
}

/// A request whose answer is outstanding.
type Asked<'a, R> = Result<Cookie<'a, RustConnection<TimedStream>, R>, ConnectionError>;

/// The keyboard as it is at one moment.
pub(super) struct View {
    pub(super) keymap: Keymap,
    pub(super) state: GetStateReply,
    /// Enabled keyboard controls.
    pub(super) controls: u32,
    pub(super) held: Vec<Held>,
}

/// A connection of its own for typing: requests and the events that belong to them stay in order, and no other
/// facet's calls come in between.
pub(super) struct Line {
    pub(super) x11: X11,
    pub(super) devices: Devices,
    /// Raw presses minus raw releases that we did not cause, by device and keycode.
    balance: HashMap<(u16, u8), i32>,
    /// Answers to pings: the window that answered and the time stamp it was asked with.
    pub(super) answers: Vec<(u32, u32)>,
    keymap_changed: bool,
    /// The round trip that [`Line::pace`] has begun.
    paced: Option<SequenceNumber>,
}

impl Line {
    pub(super) fn open(main: &X11) -> Result<Self> {
        let x11 = main.another()?;
        let devices = prepare(&x11)?;
        follow_keymap(&x11)?;
        Ok(Self {
            x11,
            devices,
            balance: HashMap::new(),
            answers: Vec::new(),
            keymap_changed: false,
            paced: None,
        })
    }

    /// Queues a request that has no answer. Its error, if any, is found by [`Line::sync`].
    pub(super) fn send(
        &self,
        what: &'static str,
        cookie: Result<VoidCookie<'_, impl RequestConnection>, ConnectionError>,
    ) -> Result<()> {
        cookie.map(drop).map_err(|error| self.x11.fault(what, error))
    }

    /// Queues one key event.
    pub(super) fn key(&self, held: Held, down: bool) -> Result<()> {
        let foreign = held.device.filter(|device| Some(*device) != self.devices.xtest);
        let core = if down { KEY_PRESS_EVENT } else { KEY_RELEASE_EVENT };
        let (kind, device) = match foreign {
            // The extension's key events follow each other as the core ones do, one after its first event.
            Some(device) => (self.devices.first_event.wrapping_add(core - KEY_PRESS_EVENT + 1), device),
            None => (core, 0),
        };
        self.send("a key event", self.x11.conn().xtest_fake_input(kind, held.code, 0, 0, 0, 0, device))
    }

    /// As [`Line::key`] for a key that the user may hold too, so that the user's events can be told from ours.
    pub(super) fn modifier_key(&mut self, code: u8, down: bool) -> Result<()> {
        if let Some(device) = self.devices.xtest {
            *self.balance.entry((u16::from(device), code)).or_default() += if down { -1 } else { 1 };
        }
        self.key(Held { device: None, code }, down)
    }

    /// Makes the device of the injected keys the current one, so that the core keyboard takes over its keymap
    /// before the first real key: the release of a key that is not down does that and nothing else.
    pub(super) fn wake(&self, unused: u8) -> Result<()> {
        self.key(Held { device: None, code: unused }, false)
    }

    /// Looks at the keyboard. One round trip, as long as no key is down.
    pub(super) fn look(&self) -> Result<View> {
        let (x11, conn) = (&self.x11, self.x11.conn());
        let state = conn.xkb_get_state(CORE);
        let controls = conn.xkb_get_controls(CORE);
        let down = conn.query_keymap();
        let keymap = request_keymap(x11, self.devices);
        let keymap = Keymap::new(x11.reply("the keymap", keymap)?);
        let state = x11.reply("the keyboard state", state)?;
        let controls = x11.reply("the keyboard controls", controls)?.enabled_controls.into();
        let held = self.held(state.device_id, x11.reply("the keys that are down", down)?.keys)?;
        Ok(View { keymap, state, controls, held })
    }

    /// Every key that is down by the device that holds it; `all` are the keys of the core keyboard `core`.
    fn held(&self, core: u8, all: [u8; 32]) -> Result<Vec<Held>> {
        let x11 = &self.x11;
        let (Some(xtest), true) = (self.devices.xtest, all.iter().any(|byte| *byte != 0)) else {
            return Ok(down(all).map(|code| Held { device: None, code }).collect());
        };
        let mut held = Vec::new();
        for (device, _) in slaves(x11, core)? {
            let cookie = x11.conn().xinput_query_device_state(device);
            let Ok(reply) = x11.reply("the keys that are down", cookie) else { continue };
            let device = Some(device).filter(|device| *device != xtest);
            for class in reply.classes {
                if let InputStateData::Key(keys) = class.data {
                    held.extend(down(keys.keys).map(|code| Held { device, code }));
                }
            }
        }
        Ok(held)
    }

    /// Starts or stops watching what the keys of all devices do.
    pub(super) fn watch_keys(&mut self, watch: bool) -> Result<()> {
        self.balance.clear();
        if self.devices.xtest.is_none() {
            return Ok(());
        }
        let wanted = XIEventMask::RAW_KEY_PRESS | XIEventMask::RAW_KEY_RELEASE;
        let mask = if watch { wanted } else { XIEventMask::from(0u32) };
        let masks = [xinput::EventMask { deviceid: Device::ALL.into(), mask: vec![mask] }];
        self.send("key events", self.x11.conn().xinput_xi_select_events(self.x11.root(), &masks))
    }

    /// Whether the user has let go of `held` since [`Line::watch_keys`]. Ask after a [`Line::sync`].
    pub(super) fn let_go(&self, held: Held) -> bool {
        let device = held.device.or(self.devices.xtest).map_or(0, u16::from);
        self.balance.get(&(device, held.code)).is_some_and(|balance| *balance < 0)
    }

    /// Changes locks and latches of the core keyboard: only the bits named, only the groups given.
    ///
    /// XkbLatchLockState by hand: the protocol description that the library was generated from takes the
    /// octet with the modifiers to latch for padding, so that it can only clear latches.
    pub(super) fn lock(&self, change: Change) -> Result<()> {
        let [length_0, length_1] = 4u16.to_ne_bytes();
        let [core_0, core_1] = CORE.to_ne_bytes();
        let [latch_0, latch_1] = change.latched_group.unwrap_or(0).to_ne_bytes();
        #[rustfmt::skip]
        let request = [
            self.devices.xkb_opcode, xkb::LATCH_LOCK_STATE_REQUEST, length_0, length_1, core_0, core_1,
            change.affect_locks, change.locks,
            u8::from(change.locked_group.is_some()), change.locked_group.unwrap_or(0),
            change.affect_latches, change.latches, 0,
            u8::from(change.latched_group.is_some()), latch_0, latch_1,
        ];
        let sent = self.x11.conn().send_request_without_reply(&[IoSlice::new(&request)], Vec::new());
        self.send("the lock state", sent)
    }

    /// Switches keyboard controls (sticky keys and the like) on or off.
    pub(super) fn set_controls(&self, which: u32, on: bool) -> Result<()> {
        let none = ModMask::from(0u16);
        let (vmods, options, bits) = (0u16.into(), 0u16.into(), xkb::BoolCtrl::from(which));
        let enabled = xkb::BoolCtrl::from(if on { which } else { 0 });
        let nothing = xkb::BoolCtrl::from(0u32);
        let change = xkb::Control::CONTROLS_ENABLED;
        let cookie = xkb::set_controls(
            self.x11.conn(),
            CORE,
            none,
            none,
            none,
            none,
            vmods,
            vmods,
            vmods,
            vmods,
            0,
            0,
            options,
            bits,
            enabled,
            change,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            nothing,
            nothing,
            options,
            options,
            &[0; 32],
        );
        self.send("the keyboard controls", cookie)
    }

    /// Waits until the server has carried out everything that was queued, and takes in what it said.
    ///
    /// # Errors
    /// [`Error::Refused`] when it refused something of it.
    pub(super) fn sync(&mut self) -> Result<()> {
        if let Some(last) = self.paced.take() {
            drop(Cookie::<_, GetInputFocusReply>::new(self.x11.conn(), last));
        }
        self.x11.sync()?;
        self.take_events()
    }

    /// As [`Line::sync`], and looks at the state on the way.
    pub(super) fn sync_state(&mut self) -> Result<(GetStateReply, Result<()>)> {
        let state = self.x11.reply("the keyboard state", self.x11.conn().xkb_get_state(CORE))?;
        Ok((state, self.take_events()))
    }

    /// Keeps the server from falling behind: waits for what was queued before the last call, while it works on
    /// what was queued since. So neither side ever waits for nothing.
    pub(super) fn pace(&mut self) -> Result<()> {
        let conn = self.x11.conn();
        let cookie = conn.get_input_focus().map_err(|error| self.x11.fault("a round trip", error))?;
        let sequence = cookie.sequence_number();
        // The cookie borrows the connection; its number stands for it until the next call.
        std::mem::forget(cookie);
        conn.flush().map_err(|error| self.x11.fault("a round trip", error))?;
        if let Some(last) = self.paced.replace(sequence) {
            let last = Cookie::<_, GetInputFocusReply>::new(self.x11.conn(), last);
            self.x11.reply("a round trip", Ok(last))?;
        }
        self.take_events()
    }

    /// Whether the keymap was changed since the last call, by whomever. Ask after a [`Line::sync`].
    pub(super) fn keymap_changed(&mut self) -> bool {
        std::mem::take(&mut self.keymap_changed)
    }

    /// Takes in what the server has said so far.
    pub(super) fn take_events(&mut self) -> Result<()> {
        let mut refused = None;
        while let Some(event) = self.next_event()? {
            match event {
                Event::MappingNotify(_) | Event::XkbMapNotify(_) | Event::XkbNewKeyboardNotify(_) => {
                    self.keymap_changed = true;
                }
                Event::XinputRawKeyPress(event) => self.count(event.deviceid, event.detail, 1),
                Event::XinputRawKeyRelease(event) => self.count(event.deviceid, event.detail, -1),
                Event::ClientMessage(event) if event.format == 32 => {
                    let data = event.data.as_data32();
                    self.answers.push((data[2], data[1]));
                }
                Event::Error(error) => refused = Some(format!("{:?}", error.error_kind)),
                _ => {}
            }
        }
        refused.map_or(Ok(()), |why| Err(Error::Refused { what: "a keyboard request", why }))
    }

    fn next_event(&self) -> Result<Option<Event>> {
        self.x11.conn().poll_for_event().map_err(|error| self.x11.fault("its events", error))
    }

    fn count(&mut self, device: u16, detail: u32, step: i32) {
        if let Ok(code) = u8::try_from(detail) {
            *self.balance.entry((device, code)).or_default() += step;
        }
    }

    /// Waits for the server to say something, not beyond `until`.
    pub(super) fn wait(&self, until: Instant) -> Result<()> {
        let conn: &RustConnection<_> = self.x11.conn();
        conn.flush().map_err(|error| self.x11.fault("its events", error))?;
        let left = until.saturating_duration_since(clock::now());
        let limit = Timespec {
            tv_sec: i64::try_from(left.as_secs()).unwrap_or(0),
            tv_nsec: left.subsec_nanos().into(),
        };
        let mut fds = [PollFd::new(conn.stream(), PollFlags::IN)];
        match rustix::event::poll(&mut fds, Some(&limit)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(errno) => Err(Error::Lost { why: errno.to_string() }),
        }
    }

    /// The keymaps of the other keyboards. Devices that have none, or are unplugged at this moment, are left out.
    pub(super) fn other_keymaps(&self, core: u8) -> Result<Vec<Keymap>> {
        let Some(xtest) = self.devices.xtest else { return Ok(Vec::new()) };
        let mut asked = Vec::new();
        for (device, _) in slaves(&self.x11, core)?.into_iter().filter(|(device, _)| *device != xtest) {
            asked.push(request_keymap(&self.x11, Devices { xtest: Some(device), ..self.devices }));
        }
        Ok(asked
            .into_iter()
            .filter_map(|cookie| self.x11.reply("a keymap", cookie).ok())
            .map(Keymap::new)
            .collect())
    }
}

/// A change of locks and latches.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Change {
    pub(super) affect_locks: u8,
    pub(super) locks: u8,
    pub(super) locked_group: Option<u8>,
    pub(super) affect_latches: u8,
    pub(super) latches: u8,
    pub(super) latched_group: Option<i16>,
}

fn down(keys: [u8; 32]) -> impl Iterator<Item = u8> {
    (0..=u8::MAX).filter(move |code| keys[usize::from(code / 8)] & (1 << (code % 8)) != 0)
}
