"""Practice deals and hints: `/api/train` and `/api/hand/hint` (docs/reference/http.md#practice).

A phone gets hints for its own hand only, and only if the table allows hints.
"""

from random import Random
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, Conflict, NotFound

from companion.common.constants import CARDS_DEALT, DEFAULT_TARGETS
from companion.common.errors import BadCard, BadMove
from companion.http.auth.permissions import Permissions
from companion.http.auth.sessions import browser_mark
from companion.http.requests import parse_query_number
from companion.http.responses import json_response
from companion.i18n import format_message
from companion.opponent.private_hands import PrivateHands
from companion.rules.cards import PACK, Card, parse_typed_cards
from companion.table.table import Table

JsonObject = dict[str, Any]
MAX_SCORE_DIFFERENCE = 30
"""Maximum difference of the scores in a practice deal, in points."""


def practice_routes(permissions: Permissions, table: Table, hands: PrivateHands) -> Blueprint:
    """Return the routes."""
    routes = Blueprint("practice", __name__, url_prefix="/api")

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

    def get_hint() -> Response:
        mark = browser_mark(permissions.cookie_value(request))
        held = hands.remaining_hand(mark) if permissions.is_player(request) else None
        seat = hands.seat_of(mark)
        if held is None or seat is None:
            raise NotFound("Take a seat first.")
        return json_response(_add_advice(_current_question(table, seat, held)))

    routes.add_url_rule("/train", "train", get_practice_deal)
    routes.add_url_rule("/hand/hint", "own_hint", get_hint)
    return routes


def deal_practice_hand(game: str, seed: int) -> JsonObject:
    """Return the question of `companion advise` with this number: a hand and two scores."""
    random = Random(f"{game} {seed}")
    target = DEFAULT_TARGETS[game]
    own = random.randrange(target)
    other = min(target - 1, max(0, own + random.randint(-MAX_SCORE_DIFFERENCE, MAX_SCORE_DIFFERENCE)))
    hand = sorted(random.sample(PACK, CARDS_DEALT[game]))
    return {
        "ask": "discard", "game": game, "hand": [str(each) for each in hand], "dealer": random.random() < 0.5,
        "scores": [own, other], "target": target,
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
    from companion.coach import advise  # noqa: PLC0415 - the table starts without the coach

    return {"asked": question, "ranked": advise.answer_question(question)["choices"]}


def _current_question(table: Table, seat: int, held: list[Card]) -> JsonObject:
    """Return the question that this seat must decide now. Raises Conflict if there is no hint."""
    from companion.coach.cribbage.objective import question_fields  # noqa: PLC0415 - the table starts without the coach

    core = table.core
    setup, state = core.plan.setup, core.past.state
    if setup.options.get("hints") != "on":
        raise Conflict("This game does not allow hints. Start a game with the option hints=on.")
    if core.plan.game.key not in CARDS_DEALT or setup.seats != 2:
        raise Conflict("There are hints for six-card and five-card cribbage with two players only.")
    question: JsonObject = {
        "game": core.plan.game.key, "hand": [str(each) for each in held], "dealer": seat == state.dealer,
        "scores": [state.scores[seat], state.scores[1 - seat]], "target": state.terms.target,
        **question_fields(state.terms.game_points),
    }  # fmt: skip
    size = state.terms.hand_size
    if state.phase == "cut" and len(held) == size + 2:
        return {"ask": "discard", **question}
    play = state.deal.play
    if state.phase != "play" or state.turn != seat or len(held) + len(play.played[seat]) != size:
        raise Conflict("There is a hint for a whole hand before the cut, and in the play when it is your turn.")
    kept = (*play.played[seat], *held)
    return {
        "ask": "play", **question, "kept": [str(each) for each in kept],
        "discarded": None, "starter": str(state.deal.starter),
        "series": [str(each) for each in play.series], "count": play.count,
        "played": [[str(each) for each in play.played[by]] for by in (seat, 1 - seat)],
        "gone": [by in play.gone for by in (seat, 1 - seat)],
    }  # fmt: skip
