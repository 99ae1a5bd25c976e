"""Recount a deal after a misread card was corrected, as if the right card had been read. Pure.

All moves of the deal are made once more and judged again, claims, calls and dice included. If one of them would not
have been possible, nothing changes and the error names it (docs/reference/moves.md#a-card-read-wrong).
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

from companion.common.errors import IllegalMove
from companion.i18n import capitalize_message, format_message
from companion.rules import narration
from companion.rules.cards import Card
from companion.rules.claims import MugginsWindow
from companion.rules.engine import Award, Game, History, Step, advance, seat_names
from companion.rules.moves import Correct, Infringement, Misdeal, Move, Muggins, Next, Rule, Starter


def recount_deal(game: Game[Any], past: History[Any], move: Correct) -> Step[Any]:
    """Recount a deal, which begins with the cut of its starter. Raises IllegalMove."""
    return _recount(game, past, move, (Starter,), past.state.terms.seat_names)


def recount_layout(game: Game[Any], past: History[Any], move: Correct) -> Step[Any]:
    """Recount a layout from its first card on. Raises IllegalMove."""
    return _recount(game, past, move, (), seat_names(1, 1))


def _recount(
    game: Game[Any], past: History[Any], move: Correct, begins: tuple[type[Move], ...], names: Sequence[str]
) -> Step[Any]:
    start, moves = _find_deal(past, begins)
    _check_correction(moves, move)
    _, notes = _replay_moves(game, start, moves, names)
    state, again = _replay_moves(game, start, [_correct_move(made, move) for made in moves], names)
    differs = enumerate(now - before for before, now in zip(past.state.scores, state.scores, strict=True))
    awards = tuple(Award(side, points, "correct", (move.to,)) for side, points in differs if points)
    return Step(state, awards, {name: value for name, value in again.items() if value != notes.get(name)})


def _find_deal(past: History[Any], begins: tuple[type[Move], ...]) -> tuple[History[Any], list[Move]]:
    """Return the history before the present deal, and its moves with earlier corrections applied."""
    made: list[Move] = []
    while past.move is not None and past.parent is not None and not isinstance(past.move, Next | Misdeal):
        made.append(past.move)
        past = past.parent
        if isinstance(made[-1], begins):
            break
    moves: list[Move] = []
    for move in reversed(made):
        moves = [_correct_move(earlier, move) for earlier in moves] if isinstance(move, Correct) else [*moves, move]
    return past, moves


def _check_correction(moves: Sequence[Move], move: Correct) -> None:
    seen = {card for made in moves for card in _cards_in_move(made)}
    if move.card not in seen:
        raise IllegalMove(
            "The {name} has not been seen in this deal, so there is nothing to correct.", name=move.card.name
        )
    if move.to in seen:
        raise IllegalMove("The {name} has already been seen in this deal.", name=move.to.name)


def _cards_in_move(move: Any) -> Iterator[Card]:
    for field in fields(move):
        value = getattr(move, field.name)
        yield from (card for card in (value if isinstance(value, tuple) else (value,)) if isinstance(card, Card))


def _correct_move(move: Move, correct: Correct) -> Move:
    def substitute(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(substitute, value))
        return correct.to if isinstance(value, Card) and value == correct.card else value

    fixed: Any = move
    return replace(fixed, **{field.name: substitute(getattr(fixed, field.name)) for field in fields(fixed)})  # type: ignore[no-any-return]


def _replay_moves(
    game: Game[Any], past: History[Any], moves: Sequence[Move], names: Sequence[str]
) -> tuple[Any, dict[str, Any]]:
    """Return the state after these moves and the notes of their answers; lists with the same name are joined."""
    notes: dict[str, Any] = {}
    for move in moves:
        judged = History(past.state, past, move) if isinstance(move, Infringement) else past
        if isinstance(move, Rule | Infringement) and game.judge(game, judged, getattr(move, "seen", "")) is None:
            continue  # what was ruled on was the misread card
        try:
            past, step = _reapply_move(game, past, move)
        except IllegalMove as error:
            what = narration.name_move(move, names)
            then = format_message("{what} would then not have been possible. {why}", what=what, why=str(error))
            raise IllegalMove(capitalize_message(then)) from error
        for name, values in step.notes.items():
            notes[name] = (*notes.get(name, ()), *values)
    return past.state, notes


def _reapply_move(game: Game[Any], past: History[Any], move: Move) -> tuple[History[Any], Step[Any]]:
    """Make the move once more. A call of muggins is kept even if nothing could be called now: then it was wrong."""
    if isinstance(move, Muggins):
        past = past._replace(state=_open_muggins_window(past.state))
    return advance(game, past, move)


def _open_muggins_window(state: Any) -> Any:
    """Return the state with a muggins window: if none is open, one on the latest card, with no points."""
    if hasattr(state, "hand"):
        return replace(state, hand=_open_muggins_window(state.hand))
    deal = state.deal
    if deal.claims.window is not None or deal.play is None or deal.play.last_seat is None:
        return state
    return replace(
        state, deal=replace(deal, claims=replace(deal.claims, window=MugginsWindow(deal.play.last_seat, (), None)))
    )
