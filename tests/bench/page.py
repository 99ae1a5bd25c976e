"""What a move costs a phone: the page in Chromium, its processor slowed four times, late in a long game."""

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from tests.bench.live import SETTLED_S, Figure, table
from tests.support.chromium import FLAGS, find_chromium

SLOWED = 4
BEFORE = 100
"""So many moves were played before: all are in the page's list of what was played."""
DEAL = ("5D", "TH", "5H", "6S", "KC", "4C", "3D", "7S", "JC")
DEALS = 3
MOVE_S = 0.2
"""A move is drawn, what was played is asked for, and the page rests again."""
NO_SCRIPT = {"(idle)", "(program)", "(root)"}


def draw() -> Iterator[Figure]:
    """Script for one move, the median of a deal, each move as quick as in the best of three. None without Chromium."""
    chromium = find_chromium()
    if chromium is None:
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        table(folder=Path(folder)) as started,
        sync_playwright() as playwright,
    ):
        for n in range(BEFORE):
            started.ask("/api/moves", {"type": "adjust", "seat": 0, "points": (1, -1)[n % 2]})
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 390, "height": 844})
        phone = _slow(page, started.port)
        deals = [list(_deal(started, phone)) for _ in range(DEALS)]
        browser.close()
    yield "draw_ms_throttled", statistics.median(min(each) for each in zip(*deals, strict=True)), "ms"


def _slow(page: Page, port: int) -> CDPSession:
    """A phone that has drawn the table and whose processor is slow from now on."""
    page.goto(f"http://127.0.0.1:{port}/")
    while not page.evaluate("document.body.dataset.snapshot"):
        time.sleep(0.05)
    time.sleep(SETTLED_S)
    phone = page.context.new_cdp_session(page)
    phone.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    phone.send("Profiler.enable")
    phone.send("Profiler.setSamplingInterval", {"interval": 100})
    return phone


def _deal(started: Any, phone: CDPSession) -> Iterator[float]:
    """A deal move by move, and back again: milliseconds of script for each move."""
    for n, card in enumerate(DEAL):
        phone.send("Profiler.start")
        started.ask(
            "/api/moves", {"type": "play", "seat": n % 2, "card": card} if n else {"type": "starter", "card": card}
        )
        time.sleep(MOVE_S)
        yield _script_ms(phone.send("Profiler.stop")["profile"])
    for _ in DEAL:
        started.ask("/api/moves", {"type": "undo"})
    time.sleep(MOVE_S)


def _script_ms(profile: dict[str, Any]) -> float:
    """The time in which the page's own functions, or what they called, were seen at work."""
    silent = {node["id"] for node in profile["nodes"] if node["callFrame"]["functionName"] in NO_SCRIPT}
    seen = zip(profile["samples"], profile["timeDeltas"][1:], strict=False)  # each sample lasts until the next
    return float(sum(delta for node, delta in seen if node not in silent)) / 1000
