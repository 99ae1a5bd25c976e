"""Cribbage shuffle over HTTP: a hint, and the best layout, to whoever asks. Knows the snapshot, and clock and chance.

What is best is searched for 50 ms and then proved, once for each seventeen cards; the rest of the program goes on.
"""

import threading
import time
from functools import lru_cache
from random import SystemRandom
from typing import Any

from flask import Blueprint
from werkzeug.exceptions import Conflict

from companion.coach import shuffle, shuffle_proof
from companion.common.snapshot import Snapshot
from companion.i18n import Sentence, say, say_many
from companion.protocol.json_codec import write_move
from companion.rules.cards import Card, card
from companion.rules.moves import Swap
from companion.rules.shuffle import SIZE, TARGET, State
from companion.server.responses import json_answer
from companion.table.table import Table

SEARCH_S = 0.05
"""How long the best layout is searched for."""
PROOF_S = 10.0
"""How long a proof may take, or what was found is given without one. Measured here: 0.1 s, and 0.6 s at the worst."""

_REMEMBERED = 8
"""So many layouts keep their answer."""
_CHANCE = SystemRandom()


def hint_routes(table: Table) -> Blueprint:
    """The routes `/api/hint` and `/api/best` of a table."""
    routes = Blueprint("hints", __name__, url_prefix="/api")
    solver = _Solver()
    routes.add_url_rule("/hint", "hint", lambda: json_answer(_hint(table.snapshot, solver)))
    routes.add_url_rule("/best", "best", lambda: json_answer(_best(table.snapshot, solver)))
    return routes


class _Solver:
    """The best layout of some cards. Those who ask at once wait for one answer."""

    def __init__(self) -> None:
        self._one = threading.Lock()
        self._found = lru_cache(_REMEMBERED)(_solved)

    def best(self, grid: shuffle.Grid, starter: Card) -> shuffle_proof.Found:
        """The best layout of these cards, whichever way they lie."""
        with self._one:
            return self._found(tuple(sorted(grid)), starter)


def _solved(cards: shuffle.Grid, starter: Card) -> shuffle_proof.Found:
    grid = shuffle.search(cards, starter, _CHANCE.random, _for(SEARCH_S))
    return shuffle_proof.best(grid, starter, _for(PROOF_S))


def _for(seconds: float) -> Any:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() < end


def _hint(now: Snapshot, solver: _Solver) -> dict[str, Any]:
    """The swap that gains most of those on the way to the best layout; none, where no layout is better."""
    grid, starter = _layout(now)
    best = solver.best(grid, starter)
    told = {"moves": now.moves, "swap": None, "points": 0, "total": now.view["total"]}
    wanted = _nearest(grid, best.grid, starter)
    found = shuffle.helpful(grid, wanted, starter)
    if found is None:
        if best.is_proved:
            return told | {"say": say("No swap helps: no better layout of these cards can be made.")}
        return told | {"say": say("No swap helps: no better layout of these cards is known.")}
    i, j, gain = found
    gained = say("{n} more", n=gain) if gain > 0 else say("On the way to the best layout")
    said = say("{gained}: swap the {one} and the {other}.", gained=gained, one=grid[i].name, other=grid[j].name)
    return told | {"swap": _swap(i, j), "points": gain, "total": max(0, now.view["total"] + gain), "say": said}


def _nearest(grid: shuffle.Grid, best: shuffle.Grid, starter: Card) -> shuffle.Grid:
    """The best layout, turned so that it is near to the one that lies: that itself, if none is better."""
    if shuffle.total(grid, starter) == shuffle.total(best, starter):
        return grid
    return shuffle.turned(grid, best)


def _best(now: Snapshot, solver: _Solver) -> dict[str, Any]:
    """The best layout and the swaps that lead there."""
    grid, starter = _layout(now)
    found = solver.best(grid, starter)
    wanted = _nearest(grid, found.grid, starter)
    best, way = State(grid=wanted, starter=starter), shuffle.way(grid, wanted)
    return {
        "moves": now.moves, "total": best.counted, "reaches": best.counted >= TARGET, "proved": found.is_proved,
        "grid": [[str(cell) for cell in best.grid[n : n + SIZE]] for n in range(0, SIZE * SIZE, SIZE)],
        "rows": list(best.rows), "columns": list(best.columns), "heels": best.heels,
        "swaps": [_swap(i, j) for i, j in way], "say": _say(best.counted, len(way), found.is_proved),
    }  # fmt: skip


def _say(total: int, swaps: int, is_proved: bool) -> Sentence:
    if not is_proved:
        less = say(", and whether any reaches {target} is not known", target=TARGET) if total < TARGET else ""
        return say(
            "The best layout found is worth {total}; that there is none better is not proved{less}.",
            total=total,
            less=less,
        )
    if total < TARGET:
        return say("No layout of these cards reaches {target}: the best is worth {total}.", target=TARGET, total=total)
    if not swaps:
        return say("This is the best layout of these cards: {total}.", total=total)
    return say_many(
        "The best layout is worth {total}: {n} swap leads there.",
        "The best layout is worth {total}: {n} swaps lead there.",
        swaps,
        total=total,
    )


def _layout(now: Snapshot) -> tuple[shuffle.Grid, Card]:
    """The cards that lie to be swapped. Raises Conflict where none do."""
    if now.game["key"] != "shuffle":
        raise Conflict(say("Only cribbage shuffle has a best layout, and hints."))
    if now.view["phase"] != "swap":
        square = now.game["options"].get("variant") == "square"
        if square:
            raise Conflict(say("In this variant the cards stay where they are put: there are no hints."))
        raise Conflict(say("The cards are to be laid first: sixteen and the starter."))
    return tuple(card(text) for row in now.view["grid"] for text in row), card(now.view["starter"])


def _swap(i: int, j: int) -> dict[str, Any]:
    return write_move(Swap(divmod(i, SIZE), divmod(j, SIZE)))
