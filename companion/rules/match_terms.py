"""The terms of a match and its scores: target, sides, skunks. Pure; knows no cards."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.common.errors import IllegalMove
from companion.rules.engine import Award, Setup, replace_at, seat_names

Scores = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PenaltyPolicy:
    """The penalties: `overclaim` is correct, two or excess; a tournament has penalties of its own."""

    overclaim: str = "correct"
    is_tournament: bool = False


@dataclass(frozen=True)
class MatchTerms:
    """What is fixed before the first card. The defaults are those of six-card cribbage.

    `hand_size` is the number of cards in a hand. `is_manual`: the players count.
    """

    seats: int = 2
    sides: int = 2
    target: int = 121
    hand_size: int = 4
    is_manual: bool = False
    has_muggins: bool = False
    policy: PenaltyPolicy = PenaltyPolicy()
    winner_deals: bool = False
    game_points: tuple[int, int, int] = (1, 2, 4)

    @property
    def is_five_card(self) -> bool:
        """Whether this is five-card cribbage: hands of three, one series, three for last, flushes of its own."""
        return self.hand_size == 3

    @cached_property
    def seat_names(self) -> tuple[str, ...]:
        return seat_names(self.seats, self.sides)

    def __getstate__(self) -> dict[str, Any]:
        """Omit the cached names: an unpickled message would be plain English, so they are created again."""
        return {name: value for name, value in self.__dict__.items() if name != "seat_names"}

    def side_of(self, seat: int) -> int:
        """Return the side of a seat. Raises IllegalMove for a seat that does not exist."""
        if not 0 <= seat < self.seats:
            raise IllegalMove("There is no such seat: the seats are 0 to {last}.", last=self.seats - 1)
        return seat % self.sides


DEFAULT_TERMS = MatchTerms()
"""Two players to 121, friendly."""


def create_terms(setup: Setup, sides: int, *, hand_size: int = 4) -> MatchTerms:
    """Return the terms of a setup. An option that the game does not have gets its default."""
    get = setup.options.get
    return MatchTerms(
        seats=setup.seats,
        sides=sides,
        target=int(get("target", "121")),
        hand_size=hand_size,
        is_manual=get("counting", "auto") == "manual",
        has_muggins=get("muggins", "off") == "on",
        policy=PenaltyPolicy(get("overclaim", "correct"), get("policy", "friendly") == "tournament"),
        winner_deals=get("first_deal", "loser") == "winner",
        game_points=parse_game_points(get("game_points", "1,2,4")),
    )


def parse_game_points(text: str) -> tuple[int, int, int]:
    """Return the game points for a game, a skunk and a double skunk from a value of the option."""
    plain, skunk, double = (int(n) for n in text.split(","))
    return plain, skunk, double


def add_up_awards(
    terms: MatchTerms, scores: Scores, counts: Iterable[tuple[Award, ...]]
) -> tuple[Scores, tuple[Award, ...], int | None]:
    """Add award groups to the scores; return the scores, the awards given and the winner, if any.

    Each group (a card, a hand) is counted whole; groups after the one that reaches the target are neither counted nor
    computed. Awards keep their full points; scores stay between 0 and the target.
    """
    totals, awards, winner = list(scores), list[Award](), None
    for count in counts:
        for award in count:
            side = award.seat % terms.sides
            totals[side] = max(0, min(terms.target, totals[side] + award.points))
            if winner is None and totals[side] == terms.target:
                winner = side
        awards += count
        if winner is not None:
            break
    return tuple(totals), tuple(awards), winner


def adjust_score(terms: MatchTerms, scores: Scores, seat: int, points: int) -> Scores:
    """Return the scores after an adjustment, at most the target. Raises IllegalMove for a score below 0."""
    side = terms.side_of(seat)
    score = scores[side] + points
    if score < 0:
        raise IllegalMove(
            "{who} has only {score}: a score cannot go below 0.", who=terms.seat_names[side], score=scores[side]
        )
    return replace_at(scores, side, min(score, terms.target))


def describe_outcome(terms: MatchTerms, scores: Scores, winner: int) -> dict[str, Any]:
    """Return the fields of a finished game: `skunk` and `game_points` for two sides, `skunks` for three."""
    marks = [None if side == winner else _skunk_level(terms.target, score) for side, score in enumerate(scores)]
    if terms.sides > 2:
        return {"skunks": marks}
    mark = marks[1 - winner]
    return {"skunk": mark, "game_points": find_game_points(terms.target, scores[1 - winner], terms.game_points)}


_SKUNK_LEVELS = (None, "skunk", "double skunk")
SKUNK_LIMITS: Mapping[int, tuple[int, int]] = {121: (90, 60), 61: (30, -1)}
"""By target, the highest scores that are a skunk and a double skunk. A game to 61 has no double skunk."""


def find_game_points(target: int, score: int, game_points: tuple[int, int, int]) -> int:
    """Return what a game is worth by the score of the loser."""
    return dict(zip(_SKUNK_LEVELS, game_points, strict=True))[_skunk_level(target, score)]


def _skunk_level(target: int, score: int) -> str | None:
    skunk, double = SKUNK_LIMITS[target]
    if score <= double:
        return "double skunk"
    return "skunk" if score <= skunk else None
