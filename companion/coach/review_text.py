"""Sentences of a review: the best choice, what the player's choice cost, and why. Pure.

Each number is one of advise's. A card is worse for points at once, the opponent's answers, or the player's next card:
all hands that the opponent may hold count, with the coach's weights, and the opponent answers by the rollout policy.
"""

from collections.abc import Sequence
from typing import NamedTuple

from companion.coach.advise import JsonObject
from companion.coach.cribbage.opponent_hand import WeightedHand
from companion.coach.cribbage.play import HAND_SIZE, MAX_SEARCH_HANDS, PlayQuestion, find_opponent_hands
from companion.coach.cribbage.ranks import HAND_NUMBERS, RANK_VALUES, START, PlayState, ranks_of, state_after
from companion.coach.cribbage.rollout import OTHER_GO, add_up_scores, choose_card, finish_play
from companion.coach.cribbage.tables import GAME_POINTS
from companion.coach.cribbage.win_chance import NEGLIGIBLE_WIN_CHANCE
from companion.coach.questions import parse_play_question
from companion.i18n import Message, format_message, format_tenths, join_messages, join_with_and
from companion.rules.cards import RANK_NAMES, Card, parse_card


class ChoiceCost(NamedTuple):
    """Points lost, and games lost. In a match, game points are converted into games won instead of lost."""

    points: float
    games: float


_EXACT = ChoiceCost(0.05, NEGLIGIBLE_WIN_CHANCE)
SEARCH_ACCURACIES = {4: ChoiceCost(0.3, 0.006), 3: ChoiceCost(0.15, 0.003)}
"""By number of cards held, the errors that nine of ten differences do not exceed if a card is tried against some of the
opponent's possible hands only."""
_DISCARD_ACCURACY = ChoiceCost(0.1, 0.002)
"""The same for discards: the table of pegging differs by 0.08 points from one of other deals."""


def measure_cost(question: JsonObject, own: JsonObject, best: JsonObject) -> ChoiceCost:
    points = best["points"] - own["points"]
    if "game_points" not in best:
        return ChoiceCost(points, max(0.0, best["win"] - own["win"]))
    return ChoiceCost(points, (best["game_points"] - own["game_points"]) / (2 * _points_of_game(question)))


def _points_of_game(question: JsonObject) -> int:
    return GAME_POINTS[question["game_points"]][0]


def is_about_as_good(question: JsonObject, cost: ChoiceCost) -> bool:
    """Return whether the cost is below the accuracy of the answer."""
    if question["ask"] == "discard":
        limit = _DISCARD_ACCURACY
    else:
        is_five_card = len(question["kept"]) < HAND_SIZE  # never tries all hands
        is_near_end = question["target"] - max(question["scores"]) <= MAX_SEARCH_HANDS[0][0]
        is_exact = is_near_end and bool(question["played"][1]) and not is_five_card
        limit = _EXACT if is_exact else SEARCH_ACCURACIES.get(len(question["hand"]) + is_five_card, _EXACT)
    return cost.points < limit.points and cost.games < limit.games


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
    step = state_after(tuple(played.rank for played in turn.series)).step(card.rank)
    assert step is not None
    scored, at = step
    left = [other for other in turn.held if other != card]
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
        next_cards[answer] = max(((_score(then, mine.rank), mine) for mine in left), default=(0, card))
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
    at = state_after((*(played.rank for played in turn.series), card.rank))
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
    answer = max(gained, key=lambda reply: gained[reply])
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
    at = state_after((*(played.rank for played in turn.series), card.rank))
    mine = HAND_NUMBERS[ranks_of([other for other in turn.held if other != card])]
    gone = OTHER_GO if turn.gone[1] and at is not START else 0
    is_single_series = len(turn.kept) < HAND_SIZE
    own = other = 0.0
    for _, rest, weight in hands if at is not START or not is_single_series else ():
        scores = finish_play(mine, HAND_NUMBERS[rest], at.number, gone, 1, 0, once=is_single_series)
        one, two = add_up_scores(scores)
        own += weight * one
        other += weight * two
    return own, other


ENDGAME_POINTS = 20
"""With this many points to go or fewer, a player may win in this deal, so expected points alone do not decide."""
SKUNK_POINTS = 30
"""A loser who needs more points than this is skunked."""
MIN_SHOWN_POINTS = 0.05
"""Differences below would be shown as 0.0 points."""


def even_choice_sentence(own: JsonObject, name: str) -> Message:
    """Return a sentence on a choice that cannot be said to be worse than the best one."""
    if "discard" in own:
        return format_message(
            "{who} discarded {cards}: about as good as the best choice.", who=name, cards=_name_cards(own["discard"])
        )
    return format_message(
        "{who} played {card}: about as good as the best choice.", who=name, card=_name_card(own["play"])
    )


