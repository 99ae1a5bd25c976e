"""State of one deal at one of two tables, and the messages between them. Pure except for the random keys.

In the pack that both have locked and shuffled, the cards of seat 0 come first, then those of seat 1, then the starter.
A table can read a card only after the other has unlocked it (`companion.remote.card_crypto`). Message format:
docs/reference/remote.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

from companion.common.errors import BadMove
from companion.protocol.json_codec import dump_json, parse_json
from companion.remote import card_crypto
from companion.rules.cards import Card, parse_card
from companion.table.remote_game import GUEST_SEAT, HOST_SEAT

_MAX_DIGITS = 400


@dataclass(frozen=True, kw_only=True)
class DealStateMessage:
    """What a table publishes of a deal: its pack, and the other's cards that it has unlocked, by place in the pack.

    `deal` is the number of the deal in game `run`. `peer_pack_mark` is the hash of the other's pack that this refers
    to. `discard` is empty until the crib is shown.
    """

    run: str
    deal: int
    pack: tuple[int, ...]
    peer_pack_mark: str = ""
    opens: Mapping[int, int] = field(default_factory=dict)
    has_discarded: bool = False
    discard: tuple[Card, ...] = ()

    @cached_property
    def pack_mark(self) -> str:
        """Hash of the pack in this order."""
        return card_crypto.compute_pack_mark(self.pack)


def format_deal_message(message: DealStateMessage) -> str:
    """Return the message as JSON. Numbers are hexadecimal texts."""
    return dump_json(
        {
            "run": message.run,
            "deal": message.deal,
            "pack": [f"{each:x}" for each in message.pack],
            "of": message.peer_pack_mark,
            "opens": {str(place): f"{each:x}" for place, each in message.opens.items()},
            "kept": message.has_discarded,
            "thrown": [str(each) for each in message.discard],
        }
    )


def parse_deal_message(payload: bytes) -> DealStateMessage:
    """Return the message. Raises BadMove if the payload is not valid."""
    data = parse_json(payload)
    try:
        return _build_deal_message(data)
    except (LookupError, TypeError, ValueError, AttributeError):
        raise BadMove("The other table sent an invalid message. Check that both run the same version.") from None


def _build_deal_message(data: Any) -> DealStateMessage:
    """Return the message of parsed JSON. Raises ValueError, LookupError, TypeError or AttributeError."""
    message = DealStateMessage(
        run=data["run"],
        deal=data["deal"],
        pack=tuple(_parse_hex(each) for each in data["pack"]),
        peer_pack_mark=data["of"],
        opens={int(place): _parse_hex(each) for place, each in data["opens"].items()},
        has_discarded=data["kept"],
        discard=tuple(parse_card(each) for each in data["thrown"]),
    )
    kinds = [type(each) for each in (message.run, message.deal, message.peer_pack_mark, message.has_discarded)]
    if kinds != [str, int, str, bool] or not card_crypto.is_locked_pack(message.pack):
        raise ValueError
    return message


def _parse_hex(text: Any) -> int:
    if not isinstance(text, str) or len(text) > _MAX_DIGITS:
        raise ValueError
    return int(text, 16)


@dataclass
class RemoteDeal:
    """A deal at this table: key, pack, and the own player's hand and kept cards, empty until known.

    `peer_pack_mark` is the hash of the other's pack from which the hand was dealt. `is_cut`: the starter is shown.
    """

    run: str
    number: int
    seat: int
    size: int
    key: int
    pack: tuple[int, ...]
    peer_pack_mark: str = ""
    hand: tuple[Card, ...] = ()
    kept: tuple[Card, ...] = ()
    is_cut: bool = False
    _opens: tuple[str, Mapping[int, int]] = ("", {})

    @cached_property
    def pack_mark(self) -> str:
        """Hash of this table's pack in this order."""
        return card_crypto.compute_pack_mark(self.pack)

    @property
    def own_places(self) -> range:
        """Places of this player's hand in the pack."""
        return range(self.seat * self.size, (self.seat + 1) * self.size)

    @property
    def peer_places(self) -> range:
        """Places of the other player's hand in the pack."""
        other = HOST_SEAT if self.seat == GUEST_SEAT else GUEST_SEAT
        return range(other * self.size, (other + 1) * self.size)

    @property
    def starter_place(self) -> int:
        """Place of the starter in the pack."""
        return 2 * self.size

    @property
    def discard(self) -> tuple[Card, ...]:
        """The discarded cards; empty before the discard."""
        return tuple(each for each in self.hand if each not in self.kept) if self.kept else ()

    def build_message(self, other: DealStateMessage | None, *, is_crib: bool) -> DealStateMessage:
        """Return the message for the other table. `is_crib`: the crib is being or was shown."""
        of, found = self._open_peer_pack(other)
        opens = dict(found)
        if self.seat == GUEST_SEAT and self.kept and other is not None and other.has_discarded:
            opens[self.starter_place] = card_crypto.unlock_number(self.pack[self.starter_place], self.key)
        return DealStateMessage(
            run=self.run,
            deal=self.number,
            pack=self.pack,
            peer_pack_mark=of,
            opens=opens,
            has_discarded=bool(self.kept),
            discard=self.discard if is_crib else (),
        )

    def read_hand(self, other: DealStateMessage) -> None:
        """Read this player's cards once the other has unlocked them. Raises BadMove for invalid cards.

        If the guest has lost its file and shuffled again, the host's hand changes, until the cut.
        """
        if (
            self.seat == HOST_SEAT
            and other.peer_pack_mark == self.pack_mark
            and other.pack_mark != self.peer_pack_mark
            and not self.is_cut
        ):
            self.peer_pack_mark, self.hand, self.kept = other.pack_mark, (), ()
        if not self.hand and other.peer_pack_mark == self.pack_mark and set(self.own_places) <= set(other.opens):
            self.hand = tuple(self._read_card(other, place) for place in self.own_places)
            if len(set(self.hand)) < self.size:
                self.hand = ()
                raise BadMove("The other table dealt invalid cards.")

    def find_starter(self, other: DealStateMessage) -> Card | None:
        """Return the starter once both have discarded and the guest has unlocked it; None before. For the host."""
        if (
            not self.kept
            or not other.has_discarded
            or other.peer_pack_mark != self.pack_mark
            or self.starter_place not in other.opens
        ):
            return None
        return self._read_card(other, self.starter_place)

    def _open_peer_pack(self, other: DealStateMessage | None) -> tuple[str, Mapping[int, int]]:
        """Return the hash of the other's pack, and the other's cards without this table's lock."""
        if self.seat == GUEST_SEAT:  # the guest's own pack is locked by both
            return self.peer_pack_mark, self._unlock_peer_cards(self.pack, self.peer_pack_mark)
        if other is None or other.peer_pack_mark != self.pack_mark:
            return "", {}
        return other.pack_mark, self._unlock_peer_cards(other.pack, other.pack_mark)

    def _unlock_peer_cards(self, locked: Sequence[int], mark: str) -> Mapping[int, int]:
        """Return the other's cards of a pack without this table's lock. Computed once, because it is slow."""
        if self._opens[0] != mark:
            unlock = card_crypto.unlock_number
            self._opens = mark, {place: unlock(locked[place], self.key) for place in self.peer_places}
        return self._opens[1]

    def _read_card(self, other: DealStateMessage, place: int) -> Card:
        found = card_crypto.CARDS_BY_NUMBER.get(card_crypto.unlock_number(other.opens[place], self.key))
        if found is None:
            raise BadMove("The other table dealt invalid cards.")
        return found


