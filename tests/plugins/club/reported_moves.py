"""The messages of a board for a game of pegs-only."""

import json
import time

from companion.plugins.club.messages import BoardId
from companion.protocol.json_codec import to_json_value, write_move
from companion.rules import GAMES, Setup, begin_game
from companion.rules.engine import advance
from companion.rules.moves import Peg, Undo

PEGS_ONLY = next(game for game in GAMES if game.key == "pegs-only")
BOARD = BoardId("north", "table-3")
BELOW = "cribbage/1/north/table-3"
WIN = [Peg(0, 10), *[Peg(1, 28)] * 4, Peg(1, 9)]


LATER_MS = time.time_ns() // 1_000_000 + 3_600_000
LOSS = [Peg(1, 10), *[Peg(0, 28)] * 4, Peg(0, 9)]


def report_moves(moves, run="r1", *, below=BELOW, names=("Ann", "Bob"), ms=1000):
    """Return topics and payloads of the messages for these moves, the first at 1 ms after `ms`."""
    past = begin_game(PEGS_ONLY, Setup(2))
    game = {"key": "pegs-only", "seats": 2, "options": {}, "dealer": 0}
    players = [{"seat": seat, "side": seat, "name": name} for seat, name in enumerate(names)]
    state = {"run": run, "moves": len(moves), "game": game, "players": players, "scores": [0, 0], "phase": "play",
             "winner": None}  # fmt: skip
    lines = [(f"{below}/online", "1"), (f"{below}/state", json.dumps(state))]
    for n, move in enumerate(moves, 1):
        past, step = advance(PEGS_ONLY, past, move)
        body = {"run": run, "n": n, "ms": ms + n, "by": "phone", "move": write_move(move), "hash": f"h{n}",
                "awards": [] if isinstance(move, Undo) else to_json_value(step.awards),
                "scores": list(past.state.scores)}  # fmt: skip
        lines.append((f"{below}/move/{run}/{n}", json.dumps(body)))
    return lines


def report_later(moves, run="r1", **more):
    """Return the messages of a game that begins after the rounds of the test are paired."""
    return report_moves(moves, run, ms=LATER_MS, **more)


def send_messages(archive, lines):
    for topic, payload in lines:
        archive.handle_message(topic, payload.encode())
    return archive.commit()
