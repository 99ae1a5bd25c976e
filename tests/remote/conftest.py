"""Two tables in one program that play one game over a real broker."""

import contextlib
import socket
import threading
import time

import pytest
from brokers import broker, listens, until

from companion.journal.journal import Journal
from companion.opponent.private_hands import Hands
from companion.remote import afar, card_crypto
from companion.remote.dealer import Dealing
from companion.remote.session import Seat
from companion.rules.moves import Go, Play
from companion.settings import Settings, changed
from companion.table import resume
from companion.table.game_switcher import NoDevices, Tables
from companion.table.setup import plan
from companion.table.state import begin
from companion.table.table import Table

__all__ = ["broker", "listens"]
ANN, BOB = 0, 1
NAMES = ("ann", "bob")


class Side:
    """One of the two tables, on a plain board, and who sits there."""

    def __init__(self, folder, seat, url, key="six-card", attached=None):
        self.seat, self.path = seat, folder / f"{NAMES[seat]}.sqlite3"
        named = {"remote.join" if seat else "remote.invite": NAMES[1 - seat], "sensors": "none:"}
        self.settings = changed(Settings(), named | {"report.board": NAMES[seat], "report.brokers": url})
        self._key, self._attached = key, attached
        self.open()

    def open(self):
        """Begin, or go on after an end."""
        far, journal = afar(self.settings), Journal(self.path)
        if journal.game is None:
            made = plan(self._key)
            core = begin(resume.replace(made, afar=far), self.settings)
            journal.begin(core.plan.given)
        else:
            core = resume.resumed(journal.last_game(), self.settings)
        self.table = Table(core, journal, lambda: time.monotonic_ns() // 1_000_000, run=f"{self.seat}")
        devices = NoDevices()
        devices.attached = self._attached
        self.tables, self.hands = Tables(self.table, devices), Hands(self.table)
        self.tables.afar = far
        self.hands.sit("phone", self.seat)
        self.dealing = Dealing(self.table, self.hands, self.path.with_suffix(".afar"))
        self.talks()

    def talks(self):
        """Begin to talk with the other table."""
        self.talk = Seat(self.tables, self.dealing, self.settings.report)

    def close(self):
        self.talk.close()
        self.table.close()

    @property
    def now(self):
        return self.table.snapshot.view

    @property
    def say(self):
        return str(self.table.snapshot.devices["remote"].say)

    @property
    def notices(self):
        return [str(each.say) for each in self.table.snapshot.notices]

    @property
    def cards(self):
        return self.hands.hand("phone")

    @property
    def moves(self):
        """The moves of the game that is on."""
        written = self.table.journal.written(self.table.journal.game)
        return [(each.entry.by, each.entry.body) for each in written if each.entry.kind == "move"]

    def lay_away(self):
        """Keep the first four, once they are dealt."""
        until(lambda: len(self.cards) > 4)
        self.hands.enter("phone", self.cards[: self.table.core.past.state.terms.size])

    def play(self):
        """Play the first card that fits, or say go."""
        count = self.now["count"]
        fitting = [each for each in self.cards if each.value + count <= 31]
        self.table.submit(Play(self.seat, fitting[0]) if fitting else Go(self.seat))


class Game:
    """Both tables."""

    def __init__(self, ann, bob):
        self.ann, self.bob = self.both = ann, bob

    def agree(self):
        """Wait until both have all that either has; those moves."""

        def same():
            return self.ann.moves == self.bob.moves and not self.bob.table.core.waiting and self.is_begun()

        until(same)
        return self.ann.moves

    def is_begun(self):
        """Whether the guest is at the host's game."""
        return bool(self.bob.table.core.plan.afar.run)

    def cut(self):
        """Both lay away, and the starter is cut."""
        for each in self.both:
            each.lay_away()
        until(lambda: all(each.now["phase"] == "play" for each in self.both))

    def on_turn(self):
        """Who is to play, once both tables agree; None where nobody is."""
        self.agree()
        return self.both[self.ann.now["turn"]] if self.ann.now["phase"] == "play" else None

    def play_deal(self):
        """From the cut to the end of the deal."""
        self.cut()
        return self.play_on()

    def play_on(self):
        """To the end of the deal."""
        while (player := self.on_turn()) is not None:
            player.play()
        until(lambda: all(each.now["phase"] in ("between", "over") for each in self.both))
        return self.agree()


class Cable:
    """A way to the broker that can be cut: then nothing arrives, and nobody is told that it does not."""

    def __init__(self, port):
        self._port, self.is_cut = port, False
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"mqtt://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                near = self._listening.accept()[0]
                far = socket.create_connection(("127.0.0.1", self._port))
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one, other):
        was_cut = False
        with contextlib.suppress(OSError), one, other:
            while (data := one.recv(65536)) and not (was_cut and not self.is_cut):  # who was cut off begins anew
                was_cut = self.is_cut
                if not self.is_cut:
                    other.sendall(data)

    def close(self):
        self._listening.close()


@pytest.fixture
def small_keys(monkeypatch):
    """A prime of the same kind that is quick to reckon with, and hides nothing from who reckons too."""
    monkeypatch.setattr(card_crypto, "PRIME", 219696744652113973279370777339351347463)
    monkeypatch.setattr(card_crypto, "SQUARES", card_crypto.PRIME // 2)
    monkeypatch.setattr(card_crypto, "NUMBERS", {each: card_crypto._number(each) for each in card_crypto.NUMBERS})
    monkeypatch.setattr(card_crypto, "CARDS", {number: each for each, number in card_crypto.NUMBERS.items()})


@pytest.fixture
def at(broker):
    """The broker at which they meet."""
    return broker()


@pytest.fixture
def game(at, tmp_path, small_keys):
    """A game that has begun."""
    with contextlib.ExitStack() as closing:
        sides = []
        for seat in (ANN, BOB):
            sides.append(Side(tmp_path, seat, at.url))
            closing.callback(sides[seat].close)
        made = Game(*sides)
        until(made.is_begun)
        yield made
