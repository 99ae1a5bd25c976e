"""The light theme: colours and times of the lights that an add-on may choose. Pure values.

Meanings are fixed: a due pulses, a wrong peg blinks, a question winks. Signal colours must be distinguishable.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import combinations
from typing import Any

from companion.common.constants import suggest_nearest
from companion.common.errors import SettingsError

Colour = tuple[int, int, int]


def _time_field(default: int, low: int, high: int) -> Any:
    return field(default=default, metadata={"range": (low, high)})


@dataclass(frozen=True, slots=True, kw_only=True)
class LightTheme:
    """Colours as red, green and blue from 0 to 255, times in milliseconds."""

    due: Colour = (255, 255, 255)
    lift: Colour = (40, 40, 60)
    right: Colour = (0, 200, 0)
    wrong: Colour = (255, 0, 0)
    unclear: Colour = (255, 140, 0)
    out: Colour = (200, 40, 0)
    won: Colour = (0, 200, 60)
    """Head of the comet that runs up the winner's lane."""
    die: Colour = (90, 80, 60)
    """Pips of dice."""
    sides: tuple[Colour, ...] = ((30, 0, 0), (0, 0, 40), (0, 26, 0), (28, 22, 0), (22, 22, 22))
    """Pegs where they belong, by side. Dim, so as not to distract."""
    way: Colour = (0, 24, 16)
    """The holes up to the score, in a game without pegs."""
    neutral: Colour = (16, 16, 14)
    """Pegs that belong to no side."""
    pulse_ms: int = _time_field(1000, 300, 5000)
    blink_ms: int = _time_field(300, 100, 1000)
    wink_ms: int = _time_field(1600, 800, 5000)


DEFAULT_THEME = LightTheme()
"""The theme without add-ons."""

_MIN_SIGNAL_LEVEL = 100
"""Minimum of the largest component (red, green or blue) of a signal colour."""


def parse_theme(given: Mapping[str, object]) -> LightTheme:
    """Return the default theme with these values. Raises SettingsError for invalid or indistinguishable ones."""
    known = {each.name: each for each in fields(LightTheme)}
    theme = DEFAULT_THEME
    for key, value in given.items():
        if key not in known:
            raise SettingsError("Unknown light setting {key}: {near}.", key=key[:40], near=suggest_nearest(key, known))
        changes: dict[str, Any] = {
            key: _parse_side_colours(value) if key == "sides" else _parse_value(known[key], value)
        }
        theme = replace(theme, **changes)
    signals = {"due": theme.due, "right": theme.right, "wrong": theme.wrong, "unclear": theme.unclear}
    for name, colour in signals.items():
        if max(colour) < _MIN_SIGNAL_LEVEL:
            raise SettingsError("The colour {name} is too dark to see.", name=name)
    for (one, a), (other, b) in combinations(
        [*signals.items(), *((f"sides {n}", c) for n, c in enumerate(theme.sides))], 2
    ):
        if a == b:
            raise SettingsError("The colours {one} and {other} are the same.", one=one, other=other)
    return theme


def _parse_value(known: Any, value: object) -> Colour | int:
    if "range" not in known.metadata:
        return _parse_colour(known.name, value)
    low, high = known.metadata["range"]
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise SettingsError(
            "The time {name} must be a whole number from {low} to {high}.", name=known.name, low=low, high=high
        )
    return value


def _parse_colour(name: str, value: object) -> Colour:
    parts = value if isinstance(value, list) else []
    if len(parts) != 3 or not all(type(part) is int and 0 <= part <= 255 for part in parts):
        raise SettingsError("The colour {name} must be three whole numbers from 0 to 255.", name=name)
    return (parts[0], parts[1], parts[2])


def _parse_side_colours(value: object) -> tuple[Colour, ...]:
    if not isinstance(value, list) or len(value) != len(DEFAULT_THEME.sides):
        raise SettingsError("The colours of the sides must be a list of {n}.", n=len(DEFAULT_THEME.sides))
    return tuple(_parse_colour(f"sides {n}", each) for n, each in enumerate(value))
