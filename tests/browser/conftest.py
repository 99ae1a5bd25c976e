"""Fixtures: one browser for all tests, phones, the stage server, and real tables."""

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Error, Locator, Page, Request, sync_playwright

from companion.http.wsgi.server import ServerThread, listen
from companion.journal.journal import Journal
from companion.opponent.player import Opponent
from companion.opponent.private_hands import PrivateHands
from companion.server import create_app
from companion.settings import Settings
from companion.table.game_switcher import GameSwitcher
from companion.table.setup import create_plan
from companion.table.state import create_core
from companion.table.table import Table
from tests.browser.slow_answers import slow_down
from tests.browser.stage import TEST_HEADER, Stage, identify_test
from tests.server.conftest import JOIN, KEY, clock
from tests.support.chromium import PACKAGE, find_chromium, launch_chromium
from tests.support.program_starter import StartedProgram
from tests.support.waiting import PATIENCE_S


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder, which need a browser."""
    for item in items:
        if item.path.parent == HERE:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def shared_stage() -> Iterator[Stage]:
    """Return the stage, shared by all tests so that cached files of the pages stay valid."""
    built = Stage()
    yield built
    built.close()
    built.folder.cleanup()


@pytest.fixture
def stage(shared_stage: Stage) -> Stage:
    shared_stage.clear()
    if not shared_stage.plays:  # a test that ended the program has failed
        shared_stage.open()
    return shared_stage


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    Locator.tap, Locator.click = tap_and_wait, click_after_bounce
    if find_chromium() is None:
        pytest.skip(f"no Chromium is installed: apt-get install {PACKAGE}")
    with sync_playwright() as playwright:
        chromium = launch_chromium(playwright.chromium)
        yield chromium
        chromium.close()


HERE = Path(__file__).parent
AXE = HERE.parent / "node_modules" / "axe-core" / "axe.min.js"
SMALL = """[...document.querySelectorAll('button, a, summary, [role=switch]')].filter(el => el.checkVisibility())
    .map(el => [el.textContent.trim(), el.getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.99 || box.height < 43.99).map(([text]) => text)"""
VIOLATIONS = """async (dark) => (await axe.run(document,
    {resultTypes: ['violations'], ...(dark && {runOnly: ['color-contrast']})})).violations
    .map(each => each.id + ': ' + each.nodes.map(node => node.target + ' ' + node.failureSummary).join(' | '))"""
ROLE = "await fetch('/api/me').then(reply => reply.json()).then(me => me.role)"
"""The role that the table gives to a phone. Its page learns it after the first snapshot."""

NOTE_TAPS = """
    addEventListener("touchend", (event) => (window.isClickDue = event.isTrusted && !event.defaultPrevented));
    addEventListener("click", (event) => {
        window.isClickDue = false;
        if (event.detail) window.lastClick = event;
    }, true);
"""
WAIT_FOR_CLICK = """async () => {
    for (const end = performance.now() + 2000; window.isClickDue && performance.now() < end;)
        await new Promise((done) => setTimeout(done, 1));
}"""

NOTE_SHIFTS = """async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    window.shifted = 0;
    new PerformanceObserver((seen) => seen.getEntries().forEach((each) => (shifted += each.value)))
        .observe({ type: "layout-shift", buffered: false });
}"""
READ_SHIFT = """async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return shifted;
}"""
MAX_SHIFT = 0.02
"""Maximum sum of layout shifts of a whole game."""

WAIT_FOR_BOUNCE = """async (el) => {
    el.scrollIntoViewIfNeeded(); // as a tap does first
    const { left, top, width, height } = el.getBoundingClientRect(), { clientX, clientY } = window.lastClick ?? {};
    const isNear = Math.hypot(left + width / 2 - clientX, top + height / 2 - clientY) < 24;
    while (isNear && performance.now() - window.lastClick.timeStamp <= 120)
        await new Promise((done) => setTimeout(done, 5));
}"""
"""The page takes a second click at once on the same place for a finger that bounced."""


def click_after_bounce(locator: Locator, **options: Any) -> None:
    """Click as a person does, who clicks the same place again only after a moment."""
    locator.evaluate(WAIT_FOR_BOUNCE)
    CLICK(locator, **options)


def tap_and_wait(locator: Locator, **options: Any) -> None:
    """Tap, and wait until the page has handled the click, which a busy browser sends later than the touch."""
    locator.evaluate(WAIT_FOR_BOUNCE)
    TAP(locator, **options)
    with suppress(Error):  # the tap has led to another page
        locator.page.evaluate(WAIT_FOR_CLICK)


TAP, CLICK = Locator.tap, Locator.click


class PageLeft(Exception):
    """The page was left while it was asked."""


class Phone:
    """A page on a phone; `complaints` collects console errors and failed requests."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self._listeners: dict[Any, Callable[[Any], Any]] = {
            "console": lambda said: said.type in ("error", "warning") and self.complaints.append(said.text),
            "pageerror": lambda error: self.complaints.append(str(error)),
            "requestfailed": self._note_failed_request,
        }
        for event, listener in self._listeners.items():
            page.on(event, listener)

    def _note_failed_request(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page that asked was left
            self.complaints.append(request.url)

    def reset(self) -> None:
        """Prepare the phone for the next test: close the page and clear everything but cached files."""
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)
        self.page.evaluate("try { localStorage.clear() } catch {}")
        self.page.goto("about:blank")
        self.page.mouse.move(0, 0)
        self.page.context.clear_cookies()

    def open(self, url: str, snapshot: dict[str, Any] | None = None) -> Page:
        """Open an address and wait until the table, and this snapshot, is drawn for the role of this phone."""
        self.page.goto(url)
        self.wait_until("document.body.dataset.link", "live")
        self.wait_until("!!document.body.dataset.snapshot", True)
        self.wait_until(f"document.body.dataset.role === {ROLE}", True)
        if snapshot:
            self.wait_for_snapshot(snapshot)
        return self.page

    def take_seat(self, url: str) -> None:
        """Remember that this phone has taken a seat. Then it asks the table for its hand."""
        self.page.goto(url)
        self.page.evaluate("localStorage.setItem('sat', 'on')")

    def note_shifts(self) -> None:
        """Sum up what moves on the screen from now on, also right after a tap, which browsers leave out."""
        self.page.evaluate(NOTE_SHIFTS)

    def read_shift(self) -> float:
        """Return the sum of the layout shifts since `note_shifts`, after the newest frame."""
        return float(self.page.evaluate(READ_SHIFT))

    def tap(self, *selectors: str) -> None:
        """Tap elements one after the other."""
        for selector in selectors:
            self.page.locator(selector).tap()

    def find_faults(self, *, is_dark: bool = False, but_small: bool = True) -> list[str]:
        """Return what axe finds, what is too small for a finger, and whether the page scrolls sideways.

        In the dark only the contrast is examined: nothing but the colours is another.
        """
        faults: list[str] = self.page.evaluate(f"[{SMALL}].flat()") if but_small else []
        if self.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            faults.append("The page scrolls sideways.")
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text("utf-8"))
        return faults + self.page.evaluate(VIOLATIONS, is_dark)

    def open_menu(self, *drawers: str) -> Page:
        """Open the menu and tap the elements with these selectors, except for summaries of open drawers."""
        self.page.locator("dialog.sheet[data-part=menu]").wait_for(state="attached")
        self.page.locator("[data-open=menu]").click()
        for drawer in drawers:
            found = self.page.locator(f"dialog[open] {drawer}")
            if not found.evaluate("el => el.matches('[open] > summary')"):
                found.click()
        return self.page

    def open_history(self) -> None:
        """Unfold the list of moves, on a narrow page in the menu."""
        self.page.locator("dialog.sheet[data-part=menu]").wait_for(state="attached")
        if not self.page.locator("[data-open=history]").is_visible():
            self.open_menu()
        self.page.locator("[data-open=history]").click()

    def wait_until(self, expression: str, wanted: Any) -> None:
        """Wait until the expression has this value.

        The page looks by itself, a second at a time: each question from here costs more than twenty of its looks.
        `wait_for_function` would never return under the page's content security policy.
        """
        look = f"""async wanted => {{
            for (const end = performance.now() + 1000; ;) {{
                const found = (await ({expression})) ?? null;
                if (JSON.stringify(found) === wanted || performance.now() > end) return found;
                await new Promise(done => setTimeout(done, 10));
            }}
        }}"""
        found, end = None, time.monotonic() + PATIENCE_S
        while True:
            with suppress(PageLeft):
                found = self._evaluate(look, json.dumps(wanted, separators=(",", ":"), ensure_ascii=False))
            if found == wanted:
                return
            assert time.monotonic() < end, f"{expression} is {found!r}, not {wanted!r}"

    def _evaluate(self, script: str, argument: str) -> Any:
        try:
            return self.page.evaluate(script, argument)
        except Error as error:
            if "context was destroyed" in error.message:
                raise PageLeft from error
            raise

    def wait_for_text(self, selector: str, text: str) -> None:
        """Wait until the first of these elements has exactly this text."""
        self.wait_until(f"document.querySelector({json.dumps(selector)})?.textContent", text)

    def wait_for_count(self, selector: str, count: int) -> None:
        """Wait until the page has this number of these elements, visible or not."""
        self.wait_until(f"document.querySelectorAll({json.dumps(selector)}).length", count)

    def wait_for_snapshot(self, snapshot: dict[str, Any]) -> None:
        """Wait until the page shows this snapshot."""
        self.wait_until("document.body.dataset.snapshot", str(snapshot["number"]))

    def type_keys(self, text: str) -> None:
        """Press the keys in one task of the page, which waits only a moment for the second letter of a card."""
        press = (
            "for (const key of text) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))"
        )
        self.page.evaluate(f"text => {{ {press} }}", text)

    def visible_texts(self, selector: str) -> list[str]:
        """Return the texts of the visible elements."""
        return [each.inner_text() for each in self.page.locator(f"{selector}:visible").all()]


