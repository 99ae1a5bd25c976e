"""Names and numbers shared by rules, boards, server and pages (see docs/reference/http.md). Pure."""

from collections.abc import Iterable
from difflib import get_close_matches

from companion.i18n import format_message

SEAT_NAMES = (
    format_message("Red"),
    format_message("Blue"),
    format_message("Green"),
    format_message("Yellow"),
    format_message("White"),
)
"""Names of the seats by the colours of their pegs."""
MAX_HAND_POINTS = 29
"""Highest score of a hand, and so of a claim."""
IMPOSSIBLE_HAND_SCORES = (19, 25, 26, 27)
"""Scores below the maximum that no hand has."""

SKILL_LEVELS = ("novice", "club", "expert")
"""The companion's skill levels as a player, weakest first."""
CARDS_DEALT = {"six-card": 6, "five-card": 5}
"""Number of cards dealt to each of two players, by the key of the games that the companion plays and coaches."""
DEFAULT_TARGETS = {"six-card": 121, "five-card": 61}
"""Points to play to in these games, if nothing else is given."""

SUGGESTION_DISTANCE = 5
"""Largest difference at which a known number is suggested for an unknown one."""


def suggest_nearest(word: str, known: Iterable[str]) -> str:
    """Return a suggestion for an unknown word: "the nearest is X", or a list of all known words if none is similar."""
    words = list(known)
    similar = get_close_matches(word[:40], words, n=1)
    if word.isdecimal() and len(word) < 10 and all(name.isdecimal() for name in words):
        similar = sorted(
            (name for name in words if abs(int(name) - int(word)) <= SUGGESTION_DISTANCE),
            key=lambda n: abs(int(n) - int(word)),
        )
    if similar:
        return format_message("the nearest is {name}", name=similar[0])
    return (
        format_message("there is {name}", name=words[0])
        if len(words) == 1
        else format_message("there are {names}", names=", ".join(words))
    )
