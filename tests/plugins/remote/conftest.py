"""Fixtures: two tables in one process that play one game over a real broker."""

import contextlib
import json
import time
from dataclasses import replace
from random import Random

import pytest

from companion.common.files import PrivateValues
from companion.journal.journal import Journal
from companion.opponent.private_hands import PrivateHands
from companion.plugins.remote import dealer, messages
from companion.plugins.remote.dealer import RemoteDealer
from companion.plugins.remote.game import GameGuest, GameHost
from companion.plugins.remote.invitation import Invitation, find_remote_peer
from companion.plugins.remote.messages import MessageRefused, SecureChannel
from companion.plugins.remote.session import start_remote_session
from companion.rules.moves import Go, Play
from companion.settings import Settings, apply_values
from companion.table import inputs, resume
from companion.table.game_switcher import BoardDevices, GameSwitcher
from companion.table.setup import create_plan
from companion.table.state import create_core
from companion.table.table import Table
from tests.support.brokers import broker, subscribe
from tests.support.waiting import PATIENCE_S, wait_until

__all__ = ["broker", "subscribe"]
ANN, BOB = 0, 1
SEED = "two tables"
"""Seed of the cards of both tables."""
NAMES = ("ann", "bob")
SECRET = bytes(range(16))
LINK = Invitation("home", "ann", SECRET).link


