//! `screenshot.capture`: a picture of the desktop, of a monitor, a window or a region.

use crate::context::{Call, Context};
use crate::limits;
use crate::operation::{Audience, Done, Effect, Hints, Needs, Operation, Picture, Spec};
use crate::window::{self, Address};
use crossmacro_engine::fault::from_platform;
use crossmacro_imaging::{Encoded, Format, Options, Speed};
use crossmacro_model::limits::{INLINE_IMAGE, PATH, PNG_BYTES};
use crossmacro_model::{Capability, Code, Delivered, Fault, Frame, Rect};
use crossmacro_platform::{CaptureRequest, ClipboardContent};
use crossmacro_policy::{CapabilitySet, PathClass};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io::Write;

pub(crate) struct Capture;

#[derive(Deserialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Params {
    /// Return the picture as image content. This, outputPath or copyToClipboard is needed.
    #[serde(default)]
    include_image: bool,
    /// Write it to this absolute path; the extension must fit the format. Replaces a file.
    #[schemars(length(min = 1, max = PATH.value))]
    output_path: Option<String>,
    /// Put it on the clipboard, as PNG.
    #[serde(default)]
    copy_to_clipboard: bool,
    /// Left edge, in logical desktop units; the four of a region belong together.
    region_x: Option<i32>,
    /// Top edge of the region.
    region_y: Option<i32>,
    /// Width of the region.
    #[schemars(range(min = 1))]
    region_width: Option<u32>,
    /// Height of the region.
    #[schemars(range(min = 1))]
    region_height: Option<u32>,
    /// One monitor, by its name in status.get. Instead of a region or window.
    #[schemars(length(min = 1, max = 256))]
    monitor: Option<String>,
    /// The area of one window with its frame and with what covers it, by its address in window.query. Instead of a region or monitor.
    #[schemars(length(min = 1, max = 64))]
    window_address: Option<String>,
    /// Scale down to at most this width in pixels.
    #[schemars(range(min = 1, max = 65_535))]
    max_width: Option<u32>,
    /// Scale down to at most this height in pixels.
    #[schemars(range(min = 1, max = 65_535))]
    max_height: Option<u32>,
    /// Encoding of the picture. Default png.
    format: Option<PictureFormat>,
    /// Paint the pointer into it.
    #[serde(default)]
    include_cursor: bool,
}

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PictureFormat {
    Png,
    Jpeg,
    Webp,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    /// Width of the picture in pixels.
    width: Option<u32>,
    /// Height of the picture in pixels.
    height: Option<u32>,
    /// The back end that captured it.
    provider_name: Option<&'static str>,
    /// Whether it shows a part of the desktop.
    is_region: Option<bool>,
    /// Left edge of what it shows, in logical desktop units: add it to a place in the picture (divided by scale).
    origin_x: Option<i32>,
    /// Top edge of what it shows.
    origin_y: Option<i32>,
    /// Pixels of the picture per logical unit.
    scale: Option<f64>,
    /// Where it was written.
    output_path: Option<String>,
    /// Whether it is on the clipboard.
    copied_to_clipboard: Option<bool>,
    /// Whether it comes with this result.
    image_included: bool,
    /// Size of the encoded picture; also for formats other than PNG.
    png_byte_count: Option<u64>,
    /// Encoding.
    format: Option<&'static str>,
    /// Largest picture that is returned inline.
    maximum_inline_image_bytes: u64,
    /// Names this capture for screen.diff and screen.wait_change; null when it is too large to keep.
    capture_id: Option<String>,
}

impl Default for Reply {
    fn default() -> Self {
        Self {
            width: None,
            height: None,
            provider_name: None,
            is_region: None,
            origin_x: None,
            origin_y: None,
            scale: None,
            output_path: None,
            copied_to_clipboard: None,
            image_included: false,
            png_byte_count: None,
            format: None,
            maximum_inline_image_bytes: INLINE_IMAGE.value,
            capture_id: None,
        }
    }
}

impl Operation for Capture {
    type Params = Params;
    type Reply = Reply;

