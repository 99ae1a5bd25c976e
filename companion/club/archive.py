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
from companion.club.database import Ask, Store, StoreError
from companion.club.validation import Folded
from companion.common.errors import CompanionError
from companion.i18n import phrase
from companion.protocol.json_codec import dumps

REMEMBERED = 12_000
"""So many runs stay folded, of 30 to 60 kB each; another is folded anew from the store, which costs all its moves."""
COPIES = 40
"""Of a run's newest moves so many are at hand, for boards tell again what is on its way."""
REFUSED = 200
"""So many refusals are told, the newest."""
LONGEST = 65536
"""No message longer than this is looked at, in bytes."""


class Board(NamedTuple):
    """A board of a club."""

    club: str
    board: str


class Run(NamedTuple):
    """A game of a board's journal."""

    club: str
    board: str
    run: str


class New(NamedTuple):
    """A move that is to be kept. `has_end`: a game ended with it, or one that had ended is changed or goes on."""

    told: dict[str, Any]
    after: Folded
    has_end: bool
    before_winner: int | None


class Kept(NamedTuple):
    """What `keep` has done: boards whose `upto` is to be told, and games that ended or were taken back (None).

    Of `gaps` something did not come: to be told what is there, they tell the rest again.
    """

    boards: set[Board]
    gaps: set[Board]
    ended: list[tuple[Run, dict[str, Any] | None]]


