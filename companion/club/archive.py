"""The archive: takes what boards tell, move by move, each once; refuses what differs or cannot have been played.

Its key is (club, board, run, n). What was taken is durable before `upto` tells it. Knows no network: `heard` takes a
message, `keep` commits what has come and says whose `upto` is to be told.
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
"""So many runs stay folded, of 30 to 60 kB each; another is folded anew from the store, which costs all its moves."""
RECENT_MOVES_CACHED = 40
"""Of a run's newest moves so many are at hand, for boards tell again what is on its way."""
MAX_REFUSALS_LISTED = 200
"""So many refusals are told, the newest."""
MAX_MESSAGE_BYTES = 65536
"""No message longer than this is looked at, in bytes."""


class BoardId(NamedTuple):
    """A board of a club."""

    club: str
    board: str


class RunId(NamedTuple):
    """A game of a board's journal."""

    club: str
    board: str
    run: str


class NewMove(NamedTuple):
    """A move that is to be kept. `has_end`: a game ended with it, or one that had ended is changed or goes on."""

    message: dict[str, Any]
    after: ReplayedRun
    has_end: bool
    before_winner: int | None


class CommitResult(NamedTuple):
    """What `keep` has done: boards whose `upto` is to be told, and games that ended or were taken back (None).

    Of `gaps` something did not come: to be told what is there, they tell the rest again.
    """

    boards: set[BoardId]
    gaps: set[BoardId]
    finished_games: list[tuple[RunId, dict[str, Any] | None]]


