"""The page of a board's parts: its rows are those of the list, and rows and parts light one another up, offline."""

import csv
import re
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from hardware.pcb import given
from hardware.pcb.boardfile import read
from hardware.pcb.interactive_bom import format_page, shorten_references
from tests.support.chromium import PACKAGE, find_chromium, launch_chromium

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


@pytest.fixture(scope="module")
def page():
    if find_chromium() is None:
        pytest.skip(f"no Chromium is installed: apt-get install {PACKAGE}")
    with sync_playwright() as playwright:
        browser = launch_chromium(playwright.chromium)
        page = browser.new_page()
        page.goto((BOARDS / "loop" / "loop-bom.html").as_uri())
        yield page
        browser.close()


def _lit(page):
    return set(page.eval_on_selector_all(".part.lit", "all => all.map(each => each.dataset.ref)"))


def test_a_row_lights_up_its_parts_and_no_others(page):
    for number in (0, 4):
        page.click(f'tr[data-row="{number}"] button')
        assert _lit(page) == set(_listed("loop")[number]["references"].split())
    assert page.inner_text("#said") == f"{len(_lit(page))} parts."


def test_the_board_stays_in_view_beside_the_last_row(page):
    page.click(f'tr[data-row="{len(_listed("loop")) - 1}"] button')
    box = page.locator("svg").first.bounding_box()
    assert 0 <= box["y"] < page.viewport_size["height"] / 2


def test_a_part_lights_up_its_row(page):
    page.click('.part[data-ref="U3"]', force=True)
    (number,) = (n for n, row in enumerate(_listed("loop")) if "U3" in row["references"].split())
    assert page.eval_on_selector_all("tr.lit", "all => all.map(each => each.dataset.row)") == [str(number)]
    assert page.eval_on_selector_all(".part.one", "all => all.map(each => each.dataset.ref)") == ["U3"]


def test_a_part_from_below_is_on_the_lower_picture(page):
    sides = page.eval_on_selector_all("svg", "all => all.map(each => !!each.querySelector('[data-ref=J3]'))")
    assert sides == [False, True]
