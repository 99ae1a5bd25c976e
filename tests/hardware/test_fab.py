"""The files for the assembly house and the page of a board's parts, whose rows are those of the list.

Parsers follow the house's published rules, and pin 1 is checked as it would be fitted:
https://jlcpcb.com/help/article/advice-for-bom-and-cpl-files-preparation (2026-01-19), the articles on BOM and
CPL files there, and https://support.jlcpcb.com/article/79-component-placement-listcpl-for-for-smt-assembly.
"""

import csv
import io
import re
import zipfile
from dataclasses import replace
from functools import cache
from math import cos, dist, radians, sin
from pathlib import Path

import pytest

from companion.boards.catalog import load_board
from companion.plugins.drawing import bill_of_materials
from hardware.pcb import fab, given, papers
from hardware.pcb.boardfile import read
from hardware.pcb.circuit import circuit, is_fitted
from hardware.pcb.interactive_bom import format_page, shorten_references
from hardware.pcb.laying import given as as_given
from hardware.pcb.parts import BY_VALUE

BOARDS = Path(__file__).parents[2] / "hardware" / "pcb" / "boards"
TOLD = {told["name"]: told for told in given.all_told()}
NAMES = given.STORED

HOUSE_PINS = {
    "SOT-23": {"1": (0.94, -0.95), "2": (0.94, 0.95), "3": (-0.94, 0)},
    "TSSOP-16": {"1": (-2.275, -2.86), "8": (2.275, -2.86), "16": (-2.275, 2.86)},
    "TSSOP-14": {"1": (-1.95, -2.86), "7": (1.95, -2.86), "14": (-1.95, 2.86)},
    "SOD-123FL": {"1": (-1.4, 0), "2": (1.4, 0)},
    "WS2812B-2020": {"1": (-0.92, 0.55), "2": (-0.92, -0.55), "3": (0.92, -0.55), "4": (0.92, 0.55)},
}
"""Where pins are in the house's library at angle 0, in millimetres, y upwards. The names of its footprints tell the
corner of pin 1 (BR, BL, TL); the pads of WS2812B-2020 are those of its footprint for C965555."""


@cache
def _drawn(name):
    return read((BOARDS / name / f"{name}.kicad_pcb").read_text("utf-8"))


def _fab_text(name, suffix):
    return (BOARDS / name / "fab" / f"{name}-{suffix}").read_text("utf-8")


def parse_bom(text):
    """Return comment, footprint and part number of each designator. Raises ValueError at a broken rule."""
    assert text.isascii(), "the house asks for files without formatting anomalies"
    rows, parts = csv.DictReader(io.StringIO(text)), {}
    if rows.fieldnames != ["Comment", "Designator", "Footprint", "JLCPCB Part #"]:
        raise ValueError("The head of the BOM is not the house's.")
    for row in rows:
        designators = row["Designator"].split(",")
        if not row["Comment"] or not row["Footprint"]:
            raise ValueError("A row has no comment or no footprint.")
        if len(designators) > 200:
            raise ValueError("A row has more than 200 designators.")
        if not re.fullmatch(r"(C\d+)?", row["JLCPCB Part #"]):
            raise ValueError("A part number is not of the house.")
        for designator in designators:
            if not re.fullmatch(r"[A-Z]+\d+", designator) or designator in parts:
                raise ValueError(f"{designator} is malformed or listed twice.")
            parts[designator] = row["Comment"], row["Footprint"], row["JLCPCB Part #"]
    return parts


def parse_placements(text):
    """Return the places of a CPL by designator as (x, y, degrees). Raises ValueError at a broken rule."""
    rows, places = csv.DictReader(io.StringIO(text)), {}
    if rows.fieldnames != ["Designator", "Mid X", "Mid Y", "Layer", "Rotation"]:
        raise ValueError("The head of the CPL is not the house's.")
    for row in rows:
        if row["Layer"] not in ("Top", "Bottom") or row["Designator"] in places:
            raise ValueError(f"{row['Designator']} has no side or is listed twice.")
        places[row["Designator"]] = float(row["Mid X"]), float(row["Mid Y"]), float(row["Rotation"])
        if not 0 <= places[row["Designator"]][2] < 360:
            raise ValueError("A rotation is not below 360 degrees.")
    return places


@pytest.mark.parametrize("name", NAMES)
def test_the_house_accepts_both_lists_and_they_name_the_same_parts(name):
    parts, places = parse_bom(_fab_text(name, "bom.csv")), parse_placements(_fab_text(name, "cpl.csv"))
    assert parts.keys() == places.keys()
    smd = {ref for ref, part in _drawn(name).parts.items() if part.top and is_fitted(ref)}
    assert parts.keys() == smd
    for ref, (comment, _, number) in parts.items():
        mpn = BY_VALUE[_drawn(name).parts[ref].value].number
        assert mpn in comment
        assert number == bill_of_materials.find_lcsc_number(mpn)


@pytest.mark.parametrize("name", NAMES)
def test_no_part_from_below_is_for_the_house(name):
    below = {ref for ref, part in _drawn(name).parts.items() if not part.top}
    assert {"J1", "J3"} <= below
    assert not below & parse_bom(_fab_text(name, "bom.csv")).keys()


