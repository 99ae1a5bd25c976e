"""Two real programs that play one game over a broker, and the people at them."""

import json
import sqlite3
import time

from end_to_end.conftest import Program

NAMES = ("ann", "bob")


class Player:
    """Who sits at one of the two tables, with a phone and a board."""

    def __init__(self, seat, folder, broker, *flags):
        self.seat, self.folder, self.flags = seat, folder, flags
        own, other = NAMES[seat], NAMES[1 - seat]
        self.words = (
            f"--{'join' if seat else 'invite'}", other, "--set", f"report.board={own}", "--set",
            f"report.brokers={broker}", "--set", "quiet_ms=40", *flags,
        )  # fmt: skip
        self.start()

    def start(self):
        self.table = Program(self.folder, *self.words).greeted()
        self.table.post("/api/seat", 201, seat=self.seat)

    def kill(self):
        self.table.kill()

    @property
    def now(self):
        return self.table.state

    @property
    def cards(self):
        return self.table.get("/api/hand")["cards"]

    @property
    def say(self):
        return self.now["devices"]["remote"]["say"]

    def moves(self):
        """The moves of the game that is on, as the journal has them."""
        with sqlite3.connect(f"file:{self.folder}/journal.sqlite3?mode=ro", uri=True) as db:
            asked = "SELECT by, body FROM entry WHERE game = (SELECT max(id) FROM game) AND kind = 'move' ORDER BY id"
            return [(by, json.loads(body)) for by, body in db.execute(asked)]

    def act(self):
        """Do what is this player's to do now; whether there was something."""
        now = self.now
        if now["phase"] == "cut":
            cards = self.cards
            if len(cards) != 6:
                return False
            self.table.post("/api/hand", 201, cards=cards[:4])
            return True
        if now["phase"] == "play" and now["turn"] == self.seat:
            cards = self.cards
            fitting = [card for card in cards if now["count"] + worth(card) <= 31]
            move = {"type": "play", "card": fitting[0]} if fitting else {"type": "go"}
            status, _, _ = self.table.ask(
                "POST", "/api/moves", json.dumps(move | {"seat": self.seat}), {"Content-Type": "application/json"}
            )
            return status == 201
        return False

    def peg(self):
        """Move all pegs to where they are lit, one's own and the other's."""
        return self.table.peg_dues()

    def close(self):
        self.table.end()


def worth(card):
    return 10 if card[0] in "TJQK" else 1 if card[0] == "A" else int(card[0])


def play(players, until, seconds=120):
    """Both play on until this is true of both snapshots."""
    end = time.monotonic() + seconds
    while not all(until(each.now) for each in players):
        assert time.monotonic() < end, [each.now for each in players]
        for each in players:
            each.act()
        if players[0].now["phase"] == "between":
            players[0].table.ask("POST", "/api/moves", '{"type":"next"}', {"Content-Type": "application/json"})
        time.sleep(0.02)
