"""Three skill levels: novice, club player and expert. Pure.

They make the errors of people. A novice counts the points of four cards without the starter and of the card played now,
and sometimes overlooks even these. A club player knows average hands and cribs and what to leave the opponent, but not
which hands the opponent keeps, nor how the scores change the best choice. An expert considers all of that. The numbers
of an answer are those that such a player would estimate.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from companion.coach.cribbage import discard, play, rollout
from companion.coach.cribbage.objective import load_objective_values
from companion.coach.cribbage.play import PlayQuestion
from companion.coach.cribbage.play_states import state_after
from companion.coach.cribbage.ranks import ranks_of
from companion.coach.cribbage.win_chance import clip_chance
from companion.coach.questions import DiscardQuestion
from companion.common.constants import SKILL_LEVELS
from companion.common.errors import SettingsError
from companion.rules.cards import Card
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
    for each in sorted(discard.rank_discards(question), key=lambda choice: choice.discard):
        hand, crib = (
            (each.hand, each.crib)
            if level == CLUB
            else (_points_without_starter(each.kept), _points_without_starter(each.discard))
        )
        error_points = next(errors) * _MAX_ERROR_POINTS[level]
        points = hand + sign * crib + error_points
        found.append(
            discard.DiscardChoice(
                each.discard, each.kept, hand, crib, error_points, points, *_estimate_values(question, points)
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
    """Return the points of the cards without a starter."""
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
    key = repr((tuple(int(each) for each in numbers), level, seed)).encode()  # type: ignore[call-overload]
    n = 0
    while True:
        digest = sha256(key + bytes((n & 255,))).digest()
        for place in range(0, 32, 4):
            yield int.from_bytes(digest[place : place + 4]) / 2**31 - 1
        n += 1
