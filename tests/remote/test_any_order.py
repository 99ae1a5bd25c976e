"""Lost, duplicate and late messages, and programs that end at any moment.

The guest always has a prefix of the host's game, and in the end all of it.
"""

import contextlib
from random import Random

import pytest

from companion.common.errors import CompanionError
from companion.remote import dealer, messages
from companion.remote.guest import GameGuest
from companion.remote.host import GameHost
from companion.rules.moves import Adjust, Next, Undo

from .conftest import ANN, BOB, Side


class Desk(Side):
    """A table whose messages are carried by the test."""

    def talks(self):
        self.talk = (GameGuest if self.seat else GameHost)(self.tables)
        self.wrote = getattr(self, "wrote", {"game": [], "deal": []})

    def close(self):
        self.table.close()

    def turn(self):
        """Advance the game and collect the messages to send."""
        self.talk.advance_game()
        if not self.talk.why:
            self.dealing.advance_deal(self.talk.run, self.talk.log)
        for what, text in (
            ("game", messages.format_game_message(self.talk.build_message())),
            ("deal", self.dealing.build_message()),
        ):
            if text and text not in self.wrote[what][-1:]:
                self.wrote[what].append(text)

    def hear(self, what, text):
        if what == "game":
            self.talk.on_message(messages.parse_game_message(text.encode()))
        else:
            self.dealing.on_message(text.encode())

    def act(self, chance):
        """Do what a person might do, sensible or not."""
        with contextlib.suppress(CompanionError):
            if self.now["phase"] == "cut":
                self.hands.enter_hand("phone", self.cards[:4])
            elif chance.random() < 0.1:
                self.table.submit(chance.choice([Undo(), Adjust(self.seat, 1), Adjust(1 - self.seat, 2)]))
            elif self.now["phase"] == "play":
                self.play()
            else:
                self.table.submit(Next())


@pytest.fixture
def desks(tmp_path, small_keys, monkeypatch):
    monkeypatch.setattr(dealer, "UNDO_PAUSE_S", 0)
    with contextlib.ExitStack() as closing:
        made = [Desk(tmp_path, seat, "mqtt://localhost") for seat in (ANN, BOB)]
        for each in made:
            closing.callback(each.close)
        yield made


def is_beginning(desks):
    ann, bob = desks
    made = bob.moves if bob.talk.run else []
    return ann.moves[: len(made)] == made


def run(desks, chance, steps):
    for step in range(steps):
        one = chance.choice(desks)
        other = desks[1 - one.seat]
        one.act(chance)
        if step % 40 == 39:
            one.close()
            one.open()
        one.turn()
        for what, wrote in other.wrote.items():
            if wrote and chance.random() < 0.8:  # or none comes at all
                one.hear(what, wrote[-1] if chance.random() < 0.8 else chance.choice(wrote))
        one.turn()
        assert is_beginning(desks)


def settle(desks):
    """Deliver all messages."""
    ann, bob = desks
    for _ in range(60):
        for one, other in ((ann, bob), (bob, ann)):
            one.turn()
            for what, wrote in other.wrote.items():
                if wrote:
                    one.hear(what, wrote[-1])
            one.turn()


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 8))])
def test_whatever_becomes_of_letters_both_have_one_game(desks, seed):
    run(desks, Random(seed), 300)
    settle(desks)
    ann, bob = desks
    assert ann.moves == bob.moves
    assert len(ann.moves) > 20
    assert not bob.table.core.requested_moves
    assert not ann.talk.why + bob.talk.why
    assert not {*ann.dealing._deal.hand} & {*bob.dealing._deal.hand}
