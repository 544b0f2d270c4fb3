//! The command line.

use crate::Result;
use crossmacro_platform::kit::Pattern;

pub(crate) struct Options {
    pub(crate) title: String,
    pub(crate) class: String,
    pub(crate) at: Option<(i32, i32)>,
    pub(crate) size: (u16, u16),
    pub(crate) pattern: Pattern,
    pub(crate) override_redirect: bool,
    /// Is told about closing, and stays.
    pub(crate) stubborn: bool,
    /// Does not take part in WM_DELETE_WINDOW.
    pub(crate) no_delete: bool,
    pub(crate) ping: bool,
    pub(crate) min: Option<(i32, i32)>,
    pub(crate) max: Option<(i32, i32)>,
    pub(crate) increment: Option<(i32, i32)>,
    /// No window is shown until `map`.
    pub(crate) hidden: bool,
}

impl Options {
    pub(crate) fn parse(mut args: impl Iterator<Item = String>) -> Result<Self> {
        let mut options = Self {
            title: "witness".into(),
            class: "CrossmacroWitness".into(),
            at: None,
            size: (320, 240),
            pattern: Pattern::Grid,
            override_redirect: false,
            stubborn: false,
            no_delete: false,
            ping: false,
            min: None,
            max: None,
            increment: None,
            hidden: false,
        };
        while let Some(flag) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{flag} needs a value"));
            match flag.as_str() {
                "--title" => options.title = value()?,
                "--class" => options.class = value()?,
                "--at" => options.at = Some(pair(&value()?, ',')?),
                "--size" => options.size = pair(&value()?, 'x')?,
                "--pattern" => options.pattern = pattern(&value()?)?,
                "--override-redirect" => options.override_redirect = true,
                "--stubborn" => options.stubborn = true,
                "--no-delete" => options.no_delete = true,
                "--ping" => options.ping = true,
                "--min" => options.min = Some(pair(&value()?, 'x')?),
                "--max" => options.max = Some(pair(&value()?, 'x')?),
                "--increment" => options.increment = Some(pair(&value()?, 'x')?),
                "--hidden" => options.hidden = true,
                other => return Err(format!("unknown flag {other}").into()),
            }
        }
        Ok(options)
    }
}

fn pair<T: std::str::FromStr>(text: &str, separator: char) -> Result<(T, T)> {
    let parts = text.split_once(separator);
    let parsed = parts.and_then(|(one, two)| Some((one.parse().ok()?, two.parse().ok()?)));
    parsed.ok_or_else(|| format!("{text:?} is not two numbers with {separator:?} between").into())
}

pub(crate) fn pattern(text: &str) -> Result<Pattern> {
    match text {
        "grid" => Ok(Pattern::Grid),
        "gradient" => Ok(Pattern::Gradient),
        colour => {
            let [_, red, green, blue] = u32::from_str_radix(colour, 16)?.to_be_bytes();
            Ok(Pattern::Solid([red, green, blue]))
        }
    }
}
