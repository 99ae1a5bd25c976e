"""Parse questions to the coach as other programs send them (docs/reference/advise.md). Pure.

Every field is checked. An invalid field raises BadMove or BadCard with a sentence that says what to correct.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.coach.cribbage.play import PlayQuestion
from companion.coach.cribbage.tables import DEFAULT_GAME_POINTS, GAME_POINTS, OBJECTIVES, WIN, GamePoints
from companion.common.constants import CARDS_DEALT, DEFAULT_TARGETS
from companion.common.errors import BadMove
from companion.rules.cards import Card, parse_card
from companion.rules.play import MAX_COUNT

Question = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DiscardQuestion:
    """A hand from which two cards are discarded. `scores` are the player's own and the opponent's."""

    game: str
    held: tuple[Card, ...]
    dealer: bool
    scores: tuple[int, int]
    target: int
    objective: str = WIN
    game_points: GamePoints = DEFAULT_GAME_POINTS


def parse_discard_question(question: Question) -> DiscardQuestion:
    """Return the discard question. Raises BadMove or BadCard."""
    game = _parse_game(question)
    held = _parse_cards_field(question, "hand")
    size = CARDS_DEALT[game]
    if len(held) != size:
        raise BadMove(f"A hand has {size} cards before the discard, not {len(held)}.")
    _check_distinct(held)
    return DiscardQuestion(
        game, held, _parse_bool(question, "dealer"), *_parse_scores_and_target(question), *_parse_objective(question)
    )


def parse_play_question(question: Question) -> PlayQuestion:
    """Return the play question. Raises BadMove or BadCard."""
    game = _parse_game(question)
    size = CARDS_DEALT[game] - 2
    held, kept, series = (
        _parse_cards_field(question, "hand"),
        _parse_cards_field(question, "kept"),
        _parse_cards_field(question, "series"),
    )
    discarded = None if question.get("discarded") is None else _parse_cards_field(question, "discarded")
    starter = _parse_card(question.get("starter"), "starter")
    own, other = _parse_pair(question, "played")
    played = (_parse_cards(own, "played"), _parse_cards(other, "played"))
    gone = _parse_pair(question, "gone")
    if not all(isinstance(flag, bool) for flag in gone):
        raise BadMove("gone must be two of true and false: the player's own, then the opponent's.")
    if len(kept) != size or (discarded is not None and len(discarded) != 2):
        raise BadMove(f"kept must have {size} cards, and discarded 2.")
    if not held or sorted((*held, *played[0])) != sorted(kept):
        raise BadMove("hand and the player's own played cards must together be the cards of kept.")
    if len(played[1]) > size:
        raise BadMove(f"The opponent can have played at most {size} cards.")
    _check_distinct((*kept, *(discarded or ()), starter, *played[1]))
    _check_distinct(series)
    if not set(series) <= {*played[0], *played[1]}:
        raise BadMove("All cards of series must be among the played cards.")
    count = sum(card.value for card in series)
    if question.get("count") != count or isinstance(question.get("count"), bool) or count > MAX_COUNT:
        raise BadMove(f"count must be the total of series, {count}, and at most 31.")
    if count == MAX_COUNT:
        raise BadMove("A series ends at 31: then series must be empty and count 0.")
    scores, target = _parse_scores_and_target(question)
    objective, game_points = _parse_objective(question)
    return PlayQuestion(
        game=game,
        held=held,
        kept=kept,
        discarded=discarded,
        starter=starter,
        dealer=_parse_bool(question, "dealer"),
        series=series,
        played=played,
        gone=(gone[0], gone[1]),
        scores=scores,
        target=target,
        objective=objective,
        game_points=game_points,
    )


def _parse_game(question: Question) -> str:
    game = question.get("game", "six-card")
    if not isinstance(game, str) or game not in CARDS_DEALT:
        raise BadMove(f"The coach knows the games {' and '.join(CARDS_DEALT)}.")
    return game


def _parse_scores_and_target(question: Question) -> tuple[tuple[int, int], int]:
    target = question.get("target", DEFAULT_TARGETS[_parse_game(question)])
    if not isinstance(target, int) or target not in (61, 121):
        raise BadMove("target must be 121 or 61.")
    own, other = _parse_pair(question, "scores")
    for score in (own, other):
        if isinstance(score, bool) or not isinstance(score, int) or not 0 <= score < target:
            raise BadMove(
                f"scores must be two whole numbers from 0 to {target - 1}: the player's own, then the opponent's."
            )
    return (own, other), target


def _parse_objective(question: Question) -> tuple[str, GamePoints]:
    objective, game_points = question.get("for", WIN), question.get("game_points", next(iter(GAME_POINTS)))
    if objective not in OBJECTIVES:
        raise BadMove(f"for must be {', '.join(OBJECTIVES[:-1])} or {OBJECTIVES[-1]}.")
    if not isinstance(game_points, str) or game_points not in GAME_POINTS:
        raise BadMove(f"game_points must be {' or '.join(GAME_POINTS)}.")
    return objective, GAME_POINTS[game_points]


def _parse_bool(question: Question, name: str) -> bool:
    value = question.get(name)
    if not isinstance(value, bool):
        raise BadMove(f"{name} must be true or false.")
    return value


def _parse_pair(question: Question, name: str) -> tuple[Any, Any]:
    value = question.get(name)
    if not isinstance(value, list) or len(value) != 2:
        raise BadMove(f"{name} must be a list of two: the player's own, then the opponent's.")
    return value[0], value[1]


def _parse_cards_field(question: Question, name: str) -> tuple[Card, ...]:
    return _parse_cards(question.get(name), name)


def _parse_cards(value: object, name: str) -> tuple[Card, ...]:
    if not isinstance(value, list) or len(value) > 8:
        raise BadMove(f"{name} must be a list of cards, such as 5H.")
    return tuple(_parse_card(text, name) for text in value)


def _parse_card(value: object, name: str) -> Card:
    if not isinstance(value, str):
        raise BadMove(f"{name} must be given as cards, such as 5H.")
    return parse_card(value)


def _check_distinct(cards: tuple[Card, ...]) -> None:
    for card in cards:
        if cards.count(card) > 1:
            raise BadMove(f"The {card.name} appears twice.")