@pytest.fixture(scope="session")
def page_pool() -> list[Page]:
    """Return the reusable phones: a new one takes four times as long as its test. They share no cookies."""
    return []


@pytest.fixture
def phones(browser: Browser, page_pool: list[Page]) -> Iterator[Callable[..., Phone]]:
    """Phones of any size and settings: `phones(390, 844, color_scheme="dark")`; `new` ones may be modified."""
    used: list[Phone] = []
    temporary_pages: list[Page] = []

    def open_page() -> Page:
        context = browser.new_context(has_touch=True)
        context.set_default_timeout(PATIENCE_S * 1000)
        context.add_init_script(NOTE_TAPS)
        slow_down(context)
        return context.new_page()

    def phone(width: int = 320, height: int = 568, *, new: bool = False, **media: Any) -> Phone:
        if new:
            temporary_pages.append(page := open_page())
        elif len(used) < len(page_pool):
            page = page_pool[len(used)]
        else:
            page_pool.append(page := open_page())
        page.context.set_extra_http_headers({TEST_HEADER: identify_test()})
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(**{"media": "screen", "color_scheme": "light", "reduced_motion": "no-preference"} | media)
        found = Phone(page)
        if not new:
            used.append(found)
        return found

    yield phone
    for page in temporary_pages:
        page.context.close()
    for each in used:
        each.reset()


