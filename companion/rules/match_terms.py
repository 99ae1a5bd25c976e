"""What a game is played for, and scores on the way: target, sides, skunks. Pure; knows no cards."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.common.errors import IllegalMove
from companion.rules.engine import Award, Setup, put, seat_names

Scores = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """What an overclaim costs: `overclaim` is correct, two or excess; a tournament has penalties of its own."""

    overclaim: str = "correct"
    tournament: bool = False


@dataclass(frozen=True)
class Terms:
    """What is settled before the first card and stays so. The defaults are those of six-card cribbage.

    `size` is the number of cards in a hand. `manual`: the players count.
    """

    seats: int = 2
    sides: int = 2
    target: int = 121
    size: int = 4
    manual: bool = False
    muggins: bool = False
    policy: Policy = Policy()
    winner_deals: bool = False
    game_points: tuple[int, int, int] = (1, 2, 4)

    @property
    def is_five_card(self) -> bool:
        """Whether this is five-card cribbage: hands of three, one series, three for last, flushes of its own."""
        return self.size == 3

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The seats' names."""
        return seat_names(self.seats, self.sides)

    def __getstate__(self) -> dict[str, Any]:
        """What is kept of it: the names are worked out again, in words that any language can say."""
        return {name: value for name, value in self.__dict__.items() if name != "names"}

    def side(self, seat: int) -> int:
        """The side of a seat. Raises IllegalMove for a seat that is not at the table."""
        if not 0 <= seat < self.seats:
            raise IllegalMove("There is no such seat: this table has seats 0 to {word}.", word=self.seats - 1)
        return seat % self.sides


DEFAULT = Terms()
"""Two players to 121, friendly."""


def terms(setup: Setup, sides: int, *, size: int = 4) -> Terms:
    """The terms that a setup names; an option that the game does not have has its default."""
    get = setup.options.get
    none, skunk, double = (int(n) for n in get("game_points", "1,2,4").split(","))
    return Terms(
        seats=setup.seats,
        sides=sides,
        target=int(get("target", "121")),
        size=size,
        manual=get("counting", "auto") == "manual",
        muggins=get("muggins", "off") == "on",
        policy=Policy(get("overclaim", "correct"), get("policy", "friendly") == "tournament"),
        winner_deals=get("first_deal", "loser") == "winner",
        game_points=(none, skunk, double),
    )


def settle(
    terms: Terms, scores: Scores, counts: Iterable[tuple[Award, ...]]
) -> tuple[Scores, tuple[Award, ...], int | None]:
    """Add up what is counted, in order: the scores, the awards and the winner, if any.

    Each of `counts` is counted whole (a card, a hand); after the one that reaches the target no other is, nor
    is it asked for. Awards carry full points; scores stop at the target and do not fall below 0.
    """
    now, given, winner = list(scores), list[Award](), None
    for count in counts:
        for award in count:
            side = award.seat % terms.sides
            now[side] = max(0, min(terms.target, now[side] + award.points))
            if winner is None and now[side] == terms.target:
                winner = side
        given += count
        if winner is not None:
            break
    return tuple(now), tuple(given), winner


def adjusted(terms: Terms, scores: Scores, seat: int, points: int) -> Scores:
    """The scores after an adjustment, never above the target. Raises IllegalMove for one below 0."""
    side = terms.side(seat)
    now = scores[side] + points
    if now < 0:
        raise IllegalMove(
            "{who} has only {scores}: no score can be below 0.", who=terms.names[side], scores=scores[side]
        )
    return put(scores, side, min(now, terms.target))


def outcome(terms: Terms, scores: Scores, winner: int) -> dict[str, Any]:
    """The fields of a finished game: `skunk` and `game_points` of two sides, `skunks` of three."""
    marks = [None if side == winner else _skunk(terms.target, score) for side, score in enumerate(scores)]
    if terms.sides > 2:
        return {"skunks": marks}
    mark = marks[1 - winner]
    return {"skunk": mark, "game_points": dict(zip(_MARKS, terms.game_points, strict=True))[mark]}


_MARKS = (None, "skunk", "double skunk")
_SKUNKED: Mapping[int, tuple[int, int]] = {121: (90, 60), 61: (30, -1)}
"""By target, the highest score that is a skunk and a double skunk: of 61 there is no double."""


def _skunk(target: int, score: int) -> str | None:
    skunk, double = _SKUNKED[target]
    if score <= double:
        return "double skunk"
    return "skunk" if score <= skunk else None
