"""The page of a board's parts: rows and parts light one another up, offline."""

import csv
from pathlib import Path

import pytest

LOOP = Path(__file__).parents[2] / "hardware" / "pcb" / "boards" / "loop"


def list_rows():
    with (LOOP / "loop-bom.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def page(browser):
    context = browser.new_context()
    page = context.new_page()
    page.goto((LOOP / "loop-bom.html").as_uri())
    yield page
    context.close()


def _lit(page):
    return set(page.eval_on_selector_all(".part.lit", "all => all.map(el => el.dataset.ref)"))


def test_a_row_lights_up_its_parts_and_no_others(page):
    for number in (0, 4):
        page.click(f'tr[data-row="{number}"] button')
        assert _lit(page) == set(list_rows()[number]["references"].split())
    assert page.inner_text("#said") == f"{len(_lit(page))} parts."


def test_the_board_stays_in_view_beside_the_last_row(page):
    page.click(f'tr[data-row="{len(list_rows()) - 1}"] button')
    box = page.locator("svg").first.bounding_box()
    assert 0 <= box["y"] < page.viewport_size["height"] / 2


def test_a_part_lights_up_its_row(page):
    page.click('.part[data-ref="U3"]', force=True)
    (number,) = (n for n, row in enumerate(list_rows()) if "U3" in row["references"].split())
    assert page.eval_on_selector_all("tr.lit", "all => all.map(el => el.dataset.row)") == [str(number)]
    assert page.eval_on_selector_all(".part.one", "all => all.map(el => el.dataset.ref)") == ["U3"]


def test_a_part_from_below_is_on_the_lower_picture(page):
    sides = page.eval_on_selector_all("svg", "all => all.map(el => !!el.querySelector('[data-ref=J3]'))")
    assert sides == [False, True]
