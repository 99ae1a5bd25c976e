"""Sentences of a review: the best choice, what the player's choice cost, and why.

Each number is one of advise's. Pure.
"""

from collections.abc import Sequence

from companion.coach.advise import JsonObject
from companion.coach.choice_cost import ChoiceCost, measure_cost, measure_game_points
from companion.coach.cribbage.win_chance import NEGLIGIBLE_WIN_CHANCE
from companion.coach.play_reason import explain_play
from companion.i18n import Message, format_message, format_tenths, join_messages, join_with_and
from companion.rules.cards import parse_card

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
            "{who} discarded {cards}: about as good as the best choice.", who=name, cards=_card_names(own["discard"])
        )
    return format_message(
        "{who} played {card}: about as good as the best choice.", who=name, card=_card_name(own["play"])
    )


def choice_sentence(question: JsonObject, own: JsonObject, best: JsonObject, name: str, *, is_only: bool) -> Message:
    """Return one or two sentences on a choice of player `name`.

    `own` and `best` are rows of the answer to `question`. `is_only` means that no other card was playable.
    """
    if is_only:
        return format_message(
            "{who} played {card}: no other card was possible.", who=name, card=_card_name(own["play"])
        )
    is_discard = question["ask"] == "discard"
    if best is own:
        if is_discard:
            return format_message(
                "{who} discarded {cards}: the best choice.", who=name, cards=_card_names(own["discard"])
            )
        return format_message("{who} played {card}: the best choice.", who=name, card=_card_name(own["play"]))
    cost = measure_cost(question, own, best)
    made = _card_names(own["discard"]) if is_discard else _card_name(own["play"])
    better = _card_names(best["discard"]) if is_discard else _card_name(best["play"])
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
        more = format_tenths(100 * measure_game_points(question, cost))
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


def _card_name(text: str) -> Message:
    return format_message("the {card}", card=parse_card(text).name)


def _card_names(texts: Sequence[str]) -> Message:
    return join_with_and([_card_name(text) for text in texts])
