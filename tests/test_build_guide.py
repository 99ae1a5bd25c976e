"""A stranger's walk through the guide: each command of each page as it is written, on simulated parts.

The Pico is the firmware in MicroPython at the end of a serial line. `<!-- bench: BOARD -->` in a page says what is at
its pins from there on: a board and the holes with a peg, so many of its tiles, or nothing. Ports, addresses and numbers
that differ from machine to machine are made the same before what is shown and what is printed are compared.
"""

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
import tomllib
import tty
import urllib.request
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from companion.boards import board_file, catalog
from companion.devices import flash
from companion.plugins.drawing import bill_of_materials
from companion.plugins.drawing.template import format_svg
from docs.pictures import draw_strip
from tests.support.line_pico import run_pico
from tests.support.waiting import PATIENCE_S, wait_until

BUILD = Path(__file__).parents[1] / "docs/build"
PAGES = sorted(BUILD.glob("[1-9]-*.md"))
PIECE = re.compile(
    r"^```toml ([\w.-]+)\n(.*?)^```|^```console\n(.*?)^```|^<!-- bench: ([^\n]*) -->", re.MULTILINE | re.DOTALL
)
SAME = (
    (r"version \d[\w.]*", "version V"),
    (r"firmware \d[\w.]*", "firmware V"),
    (r"chip \w+", "chip C"),
    (r"http://[\d.]+:\d+/", "http://ADDRESS/"),
    (r"join/[\w-]{16,}", "join/KEY"),
)


class Command(NamedTuple):
    """What a page says to type, and what it says is printed then."""

    words: list[str]
    shown: str


class Made(NamedTuple):
    """A file that a page says to write."""

    name: str
    text: str


def pieces(page):
    """What a page says to write, to type and to have on the bench (a string), in order."""
    for name, text, console, bench in PIECE.findall(page.read_text("utf-8")):
        if name:
            yield Made(name, text)
        elif bench:
            yield bench
        else:
            for typed in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
                line, _, shown = typed.partition("\n")
                yield Command(shlex.split(line), shown)


def plain(text, folder):
    """What is printed, with what differs from run to run made the same."""
    text = text.replace(f"{folder}/tty", "/dev/tty")
    for found, instead in SAME:
        text = re.sub(found, instead, text)
    return text


