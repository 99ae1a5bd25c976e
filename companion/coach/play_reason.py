"""Why a card was worse than another one: points at once, the opponent's answers, or the player's next card. Pure.

All hands that the opponent may hold count, with the coach's weights, and the opponent answers by the rollout policy.
"""

from collections.abc import Sequence
from typing import NamedTuple

from companion.coach.advise import JsonObject
from companion.coach.cribbage.hand_numbers import HAND_NUMBERS
from companion.coach.cribbage.opponent_hand import WeightedHand
from companion.coach.cribbage.play import HAND_SIZE, PlayQuestion, find_opponent_hands
from companion.coach.cribbage.play_states import START, PlayState, state_after
from companion.coach.cribbage.ranks import RANK_VALUES, ranks_of
from companion.coach.cribbage.rollout import OTHER_GO, add_up_scores, choose_card, finish_play
from companion.coach.questions import parse_play_question
from companion.i18n import Message, format_message, join_messages
from companion.rules.cards import RANK_NAMES, Card, parse_card

MAX_ANSWERS = 3
"""Number of the opponent's answers that a sentence names."""
MIN_SHARE = 0.15
"""Part of the points lost that named cards must explain. Less than that, the rest of the play is the reason."""
MIN_POINTS = 0.03
"""Smallest mean difference, in points, that is a reason."""
COUNTS_FOR_TENS = (5, 21)
"""Counts at which a card worth ten scores."""
TEN = 10
GO = None
"""The opponent's answer if no card fits, among the ranks."""


class _Outlook(NamedTuple):
    """What is expected after a card. The answers are ranks, or `GO`."""

    scored: int
    """Points of the card."""
    lost: dict[int | None, float]
    """By answer: its points, times its probability."""
    gained: dict[int | None, float]
    """By answer: the points of the player's best card on it, times the probability of the answer."""
    next_cards: dict[int | None, tuple[int, Card]]
    """By answer: that card, with its points."""


def explain_play(question: JsonObject, made: str, best: str, points_lost: float, name: str) -> Message:
    """Return a sentence that says why the card `made` of player `name` was worse than `best`."""
    turn = parse_play_question(question)
    hands = find_opponent_hands(turn)
    bad, good = parse_card(made), parse_card(best)
    on_bad, on_good = _look_ahead(turn, bad, hands), _look_ahead(turn, good, hands)
    lost, gained = _subtract(on_bad.lost, on_good.lost), _subtract(on_good.gained, on_bad.gained)
    at_once = on_good.scored - on_bad.scored
    most = max(at_once, sum(lost.values()), sum(gained.values()))
    if most < max(MIN_POINTS, MIN_SHARE * points_lost):
        return _describe_rest(turn, (bad, good), hands, name)
    if at_once == most:
        return _describe_points(on_bad.scored, on_good.scored)
    if sum(lost.values()) == most:
        return _describe_answers(turn, bad, lost)
    return _describe_next_card(good, on_good, gained)


def _look_ahead(turn: PlayQuestion, card: Card, hands: Sequence[WeightedHand]) -> _Outlook:
    step = state_after(tuple(each.rank for each in turn.series)).step(card.rank)
    assert step is not None
    scored, at = step
    left = [each for each in turn.held if each != card]
    chances = dict[int | None, float]()
    total = sum(weight for *_, weight in hands)
    can_answer = at is START or not turn.gone[1]
    for _, rest, weight in hands:
        chosen = choose_card(at, rest, len(left)) if can_answer else False
        answer = chosen[3] if chosen else GO
        chances[answer] = chances.get(answer, 0.0) + weight / total
    lost, gained = dict[int | None, float](), dict[int | None, float]()
    next_cards = dict[int | None, tuple[int, Card]]()
    for answer, chance in chances.items():
        points, then = (0, at) if answer is GO else at.step(answer) or (0, at)
        lost[answer] = chance * points
        next_cards[answer] = max(((_score(then, each.rank), each) for each in left), default=(0, card))
        gained[answer] = chance * next_cards[answer][0]
    return _Outlook(scored, lost, gained, next_cards)


def _score(at: PlayState, rank: int) -> int:
    step = at.step(rank)
    return step[0] if step else 0


def _subtract(more: dict[int | None, float], less: dict[int | None, float]) -> dict[int | None, float]:
    return {answer: more.get(answer, 0) - less.get(answer, 0) for answer in {**more, **less}}


def _describe_points(here: int, there: int) -> Message:
    if not here:
        return format_message("It would have scored {points} at once.", points=there)
    return format_message("It would have scored {points} at once instead of {fewer}.", points=there, fewer=here)


def _describe_answers(turn: PlayQuestion, card: Card, lost: dict[int | None, float]) -> Message:
    at = state_after((*(each.rank for each in turn.series), card.rank))
    ranks = sorted((rank for rank in lost if rank is not GO and lost[rank] > 0), key=lambda rank: -lost[rank])
    if at.count in COUNTS_FOR_TENS and all(RANK_VALUES[rank] == TEN for rank in ranks[:MAX_ANSWERS]):
        return format_message(
            "With {card}, the count was {count}: any card worth ten would score for the opponent.",
            card=_name_card(card), count=at.count,
        )  # fmt: skip
    answers = [
        format_message("{card} for {points}", card=format_message(RANK_NAMES[rank]), points=_score(at, rank))
        for rank in ranks
        if _score(at, rank)
    ]
    return format_message(
        "Cards that score on {card}: {answers}.", card=_name_card(card), answers=join_messages(answers[:MAX_ANSWERS])
    )


def _describe_next_card(better: Card, outlook: _Outlook, gained: dict[int | None, float]) -> Message:
    answer = max(gained, key=lambda each: gained[each])
    points, card = outlook.next_cards[answer]
    names = {"best": _name_card(better), "card": _name_card(card), "points": points}
    if answer is GO:
        return format_message("After {best} and a go, {card} would score {points} points.", **names)
    return format_message(
        "After {best} and the answer {answer}, {card} would score {points} points.",
        answer=format_message(RANK_NAMES[answer]), **names,
    )  # fmt: skip


def _describe_rest(turn: PlayQuestion, cards: tuple[Card, Card], hands: Sequence[WeightedHand], name: str) -> Message:
    (own_bad, other_bad), (own_good, other_good) = (_play_on(turn, card, hands) for card in cards)
    best = _name_card(cards[1])
    if other_bad - other_good > own_good - own_bad:
        return format_message("After {best}, the opponent would score less in the rest of the play.", best=best)
    return format_message("After {best}, {who} would score more in the rest of the play.", best=best, who=name)


def _play_on(turn: PlayQuestion, card: Card, hands: Sequence[WeightedHand]) -> tuple[float, float]:
    """Return what the player and the opponent score after a card, summed over the hands by their weights."""
    at = state_after((*(each.rank for each in turn.series), card.rank))
    mine = HAND_NUMBERS[ranks_of([each for each in turn.held if each != card])]
    gone = OTHER_GO if turn.gone[1] and at is not START else 0
    is_single_series = len(turn.kept) < HAND_SIZE
    own = other = 0.0
    for _, rest, weight in hands if at is not START or not is_single_series else ():
        scores = finish_play(mine, HAND_NUMBERS[rest], at.number, gone, 1, 0, once=is_single_series)
        one, two = add_up_scores(scores)
        own += weight * one
        other += weight * two
    return own, other


def _name_card(card: Card) -> Message:
    return format_message("the {card}", card=card.name)
