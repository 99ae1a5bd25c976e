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
from companion.coach.review import Entry, Review, Taken, review_game
from companion.common.errors import BadMove, CompanionError, JournalError
from companion.history import evenings
from companion.history.statistics import Made, parted
from companion.journal.journal import Journal
from companion.opponent.private_hands import PrivateHands
from companion.server.responses import json_response
from companion.server.routes.history import parse_query_number
from companion.table import players
from companion.table.resume import parse_plan
from companion.table.setup import TablePlan
from companion.table.table import Table

MAX_CACHED_REVIEWS = 32
"""So many answers are kept: a game that is over is looked back on by several phones."""
_NEWEST_ENTRY = "SELECT coalesce(max(id), 0) FROM entry WHERE game = ?"

ReviewKey = tuple[int | str, ...]


def review_routes(table: Table, hands: PrivateHands) -> Blueprint:
    """The route `/api/review`."""
    routes = Blueprint("review", __name__, url_prefix="/api")
    reviews = ReviewCache(table.journal, hands)

    def get_review() -> Response:
        game = parse_query_number("table", table.journal.game_id or 0)
        return json_response(reviews.review_game(game, parse_query_number("game", 0), parse_query_number("hand", 0)))

    routes.add_url_rule("/review", "review", get_review)
    return routes


class ReviewCache:
    """For any thread. One review is worked out at a time: it takes some tenths of a second."""

    def __init__(self, journal: Journal, hands: PrivateHands) -> None:
        self._journal, self._hands = journal, hands
        self._one = threading.Lock()
        self._known: OrderedDict[ReviewKey, dict[str, Any]] = OrderedDict()

    def review_game(self, table: int, game: int, hand: int) -> dict[str, Any]:
        """The review of a game of a table (0: the newest), or of its deal `hand` (0: all of it).

        Raises NotFound, Conflict with what stands in the way, or JournalError.
        """
        if self._journal.load_plan(table) is None:
            raise NotFound(f"There is no table {table} in this journal.")
        ((newest,),) = self._journal.query(_NEWEST_ENTRY, table)
        wholes = self._hands.known_hands(table)
        names = self._player_names(table)
        key = table, newest, game, hand, len(wholes), *names
        with self._one:
            if key not in self._known:
                self._known[key] = self._compute_review(table, game, hand, names)
                if len(self._known) > MAX_CACHED_REVIEWS:
                    self._known.popitem(last=False)
            return self._known[key]

    def _player_names(self, table: int) -> list[str]:
        who = players.load_players(self._journal.read_game_column(table, "players"))
        return [each.name for each in players.seat_players(who, 2, 2)]

    def _compute_review(self, table: int, game: int, hand: int, names: list[str]) -> dict[str, Any]:
        plan, games = self._load_games(table)
        if plan.game.key not in tables.CARDS_DEALT or plan.setup.seats != 2:
            raise Conflict("The coach looks back on six-card and five-card cribbage of two players, on no other game.")
        if not games or not 0 <= game <= len(games):
            raise NotFound(f"There is no game {game} at this table: it has had {len(games)}.")
        made = games[(game or len(games)) - 1]
        is_over = made[-1].past.state.phase == "over"
        if not is_over and plan.setup.options.get("hints") != "on":
            raise Conflict("The game is not over: what was missed is told at its end, or where the table allows hints.")
        taken = [Taken(each.n, each.past.move, each.before, each.past.state) for each in made]
        try:
            found = review_game(
                taken if is_over else _counted_moves(taken), names, self._hands.known_hands(table), hand or None
            )
        except BadMove as error:
            raise NotFound(str(error)) from None
        told = {"table": table, "game": game or len(games), "over": is_over, "names": names}
        return told | _review_json(found, whole=bool(hand))

    def _load_games(self, table: int) -> tuple[TablePlan, list[list[Made]]]:
        try:
            plan = parse_plan(self._journal.load_plan(table))
            return plan, parted(evenings.load_moves(self._journal, table, plan))
        except JournalError:
            raise
        except (CompanionError, LookupError, TypeError, ValueError, AttributeError) as error:
            raise JournalError(f"What was played at table {table} cannot be read: {error}") from error


def _counted_moves(taken: list[Taken]) -> list[Taken]:
    """The moves up to the end of the last deal that was counted: what is being played is nobody else's matter."""
    ends = [n for n, each in enumerate(taken, 1) if each.after.phase == "between"]
    return taken[: ends[-1]] if ends else []


def _review_json(found: Review, *, whole: bool) -> dict[str, Any]:
    return {
        "choices": [_entry_json(each, whole=whole) for each in found.choices],
        "luck": [round(each, 9) for each in found.luck],
        "skill": [round(each, 9) for each in found.skill],
        "missed": found.missed,
        "unknown": found.unknown,
    }


def _entry_json(entry: Entry, *, whole: bool) -> dict[str, Any]:
    told = {
        "n": entry.n, "hand": entry.hand, "seat": entry.seat, "kind": entry.kind, "made": entry.made,
        "best": entry.best, "points_lost": entry.points_lost, "win_lost": entry.win_lost,
        "say": entry.say, "asked": entry.asked,
    }  # fmt: skip
    return told | {"ranked": entry.ranked} if whole else told