class Archive:
    """For one thread; others read the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._folded: OrderedDict[Run, Folded] = OrderedDict()
        self._newest: dict[Run, dict[int, str]] = {}
        self._has: dict[Board, dict[str, int]] = {}
        self._forget()

    def heard(self, topic: str, payload: bytes) -> None:
        """A message of a board. Raises StoreError."""
        parts = topic.split("/")
        if len(payload) > LONGEST or len(parts) < 5:
            return
        board, what = Board(parts[2], parts[3]), parts[4]
        if what == "online":
            self._is_here(board, is_online=payload == b"1")
        elif what == "state":
            self._state(board, _object(payload))
        elif what == "move" and len(parts) == 7 and parts[6].isdecimal() and len(parts[6]) < 10:
            run, n = Run(*board, parts[5][:64]), int(parts[6])
            try:
                self._move(run, n, _object(payload))
            except StoreError:
                raise
            except CompanionError as error:  # what was kept under other rules
                self._refuse(run, n, str(error))

    def keep(self) -> Kept:
        """Commit what has come. Raises StoreError: then nothing of it was taken, and boards are to tell it again."""
        made = Kept(self._here | {Board(*run[:2]) for run, _ in self._new}, self._gaps, [])
        try:
            with self._store.change() as ask:
                _boards(ask, self._told)
                _seen(ask, self._states)
                told = [(*run, n, new.told["ms"], dumps(new.told)) for (run, n), new in self._new.items()]
                ask.each("INSERT INTO move VALUES (?, ?, ?, ?, ?, ?)", told)
                made.ended.extend((run, _ended(ask, run, new)) for (run, _), new in self._new.items() if new.has_end)
                latest = {run: new.after for (run, _), new in self._new.items()}
                asked = "UPDATE run SET moves = ?, shown = ? WHERE club = ? AND board = ? AND run = ?"
                ask.each(asked, [(after.n, dumps(after.shown), *run) for run, after in latest.items()])
                for key, why in self._refused.items():
                    ask("INSERT INTO refused VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", *key, why, now_ms())
            self._remember(latest, told)
        except CompanionError:
            self._folded.clear()
            self._newest.clear()
            self._has.clear()
            raise
        finally:
            self._forget()
        return made

    def _remember(self, latest: Mapping[Run, Folded], told: Iterable[tuple[Any, ...]]) -> None:
        """What was just kept, for what is asked of it next."""
        for run in self._states:
            if (has := self._has.get(Board(*run[:2]))) is not None:
                has.setdefault(run.run, 0)
        for run, after in latest.items():
            if (has := self._has.get(Board(*run[:2]))) is not None:
                has[run.run] = after.n
        for club, board, name, n, _, body in told:
            newest = self._newest.setdefault(Run(club, board, name), {})
            newest[n] = body
            newest.pop(n - COPIES, None)

    def upto(self, board: Board) -> str:
        """What the archive has of a board, as it is told. Raises StoreError."""
        if board not in self._has:
            rows = self._store.ask("SELECT run, moves FROM run WHERE club = ? AND board = ?", *board)
            self._has[board] = dict(rows)
        return dumps(self._has[board])

    def boards(self) -> list[Board]:
        """Every board it knows of. Raises StoreError."""
        return [Board(*row) for row in self._store.ask("SELECT club, board FROM board")]

    def _forget(self) -> None:
        self._new: dict[tuple[Run, int], New] = {}
        self._told: dict[Board, dict[str, Any]] = {}
        self._states: dict[Run, dict[str, Any]] = {}
        self._refused: dict[tuple[str, str, str, int], str] = {}
        self._here: set[Board] = set()
        self._gaps: set[Board] = set()

    def _is_here(self, board: Board, *, is_online: bool) -> None:
        self._told.setdefault(board, {})["is_online"] = int(is_online)
        if is_online:
            self._here.add(board)

    def _state(self, board: Board, state: dict[str, Any] | None) -> None:
        if state is None or not isinstance(state.get("run"), str) or type(state.get("moves")) is not int:
            return
        run = Run(*board, state["run"][:64])
        try:
            first = validation.begun(state.get("game"))
        except CompanionError as error:
            self._refuse(run, 0, str(error))
            return
        self._told.setdefault(board, {})["run"] = run.run
        self._states[run] = {**state, "shown": first.shown}
        if self._run(run) is None:
            self._take(run, first)

    def _move(self, run: Run, n: int, told: dict[str, Any] | None) -> None:
        if told is None or not _is_whole(run, n, told):
            self._refuse(run, n, phrase("It is no move as a board tells it."))
            return
        folded = self._run(run)
        if n <= (folded.n if folded else 0):
            self._compare(run, n, told)
        elif folded is None or n > folded.n + 1:
            if not self._is_refused(run, folded.n + 1 if folded else 0):
                self._gaps.add(Board(*run[:2]))
        else:
            self._follow(run, folded, told)

    def _follow(self, run: Run, folded: Folded, told: dict[str, Any]) -> None:
        try:
            after = validation.after(folded, told)
        except CompanionError as error:
            self._refuse(run, folded.n + 1, str(error))
            return
        was, now = folded.past.state.winner, after.past.state.winner
        has_end = now is not None or (was is not None and told["move"]["type"] == "undo")
        self._take(run, after)
        self._new[run, after.n] = New(told, after, has_end, was)

    def _compare(self, run: Run, n: int, told: dict[str, Any]) -> None:
        """A move that is there already: the same, or refused."""
        kept = self._new.get((run, n))
        known = kept.told if kept else json.loads(self._newest.get(run, {}).get(n) or self._body(run, n))
        if known != told:
            self._refuse(run, n, phrase("Another copy of this move differs from the one that was kept."))

    def _body(self, run: Run, n: int) -> str:
        asked = "SELECT body FROM move WHERE club = ? AND board = ? AND run = ? AND n = ?"
        ((body,),) = self._store.ask(asked, *run, n)
        return str(body)

    def _refuse(self, run: Run, n: int, why: str) -> None:
        self._refused[*run, n] = why[:400]

    def _is_refused(self, run: Run, n: int) -> bool:
        if (*run, n) in self._refused:
            return True
        asked = "SELECT 1 FROM refused WHERE club = ? AND board = ? AND run = ? AND n = ?"
        return bool(self._store.ask(asked, *run, n))

    def _run(self, run: Run) -> Folded | None:
        """The run as far as it is known; None where nobody has told what is played."""
        if run in self._folded:
            self._folded.move_to_end(run)
            return self._folded[run]
        rows = self._store.ask("SELECT game FROM run WHERE club = ? AND board = ? AND run = ?", *run)
        if not rows:
            return None
        folded = validation.begun(json.loads(rows[0][0]))
        bodies = self._store.ask("SELECT body FROM move WHERE club = ? AND board = ? AND run = ? ORDER BY n", *run)
        for (body,) in bodies:
            folded = validation.after(folded, json.loads(body))
        self._take(run, folded)
        return folded

    def _take(self, run: Run, folded: Folded) -> None:
        self._folded[run] = folded
        self._folded.move_to_end(run)
        if len(self._folded) > REMEMBERED and not self._new:
            gone, _ = self._folded.popitem(last=False)
            self._newest.pop(gone, None)


def _boards(ask: Ask, told: Mapping[Board, Mapping[str, Any]]) -> None:
    """Which boards are there, and which run each has on."""
    ask.each("INSERT INTO board VALUES (?, ?, 0, '') ON CONFLICT DO NOTHING", list(told))
    for name in ("is_online", "run"):
        rows = [(each[name], *board) for board, each in told.items() if name in each]
        ask.each(f"UPDATE board SET {name} = ? WHERE club = ? AND board = ?", rows)


def _seen(ask: Ask, states: Mapping[Run, Mapping[str, Any]]) -> None:
    """How boards say that their runs stand: what is played, by whom, and how many moves there are."""
    who = {run: dumps(each["players"] if isinstance(each.get("players"), list) else []) for run, each in states.items()}
    rows = [
        (*run, dumps(each.get("game")), who[run], each["moves"], dumps(each["shown"])) for run, each in states.items()
    ]
    ask.each("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING", rows)
    asked = "UPDATE run SET players = ? WHERE club = ? AND board = ? AND run = ?"
    ask.each(asked, [(players, *run) for run, players in who.items()])
    asked = "UPDATE run SET told = ? WHERE club = ? AND board = ? AND run = ? AND told < ?"
    ask.each(asked, [(each["moves"], *run, each["moves"]) for run, each in states.items()])
    # a game that was none here before may be one since
    ask.each("DELETE FROM refused WHERE club = ? AND board = ? AND run = ? AND n = 0", list(states))


def _ended(ask: Ask, run: Run, new: New) -> dict[str, Any] | None:
    """Keep how a game ended, or with its undo that it did not; what is kept of it now.

    A run has several games, one after the other. The last of them is the one that changes.
    """
    known = ask("SELECT id, n, result FROM won WHERE club = ? AND board = ? AND run = ? ORDER BY n DESC LIMIT 1", *run)
    won, is_undo = validation.won(new.after), new.told["move"]["type"] == "undo"
    if won is None:
        ask("DELETE FROM won WHERE id = ?", known[0][0])
        return None
    ((players,),) = ask("SELECT players FROM run WHERE club = ? AND board = ? AND run = ?", *run)
    names = [each.get("name", "") for each in json.loads(players) if isinstance(each, dict)]
    result = {"players": names, **won._asdict()}
    if known and (is_undo or new.before_winner is not None):
        ask("UPDATE won SET result = ? WHERE id = ?", dumps(result), known[0][0])
    else:
        ((number,),) = ask("SELECT coalesce(max(id), 0) + 1 FROM won")
        ask("INSERT INTO won VALUES (?, ?, ?, ?, ?, ?, ?)", number, *run, new.after.n, new.told["ms"], dumps(result))
    return result


def _is_whole(run: Run, n: int, told: dict[str, Any]) -> bool:
    """Whether a message has all that a move has, and is where it belongs."""
    kinds = {"n": int, "ms": int, "by": str, "move": dict, "awards": list, "scores": list, "hash": str, "run": str}
    whole = all(type(told.get(name)) is kind for name, kind in kinds.items())
    return whole and (told["run"], told["n"]) == (run.run, n)


def _object(payload: bytes) -> dict[str, Any] | None:
    try:
        told = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def now_ms() -> int:
    """Unix time."""
    return time.time_ns() // 1_000_000
