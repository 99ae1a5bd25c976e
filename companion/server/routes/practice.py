"""Practice and hints over HTTP: deals to practise on, advice for one's own hand (docs/reference/http.md#practice).

A hint goes to the phone that asked, about the hand that this phone keeps, and only where the table allows hints.
"""

from random import Random
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, Conflict, NotFound

from companion.coach import advise, questions
from companion.coach.advise import JsonObject
from companion.coach.cribbage import tables
from companion.opponent.private_hands import PrivateHands
from companion.rules.cards import PACK, Card
from companion.server.auth.permissions import Permissions
from companion.server.auth.sessions import browser_mark
from companion.server.responses import json_response
from companion.server.routes.history import parse_query_number
from companion.table.table import Table

MAX_SCORE_DIFFERENCE = 30
"""Scores of a deal to practise on are at most so far apart."""


def practice_routes(rights: Permissions, table: Table, hands: PrivateHands) -> Blueprint:
    """The routes `/api/train` and `/api/hand/hint`."""
    routes = Blueprint("practice", __name__, url_prefix="/api")

    def get_practice_deal() -> Response:
        if "seed" not in request.args:
            raise BadRequest("Ask with seed=N, a whole number from 0: it says which deal.")
        game, seed = request.args.get("game", "six-card"), parse_query_number("seed", 0)
        if game not in tables.CARDS_DEALT:
            raise BadRequest(f"There are deals to practise {' and '.join(tables.CARDS_DEALT)}.")
        return json_response({"seed": seed, **_add_advice(deal_practice_hand(game, seed))})

    def get_hint() -> Response:
        mark = browser_mark(rights.cookie_value(request))
        held = hands.remaining_hand(mark) if rights.is_player(request) else None
        seat = hands.seat_of(mark)
        if held is None or seat is None:
            raise NotFound("This browser has no seat of its own.")
        return json_response(_add_advice(_current_question(table, seat, held)))

    routes.add_url_rule("/train", "train", get_practice_deal)
    routes.add_url_rule("/hand/hint", "own_hint", get_hint)
    return routes


def deal_practice_hand(game: str, seed: int) -> JsonObject:
    """The question of `companion advise` that belongs to this seed: a hand, and scores as they may be."""
    chance = Random(f"{game} {seed}")
    target = questions.DEFAULT_TARGETS[game]
    own = chance.randrange(target)
    other = min(target - 1, max(0, own + chance.randint(-MAX_SCORE_DIFFERENCE, MAX_SCORE_DIFFERENCE)))
    hand = sorted(chance.sample(PACK, tables.CARDS_DEALT[game]))
    return {
        "ask": "discard", "game": game, "hand": [str(each) for each in hand], "dealer": chance.random() < 0.5,
        "scores": [own, other], "target": target,
    }  # fmt: skip


def _add_advice(asked: JsonObject) -> dict[str, Any]:
    return {"asked": asked, "ranked": advise.answer_question(asked)["choices"]}


def _current_question(table: Table, seat: int, held: list[Card]) -> JsonObject:
    """What this seat is asked now. Raises Conflict where there is no hint."""
    core = table.core
    setup, state = core.plan.setup, core.past.state
    if setup.options.get("hints") != "on":
        raise Conflict("This table allows no hints: it was begun without the option hints=on.")
    if core.plan.game.key not in tables.CARDS_DEALT or setup.seats != 2:
        raise Conflict("The coach knows six-card and five-card cribbage of two players, no other game.")
    asked: JsonObject = {
        "game": core.plan.game.key, "hand": [str(each) for each in held], "dealer": seat == state.dealer,
        "scores": [state.scores[seat], state.scores[1 - seat]], "target": state.terms.target,
    }  # fmt: skip
    size = state.terms.hand_size
    if state.phase == "cut" and len(held) == size + 2:
        return {"ask": "discard", **asked}
    laid = state.deal.play
    if state.phase != "play" or state.turn != seat or len(held) + len(laid.played[seat]) != size:
        raise Conflict("There is a hint before the cut for a whole hand, and in the play when it is your turn.")
    kept = (*laid.played[seat], *held)
    return {
        "ask": "play", **asked, "kept": [str(each) for each in kept],
        "discarded": None, "starter": str(state.deal.starter),
        "series": [str(each) for each in laid.series], "count": laid.count,
        "played": [[str(each) for each in laid.played[by]] for by in (seat, 1 - seat)],
        "gone": [by in laid.gone for by in (seat, 1 - seat)],
    }  # fmt: skip
