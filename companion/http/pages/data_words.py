"""Words in the data of games and boards that pages translate: options, colours, figures, tracks."""

from collections.abc import Iterator
from functools import cache

from companion.boards import catalog
from companion.rules import GAMES
from companion.rules.sackson.grid import COLOURS, find_figures


@cache
def data_words() -> frozenset[str]:
    """Return the words in English."""
    return frozenset(_iter_data_words())


def _iter_data_words() -> Iterator[str]:
    for game in GAMES:
        yield from (value for values in game.options.values() for value in values if value.isalpha())
    yield from COLOURS
    yield from find_figures().values()
    yield from find_figures("stairs").values()
    for name in catalog.list_board_names():
        for hole in catalog.load_board(name).holes:
            yield from (part for part in hole.id.split("-") if not part.isdecimal())
