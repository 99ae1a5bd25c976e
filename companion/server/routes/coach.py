"""The coach: practice and daily deals, the lesson, hints, the count of a hand, and the review of a game.

docs/reference/http.md#practice. A phone gets hints for its own hand only, and only if the table allows hints. A game
that is not over is reviewed only if its option `hints` is on, and only up to the last counted deal. The coach itself is
imported at the first request for it.
"""

import threading
from collections import OrderedDict
from datetime import date
from random import Random
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Flask, Response, request
from werkzeug.exceptions import BadRequest, Conflict, NotFound

from companion.common.constants import CARDS_DEALT, DEFAULT_TARGETS
from companion.common.errors import BadCard, BadMove, CompanionError, JournalError
from companion.common.values import single_flight_cache
from companion.history import games as evenings
from companion.history.statistics import PlayedMove, split_games
from companion.http.requests import parse_query_number
from companion.http.responses import CachedBody, json_response, requested_language
from companion.i18n import capitalize_message, format_message
from companion.journal.journal import Journal
from companion.opponent.private_hands import PrivateHands
from companion.protocol.json_codec import dump_json
from companion.rules.cards import PACK, Card, parse_typed_cards
from companion.rules.narration import describe_count
from companion.rules.scoring import ScoringItem, itemize_hand, sum_points
from companion.server.site import Site
from companion.table import players
from companion.table.resume import parse_plan
from companion.table.setup import TablePlan
from companion.table.table import Table

if TYPE_CHECKING:
    from companion.coach.review import RecordedMove, Review, ReviewedChoice


JsonObject = dict[str, Any]
MAX_SCORE_DIFFERENCE = 30
"""Maximum difference of the scores in a practice deal, in points."""
FIRST_DAY, LAST_DAY = date(2026, 1, 1), date(2099, 12, 31)
"""Dates with a daily deal. The table's own clock does not matter, as a board without internet may have none."""
MAX_CACHED_REVIEWS = 32
"""Number of reviews kept in memory; several phones request the same one."""

_MAX_CACHED_DEALS = 8
"""Number of daily deals kept in memory: around midnight, phones ask for two or three dates."""
_MAX_LESSON_LENGTH = 2000
"""Longer than the decisions of any lesson: at most 400 of four characters and a dot."""
_FIVE_CARD_HAND_SIZE = 3
_NEWEST_ENTRY = "SELECT coalesce(max(id), 0) FROM entry WHERE game = ?"

ReviewKey = tuple[int | str, ...]


def add_routes(app: Flask, site: Site) -> None:
    table, hands, reviews = site.table, site.hands, ReviewCache(site.table.journal, site.hands)
    routes = Blueprint("coach", __name__, url_prefix="/api")

    def get_practice_deal() -> Response:
        game = request.args.get("game", "six-card")
        if game not in CARDS_DEALT:
            raise BadRequest(f"The game must be {' or '.join(CARDS_DEALT)}.")
        if "hand" in request.args:
            return json_response(_advise_own_cards(table, game))
        if "seed" not in request.args:
            raise BadRequest("Add seed=N, a whole number from 0: the number of the deal.")
        seed = parse_query_number("seed", 0)
        return json_response({"seed": seed, **_add_advice(deal_practice_hand(game, seed))})

    def get_own_hint() -> Response:
        phone = site.requesting_phone()
        hand, seat = hands.remaining_hand(phone) if site.is_player() else None, hands.seat_of(phone)
        if hand is None or seat is None:
            raise NotFound("Take a seat first.")
        return json_response(_add_advice(_current_question(table, seat, hand)))

    def get_daily_deal() -> Response:
        language, deal = requested_language(), _describe_deal(_parse_day(request.args.get("date", "")))
        return CachedBody(dump_json(language.translate_value(deal) if language else deal).encode()).to_response()

    def get_hint() -> Response:
        from companion.server import layout_hints

        return json_response(layout_hints.suggest_swap(table.snapshot))

    def get_best() -> Response:
        from companion.server import layout_hints

        return json_response(layout_hints.describe_best(table.snapshot))

    def get_review() -> Response:
        game = parse_query_number("table", table.journal.game_id or 0)
        return json_response(reviews.review_game(game, parse_query_number("game", 0), parse_query_number("hand", 0)))

    routes.add_url_rule("/train", "train", get_practice_deal)
    routes.add_url_rule("/hand/hint", "own_hint", get_own_hint)
    routes.add_url_rule("/daily", "daily", get_daily_deal)
    routes.add_url_rule("/hint", "hint", get_hint)
    routes.add_url_rule("/best", "best", get_best)
    routes.add_url_rule("/review", "review", get_review)
    routes.add_url_rule("/count", "count", count_response)
    routes.add_url_rule("/learn", "learn", lesson_response)
    app.register_blueprint(routes)


