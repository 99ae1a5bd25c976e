"""Two parties shuffle and deal one pack: each reads only its own cards, and an observer reads none."""

from random import Random

import pytest

from companion.common.errors import BadMove
from companion.remote import card_crypto, deal_protocol
from companion.rules.cards import PACK


@pytest.fixture
def dealt(small_keys):
    """A deal at both tables, and the last message of each."""
    ann = deal_protocol.begin_deal("0" * 16, 0, 6, Random(1))
    first = deal_protocol.parse_deal_message(
        deal_protocol.format_deal_message(ann.build_message(None, is_crib=False)).encode()
    )
    bob = deal_protocol.join_deal(first, 6, Random(2))
    second = deal_protocol.parse_deal_message(
        deal_protocol.format_deal_message(bob.build_message(first, is_crib=False)).encode()
    )
    third = deal_protocol.parse_deal_message(
        deal_protocol.format_deal_message(ann.build_message(second, is_crib=False)).encode()
    )
    ann.read_hand(second)
    bob.read_hand(third)
    return ann, bob, third, second


def test_both_are_dealt_other_cards_and_turn_up_one_starter(dealt):
    ann, bob, from_ann, _ = dealt
    ann.kept, bob.kept = ann.hand[:4], bob.hand[:4]
    from_bob = bob.build_message(from_ann, is_crib=False)
    from_bob = bob.build_message(ann.build_message(from_bob, is_crib=False), is_crib=True)
    starter = ann.find_starter(from_bob)
    assert len({*ann.hand, *bob.hand, starter}) == 13
    assert from_bob.discard == bob.hand[4:]


def test_nobody_reads_what_was_opened_for_the_other(dealt):
    ann, bob, from_ann, from_bob = dealt
    open_numbers = {*from_ann.pack, *from_bob.pack, *from_ann.opens.values(), *from_bob.opens.values()}
    assert not open_numbers & set(card_crypto.CARDS_BY_NUMBER)
    assert not [
        each
        for each in from_bob.opens.values()
        if card_crypto.unlock_number(each, bob.key) in card_crypto.CARDS_BY_NUMBER
    ]
    assert not [
        each
        for each in from_ann.opens.values()
        if card_crypto.unlock_number(each, ann.key) in card_crypto.CARDS_BY_NUMBER
    ]
    assert from_bob.opens.keys() == set(ann.own_places)
    assert from_ann.opens.keys() == set(bob.own_places)


def test_a_starter_is_not_opened_before_both_have_laid_away(dealt):
    ann, bob, from_ann, from_bob = dealt
    bob.kept = bob.hand[:4]
    assert bob.starter_place not in bob.build_message(from_ann, is_crib=False).opens
    assert ann.find_starter(from_bob) is None


def test_every_card_is_a_square_and_no_other_is_its_product():
    numbers = set(card_crypto.CARDS_BY_NUMBER)
    assert len(numbers) == len(PACK)
    assert all(pow(each, card_crypto.GROUP_ORDER, card_crypto.PRIME) == 1 for each in [*numbers][:4])
    assert not {one * other % card_crypto.PRIME for one in numbers for other in [*numbers][:4]} & numbers


def test_the_prime_is_one_and_so_is_its_half():
    assert (
        pow(3, card_crypto.PRIME - 1, card_crypto.PRIME)
        == pow(3, card_crypto.GROUP_ORDER - 1, card_crypto.GROUP_ORDER)
        == 1
    )


def test_locks_are_opened_in_any_order():
    one, other = (card_crypto.generate_key(Random(seed)) for seed in (1, 2))
    locked = card_crypto.lock_number(card_crypto.lock_number(card_crypto.CARD_NUMBERS[PACK[5]], one), other)
    assert (
        card_crypto.CARDS_BY_NUMBER[card_crypto.unlock_number(card_crypto.unlock_number(locked, one), other)] == PACK[5]
    )


def test_what_is_no_pack_is_refused(dealt):
    ann, _, from_ann, from_bob = dealt
    ann.hand = ()
    twice = dict(from_bob.opens) | {1: from_bob.opens[0]}
    for opens in (twice, dict.fromkeys(ann.own_places, 7)):
        with pytest.raises(BadMove, match="invalid cards"):
            ann.read_hand(
                deal_protocol.DealStateMessage(
                    run="0" * 16, deal=0, pack=from_bob.pack, peer_pack_mark=from_bob.peer_pack_mark, opens=opens
                )
            )
    for pack_of in ((1, 2, 3), from_ann.pack[:51] + from_ann.pack[:1]):
        with pytest.raises(BadMove, match="invalid message"):
            deal_protocol.parse_deal_message(
                deal_protocol.format_deal_message(deal_protocol.DealStateMessage(run="", deal=0, pack=pack_of)).encode()
            )