class Bench:
    """A folder to type in, and parts that are not there until a page has them."""

    def __init__(self, folder, closing):
        self.folder, self._closing = folder, closing
        self.pico, self.board, self.tiles, self.pegs = None, None, 0, set()
        self.flashed = None

    def put(self, what):
        """Have this at the pins of the Pico: `strip.toml`, `loop-60, red-start-1`, `classic, 2 tiles` or `nothing`."""
        if self.pico is None:
            self.pico = self._closing.enter_context(run_pico(self.folder))
            if self.flashed:
                self.pico.stop()
                flash._stage_files(self.pico.disk, catalog.describe_for_firmware(self.load(self.flashed)))
                self.pico.start()
        name, *more = what.split(", ")
        self.board = None if name == "nothing" else self.load(name)
        tiles = [int(each.split()[0]) for each in more if each.endswith(" tiles")]
        self.tiles = tiles[0] if tiles else 1000
        self.pegs = set() if tiles else set(more)
        self.show()

    def load(self, name):
        return catalog.load_board(str(self.folder / name) if name.endswith(".toml") else name)

    def show(self):
        """What pegs and ties do to the inputs: those at ground. An input of no tile is pulled up."""
        if self.board is None:
            self.pico.set_grounded_inputs([])
            return
        wiring = self.board.wiring
        there = [wiring.find_tile(bit) in wiring.tiles[: self.tiles] for bit in range(len(wiring.chain))]
        wires = [wire for wire, is_there in zip(wiring.chain, there, strict=True) if is_there]
        self.pico.set_grounded_inputs([bit for bit, wire in enumerate(wires) if wire == 1 or wire in self.pegs])

    def write(self, made):
        config = made.name == "companion.toml"
        path = self.folder / "config/companion" / made.name if config else self.folder / made.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.here(made.text) + ('port = 0\nannounce = "off"\n' if config else ""))

    def here(self, text):
        return text.replace("/dev/tty", f"{self.folder}/tty")

    def started(self, words):
        """The command, as a process."""
        words = [self.here(word) for word in words]
        if words[0] == "companion":
            words[:1] = [sys.executable, "-m", "companion"]
        homes = {f"XDG_{kind}_HOME": str(self.folder / kind.lower()) for kind in ("CONFIG", "DATA")}
        env = os.environ | homes | {"GPIOZERO_PIN_FACTORY": "mock", "PYTHONUNBUFFERED": "1"}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        return subprocess.Popen(words, text=True, cwd=self.folder, env=env, **pipes)

    def printed(self, command):
        return plain(self.play(command) if command.words[1] == "play" else self.done(command), self.folder)

    def done(self, command):
        """What the command prints; a maker sits before it and does what it says."""
        with self.started(command.words) as process:
            guard = threading.Timer(PATIENCE_S, process.kill)
            guard.start()
            said = []
            for line in process.stdout:
                said.append(line)
                if command.words[1] == "learn":
                    self.follow(line.strip(), process)
            guard.cancel()
        return "".join(said)

    def plug_a_reader_in(self):
        self._reader, near = os.openpty()
        tty.setraw(near)
        self._closing.callback(os.close, self._reader)
        self._closing.callback(os.close, near)
        (self.folder / "ttyUSB0").symlink_to(os.ttyname(near))

    def play(self, command):
        """The first game, as the last page tells it: what was printed until Ctrl-C."""
        with self.started(command.words) as process:
            guard = threading.Timer(PATIENCE_S, process.kill)
            guard.start()
            said = [process.stdout.readline() for _ in range(2)]
            page = said[0].split()[1]
            state = lambda: json.loads(urllib.request.urlopen(f"{page}api/state").read())  # noqa: E731
            wait_until(lambda: all(device["ok"] for device in state()["devices"].values()))
            wait_until(lambda: state()["pegs"])
            os.write(self._reader, b"JD\r\n")
            wait_until(lambda: state()["dues"])
            (due,) = state()["dues"]
            assert (state()["scores"], due["points"]) == ([2, 0], 2)
            wanted = [self.board.wiring.pixels.index(due[end]) for end in ("lift", "place")]
            wait_until(lambda: set(wanted) <= set(self.pico.lit_pixels()))
            self.pegs = self.pegs - {due["lift"]} | {due["place"]}
            self.show()
            wait_until(lambda: not state()["dues"])
            process.send_signal(signal.SIGINT)
            said += process.stdout.read()
            guard.cancel()
        assert process.returncode == 0
        return "".join(said)

    def follow(self, line, process):
        if line.startswith("Take out all pegs"):
            process.stdin.write("\n")
            process.stdin.flush()
        elif line.startswith("Take the peg"):
            self.pegs = set()
            self.show()
        elif into := re.search(r"put a peg into (\S+)\.$", line):
            self.pegs = {into[1]}
            self.show()
        elif light := re.match(r"Light (\d+) of", line):
            pixel = int(light[1]) - 1
            wait_until(lambda: self.pico.lit_pixels() == [pixel])
            self.pegs = {self.board.wiring.pixels[pixel]}
            self.show()


@pytest.fixture
def bench():
    with TemporaryDirectory() as folder, contextlib.ExitStack() as closing:
        yield Bench(Path(folder), closing)


def at_its_beginning(bench, page):
    """The bench as the pages before have left it."""
    for before in PAGES[: PAGES.index(page)]:
        for piece in pieces(before):
            if isinstance(piece, Made):
                bench.write(piece)
            elif isinstance(piece, Command) and piece.words[:2] == ["companion", "flash"]:
                bench.flashed = piece.words[2]


def matches(shown, printed):
    """Whether this was printed; a line `…` stands for any lines."""
    lines = [r"(?:.*\n)*?" if line == "…" else re.escape(line) + r"\n" for line in shown.splitlines()]
    return re.fullmatch("".join(lines), printed)


def is_too_late(command, printed):
    """Whether the emulated Pico of a busy machine may have answered after the moment for which a command listens."""
    return command.words[1] == "doctor" or "does not answer" in printed


@pytest.mark.micropython
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_each_command_of_the_guide_prints_this(bench, page):
    at_its_beginning(bench, page)
    bench.plug_a_reader_in()
    commands = 0
    for piece in pieces(page):
        if isinstance(piece, Made):
            bench.write(piece)
        elif isinstance(piece, str):
            bench.put(piece)
        else:
            shown, printed = plain(piece.shown, bench.folder), bench.printed(piece)
            end = time.monotonic() + PATIENCE_S
            while not matches(shown, printed) and is_too_late(piece, printed) and time.monotonic() < end:
                printed = bench.printed(piece)
            assert matches(shown, printed), f"{page.name}: {' '.join(piece.words)} printed\n{printed}"
            commands += 1
    assert commands, "each stage ends in a command"