    const SPEC: Spec = Spec {
        name: "screenshot.capture",
        title: "Capture a screenshot",
        summary: "Captures the desktop, one monitor, one window's area or a region, and returns it as image content (includeImage), writes it to a file (outputPath) or puts it on the clipboard. For a model, includeImage with maxWidth 1280 is a good start; a region gives full detail.",
        audience: Audience::Everyone,
        effect: Effect::Effectful,
        hints: Hints { destructive: false, idempotent: true },
        needs: &[Capability::ScreenRead],
        any_of: &[],
        modes: &[
            ("outputPath", &[Capability::ScreenRead, Capability::FileWrite]),
            ("copyToClipboard", &[Capability::ScreenRead, Capability::ClipboardWrite]),
        ],
    };

    fn needs(_context: &Context, _call: &Call<'_>, params: &mut Params) -> Result<Needs, Fault> {
        let when = |given: bool, capability| given.then_some(capability);
        let more = [
            when(params.output_path.is_some(), Capability::FileWrite),
            when(params.copy_to_clipboard, Capability::ClipboardWrite),
            when(params.window_address.is_some(), Capability::WindowRead),
        ];
        Ok(Self::SPEC.fixed_needs().and(more.into_iter().flatten().collect::<CapabilitySet>()))
    }

    fn run(context: &Context, call: &Call<'_>, params: Params) -> Result<Done<Reply>, Fault> {
        params.check()?;
        // The path is refused before the screen is read.
        let file = match &params.output_path {
            Some(path) => Some(context.create_replace(call, PathClass::ImageWrite, path)?),
            None => None,
        };
        let (region, warning) = params.target(context)?;
        let capture = context.capture()?;
        let request = CaptureRequest { region, include_cursor: params.include_cursor };
        let frame = capture.capture(request).map_err(from_platform)?;
        let (encoded, capture_id) =
            context.captures.keep_while(&frame, params.include_cursor, || params.encode(&frame));
        let encoded = encoded?;
        let mut done = Done::new(params.reply(&frame, &encoded, region.is_some(), capture.backend()), "");
        done.reply.capture_id = capture_id;
        done.warnings.extend(warning);
        if params.include_image && encoded.bytes.len() as u64 > INLINE_IMAGE.value {
            return Err(too_large(done.reply));
        }
        if let Some(mut file) = file {
            file.write_all(&encoded.bytes).map_err(|error| write_failed(&error))?;
            file.commit().map_err(Fault::from)?;
            done.reply.output_path.clone_from(&params.output_path);
        }
        if params.copy_to_clipboard {
            let png = params.png(&frame, &encoded)?;
            let _turn = context.clipboard_turn();
            context.clipboard()?.set(ClipboardContent::Png(png)).map_err(from_platform).map_err(|fault| {
                match &params.output_path {
                    // The file is there, whatever became of the clipboard.
                    Some(path) => fault.delivered(Delivered::Done).with_partial("outputPath", path.as_str()),
                    None => fault,
                }
            })?;
            done.reply.copied_to_clipboard = Some(true);
        }
        done.message = params.sentence(&frame, &encoded);
        if params.include_image {
            done.reply.image_included = true;
            done.picture = Some(Picture { mime: encoded.format.media_type(), bytes: encoded.bytes });
        }
        Ok(done)
    }
}

impl Params {
    fn check(&self) -> Result<(), Fault> {
        if !self.include_image && self.output_path.is_none() && !self.copy_to_clipboard {
            return Err(Fault::arguments("the picture has no destination")
                .remedy("give at least one of includeImage, outputPath and copyToClipboard"));
        }
        let has_region = self.region()?.is_some();
        let targets = [has_region, self.monitor.is_some(), self.window_address.is_some()];
        if targets.iter().filter(|given| **given).count() > 1 {
            return Err(Fault::arguments("a region, monitor and windowAddress exclude each other"));
        }
        self.check_extension()
    }

