"""Names and numbers that rules, board, server and pages all go by. They stand here once; docs/reference/http.md tells
how the pages get them. Pure.
"""

from collections.abc import Iterable
from difflib import get_close_matches

from companion.i18n import say

SEAT_NAMES = (say("Red"), say("Blue"), say("Green"), say("Yellow"), say("White"))
"""What a seat is called, after the colour of its pegs."""
MOST = 29
"""No hand scores more, so no claim is bigger."""
IMPOSSIBLE = (19, 25, 26, 27)
"""No hand scores these."""

NEAR = 5
"""A number that is so far from another may have been meant as that."""


def near(word: str, known: Iterable[str]) -> str:
    """What may have been meant by a word that is none of the known: "the nearest is X", or where none is near, all."""
    every = list(known)
    found = get_close_matches(word[:40], every, n=1)
    if word.isdecimal() and len(word) < 10 and all(name.isdecimal() for name in every):
        found = sorted(
            (name for name in every if abs(int(name) - int(word)) <= NEAR), key=lambda n: abs(int(n) - int(word))
        )
    if found:
        return say("the nearest is {name}", name=found[0])
    return (
        say("there is {name}", name=every[0]) if len(every) == 1 else say("there are {names}", names=", ".join(every))
    )