class Archive:
    """For one thread; others read the store."""

    def __init__(self, store: Database) -> None:
        self._store = store
        self._folded: OrderedDict[RunId, ReplayedRun] = OrderedDict()
        self._newest: dict[RunId, dict[int, str]] = {}
        self._has: dict[BoardId, dict[str, int]] = {}
        self._reset_pending()

    def handle_message(self, topic: str, payload: bytes) -> None:
        """A message of a board. Raises StoreError."""
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
            except CompanionError as error:  # what was kept under other rules
                self._refuse_move(run, n, str(error))

    def commit(self) -> CommitResult:
        """Commit what has come. Raises StoreError: then nothing of it was taken, and boards are to tell it again."""
        made = CommitResult(self._here | {BoardId(*run[:2]) for run, _ in self._new}, self._gaps, [])
        try:
            with self._store.transaction() as ask:
                _save_boards(ask, self._told)
                _save_runs(ask, self._states)
                told = [(*run, n, new.message["ms"], dump_json(new.message)) for (run, n), new in self._new.items()]
                ask.run_many("INSERT INTO move VALUES (?, ?, ?, ?, ?, ?)", told)
                made.finished_games.extend(
                    (run, _save_result(ask, run, new)) for (run, _), new in self._new.items() if new.has_end
                )
                latest = {run: new.after for (run, _), new in self._new.items()}
                asked = "UPDATE run SET moves = ?, shown = ? WHERE club = ? AND board = ? AND run = ?"
                ask.run_many(asked, [(after.n, dump_json(after.summary), *run) for run, after in latest.items()])
                for key, why in self._refused.items():
                    ask("INSERT INTO refused VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", *key, why, now_ms())
            self._update_caches(latest, told)
        except CompanionError:
            self._folded.clear()
            self._newest.clear()
            self._has.clear()
            raise
        finally:
            self._reset_pending()
        return made

    def _update_caches(self, latest: Mapping[RunId, ReplayedRun], told: Iterable[tuple[Any, ...]]) -> None:
        """What was just kept, for what is asked of it next."""
        for run in self._states:
            if (has := self._has.get(BoardId(*run[:2]))) is not None:
                has.setdefault(run.run, 0)
        for run, after in latest.items():
            if (has := self._has.get(BoardId(*run[:2]))) is not None:
                has[run.run] = after.n
        for club, board, name, n, _, body in told:
            newest = self._newest.setdefault(RunId(club, board, name), {})
            newest[n] = body
            newest.pop(n - RECENT_MOVES_CACHED, None)

    def upto_message(self, board: BoardId) -> str:
        """What the archive has of a board, as it is told. Raises StoreError."""
        if board not in self._has:
            rows = self._store.query("SELECT run, moves FROM run WHERE club = ? AND board = ?", *board)
            self._has[board] = dict(rows)
        return dump_json(self._has[board])

    def list_boards(self) -> list[BoardId]:
        """Every board it knows of. Raises StoreError."""
        return [BoardId(*row) for row in self._store.query("SELECT club, board FROM board")]

    def _reset_pending(self) -> None:
        self._new: dict[tuple[RunId, int], NewMove] = {}
        self._told: dict[BoardId, dict[str, Any]] = {}
        self._states: dict[RunId, dict[str, Any]] = {}
        self._refused: dict[tuple[str, str, str, int], str] = {}
        self._here: set[BoardId] = set()
        self._gaps: set[BoardId] = set()

    def _set_online(self, board: BoardId, *, is_online: bool) -> None:
        self._told.setdefault(board, {})["is_online"] = int(is_online)
        if is_online:
            self._here.add(board)

    def _handle_state(self, board: BoardId, state: dict[str, Any] | None) -> None:
        if state is None or not isinstance(state.get("run"), str) or type(state.get("moves")) is not int:
            return
        run = RunId(*board, state["run"][:64])
        try:
            first = validation.start_run(state.get("game"))
        except CompanionError as error:
            self._refuse_move(run, 0, str(error))
            return
        self._told.setdefault(board, {})["run"] = run.run
        self._states[run] = {**state, "shown": first.summary}
        if self._load_run(run) is None:
            self._cache_run(run, first)

    def _handle_move(self, run: RunId, n: int, told: dict[str, Any] | None) -> None:
        if told is None or not _is_valid_move(run, n, told):
            self._refuse_move(run, n, gettext_noop("It is no move as a board tells it."))
            return
        folded = self._load_run(run)
        if n <= (folded.n if folded else 0):
            self._compare_move(run, n, told)
        elif folded is None or n > folded.n + 1:
            if not self._is_refused(run, folded.n + 1 if folded else 0):
                self._gaps.add(BoardId(*run[:2]))
        else:
            self._append_move(run, folded, told)

    def _append_move(self, run: RunId, folded: ReplayedRun, told: dict[str, Any]) -> None:
        try:
            after = validation.replay_move(folded, told)
        except CompanionError as error:
            self._refuse_move(run, folded.n + 1, str(error))
            return
        was, now = folded.past.state.winner, after.past.state.winner
        has_end = now is not None or (was is not None and told["move"]["type"] == "undo")
        self._cache_run(run, after)
        self._new[run, after.n] = NewMove(told, after, has_end, was)

    def _compare_move(self, run: RunId, n: int, told: dict[str, Any]) -> None:
        """A move that is there already: the same, or refused."""
        kept = self._new.get((run, n))
        known = kept.message if kept else json.loads(self._newest.get(run, {}).get(n) or self._load_move(run, n))
        if known != told:
            self._refuse_move(run, n, gettext_noop("Another copy of this move differs from the one that was kept."))

    def _load_move(self, run: RunId, n: int) -> str:
        asked = "SELECT body FROM move WHERE club = ? AND board = ? AND run = ? AND n = ?"
        ((body,),) = self._store.query(asked, *run, n)
        return str(body)

    def _refuse_move(self, run: RunId, n: int, why: str) -> None:
        self._refused[*run, n] = why[:400]

    def _is_refused(self, run: RunId, n: int) -> bool:
        if (*run, n) in self._refused:
            return True
        asked = "SELECT 1 FROM refused WHERE club = ? AND board = ? AND run = ? AND n = ?"
        return bool(self._store.query(asked, *run, n))

    def _load_run(self, run: RunId) -> ReplayedRun | None:
        """The run as far as it is known; None where nobody has told what is played."""
        if run in self._folded:
            self._folded.move_to_end(run)
            return self._folded[run]
        rows = self._store.query("SELECT game FROM run WHERE club = ? AND board = ? AND run = ?", *run)
        if not rows:
            return None
        folded = validation.start_run(json.loads(rows[0][0]))
        bodies = self._store.query("SELECT body FROM move WHERE club = ? AND board = ? AND run = ? ORDER BY n", *run)
        for (body,) in bodies:
            folded = validation.replay_move(folded, json.loads(body))
        self._cache_run(run, folded)
        return folded

    def _cache_run(self, run: RunId, folded: ReplayedRun) -> None:
        self._folded[run] = folded
        self._folded.move_to_end(run)
        if len(self._folded) > MAX_CACHED_RUNS and not self._new:
            gone, _ = self._folded.popitem(last=False)
            self._newest.pop(gone, None)


