"""Parts and wiring tables agree with the board file."""

import csv
import re
import xml.etree.ElementTree as ET
from math import ceil

import pytest
from click.testing import CliRunner

from companion.boards import catalog
from companion.cli import main


def run(*args):
    return CliRunner().invoke(main, list(map(str, args)))


def table(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", catalog.list_board_names())
def test_switches_holes_and_pixels_are_the_same_number_and_parts_follow_the_tiles(name, tmp_path):
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
    *priced, last = table(prices)
    assert len(priced) == len(rows)
    assert last["part"] == "sum"
    assert float(last["estimate_eur_sum"]) == pytest.approx(sum(float(row["estimate_eur_sum"] or 0) for row in priced))
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
    assert limit < 3150  # milliamperes of the fuse


def test_the_parts_name_the_pins_of_the_panel(tmp_path):
    assert run("boards", "parts", "loop-60", "--out", tmp_path).exit_code == 0
    noted = {row["part"]: row["note"] for row in table(tmp_path / "loop-60-parts.csv")}
    assert noted["display"].startswith("optional; SDA at GP20, SCL at GP21")
    assert {"button", "buzzer"} <= set(noted)


@pytest.mark.parametrize("name", catalog.list_board_names())
def test_every_hole_has_one_row_of_the_wiring_and_what_is_tied_has_none(name, tmp_path):
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
    assert names == {
        f"mine-{end}" for end in ("template.pdf", "template.svg", "template.dxf", "wiring.csv", "wiring.svg")
    }
    wired = table(tmp_path / "drawn" / "mine-wiring.csv")
    assert [(row["bit"], row["hole"], row["tile"]) for row in wired[1:3]] == [
        ("1", "red-start-2", "board"),
        ("2", "red-1", "board"),
    ]


ODD = """
track = [{ name = "Anns lane_2 - Бoб", path = [{ holes = 3, line = [[20, 20], [20, 20]] }] }]
routes = {}
"""


def test_odd_names_and_holes_on_one_another_are_drawn_all_the_same(tmp_path):
    own = tmp_path / "odd one.toml"
    own.write_text(ODD)
    for what in ("template", "parts", "wiring"):
        done = run("boards", what, own, "--out", tmp_path / "drawn")
        assert (done.exit_code, done.exception) == (0, None), done.output
    root = ET.parse(tmp_path / "drawn" / "odd one-template.svg").getroot()
    assert "Anns lane_2 - Бoб-1" in {element.get("id") for element in root.iter()}
    assert table(tmp_path / "drawn" / "odd one-wiring.csv")[0]["hole"] == "Anns lane_2 - Бoб-1"
