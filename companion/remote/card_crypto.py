"""Shuffle and deal a pack between two parties that trust neither each other nor the broker ("mental poker"). Pure.

Each card is a number. Both parties lock all 52 with their own key, shuffle them and pass them on; locks commute. The
other party unlocks a card to deal it, and then only its owner can read it. Described by Shamir, Rivest and Adleman in
1979; the group is that of RFC 3526, section 2. Card numbers are squares, so that a locked card reveals nothing, and
hashes, so that no product of two is a third.
"""

import hashlib
from collections.abc import Sequence
from random import Random
from typing import TypeAlias

from companion.rules.cards import PACK, Card

PRIME = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
    "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F"
    "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA237327FFFFFFFFFFFFFFFF",
    16,
)
GROUP_ORDER = PRIME // 2
"""Number of squares modulo `PRIME`. It is prime, so every key has an inverse."""
KEY_BITS = 256

LockedCard: TypeAlias = int


def _card_number(card: Card) -> int:
    digest = hashlib.shake_256(f"cribbage {card}".encode()).digest(PRIME.bit_length() // 8)
    return pow(int.from_bytes(digest, "big"), 2, PRIME)


CARD_NUMBERS = {each: _card_number(each) for each in PACK}
CARDS_BY_NUMBER = {number: each for each, number in CARD_NUMBERS.items()}


def generate_key(chance: Random) -> int:
    """Return a random key from `chance`, which must be cryptographically secure."""
    return chance.getrandbits(KEY_BITS) | 1 << (KEY_BITS - 1)


def lock_number(number: int, key: int) -> LockedCard:
    """Return a card, or an already locked card, with this lock added."""
    return pow(number, key, PRIME)


def unlock_number(locked: LockedCard, key: int) -> int:
    """Return a locked card with this lock removed."""
    return pow(locked, pow(key, -1, GROUP_ORDER), PRIME)


def lock_and_shuffle(numbers: Sequence[int], key: int, chance: Random) -> tuple[LockedCard, ...]:
    """Return all numbers locked, in random order."""
    locked = [lock_number(each, key) for each in numbers]
    chance.shuffle(locked)
    return tuple(locked)


def is_locked_pack(numbers: Sequence[int]) -> bool:
    """Return whether these numbers may be 52 different locked cards."""
    return len(set(numbers)) == len(numbers) == len(PACK) and all(1 < each < PRIME - 1 for each in numbers)


def compute_pack_mark(numbers: Sequence[int]) -> str:
    """Return a hash of a pack in this order."""
    return hashlib.sha256(" ".join(map(str, numbers)).encode()).hexdigest()[:16]
