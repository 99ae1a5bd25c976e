"""The archive of moves that boards report: validates them, refuses contradictions, saves each move once.

A move is identified by club, board, run and number. `handle_message` collects messages; `commit` saves them durably,
with all that follows from them, and returns the boards for which `upto`, the number of moves in the archive, must be
published. Knows no network.
"""

import json
import logging
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from companion.common.errors import BadMove, CompanionError
from companion.i18n import dump_message, format_message
from companion.plugins.club import board_results, messages, validation
from companion.plugins.club.database import Database, DatabaseError, StatementRunner, now_ms
from companion.plugins.club.messages import BoardId, RunId, StateMessage
from companion.plugins.club.validation import ReplayedRun
from companion.protocol.json_codec import dump_json
from companion.rules.moves import Next, Undo

MAX_CACHED_RUNS = 12_000
"""Number of replayed runs in memory, 30 to 60 kB each. Other runs are replayed from the database when needed."""
MAX_CACHED_RUNS_OF_BOARD = 20
"""Number of replayed runs of one board in memory. A board plays one, and sends others again one after the other."""
RECENT_MOVES_CACHED = 40
"""Number of newest moves of a run in memory, because boards repeat moves that are still on their way."""
MAX_REFUSALS_LISTED = 200
"""Number of refusals in an answer."""
MAX_REFUSALS_KEPT = 500
"""Number of refusals kept of a board; the oldest are deleted."""
MAX_REASON_LENGTH = 1000
"""Maximum length of a saved reason. A longer one is cut, and not translated."""

_LOG = logging.getLogger(__name__)


class NewMove(NamedTuple):
    """A move to be saved. `has_end`: a game ended with it, or the end of one was changed or taken back.

    `had_result`: the result of this game was saved before.
    """

    message: dict[str, Any]
    after: ReplayedRun
    has_end: bool
    had_result: bool


class CommitResult(NamedTuple):
    """The result of `commit`.

    `boards`: `upto` must be published for them. `gaps`: moves of these boards are missing; they send them again when
    they get `upto`.
    """

    boards: set[BoardId]
    gaps: set[BoardId]


