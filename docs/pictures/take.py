"""Take the pictures: `table.png`, the bench and a phone in the middle of a game, and `games.png`, a phone each game.

Run it in the checkout, with chromium installed:

.venv/bin/python docs/pictures/take.py

It starts its own tables on free ports, plays on them by phone, moves pegs on the bench, and stops them.
"""

import base64
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import APIRequestContext, Browser, Page, ViewportSize, sync_playwright

HERE = Path(__file__).parent
CARDS = ["4D", "5H", "TH"]
WIDE, NARROW = ViewportSize(width=1100, height=760), ViewportSize(width=390, height=760)
BATS = [{"type": "roll", "seat": seat, "dice": [die]} for seat, die in ((0, 6), (1, 2))]
HIT = "3C 2S TC 8S KC go go 8C 2C 8H 5C JD 7C 4D 2H"
CHASED = [{"type": "adjust", "seat": seat, "points": points} for seat, points in enumerate((41, 27, 38))]
LAID = "5H 5S 6D 7C JD QC KH TS 4C 4D 6H 6S 2C 4S 6C 8C 5D"
GAMES: dict[str, list[Any]] = {
    "pursuit --seats 3": [*CHASED, "4D TH 5S"],
    "bases": [*BATS, HIT],
    "swap": [{"type": "take", "seat": 0, "chips": ["red", "blue"]}],
    "shuffle": [LAID],
}
"""What is played on each table before its picture is taken: moves, or cards that are scanned."""
FRAME = """<body style="margin:0;padding:20px;display:flex;gap:20px;align-items:center;background:#3a332b">{}</body>"""
PHONE = """<img src="data:image/png;base64,{}" style="height:470px;border-radius:28px;border:6px solid #111">"""
SCREEN = """<img src="data:image/png;base64,{}" style="height:470px;border-radius:10px">"""


def draw_table_picture(browser: Browser) -> bytes:
    """Return a picture of the bench with a lit hole, and a phone beside it."""
    with run_table() as (watchers, players):
        bench = open_page(browser, WIDE, watchers + "bench", players)
        play_half_a_deal(bench.request, watchers)
        shots = [
            SCREEN.format(take_screenshot(bench)),
            PHONE.format(take_screenshot(open_page(browser, NARROW, watchers, players))),
        ]
    return join_pictures(browser, shots, 990)


def draw_games_picture(browser: Browser) -> bytes:
    """Return a picture of phones side by side, each in another game."""
    shots = []
    for flags, moves in GAMES.items():
        with run_table("--game", *flags.split()) as (watchers, players):
            page = open_page(browser, NARROW, watchers, players)
            for move in moves:
                make_moves(page.request, watchers, move)
                move_pegs(page.request, watchers)
            if flags == "swap":
                page.locator("[data-cell='0,0']").click()
            shots.append(PHONE.format(take_screenshot(page)))
    return join_pictures(browser, shots, 1110)


def make_moves(request: APIRequestContext, watchers: str, move: Any) -> None:
    """Make one move, or scan cards and say go in the given order."""
    for each in move.split() if isinstance(move, str) else [move]:
        if each == "go":
            turn = request.get(f"{watchers}api/state").json()["turn"]
            request.post(f"{watchers}api/moves", data={"type": "go", "seat": turn})
        else:
            request.post(f"{watchers}api/moves", data={"type": "card", "card": each} if isinstance(each, str) else each)


def play_half_a_deal(request: APIRequestContext, watchers: str) -> None:
    """Play half a deal, and move the pegs of all scores but the last."""
    for points, seat in ((58, 0), (51, 1), (9, 0), (8, 1)):
        request.post(f"{watchers}api/moves", data={"type": "adjust", "seat": seat, "points": points})
        move_pegs(request, watchers)
    make_moves(request, watchers, " ".join(CARDS))


def move_pegs(request: APIRequestContext, watchers: str) -> None:
    """Move each peg as the advice says."""
    while advice := [each for each in request.get(f"{watchers}api/state").json()["advice"] if "place" in each]:
        for verb, hole in (("lift", advice[0].get("lift")), ("place", advice[0]["place"])):
            if hole:
                request.post(f"{watchers}api/bench/holes", data={verb: hole})
        time.sleep(1)


def open_page(browser: Browser, size: ViewportSize, address: str, players: str) -> Page:
    """Open a page as a player."""
    page = browser.new_context(viewport=size).new_page()
    page.request.get(players)
    page.goto(address)
    return page


def take_screenshot(page: Page) -> str:
    """Return a screenshot in base 64, taken when the page is connected and the lights are up."""
    while page.evaluate("document.body.dataset.link") != "live":
        page.wait_for_timeout(50)
    page.wait_for_timeout(2500)
    return base64.b64encode(page.screenshot()).decode()


def join_pictures(browser: Browser, shots: list[str], width: int) -> bytes:
    """Return one picture with the screenshots side by side."""
    page = browser.new_page(viewport=ViewportSize(width=width, height=522))
    page.set_content(FRAME.format("".join(shots)))
    page.wait_for_timeout(500)
    return page.screenshot()


@contextmanager
def run_table(*flags: str) -> Iterator[tuple[str, str]]:
    """Run a table on a free port, and yield its addresses for watchers and players."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "companion", "play", "--new", "--host", "127.0.0.1", "--port", "0",
                   "--journal", f"{folder}/journal.sqlite3", *flags]  # fmt: skip
        running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert running.stdout
            watchers, players = (running.stdout.readline().split()[1] for _ in range(2))
            time.sleep(2)  # the board is read first
            yield watchers, players
        finally:
            running.terminate()
            running.communicate()


def main() -> None:
    """Take both pictures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        (HERE / "table.png").write_bytes(draw_table_picture(browser))
        (HERE / "games.png").write_bytes(draw_games_picture(browser))


if __name__ == "__main__":
    main()