def begin_deal(run: str, number: int, size: int, chance: Random) -> RemoteDeal:
    """Return the host's new deal with a freshly shuffled pack."""
    key = card_crypto.generate_key(chance)
    pack = card_crypto.lock_and_shuffle(tuple(card_crypto.CARD_NUMBERS.values()), key, chance)
    return RemoteDeal(run, number, HOST_SEAT, size, key, pack)


def join_deal(other: DealStateMessage, size: int, chance: Random) -> RemoteDeal:
    """Return the guest's deal: the host's pack, locked and shuffled again."""
    key = card_crypto.generate_key(chance)
    pack = card_crypto.lock_and_shuffle(other.pack, key, chance)
    return RemoteDeal(
        other.run, other.deal, GUEST_SEAT, size, key, pack, peer_pack_mark=card_crypto.compute_pack_mark(other.pack)
    )


def deal_to_json(deal: RemoteDeal) -> dict[str, Any]:
    """Return a deal as JSON values for the owner-only file of this table."""
    return {
        "run": deal.run, "number": deal.number, "seat": deal.seat, "size": deal.size, "key": f"{deal.key:x}",
        "pack": [f"{each:x}" for each in deal.pack], "of": deal.peer_pack_mark, "hand": _card_texts(deal.hand),
        "kept": _card_texts(deal.kept), "is_cut": deal.is_cut,
    }  # fmt: skip


def deal_from_json(data: Mapping[str, Any]) -> RemoteDeal:
    """Return the deal stored by `deal_to_json`. Raises LookupError, TypeError or ValueError for invalid values."""
    return RemoteDeal(
        data["run"], data["number"], data["seat"], data["size"], int(data["key"], 16),
        tuple(int(each, 16) for each in data["pack"]), data["of"], tuple(map(parse_card, data["hand"])),
        tuple(map(parse_card, data["kept"])), data["is_cut"],
    )  # fmt: skip


def _card_texts(cards: Sequence[Card]) -> list[str]:
    return [str(each) for each in cards]
