"""The schematics for people: what is drawn and stored, read back, is the circuit of the stored boards."""

import re
from functools import cache
from pathlib import Path

import pytest

from companion.plugins.drawing.template import format_svg
from hardware.pcb import given
from hardware.pcb.boardfile import read
from hardware.pcb.circuit import is_fitted
from hardware.pcb.laying import given as as_given
from hardware.pcb.schematic import reading
from hardware.pcb.schematic.pdf import format_pdf
from hardware.pcb.schematic.sheets import draw_sheets

BOARDS = Path(__file__).parents[2] / "hardware" / "pcb" / "boards"
TOLD = {told["name"]: told for told in given.all_told()}


@cache
def _sheets(name):
    return [path.read_bytes() for path in sorted((BOARDS / name / "schematic").glob("*.svg"))]


@pytest.mark.parametrize("name", given.STORED)
def test_the_nets_of_the_drawing_are_those_of_the_board(name):
    values, nets = reading.read_nets(_sheets(name))
    board = read((BOARDS / name / f"{name}.kicad_pcb").read_text("utf-8"))
    parts = {ref: part for ref, part in board.parts.items() if is_fitted(ref)}
    assert values == {ref: part.value for ref, part in parts.items()}
    assert nets == {f"{ref}.{pin}": net for ref, part in parts.items() for pin, net in part.pins.items()}


@pytest.mark.parametrize("name", given.STORED)
def test_the_stored_drawing_is_the_one_that_the_netlist_gives(name):
    sheets = draw_sheets(as_given(TOLD[name]).pattern)
    assert [format_svg(sheet.drawing) for sheet in sheets] == _sheets(name)
    assert format_pdf(f"{name}, schematic", sheets) == (BOARDS / name / "schematic" / f"{name}.pdf").read_bytes()


def test_each_function_has_a_sheet():
    names = sorted(path.stem for path in (BOARDS / "loop" / "schematic").glob("*.svg"))
    functions = [re.sub(r"^loop-\d-|-\d$", "", name) for name in names]
    assert list(dict.fromkeys(functions)) == ["supply", "Pico-and-plugs", "chain-of-registers", "sensors", "lights"]
    assert (BOARDS / "loop" / "schematic" / "loop.pdf").read_bytes().count(b"/Type /Page\n") == len(names)


def test_no_sheet_writes_beyond_its_frame():
    for sheet in draw_sheets(as_given(TOLD["loop"]).pattern):
        for text in sheet.drawing.iter("text"):
            width = 0.56 * float(text.get("font-size")) * len(text.text)
            left = float(text.get("x")) - {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor")] * width
            assert 10 < left < left + width < sheet.width - 10, text.text
            assert 10 < float(text.get("y")) < sheet.height - 10, text.text


# Faults, planted in a drawing.


def _change(old, new):
    """The sheets of the board `end`, one text of them changed."""
    changed = [sheet.replace(old, new, 1) for sheet in _sheets("end")]
    assert changed != _sheets("end")
    return changed


def test_a_wire_that_is_left_out_is_found():
    sheet = next(sheet for sheet in _sheets("end") if b"DRV5032AJ" in sheet)
    wire = re.search(rb'<polyline points="[^"]*" class="wire" />', sheet)[0]
    with pytest.raises(reading.SchematicError, match="names"):
        reading.read_nets(_change(wire, b""))


def test_a_wrong_name_of_a_net_is_found():
    nets = reading.read_nets(_change(b">CLK IN<", b">LOAD IN<"))[1]
    assert {pin for pin, net in reading.read_nets(_sheets("end"))[1].items() if nets[pin] != net} == {"J1.3"}


def test_two_names_on_one_net_are_found():
    sheet = next(sheet for sheet in _sheets("end") if b"DRV5032AJ" in sheet)
    (level,) = re.findall(rb'points="[\d.]+,([\d.]+) [^"]*" class="mark" />\s*<text[^>]*>hole', sheet)[:1]
    wire = b'<polyline points="0,%s 420,%s" class="wire" /></svg>' % (level, level)
    sheets = [each.replace(b"</svg>", wire) for each in _sheets("end")]
    with pytest.raises(reading.SchematicError, match="names"):
        reading.read_nets(sheets)


def test_a_part_that_is_drawn_twice_is_found():
    with pytest.raises(reading.SchematicError, match="twice"):
        reading.read_nets([*_sheets("end"), _sheets("end")[0]])
