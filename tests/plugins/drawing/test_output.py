"""Drawings are complete and only in their folder; parts and wiring agree with the board file; labels can be read."""

import csv
import re
import sys
import xml.etree.ElementTree as ET
from io import BytesIO
from math import ceil
from pathlib import Path

import numpy
import pytest
import zxingcpp
from click.testing import CliRunner
from pypdf import PdfReader

from companion.boards import catalog
from companion.cli import main
from companion.plugins.drawing import boards_commands
from companion.plugins.drawing.card_labels import LABEL_SHEETS, card_labels_pdf
from companion.plugins.drawing.template import PAPER_SIZES_MM
from companion.rules.cards import PACK

COMMANDS = [
    ("boards", "template", "loop-60"),
    ("boards", "parts", "loop-60"),
    ("boards", "wiring", "loop-60"),
    ("deck", "labels"),
]


def run(*args):
    return CliRunner().invoke(main, list(map(str, args)))


@pytest.mark.parametrize("command", COMMANDS, ids="-".join)
def test_a_file_as_folder_is_one_sentence(command, tmp_path):
    blocked = tmp_path / "a file"
    blocked.write_text("mine")
    for out in (blocked, blocked / "below"):
        done = run(*command, "--out", out)
        assert done.exit_code == 1
        assert done.output == f"companion: {out} cannot be written: it is a file, not a folder.\n"
    assert blocked.read_text() == "mine"


def test_an_unwritable_folder_is_one_sentence():
    done = run("boards", "parts", "loop-60", "--out", "/proc/drawings")
    assert done.exit_code == 1
    assert done.output.startswith("companion: /proc/drawings cannot be written: ")


@pytest.mark.parametrize("command", COMMANDS, ids="-".join)
def test_nothing_is_written_outside_the_folder(command, tmp_path):
    out = tmp_path / "new" / "folder"
    first = run(*command, "--out", out)
    assert first.exit_code == 0
    written = [line for line in first.output.splitlines() if line]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("not ours")
    for path in written:
        Path(path).unlink()
        Path(path).symlink_to(elsewhere)
    assert run(*command, "--out", out).exit_code == 0
    assert elsewhere.read_text() == "not ours"  # a link is replaced, not followed
    assert sorted(str(path) for path in out.iterdir()) == sorted(written)
    assert {path.name for path in tmp_path.iterdir()} == {"new", "elsewhere"}


def test_folder_and_board_must_be_named(tmp_path):
    assert run("boards", "parts", "loop-60").exit_code == 2
    done = run("boards", "template", "lop-60", "--out", tmp_path / "none")
    assert done.exit_code == 2
    assert "the nearest is loop-60" in done.output
    assert not (tmp_path / "none").exists()


def test_a_missing_library_comes_with_its_command(tmp_path, monkeypatch):
    monkeypatch.setattr(boards_commands, "find_spec", lambda module: None if module == "ezdxf" else object())
    done = run("boards", "template", "loop-60", "--out", tmp_path / "none")
    assert done.exit_code == 1
    assert done.output == f"companion: A library is missing. Install it first: {sys.executable} -m pip install ezdxf\n"
    assert not (tmp_path / "none").exists()


def test_a_library_without_its_family_is_missing(monkeypatch):
    monkeypatch.setitem(boards_commands.MODULES_BY_PACKAGE, "ppf-datamatrix", "no_such_family.datamatrix")
    with pytest.raises(boards_commands.DrawingError, match="ppf-datamatrix"):
        boards_commands.require_libraries("ppf-datamatrix")


