//! A macro as a picture for people: the way of the pointer with its clicks, and keys and buttons over time.
//!
//! What it is not: no capture of a desktop. Distances are drawn as if one unit were one pixel; time goes from the
//! start of playing, with the shortest random waits.

mod canvas;
mod map;
mod story;
mod timeline;

use canvas::{Canvas, INK, MUTED, PAPER};
use crossmacro_model::Frame;
use crossmacro_model::macro_file::Macro;
use story::Story;

/// Width of the picture in pixels.
const WIDTH: i32 = 1600;
/// Space around everything.
const MARGIN: i32 = 24;
/// Where the first part begins, below the title.
const TOP: i32 = 100;

/// Draws the events of a macro.
pub fn draw(content: &Macro) -> Frame {
    let story = Story::of(content);
    let map_height = if story.path.is_empty() && story.marks.is_empty() { 0 } else { map::HEIGHT };
    let timeline_top = TOP + map_height + if map_height > 0 { MARGIN } else { 0 };
    let height = timeline_top + timeline::height(&story) + MARGIN;
    let mut canvas = Canvas::new(WIDTH, height, PAPER);
    title(&mut canvas, content, &story);
    if map_height > 0 {
        map::draw(&mut canvas, &story, TOP);
    }
    timeline::draw(&mut canvas, &story, timeline_top);
    canvas.into_frame()
}

fn title(canvas: &mut Canvas, content: &Macro, story: &Story) {
    let most = usize::try_from((WIDTH - 2 * MARGIN) / (8 * 3)).unwrap_or(0);
    let name: String = content.name.chars().take(most).collect();
    canvas.text(MARGIN, MARGIN, 3, INK, &name);
    let counts = content.breakdown();
    let buttons = counts.button_press + counts.click;
    let facts = format!(
        "{} events in {}: {} motions, {} buttons and notches, {} keys; coordinates: {}",
        content.events.len(),
        story::seconds(story.end),
        counts.mouse_move,
        buttons,
        counts.key_press,
        content.coordinate_mode().name(),
    );
    canvas.text(MARGIN, MARGIN + 36, 2, MUTED, &facts);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossmacro_model::macro_file::read;
    use crossmacro_model::{Physical, Point};

    fn frame(text: &str) -> Frame {
        let found = read(text.as_bytes());
        assert!(found.diagnostics.is_ok(), "{}", found.diagnostics);
        draw(&found.content)
    }

    fn pixels(frame: &Frame, color: [u8; 3]) -> usize {
        let size = frame.size();
        let all = (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y)));
        all.filter(|(x, y)| {
            let at = Point::<Physical>::new(i32::try_from(*x).unwrap(), i32::try_from(*y).unwrap());
            frame.rgb(at) == Some(color)
        })
        .count()
    }

    #[test]
    fn a_click_is_a_mark_of_the_color_of_its_button() {
        let color = |button| story::button_color(button);
        let without = frame("M,abs,0,0\nW,50\nM,abs,400,300");
        let with = frame("M,abs,0,0\nW,50\nM,abs,400,300\nC,abs,400,300,Right");
        let right = color(crossmacro_model::Button::Right);
        assert!(pixels(&with, right) > pixels(&without, right) + 100);
    }

    #[test]
    fn a_held_key_is_a_bar_as_long_as_it_is_held() {
        let short = pixels(&frame("KP,30\nW,100\nKR,30\nW,900\nKP,31\nKR,31"), timeline::KEY);
        let long = pixels(&frame("KP,30\nW,900\nKR,30\nW,100\nKP,31\nKR,31"), timeline::KEY);
        assert!(long > 5 * short, "{long} {short}");
    }

    #[test]
    fn strange_macros_are_drawn_as_well() {
        let far = format!("M,abs,{0},{0}\nM,abs,{1},{1}\nM,rel,{0},{1}", i32::MIN, i32::MAX);
        for text in ["KP,1", "C,0,0,Left,Live", "C,0,0,ScrollDown", "M,abs,5,5", "R,1,1,Left", "KR,1", &far] {
            assert_eq!(frame(text).size().width, 1600, "{text}");
        }
        let forever = format!("WU,{0}\nKP,1\nWU,{0}\nKR,1\nWU,{0}\nKP,2", i64::MAX);
        assert!(frame(&forever).size().height > 0);
        let many: String = (1..=767).map(|code| format!("KP,{code}\n")).collect();
        assert!(frame(&many).size().height < 2000);
    }
}