    fn check_extension(&self) -> Result<(), Fault> {
        let Some(path) = &self.output_path else { return Ok(()) };
        let extensions: &[&str] = match self.format() {
            Format::Png => &["png"],
            Format::Jpeg => &["jpg", "jpeg"],
            Format::Webp => &["webp"],
        };
        let given =
            path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, extension)| extension);
        let fits =
            given.is_some_and(|given| extensions.iter().any(|accepted| accepted.eq_ignore_ascii_case(given)));
        if fits {
            return Ok(());
        }
        Err(Fault::arguments(format!("outputPath must end in .{} for this format", extensions.join(" or .")))
            .detail("argument", "outputPath"))
    }

    fn region(&self) -> Result<Option<Rect>, Fault> {
        limits::region_of(self.region_x, self.region_y, self.region_width, self.region_height)
    }

    fn format(&self) -> Format {
        match self.format {
            None | Some(PictureFormat::Png) => Format::Png,
            Some(PictureFormat::Jpeg) => Format::Jpeg,
            Some(PictureFormat::Webp) => Format::Webp,
        }
    }

    /// The part of the desktop that was asked for, and what is to be said about it.
    fn target(&self, context: &Context) -> Result<(Option<Rect>, Option<String>), Fault> {
        if let Some(name) = &self.monitor {
            let layout = context.displays()?.layout().map_err(from_platform)?;
            let display = layout.displays.iter().find(|display| display.name.eq_ignore_ascii_case(name));
            let names: Vec<&str> = layout.displays.iter().map(|display| display.name.as_str()).collect();
            let display = display.ok_or_else(|| {
                Fault::arguments("there is no monitor of that name")
                    .detail("argument", "monitor")
                    .detail("accepted", names)
            })?;
            return Ok((Some(display.region), None));
        }
        if let Some(address) = &self.window_address {
            return window::visible_area(context, Address::parse(address)?)
                .map(|(area, warning)| (Some(area), warning));
        }
        Ok((self.region()?, None))
    }

    fn encode(&self, frame: &Frame) -> Result<Encoded, Fault> {
        // Inline pictures are waited for; files are kept.
        let speed = if self.include_image { Speed::Fast } else { Speed::Small };
        let options =
            Options { max_width: self.max_width, max_height: self.max_height, speed, ..Options::default() };
        crossmacro_imaging::encode(frame, self.format(), options).map_err(|error| {
            Fault::new(Code::RuntimeError, format!("the picture can't be encoded: {error}")).caused_by(error)
        })
    }

    fn png(&self, frame: &Frame, encoded: &Encoded) -> Result<Vec<u8>, Fault> {
        let png = if encoded.format == Format::Png {
            encoded.bytes.clone()
        } else {
            let (max_width, max_height) = (self.max_width, self.max_height);
            Self { format: None, max_width, max_height, ..Self::default() }.encode(frame)?.bytes
        };
        if png.len() as u64 > PNG_BYTES.value {
            return Err(Fault::new(
                Code::RuntimeError,
                format!("the PNG is larger than {} bytes", PNG_BYTES.value),
            ));
        }
        Ok(png)
    }

    fn reply(&self, frame: &Frame, encoded: &Encoded, is_region: bool, backend: &'static str) -> Reply {
        let region = frame.region();
        Reply {
            width: Some(encoded.size.width),
            height: Some(encoded.size.height),
            provider_name: Some(backend),
            is_region: Some(is_region),
            origin_x: Some(region.x),
            origin_y: Some(region.y),
            scale: Some(f64::from(encoded.size.width) / f64::from(region.width.max(1))),
            copied_to_clipboard: Some(false),
            png_byte_count: Some(encoded.bytes.len() as u64),
            format: Some(encoded.format.name()),
            ..Reply::default()
        }
    }

    fn sentence(&self, frame: &Frame, encoded: &Encoded) -> String {
        let mut places = Vec::new();
        if self.include_image {
            places.push("is in this result");
        }
        if self.output_path.is_some() {
            places.push("was written to outputPath");
        }
        if self.copy_to_clipboard {
            places.push("is on the clipboard");
        }
        let (size, region) = (encoded.size, frame.region());
        let mut sentence = format!(
            "The picture of {region}, {}x{} pixels, {}.",
            size.width,
            size.height,
            places.join(" and ")
        );
        if !frame.voids().is_empty() {
            sentence.push_str(" The black areas between monitors are not pixels.");
        }
        sentence
    }
}

fn too_large(reply: Reply) -> Fault {
    let fault = Fault::new(
        Code::RuntimeError,
        format!(
            "the encoded picture is larger than the {} bytes that are returned inline",
            INLINE_IMAGE.value
        ),
    )
    .remedy("capture a region, give maxWidth, use format jpeg or webp, or write it to outputPath");
    super::with_reply(fault, &serde_json::to_value(reply).unwrap_or_default())
}

fn write_failed(error: &std::io::Error) -> Fault {
    Fault::new(Code::FileError, format!("the picture can't be written: {error}"))
}
