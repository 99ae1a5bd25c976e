"""Lost, duplicate and late messages, and programs that end at any moment.

The guest always has a prefix of the host's game, and in the end all of it.
"""

import contextlib
from random import Random

import pytest

from companion.common.errors import CompanionError
from companion.rules.moves import Adjust, Next, Undo

from .conftest import carry


def act(desk, chance):
    """Do what a person might do, sensible or not."""
    with contextlib.suppress(CompanionError):
        if desk.now["phase"] == "cut":
            desk.hands.enter_hand("phone", desk.cards[:4])
        elif chance.random() < 0.1:
            desk.table.submit(chance.choice([Undo(), Adjust(desk.seat, 1), Adjust(1 - desk.seat, 2)]))
        elif desk.now["phase"] == "play":
            desk.play()
        else:
            desk.table.submit(Next())


def is_beginning(desks):
    ann, bob = desks
    made = bob.moves if bob.talk.run else []
    return ann.moves[: len(made)] == made


def run(desks, chance, steps):
    for step in range(steps):
        one = chance.choice(desks)
        other = desks[1 - one.seat]
        act(one, chance)
        if step % 40 == 39:
            one.close()
            one.open()
        one.turn()
        if other.wrote and chance.random() < 0.8:  # or none comes at all
            one.hear(other.wrote[-1] if chance.random() < 0.8 else chance.choice(other.wrote))
        one.turn()
        assert is_beginning(desks)


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 8))])
def test_whatever_becomes_of_letters_both_have_one_game(desks, seed):
    run(desks, Random(seed), 300)
    carry(desks, 60)
    ann, bob = desks
    assert ann.moves == bob.moves
    assert len(ann.moves) > 20
    assert not bob.table.core.requested_moves
    assert not ann.talk.why + bob.talk.why
    assert not {*ann.dealing.deal.hand} & {*bob.dealing.deal.hand}
    checked = [each.verdict for desk in desks for each in desk.dealing._deals.values() if each.verdict is not None]
    assert len(checked) > 2
    assert not any(checked), "no deal of an honest table is found false"


ALL_STEPS = pytest.param(range(26), marks=pytest.mark.long)


@pytest.mark.parametrize("steps", [range(0, 26, 6), ALL_STEPS])
@pytest.mark.parametrize("who", [(0,), (1,), (0, 1)])
def test_a_restart_at_any_step_changes_nothing(desks, who, steps):
    """Each deal is restarted one step later than the deal before."""
    ann, bob = desks
    for step in steps:
        seeds = {}
        for at in range(1000):
            one, other = desks[at % 2], desks[1 - at % 2]
            one.turn()
            if at == step:
                for seat in who:
                    desks[seat].close()
                    desks[seat].open()
            if other.wrote:
                one.hear(other.wrote[-1])
            for each in desks:
                if each.dealing.deal:
                    seen = seeds.setdefault((each.seat, each.dealing.deal.number), each.dealing.deal.seed)
                    assert each.dealing.deal.seed == seen
            if one.now["phase"] == "cut" and len(one.cards) == 6 and other.wrote:
                one.hands.enter_hand("phone", one.cards[:4])
            elif one.now["phase"] == "play" and one.now["turn"] == one.seat and ann.moves == bob.moves:
                with contextlib.suppress(CompanionError):  # a request that waits
                    one.play()
            deals = [each.dealing.deal for each in desks]
            if all(each and each.verdict is not None for each in deals):
                break
        assert [each.verdict for each in deals] == ["", ""], step
        assert not ann.talk.why + bob.talk.why
        ann.table.submit(Next())
        carry(desks)
    assert ann.moves == bob.moves
