"""Letters that are lost, doubled and late, and programs that end at any moment.

The guest always has the beginning of the host's game, and in the end all of it.
"""

import contextlib
from random import Random

import pytest

from companion.common.errors import CompanionError
from companion.remote import dealer, messages
from companion.remote.guest import Visiting
from companion.remote.host import Hosting
from companion.rules.moves import Adjust, Next, Undo

from .conftest import ANN, BOB, Side


class Desk(Side):
    """A table whose letters are carried by hand."""

    def talks(self):
        self.talk = (Visiting if self.seat else Hosting)(self.tables)
        self.wrote = getattr(self, "wrote", {"game": [], "deal": []})

    def close(self):
        self.table.close()

    def turn(self):
        """Do what is to be done, and write to the other."""
        self.talk.turn()
        if not self.talk.why:
            self.dealing.turn(self.talk.run, self.talk.log)
        for what, text in (("game", messages.write(self.talk.letter())), ("deal", self.dealing.letter())):
            if text and text not in self.wrote[what][-1:]:
                self.wrote[what].append(text)

    def hear(self, what, text):
        if what == "game":
            self.talk.heard(messages.read(text.encode()))
        else:
            self.dealing.heard(text.encode())

    def act(self, chance):
        """Whatever a person may do, sensible or not."""
        with contextlib.suppress(CompanionError):
            if self.now["phase"] == "cut":
                self.hands.enter("phone", self.cards[:4])
            elif chance.random() < 0.1:
                self.table.submit(chance.choice([Undo(), Adjust(self.seat, 1), Adjust(1 - self.seat, 2)]))
            elif self.now["phase"] == "play":
                self.play()
            else:
                self.table.submit(Next())


@pytest.fixture
def desks(tmp_path, small_keys, monkeypatch):
    monkeypatch.setattr(dealer, "TAKEN_BACK_S", 0)
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
    """Now all letters come."""
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
    assert not bob.table.core.waiting
    assert not ann.talk.why + bob.talk.why
    assert not {*ann.dealing._deal.hand} & {*bob.dealing._deal.hand}
