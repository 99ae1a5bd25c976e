"""Contact sheets of the pages: every page and many states at one width, in one picture, to be looked at by a person.

.venv/bin/python -m tests.browser.contact_sheets FOLDER [WIDTH:SCHEME:LANGUAGE …]

Without sizes it makes all of them. The pages are those of the stage, so no table is needed.
"""

import base64
import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import Phone
from tests.browser.scenes import SCENES, scene
from tests.browser.stage import Stage
from tests.browser.test_around import fill_evening
from tests.browser.test_end import recorded_review
from tests.browser.test_practice import ranked_deal
from tests.support.chromium import FLAGS, find_chromium

HEIGHTS = {320: 568, 390: 844, 768: 1024, 1280: 800, 1920: 1080}
LOOKS = ["{}:{}:{}".format(*each) for each in product(HEIGHTS, ("light", "dark"), ("en", "de"))]
PAGES = ["/tv", "/bench", "/invite", "/evening", "/help/six-card", "/workshop", "/learn", "/daily", "/count"]
AGAINST = {"pegs": "plain", "against": {"seat": 1, "level": "club"}}
HAND = ["5H", "5S", "KD", "2C", "9C", "JD"]
PLAY = {"phase": "play", "turn": 0, "starter": "4H", "count": 24, "moves": 7, "series": ["9C", "9H", "6D"],
        "played": [["9C", "6D"], ["9H"]]}  # fmt: skip
ENDED = scene("six-card", "3D TH 5H 6S KC 4C 5D 7S JC AS 8H JS KH")
PLAYED = [
    {"n": n + 8, "by": "phone", "scores": ENDED["scores"], "say": said, "move": {}}
    for n, said in enumerate((["Blue: fifteen two.", "Red: a pair is two."], ["The crib.", "Red's crib: no points."]))
]
OVER = {"phase": "over", "winner": 0, "scores": [121, 88], "turn": None}
BY_TAP = {
    "the sheet of a new game": "[data-open=new-game]", "the card pad": "[data-open=cards]",
    "the menu": "[data-open=menu]", "the help": "[data-open=help]",
}  # fmt: skip
"""What is opened on the page before its first move."""


def states(stage: Stage) -> Iterator[tuple[str, str, Callable[[Page], Any]]]:
    """Yield the name, the path and what is tapped of each state, after preparing the stage."""

    def nothing(_: Page) -> None: ...

    stage.tables = [{"id": 1}]
    yield "the first question", "/", nothing
    stage.clear()
    for name, selector in BY_TAP.items():
        stage.show(moves=3)
        yield name, "/", lambda page, selector=selector: _click(page, selector)
    person = stage.snapshot["game"] | AGAINST
    stage.seat, stage.hand = 0, HAND
    stage.show(game=person)
    yield "against: the discard", "/", nothing
    yield (
        "against: two chosen",
        "/",
        lambda page: [page.locator(f".my-hand [data-away='{c}']").click() for c in HAND[3:5]],
    )
    stage.hand = ["5H", "KD"]
    stage.show(game=person, **PLAY)
    yield "against: a card to play", "/", nothing
    stage.show(game=person, **PLAY | {"count": 27})
    yield "against: go", "/", nothing
    stage.hand, stage.played = [], PLAYED
    stage.show(**ENDED | {"game": ENDED["game"] | AGAINST})
    yield "against: the end of a deal", "/", nothing
    stage.clear()
    for name, changes in SCENES.items():
        stage.show(**changes)
        yield name, "/", nothing
    stage.show(**OVER)
    yield "the end of a game", "/", nothing
    stage.role = "watcher"
    stage.show(**ENDED)
    yield "a watcher", "/", nothing
    stage.role = "player"
    fill_evening(stage)
    for path in PAGES:
        stage.show(**ENDED)
        yield path, path, nothing
    stage.deal, stage.looked = ranked_deal(), recorded_review()
    yield "/train", "/train", nothing
    discard = [f"[data-away='{card}']" for card in stage.deal["ranked"][1]["discard"]] + ["[data-lay]"]
    yield "/train, a discard", "/train", lambda page: [page.locator(each).click() for each in discard]
    yield "/review", "/review?table=1", nothing
    yield "/review, one choice", "/review?table=1", lambda page: page.locator("[data-worst] button").first.click()


def _click(page: Page, selector: str) -> None:
    """Click what opens something, where the page has it."""
    found = page.locator(selector).first
    if found.is_visible():
        found.click()
        page.wait_for_timeout(600)  # some parts are loaded then


def take_sheet(browser: Browser, stage: Stage, look: str) -> bytes:
    """Return the sheet of one look, such as `390:dark:de`."""
    width, scheme, language = look.split(":")
    size = {"width": int(width), "height": HEIGHTS[int(width)]}
    context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce", has_touch=True)
    page, shots = context.new_page(), []
    stage.clear()
    page.goto(f"{stage.url}/help")
    page.evaluate("localStorage.setItem('sat', 'on')")
    for name, path, tap in states(stage):
        page.goto(f"{stage.url}{path}{'&' if '?' in path else '?'}lang={language}")
        stream = page.locator("body[data-link]").count() > 0
        if stream:
            Phone(page).wait_until("!!document.body.dataset.snapshot", True)
        page.wait_for_timeout(250) if stream else page.wait_for_load_state("networkidle")
        tap(page)
        page.wait_for_timeout(150)
        shots.append((name, base64.b64encode(page.screenshot(type="jpeg", quality=80, full_page=not stream)).decode()))
    context.close()
    return join_shots(browser, shots, int(width))


def join_shots(browser: Browser, shots: list[tuple[str, str]], width: int) -> bytes:
    """Return the pictures side by side, each below its name."""
    shown = min(width, 640)
    figures = "".join(
        f"<figure style='margin:0;width:{shown}px'>{name}<br>"
        f"<img style='width:100%' src='data:image/jpeg;base64,{shot}'></figure>"
        for name, shot in shots
    )
    page = browser.new_page(viewport={"width": max(1, 1980 // (shown + 10)) * (shown + 10) + 10, "height": 800})
    page.set_content(f"<body style='display:flex;flex-wrap:wrap;gap:10px;background:#888;margin:10px'>{figures}")
    page.wait_for_timeout(300)
    joined = page.screenshot(full_page=True)
    page.close()
    return joined


def main() -> None:
    """Make the sheets that are asked for."""
    folder, looks = Path(sys.argv[1]), sys.argv[2:] or LOOKS
    folder.mkdir(parents=True, exist_ok=True)
    stage = Stage()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        for look in looks:
            (folder / f"{look.replace(':', '-')}.png").write_bytes(take_sheet(browser, stage, look))
    stage.close()


if __name__ == "__main__":
    main()
