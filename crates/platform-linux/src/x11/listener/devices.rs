//! What has to be known about a device to read its raw events.

use super::NOTCH;
use crate::x11::connection::X11;
use crossmacro_model::Axis;
use crossmacro_platform::Result;
use std::collections::HashMap;
use x11rb::protocol::xinput::{
    ConnectionExt as _, Device, DeviceClassData, DeviceId, Fp3232, RawMotionEvent, ScrollType, ValuatorMode,
    XIDeviceInfo,
};

/// The devices of a server, by id.
#[derive(Debug, Default)]
pub(super) struct Devices(HashMap<DeviceId, Facts>);

/// One device.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    /// Whether it is the server's own, for what programs inject by XTEST.
    pub(super) is_injector: bool,
    /// Whether its motion is told as places of the device (tablets, touch screens, guests of a virtual machine).
    pub(super) is_absolute: bool,
    wheels: Vec<Wheel>,
}

/// An axis that scrolls.
#[derive(Debug, Clone)]
struct Wheel {
    axis: u16,
    is_vertical: bool,
    /// What one notch is; negative where the axis is turned round.
    increment: f64,
    /// In 120ths of a notch, not told yet.
    rest: f64,
}

impl Devices {
    /// Asks the server.
    pub(super) fn read(x11: &X11) -> Result<Self> {
        let reply = x11.reply("the input devices", x11.conn().xinput_xi_query_device(Device::ALL))?;
        Ok(Self(reply.infos.iter().map(|info| (info.deviceid, Facts::of(info))).collect()))
    }

    pub(super) fn get(&self, id: DeviceId) -> Option<&Facts> {
        self.0.get(&id)
    }

    /// How far the wheels of the device turned in this event, in whole 120ths of a notch; the rest is kept.
    pub(super) fn turned(&mut self, event: &RawMotionEvent) -> Vec<(Axis, u32)> {
        let wheels = self.0.get_mut(&event.sourceid).map(|facts| facts.wheels.as_mut_slice());
        wheels
            .unwrap_or_default()
            .iter_mut()
            .filter_map(|wheel| wheel.turn(value(event, wheel.axis)?))
            .collect()
    }
}

impl Facts {
    fn of(info: &XIDeviceInfo) -> Self {
        let mut facts = Self { is_injector: is_injector(&info.name), ..Self::default() };
        for class in &info.classes {
            match &class.data {
                DeviceClassData::Valuator(axis) if axis.number < 2 => {
                    facts.is_absolute |= axis.mode == ValuatorMode::ABSOLUTE;
                }
                DeviceClassData::Scroll(scroll) => facts.wheels.push(Wheel {
                    axis: scroll.number,
                    is_vertical: scroll.scroll_type == ScrollType::VERTICAL,
                    increment: float(scroll.increment),
                    rest: 0.0,
                }),
                _ => {}
            }
        }
        facts.wheels.retain(|wheel| wheel.increment != 0.0);
        facts
    }
}

impl Wheel {
    fn turn(&mut self, by: f64) -> Option<(Axis, u32)> {
        self.rest += by / self.increment * f64::from(NOTCH);
        let whole = self.rest.trunc();
        self.rest -= whole;
        let axis = match (self.is_vertical, whole > 0.0) {
            (true, true) => Axis::Down,
            (true, false) => Axis::Up,
            (false, true) => Axis::Right,
            (false, false) => Axis::Left,
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, and saturates")]
        let amount = whole.abs() as u32;
        (amount > 0).then_some((axis, amount))
    }
}

/// The server calls them "... XTEST pointer" and "... XTEST keyboard".
fn is_injector(name: &[u8]) -> bool {
    name.ends_with(b" XTEST pointer") || name.ends_with(b" XTEST keyboard")
}

/// What an event says about one axis, before acceleration; `None` when it says nothing.
pub(super) fn value(event: &RawMotionEvent, axis: u16) -> Option<f64> {
    let (word, bit) = (usize::from(axis / 32), axis % 32);
    let mask = event.valuator_mask.get(word)?;
    if mask >> bit & 1 == 0 {
        return None;
    }
    // Values are there only for the axes whose bit is set.
    let before: u32 = event.valuator_mask[..word].iter().map(|mask| mask.count_ones()).sum();
    let index = before + (mask & ((1_u32 << bit) - 1)).count_ones();
    event.axisvalues_raw.get(index as usize).copied().map(float)
}

fn float(number: Fp3232) -> f64 {
    f64::from(number.integral) + f64::from(number.frac) / 4_294_967_296.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(mask: u32, values: &[(i32, u32)]) -> RawMotionEvent {
        RawMotionEvent {
            response_type: 35,
            extension: 131,
            sequence: 0,
            length: 0,
            event_type: 17,
            deviceid: 2,
            time: 0,
            detail: 0,
            sourceid: 9,
            flags: 0_u32.into(),
            valuator_mask: vec![mask],
            axisvalues: Vec::new(),
            axisvalues_raw: values.iter().map(|&(integral, frac)| Fp3232 { integral, frac }).collect(),
        }
    }

    fn wheel(is_vertical: bool, increment: f64) -> Wheel {
        Wheel { axis: 3, is_vertical, increment, rest: 0.0 }
    }

    #[test]
    fn values_belong_to_the_bits_that_are_set() {
        let event = event(0b1010, &[(-3, 1 << 31), (7, 0)]);
        assert_eq!(
            [0, 1, 2, 3, 4, 40].map(|axis| value(&event, axis)),
            [None, Some(-2.5), None, Some(7.0), None, None]
        );
        assert_eq!(value(&self::event(1, &[]), 0), None);
    }

    #[test]
    fn fine_steps_add_up_to_notches_and_nothing_is_lost() {
        let mut fine = wheel(true, 15.0);
        let steps: Vec<_> = (0..9).map(|_| fine.turn(1.0)).collect();
        assert_eq!(steps, [Some((Axis::Down, 8)); 9]);
        let mut odd = wheel(false, 7.0);
        let total: u32 = (0..7)
            .filter_map(|_| odd.turn(-1.0))
            .map(|(axis, amount)| {
                assert_eq!(axis, Axis::Left);
                amount
            })
            .sum();
        assert!((119..=120).contains(&total), "{total}");
        assert_eq!(wheel(true, -120.0).turn(120.0), Some((Axis::Up, 120)));
    }

    #[test]
    fn absurd_values_do_no_harm() {
        let mut devices = Devices::default();
        devices.0.insert(9, Facts { wheels: vec![wheel(true, 1e-9)], ..Facts::default() });
        assert_eq!(devices.turned(&event(8, &[(i32::MAX, u32::MAX)])), [(Axis::Down, u32::MAX)]);
        assert_eq!(devices.turned(&event(8, &[])), []);
    }
}