def deal_practice_hand(game: str, seed: int) -> JsonObject:
    """Return the question of `companion advise` with this number: a hand and two scores."""
    random = Random(f"{game} {seed}")
    target = DEFAULT_TARGETS[game]
    own = random.randrange(target)
    others = min(target - 1, max(0, own + random.randint(-MAX_SCORE_DIFFERENCE, MAX_SCORE_DIFFERENCE)))
    hand = sorted(random.sample(PACK, CARDS_DEALT[game]))
    return {
        "ask": "discard", "game": game, "hand": [str(card) for card in hand], "dealer": random.random() < 0.5,
        "scores": [own, others], "target": target,
    }  # fmt: skip


def _advise_own_cards(table: Table, game: str) -> JsonObject:
    """Return the discards from the hand in the query, at the beginning of a game.

    Raises Conflict during a game without hints, where this would be one, and BadRequest if it is not a hand.
    """
    core = table.core
    is_played = core.plan.game.key in CARDS_DEALT and table.snapshot.moves > 0 and core.past.state.phase != "over"
    if is_played and core.plan.setup.options.get("hints") != "on":
        raise Conflict(format_message("This game is played without hints. Practise with your own cards after it."))
    try:
        hand = parse_typed_cards(request.args["hand"])
        return _add_advice({
            "ask": "discard", "game": game, "hand": [str(card) for card in hand],
            "dealer": request.args.get("dealer") == "on", "scores": [0, 0], "target": DEFAULT_TARGETS[game],
        })  # fmt: skip
    except (BadCard, BadMove) as error:
        raise BadRequest(str(error)) from None


def _add_advice(question: JsonObject) -> JsonObject:
    from companion.coach import advise

    return {"asked": question, "ranked": advise.answer_question(question)["choices"]}


def _current_question(table: Table, seat: int, hand: list[Card]) -> JsonObject:
    """Return the question that this seat must decide now. Raises Conflict if there is no hint."""
    from companion.coach.cribbage.tables import question_fields

    core = table.core
    setup, state = core.plan.setup, core.past.state
    if setup.options.get("hints") != "on":
        raise Conflict("This game does not allow hints. Start a game with the option hints=on.")
    if core.plan.game.key not in CARDS_DEALT or setup.seats != 2:
        raise Conflict("There are hints for six-card and five-card cribbage with two players only.")
    question: JsonObject = {
        "game": core.plan.game.key, "hand": [str(card) for card in hand], "dealer": seat == state.dealer,
        "scores": [state.scores[seat], state.scores[1 - seat]], "target": state.terms.target,
        **question_fields(state.terms.game_points),
    }  # fmt: skip
    size = state.terms.hand_size
    if state.phase == "cut" and len(hand) == size + 2:
        return {"ask": "discard", **question}
    play = state.deal.play
    if state.phase != "play" or state.turn != seat or len(hand) + len(play.played[seat]) != size:
        raise Conflict("There is a hint for a whole hand before the cut, and in the play when it is your turn.")
    kept = (*play.played[seat], *hand)
    return {
        "ask": "play", **question, "kept": [str(card) for card in kept],
        "discarded": None, "starter": str(state.deal.starter),
        "series": [str(card) for card in play.series], "count": play.count,
        "played": [[str(card) for card in play.played[by]] for by in (seat, 1 - seat)],
        "gone": [by in play.gone for by in (seat, 1 - seat)],
    }  # fmt: skip


