"""Review of a game: what each choice cost, `/api/review` (docs/reference/http.md#review).

A game that is not over is reviewed only if its option `hints` is on, and only up to the last counted deal.
"""

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response
from werkzeug.exceptions import Conflict, NotFound

from companion.common.constants import CARDS_DEALT
from companion.common.errors import BadMove, CompanionError, JournalError
from companion.history import evenings
from companion.history.statistics import PlayedMove, split_games
from companion.http.requests import parse_query_number
from companion.http.responses import json_response
from companion.i18n import format_message
from companion.journal.journal import Journal
from companion.opponent.private_hands import PrivateHands
from companion.table import players
from companion.table.resume import parse_plan
from companion.table.setup import TablePlan
from companion.table.table import Table

if TYPE_CHECKING:
    from companion.coach.review import RecordedMove, Review, ReviewedChoice

MAX_CACHED_REVIEWS = 32
"""Number of reviews kept in memory; several phones request the same one."""
_NEWEST_ENTRY = "SELECT coalesce(max(id), 0) FROM entry WHERE game = ?"

ReviewKey = tuple[int | str, ...]


def review_routes(table: Table, hands: PrivateHands) -> Blueprint:
    """Return the route `/api/review`."""
    routes = Blueprint("review", __name__, url_prefix="/api")
    reviews = ReviewCache(table.journal, hands)

    def get_review() -> Response:
        game = parse_query_number("table", table.journal.game_id or 0)
        return json_response(reviews.review_game(game, parse_query_number("game", 0), parse_query_number("hand", 0)))

    routes.add_url_rule("/review", "review", get_review)
    return routes


class ReviewCache:
    """Computes reviews, one at a time: each takes some tenths of a second. Any thread may call it."""

    def __init__(self, journal: Journal, hands: PrivateHands) -> None:
        self._journal, self._hands = journal, hands
        self._lock = threading.Lock()
        self._reviews: OrderedDict[ReviewKey, dict[str, Any]] = OrderedDict()

    def review_game(self, table: int, game: int, hand: int) -> dict[str, Any]:
        """Return the review of the game `game` of a table (0: the newest), or of its deal `hand` only (0: all deals).

        Raises NotFound, Conflict if it may not be reviewed, or JournalError.
        """
        if self._journal.load_plan(table) is None:
            raise NotFound(f"There is no table {table} in this journal.")
        ((newest,),) = self._journal.query(_NEWEST_ENTRY, table)
        hand_count = len(self._hands.known_hands(table))
        names = self._player_names(table)
        key = table, newest, game, hand, hand_count, *names
        with self._lock:
            if key not in self._reviews:
                self._reviews[key] = self._compute_review(table, game, hand, names)
                if len(self._reviews) > MAX_CACHED_REVIEWS:
                    self._reviews.popitem(last=False)
            return self._reviews[key]

    def _player_names(self, table: int) -> list[str]:
        profiles = players.load_players(self._journal.read_game_column(table, "players"))
        return [each.name for each in players.seat_players(profiles, 2, 2)]

    def _compute_review(self, table: int, game: int, hand: int, names: list[str]) -> dict[str, Any]:
        from companion.coach.review import RecordedMove, review_game  # noqa: PLC0415 - the table starts without the coach

        plan, games = self._load_games(table)
        if plan.game.key not in CARDS_DEALT or plan.setup.seats != 2:
            raise Conflict(format_message("Only six-card and five-card cribbage with two players can be reviewed."))
        if not games or not 0 <= game <= len(games):
            raise NotFound(_no_game_sentence(game, len(games)))
        played = games[(game or len(games)) - 1]
        is_over = played[-1].past.state.phase == "over"
        if not is_over and plan.setup.options.get("hints") != "on":
            raise Conflict(
                format_message(
                    "This game is not over yet. You can review it when it ends, or earlier if it allows hints."
                )
            )
        moves = [RecordedMove(each.n, each.past.move, each.state_before, each.past.state) for each in played]
        try:
            review = review_game(
                moves if is_over else _counted_moves(moves), names, self._hands.known_hands(table), hand or None
            )
        except BadMove as error:
            raise NotFound(str(error)) from None
        body = {"table": table, "game": game or len(games), "over": is_over, "names": names}
        return body | _review_json(review, with_ranking=bool(hand))

    def _load_games(self, table: int) -> tuple[TablePlan, list[list[PlayedMove]]]:
        try:
            plan = parse_plan(self._journal.load_plan(table))
            return plan, split_games(evenings.load_moves(self._journal, table, plan))
        except JournalError:
            raise
        except (CompanionError, LookupError, TypeError, ValueError, AttributeError) as error:
            raise JournalError(f"The moves of table {table} cannot be read: {error}") from error


def _no_game_sentence(game: int, count: int) -> str:
    if not count:
        return format_message("No game has ended at this table yet. When one does, you can review it here.")
    return format_message("There is no game {game} at this table. The newest is game {count}.", game=game, count=count)


def _counted_moves(moves: "list[RecordedMove]") -> "list[RecordedMove]":
    """Return the moves up to the end of the last counted deal; the cards of the present deal are private."""
    ends = [n for n, each in enumerate(moves, 1) if each.after.phase == "between"]
    return moves[: ends[-1]] if ends else []


def _review_json(review: "Review", *, with_ranking: bool) -> dict[str, Any]:
    return {
        "choices": [_entry_json(each, with_ranking=with_ranking) for each in review.choices],
        "luck": [round(each, 9) for each in review.luck],
        "skill": [round(each, 9) for each in review.skill],
        "missed": review.missed,
        "unknown": review.unknown,
    }


def _entry_json(entry: "ReviewedChoice", *, with_ranking: bool) -> dict[str, Any]:
    body = {
        "n": entry.n, "hand": entry.hand, "seat": entry.seat, "kind": entry.kind, "made": entry.made,
        "best": entry.best, "points_lost": entry.points_lost, "win_lost": entry.win_lost,
        "say": entry.say, "asked": entry.question,
    }  # fmt: skip
    return body | {"ranked": entry.ranked} if with_ranking else body
