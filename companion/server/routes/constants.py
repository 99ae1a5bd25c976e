"""The names and numbers of cribbage that a page needs too, from where the rules and the board have them. Told once."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from companion.boards import catalog
from companion.common.constants import IMPOSSIBLE, MOST, SEAT_NAMES
from companion.display.dice import PIPS
from companion.i18n import say
from companion.rules import GAMES, cribbage, play, pursuit, scoring, shuffle
from companion.rules.baseball import spaces
from companion.rules.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS
from companion.rules.sackson import grid
from companion.rules.sackson.grid import COLOURS, figures
from companion.table.dice import TUMBLE_MS


@cache
def constants() -> dict[str, Any]:
    """All of them, ready for JSON. What each is, `docs/reference/http.md` says."""
    return {
        "seats": [{"name": name, "colour": name.lower()} for name in SEAT_NAMES],
        "ranks": _named(RANKS, RANK_NAMES),
        "suits": _named(SUITS, SUIT_NAMES),
        "count": {"most": play.LIMIT, "any_fits": play.ANY_FITS},
        "claims": {
            "most": MOST,
            "most_in_play": scoring.MOST_IN_PLAY,
            "impossible": list(IMPOSSIBLE),
        },
        "dice": {"pips": {str(face): list(pips) for face, pips in PIPS.items()}, "tumble_ms": TUMBLE_MS},
        "chips": {"colours": list(grid.COLOURS), "each": grid.SIZE},
        "grid": {"size": shuffle.SIZE, "target": shuffle.TARGET},
        "lap": pursuit.SIDE,
        "leg": spaces.LEG,
        "three_for_last": cribbage.THREE_FOR_LAST,
        "themes": {},
        "sounds": {},
    }


def _named(letters: str, names: tuple[str, ...]) -> list[dict[str, str]]:
    return [{"letter": letter, "name": say(name)} for letter, name in zip(letters, names, strict=True)]


@cache
def names() -> frozenset[str]:
    """Each once, in English."""
    return frozenset(_names())


def _names() -> Iterator[str]:
    for game in GAMES:
        yield from (value for values in game.options.values() for value in values if value.isalpha())
    yield from COLOURS
    yield from figures().values()
    yield from figures("stairs").values()
    for name in catalog.names():
        for hole in catalog.load(name).holes:
            yield from (part for part in hole.id.split("-") if not part.isdecimal())
