"""The page of a board's parts: its rows are those of the list."""

import csv
import re
from functools import cache
from pathlib import Path

import pytest

from hardware.pcb import given
from hardware.pcb.boardfile import read
from hardware.pcb.interactive_bom import format_page, shorten_references

BOARDS = Path(__file__).parents[2] / "hardware" / "pcb" / "boards"
NAMES = given.STORED


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
