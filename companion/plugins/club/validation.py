"""Replays the moves that a board reported by the rules, to check that they are possible. Pure."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.common.errors import BadMove, BoardError, CompanionError
from companion.protocol.json_codec import read_move, to_json_value
from companion.rules import all_games, begin_game
from companion.rules.engine import Game, History, Setup, advance
from companion.rules.moves import Undo

_SUMMARY_FIELDS = ("scores", "phase", "winner", "turn", "dealer", "count")
_FAULTS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError, RecursionError)
"""Errors that the game of an add-on may raise for invalid data."""


class ReplayedRun(NamedTuple):
    """A run, replayed up to its move `n`. `players` are the names of the seats."""

    game: Game[Any]
    past: History[Any]
    seats: int
    n: int = 0
    players: tuple[str, ...] = ()

    @property
    def summary(self) -> dict[str, Any]:
        """What the club page shows: scores, phase, winner, and whose turn it is."""
        view = to_json_value(self.game.view(self.past.state))
        return {key: view.get(key) for key in _SUMMARY_FIELDS}


class FinishedGame(NamedTuple):
    """The result of a game. The fields are keys of the API."""

    winner: int
    scores: list[int]
    skunk: str | None
    game_points: int | None


def start_run(reported: Mapping[str, Any]) -> ReplayedRun:
    """Return a run before its first move, from the `game` of a board's `state`. Raises CompanionError."""
    key, seats, dealer, options = (reported.get(field) for field in ("key", "seats", "dealer", "options"))
    game = _find_game(str(key))
    if dealer is None and not game.rolls_for_deal:
        dealer = 0
    setup = Setup(seats or game.seats[0], dealer, dict(options or {}), spaces=reported.get("spaces") or {})
    try:
        return ReplayedRun(game, begin_game(game, setup), setup.seats)
    except BoardError as error:
        raise BadMove("The board's own spaces cannot be used: {why}", why=str(error)) from None
    except CompanionError:
        raise
    except _FAULTS as error:
        raise BadMove("This is not a valid game.") from error


def _find_game(key: str) -> Game[Any]:
    game = next((candidate for candidate in all_games() if candidate.key == key), None)
    if game is None:
        raise BadMove(
            "The archive has no game {key}. If the game comes from an add-on, put the add-on beside the archive's "
            "companion.toml and restart.",
            key=key[:40],
        )
    return game


def replay_move(run: ReplayedRun, reported: Mapping[str, Any]) -> ReplayedRun:
    """Return the run after one more move. Raises CompanionError if the move is impossible or its scores differ."""
    try:
        move = read_move(reported["move"], run.seats)
        past, step = advance(run.game, run.past, move)
    except CompanionError:
        raise
    except _FAULTS as error:
        raise BadMove("This is not a valid move.") from error
    if list(past.state.scores) != reported["scores"]:
        raise BadMove("The scores differ from those by the rules.")
    if ([] if isinstance(move, Undo) else to_json_value(step.awards)) != reported["awards"]:
        raise BadMove("The awards differ from those by the rules.")
    return run._replace(past=past, n=run.n + 1)


def find_result(run: ReplayedRun) -> FinishedGame | None:
    state = run.past.state
    if state.winner is None:
        return None
    view = run.game.view(state)
    points = view.get("game_points")
    return FinishedGame(
        state.winner, list(state.scores), view.get("skunk"), points if isinstance(points, int) else None
    )