def table(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", catalog.list_board_names())
def test_parts_follow_holes_pixels_and_tiles(name, tmp_path):
    assert run("boards", "parts", name, "--out", tmp_path).exit_code == 0
    parts, prices = sorted(tmp_path.iterdir())
    assert (parts.name, prices.name) == (f"{name}-parts.csv", f"{name}-prices.csv")
    rows = table(parts)
    assert list(rows[0]) == ["quantity", "part", "value", "package", "number", "alternate", "note"]
    count = {(row["part"], row["value"]): int(row["quantity"]) for row in rows}
    assert len(count) == len(rows)
    board = catalog.load_board(name)
    holes = len(board.holes)
    assert count["hall switch", "DRV5032AJ"] == count["pixel", "WS2812B-2020"] == count["pull-up", "10k"] == holes
    assert count["shift register", "74HCS165"] == ceil(len(board.wiring.chain) / 8) - 1
    assert sum(n for (part, _), n in count.items() if part == "circuit board") == len(board.wiring.tiles)
    assert count.get(("bare pixel", "SK6812"), 0) == board.pixel_count - holes
    assert count["magnet", "N42 2 x 3 mm"] == count["peg", "3.0 mm"] >= 4
    assert all("spare" in row["note"] for row in rows if row["part"] in ("hall switch", "pixel", "shift register"))
    assert all("EUR" not in row["note"] for row in rows)
    *priced, house, you, total = table(prices)
    assert len(priced) == len(rows)
    for last, by in ((house, {"house"}), (you, {"you"}), (total, {"house", "you"})):
        assert last["part"] == "sum"
        assert float(last["estimate_eur_sum"]) == pytest.approx(
            sum(float(row["estimate_eur_sum"] or 0) for row in priced if row["fitted_by"] in by)
        )
    for row in priced:
        assert bool(row["estimate_eur_each"]) == bool(row["estimate_eur_sum"])
        each, total = (float(row[f"estimate_eur_{column}"] or 0) for column in ("each", "sum"))
        assert total == pytest.approx(int(row["quantity"]) * each)
    panel = board.wiring.panel
    assert count.get(("button", "normally open"), 0) == len(panel.get("buttons", {}))
    assert count.get(("buzzer", "passive piezo"), 0) == ("buzzer" in panel)
    assert count.get(("display", "SSD1306 128 x 64"), 0) == ("display" in panel)
    limit = int(re.search(r"limit_ma=(\d+)", next(row["note"] for row in rows if row["part"] == "supply"))[1])
    assert board.pixel_count < limit  # else they never light
    assert limit + 100 <= 0.8 * 2000  # the Pico, and milliamperes of the fuse


def test_the_parts_name_the_pins_of_the_panel(tmp_path):
    assert run("boards", "parts", "loop-60", "--out", tmp_path).exit_code == 0
    noted = {row["part"]: row["note"] for row in table(tmp_path / "loop-60-parts.csv")}
    assert noted["display"].startswith("optional; SDA at GP20, SCL at GP21")
    assert {"button", "buzzer"} <= set(noted)


@pytest.mark.parametrize("name", catalog.list_board_names())
def test_every_hole_has_one_wiring_row(name, tmp_path):
    assert run("boards", "wiring", name, "--out", tmp_path).exit_code == 0
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}-wiring.csv", f"{name}-wiring.svg"}
    rows = table(tmp_path / f"{name}-wiring.csv")
    assert list(rows[0]) == ["bit", "pixel", "hole", "tile", "pin"]
    board = catalog.load_board(name)
    assert [int(row["bit"]) for row in rows] == list(range(len(board.wiring.chain)))
    wired = [row for row in rows if row["hole"]]
    assert sorted(row["hole"] for row in wired) == sorted(board.by_id)
    assert len({row["pixel"] for row in wired}) == len(wired)
    assert len({(row["tile"], row["pin"]) for row in rows}) == len(rows)
    for row, wire in zip(rows, board.wiring.chain, strict=True):
        assert row["hole"] == (wire if isinstance(wire, str) else "")
        assert row["pin"].endswith({0: " to 3V3", 1: " to GND"}.get(wire, "") if isinstance(wire, int) else "")
    picture = (tmp_path / f"{name}-wiring.svg").read_text()
    assert sorted(re.findall(r'id="hole-([^"]+)"', picture)) == sorted(board.by_id)


