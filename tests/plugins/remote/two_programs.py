"""Two real programs that play one game over a broker, each with a phone and a hand that moves pegs."""

import json
import sqlite3
from contextlib import closing

from companion.plugins.remote.invitation import Invitation
from companion.rules.cards import parse_card
from tests.end_to_end.conftest import Program
from tests.support.waiting import wait_until

NAMES = ("ann", "bob")
SECRET = bytes(range(16))
LINK = Invitation("home", "ann", SECRET).link
JSON = {"Content-Type": "application/json"}


class Player:
    """The player at one of the two tables. Ann (seat 0) invites, Bob (seat 1) joins."""

    def __init__(self, seat, folder, url, *flags):
        self.seat, self.folder = seat, folder / NAMES[seat]
        self._words = (
            *(("--join", LINK) if seat else ("--invite", "bob")), "--set", f"report.board={NAMES[seat]}",
            "--set", f"report.brokers={url}", "--set", "quiet_ms=40", *flags,
        )  # fmt: skip
        self.folder.mkdir(exist_ok=True)
        (self.folder / "journal.afar").write_text(json.dumps({} if seat else {"secret to bob": SECRET.hex()}))
        self.start()

    def start(self):
        """Start or restart the program, and take a seat with a phone."""
        self.table = Program(self.folder, *self._words).join()
        self.table.until(lambda now: now["devices"].get("sensors", {}).get("ok"))
        self.table.post("/api/seat", 201, seat=self.seat)

    def kill(self):
        """Kill the program like `kill -9`."""
        self.table.kill()

    def close(self):
        self.table.end()

    @property
    def now(self):
        return self.table.state

    @property
    def cards(self):
        """The cards on the phone."""
        return self.table.get("/api/hand")["cards"]

    def moves(self):
        """Return the moves of the current game from the journal."""
        with closing(sqlite3.connect(f"file:{self.folder}/journal.sqlite3?mode=ro", uri=True)) as db:
            asked = "SELECT by, body FROM entry WHERE game = (SELECT max(id) FROM game) AND kind = 'move' ORDER BY id"
            return [(by, json.loads(body)) for by, body in db.execute(asked)]

    def tries(self, path, told):
        """Send a request from the phone. Return whether it is accepted."""
        return self.table.ask("POST", path, json.dumps(told), JSON)[0] == 201

    def act(self):
        """Do what is this player's turn to do, if anything."""
        now, cards = self.now, self.cards
        if now["phase"] == "cut" and len(cards) == 6:
            self.tries("/api/hand", {"cards": cards[:4]})
        elif now["phase"] == "play" and now["turn"] == self.seat:
            fitting = [each for each in cards if now["count"] + parse_card(each).value <= 31]
            move = {"type": "play", "card": fitting[0]} if fitting else {"type": "go"}
            self.tries("/api/moves", {"seat": self.seat} | move)
        elif now["phase"] == "between" and now["dealer"] == self.seat:
            self.tries("/api/moves", {"type": "next"})

    def peg(self):
        """Move each peg to its lit hole, own and other, until none is due."""
        wait_until(lambda: not self.now["dues"] or self._peg(self.now["advice"]))

    def _peg(self, advice):
        standing = self.table.occupied_holes()
        for each in advice:
            if each.get("lift") in standing and each["place"] not in standing:
                self.table.peg(each["lift"], each["place"])


def fronts(player):
    """Return the numbers of the front pegs' holes."""
    return [
        int(found) if (found := each["front"].rpartition("-")[2]) and "start" not in each["front"] else 0
        for each in player.now["pegs"]
    ]
