"""Reads the `[wiring]` of a board file: tiles in the chain's order, each over runs of holes. Pure; raises BoardError.

A run goes from one number of a track to another, backwards too. A tile lies over one lane or several: then its chain
runs up the first, down the second, as a ribbon would.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.board.shape.given import known, some, whole
from companion.board.shape.wiring import Tile, Wire, Wiring, checked
from companion.errors import BoardError

TILE_NAME = re.compile(r"[a-z0-9.-]{1,24}")
"""A tile's name travels on the wire, between blanks."""

MOST = 4096
"""So many bits or pixels a chain may have."""

Numbers = Mapping[str, Mapping[int, str]]
"""The holes of a track, or the pips of a die, by number, in the order in which one passes them."""


def wiring(given: Any, holes: Numbers, pips: Numbers) -> Wiring:
    """What `[wiring]` says. Without `pixels` the strip goes as the chain does, dice and display at its end."""
    given = known(given, "the wiring", {"tiles", "end", "pixels"}, "tiles")
    chain: list[Wire] = []
    tiles: list[Tile] = []
    for each in some(given["tiles"], "the tiles of the wiring"):
        for name, part, wires in _tiles(each, holes):
            tiles.append(Tile(name, part, len(chain), len(wires)))
            chain += wires
    if "end" in given:
        chain.append(whole(given, "end", 0, 1))
    if len(chain) > MOST:
        raise BoardError(f"the chain has at most {MOST} bits.")
    bare = [name for group in pips.values() for name in group.values()]
    pixels: list[str | None]
    if "pixels" in given:
        pixels = [_named(wire) for wire in _wires(given["pixels"], {**holes, **pips}, "the pixels of the wiring")]
    else:
        pixels = [*(wire for wire in chain if isinstance(wire, str)), *bare]
    ids = [name for track in holes.values() for name in track.values()]
    return checked(Wiring(tuple(chain), tuple(pixels), tuple(tiles), "end" in given), ids, [*ids, *bare])


def _named(wire: Wire) -> str | None:
    if isinstance(wire, int):
        raise BoardError("a pixel is a hole's or a pip's, or a gap: it has no level.")
    return wire


def _tiles(given: Any, holes: Numbers) -> Iterable[tuple[str, str, list[Wire]]]:
    """The tile, or the row of like tiles, that an entry stands for."""
    given = known(given, "a tile", {"name", "part", "chain", "lanes", "holes", "tiles", "sentinel"}, "name")
    name = str(given["name"])
    if not TILE_NAME.fullmatch(name):
        raise BoardError(
            f"a tile's name is of small letters, figures, dots and hyphens, 24 at most; not {name[:40]!r}."
        )
    part = str(given.get("part", name))
    last: list[Wire] = [whole(given, "sentinel", 0, 1)] if "sentinel" in given else []
    if "chain" in given:
        yield name, part, _wires(given["chain"], holes, f"the chain of {name}") + last
        return
    known(given, f"the tile {name}, which has no chain,", set(given), "lanes", "holes")
    count = whole(given, "tiles", 1, MOST, 1)
    lanes = [
        _run([lane, *some(given["holes"], f"the holes of {name}")], holes)
        for lane in some(given["lanes"], f"the lanes of {name}")
    ]
    each = len(lanes[0]) // count
    if len(lanes[0]) != each * count:
        raise BoardError(f"the {len(lanes[0])} holes of {name} are not a like number on each of {count} tiles.")
    for n in range(count):
        parts = [lane[n * each : (n + 1) * each] for lane in lanes]
        wires: list[Wire] = [hole for i, run in enumerate(parts) for hole in (run[::-1] if i % 2 else run)]
        yield f"{name}.{n + 1}" if count > 1 else name, part, wires + last


def _wires(given: Any, holes: Numbers, what: str) -> list[Wire]:
    """A list of runs, holes by id, `["gap", count]` and levels of 0 and 1."""
    found: list[Wire] = []
    for each in some(given, what):
        if isinstance(each, str) or (type(each) is int and each in (0, 1)):
            found.append(each)
        elif isinstance(each, list) and len(each) == 2 and each[0] == "gap":
            found += [None] * whole({"a gap": each[1]}, "a gap", 1, MOST)
        else:
            found += _run(each, holes)
    return found


def _run(given: Any, holes: Numbers) -> Sequence[str]:
    """The holes of a track from one number to another, both included."""
    if not isinstance(given, list) or len(given) != 3 or str(given[0]) not in holes:
        raise BoardError("a run of holes is a track, the number of its first hole and that of its last.")
    track = holes[str(given[0])]
    if not all(type(n) is int and n in track for n in given[1:]):
        raise BoardError(f"a run of {given[0]} goes from {given[1]} to {given[2]}, and it has no such holes.")
    first, last = (list(track).index(n) for n in given[1:])
    passed = list(track.values())
    return passed[first : last + 1] if first <= last else passed[last : first + 1][::-1]
