"""The archive of moves that boards report: validates them, refuses contradictions, saves each move once.

A move is identified by club, board, run and number. `handle_message` collects messages; `commit` saves them durably and
returns the boards for which `upto`, the number of moves in the archive, must be published. Knows no network.
"""

import json
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from companion.club import validation
from companion.club.database import Database, DatabaseError, StatementRunner
from companion.club.validation import ReplayedRun
from companion.common.errors import CompanionError
from companion.i18n import gettext_noop
from companion.protocol.json_codec import dump_json

MAX_CACHED_RUNS = 12_000
"""Number of replayed runs in memory, 30 to 60 kB each. Other runs are replayed from the database when needed."""
RECENT_MOVES_CACHED = 40
"""Number of newest moves of a run in memory, because boards repeat moves that are still on their way."""
MAX_REFUSALS_LISTED = 200
"""Number of refusals in an answer."""
MAX_MESSAGE_BYTES = 65536
"""Longer messages are ignored."""


class BoardId(NamedTuple):
    """A board of a club."""

    club: str
    board: str


class RunId(NamedTuple):
    """A game in the journal of a board."""

    club: str
    board: str
    run: str


class NewMove(NamedTuple):
    """A move to be saved. `has_end`: a game ended with it, or the end of one was changed or undone."""

    message: dict[str, Any]
    after: ReplayedRun
    has_end: bool
    before_winner: int | None


class CommitResult(NamedTuple):
    """The result of `commit`.

    `boards`: `upto` must be published for them. `gaps`: moves of these boards are missing; they send them again when
    they get `upto`. `finished_games`: results, or None if the end of the game was undone.
    """

    boards: set[BoardId]
    gaps: set[BoardId]
    finished_games: list[tuple[RunId, dict[str, Any] | None]]


