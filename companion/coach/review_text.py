"""Sentences of a review: the best choice, what the player's choice cost, and why.

Each number is one of advise's. Pure.
"""

from collections.abc import Sequence

from companion.coach.advise import JsonObject
from companion.coach.cribbage.win_chance import NEGLIGIBLE_WIN_CHANCE
from companion.i18n import Message, format_message, format_tenths, join_messages, join_with_and
from companion.rules.cards import PACK, RANK_NAMES, Card, parse_card
from companion.rules.play import MAX_COUNT
from companion.rules.scoring import itemize_play

ENDGAME_POINTS = 20
"""With this many points to go or fewer, a player may win in this deal, so expected points alone do not decide."""

MAX_ANSWERS = 3
"""Number of the opponent's answers that a sentence names."""


def even_choice_sentence(own: JsonObject, name: str) -> Message:
    """Return a sentence on a card that cannot be said to be worse than the best, as the discards are not known."""
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
    win, points = best["win"] - own["win"], best["points"] - own["points"]
    if best is own or (win <= 0 and points <= 0):
        if is_discard:
            return format_message(
                "{who} discarded {cards}: the best choice.", who=name, cards=_card_names(own["discard"])
            )
        return format_message("{who} played {card}: the best choice.", who=name, card=_card_name(own["play"]))
    made = _card_names(own["discard"]) if is_discard else _card_name(own["play"])
    better = _card_names(best["discard"]) if is_discard else _card_name(best["play"])
    words = {"who": name, "made": made, "best": better, "cost": _cost_phrase(points, win)}
    if is_discard:
        first = format_message("{who} discarded {made}: {best} {cost}.", **words)
    else:
        first = format_message("{who} played {made}: {best} {cost}.", **words)
    why = _discard_reason(question, own, best) if is_discard else _play_reason(question, own, best)
    endgame = (
        _endgame_sentence(question, name) if points < 0.05 and min(_points_needed(question)) <= ENDGAME_POINTS else None
    )
    return join_messages([first, *(each for each in (endgame or why,) if each)], " ")


def _cost_phrase(points: float, win: float) -> Message:
    """Return a phrase such as "would have been worth 1.9 points more, and would win 2.3 % more games"."""
    percent = format_tenths(100 * win)
    if win <= 0 and points >= 0.05:  # the game was already decided
        return format_message(
            "would have been worth {points} points more, but would not win more games", points=format_tenths(points)
        )
    if win < NEGLIGIBLE_WIN_CHANCE:
        return format_message("would have been slightly better")
    if abs(points) < 0.05:
        return format_message(
            "would have been worth the same points, but would win {percent} % more games", percent=percent
        )
    by = format_tenths(abs(points))
    if points > 0:
        return format_message("would have been worth {points} points more, and would win {percent} % more games",
                   points=by, percent=percent)  # fmt: skip
    return format_message("would have been worth {points} points less, but would win {percent} % more games",
               points=by, percent=percent)  # fmt: skip


def _points_needed(question: JsonObject) -> tuple[int, int]:
    own, other = question["scores"]
    return question["target"] - own, question["target"] - other


def _endgame_sentence(question: JsonObject, name: str) -> Message:
    own, other = _points_needed(question)
    return format_message("{who} needed {own} points to win, the opponent {other}.", who=name, own=own, other=other)


def _discard_reason(question: JsonObject, own: JsonObject, best: JsonObject) -> Message | None:
    """Return what speaks most for the better discard: hand, crib or pegging.

    Returns None if the difference is below 0.05 points.
    """
    sign = 1 if question["dealer"] else -1
    gains = {"hand": best["hand"] - own["hand"], "crib": sign * (best["crib"] - own["crib"]),
             "pegging": best["pegging"] - own["pegging"]}  # fmt: skip
    part = max(gains, key=lambda name: gains[name])
    by = format_tenths(gains[part])
    if gains[part] < 0.05:
        return None
    if part == "hand":
        return format_message("The hand would have been worth {points} points more on average.", points=by)
    if part == "pegging":
        return format_message("It would have pegged {points} points more on average.", points=by)
    if question["dealer"]:
        return format_message("Their own crib would have been worth {points} points more on average.", points=by)
    return format_message("The opponent's crib would have been worth {points} points less on average.", points=by)


