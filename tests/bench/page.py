"""Measurement of a move on a phone: the page in Chromium with a processor slowed four times, late in a long game."""

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from tests.bench.live import SETTLE_S, Figure, run_table
from tests.support.chromium import FLAGS, find_chromium

CPU_SLOWDOWN = 4
PREVIOUS_MOVES = 100
"""Number of moves before the measurement. All of them are in the page's list of moves."""
DEAL_CARDS = ("5D", "TH", "5H", "6S", "KC", "4C", "3D", "7S", "JC")
DEAL_COUNT = 3
MOVE_WAIT_S = 0.2
"""Wait for one move: the page draws it, requests the history and is idle again."""
NODES_WITHOUT_SCRIPT = {"(idle)", "(program)", "(root)"}


def measure_draw() -> Iterator[Figure]:
    """Measure the script for one move: median of a deal, each move at its best of three. Skipped without Chromium."""
    chromium = find_chromium()
    if chromium is None:
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        run_table(folder=Path(folder)) as started,
        sync_playwright() as playwright,
    ):
        for n in range(PREVIOUS_MOVES):
            started.request_json("/api/moves", {"type": "adjust", "seat": 0, "points": (1, -1)[n % 2]})
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 390, "height": 844})
        phone = _open_slow_phone(page, started.port)
        deals = [list(_measure_deal(started, phone)) for _ in range(DEAL_COUNT)]
        browser.close()
    yield "draw_ms_throttled", statistics.median(min(each) for each in zip(*deals, strict=True)), "ms"


def _open_slow_phone(page: Page, port: int) -> CDPSession:
    page.goto(f"http://127.0.0.1:{port}/")
    while not page.evaluate("document.body.dataset.snapshot"):
        time.sleep(0.05)
    time.sleep(SETTLE_S)
    phone = page.context.new_cdp_session(page)
    phone.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
    phone.send("Profiler.enable")
    phone.send("Profiler.setSamplingInterval", {"interval": 100})
    return phone


def _measure_deal(started: Any, phone: CDPSession) -> Iterator[float]:
    """Play a deal move by move and undo it; yield the milliseconds of script for each move."""
    for n, card in enumerate(DEAL_CARDS):
        phone.send("Profiler.start")
        started.request_json(
            "/api/moves", {"type": "play", "seat": n % 2, "card": card} if n else {"type": "starter", "card": card}
        )
        time.sleep(MOVE_WAIT_S)
        yield _script_ms(phone.send("Profiler.stop")["profile"])
    for _ in DEAL_CARDS:
        started.request_json("/api/moves", {"type": "undo"})
    time.sleep(MOVE_WAIT_S)


def _script_ms(profile: dict[str, Any]) -> float:
    silent = {node["id"] for node in profile["nodes"] if node["callFrame"]["functionName"] in NODES_WITHOUT_SCRIPT}
    seen = zip(profile["samples"], profile["timeDeltas"][1:], strict=False)  # each sample lasts until the next
    return float(sum(delta for node, delta in seen if node not in silent)) / 1000
