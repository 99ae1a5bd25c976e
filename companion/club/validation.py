"""Whether what a board tells can have been played: the same rules as at the table, on what it told before. Pure."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.common.errors import BadMove, BoardError, CompanionError
from companion.protocol.json_codec import read_move, to_json_value
from companion.rules import all_games, begin_game
from companion.rules.engine import Game, History, Setup, advance
from companion.rules.moves import Undo

LONG_GAME_POINTS = 121
SKUNK_LINES = ((61, "double skunk"), (91, "skunk"))
"""In a game to 121 who has fewer points than these is skunked."""


class ReplayedRun(NamedTuple):
    """A run, folded up to its move `n`."""

    game: Game[Any]
    past: History[Any]
    n: int = 0

    @property
    def summary(self) -> dict[str, Any]:
        """What a room sees of it: scores, phase, winner, and whose turn it is."""
        told = to_json_value(self.game.view(self.past.state))
        return {key: told.get(key) for key in ("scores", "phase", "winner", "turn", "dealer", "count")}


class FinishedGame(NamedTuple):
    """A game that is over."""

    winner: int
    scores: list[int]
    skunk: str | None
    game_points: int | None


def start_run(told: object) -> ReplayedRun:
    """A run before its first move, by the `game` of a board's `state`. Raises CompanionError for what is none."""
    given: Mapping[str, Any] = told if isinstance(told, dict) else {"key": told}
    key, seats, dealer, options = (given.get(each) for each in ("key", "seats", "dealer", "options"))
    own = given.get("spaces") or {}
    if not isinstance(key, str) or not isinstance(options or {}, dict) or not isinstance(own, dict):
        raise BadMove("That is no game.")
    game = _find_game(key)
    if type(dealer) is not int:
        dealer = None if game.rolls_for_deal else 0
    told_options = {k: str(v) for k, v in (options or {}).items()}
    setup = Setup(seats if type(seats) is int else game.seats[0], dealer, told_options, spaces=own)
    try:
        return ReplayedRun(game, begin_game(game, setup))
    except BoardError as error:
        raise BadMove("The board's own spaces cannot be played by: {why}", why=error) from None
    except CompanionError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:  # a pack's game may do so
        raise BadMove("That is no game.") from error


def _find_game(key: str) -> Game[Any]:
    """The game with this key. Raises BadMove, which says what is needed, where this archive has none."""
    found = next((each for each in all_games() if each.key == key), None)
    if found is None:
        raise BadMove("This archive has no game {key}: where it comes from a pack, put the same pack beside the "
                      "archive's companion.toml, and start the archive again.", key=key[:40])  # fmt: skip
    return found


def replay_move(run: ReplayedRun, told: Mapping[str, Any], seats: int | None = None) -> ReplayedRun:
    """The run after one more move, as a board told it. Raises CompanionError where it cannot have been."""
    try:
        move = read_move(told["move"], seats)
        past, step = advance(run.game, run.past, move)
    except CompanionError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise BadMove("That is no move.") from error
    if list(past.state.scores) != told["scores"]:
        raise BadMove("The rules come to other scores.")
    if not isinstance(move, Undo) and to_json_value(step.awards) != told["awards"]:
        raise BadMove("The rules come to other awards.")
    return ReplayedRun(run.game, past, run.n + 1)


def find_result(run: ReplayedRun) -> FinishedGame | None:
    """How a game ended that is over; None while it is not."""
    state = run.past.state
    if state.winner is None:
        return None
    told = run.game.view(state)
    skunk, points = told.get("skunk"), told.get("game_points")
    if (
        run.game.peg_role == "score" and len(state.scores) == 2 and max(state.scores) >= LONG_GAME_POINTS
    ):  # where pegs alone are known
        skunk = next((name for below, name in SKUNK_LINES if min(state.scores) < below), None)
    return FinishedGame(state.winner, list(state.scores), skunk, points if isinstance(points, int) else None)