def choice_sentence(question: JsonObject, own: JsonObject, best: JsonObject, name: str, *, is_only: bool) -> Message:
    """Return one or two sentences on a choice of player `name`.

    `own` and `best` are rows of the answer to `question`. `is_only` means that no other card was playable.
    """
    if is_only:
        return format_message(
            "{who} played {card}: no other card was possible.", who=name, card=_name_card(own["play"])
        )
    is_discard = question["ask"] == "discard"
    if best is own:
        if is_discard:
            return format_message(
                "{who} discarded {cards}: the best choice.", who=name, cards=_name_cards(own["discard"])
            )
        return format_message("{who} played {card}: the best choice.", who=name, card=_name_card(own["play"]))
    cost = measure_cost(question, own, best)
    made = _name_cards(own["discard"]) if is_discard else _name_card(own["play"])
    better = _name_cards(best["discard"]) if is_discard else _name_card(best["play"])
    words = {"who": name, "made": made, "best": better, "cost": _cost_phrase(question, cost)}
    if is_discard:
        first = format_message("{who} discarded {made}: {best} {cost}.", **words)
    else:
        first = format_message("{who} played {made}: {best} {cost}.", **words)
    if cost.points < MIN_SHOWN_POINTS and min(_points_needed(question)) <= ENDGAME_POINTS:
        why: Message | None = _endgame_sentence(question, name)
    elif is_discard:
        why = _discard_reason(question, own, best)
    else:
        why = explain_play(question, own["play"], best["play"], cost.points, name)
    return join_messages([first, why], " ") if why else first


def _cost_phrase(question: JsonObject, cost: ChoiceCost) -> Message:
    """Return a phrase such as "would have been worth 1.9 points more, and would win 2.3 % more games"."""
    points = format_tenths(abs(cost.points))
    if cost.games < NEGLIGIBLE_WIN_CHANCE:  # the game was already decided
        return format_message("would have been worth {points} points more, but would not win more games", points=points)
    if "game_points" in question:
        more = format_tenths(100 * cost.games * 2 * _points_of_game(question))
        gain = format_message("would win {points} more game points in 100 games", points=more)
    else:
        gain = format_message("would win {percent} % more games", percent=format_tenths(100 * cost.games))
    if abs(cost.points) < MIN_SHOWN_POINTS:
        return format_message("would have been worth the same points, but {gain}", gain=gain)
    if cost.points > 0:
        return format_message("would have been worth {points} points more, and {gain}", points=points, gain=gain)
    return format_message("would have been worth {points} points less, but {gain}", points=points, gain=gain)


def _points_needed(question: JsonObject) -> tuple[int, int]:
    own, other = question["scores"]
    return question["target"] - own, question["target"] - other


def _endgame_sentence(question: JsonObject, name: str) -> Message:
    own, other = _points_needed(question)
    if "game_points" in question and 0 < own - SKUNK_POINTS <= ENDGAME_POINTS:
        return format_message("{who} was {own} short of the skunk line.", who=name, own=own - SKUNK_POINTS)
    if "game_points" in question and 0 < other - SKUNK_POINTS <= ENDGAME_POINTS:
        return format_message("The opponent was {other} short of the skunk line.", other=other - SKUNK_POINTS)
    return format_message("{who} had {own} to go, the opponent {other}.", who=name, own=own, other=other)


def _discard_reason(question: JsonObject, own: JsonObject, best: JsonObject) -> Message | None:
    """Return what speaks most for the better discard: hand, crib or pegging.

    Returns None if the difference is below 0.05 points.
    """
    sign = 1 if question["dealer"] else -1
    gains = {"hand": best["hand"] - own["hand"], "crib": sign * (best["crib"] - own["crib"]),
             "pegging": best["pegging"] - own["pegging"]}  # fmt: skip
    part = max(gains, key=lambda name: gains[name])
    by = format_tenths(gains[part])
    if gains[part] < MIN_SHOWN_POINTS:
        return None
    if part == "hand":
        return format_message("The hand would have been worth {points} points more on average.", points=by)
    if part == "pegging":
        return format_message("It would have pegged {points} points more on average.", points=by)
    if question["dealer"]:
        return format_message("Their own crib would have been worth {points} points more on average.", points=by)
    return format_message("The opponent's crib would have been worth {points} points less on average.", points=by)


def _name_card(card: Card | str) -> Message:
    return format_message("the {card}", card=parse_card(str(card)).name)


def _name_cards(texts: Sequence[str]) -> Message:
    return join_with_and([_name_card(text) for text in texts])