@single_flight_cache(_MAX_CACHED_DEALS)
def _describe_deal(day: date) -> dict[str, Any]:
    from companion.coach import advise

    return advise.describe_daily_deal(day.isoformat())


def _parse_day(text: str) -> date:
    """Return the day written as `2026-01-31`. Raises BadRequest for another text or a day without a deal."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise BadRequest(format_message("Ask with date=YYYY-MM-DD, such as date=2026-01-31."))
    if not FIRST_DAY <= day <= LAST_DAY:
        raise BadRequest(
            format_message("There are daily deals from {first} to {last}.", first=FIRST_DAY, last=LAST_DAY)
        )
    return day


def lesson_response() -> Response:
    """Return the page of the lesson after the decisions of `?done=`. Raises BadRequest if they are too many."""
    done = request.args.get("done", "")
    if len(done) > _MAX_LESSON_LENGTH:
        raise BadRequest(format_message("No lesson is that long. Start over."))
    from companion.coach.lesson import replay_lesson

    return json_response(replay_lesson(done.split(".") if done else []))


def count_response() -> Response:
    """Return the points of the cards in the query, and what they are made of."""
    try:
        items = _itemize_query()
    except BadCard as error:
        raise BadRequest(str(error)) from None
    listed = [
        {
            "points": item.points,
            "say": capitalize_message(describe_count([item])),
            "cards": [str(c) for c in item.cards],
        }
        for item in items
    ]
    return json_response({"points": sum_points(items), "say": describe_count(items), "items": listed})


def _itemize_query() -> tuple[ScoringItem, ...]:
    hand, starters = _parse_query_cards("cards"), _parse_query_cards("starter")
    if len(starters) > 1:
        raise BadCard("The starter must be one card, such as 5D.")
    starter, crib = starters[0] if starters else None, _is_crib()
    is_five_card = starter is not None and not crib and len(hand) == _FIVE_CARD_HAND_SIZE
    return itemize_hand(hand, starter, crib=crib, is_five_card=is_five_card)


def _parse_query_cards(name: str) -> tuple[Card, ...]:
    return parse_typed_cards(request.args.get(name, ""))


def _is_crib() -> bool:
    value = request.args.get("crib")
    if value not in (None, "on"):
        raise BadRequest(format_message("Ask with crib=on, or without crib."))
    return value == "on"


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
        return [profile.name for profile in players.seat_players(profiles, 2, 2)]

    def _compute_review(self, table: int, game: int, hand: int, names: list[str]) -> dict[str, Any]:
        from companion.coach.review import RecordedMove, review_game

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
        moves = [RecordedMove(move.n, move.past.move, move.state_before, move.past.state) for move in played]
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
    ends = [n for n, move in enumerate(moves, 1) if move.after.phase == "between"]
    return moves[: ends[-1]] if ends else []


def _review_json(review: "Review", *, with_ranking: bool) -> dict[str, Any]:
    return {
        "choices": [_choice_json(choice, with_ranking=with_ranking) for choice in review.choices],
        "luck": [round(value, 9) for value in review.luck],
        "skill": [round(value, 9) for value in review.skill],
        "missed": review.missed,
        "unknown": review.unknown,
    }


def _choice_json(choice: "ReviewedChoice", *, with_ranking: bool) -> dict[str, Any]:
    body = {
        "n": choice.n, "hand": choice.hand, "seat": choice.seat, "kind": choice.kind, "made": choice.made,
        "best": choice.best, "points_lost": choice.points_lost, "win_lost": choice.win_lost,
        "say": choice.say, "asked": choice.question,
    }  # fmt: skip
    return body | {"ranked": choice.ranked} if with_ranking else body
