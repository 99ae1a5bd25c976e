"""What the boards files say of each pattern of circuit board, as JSON for the script that draws with KiCad's Python.

`.venv/bin/python -m hardware.pcb.given OUT` writes a file for each pattern. One tile of a pattern is drawn; all others
must lie alike.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.boards.board import Board, Tile, name_pips
from companion.boards.catalog import list_board_names, load_board
from companion.boards.geometry import split_into_rows

DRAWN = (
    *("loop", "straight", "end", "half", "quarter", "short-quarter"),
    *("strip", "arc", "pair", "first-pair"),
    *("above", "red-side", "blue-side", "diamond"),
)
"""The patterns that have a layout: hardware/pcb/layouts.py."""


STORED = ("loop", "straight", "end", "half", "quarter")
"""The patterns whose files are kept: the first board to order, and those of `classic`."""

UPRIGHT = ("top.1", "circle-left")
"""Tiles that are drawn though another of their pattern comes first: that one lies aslant."""


def patterns() -> dict[str, tuple[Board, Tile]]:
    """Each pattern with the tile that is drawn."""
    found: dict[str, tuple[Board, Tile]] = {}
    for name in sorted(list_board_names(), key=lambda name: (name != "classic", name)):
        board = load_board(name)
        for tile in sorted(board.wiring.tiles, key=lambda tile: tile.name not in UPRIGHT):
            found.setdefault(tile.part, (board, tile))
    return found


def told(board: Board, tile: Tile) -> dict[str, Any]:
    """All that is needed to draw a tile: its wires, lights and holes, lane by lane in the direction of play."""
    wires = board.wiring.chain[tile.first : tile.first + tile.count]
    own = {wire for wire in wires if isinstance(wire, str)}
    last = tile == board.wiring.tiles[-1]
    lights = list(_lights(board, own))
    pips = name_pips(board.dice, board.display)
    return {
        "board": board.name,
        "name": tile.part,
        "tile": tile.name,
        "wires": list(wires),
        "lights": lights,
        "head": tile == board.wiring.tiles[0],
        "end": board.wiring.chain[-1] if last and board.wiring.end else None,
        "places": {hole.id: (hole.x_mm, hole.y_mm) for hole in board.holes if hole.id in own},
        "pips": {name: (pips[name].x_mm, pips[name].y_mm) for name in lights if name not in own},
        "lanes": [[hole.id for hole in row] for row in split_into_rows(hole for hole in board.holes if hole.id in own)],
    }


def _lights(board: Board, own: set[str]) -> Iterator[str]:
    """The tile's lights as its strip passes them. A pip is on the tile of the hole's light before it."""
    here = False
    for name in filter(None, board.wiring.pixels):
        here = name in own or (here and name not in board.by_id)
        if here:
            yield name


def all_told() -> Iterator[dict[str, Any]]:
    """What is told of each pattern that is drawn."""
    found = patterns()
    yield from (told(*found[name]) for name in DRAWN)


def main() -> None:
    """Writes a file for each pattern."""
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for each in all_told():
        (out / f"{each['name']}.json").write_text(json.dumps(each, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