class Archive:
    """For one thread; other threads read the database."""

    def __init__(self, database: Database) -> None:
        """Enter the results that an earlier archive saved and did not enter. Raises DatabaseError."""
        self._database = database
        self._runs: OrderedDict[RunId, ReplayedRun] = OrderedDict()
        self._has_new_runs = False
        self._newest_moves: dict[RunId, dict[int, str]] = {}
        self._move_counts: dict[BoardId, dict[str, int]] = {}
        self._reset_pending()
        with database.transaction() as run_sql:
            board_results.enter_missing_results(run_sql)

    def handle_message(self, topic: str, payload: bytes, *, is_retained: bool = False) -> None:
        """Collect a message of a board; a message that cannot be used is refused. Raises DatabaseError.

        :param is_retained: the broker had stored the message, so the board did not connect just now.
        """
        parts = topic.split("/")
        if len(parts) < 5 or parts[4] == "upto":
            return
        board, n = BoardId(*parts[2:4]), 0
        run = RunId(*board, messages.read_run_id(payload) if parts[4] == "state" else "")
        if parts[4] == "move" and len(parts) == 7 and messages.is_valid_name(parts[5]) and _is_move_number(parts[6]):
            run, n = RunId(*board, parts[5]), int(parts[6])
        try:
            if parts[4:] == ["online"]:
                self._set_online(messages.check_board(board), payload, is_retained=is_retained)
            elif parts[4:] == ["state"]:
                self._handle_state(messages.read_state_message(messages.check_board(board), payload))
            else:
                messages.check_board(board)
                self._handle_move(run, n, messages.read_move_message(run, n, payload))
        except DatabaseError:
            raise
        except CompanionError as error:
            self._refuse_move(run, n, str(error))
        except Exception:  # a bug must not stop the other boards
            _LOG.exception("A message of the board %s failed.", run.board)
            self._refuse_move(run, n, format_message("The archive cannot use this message. Its log says why."))

    def commit(self) -> CommitResult:
        """Save the collected messages. Raises DatabaseError; then none is saved and boards must send them again."""
        result = CommitResult(self._came_online | {BoardId(*run[:2]) for run, _ in self._new}, self._gaps)
        try:
            with self._database.transaction() as run_sql:
                _save_boards(run_sql, self._boards)
                _save_runs(run_sql, self._states)
                moves = [(*run, n, new.message["ms"], dump_json(new.message)) for (run, n), new in self._new.items()]
                run_sql.run_many("INSERT INTO move VALUES (?, ?, ?, ?, ?, ?)", moves)
                for (run, n), new in self._new.items():
                    if new.has_end and (why := _save_result(run_sql, run, new)):
                        self._refuse_move(run, n, why)
                latest = {run: new.after for (run, _), new in self._new.items()}
                update = "UPDATE run SET moves = ?, shown = ? WHERE club = ? AND board = ? AND run = ?"
                run_sql.run_many(update, [(after.n, dump_json(after.summary), *run) for run, after in latest.items()])
                _save_refusals(run_sql, self._refused)
            self._update_caches(latest, moves)
            if self._has_new_runs:
                self._evict_runs()
        except CompanionError:
            self._runs.clear()
            self._newest_moves.clear()
            self._move_counts.clear()
            raise
        finally:
            self._reset_pending()
        return result

    def _update_caches(self, latest: Mapping[RunId, ReplayedRun], moves: Iterable[tuple[Any, ...]]) -> None:
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
        return [BoardId(*row) for row in self._database.query("SELECT club, board FROM board")]

    def _reset_pending(self) -> None:
        self._new: dict[tuple[RunId, int], NewMove] = {}
        self._boards: dict[BoardId, dict[str, Any]] = {}
        self._states: dict[RunId, StateMessage] = {}
        self._refused: dict[tuple[str, str, str, int], str] = {}
        self._came_online: set[BoardId] = set()
        self._gaps: set[BoardId] = set()

    def _set_online(self, board: BoardId, payload: bytes, *, is_retained: bool) -> None:
        if payload not in (b"0", b"1"):
            raise BadMove("The message is neither 0 nor 1.")
        self._boards.setdefault(board, {})["is_online"] = int(payload)
        if payload == b"1" and not (is_retained and board in self._move_counts):
            self._came_online.add(board)

    def _handle_state(self, state: StateMessage) -> None:
        run = state.run
        names = tuple(player["name"] for player in state.players)
        self._cache_run(run, (self._load_run(run) or state.first)._replace(players=names))
        self._boards.setdefault(BoardId(*run[:2]), {})["run"] = run.run
        self._states[run] = state

    def _handle_move(self, run: RunId, n: int, message: dict[str, Any]) -> None:
        replayed = self._load_run(run)
        if n <= (replayed.n if replayed else 0):
            self._compare_move(run, n, message)
        elif replayed is None or n > replayed.n + 1:
            if not self._is_refused(run, replayed.n + 1 if replayed else 0):
                self._gaps.add(BoardId(*run[:2]))
        else:
            self._append_move(run, replayed, message)

    def _append_move(self, run: RunId, before: ReplayedRun, message: dict[str, Any]) -> None:
        after = validation.replay_move(before, message)
        move, was_over = message["move"]["type"], before.past.state.winner is not None
        is_next_undone = move == Undo.kind and isinstance(before.past.move, Next)
        has_end = after.past.state.winner is not None or (was_over and move != Next.kind)
        self._cache_run(run, after)
        self._new[run, after.n] = NewMove(message, after, has_end, was_over or is_next_undone)

    def _compare_move(self, run: RunId, n: int, message: dict[str, Any]) -> None:
        """Refuse a move that differs from the one with the same number."""
        new = self._new.get((run, n))
        stored = new.message if new else json.loads(self._newest_moves.get(run, {}).get(n) or self._load_move(run, n))
        if stored != message:
            self._refuse_move(run, n, format_message("A different move with this number is already in the archive."))

    def _load_move(self, run: RunId, n: int) -> str:
        query = "SELECT body FROM move WHERE club = ? AND board = ? AND run = ? AND n = ?"
        ((body,),) = self._database.query(query, *run, n)
        return str(body)

    def _refuse_move(self, run: RunId, n: int, why: str) -> None:
        club, board, name = run
        if not all(map(messages.is_valid_name, run[:2])):
            club, board = map(messages.replace_invalid_characters, run[:2])
        text = dump_json(dump_message(why))
        self._refused[club, board, name, n] = text if len(text) <= MAX_REASON_LENGTH else dump_json(why[:400])

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
        query = "SELECT game, players FROM run WHERE club = ? AND board = ? AND run = ?"
        rows = [[json.loads(cell) for cell in row] for row in self._database.query(query, *run)]
        if not rows:
            return None
        game, players = rows[0]
        first = validation.start_run(game if isinstance(game, dict) else {"key": game})
        replayed = first._replace(players=tuple(str(player["name"]) for player in players))
        bodies = self._database.query("SELECT body FROM move WHERE club = ? AND board = ? AND run = ? ORDER BY n", *run)
        for (body,) in bodies:
            replayed = validation.replay_move(replayed, json.loads(body))
        self._cache_run(run, replayed)
        return replayed

    def _cache_run(self, run: RunId, replayed: ReplayedRun) -> None:
        self._has_new_runs |= run not in self._runs
        self._runs[run] = replayed
        self._runs.move_to_end(run)

    def _evict_runs(self) -> None:
        """Forget the runs that were used longest ago. Their moves must have been saved."""
        counts: Counter[tuple[str, ...]] = Counter()
        for at, run in enumerate(reversed(list(self._runs)), 1):
            counts[run[:2]] += 1
            if at > MAX_CACHED_RUNS or counts[run[:2]] > MAX_CACHED_RUNS_OF_BOARD:
                del self._runs[run]
                self._newest_moves.pop(run, None)
        self._has_new_runs = False


