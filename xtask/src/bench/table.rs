//! The table that is printed.

use std::fmt;

/// Rows of figures.
pub(super) struct Table {
    rows: Vec<[String; 5]>,
}

impl Table {
    pub(super) fn new() -> Self {
        let heads = ["what", "ours", "peer or limit", "ratio", "target"];
        Self { rows: vec![heads.map(str::to_owned)] }
    }

    /// A figure beside that of a peer in the same run.
    pub(super) fn ratio(&mut self, what: &str, ours: f64, peer: f64, unit: &str, target: f64) {
        let ratio = ours / peer;
        self.rows.push([
            what.into(),
            format!("{ours:.2} {unit}"),
            format!("{peer:.2} {unit}"),
            format!("{ratio:.2}"),
            format!("<= {target} {}", verdict(ratio <= target)),
        ]);
    }

    /// A figure beside a limit.
    pub(super) fn limit(&mut self, what: &str, ours: f64, limit: f64, unit: &str) {
        self.rows.push([
            what.into(),
            format!("{ours:.2} {unit}"),
            format!("{limit} {unit}"),
            format!("{:.2}", ours / limit),
            format!("<= 1 {}", verdict(ours <= limit)),
        ]);
    }

    /// A figure that stands alone.
    pub(super) fn note(&mut self, what: &str, ours: String) {
        self.rows.push([what.into(), ours, String::new(), String::new(), String::new()]);
    }
}

fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "NOT MET" }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width =
            |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: [usize; 5] = std::array::from_fn(width);
        for (index, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> =
                row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
            writeln!(out, "| {} |", cells.join(" | "))?;
            if index == 0 {
                let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
                writeln!(out, "| {} |", rules.join(" | "))?;
            }
        }
        Ok(())
    }
}