@pytest.mark.parametrize("name", NAMES)
def test_a_part_turned_as_the_list_says_has_its_pins_on_their_pads(name):
    drawn = _drawn(name)
    parts, places = parse_bom(_fab_text(name, "bom.csv")), parse_placements(_fab_text(name, "cpl.csv"))
    pads = {}
    for pad in drawn.pads:
        xs, ys = zip(*pad.shape.points, strict=True)
        pads[pad.owner] = sum(xs) / len(xs), -sum(ys) / len(ys)
    checked = 0
    for ref, (x, y, turn) in places.items():
        c, s = cos(radians(turn)), sin(radians(turn))
        for pin, (px, py) in HOUSE_PINS.get(parts[ref][1], {}).items():
            at = x + px * c - py * s, y + px * s + py * c
            assert dist(at, pads[f"{ref}.{pin}"]) < 0.05, f"{ref}.{pin}"
            checked += pin == "1"
    assert checked == sum(ref[0] in "SDUQZ" for ref in places) > 0


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_marks_pin_1_of_each_part_with_a_direction(name):
    picture = _fab_text(name, "pin-1.svg")
    directed = {ref for ref in parse_placements(_fab_text(name, "cpl.csv")) if ref[0] in "SDUQZ"}
    assert set(re.findall(r">([SDUQZ]\d+)</text>", picture)) == directed
    assert picture.count('class="one"') == len(directed)


@pytest.mark.parametrize("name", NAMES)
def test_the_stored_files_are_those_of_the_stored_board(name):
    drawn = _drawn(name)
    assert _fab_text(name, "bom.csv") == fab.format_bom(drawn)
    assert _fab_text(name, "cpl.csv") == fab.format_placements(drawn)
    assert _fab_text(name, "pin-1.svg") == fab.draw_pin_1(name, drawn)
    bill = papers.bill(circuit(as_given(TOLD[name]).pattern))
    assert (BOARDS / name / f"{name}-bom.csv").read_text("utf-8") == bill


