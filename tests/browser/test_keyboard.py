"""The pages by keyboard: the tab order follows the layout."""

from itertools import pairwise, product

import pytest

from tests.browser.scenes import SCENES
from tests.browser.test_looks import FULL, UNFOLD

HERE = """() => { const el = document.activeElement, box = el.getBoundingClientRect();
  const column = el.closest('.status-column, .content-column, .top')?.getBoundingClientRect();
  return {name: el.tagName + ' ' + (el.getAttribute('aria-label') ?? el.textContent).trim().slice(0, 40),
    column: innerWidth < 960 ? 0 : column?.left, left: box.left, right: box.right,
    top: box.top + scrollY, bottom: box.bottom + scrollY, seen: seen.has(el) || !seen.add(el)}; }"""
LYING = """for (const each of document.querySelectorAll('*'))
  if (getComputedStyle(each).position === 'sticky' || each.id === 'pad')
    Object.assign(each.style, {position: 'static', maxHeight: 'none', overflow: 'visible'})"""
"""What sticks to the edge of the screen lies where it belongs, so that places can be compared."""
OFTEN = {
    ("six-card", "/", 320),
    ("pegs only", "/", 320),
    ("six-card", "/bench", 1280),
    ("swap, an exchange", "/", 1280),
}
VIEWS = [
    pytest.param(*view, marks=[] if view in OFTEN else pytest.mark.long)
    for view in product(("six-card", "pegs only", "swap, an exchange"), ("/", "/bench"), (320, 1280))
]


def after(one, other):
    """Whether one element follows another in reading order: by column, then by line, then along the line."""
    if one["column"] != other["column"]:
        return one["column"] < other["column"]
    same_line = other["top"] < one["bottom"] - 1 and one["top"] < other["bottom"] - 1
    return one["left"] < other["left"] if same_line else one["top"] < other["top"]


@pytest.mark.parametrize(("moment", "path", "width"), VIEWS)
def test_tab_goes_where_the_eye_goes(stage, phones, path, width, moment):
    phone = phones(width, 800)
    phone.open(stage.url + path, stage.show(**(FULL if moment == "six-card" else SCENES[moment])))
    phone.wait_until("document.body.dataset.role", "player")
    phone.page.evaluate(UNFOLD)
    phone.page.evaluate(LYING)
    phone.page.evaluate("window.seen = new Set([document.body]); document.activeElement.blur()")
    walked = []
    phone.page.keyboard.press("Tab")
    while not (at := phone.page.evaluate(HERE))["seen"]:
        walked.append(at)
        phone.page.keyboard.press("Tab")
    assert len(walked) > 25
    back = [(one["name"], other["name"]) for one, other in pairwise(walked) if not after(one, other)]
    assert back == []
