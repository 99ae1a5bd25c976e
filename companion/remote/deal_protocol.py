"""One deal as one of two tables has it, and what it writes to the other of it. Pure but for the keys it is given.

Seat 0's cards lie first in the pack that both have locked and shuffled, seat 1's after them, then the starter. Neither
table can read a card before the other has opened it (`companion.remote.card_crypto`).
docs/reference/remote.md has the letter.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

from companion.common.errors import BadMove
from companion.protocol.json_codec import dumps, parse
from companion.remote import card_crypto as pack
from companion.rules.cards import Card, card
from companion.table.remote_game import GUEST, HOST

_MOST_DIGITS = 400


@dataclass(frozen=True, kw_only=True)
class DealLetter:
    """What a table tells of a deal: its pack, and which of the other's cards it has opened, by their place.

    `deal` is which deal of the game `run`; `of` marks the pack of the other that all of this is about. `kept`: who
    sits there has laid away; `thrown` is what, once the crib is turned up.
    """

    run: str
    deal: int
    pack: tuple[int, ...]
    of: str = ""
    opens: Mapping[int, int] = field(default_factory=dict)
    kept: bool = False
    thrown: tuple[Card, ...] = ()

    @cached_property
    def mark(self) -> str:
        """A name for its pack in this order."""
        return pack.mark(self.pack)


def write(letter: DealLetter) -> str:
    """The JSON of a letter; numbers are hexadecimal texts."""
    return dumps(
        {
            "run": letter.run,
            "deal": letter.deal,
            "pack": [f"{each:x}" for each in letter.pack],
            "of": letter.of,
            "opens": {str(place): f"{each:x}" for place, each in letter.opens.items()},
            "kept": letter.kept,
            "thrown": [str(each) for each in letter.thrown],
        }
    )


def read(payload: bytes) -> DealLetter:
    """The letter that somebody wrote. Raises BadMove for what is none."""
    told = parse(payload)
    try:
        return _read(told)
    except (LookupError, TypeError, ValueError, AttributeError):
        raise BadMove("The other table deals in a way that is not known here: is it as new as this one?") from None


def _read(told: Any) -> DealLetter:
    """Raises what Python raises for another shape."""
    made = DealLetter(
        run=told["run"],
        deal=told["deal"],
        pack=tuple(_number(each) for each in told["pack"]),
        of=told["of"],
        opens={int(place): _number(each) for place, each in told["opens"].items()},
        kept=told["kept"],
        thrown=tuple(card(each) for each in told["thrown"]),
    )
    kinds = [type(each) for each in (made.run, made.deal, made.of, made.kept)]
    if kinds != [str, int, str, bool] or not pack.are_cards(made.pack):
        raise ValueError
    return made


def _number(text: Any) -> int:
    if not isinstance(text, str) or len(text) > _MOST_DIGITS:
        raise ValueError
    return int(text, 16)


@dataclass
class Deal:
    """A deal at this table: its key, its pack, and what its own player holds and keeps; empty until it is known.

    `of` marks the other's pack that the hand was dealt from. `is_cut`: the starter has been turned up.
    """

    run: str
    number: int
    seat: int
    size: int
    key: int
    pack: tuple[int, ...]
    of: str = ""
    hand: tuple[Card, ...] = ()
    kept: tuple[Card, ...] = ()
    is_cut: bool = False
    _opens: tuple[str, Mapping[int, int]] = ("", {})

    @cached_property
    def mark(self) -> str:
        """A name for our pack in this order."""
        return pack.mark(self.pack)

    @property
    def own(self) -> range:
        """The places of our own hand."""
        return range(self.seat * self.size, (self.seat + 1) * self.size)

    @property
    def others(self) -> range:
        """The places of the other's."""
        other = HOST if self.seat == GUEST else GUEST
        return range(other * self.size, (other + 1) * self.size)

    @property
    def starter(self) -> int:
        """The place of the starter."""
        return 2 * self.size

    @property
    def thrown(self) -> tuple[Card, ...]:
        """What was laid away; nothing before."""
        return tuple(each for each in self.hand if each not in self.kept) if self.kept else ()

    def told(self, other: DealLetter | None, *, is_crib: bool) -> DealLetter:
        """What the other table is to know now. `is_crib`: the crib is being turned up, or was."""
        of, found = self._opening(other)
        opens = dict(found)
        if self.seat == GUEST and self.kept and other is not None and other.kept:
            opens[self.starter] = pack.unlock(self.pack[self.starter], self.key)
        return DealLetter(
            run=self.run, deal=self.number, pack=self.pack, of=of, opens=opens, kept=bool(self.kept),
            thrown=self.thrown if is_crib else (),
        )  # fmt: skip

    def look(self, other: DealLetter) -> None:
        """Read our own cards, once the other has opened them. Raises BadMove for cards that are none.

        Where the guest has shuffled anew, for its file was lost, the host's hand is another until the cut.
        """
        if self.seat == HOST and other.of == self.mark and other.mark != self.of and not self.is_cut:
            self.of, self.hand, self.kept = other.mark, (), ()
        if not self.hand and other.of == self.mark and set(self.own) <= set(other.opens):
            self.hand = tuple(self._read(other, place) for place in self.own)
            if len(set(self.hand)) < self.size:
                self.hand = ()
                raise BadMove("The other table has dealt what is no pack of cards.")

    def cut(self, other: DealLetter) -> Card | None:
        """The starter, where both have laid away and the guest has opened it; for the host."""
        if not self.kept or not other.kept or other.of != self.mark or self.starter not in other.opens:
            return None
        return self._read(other, self.starter)

    def _opening(self, other: DealLetter | None) -> tuple[str, Mapping[int, int]]:
        """The mark of the other's pack, and the other's cards without our lock."""
        if self.seat == GUEST:  # the guest's own pack is the one that both have locked
            return self.of, self._opened(self.pack, self.of)
        if other is None or other.of != self.mark:
            return "", {}
        return other.mark, self._opened(other.pack, other.mark)

    def _opened(self, locked: Sequence[int], mark: str) -> Mapping[int, int]:
        """The other's cards of a pack without our lock. It is the work of a moment, done once."""
        if self._opens[0] != mark:
            self._opens = mark, {place: pack.unlock(locked[place], self.key) for place in self.others}
        return self._opens[1]

    def _read(self, other: DealLetter, place: int) -> Card:
        found = pack.CARDS.get(pack.unlock(other.opens[place], self.key))
        if found is None:
            raise BadMove("The other table has dealt what is no pack of cards.")
        return found


