"""Two shuffle and deal one pack: each reads its own cards alone, and nobody who listens reads any."""

from random import Random

import pytest

from companion.common.errors import BadMove
from companion.remote import card_crypto, deal_protocol
from companion.rules.cards import PACK


@pytest.fixture
def dealt(small_keys):
    """A deal at both tables, and what each has told last."""
    ann = deal_protocol.begun("0" * 16, 0, 6, Random(1))
    first = deal_protocol.read(deal_protocol.write(ann.told(None, is_crib=False)).encode())
    bob = deal_protocol.joined(first, 6, Random(2))
    second = deal_protocol.read(deal_protocol.write(bob.told(first, is_crib=False)).encode())
    third = deal_protocol.read(deal_protocol.write(ann.told(second, is_crib=False)).encode())
    ann.look(second)
    bob.look(third)
    return ann, bob, third, second


def test_both_are_dealt_other_cards_and_turn_up_one_starter(dealt):
    ann, bob, told_by_ann, _ = dealt
    ann.kept, bob.kept = ann.hand[:4], bob.hand[:4]
    told_by_bob = bob.told(ann.told(bob.told(told_by_ann, is_crib=False), is_crib=False), is_crib=True)
    starter = ann.cut(told_by_bob)
    assert len({*ann.hand, *bob.hand, starter}) == 13
    assert told_by_bob.thrown == bob.hand[4:]


def test_nobody_reads_what_was_opened_for_the_other(dealt):
    ann, bob, told_by_ann, told_by_bob = dealt
    open_numbers = {*told_by_ann.pack, *told_by_bob.pack, *told_by_ann.opens.values(), *told_by_bob.opens.values()}
    assert not open_numbers & set(card_crypto.CARDS)
    assert not [each for each in told_by_bob.opens.values() if card_crypto.unlock(each, bob.key) in card_crypto.CARDS]
    assert not [each for each in told_by_ann.opens.values() if card_crypto.unlock(each, ann.key) in card_crypto.CARDS]
    assert told_by_bob.opens.keys() == set(ann.own)
    assert told_by_ann.opens.keys() == set(bob.own)


def test_a_starter_is_not_opened_before_both_have_laid_away(dealt):
    ann, bob, told_by_ann, told_by_bob = dealt
    bob.kept = bob.hand[:4]
    assert bob.starter not in bob.told(told_by_ann, is_crib=False).opens
    assert ann.cut(told_by_bob) is None


def test_every_card_is_a_square_and_no_other_is_its_product():
    numbers = set(card_crypto.CARDS)
    assert len(numbers) == len(PACK)
    assert all(pow(each, card_crypto.SQUARES, card_crypto.PRIME) == 1 for each in [*numbers][:4])
    assert not {one * other % card_crypto.PRIME for one in numbers for other in [*numbers][:4]} & numbers


def test_the_prime_is_one_and_so_is_its_half():
    assert pow(3, card_crypto.PRIME - 1, card_crypto.PRIME) == pow(3, card_crypto.SQUARES - 1, card_crypto.SQUARES) == 1


def test_locks_are_opened_in_any_order():
    one, other = (card_crypto.new_key(Random(seed)) for seed in (1, 2))
    locked = card_crypto.lock(card_crypto.lock(card_crypto.NUMBERS[PACK[5]], one), other)
    assert card_crypto.CARDS[card_crypto.unlock(card_crypto.unlock(locked, one), other)] == PACK[5]


def test_what_is_no_pack_is_refused(dealt):
    ann, _, told_by_ann, told_by_bob = dealt
    ann.hand = ()
    twice = dict(told_by_bob.opens) | {1: told_by_bob.opens[0]}
    for opens in (twice, dict.fromkeys(ann.own, 7)):
        with pytest.raises(BadMove, match="no pack"):
            ann.look(
                deal_protocol.DealLetter(run="0" * 16, deal=0, pack=told_by_bob.pack, of=told_by_bob.of, opens=opens)
            )
    for pack_of in ((1, 2, 3), told_by_ann.pack[:51] + told_by_ann.pack[:1]):
        with pytest.raises(BadMove, match="not known"):
            deal_protocol.read(deal_protocol.write(deal_protocol.DealLetter(run="", deal=0, pack=pack_of)).encode())
