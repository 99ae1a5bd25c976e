"""The names and numbers of cribbage that a page needs too, from where the rules and the board have them. Told once."""

from functools import cache
from typing import Any

from companion.basics import IMPOSSIBLE, MOST, SEAT_NAMES
from companion.board.paint.dice import PIPS
from companion.rules import cribbage, display, play, pursuit, scoring, shuffle, spaces
from companion.rules.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS
from companion.table.dice import TUMBLE_MS
from companion.words import say


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
        "chips": {"colours": list(display.COLOURS), "each": display.SIZE},
        "grid": {"size": shuffle.SIZE, "target": shuffle.TARGET},
        "lap": pursuit.SIDE,
        "leg": spaces.LEG,
        "three_for_last": cribbage.THREE_FOR_LAST,
        "themes": {},
        "sounds": {},
    }


def _named(letters: str, names: tuple[str, ...]) -> list[dict[str, str]]:
    return [{"letter": letter, "name": say(name)} for letter, name in zip(letters, names, strict=True)]
