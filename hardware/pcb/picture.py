"""Draws what the maker of boards will make, from the Gerber files alone: `python -m hardware.pcb.picture FOLDER…`.

gerbonara reads the archive in the folder `fab` of a board, chromium makes a PNG of it; a picture of each side is left
beside the board.
"""

import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from gerbonara import LayerStack  # type: ignore[import-untyped]
from playwright.sync_api import sync_playwright

WIDTH = 1400
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu"]


def sides(archive: Path) -> dict[str, str]:
    """The board from above and from below, as SVG."""
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)
        stack = LayerStack.open(folder)
        return {side: str(stack.to_pretty_svg(side=side)) for side in ("top", "bottom")}


def main() -> None:
    """Draws each board that is named."""
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if not chromium:
        print("No pictures: they need chromium (sudo apt-get install chromium).")
        return
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": WIDTH, "height": WIDTH})
        for folder in map(Path, sys.argv[1:]):
            for side, svg in sides(folder / "fab" / f"{folder.name}-gerbers.zip").items():
                page.set_content(f'<body style="margin:0">{svg}')
                drawn = page.locator("svg").first
                drawn.evaluate(
                    "(it, width) => { it.setAttribute('width', width); it.removeAttribute('height'); }", WIDTH
                )
                drawn.screenshot(path=folder / f"{folder.name}-{side}.png")
        browser.close()


if __name__ == "__main__":
    main()