def _save_boards(ask: StatementRunner, told: Mapping[BoardId, Mapping[str, Any]]) -> None:
    """Which boards are there, and which run each has on."""
    ask.run_many("INSERT INTO board VALUES (?, ?, 0, '') ON CONFLICT DO NOTHING", list(told))
    for name in ("is_online", "run"):
        rows = [(each[name], *board) for board, each in told.items() if name in each]
        ask.run_many(f"UPDATE board SET {name} = ? WHERE club = ? AND board = ?", rows)


def _save_runs(ask: StatementRunner, states: Mapping[RunId, Mapping[str, Any]]) -> None:
    """How boards say that their runs stand: what is played, by whom, and how many moves there are."""
    who = {
        run: dump_json(each["players"] if isinstance(each.get("players"), list) else []) for run, each in states.items()
    }
    rows = [
        (*run, dump_json(each.get("game")), who[run], each["moves"], dump_json(each["shown"]))
        for run, each in states.items()
    ]
    ask.run_many("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING", rows)
    asked = "UPDATE run SET players = ? WHERE club = ? AND board = ? AND run = ?"
    ask.run_many(asked, [(players, *run) for run, players in who.items()])
    asked = "UPDATE run SET told = ? WHERE club = ? AND board = ? AND run = ? AND told < ?"
    ask.run_many(asked, [(each["moves"], *run, each["moves"]) for run, each in states.items()])
    # a game that was none here before may be one since
    ask.run_many("DELETE FROM refused WHERE club = ? AND board = ? AND run = ? AND n = 0", list(states))


def _save_result(ask: StatementRunner, run: RunId, new: NewMove) -> dict[str, Any] | None:
    """Keep how a game ended, or with its undo that it did not; what is kept of it now.

    A run has several games, one after the other. The last of them is the one that changes.
    """
    known = ask("SELECT id, n, result FROM won WHERE club = ? AND board = ? AND run = ? ORDER BY n DESC LIMIT 1", *run)
    won, is_undo = validation.find_result(new.after), new.message["move"]["type"] == "undo"
    if won is None:
        ask("DELETE FROM won WHERE id = ?", known[0][0])
        return None
    ((players,),) = ask("SELECT players FROM run WHERE club = ? AND board = ? AND run = ?", *run)
    names = [each.get("name", "") for each in json.loads(players) if isinstance(each, dict)]
    result = {"players": names, **won._asdict()}
    if known and (is_undo or new.before_winner is not None):
        ask("UPDATE won SET result = ? WHERE id = ?", dump_json(result), known[0][0])
    else:
        ((number,),) = ask("SELECT coalesce(max(id), 0) + 1 FROM won")
        ask(
            "INSERT INTO won VALUES (?, ?, ?, ?, ?, ?, ?)",
            number,
            *run,
            new.after.n,
            new.message["ms"],
            dump_json(result),
        )
    return result


def _is_valid_move(run: RunId, n: int, told: dict[str, Any]) -> bool:
    """Whether a message has all that a move has, and is where it belongs."""
    kinds = {"n": int, "ms": int, "by": str, "move": dict, "awards": list, "scores": list, "hash": str, "run": str}
    whole = all(type(told.get(name)) is kind for name, kind in kinds.items())
    return whole and (told["run"], told["n"]) == (run.run, n)


def _parse_object(payload: bytes) -> dict[str, Any] | None:
    try:
        told = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def now_ms() -> int:
    """Unix time."""
    return time.time_ns() // 1_000_000
