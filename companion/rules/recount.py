"""A card that was read wrong: the deal is counted again from its start, as if the right card had been seen. Pure.

All that was done since then is done once more, claims, calls and dice too, and judged anew. Where one of these moves
could not have been made, nothing changes, and it is named (docs/reference/moves.md#a-card-read-wrong).
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

from companion.common.errors import IllegalMove
from companion.i18n import capital, say
from companion.rules import narration
from companion.rules.cards import Card
from companion.rules.claims import Call
from companion.rules.engine import Award, Game, History, Step, apply, seat_names
from companion.rules.moves import Correct, Misdeal, Move, Muggins, Next, Starter


def of_deal(game: Game[Any], past: History[Any], move: Correct) -> Step[Any]:
    """A deal that begins with the cut of its starter. Raises IllegalMove."""
    return _recounted(game, past, move, (Starter,), past.state.terms.names)


def of_layout(game: Game[Any], past: History[Any], move: Correct) -> Step[Any]:
    """A layout, from its first card on. Raises IllegalMove."""
    return _recounted(game, past, move, (), seat_names(1, 1))


def _recounted(
    game: Game[Any], past: History[Any], move: Correct, begins: tuple[type[Move], ...], names: Sequence[str]
) -> Step[Any]:
    start, moves = _deal(past, begins)
    _check(moves, move)
    _, notes = _folded(game, start.state, moves, names)
    state, again = _folded(game, start.state, [_corrected(each, move) for each in moves], names)
    differs = enumerate(now - before for before, now in zip(past.state.scores, state.scores, strict=True))
    awards = tuple(Award(side, points, "correct", (move.to,)) for side, points in differs if points)
    return Step(state, awards, {name: told for name, told in again.items() if told != notes.get(name)})


def _deal(past: History[Any], begins: tuple[type[Move], ...]) -> tuple[History[Any], list[Move]]:
    """The history before the present deal, and its moves as they stand after earlier corrections."""
    made: list[Move] = []
    while past.move is not None and past.before is not None and not isinstance(past.move, Next | Misdeal):
        made.append(past.move)
        past = past.before
        if isinstance(made[-1], begins):
            break
    moves: list[Move] = []
    for move in reversed(made):
        moves = [_corrected(each, move) for each in moves] if isinstance(move, Correct) else [*moves, move]
    return past, moves


def _check(moves: Sequence[Move], move: Correct) -> None:
    seen = {card for each in moves for card in _cards(each)}
    if move.card not in seen:
        raise IllegalMove(
            "The {name} has not been seen in this deal: there is nothing to correct.", name=move.card.name
        )
    if move.to in seen:
        raise IllegalMove("The {name} has already been seen in this deal.", name=move.to.name)


def _cards(move: Any) -> Iterator[Card]:
    for field in fields(move):
        value = getattr(move, field.name)
        yield from (each for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, Card))


def _corrected(move: Move, correct: Correct) -> Move:
    """The move with the right card in place of the wrong one."""

    def right(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(right, value))
        return correct.to if isinstance(value, Card) and value == correct.card else value

    told: Any = move
    return replace(told, **{field.name: right(getattr(told, field.name)) for field in fields(told)})  # type: ignore[no-any-return]


def _folded(game: Game[Any], state: Any, moves: Sequence[Move], names: Sequence[str]) -> tuple[Any, dict[str, Any]]:
    """The state after these moves, and all the notes of their answers; lists of one name are joined."""
    notes: dict[str, Any] = {}
    for move in moves:
        try:
            step = _again(game, state, move)
        except IllegalMove as error:
            what = narration.called(move, names)
            then = say("{what} would then not have been possible. {why}", what=what, why=str(error))
            raise IllegalMove(capital(then)) from error
        state = step.state
        for name, told in step.notes.items():
            notes[name] = (*notes.get(name, ()), *told)
    return state, notes


def _again(game: Game[Any], state: Any, move: Move) -> Step[Any]:
    """The move once more. A call of muggins stays, also where there was nothing to call: then it was wrong."""
    if isinstance(move, Muggins):
        state = _with_call(state)
    return apply(game, state, move)


def _with_call(state: Any) -> Any:
    """The state with a window for muggins, where none is open: on the latest card, which has earned nothing."""
    if hasattr(state, "hand"):
        return replace(state, hand=_with_call(state.hand))
    deal = state.deal
    if deal.claims.call is not None or deal.laid is None or deal.laid.last is None:
        return state
    return replace(state, deal=replace(deal, claims=replace(deal.claims, call=Call(deal.laid.last, (), None))))
