"""Take `table.png`: a phone and the bench in the middle of a game. Run it in the checkout, with chromium installed:

.venv/bin/python docs/pictures/take.py

It starts a table of its own on a free port, plays half a deal by phone, pegs it on the bench, and ends it.
"""

import base64
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import APIRequestContext, Browser, Page, sync_playwright

CARDS = ["4D", "5H", "TH"]
FRAME = """<body style="margin:0;padding:20px;display:flex;gap:20px;align-items:center;background:#3a332b">
<img src="data:image/png;base64,{}" style="height:470px;border-radius:10px">
<img src="data:image/png;base64,{}" style="height:470px;border-radius:28px;border:6px solid #111"></body>"""


def take(browser: Browser, watchers: str, players: str) -> bytes:
    """Play, and put two pictures side by side."""
    shots = []
    for path, size in (("bench", {"width": 1100, "height": 760}), ("", {"width": 390, "height": 760})):
        page = browser.new_context(viewport=size).new_page()
        page.request.get(players)
        page.goto(watchers + path)
        if path:
            play(page.request, watchers)
        settle(page)
        shots.append(base64.b64encode(page.screenshot()).decode())
    both = browser.new_page(viewport={"width": 990, "height": 522})
    both.set_content(FRAME.format(*shots))
    both.wait_for_timeout(500)
    return both.screenshot()


def play(request: APIRequestContext, table: str) -> None:
    """Half a deal, with the pegs of all but the last score moved."""
    for points, seat in ((58, 0), (51, 1), (9, 0), (8, 1)):
        request.post(f"{table}api/moves", data={"type": "adjust", "seat": seat, "points": points})
        peg(request, table)
    for card in CARDS:
        request.post(f"{table}api/moves", data={"type": "card", "card": card})


def peg(request: APIRequestContext, table: str) -> None:
    """Move the peg of each due as a hand would."""
    while dues := request.get(f"{table}api/state").json()["dues"]:
        for verb, hole in (("lift", dues[0]["lift"]), ("place", dues[0]["place"])):
            request.post(f"{table}api/bench/holes", data={verb: hole})
        time.sleep(1)


def settle(page: Page) -> None:
    """Until the page is drawn and the lights have come up."""
    while page.evaluate("document.body.dataset.link") != "live":
        page.wait_for_timeout(50)
    page.wait_for_timeout(2500)


def main() -> None:
    """Start, take, end."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "companion", "play", "--new", "--host", "127.0.0.1", "--port", "0",
                   "--journal", f"{folder}/journal.sqlite3"]  # fmt: skip
        table = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert table.stdout
            watchers, players = (table.stdout.readline().split()[1] for _ in range(2))
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            Path(__file__).with_name("table.png").write_bytes(take(browser, watchers, players))
        finally:
            table.terminate()
            table.communicate()


if __name__ == "__main__":
    main()