class Side:
    """One of the two tables, on a plain board, with its player."""

    def __init__(self, folder, seat, url, key="six-card", attached=None, seed=SEED):
        self.chance = Random(f"{seed} {seat}")
        self.seat, self.path = seat, folder / f"{NAMES[seat]}.sqlite3"
        named = {"remote.join": LINK} if seat else {"remote.invite": "bob"}
        named |= {"sensors": "none:"}
        if not seat:
            self.secrets.write_text(json.dumps({"secret to bob": SECRET.hex()}))
        self.settings = apply_values(Settings(), named | {"report.board": NAMES[seat], "report.brokers": url})
        self._key, self._attached = key, attached
        self.open()

    @property
    def secrets(self):
        """Return the path of this table's file of secrets."""
        return self.path.with_suffix(".afar")

    def open(self):
        """Start, or resume after `close`."""
        far, journal = find_remote_peer(self.settings), Journal(self.path)
        if journal.game_id is None:
            made = create_plan(self._key)
            core = create_core(resume.replace(made, remote_table=far), self.settings)
            journal.begin_game(core.plan.journal_json)
        else:
            core = resume.resume_game(journal.last_game(), self.settings)
        self.table = Table(core, journal, lambda: time.monotonic_ns() // 1_000_000, run=f"{self.seat}")
        devices = BoardDevices()
        devices.attached_board = self._attached
        self.tables, self.hands = GameSwitcher(self.table, devices), PrivateHands(self.table)
        self.tables.remote_table = far
        self.hands.bind_seat("phone", self.seat)
        self.start_session()

    def start_session(self):
        """Start the session with the other table."""
        self.talk = start_remote_session(self.tables, self.hands, self.settings, self.secrets, self.chance)
        self.dealing = self.talk._dealer

    def close(self):
        self.talk.close()
        for thread in self.talk._threads:  # on a busy machine it would still write its secrets
            thread.join(PATIENCE_S)
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
        return self.hands.remaining_hand("phone")

    @property
    def moves(self):
        """Return the moves of the current game as (by, body)."""
        with self.table.locked():  # the journal has a move before the snapshot shows it
            written = self.table.journal.read_entries(self.table.journal.game_id)
        return [(each.entry.by, each.entry.body) for each in written if each.entry.kind == "move"]

    def discard_cards(self):
        """Wait for the deal and keep the first four cards."""
        wait_until(lambda: len(self.cards) > 4)
        self.hands.enter_hand("phone", self.cards[: self.table.core.past.state.terms.hand_size])

    def play(self):
        """Play the first card that fits, or say go."""
        count = self.now["count"]
        fitting = [each for each in self.cards if each.value + count <= 31]
        self.table.submit(Play(self.seat, fitting[0]) if fitting else Go(self.seat))


class Desk(Side):
    """A table whose messages are delivered by the test. `wrote` are its sealed messages."""

    wrote = ()
    change = staticmethod(lambda message: message)
    """Changes each message, as a manipulated program would."""

    def start_session(self):
        saved = PrivateValues(self.secrets)
        self.channel = SecureChannel(saved, SECRET, is_host=not self.seat)
        self.dealing = RemoteDealer(self.table, self.hands, saved, self.chance)
        self.talk = (GameGuest if self.seat else GameHost)(self.tables, self.dealing)

    def close(self):
        self.table.close()

    def turn(self):
        """Advance the game, and write a message if it is new. Return the last message, unsealed."""
        self.talk.advance_game()
        if not self.talk.why:
            self.dealing.advance_deal(self.talk.run, self.talk.log)
        message = self.change(replace(self.talk.build_message(), deals=self.dealing.state_deals()))
        text = messages.format_game_message(message)
        if text != getattr(self, "said", ""):
            self.said, self.wrote = text, [*self.wrote, self.channel.seal("game", text)]
        return message

    def hear(self, sealed):
        """Read a message of the other table. A refused one changes nothing."""
        with contextlib.suppress(MessageRefused):
            message = messages.parse_game_message(self.channel.open("game", sealed.encode()))
            self.talk.peer = self.dealing.peer = message

    def force(self, move):
        """Make a move as a manipulated program would."""
        self.table.request({"tick": True}, lambda core, now_ms: inputs.apply_ordered_move(core, move, "phone", now_ms))

    def own_message(self):
        """Return the last written message, unsealed."""
        return messages.parse_game_message(self.said.encode())


def carry(desks, rounds=6):
    """Deliver the newest message of each table, in both directions."""
    for _ in range(rounds):
        for one, other in (desks, desks[::-1]):
            one.turn()
            if other.wrote:
                one.hear(other.wrote[-1])
            one.turn()


class Game:
    """A game of two tables."""

    def __init__(self, ann, bob):
        self.ann, self.bob = self.both = ann, bob

    def agree(self):
        """Wait until both tables have the same moves. Return them."""

        def has_same_moves():
            return self.ann.moves == self.bob.moves and not self.bob.table.core.requested_moves and self.is_begun()

        wait_until(has_same_moves)
        return self.ann.moves

    def is_begun(self):
        """Return whether the guest has opened the host's game."""
        return bool(self.bob.table.core.plan.remote_table.run)

    def cut(self):
        """Both players discard, and the starter is cut."""
        for each in self.both:
            each.discard_cards()
        wait_until(lambda: all(each.now["phase"] == "play" for each in self.both))

    def on_turn(self):
        """Return the side whose turn it is, once both agree; None after the play."""
        self.agree()
        return self.both[self.ann.now["turn"]] if self.ann.now["phase"] == "play" else None

    def play_deal(self):
        """Play from the discard to the end of the deal."""
        self.cut()
        return self.play_on()

    def play_on(self):
        """Play to the end of the deal."""
        while (player := self.on_turn()) is not None:
            player.play()
        wait_until(lambda: all(each.now["phase"] in ("between", "over") for each in self.both))
        return self.agree()


@pytest.fixture
def at(broker):
    """Return the broker of both tables."""
    return broker()


@pytest.fixture
def game(at, tmp_path):
    """Return a game that has begun."""
    with contextlib.ExitStack() as closing:
        sides = []
        for seat in (ANN, BOB):
            sides.append(Side(tmp_path, seat, at.url))
            closing.callback(sides[seat].close)
        made = Game(*sides)
        wait_until(made.is_begun)
        yield made


@pytest.fixture
def desks(tmp_path, monkeypatch):
    """Return two tables that have begun a game, whose messages are delivered by the test."""
    monkeypatch.setattr(dealer, "UNDO_PAUSE_S", 0)
    monkeypatch.setattr("companion.plugins.remote.game.MIN_GAME_INTERVAL_S", 0)
    with contextlib.ExitStack() as closing:
        made = [Desk(tmp_path, seat, "mqtt://localhost") for seat in (ANN, BOB)]
        for each in made:
            closing.callback(each.close)
        yield made
