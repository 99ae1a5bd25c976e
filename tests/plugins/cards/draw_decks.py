"""Draws the faces of Debian's card decks (SVG) as pictures below `build/cards/decks`."""

import gzip
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from companion.rules.cards import PACK, RANKS, SUITS
from tests.plugins.cards.samples import DECK_FOLDER, TEST_DECKS, TRAINING_DECKS

SOURCES = (Path("/usr/share/carddecks"), Path("/usr/share/aisleriot/cards"))
HEIGHT_PX = 420
_SUIT_WORDS = dict(zip(SUITS, ("club", "diamond", "heart", "spade"), strict=True))
_RANK_WORDS = {r: r for r in RANKS} | {"A": "1", "T": "10", "J": "jack", "Q": "queen", "K": "king"}


def main() -> None:
    """Draw every deck that training or measuring uses."""
    files = {f.stem: f for source in SOURCES for f in source.rglob("*.svgz")}
    for name in (*TRAINING_DECKS, *TEST_DECKS):
        folder = DECK_FOLDER / name
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(suffix=".svg") as plain, ThreadPoolExecutor(2) as pool:
            plain.write(gzip.decompress(files[name].read_bytes()))
            plain.flush()
            list(pool.map(partial(_draw_face, plain.name, folder), map(str, PACK)))


def _draw_face(svg: str, folder: Path, card: str) -> None:
    rank, suit = _RANK_WORDS[card[0]], _SUIT_WORDS[card[1]]
    for element in (f"{rank}_{suit}", f"{suit}_{rank}"):
        words = ["rsvg-convert", "-a", "-i", element, "-h", str(HEIGHT_PX), "-o", str(folder / f"{card}.png"), svg]
        if subprocess.run(words, capture_output=True, check=False).returncode == 0:
            return


if __name__ == "__main__":
    main()