def test_all_that_is_printed_is_shown():
    assert matches("a\n…\nd\n", "a\nb\nc\nd\n")
    assert not matches("a\nd\n", "a\nb\nd\n")
    assert not matches("a\n", "a\nb\n")
    assert not matches("…\nd\n", "a\ne\n")


def costs():
    """Return the lower and upper price of each row of the guide's table, by its text."""
    page = (BUILD / "1-parts.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+) \| \*{0,2}(\d+)(?: to (\d+))?\*{0,2} \|$", page, re.MULTILINE)
    return {text.strip("*"): (int(low), int(high or low)) for text, low, high in rows}


def test_the_priced_parts_cost_what_is_said():
    rows = bill_of_materials.add_sum(bill_of_materials.list_parts(catalog.load_board("loop-60")))
    sums = {row["fitted_by"]: float(row["estimate_eur_sum"]) for row in rows if row["part"] == "sum"}
    house, you = round(2 * sums["house"]), round(sums["you"])
    assert costs()["parts that the house fits, for two boards"] == (house, house)
    assert costs()["parts that you buy, for one board, as far as the list has a price"] == (you, you)


def test_the_guides_total_is_its_sum():
    rows = costs()
    total = rows.pop("all of it")
    assert len(rows) >= 8
    assert total == tuple(sum(row[end] for row in rows.values()) for end in (0, 1))


def test_the_meter_shows_the_firmwares_clock_level():
    firmware = (BUILD.parents[1] / "firmware/boards/pico.py").read_text("utf-8")
    assert "polarity=1" in firmware, "then CLK rests at 3.3 V"
    for page, wanted in (
        ("3-firmware.md", "CLK (pin 2) must both rest near 3.3 V"),
        ("5-chain.md", "| pin 4 (CLK), with the same meter | near 3.3 V"),
    ):
        assert wanted in (BUILD / page).read_text("utf-8")


PIN_OF_GPIO = {10: 14, 11: 15, 12: 16, 13: 17, 17: 22, 20: 26, 21: 27}
"""The pins of the Pico's header, from its data sheet."""


def test_stage_8_wires_the_board_files_pins():
    page = (BUILD / "8-buttons-and-reader.md").read_text("utf-8")
    told = {part: int(gpio) for part, gpio in re.findall(r"^\| ([^|]+) \| GP(\d+) \|", page, re.MULTILINE)}
    panel = catalog.load_board("loop-60").wiring.panel
    names = {"dice": "dice", "undo": "undo", "go:0": "go of Red", "go:1": "go of Blue"}
    assert told == {names[name]: pin for name, pin in panel["buttons"].items()} | {
        "buzzer": panel["buzzer"],
        "SDA of the display": panel["display"],
        "SCL of the display": panel["display"] + 1,
    }
    assert all(f"| GP{gpio} | {PIN_OF_GPIO[gpio]} |" in page for gpio in told.values())


def test_classic_has_the_documented_supply_pairs():
    parts = bill_of_materials.list_parts(catalog.load_board("classic"))
    (row,) = (row for row in parts if row["part"] == "injection point")
    assert row["quantity"] == "4"
    assert len(row["note"].split("begins at ")[1].split(", ")) == 4
    page = (BUILD.parent / "reference/pcb.md").read_text("utf-8")
    assert "`classic` has four pairs" in page


def test_the_strip_fits_a_breadboard():
    text = next(piece.text for piece in pieces(BUILD / "2-strip.md") if isinstance(piece, Made))
    board = board_file.parse_board("strip", tomllib.loads(text))
    xs = sorted(hole.x_mm for hole in board.holes)
    step = draw_strip.COLUMNS_PER_SWITCH * draw_strip.PITCH_MM
    assert [b - a for a, b in pairwise(xs)] == [pytest.approx(step, abs=0.011)] * (draw_strip.SWITCHES - 1)
    for half in draw_strip.list_taken_columns():
        taken = [column for part in half for column in part]
        assert len(set(taken)) == len(taken), "two parts share a column, whose holes are joined"
        assert 1 <= min(taken) <= max(taken) <= draw_strip.COLUMNS
    assert format_svg(draw_strip.draw_strip()) == (BUILD.parent / "pictures/strip.svg").read_bytes()
