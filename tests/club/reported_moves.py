"""The messages of a board for a game of pegs-only."""

import json

from companion.club.archive import BoardId
from companion.protocol.json_codec import to_json_value, write_move
from companion.rules import GAMES, Setup, begin_game
from companion.rules.engine import advance
from companion.rules.moves import Peg

PEGS_ONLY = next(game for game in GAMES if game.key == "pegs-only")
BOARD = BoardId("north", "table-3")
BELOW = "cribbage/1/north/table-3"
WIN = [Peg(0, 10), *[Peg(1, 28)] * 4, Peg(1, 9)]


def report_moves(moves, run="r1"):
    """Return topics and payloads of the messages for these moves."""
    past = begin_game(PEGS_ONLY, Setup(2))
    game = {"key": "pegs-only", "seats": 2, "options": {}, "dealer": 0}
    players = [{"seat": 0, "side": 0, "name": "Ann"}, {"seat": 1, "side": 1, "name": "Bob"}]
    state = {"run": run, "moves": len(moves), "game": game, "players": players, "scores": [0, 0], "phase": "play",
             "winner": None}  # fmt: skip
    lines = [(f"{BELOW}/online", "1"), (f"{BELOW}/state", json.dumps(state))]
    for n, move in enumerate(moves, 1):
        past, step = advance(PEGS_ONLY, past, move)
        body = {"run": run, "n": n, "ms": 1000 + n, "by": "phone", "move": write_move(move), "hash": f"h{n}",
                "awards": to_json_value(step.awards), "scores": list(past.state.scores)}  # fmt: skip
        lines.append((f"{BELOW}/move/{run}/{n}", json.dumps(body)))
    return lines


def send_messages(archive, lines):
    for topic, payload in lines:
        archive.handle_message(topic, payload.encode())
    return archive.commit()
