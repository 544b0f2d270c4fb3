#!/usr/bin/env python3
"""Template search beside OpenCV's matchTemplate (TM_CCOEFF_NORMED) on the same pictures, in the same run.

    pip install opencv-python-headless numpy
    cargo build --release -p crossmacro-imaging --example match_times
    xtask/bench/opencv_match.py [more screenshots.png ...]

Every line is one picture of 1920x1080 and one template of 64x64. "colour" is OpenCV on three channels, as
our search works; "grey" is OpenCV on one channel, which is less work and can't tell colours apart. Times are
the fastest of the rounds, rounds of the three taking turns, so that a busy machine slows all of them.
Run it under `taskset -c 0` to compare on one thread.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

import cv2
import numpy as np

WIDTH, HEIGHT, SIDE = 1920, 1080, 64
ROOT = pathlib.Path(__file__).resolve().parents[2]


def text_screen(seed=1):
    """Lines of letters of one font, dark on light."""
    random = np.random.default_rng(seed)
    screen = np.full((HEIGHT, WIDTH, 3), 250, np.uint8)
    for y in range(20, HEIGHT, 18):
        line = "".join(random.choice(list("etaoin shrdlu cmfwyp.,ETAOIN(){}=")) for _ in range(230))
        cv2.putText(screen, line, (4, y), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (30, 30, 30), 1, cv2.LINE_AA)
    return screen


def textured_screen(seed=2):
    """Smooth noise of several sizes, like a photograph."""
    random = np.random.default_rng(seed)
    screen = np.zeros((HEIGHT, WIDTH, 3), np.float32)
    for size in (8, 24, 72, 216):
        small = random.random((HEIGHT // size + 2, WIDTH // size + 2, 3)).astype(np.float32)
        screen += cv2.resize(small, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC) * 60
    return np.clip(screen, 0, 255).astype(np.uint8)


def noise(seed, low, high):
    return np.random.default_rng(seed).integers(low, high, (HEIGHT, WIDTH, 3), dtype=np.uint8)


def icons():
    """The same icon everywhere; one differs by a single pixel."""
    icon = np.full((72, 72, 3), 235, np.uint8)
    cv2.circle(icon, (36, 36), 22, (200, 90, 30), -1, cv2.LINE_AA)
    cv2.line(icon, (22, 22), (50, 50), (20, 20, 20), 3, cv2.LINE_AA)
    screen = np.tile(icon, (HEIGHT // 72 + 1, WIDTH // 72 + 1, 1))[:HEIGHT, :WIDTH].copy()
    screen[400, 900] ^= 1
    return screen, icon[4:68, 4:68].copy()


def stripes(period, axis):
    lines = (np.arange(WIDTH if axis else HEIGHT) // period % 2 * 200 + 20).astype(np.uint8)
    plane = np.broadcast_to(lines if axis else lines[:, None], (HEIGHT, WIDTH))
    return np.repeat(plane[:, :, None], 3, 2).copy()


def cut(screen, x=1203, y=611):
    return screen[y : y + SIDE, x : x + SIDE].copy()


def flat(color):
    return np.full((SIDE, SIDE, 3), color, np.uint8)


def absent(screen, x=1203, y=611):
    """A part of the screen, upside down."""
    return cut(screen, x, y)[::-1].copy()


def near_threshold(similarity, seed):
    """Noise around one grey, and a template of that grey and noise of its own: every place has nearly the
    same sum of differences, just under or over the threshold, and every mean is the same. Nothing but
    comparing every pixel of every place can tell which is best."""
    spread = int((1 - similarity) * 255 * 1.5)
    return noise(seed, 128 - spread, 128 + spread + 1), cut(noise(seed + 1, 128 - spread, 128 + spread + 1))


def pictures(more):
    text, textured = text_screen(), textured_screen()
    yield "text", text, cut(text)
    yield "text, absent", text, absent(text)
    yield "textured", textured, cut(textured)
    yield "textured, absent", textured, absent(textured)
    yield "flat template, present", np.where(np.arange(WIDTH)[None, :, None] < 1700, text, 90), flat(90)
    yield "flat template, absent", text, flat((200, 40, 40))
    yield "flat on flat", np.full((HEIGHT, WIDTH, 3), 240, np.uint8), flat(240)
    yield "text on flat", np.full((HEIGHT, WIDTH, 3), 250, np.uint8), cut(text)
    sparse = flat(250)
    sparse[20:30, 8:50] = text[611:621, 1203:1245]
    yield "little text, absent", text, sparse
    yield "repeated icons", *icons()
    yield "noise", noise(5, 0, 256), cut(noise(5, 0, 256))
    yield "noise, absent", noise(5, 0, 256), cut(noise(6, 0, 256))
    yield "fine stripes, turned", stripes(1, 0), cut(stripes(1, 1))
    yield "stripes, turned", stripes(4, 0), cut(stripes(4, 1))
    yield "noise under the threshold", *near_threshold(0.955, 7)
    yield "noise at the threshold", *near_threshold(0.95, 7)
    yield "noise over the threshold", *near_threshold(0.945, 7)
    for path in more:
        screen = cv2.imread(path)
        if screen is not None and screen.shape == (HEIGHT, WIDTH, 3):
            yield pathlib.Path(path).stem, screen, cut(screen, 700, 500)
            yield pathlib.Path(path).stem + ", absent", screen, absent(screen, 700, 500)


def opencv(screen, template, rounds):
    """The fastest round, and the least processor time of all threads."""
    times = []
    for _ in range(rounds):
        start, processor = time.perf_counter(), time.process_time()
        cv2.minMaxLoc(cv2.matchTemplate(screen, template, cv2.TM_CCOEFF_NORMED))
        times.append((time.perf_counter() - start, time.process_time() - processor))
    return [min(column) * 1e3 for column in zip(*times)]


def ours(paths, mode, similarity, rounds):
    binary = ROOT / "target/release/examples/match_times"
    output = subprocess.run([binary, *paths, mode, str(similarity), str(rounds)], capture_output=True, check=True)
    return json.loads(output.stdout)


def grey(picture):
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)


def compare(name, screen, template, options, folder):
    paths = [str(folder / "screen.png"), str(folder / "template.png")]
    for path, picture in zip(paths, (screen, template)):
        cv2.imwrite(path, picture)
    color, single, mine = [], [], []
    for _ in range(options.turns):
        color.append(opencv(screen, template, 1))
        single.append(opencv(grey(screen), grey(template), 2))
        mine.append(ours(paths, options.mode, options.similarity, 7))
    (color, color_work), (single, single_work) = ([min(column) for column in zip(*way)] for way in (color, single))
    best = min(mine, key=lambda turn: turn["fastest"])
    time, work = best["fastest"], max(min(turn["processor"] for turn in mine), 0.1)
    found = f"{best['matches']}{' rival' if best['rival'] else ''}{'' if best['exhaustive'] else ' (bounded)'}"
    print(
        f"| {name} | {time:.1f} | {color:.0f} | {single:.0f} | {color / time:.1f} | {single / time:.1f} | "
        f"{work:.0f} | {color_work:.0f} | {color_work / work:.1f} | {single_work / work:.1f} | {found} | {best['nearest']} |",
        flush=True,
    )
    return color / time, color_work / work


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("screens", nargs="*", help="more screenshots of 1920x1080")
    parser.add_argument("--mode", default="best", choices=["auto", "first", "best", "all"])
    parser.add_argument("--similarity", type=float, default=0.95)
    parser.add_argument("--turns", type=int, default=4)
    options = parser.parse_args()
    threads = len(os.sched_getaffinity(0))
    cv2.setNumThreads(threads)
    print(f"OpenCV {cv2.__version__}, {threads} threads, mode {options.mode}, similarity {options.similarity}\n")
    print("| picture | ms | colour | grey | colour / ms | grey / ms | cpu | colour | colour / cpu | grey / cpu | found | nearest |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        ratios = [compare(*picture, options, pathlib.Path(folder)) for picture in pictures(options.screens)]
    smallest = [min(column) for column in zip(*ratios)]
    print(f"\nsmallest ratio to colour: {smallest[0]:.1f} in time, {smallest[1]:.1f} in processor time")


if __name__ == "__main__":
    main()