def _save_boards(run_sql: StatementRunner, boards: Mapping[BoardId, Mapping[str, Any]]) -> None:
    run_sql.run_many("INSERT INTO board VALUES (?, ?, 0, '') ON CONFLICT DO NOTHING", list(boards))
    for name in ("is_online", "run"):
        rows = [(changes[name], *board) for board, changes in boards.items() if name in changes]
        run_sql.run_many(f"UPDATE board SET {name} = ? WHERE club = ? AND board = ?", rows)


def _save_runs(run_sql: StatementRunner, states: Mapping[RunId, StateMessage]) -> None:
    """Save what boards reported about runs: the game, the players and the number of moves."""
    players = {run: dump_json(state.players) for run, state in states.items()}
    rows = [
        (*run, dump_json(state.game), players[run], state.moves, dump_json(state.first.summary))
        for run, state in states.items()
    ]
    run_sql.run_many("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING", rows)
    update = "UPDATE run SET players = ? WHERE club = ? AND board = ? AND run = ?"
    run_sql.run_many(update, [(names, *run) for run, names in players.items()])
    update = "UPDATE run SET told = ? WHERE club = ? AND board = ? AND run = ? AND told < ?"
    run_sql.run_many(update, [(state.moves, *run, state.moves) for run, state in states.items()])
    # an unknown game may have been added to the archive since
    run_sql.run_many("DELETE FROM refused WHERE club = ? AND board = ? AND run = ? AND n = 0", list(states))


def _save_refusals(run_sql: StatementRunner, refused: Mapping[tuple[str, str, str, int], str]) -> None:
    rows = [(*key, why, now_ms()) for key, why in refused.items()]
    run_sql.run_many("INSERT INTO refused VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", rows)
    oldest = "SELECT ms FROM refused WHERE club = ? AND board = ? ORDER BY ms DESC LIMIT 1 OFFSET ?"
    for board in {key[:2] for key in refused}:
        for (ms,) in run_sql(oldest, *board, MAX_REFUSALS_KEPT):
            run_sql("DELETE FROM refused WHERE club = ? AND board = ? AND ms <= ?", *board, ms)


def _save_result(run_sql: StatementRunner, run: RunId, new: NewMove) -> str:
    """Save the result of a game and enter it for its pairing, or delete it if its end is taken back.

    A run has several games, one after the other. Only the result of the last one can change. Returns why a changed
    result was not entered, else "".
    """
    newest = run_sql("SELECT id, n FROM won WHERE club = ? AND board = ? AND run = ? ORDER BY n DESC LIMIT 1", *run)
    saved = newest if new.had_result else []
    finished = validation.find_result(new.after)
    if finished is None:
        if not saved:
            return ""
        run_sql("DELETE FROM won WHERE id = ?", saved[0][0])
        return board_results.enter_result(run_sql, run, saved[0][1], None)
    result = {"players": list(new.after.players), **finished._asdict()}
    if saved:
        number, n = saved[0]
        run_sql("UPDATE won SET result = ? WHERE id = ?", dump_json(result), number)
    else:
        n = new.after.n
        row = (run_sql.next_id("won"), *run, n, new.message["ms"], dump_json(result))
        run_sql("INSERT INTO won VALUES (?, ?, ?, ?, ?, ?, ?)", *row)
    return board_results.enter_result(run_sql, run, n, result)


def _is_move_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and 1 <= len(text) < 10 and int(text) >= 1
