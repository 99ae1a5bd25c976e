"""A game looked back on, over HTTP: what each choice cost, once the game is over (docs/reference/http.md#review).

What is being played stays between the players: before the end there is an answer only where the table's option
`hints` allows it, and then of the deals that have been counted.
"""

import threading
from collections import OrderedDict
from typing import Any

from flask import Blueprint, Response
from werkzeug.exceptions import Conflict, NotFound

from companion.coach.cribbage import tables
from companion.coach.review import Entry, Review, Taken, review
from companion.common.errors import BadMove, CompanionError, JournalError
from companion.history import evenings
from companion.history.statistics import Made, parted
from companion.journal.journal import Journal
from companion.opponent.private_hands import Hands
from companion.server.responses import json_answer
from companion.server.routes.history import number
from companion.table import players
from companion.table.resume import planned
from companion.table.setup import Plan
from companion.table.table import Table

REMEMBERED = 32
"""So many answers are kept: a game that is over is looked back on by several phones."""
_NEWEST = "SELECT coalesce(max(id), 0) FROM entry WHERE game = ?"

Key = tuple[int | str, ...]


def review_routes(table: Table, hands: Hands) -> Blueprint:
    """The route `/api/review`."""
    routes = Blueprint("review", __name__, url_prefix="/api")
    reviews = Reviews(table.journal, hands)

    def told() -> Response:
        game = number("table", table.journal.game or 0)
        return json_answer(reviews.told(game, number("game", 0), number("hand", 0)))

    routes.add_url_rule("/review", "review", told)
    return routes


class Reviews:
    """For any thread. One review is worked out at a time: it takes some tenths of a second."""

    def __init__(self, journal: Journal, hands: Hands) -> None:
        self._journal, self._hands = journal, hands
        self._one = threading.Lock()
        self._known: OrderedDict[Key, dict[str, Any]] = OrderedDict()

    def told(self, table: int, game: int, hand: int) -> dict[str, Any]:
        """The review of a game of a table (0: the newest), or of its deal `hand` (0: all of it).

        Raises NotFound, Conflict with what stands in the way, or JournalError.
        """
        if self._journal.plan(table) is None:
            raise NotFound(f"There is no table {table} in this journal.")
        ((newest,),) = self._journal.read(_NEWEST, table)
        wholes = self._hands.wholes(table)
        names = self._names(table)
        key = table, newest, game, hand, len(wholes), *names
        with self._one:
            if key not in self._known:
                self._known[key] = self._told(table, game, hand, names)
                if len(self._known) > REMEMBERED:
                    self._known.popitem(last=False)
            return self._known[key]

    def _names(self, table: int) -> list[str]:
        who = players.load(self._journal.noted(table, "players"))
        return [each.name for each in players.seated(who, 2, 2)]

    def _told(self, table: int, game: int, hand: int, names: list[str]) -> dict[str, Any]:
        plan, games = self._games(table)
        if plan.game.key not in tables.GAMES or plan.setup.seats != 2:
            raise Conflict("The coach looks back on six-card and five-card cribbage of two players, on no other game.")
        if not games or not 0 <= game <= len(games):
            raise NotFound(f"There is no game {game} at this table: it has had {len(games)}.")
        made = games[(game or len(games)) - 1]
        is_over = made[-1].past.state.phase == "over"
        if not is_over and plan.setup.options.get("hints") != "on":
            raise Conflict("The game is not over: what was missed is told at its end, or where the table allows hints.")
        taken = [Taken(each.n, each.past.move, each.before, each.past.state) for each in made]
        try:
            found = review(taken if is_over else _counted(taken), names, self._hands.wholes(table), hand or None)
        except BadMove as error:
            raise NotFound(str(error)) from None
        told = {"table": table, "game": game or len(games), "over": is_over, "names": names}
        return told | _json(found, whole=bool(hand))

    def _games(self, table: int) -> tuple[Plan, list[list[Made]]]:
        try:
            plan = planned(self._journal.plan(table))
            return plan, parted(evenings.moves(self._journal, table, plan))
        except JournalError:
            raise
        except (CompanionError, LookupError, TypeError, ValueError, AttributeError) as error:
            raise JournalError(f"What was played at table {table} cannot be read: {error}") from error


def _counted(taken: list[Taken]) -> list[Taken]:
    """The moves up to the end of the last deal that was counted: what is being played is nobody else's matter."""
    ends = [n for n, each in enumerate(taken, 1) if each.after.phase == "between"]
    return taken[: ends[-1]] if ends else []


def _json(found: Review, *, whole: bool) -> dict[str, Any]:
    return {
        "choices": [_entry(each, whole=whole) for each in found.choices],
        "luck": [round(each, 9) for each in found.luck],
        "skill": [round(each, 9) for each in found.skill],
        "missed": found.missed,
        "unknown": found.unknown,
    }


def _entry(entry: Entry, *, whole: bool) -> dict[str, Any]:
    told = {
        "n": entry.n, "hand": entry.hand, "seat": entry.seat, "kind": entry.kind, "made": entry.made,
        "best": entry.best, "points_lost": entry.points_lost, "win_lost": entry.win_lost,
        "say": entry.say, "asked": entry.asked,
    }  # fmt: skip
    return told | {"ranked": entry.ranked} if whole else told