@pytest.mark.parametrize("name", NAMES)
def test_the_gerber_archive_has_no_dates_and_no_other_files(name):
    stored = (BOARDS / name / "fab" / f"{name}-gerbers.zip").read_bytes()
    with zipfile.ZipFile(io.BytesIO(stored)) as archive:
        files = {each: archive.read(each) for each in archive.namelist()}
        assert {each.date_time for each in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    layers = {f"{side}_{layer}.gbr" for side in "FB" for layer in ("Cu", "Mask", "Silkscreen")}
    wanted = layers | {"F_Paste.gbr", "Edge_Cuts.gbr", "PTH.drl", "NPTH.drl"}
    assert files.keys() == {f"{name}-{each}" for each in wanted}
    assert not [each for each, data in files.items() if re.search(rb"CreationDate|date .*20\d\d|\d\d:\d\d:\d\d", data)]
    assert fab.pack_gerbers(files) == stored


def test_the_same_board_plotted_at_two_times_gives_the_same_bytes():
    gerber = b"%%TF.CreationDate,%s*%%\n%%FSLAX46Y46*%%\nG04 Created by KiCad (PCBNEW 6.0) date %s*\nX1Y2D02*\n"
    drill = b"M48\n; DRILL file {KiCad 6.0} date %s\n; #@! TF.CreationDate,%s\nT1C0.300\n"
    made = [
        {"a-F_Cu.gbr": gerber % (when, when), "a-PTH.drl": drill % (when, when), "a-drc.txt": when}
        for when in (b"2026-11-22T16:53:12+00:00", b"Mon Nov 23 09:01:02 2026")
    ]
    one, other = (fab.pack_gerbers(files) for files in made)
    assert one == other
    with zipfile.ZipFile(io.BytesIO(one)) as archive:
        assert archive.read("a-F_Cu.gbr") == b"%FSLAX46Y46*%\nG04 Created by KiCad (PCBNEW 6.0)*\nX1Y2D02*\n"
        assert archive.read("a-PTH.drl") == b"M48\n; DRILL file {KiCad 6.0}\nT1C0.300\n"


def test_more_than_200_parts_of_a_kind_take_several_rows():
    drawn = _drawn("loop")
    many = {f"C{n}": replace(drawn.parts["C1"], ref=f"C{n}") for n in range(1, 402)}
    text = fab.format_bom(replace(drawn, parts=many))
    assert parse_bom(text).keys() == many.keys()
    assert len(text.splitlines()) == 1 + 3
    too_long = "\n".join([text.splitlines()[0], f'100nF,"{",".join(many)}",0402,C1525'])
    with pytest.raises(ValueError, match="200"):
        parse_bom(too_long)


def test_the_marks_of_loop_keep_the_rules_of_the_house():
    """Three marks of 1 mm for its machine, 3.35 mm or more from the edge: jlcpcb.com/help/article/48 (2023-07-25)."""
    drawn = _drawn("loop")
    marks = [pad for pad in drawn.pads if pad.owner.startswith("F")]
    xs, ys = zip(*(end for line in drawn.edge for end in line), strict=True)
    assert len(marks) == 3
    for pad in marks:
        ((x, y),) = pad.shape.points
        assert (pad.shape.radius, pad.net) == (0.5, "")
        assert min(x - min(xs), max(xs) - x, y - min(ys), max(ys) - y) - 1 >= 3.35


def test_each_board_says_how_far_it_is_proven():
    notes = {name: (BOARDS / name / "fab" / "README.txt").read_text("utf-8") for name in NAMES}
    assert "Order this board first" in notes.pop("loop")
    assert all("Drawn, not proven" in note for note in notes.values())
    for name in NAMES:
        page = (BOARDS / name / f"{name}-bom.html").read_text("utf-8")
        sheet = next((BOARDS / name / "schematic").glob("*-1-*.svg")).read_text("utf-8")
        assert ("rawn, not proven" in page) == ("drawn, not proven" in sheet) == (name != "loop"), name
    for name in ("classic", "classic-61", "pursuit", "bases"):
        rows = [row for row in bill_of_materials.list_parts(load_board(name)) if row["part"] == "circuit board"]
        assert all("drawn, not proven" in row["note"] for row in rows)


def test_each_fitted_part_has_a_confirmed_number_or_is_named_as_lacking_one():
    page = (BOARDS.parents[2] / "docs/build/4-tile.md").read_text("utf-8")
    fitted = {BY_VALUE[part.value].number for name in NAMES for part in fab.list_fitted_parts(_drawn(name))}
    assert fitted == bill_of_materials.LCSC.keys() | bill_of_materials.UNCONFIRMED.keys()
    assert not bill_of_materials.LCSC.keys() & bill_of_materials.UNCONFIRMED.keys()
    assert all(mpn in page for mpn in bill_of_materials.UNCONFIRMED)


WITHOUT_NUMBER = {
    *("shift register", "supply", "fuse", "display", "screw", "nut", "USB cable", "glue"),  # no number was confirmed
    *("circuit board", "injection point", "metre of wire", "peg", "wood", "sheet", "ribbon cable", "bare pixel"),
}


@pytest.mark.parametrize("name", ["loop-60", "classic", "classic-61", "pursuit", "bases"])
def test_each_row_of_the_parts_list_has_an_order_number_or_is_known_to_lack_one(name):
    rows = bill_of_materials.list_parts(load_board(name))
    assert {row["part"] for row in rows if not row["order_number"]} <= WITHOUT_NUMBER
    assert all(row["number"] for row in rows if row["order_number"])


def test_each_number_of_a_part_that_the_maker_fits_names_its_distributor_and_source():
    for mpn, (number, source) in bill_of_materials.ELSEWHERE.items():
        assert re.match(r"(Digi-Key|Mouser|RS|supermagnete) \S+$", number), mpn
        assert re.search(r"page|parts list|the same list", source), mpn


def test_the_parts_list_and_the_circuit_board_name_the_same_numbers():
    rows = bill_of_materials.list_parts(load_board("loop-60"))
    listed = {row["number"]: row["order_number"].removeprefix("LCSC ") for row in rows}
    fitted = {BY_VALUE[part.value].number for part in fab.list_fitted_parts(_drawn("loop"))}
    known = bill_of_materials.LCSC.keys() - bill_of_materials.CANDIDATES.keys()
    assert all(listed[mpn] == bill_of_materials.find_lcsc_number(mpn) for mpn in fitted & known)
    assert all("compare the name" in listed[mpn] for mpn in bill_of_materials.CANDIDATES)


@cache
def _listed(name):
    with (BOARDS / name / f"{name}-bom.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _page(name):
    return (BOARDS / name / f"{name}-bom.html").read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_page_draws_each_part_of_the_list_once_in_the_group_of_its_row(name):
    drawn = re.findall(r'<g class="part" data-row="(\d+)" data-ref="(\w+)"', _page(name))
    assert sorted(drawn) == sorted(
        (str(n), ref) for n, row in enumerate(_listed(name)) for ref in row["references"].split()
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_stored_page_is_that_of_the_stored_board(name):
    drawn = read((BOARDS / name / f"{name}.kicad_pcb").read_text("utf-8"))
    bill = (BOARDS / name / f"{name}-bom.csv").read_text("utf-8")
    assert format_page(name, drawn, bill) == _page(name)


def test_a_switch_names_its_hole():
    drawn = read((BOARDS / "loop/loop.kicad_pcb").read_text("utf-8"))
    holes = {ref: part.pins["2"].removeprefix("hole ") for ref, part in drawn.parts.items() if ref[0] == "S"}
    told = dict(re.findall(r'data-ref="(S\d+)" data-hole="([\w-]+)"', _page("loop")))
    assert told == holes
    assert len(told) == 64


def test_runs_of_parts_are_shortened():
    assert shorten_references(["C1", "C2", "C3", "C5", "C6", "D1", "R9", "R10", "R11"]) == "C1–C3 C5 C6 D1 R9–R11"


def test_the_page_needs_no_network():
    assert not re.search(r"(src|href|url|import|fetch|http)\b", re.sub(r"<title>.*?</title>", "", _page("loop")))
