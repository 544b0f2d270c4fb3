//! Monitors, pixels and the clipboard of the simulation.

use super::{FakeClipboard, FakeDesktop, State};
use crate::cancel::Cancel;
use crate::clock;
use crate::error::{Error, Result};
use crate::facets::capture::{Capture, CaptureRequest, Watch};
use crate::facets::clipboard::{Clipboard, ClipboardContent};
use crate::facets::displays::{Displays, Layout};
use crate::facets::self_test::{Finding, SelfTest};
use crossmacro_model::{Frame, Logical, Rect, Size};
use std::time::Duration;

impl Displays for FakeDesktop {
    fn layout(&self) -> Result<Layout> {
        Ok(self.enter()?.layout.clone())
    }

    fn backend(&self) -> &'static str {
        "fake"
    }
}

impl Capture for FakeDesktop {
    fn capture(&self, request: CaptureRequest) -> Result<Frame> {
        let mut state = self.enter()?;
        state.looks += 1;
        render(&state, request.region)
    }

    fn watch(&self, region: Rect<Logical>) -> Result<Box<dyn Watch>> {
        let state = self.enter()?;
        let (seen, redraws) = (render(&state, Some(region))?, state.redraws.len());
        Ok(Box::new(FakeWatch { desktop: self.clone(), region, seen, redraws }))
    }

    fn backend(&self) -> &'static str {
        "fake"
    }
}

/// How often a watch of the simulation looks at its state.
const GLANCE: Duration = Duration::from_millis(2);

/// Sees changes of pixels, and redraws that change none.
struct FakeWatch {
    desktop: FakeDesktop,
    region: Rect<Logical>,
    seen: Frame,
    redraws: usize,
}

impl FakeWatch {
    fn changes(&mut self) -> Result<Vec<Rect<Logical>>> {
        let state = self.desktop.lock();
        let now = render(&state, Some(self.region))?;
        let redrawn = state.redraws[self.redraws..].iter().filter_map(|area| area.intersection(self.region));
        let pixels = now.changes(&self.seen).into_iter().map(|area| now.on_desktop(area));
        let changes = pixels.chain(redrawn).collect();
        self.redraws = state.redraws.len();
        drop(state);
        self.seen = now;
        Ok(changes)
    }
}

impl Watch for FakeWatch {
    fn wait(&mut self, limit: Duration, cancel: &Cancel) -> Result<Vec<Rect<Logical>>> {
        let until = clock::now() + limit;
        loop {
            let changes = self.changes()?;
            if !changes.is_empty() || clock::now() >= until {
                return Ok(changes);
            }
            if cancel.sleep(GLANCE) {
                return Err(Error::Cancelled);
            }
        }
    }

    fn backend(&self) -> &'static str {
        "fake"
    }
}

fn render(state: &State, region: Option<Rect<Logical>>) -> Result<Frame> {
    let desktop = state.layout.bounds();
    let asked = region.unwrap_or(desktop);
    let outside = Error::OutOfBounds { region: asked, desktop };
    let Some(region) = asked.intersection(desktop) else { return Err(outside) };
    let voids = state.layout.voids(region);
    if voids.first() == Some(&region) {
        return Err(outside);
    }
    let size = Size::new(region.width, region.height);
    let bytes = vec![0; region.width as usize * region.height as usize * 4];
    let mut frame = Frame::new(region, size, region.width as usize * 4, Box::new(bytes))
        .map_err(|shape| Error::Malformed { what: "the frame", why: shape.to_string() })?;
    paint(state, &mut frame);
    let local = |void: Rect| Rect::new(void.x - region.x, void.y - region.y, void.width, void.height);
    Ok(frame.with_voids(voids.into_iter().map(local).collect()))
}

fn paint(state: &State, frame: &mut Frame) {
    let region = frame.region();
    let size = frame.size();
    frame.fill(Rect::new(0, 0, size.width, size.height), state.background);
    for window in state.windows.iter().filter(|window| !window.window.is_hidden) {
        if let Some(seen) = window.window.frame.intersection(region) {
            frame
                .fill(Rect::new(seen.x - region.x, seen.y - region.y, seen.width, seen.height), window.color);
        }
    }
    for picture in &state.pictures {
        let places = (0..picture.area.height).flat_map(|y| (0..picture.area.width).map(move |x| (x, y)));
        let colors = picture.pixels.iter().copied().chain(std::iter::repeat([0, 0, 0]));
        for ((x, y), color) in places.zip(colors) {
            let at =
                |start: i32, step: u32, edge: i32| start - edge + i32::try_from(step).unwrap_or(i32::MAX);
            let (x, y) = (at(picture.area.x, x, region.x), at(picture.area.y, y, region.y));
            frame.fill(Rect::new(x, y, 1, 1), color);
        }
    }
}

impl SelfTest for FakeDesktop {
    fn run(&self, _cancel: &Cancel) -> Vec<Finding> {
        vec![Finding { name: "pixel-loop", result: Ok("a simulated pixel".into()) }]
    }

    fn backend(&self) -> &'static str {
        "fake"
    }
}

impl Clipboard for FakeDesktop {
    fn text(&self, limit: usize, _cancel: &Cancel) -> Result<Option<String>> {
        let text = self.enter()?.clipboard.text.clone();
        bounded(text.as_ref().map(String::len), limit)?;
        Ok(text)
    }

    fn png(&self, limit: usize, _cancel: &Cancel) -> Result<Option<Vec<u8>>> {
        let png = self.enter()?.clipboard.png.clone();
        bounded(png.as_ref().map(Vec::len), limit)?;
        Ok(png)
    }

    fn set(&self, content: ClipboardContent) -> Result<()> {
        let mut state = self.enter()?;
        state.note(format!("clipboard set {content:?}"));
        state.clipboard = match content {
            ClipboardContent::Empty => FakeClipboard::default(),
            ClipboardContent::Text(text) => FakeClipboard { text: Some(text), png: None },
            ClipboardContent::Png(png) => FakeClipboard { text: None, png: Some(png) },
        };
        Ok(())
    }

    fn formats(&self, _cancel: &Cancel) -> Result<Vec<String>> {
        let state = self.enter()?;
        let text = state.clipboard.text.iter().map(|_| "text/plain".to_owned());
        Ok(text.chain(state.clipboard.png.iter().map(|_| "image/png".to_owned())).collect())
    }

    fn backend(&self) -> &'static str {
        "fake"
    }
}

fn bounded(length: Option<usize>, limit: usize) -> Result<()> {
    match length {
        Some(length) if length > limit => {
            Err(Error::TooLarge { what: "the clipboard", limit: limit as u64, unit: "bytes" })
        }
        _ => Ok(()),
    }
}