def begun(run: str, number: int, size: int, chance: Random) -> Deal:
    """The host shuffles a new pack."""
    key = pack.new_key(chance)
    return Deal(run, number, HOST, size, key, pack.shuffled(tuple(pack.NUMBERS.values()), key, chance))


def joined(other: DealLetter, size: int, chance: Random) -> Deal:
    """The guest shuffles the host's pack once more."""
    key = pack.new_key(chance)
    made = pack.shuffled(other.pack, key, chance)
    return Deal(other.run, other.deal, GUEST, size, key, made, of=pack.mark(other.pack))


def as_kept(deal: Deal) -> dict[str, Any]:
    """A deal as JSON, for a file of this table's owner alone."""
    return {
        "run": deal.run, "number": deal.number, "seat": deal.seat, "size": deal.size, "key": f"{deal.key:x}",
        "pack": [f"{each:x}" for each in deal.pack], "of": deal.of, "hand": _texts(deal.hand),
        "kept": _texts(deal.kept), "is_cut": deal.is_cut,
    }  # fmt: skip


def from_kept(told: Mapping[str, Any]) -> Deal:
    """The deal as it was kept. Raises what Python raises for another shape."""
    return Deal(
        told["run"], told["number"], told["seat"], told["size"], int(told["key"], 16),
        tuple(int(each, 16) for each in told["pack"]), told["of"], tuple(map(card, told["hand"])),
        tuple(map(card, told["kept"])), told["is_cut"],
    )  # fmt: skip


def _texts(cards: Sequence[Card]) -> list[str]:
    return [str(each) for each in cards]