def test_a_custom_board_is_drawn_from_its_file(tmp_path):
    own = tmp_path / "mine.toml"
    own.write_text(
        'track = [{ name = "red", start = [[10, 20], [2, 20]], path = [{ holes = 5, line = [[20, 20], [60, 20]] }] }]\n'
        'routes = { 1 = [{ track = "red" }] }\n'
    )
    assert run("boards", "template", own, "--out", tmp_path / "drawn", "--paper", "letter").exit_code == 0
    assert run("boards", "wiring", own, "--out", tmp_path / "drawn").exit_code == 0
    names = {path.name for path in (tmp_path / "drawn").iterdir()}
    files = ("template.pdf", "template.svg", "template.dxf", "wiring.csv", "wiring.svg")
    assert names == {f"mine-{end}" for end in files}
    wired = table(tmp_path / "drawn" / "mine-wiring.csv")
    rows = [(row["bit"], row["hole"], row["tile"]) for row in wired[1:3]]
    assert rows == [("1", "red-start-2", "board"), ("2", "red-1", "board")]


ODD = """
track = [{ name = "Anns lane_2 - Бoб", path = [{ holes = 3, line = [[20, 20], [20, 20]] }] }]
routes = {}
"""


def test_odd_names_and_equal_holes_are_drawn(tmp_path):
    own = tmp_path / "odd one.toml"
    own.write_text(ODD)
    for what in ("template", "parts", "wiring"):
        done = run("boards", what, own, "--out", tmp_path / "drawn")
        assert (done.exit_code, done.exception) == (0, None), done.output
    root = ET.parse(tmp_path / "drawn" / "odd one-template.svg").getroot()
    assert "Anns lane_2 - Бoб-1" in {element.get("id") for element in root.iter()}
    assert table(tmp_path / "drawn" / "odd one-wiring.csv")[0]["hole"] == "Anns lane_2 - Бoб-1"


DOTS = 20
"""Pixels per millimetre of the rendered page."""
MM = 25.4 / 72


def render_page(pdf):
    """Return the filled rectangles of the page as a picture, from its content stream."""
    (page,) = PdfReader(BytesIO(pdf)).pages
    wide, high = (float(side) * MM for side in (page.mediabox.width, page.mediabox.height))
    picture = numpy.full((round(high * DOTS), round(wide * DOTS)), 255, numpy.uint8)
    left = bottom = 0.0
    text = page.get_contents().get_data().decode("latin-1")
    for moved, drawn in re.findall(r"^1 0 0 1 (\S+ \S+) cm|^n (\S+ \S+ \S+ \S+) re f", text, re.MULTILINE):
        if moved:  # each row of bars has its own corner
            left, bottom = (float(n) * MM * DOTS for n in moved.split())
        else:
            x, y, across, up = (float(n) * MM * DOTS for n in drawn.split())
            top = len(picture) - bottom - y - up
            picture[round(top) : round(top + up), round(left + x) : round(left + x + across)] = 0
    return picture


@pytest.mark.parametrize("paper", PAPER_SIZES_MM)
@pytest.mark.parametrize(("code", "kind"), [("datamatrix", "DataMatrix"), ("code128", "Code128")])
def test_a_reader_sees_each_card_on_its_label(paper, code, kind):
    picture = render_page(card_labels_pdf(paper, code))
    sheet = LABEL_SHEETS[paper]
    for n, card in enumerate(PACK):
        row, column = divmod(n, sheet.columns)
        left, top = (sheet.left + column * sheet.column_pitch) * DOTS, (sheet.top + row * sheet.row_pitch) * DOTS
        label = picture[round(top) : round(top + sheet.height * DOTS), round(left) : round(left + sheet.width * DOTS)]
        seen = zxingcpp.read_barcodes(label)
        assert [(one.text, one.format.name) for one in seen] == [(str(card), kind)]


def test_all_labels_lie_on_the_paper():
    for paper, sheet in LABEL_SHEETS.items():
        wide, high = PAPER_SIZES_MM[paper]
        assert sheet.left + (sheet.columns - 1) * sheet.column_pitch + sheet.width <= wide - 4
        assert sheet.top + (sheet.rows - 1) * sheet.row_pitch + sheet.height <= high - 10
        assert sheet.columns * sheet.rows >= 52
