"""Three skill levels: novice, club player and expert. Pure.

They make the errors of people. A novice counts the points of four cards without the starter and of the card played now,
and sometimes overlooks even these. A club player knows average hands and cribs and what to leave the opponent, but not
which hands the opponent keeps, nor how the scores change the best choice. An expert considers all of that. The numbers
of an answer are those that such a player would estimate.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from companion.coach.cribbage import discard, play, rollout
from companion.coach.cribbage.play import PlayQuestion
from companion.coach.cribbage.ranks import ranks_of, state_after
from companion.coach.cribbage.tables import (
    DEFAULT_GAME_POINTS,
    GAME_POINTS,
    GamePoints,
    load_objective_values,
    objective_of_table,
)
from companion.coach.cribbage.win_chance import clip_chance
from companion.coach.questions import DiscardQuestion
from companion.common.constants import CARDS_DEALT, SKILL_LEVELS
from companion.common.errors import SettingsError
from companion.rules.cards import PACK, Card, parse_card
from companion.rules.scoring import score_ranks

NOVICE, CLUB, EXPERT = SKILL_LEVELS

_MAX_ERROR_POINTS = {NOVICE: 1.5, CLUB: 0.8}
"""Largest error of an estimate, in points, by level."""
_OVERLOOK_CHANCE = 0.12
"""Probability that a novice overlooks the points of a card."""
_WIN_CHANCE_PER_POINT = 0.013
"""Approximate value of a point in games won, for players who do not consider the scores."""


def rank_discards(question: DiscardQuestion, level: str, seed: int) -> list[discard.DiscardChoice]:
    """Return the discards as a player of this level ranks them, best first."""
    if _check_level(level) == EXPERT:
        return discard.rank_discards(question)
    sign = 1 if question.dealer else -1
    errors = _error_sequence((*question.held, question.dealer, *question.scores), level, seed)
    found = []
    for choice in sorted(discard.rank_discards(question), key=lambda choice: choice.discard):
        hand, crib = (
            (choice.hand, choice.crib)
            if level == CLUB
            else (_points_without_starter(choice.kept), _points_without_starter(choice.discard))
        )
        error_points = next(errors) * _MAX_ERROR_POINTS[level]
        points = hand + sign * crib + error_points
        found.append(
            discard.DiscardChoice(
                choice.discard, choice.kept, hand, crib, error_points, points, *_estimate_values(question, points)
            )
        )
    return sorted(found, key=lambda choice: (-choice.win, -choice.points))


def rank_plays(turn: PlayQuestion, level: str, seed: int) -> list[play.PlayChoice]:
    """Return the playable cards as a player of this level ranks them, best first."""
    if _check_level(level) == EXPERT:
        return play.rank_plays(turn)
    at = state_after(tuple(card.rank for card in turn.series))
    others = 0 if turn.gone[1] else len(turn.kept) - len(turn.played[1])
    errors = _error_sequence((*turn.held, *turn.series, turn.starter, *turn.scores), level, seed)
    found = []
    for card in turn.held:
        step = at.step(card.rank)
        if step is None or turn.gone[0]:
            continue
        error = next(errors)
        points = float(step[0])
        if level == CLUB:
            points -= rollout.expected_pegging(step[1], others)
        elif (error + 1) / 2 < _OVERLOOK_CHANCE:
            points = 0.0
        points += 0.3 * error * _MAX_ERROR_POINTS[level]
        found.append(play.PlayChoice(card, points, *_estimate_values(turn, points)))
    if not found:
        return [play.PlayChoice(None, 0.0, *_estimate_values(turn, 0))]
    return sorted(found, key=lambda choice: (-choice.win, -choice.points))


def _check_level(level: str) -> str:
    if level not in SKILL_LEVELS:
        raise SettingsError(f"Unknown level {level[:20]}. Choose one of {', '.join(SKILL_LEVELS)}.")
    return level


def _points_without_starter(cards: Sequence[Card]) -> float:
    return float(score_ranks(ranks_of(cards)))


def _estimate_values(question: DiscardQuestion | PlayQuestion, points: float) -> tuple[float, ...]:
    """Return the estimated chance to win and, if the question asks for it, the value in a match."""
    gain = _WIN_CHANCE_PER_POINT * (points - (8 if question.dealer else 0))
    return tuple(
        clip_chance(values.before_deal(*question.scores, dealer=question.dealer) + gain)
        for values in load_objective_values(question.game, question.target, question.objective, question.game_points)
    )


def _error_sequence(numbers: Sequence[object], level: str, seed: int) -> Iterator[float]:
    """Yield numbers from -1 to 1 that depend only on question, level and seed."""
    key = repr((tuple(int(number) for number in numbers), level, seed)).encode()  # type: ignore[call-overload]
    n = 0
    while True:
        digest = sha256(key + bytes((n & 255,))).digest()
        for place in range(0, 32, 4):
            yield int.from_bytes(digest[place : place + 4]) / 2**31 - 1
        n += 1


View = Mapping[str, Any]


class GameTerms(NamedTuple):
    """What is fixed before the first card: key, seats, target and options of the game, and the player's skill level.

    `seed` is that of the mistakes of lower levels.
    """

    key: str
    seats: int
    target: int
    options: Mapping[str, str]
    level: str = EXPERT
    seed: int = 0

    @property
    def are_coached(self) -> bool:
        return self.key in CARDS_DEALT and self.seats == 2


def warm_up(terms: GameTerms) -> None:
    """Load and compute the tables for the first decision, so that it takes no longer than later ones."""
    if terms.are_coached:
        dealt = PACK[:: len(PACK) // 6][: CARDS_DEALT[terms.key]]
        question = DiscardQuestion(terms.key, dealt, dealer=True, scores=(0, 0), target=terms.target)
        rank_discards(question, terms.level, 0)


def choose_hand(terms: GameTerms, view: View, seat: int, held: Sequence[Card]) -> tuple[Card, ...] | None:
    """Return the cards to keep; None if the coach has no advice."""
    if not terms.are_coached:
        return None
    scores = (view["scores"][seat], view["scores"][1 - seat])
    dealer = seat == view["dealer"]
    question = DiscardQuestion(terms.key, tuple(held), dealer, scores, terms.target, *_find_objective(terms))
    return rank_discards(question, terms.level, terms.seed)[0].kept


def choose_card(
    terms: GameTerms, view: View, seat: int, held: Sequence[Card], discarded: Sequence[Card]
) -> Card | None:
    """Return the card to play; None if the coach has no advice. `discarded` are the cards that the player discarded."""
    if not terms.are_coached:
        return None
    played = (_parse_cards(view["played"][seat]), _parse_cards(view["played"][1 - seat]))
    seen = {parse_card(str(view["starter"])), *held, *played[0], *played[1]}
    objective, game_points = _find_objective(terms)
    turn = PlayQuestion(
        game=terms.key,
        held=tuple(held),
        kept=(*played[0], *held),
        discarded=tuple(discarded) if len(discarded) == 2 and not seen & set(discarded) else None,
        starter=parse_card(str(view["starter"])),
        dealer=seat == view["dealer"],
        series=_parse_cards(view["series"]),
        played=played,
        gone=(seat in view["gone"], 1 - seat in view["gone"]),
        scores=(view["scores"][seat], view["scores"][1 - seat]),
        target=terms.target,
        objective=objective,
        game_points=game_points,
    )
    return rank_plays(turn, terms.level, terms.seed)[0].card


def _find_objective(terms: GameTerms) -> tuple[str, GamePoints]:
    return objective_of_table(GAME_POINTS.get(terms.options.get("game_points", ""), DEFAULT_GAME_POINTS))


def _parse_cards(texts: Sequence[object]) -> tuple[Card, ...]:
    return tuple(parse_card(str(text)) for text in texts)
