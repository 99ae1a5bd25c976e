"""Questions to the coach, as other programs put them: docs/reference/advise.md. Pure.

Every field is checked; what is wrong is refused with a sentence, raised as BadMove or BadCard.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.coach.cribbage import tables
from companion.coach.cribbage.play import Turn
from companion.common.errors import BadMove
from companion.rules.cards import Card, card
from companion.rules.play import LIMIT

TARGETS = {"six-card": 121, "five-card": 61}
"""What is played to, where the question does not say."""

Asked = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A hand to lay two cards away from. `scores`: one's own, and the other's."""

    game: str
    held: tuple[Card, ...]
    dealer: bool
    scores: tuple[int, int]
    target: int


def discard(asked: Asked) -> Dealt:
    """The question `discard`."""
    game = _game(asked)
    held = _cards(asked, "hand")
    size = tables.GAMES[game]
    if len(held) != size:
        raise BadMove(f"A hand to lay away from has {size} cards here, not {len(held)}.")
    _once(held)
    return Dealt(game, held, _truth(asked, "dealer"), *_scores(asked))


def play(asked: Asked) -> Turn:
    """The question `play`."""
    game = _game(asked)
    size = tables.GAMES[game] - 2
    held, kept, series = _cards(asked, "hand"), _cards(asked, "kept"), _cards(asked, "series")
    discarded = None if asked.get("discarded") is None else _cards(asked, "discarded")
    starter = _card(asked.get("starter"), "starter")
    own, other = _two(asked, "played")
    played = (_read(own, "played"), _read(other, "played"))
    gone = _two(asked, "gone")
    if not all(isinstance(said, bool) for said in gone):
        raise BadMove("gone must be two of true and false: oneself, then the other.")
    if len(kept) != size or (discarded is not None and len(discarded) != 2):
        raise BadMove(f"kept must have {size} cards here, and discarded 2.")
    if not held or sorted((*held, *played[0])) != sorted(kept):
        raise BadMove("The cards of hand and those played by oneself must be those of kept.")
    if len(played[1]) > size:
        raise BadMove(f"The other can have played {size} cards at most.")
    _once((*kept, *(discarded or ()), starter, *played[1]))
    _once(series)
    if not set(series) <= {*played[0], *played[1]}:
        raise BadMove("The cards of series must be among those played.")
    count = sum(each.value for each in series)
    if asked.get("count") != count or isinstance(asked.get("count"), bool) or count > LIMIT:
        raise BadMove(f"The cards of series count {count}, and count must say so, 31 at most.")
    if count == LIMIT:
        raise BadMove("A series that has reached 31 is over: series is then empty, and count 0.")
    return Turn(game, held, kept, discarded, starter, _truth(asked, "dealer"), series, played, (gone[0], gone[1]),
                *_scores(asked))  # fmt: skip


def _game(asked: Asked) -> str:
    game = asked.get("game", "six-card")
    if not isinstance(game, str) or game not in tables.GAMES:
        raise BadMove(f"The coach knows the games {' and '.join(tables.GAMES)}.")
    return game


def _scores(asked: Asked) -> tuple[tuple[int, int], int]:
    target = asked.get("target", TARGETS[_game(asked)])
    if isinstance(target, bool) or target not in (61, 121):
        raise BadMove("target must be 121 or 61.")
    own, other = _two(asked, "scores")
    for score in (own, other):
        if isinstance(score, bool) or not isinstance(score, int) or not 0 <= score < target:
            raise BadMove(f"scores must be two whole numbers from 0 to {target - 1}: one's own, then the other's.")
    return (own, other), target


def _truth(asked: Asked, name: str) -> bool:
    value = asked.get(name)
    if not isinstance(value, bool):
        raise BadMove(f"{name} must be true or false.")
    return value


def _two(asked: Asked, name: str) -> tuple[Any, Any]:
    value = asked.get(name)
    if not isinstance(value, list) or len(value) != 2:
        raise BadMove(f"{name} must be a list of two: oneself, then the other.")
    return value[0], value[1]


def _cards(asked: Asked, name: str) -> tuple[Card, ...]:
    return _read(asked.get(name), name)


def _read(value: object, name: str) -> tuple[Card, ...]:
    if not isinstance(value, list) or len(value) > 8:
        raise BadMove(f"{name} must be a list of cards, such as 5H.")
    return tuple(_card(each, name) for each in value)


def _card(value: object, name: str) -> Card:
    if not isinstance(value, str):
        raise BadMove(f"{name} must be given as cards, such as 5H.")
    return card(value)


def _once(cards: tuple[Card, ...]) -> None:
    for each in cards:
        if cards.count(each) > 1:
            raise BadMove(f"The {each.name} is there twice.")