def _play_reason(question: JsonObject, own: JsonObject, best: JsonObject) -> Message | None:
    """Return why the better card was better: points at once, or what the card left to the opponent; None if neither."""
    here, there = _points_scored(question, own["play"]), _points_scored(question, best["play"])
    if there > here:
        return (
            format_message("It would have scored {points} at once.", points=there)
            if not here
            else format_message("It would have scored {points} at once instead of {fewer}.", points=there, fewer=here)
        )
    count = question["count"] + parse_card(own["play"]).value
    if here >= there and count in (5, 21):
        return format_message(
            "It made the count {count}, so any card worth ten would score for the opponent.", count=count
        )
    if answers := _answers_allowed(question, own["play"], best["play"]):
        return format_message("Cards that score on it: {answers}.", answers=join_messages(answers))
    if here > there:
        return format_message("It scored {points} at once, but gave the opponent more.", points=here)
    if follow_up := _find_follow_up(question, own["play"], best["play"]):
        answer, card, points = follow_up
        return format_message(
            "After {best} and the answer {answer}, {card} would score {points}.",
            best=_card_name(best["play"]), answer=_rank_name(answer), card=_card_name(card), points=points,
        )  # fmt: skip
    return format_message("The cards that it left score less in the rest of the play.")


def _answers_allowed(question: JsonObject, made: str, best: str) -> list[Message]:
    """Return the ranks that score more on the card made than on the better one, the likeliest points first.

    Returns none if the opponent has no card left, or if more is lost on the better card.
    """
    if len(question["played"][1]) == len(question["kept"]) or question["gone"][1]:
        return []
    on_made, on_best = _points_by_answer(question, made), _points_by_answer(question, best)
    unseen = _count_unseen(question)
    extra = sum(n * (a - b) for n, a, b in zip(unseen, on_made, on_best, strict=True))
    ranks = [rank for rank in range(13) if unseen[rank] and on_made[rank] > on_best[rank]]
    ranks.sort(key=lambda rank: (-unseen[rank] * (on_made[rank] - on_best[rank]), rank))
    return [
        format_message("{card} for {points}", card=_rank_name(rank), points=on_made[rank])
        for rank in (ranks[:MAX_ANSWERS] if extra > 0 else ())
    ]


def _points_by_answer(question: JsonObject, played: str) -> list[int]:
    """Return what each rank would score on a card."""
    series = [*map(parse_card, question["series"]), parse_card(played)]
    count = question["count"] + series[-1].value
    if count == MAX_COUNT:
        series, count = [], 0
    return [_score_on(series, count, card) for card in PACK[::4]]


def _score_on(series: Sequence[Card], count: int, card: Card) -> int:
    total = count + card.value
    return sum(item.points for item in itemize_play([*series, card], total)) if total <= MAX_COUNT else 0


def _count_unseen(question: JsonObject) -> list[int]:
    known = [*question["kept"], *(question["discarded"] or ()), question["starter"], *question["played"][1]]
    ranks = [parse_card(text).rank for text in known]
    return [4 - ranks.count(rank) for rank in range(13)]


def _find_follow_up(question: JsonObject, made: str, best: str) -> tuple[int, str, int] | None:
    """Return an answer of the opponent on which the better card leaves more points: rank, own card and points."""
    unseen, found = _count_unseen(question), list[tuple[int, int, str, int]]()
    left = {played: [text for text in question["hand"] if text != played] for played in (made, best)}
    for answer in PACK[::4]:
        gains = []
        for played in (made, best):
            series = [*map(parse_card, question["series"]), parse_card(played), answer]
            total = sum(card.value for card in series)
            scores = [(_score_on(series, total, parse_card(text)), text) for text in left[played]]
            gains.append(max(scores, default=(0, "")) if total < MAX_COUNT else (0, ""))
        more = (gains[1][0] - gains[0][0]) * unseen[answer.rank]
        if more > 0:
            found.append((-more, answer.rank, gains[1][1], gains[1][0]))
    return min(found)[1:] if found else None


def _points_scored(question: JsonObject, played: str) -> int:
    return _score_on([*map(parse_card, question["series"])], question["count"], parse_card(played))


def _rank_name(rank: int) -> Message:
    return format_message(RANK_NAMES[rank])


def _card_name(text: str) -> Message:
    return format_message("the {card}", card=parse_card(text).name)


def _card_names(texts: Sequence[str]) -> Message:
    return join_with_and([_card_name(text) for text in texts])
