"""The evening: tonight's games, who beat whom, and what each player has done. From the journal, game by game."""

import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from companion.common.errors import CompanionError
from companion.history import statistics
from companion.history.moves import MOVE
from companion.history.statistics import Made, games, parted
from companion.i18n import listed
from companion.journal.journal import Journal
from companion.protocol.json_codec import read_move
from companion.rules.moves import Undo
from companion.settings import Settings
from companion.table import players
from companion.table.resume import BATCH, Source, from_checkpoint, planned
from companion.table.setup import Plan
from companion.table.state import begin, fold

TONIGHT_MS = 12 * 3600 * 1000
"""What was played within so long of the last move is one evening."""
TABLES = 200
"""So many tables, the newest, are looked through."""
MOST = 5000
"""So many moves of a table are looked through at most, the newest."""

_NEWEST = """SELECT id, (SELECT coalesce(max(id), 0) FROM entry WHERE game = game.id) AS last FROM game
             WHERE last > 0 ORDER BY id DESC LIMIT ?"""
_MOVES = "SELECT count(*) FROM entry WHERE game = ? AND kind = 'move'"
_UP_TO = f"{_MOVES} AND id <= ?"

Game = dict[str, Any]


class Evenings:
    """For any thread. A table is folded again only when something was played at it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._one = threading.Lock()
        self._known: dict[int, tuple[int, list[Game]]] = {}

    def games(self) -> list[Game]:
        """Every game of the newest tables, the oldest first, each with its table's number and its players' names."""
        with self._one:
            rows = self._journal.read(_NEWEST, TABLES)
            found = [each for game, last in rows for each in self._of(game, last)]
        return sorted(found, key=lambda each: each["began_ms"])

    def _of(self, game: int, last: int) -> list[Game]:
        known, found = self._known.get(game, (0, []))
        if known != last:
            found = []
            with suppress(CompanionError, LookupError, TypeError, ValueError, AttributeError):
                found = _games(self._journal, game)
            self._known[game] = last, found
        who = players.load(self._journal.noted(game, "players"))
        return [each | {"names": _names(each, who)} for each in found]


def tonight(every: Sequence[Game]) -> list[Game]:
    """The games of the last evening, the newest first."""
    ends = [each["race"][-1]["ms"] for each in every]
    since = max(ends, default=0) - TONIGHT_MS
    return [each for each, end in zip(every, ends, strict=True) if end >= since][::-1]


def series(every: Iterable[Game]) -> list[dict[str, Any]]:
    """Who has played whom at what, how often each has won, and the games points that were won."""
    won: dict[tuple[str, tuple[str, ...]], Counter[str]] = defaultdict(Counter)
    points: dict[tuple[str, tuple[str, ...]], Counter[str]] = defaultdict(Counter)
    for each in every:
        if each["winner"] is not None and len(each["names"]) > 1:
            match = each["game"]["key"], tuple(sorted(each["names"]))
            won[match][each["names"][each["winner"]]] += 1
            points[match][each["names"][each["winner"]]] += each["game_points"] or 1
    return [
        {
            "game": key,
            "names": list(names),
            "won": [won[key, names][name] for name in names],
            "points": [points[key, names][name] for name in names],
        }
        for key, names in won
    ]


def records(every: Iterable[Game]) -> list[dict[str, Any]]:
    """What each player has done in the games that are over, the one with most games first."""
    found: dict[str, dict[str, Any]] = {}
    for each in every:
        if each["ended_ms"] is None:
            continue
        for side, name in enumerate(each["names"]):
            own = found.setdefault(name, {"name": name, "games": 0, "won": 0, "skunks": 0, "points": 0, "best": None})
            has_won = each["winner"] == side
            own["games"] += 1
            own["won"] += has_won
            own["skunks"] += has_won and bool(each["skunk"] or any(each["skunks"] or ()))
            own["points"] += (each["game_points"] or 1) if has_won else 0
            best = each["best"]
            if best and best["seat"] % len(each["names"]) == side:
                own["best"] = max(own["best"], best, key=lambda hand: hand["points"] if hand else 0)
    return sorted(found.values(), key=lambda own: (-own["games"], own["name"]))


def _games(journal: Journal, game: int) -> list[Game]:
    """The games of a table. Raises what `planned` and `fold` raise."""
    made = planned(journal.plan(game))
    played = moves(journal, game, made)
    return [
        {"table": game, "number": number, "game": made.told["game"], **told, "cuts": statistics.told(made, one)}
        for number, (told, one) in enumerate(zip(games(made, played), parted(played), strict=True), 1)
    ]


def moves(journal: Journal, game: int, made: Plan) -> list[Made]:
    """The moves of a table that stand, the newest of a long one. Raises what `fold` raises."""
    core, at = begin(made, Settings()), 0
    (told,) = journal.read(_MOVES, game)[0]
    if told > MOST and (after := journal.read(MOVE, game, told - MOST)):
        core, at = from_checkpoint(Source(journal, game, core), after[0][0])
    found: list[Made] = []
    (n,) = journal.read(_UP_TO, game, at)[0]
    while batch := journal.written(game, at, BATCH):
        for written in batch:
            at, before = written.id, core.past.state
            move = read_move(written.entry.body, made.setup.seats) if written.entry.kind == "move" else None
            core = fold(core, written.entry, move, telling=False)
            n += move is not None
            if isinstance(move, Undo):
                found = found[:-1]
            elif move is not None:
                found.append(Made(core.past, before, written.ms, n))
    return found


def _names(each: Game, who: players.People) -> list[str]:
    """The names of the sides: partners' together."""
    seats, sides = each["game"]["seats"], each["game"]["sides"]
    seated = [person.name for person in players.seated(who, seats, sides)]
    return [listed(seated[side::sides]) for side in range(sides)]
