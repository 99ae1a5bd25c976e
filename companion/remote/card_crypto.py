"""A pack that two people shuffle and deal without trusting each other, or anybody between them. Pure.

Each card is a number. Both lock all 52 with a key of their own, shuffle them, and pass them on; locks may be opened in
any order. A card is somebody's when the other has opened its lock: then its owner alone can read it. Shamir, Rivest
and Adleman described it in 1979 ("Mental poker"); the group is that of RFC 3526, section 2. Cards are squares, so that
a locked card tells nothing of itself, and made by a hash, so that no product of two is a third.
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
SQUARES = PRIME // 2
"""So many numbers are squares; it is a prime too, so that every key fits."""
KEY_BITS = 256

Locked: TypeAlias = int


def _number(card: Card) -> int:
    made = hashlib.shake_256(f"cribbage {card}".encode()).digest(PRIME.bit_length() // 8)
    return pow(int.from_bytes(made, "big"), 2, PRIME)


NUMBERS = {each: _number(each) for each in PACK}
CARDS = {number: each for each, number in NUMBERS.items()}


def new_key(chance: Random) -> int:
    """A key that nobody guesses, if nobody guesses `chance`."""
    return chance.getrandbits(KEY_BITS) | 1 << (KEY_BITS - 1)


def lock(number: int, key: int) -> Locked:
    """A card, or what another has locked already, with our lock on it."""
    return pow(number, key, PRIME)


def unlock(locked: Locked, key: int) -> int:
    """The same without our lock."""
    return pow(locked, pow(key, -1, SQUARES), PRIME)


def shuffled(numbers: Sequence[int], key: int, chance: Random) -> tuple[Locked, ...]:
    """All of them locked, in an order that nobody knows."""
    made = [lock(each, key) for each in numbers]
    chance.shuffle(made)
    return tuple(made)


def are_cards(numbers: Sequence[int]) -> bool:
    """Whether these may be 52 locked cards."""
    return len(set(numbers)) == len(numbers) == len(PACK) and all(1 < each < PRIME - 1 for each in numbers)


def mark(numbers: Sequence[int]) -> str:
    """A name for a pack in this order."""
    return hashlib.sha256(" ".join(map(str, numbers)).encode()).hexdigest()[:16]
