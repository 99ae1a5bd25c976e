"""Hints for cribbage shuffle: the best layout of the cards on the table, and the swaps that lead there.

The best layout is searched for 50 ms and then proved, once for each set of seventeen cards, without holding the table.
"""

import time
from random import SystemRandom
from typing import Any

from werkzeug.exceptions import Conflict

from companion.coach import shuffle
from companion.common.snapshot import Snapshot
from companion.common.values import single_flight_cache
from companion.i18n import Message, format_message, format_plural
from companion.protocol.json_codec import write_move
from companion.rules.cards import Card, parse_card
from companion.rules.moves import Swap
from companion.rules.shuffle import GRID_SIZE, TARGET_POINTS, ShuffleState

SEARCH_TIME_S = 0.05
"""Time for the search of the best layout."""
MAX_PROOF_TIME_S = 10.0
"""Time after which the proof is given up. It takes 0.1 s on average, 0.6 s at most (two-core PC)."""

_MAX_CACHED_LAYOUTS = 8
"""Number of results kept in memory."""
_RANDOM = SystemRandom()


def _find_best(grid: shuffle.Grid, starter: Card) -> shuffle.ProofResult:
    """Return the best layout of these cards, in any order."""
    return _solve(tuple(sorted(grid)), starter)


@single_flight_cache(_MAX_CACHED_LAYOUTS)
def _solve(cards: shuffle.Grid, starter: Card) -> shuffle.ProofResult:
    grid = shuffle.search_layout(cards, starter, _RANDOM.random, _time_limit(SEARCH_TIME_S))
    return shuffle.find_best_layout(grid, starter, _time_limit(MAX_PROOF_TIME_S))


def _time_limit(seconds: float) -> Any:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() < end


def suggest_swap(snapshot: Snapshot) -> dict[str, Any]:
    """Return the most helpful swap on the way to the best layout, null if the layout is the best."""
    grid, starter = _read_layout(snapshot)
    best = _find_best(grid, starter)
    body = {"moves": snapshot.moves, "swap": None, "points": 0, "total": snapshot.view["total"]}
    wanted = _nearest_layout(grid, best.grid, starter)
    found = shuffle.find_helpful_swap(grid, wanted, starter)
    if found is None:
        if best.is_proved:
            return body | {"say": format_message("This is already the best layout of these cards.")}
        return body | {"say": format_message("No better layout of these cards was found.")}
    i, j, gain = found
    gained = format_message("{n} more", n=gain) if gain > 0 else format_message("On the way to the best layout")
    said = format_message(
        "{gained}: swap the {one} and the {other}.", gained=gained, one=grid[i].name, other=grid[j].name
    )
    return body | {
        "swap": _swap_move(i, j),
        "points": gain,
        "total": max(0, snapshot.view["total"] + gain),
        "say": said,
    }


def _nearest_layout(grid: shuffle.Grid, best: shuffle.Grid, starter: Card) -> shuffle.Grid:
    """Return the best layout, mirrored or turned to need few swaps; the present one if it is as good."""
    if shuffle.layout_points(grid, starter) == shuffle.layout_points(best, starter):
        return grid
    return shuffle.find_nearest_equivalent(grid, best)


def describe_best(snapshot: Snapshot) -> dict[str, Any]:
    """Return the best layout and the swaps that lead there."""
    grid, starter = _read_layout(snapshot)
    found = _find_best(grid, starter)
    wanted = _nearest_layout(grid, found.grid, starter)
    best, way = ShuffleState(grid=wanted, starter=starter), shuffle.find_swaps(grid, wanted)
    return {
        "moves": snapshot.moves,
        "total": best.counted_points,
        "reaches": best.counted_points >= TARGET_POINTS,
        "proved": found.is_proved,
        "grid": [
            [str(cell) for cell in best.grid[n : n + GRID_SIZE]] for n in range(0, GRID_SIZE * GRID_SIZE, GRID_SIZE)
        ],
        "rows": list(best.rows),
        "columns": list(best.columns),
        "heels": best.heels,
        "swaps": [_swap_move(i, j) for i, j in way],
        "say": _best_sentence(best.counted_points, len(way), found.is_proved),
    }


def _best_sentence(total: int, swaps: int, is_proved: bool) -> Message:
    if not is_proved:
        less = format_message(" and may not reach {target}", target=TARGET_POINTS) if total < TARGET_POINTS else ""
        return format_message(
            "The best layout found is worth {total}{less}. There may be a better one.",
            total=total,
            less=less,
        )
    if total < TARGET_POINTS:
        return format_message(
            "These cards can't reach {target}. Their best layout is worth {total}.", target=TARGET_POINTS, total=total
        )
    if not swaps:
        return format_message("This is the best layout of these cards, worth {total}.", total=total)
    return format_plural(
        "The best layout is worth {total}, {n} swap away.",
        "The best layout is worth {total}, {n} swaps away.",
        swaps,
        total=total,
    )


def _read_layout(snapshot: Snapshot) -> tuple[shuffle.Grid, Card]:
    """Return the layout and the starter. Raises Conflict if no cards can be swapped."""
    if snapshot.game["key"] != "shuffle":
        raise Conflict(format_message("Only Cribbage Shuffle has hints and a best layout."))
    if snapshot.view["phase"] != "swap":
        square = snapshot.game["options"].get("variant") == "square"
        if square:
            raise Conflict(format_message("In this variant cards can't be moved, so there are no hints."))
        raise Conflict(format_message("First lay out the sixteen cards and the starter."))
    return tuple(parse_card(text) for row in snapshot.view["grid"] for text in row), parse_card(
        snapshot.view["starter"]
    )


def _swap_move(i: int, j: int) -> dict[str, Any]:
    return write_move(Swap(divmod(i, GRID_SIZE), divmod(j, GRID_SIZE)))
