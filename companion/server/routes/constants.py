"""Names and numbers of cribbage for the pages, taken from the rules and the boards."""

from functools import cache
from typing import Any

from companion.common.constants import IMPOSSIBLE_HAND_SCORES, MAX_HAND_POINTS, SEAT_NAMES
from companion.display.dice import FACE_PIPS
from companion.i18n import format_message
from companion.rules import GAMES, cribbage, play, pursuit, scoring, shuffle
from companion.rules.baseball import spaces
from companion.rules.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS
from companion.rules.sackson import grid
from companion.table.dice import TUMBLE_MS


@cache
def build_constants() -> dict[str, Any]:
    """Return the answer of `/api/constants` (docs/reference/http.md), without what add-ons bring."""
    return {
        "seats": [{"name": name, "colour": name.lower()} for name in SEAT_NAMES],
        "ranks": _letter_names(RANKS, RANK_NAMES),
        "suits": _letter_names(SUITS, SUIT_NAMES),
        "count": {"most": play.MAX_COUNT, "any_fits": play.MAX_COUNT_ANY_CARD_FITS},
        "claims": {
            "most": MAX_HAND_POINTS,
            "most_in_play": scoring.MAX_PLAY_POINTS,
            "impossible": list(IMPOSSIBLE_HAND_SCORES),
        },
        "dice": {"pips": {str(face): list(pips) for face, pips in FACE_PIPS.items()}, "tumble_ms": TUMBLE_MS},
        "chips": {"colours": list(grid.COLOURS), "each": grid.GRID_SIZE},
        "grid": {"size": shuffle.GRID_SIZE, "target": shuffle.TARGET_POINTS},
        "lap": pursuit.HOLES_PER_PLAYER,
        "leg": spaces.LEG_LENGTH,
        "options": _describe_options(),
        "three_for_last": cribbage.THREE_FOR_LAST,
        "reads_photos": False,
        "themes": {},
        "sounds": {},
    }


def _describe_options() -> dict[str, dict[str, Any]]:
    """Return the words of each option, of the first game that has it."""
    options = {key: game.find_option(key) for game in reversed(GAMES) for key in game.options}
    return {
        key: {
            "name": option.name,
            "default": option[0],
            "values": dict(option.value_names),
            "is_named": option.has_unclear_values,
        }
        for key, option in options.items()
    }


def _letter_names(letters: str, names: tuple[str, ...]) -> list[dict[str, str]]:
    return [{"letter": letter, "name": format_message(name)} for letter, name in zip(letters, names, strict=True)]
