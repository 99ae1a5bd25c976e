"""The cards of one deal, drawn from a secret seed of each table. Pure.

Each table publishes the hashes ("locks") of the two parts of its seed before the other shows anything. The table of the
player who deals gets the other's pack part, so it alone knows the pack, like a dealer who holds it. The cut parts are
shown when both players have discarded; only then is the starter known. After the deal both show their seeds, and each
checks the whole deal (docs/reference/remote.md#the-deal).
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from companion.common.errors import BadMove
from companion.common.values import replace
from companion.i18n import format_message
from companion.protocol.json_codec import dump_json
from companion.rules.cards import PACK

Texts = tuple[str, ...]
ShownCards = tuple[str, Texts, Texts]
_PARTS = ("pack", "cut")


@dataclass(frozen=True, kw_only=True)
class DealStatement:
    """What a table states about a deal. Fields are empty until they may be known.

    `pack`, `cut`: the parts of its seed; `hand`: the cards that it deals to the other; `discard`: the hash of its
    discarded cards; `crib`: those cards, when the crib is shown; `seed`: after the deal.
    """

    run: str
    number: int
    locks: Texts
    pack: str = ""
    cut: str = ""
    hand: Texts = ()
    starter: str = ""
    discard: str = ""
    crib: Texts = ()
    seed: str = ""


@dataclass(frozen=True, kw_only=True)
class RemoteDeal:
    """A deal as this table knows it. Fields are empty until known.

    `dealer` is the seat that holds the pack, `size` the number of cards dealt to each, `cuts` the number of cuts that
    were taken back. `shown` is set when the deal is over and the own seed may be shown: starter, cards of the other
    player, crib. `verdict` is the result of the check: None before it, empty if the deal was fair, else a sentence.
    """

    run: str
    number: int
    seat: int
    dealer: int
    size: int
    seed: str
    hand: Texts = ()
    kept: Texts = ()
    cuts: int = 0
    peer_locks: Texts = ()
    peer_pack: str = ""
    peer_cut: str = ""
    peer_discard: str = ""
    peer_seed: str = ""
    shown: ShownCards | None = None
    verdict: str | None = None

    @property
    def key(self) -> tuple[str, int]:
        """The game and the number of the deal in it."""
        return self.run, self.number

    @property
    def discard(self) -> Texts:
        """The discarded cards; empty before the discard."""
        return tuple(card for card in self.hand if card not in self.kept) if self.kept else ()

    def hand_of(self, seat: int) -> Texts:
        """Return the cards dealt to a seat; empty if this table does not know the pack."""
        return self._pack[seat * self.size : (seat + 1) * self.size]

    def find_starter(self) -> str:
        """Return the starter, at the dealer's table once both have discarded; empty before and at the other table."""
        return self._starter_by(self.peer_cut) if self.peer_pack and self.peer_cut else ""

    def may_start(self, starter: str) -> bool:
        """Return whether this card may be the starter, as far as this table knows."""
        return bool(starter and self.kept) and starter not in self.hand and self.find_starter() in ("", starter)

    def state_deal(self, *, is_crib: bool) -> DealStatement:
        """Return what this table may state now. `is_crib`: the crib is being or was shown."""
        is_dealer = self.seat == self.dealer
        return DealStatement(
            run=self.run,
            number=self.number,
            locks=tuple(self._lock(self.seat, what, _part(self.seed, what)) for what in _PARTS),
            pack=_part(self.seed, "pack") if self.peer_locks and not is_dealer else "",
            cut=_part(self.seed, "cut") if self.peer_discard else "",
            hand=self.hand_of(1 - self.seat) if is_dealer and self.peer_pack else (),
            starter=self.find_starter(),
            discard=self._lock_discard(self.seat, self.seed, self.discard) if self.kept else "",
            crib=self.discard if is_crib else (),
            seed=self.seed if self.shown is not None else "",
        )

    def receive(self, stated: DealStatement, *, is_current: bool) -> "RemoteDeal":
        """Return the deal with what the other table states. Raises BadMove if it contradicts its locks.

        `is_current`: the other table has seen the same moves, so that its discard belongs to this cut.
        """
        seed = stated.seed if self.shown is not None else ""
        deal = replace(self, peer_locks=self.peer_locks or stated.locks, peer_seed=self.peer_seed or seed)
        parts = {"pack": stated.pack, "cut": stated.cut}
        locks = {self._lock(1 - self.seat, what, part) for what, part in parts.items() if part}
        if stated.locks != deal.peer_locks or not locks <= {*stated.locks}:
            if self.shown is not None:
                return deal  # the check reports it
            raise BadMove("The other table has shuffled again during the deal. Start a new game.")
        if not deal.hand and self.seat == self.dealer and stated.pack:
            deal = replace(deal, peer_pack=stated.pack)
            deal = replace(deal, hand=deal.hand_of(self.seat))
        elif not deal.hand and self.seat != self.dealer and stated.hand:
            if len(stated.hand) != self.size or len(set(stated.hand)) != self.size:
                raise BadMove("The other table dealt invalid cards.")
            deal = replace(deal, hand=stated.hand)
        if is_current and deal.kept and stated.discard and not deal.peer_discard:
            deal = replace(deal, peer_discard=stated.discard)
        if is_current and deal.peer_discard and stated.cut and not deal.peer_cut:
            deal = replace(deal, peer_cut=stated.cut)
        return deal

    def find_fraud(self) -> str:
        """Return how the deal differs from the seeds, as a sentence; empty if it was fair. Needs the other's seed."""
        other, (starter, played, crib) = 1 - self.seat, self.shown or ("", (), ())
        if any(self._lock(other, what, _part(self.peer_seed, what)) not in self.peer_locks for what in _PARTS):
            return format_message("It showed another shuffle than the one it had fixed before the deal.")
        fair, dealt = self.hand_of(self.seat), self.hand_of(other)
        fair_starter = self._starter_by(_part(self.peer_seed, "cut"))
        discard = tuple(card for card in crib if card not in self.discard)
        wrong_starter = format_message("It turned up a wrong starter.")
        changed_discard = format_message("It changed its discard after the cut.")
        checks = (
            ({*self.hand} <= {*fair}, format_message("It dealt wrong cards."), self.hand, fair),
            (starter in ("", fair_starter), wrong_starter, (starter,), (fair_starter,)),
            ({*played} <= {*dealt}, format_message("It played cards that were not dealt to it."), played, dealt),
            (self._is_discard_kept(dealt, played, discard), changed_discard, discard or played, dealt),
        )
        for is_right, what, seen, right in checks:
            if not is_right:
                texts = {"seen": " ".join(seen), "right": " ".join(right)}
                return format_message("{what} Seen: {seen}. By the shuffle: {right}.", what=what, **texts)
        return ""

    def _is_discard_kept(self, dealt: Texts, played: Texts, discard: Texts) -> bool:
        """Return whether the other's locked discard fits what it has shown: the crib or, without that, its plays."""
        if not self.peer_discard:
            return not discard
        left = [card for card in dealt if card not in played]
        locked = (
            pair
            for pair in combinations(left, len(self.discard))
            if self._lock_discard(1 - self.seat, self.peer_seed, pair) == self.peer_discard
        )
        return any(not discard or {*pair} == {*discard} for pair in locked)

    @property
    def _pack(self) -> Texts:
        """The shuffled pack: the hand of seat 0, that of seat 1, then the cards among which the starter is."""
        peer = self.peer_pack or (_part(self.peer_seed, "pack") if self.peer_seed else "")
        return _shuffle(*self._in_seat_order(_part(self.seed, "pack"), peer)) if peer else ()

    def _starter_by(self, peer_cut: str) -> str:
        rest = self._pack[2 * self.size :]
        return rest[int(_hash("starter", *self._in_seat_order(_part(self.seed, "cut"), peer_cut)), 16) % len(rest)]

    def _lock(self, seat: int, what: str, part: str) -> str:
        return _hash("lock", self.run, self.number, seat, what, part)

    def _lock_discard(self, seat: int, seed: str, cards: Texts) -> str:
        return self._lock(seat, _part(seed, "discard"), " ".join(sorted(cards)))

    def _in_seat_order(self, own: str, other: str) -> tuple[str, str]:
        return (own, other) if self.seat == 0 else (other, own)


def deal_from_json(values: Mapping[str, Any]) -> RemoteDeal:
    """Return the deal whose fields were saved as JSON. Raises TypeError for other fields."""
    return RemoteDeal(**{name: _as_tuples(value) for name, value in values.items()})


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


@lru_cache(maxsize=8)
def _shuffle(*parts: str) -> Texts:
    return tuple(sorted(map(str, PACK), key=lambda card: _hash("card", *parts, card)))


def _hash(*parts: object) -> str:
    return hashlib.sha256(dump_json(list(parts)).encode()).hexdigest()


def _part(seed: str, what: str) -> str:
    return _hash(what, seed)
