"""Words that are data of games and boards, and that a page says as the table tells them: options, colours, tracks."""

from collections.abc import Iterator
from functools import cache

from companion.board.shape import layout
from companion.rules import GAMES
from companion.rules.display import COLOURS, figures


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
    for name in layout.names():
        for hole in layout.load(name).holes:
            yield from (part for part in hole.id.split("-") if not part.isdecimal())