class Archive:
    """For one thread; other threads read the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._runs: OrderedDict[RunId, ReplayedRun] = OrderedDict()
        self._newest_moves: dict[RunId, dict[int, str]] = {}
        self._move_counts: dict[BoardId, dict[str, int]] = {}
        self._reset_pending()

    def handle_message(self, topic: str, payload: bytes) -> None:
        """Collect a message of a board. Raises DatabaseError."""
        parts = topic.split("/")
        if len(payload) > MAX_MESSAGE_BYTES or len(parts) < 5:
            return
        board, what = BoardId(parts[2], parts[3]), parts[4]
        if what == "online":
            self._set_online(board, is_online=payload == b"1")
        elif what == "state":
            self._handle_state(board, _parse_object(payload))
        elif what == "move" and len(parts) == 7 and parts[6].isdecimal() and len(parts[6]) < 10:
            run, n = RunId(*board, parts[5][:64]), int(parts[6])
            try:
                self._handle_move(run, n, _parse_object(payload))
            except DatabaseError:
                raise
            except CompanionError as error:  # the saved moves do not follow the present rules
                self._refuse_move(run, n, str(error))

    def commit(self) -> CommitResult:
        """Save the collected messages. Raises DatabaseError; then none is saved and boards must send them again."""
        result = CommitResult(self._came_online | {BoardId(*run[:2]) for run, _ in self._new}, self._gaps, [])
        try:
            with self._database.transaction() as run_sql:
                _save_boards(run_sql, self._boards)
                _save_runs(run_sql, self._states)
                moves = [(*run, n, new.message["ms"], dump_json(new.message)) for (run, n), new in self._new.items()]
                run_sql.run_many("INSERT INTO move VALUES (?, ?, ?, ?, ?, ?)", moves)
                result.finished_games.extend(
                    (run, _save_result(run_sql, run, new)) for (run, _), new in self._new.items() if new.has_end
                )
                latest = {run: new.after for (run, _), new in self._new.items()}
                update = "UPDATE run SET moves = ?, shown = ? WHERE club = ? AND board = ? AND run = ?"
                run_sql.run_many(update, [(after.n, dump_json(after.summary), *run) for run, after in latest.items()])
                for key, why in self._refused.items():
                    run_sql("INSERT INTO refused VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", *key, why, now_ms())
            self._update_caches(latest, moves)
        except CompanionError:
            self._runs.clear()
            self._newest_moves.clear()
            self._move_counts.clear()
            raise
        finally:
            self._reset_pending()
        return result

    def _update_caches(self, latest: Mapping[RunId, ReplayedRun], moves: Iterable[tuple[Any, ...]]) -> None:
        """Add what was just saved to the caches."""
        for run in self._states:
            if (counts := self._move_counts.get(BoardId(*run[:2]))) is not None:
                counts.setdefault(run.run, 0)
        for run, after in latest.items():
            if (counts := self._move_counts.get(BoardId(*run[:2]))) is not None:
                counts[run.run] = after.n
        for club, board, name, n, _, body in moves:
            newest = self._newest_moves.setdefault(RunId(club, board, name), {})
            newest[n] = body
            newest.pop(n - RECENT_MOVES_CACHED, None)

    def upto_message(self, board: BoardId) -> str:
        """Return the `upto` message of a board: the number of moves of each run. Raises DatabaseError."""
        if board not in self._move_counts:
            rows = self._database.query("SELECT run, moves FROM run WHERE club = ? AND board = ?", *board)
            self._move_counts[board] = dict(rows)
        return dump_json(self._move_counts[board])

    def list_boards(self) -> list[BoardId]:
        """Return all known boards. Raises DatabaseError."""
        return [BoardId(*row) for row in self._database.query("SELECT club, board FROM board")]

    def _reset_pending(self) -> None:
        self._new: dict[tuple[RunId, int], NewMove] = {}
        self._boards: dict[BoardId, dict[str, Any]] = {}
        self._states: dict[RunId, dict[str, Any]] = {}
        self._refused: dict[tuple[str, str, str, int], str] = {}
        self._came_online: set[BoardId] = set()
        self._gaps: set[BoardId] = set()

    def _set_online(self, board: BoardId, *, is_online: bool) -> None:
        self._boards.setdefault(board, {})["is_online"] = int(is_online)
        if is_online:
            self._came_online.add(board)

    def _handle_state(self, board: BoardId, state: dict[str, Any] | None) -> None:
        if state is None or not isinstance(state.get("run"), str) or type(state.get("moves")) is not int:
            return
        run = RunId(*board, state["run"][:64])
        try:
            first = validation.start_run(state.get("game"))
        except CompanionError as error:
            self._refuse_move(run, 0, str(error))
            return
        self._boards.setdefault(board, {})["run"] = run.run
        self._states[run] = {**state, "shown": first.summary}
        if self._load_run(run) is None:
            self._cache_run(run, first)

    def _handle_move(self, run: RunId, n: int, message: dict[str, Any] | None) -> None:
        if message is None or not _is_valid_move(run, n, message):
            self._refuse_move(run, n, gettext_noop("The message is not a valid move."))
            return
        replayed = self._load_run(run)
        if n <= (replayed.n if replayed else 0):
            self._compare_move(run, n, message)
        elif replayed is None or n > replayed.n + 1:
            if not self._is_refused(run, replayed.n + 1 if replayed else 0):
                self._gaps.add(BoardId(*run[:2]))
        else:
            self._append_move(run, replayed, message)

    def _append_move(self, run: RunId, before: ReplayedRun, message: dict[str, Any]) -> None:
        try:
            after = validation.replay_move(before, message)
        except CompanionError as error:
            self._refuse_move(run, before.n + 1, str(error))
            return
        winner_before, winner = before.past.state.winner, after.past.state.winner
        has_end = winner is not None or (winner_before is not None and message["move"]["type"] == "undo")
        self._cache_run(run, after)
        self._new[run, after.n] = NewMove(message, after, has_end, winner_before)

    def _compare_move(self, run: RunId, n: int, message: dict[str, Any]) -> None:
        """Refuse a move that differs from the one with the same number."""
        new = self._new.get((run, n))
        known = new.message if new else json.loads(self._newest_moves.get(run, {}).get(n) or self._load_move(run, n))
        if known != message:
            self._refuse_move(run, n, gettext_noop("A different move with this number is already in the archive."))

    def _load_move(self, run: RunId, n: int) -> str:
        query = "SELECT body FROM move WHERE club = ? AND board = ? AND run = ? AND n = ?"
        ((body,),) = self._database.query(query, *run, n)
        return str(body)

    def _refuse_move(self, run: RunId, n: int, why: str) -> None:
        self._refused[*run, n] = why[:400]

    def _is_refused(self, run: RunId, n: int) -> bool:
        if (*run, n) in self._refused:
            return True
        query = "SELECT 1 FROM refused WHERE club = ? AND board = ? AND run = ? AND n = ?"
        return bool(self._database.query(query, *run, n))

    def _load_run(self, run: RunId) -> ReplayedRun | None:
        """Return the run as far as it is known; None if its game was not reported."""
        if run in self._runs:
            self._runs.move_to_end(run)
            return self._runs[run]
        rows = self._database.query("SELECT game FROM run WHERE club = ? AND board = ? AND run = ?", *run)
        if not rows:
            return None
        replayed = validation.start_run(json.loads(rows[0][0]))
        bodies = self._database.query("SELECT body FROM move WHERE club = ? AND board = ? AND run = ? ORDER BY n", *run)
        for (body,) in bodies:
            replayed = validation.replay_move(replayed, json.loads(body))
        self._cache_run(run, replayed)
        return replayed

    def _cache_run(self, run: RunId, replayed: ReplayedRun) -> None:
        self._runs[run] = replayed
        self._runs.move_to_end(run)
        if len(self._runs) > MAX_CACHED_RUNS and not self._new:
            oldest, _ = self._runs.popitem(last=False)
            self._newest_moves.pop(oldest, None)


def _save_boards(run_sql: StatementRunner, boards: Mapping[BoardId, Mapping[str, Any]]) -> None:
    """Save which boards are online and the present run of each."""
    run_sql.run_many("INSERT INTO board VALUES (?, ?, 0, '') ON CONFLICT DO NOTHING", list(boards))
    for name in ("is_online", "run"):
        rows = [(each[name], *board) for board, each in boards.items() if name in each]
        run_sql.run_many(f"UPDATE board SET {name} = ? WHERE club = ? AND board = ?", rows)


def _save_runs(run_sql: StatementRunner, states: Mapping[RunId, Mapping[str, Any]]) -> None:
    """Save what boards reported about runs: the game, the players and the number of moves."""
    players = {
        run: dump_json(each["players"] if isinstance(each.get("players"), list) else []) for run, each in states.items()
    }
    rows = [
        (*run, dump_json(each.get("game")), players[run], each["moves"], dump_json(each["shown"]))
        for run, each in states.items()
    ]
    run_sql.run_many("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING", rows)
    update = "UPDATE run SET players = ? WHERE club = ? AND board = ? AND run = ?"
    run_sql.run_many(update, [(names, *run) for run, names in players.items()])
    update = "UPDATE run SET told = ? WHERE club = ? AND board = ? AND run = ? AND told < ?"
    run_sql.run_many(update, [(each["moves"], *run, each["moves"]) for run, each in states.items()])
    # an unknown game may have been added to the archive since
    run_sql.run_many("DELETE FROM refused WHERE club = ? AND board = ? AND run = ? AND n = 0", list(states))


def _save_result(run_sql: StatementRunner, run: RunId, new: NewMove) -> dict[str, Any] | None:
    """Save the result of a game and return it, or delete it after an undo and return None.

    A run has several games, one after the other. Only the result of the last one can change.
    """
    known = run_sql(
        "SELECT id, n, result FROM won WHERE club = ? AND board = ? AND run = ? ORDER BY n DESC LIMIT 1", *run
    )
    finished, is_undo = validation.find_result(new.after), new.message["move"]["type"] == "undo"
    if finished is None:
        run_sql("DELETE FROM won WHERE id = ?", known[0][0])
        return None
    ((players,),) = run_sql("SELECT players FROM run WHERE club = ? AND board = ? AND run = ?", *run)
    names = [each.get("name", "") for each in json.loads(players) if isinstance(each, dict)]
    result = {"players": names, **finished._asdict()}
    if known and (is_undo or new.before_winner is not None):
        run_sql("UPDATE won SET result = ? WHERE id = ?", dump_json(result), known[0][0])
    else:
        ((number,),) = run_sql("SELECT coalesce(max(id), 0) + 1 FROM won")
        row = (number, *run, new.after.n, new.message["ms"], dump_json(result))
        run_sql("INSERT INTO won VALUES (?, ?, ?, ?, ?, ?, ?)", *row)
    return result


def _is_valid_move(run: RunId, n: int, message: dict[str, Any]) -> bool:
    """Return whether a message has all fields of a move and the run and number of its topic."""
    kinds = {"n": int, "ms": int, "by": str, "move": dict, "awards": list, "scores": list, "hash": str, "run": str}
    is_complete = all(type(message.get(name)) is kind for name, kind in kinds.items())
    return is_complete and (message["run"], message["n"]) == (run.run, n)


def _parse_object(payload: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def now_ms() -> int:
    """Return the Unix time in ms."""
    return time.time_ns() // 1_000_000
