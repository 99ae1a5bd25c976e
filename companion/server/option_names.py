"""Names of the options of games and of their values, for the pages."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.i18n import format_message, format_plural

MAX_INNINGS = 9


class OptionName(NamedTuple):
    """The name of an option, and the name of each value. The first value is the default."""

    name: str
    values: Mapping[str, str]


OPTION_NAMES = {
    "target": OptionName(format_message("Play to"), {"121": format_message("to 121"), "61": format_message("to 61")}),
    "counting": OptionName(
        format_message("Counting"),
        {"auto": format_message("automatic counting"), "manual": format_message("the players count")},
    ),
    "muggins": OptionName(
        format_message("Muggins"), {"off": format_message("no muggins"), "on": format_message("muggins")}
    ),
    "overclaim": OptionName(
        format_message("Over-claims"),
        {
            "correct": format_message("corrected"),
            "two": format_message("opponent gets 2"),
            "excess": format_message("opponent gets the difference"),
        },
    ),
    "policy": OptionName(
        format_message("Penalties"),
        {"friendly": format_message("friendly"), "tournament": format_message("tournament")},
    ),
    "first_deal": OptionName(
        format_message("Next dealer"), {"loser": format_message("loser"), "winner": format_message("winner")}
    ),
    "game_points": OptionName(
        format_message("Game, skunk, double skunk"),
        {"1,2,4": format_message("1, 2, 4 games"), "2,3,3": format_message("2, 3, 3 games")},
    ),
    "capture_peg": OptionName(
        format_message("Knock-out on"),
        {"back": format_message("the back peg"), "front": format_message("the front peg")},
    ),
    "preset": OptionName(
        format_message("Spaces"), {"standard": format_message("standard"), "harsh": format_message("harsh")}
    ),
    "innings": OptionName(
        format_message("Innings"),
        {str(n): format_plural("{n} inning", "{n} innings", n) for n in (3, 1, 2, *range(4, MAX_INNINGS + 1))},
    ),
    "zigzag": OptionName(
        format_message("Zig-zags"),
        {"alternating": format_message("alternating rows"), "stairs": format_message("stairs")},
    ),
    "diagonals": OptionName(
        format_message("Diagonals"), {"on": format_message("count as lines"), "off": format_message("don't count")}
    ),
    "start": OptionName(
        format_message("Markers"), {"fixed": format_message("fixed"), "random": format_message("your choice")}
    ),
    "variant": OptionName(
        format_message("Cards"),
        {"grid": format_message("can be swapped"), "square": format_message("stay in place")},
    ),
    "hints": OptionName(format_message("Hints"), {"off": format_message("no hints"), "on": format_message("hints")}),
}
"""By the key of the option. Options of add-on games have no names."""


def option_constants() -> dict[str, Any]:
    """Return the names for the modules of the pages."""
    return {
        key: {"name": name, "default": next(iter(values)), "values": dict(values)}
        for key, (name, values) in OPTION_NAMES.items()
    }


def describe_option(key: str, value: str, description: str) -> dict[str, str]:
    """Return the name, the description and the value of an option in words."""
    name, values = OPTION_NAMES.get(key, OptionName(key.replace("_", " "), {}))
    return {"name": name, "description": description, "value": values.get(value, value)}