@pytest.fixture
def phone(phones: Callable[..., Phone]) -> Phone:
    """Return a phone of the smallest size."""
    return phones()


class Program:
    """`companion play` in its own process, with its own journal and port."""

    def __init__(self, folder: Path, *flags: str) -> None:
        self.folder, self.port, self.flags = folder, "0", flags
        self.start()

    def start(self) -> None:
        words = ["play", "--host", "127.0.0.1", "--port", self.port,
                 "--set", "quiet_ms=60", "--journal", self.folder / "journal.sqlite3", *self.flags]  # fmt: skip
        self.process = StartedProgram(words, os.environ | {"XDG_CONFIG_HOME": str(self.folder)})
        self.watchers, self.players = (self.process.stdout.readline().split()[1] for _ in range(2))
        self.port = self.watchers.rsplit(":", 1)[1].strip("/")

    def end(self) -> None:
        self.process.terminate()
        self.process.communicate()


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Callable[..., Program]]:
    """Return a function that starts separate tables: `programs("--game", "swap")`."""
    started: list[Program] = []

    def program(*flags: str) -> Program:
        started.append(Program(tmp_path, *flags))
        return started[-1]

    yield program
    for each in started:
        each.end()


@pytest.fixture
def program(programs: Callable[..., Program]) -> Program:
    """Return a table of six-card cribbage."""
    return programs()


class SeededTable(NamedTuple):
    """A table in this process, without devices; `players` is the address for players."""

    players: str
    table: Table


@pytest.fixture
def seeded_table(tmp_path: Path) -> Iterator[SeededTable]:
    """Return a table at which the companion can play, from a shuffled pack that is always the same."""
    plan, settings = create_plan("six-card"), Settings(sensors="none:", lights="none:", cards="none:", buttons="none:")
    journal = Journal(tmp_path / "journal.sqlite3")
    journal.begin_game(plan.journal_json)
    table = Table(create_core(plan, settings), journal, clock, run="test")
    hands = PrivateHands(table)
    opponent = Opponent(table, hands, tmp_path / "pack", random=Random(3), think_s=0.05)
    tables = GameSwitcher(table)
    app = create_app(tables, bench=None, key=KEY, how_to_join=JOIN, hosts=frozenset(), hands=hands)
    server = ServerThread(app, listen("127.0.0.1", 0))
    yield SeededTable(f"http://127.0.0.1:{server.port}/join/{KEY}", table)
    opponent.close()
    table.close()
    server.close()
