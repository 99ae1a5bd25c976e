"""The cards of one deal against the companion: who was dealt which, what each has kept, and the file that keeps them.

A pack is the companion's own, dealt to both in its memory; or it is `real`: people deal it, and the companion knows
only its own cards, which were put to the reader face down. docs/how-to/play-alone.md tells both.
"""

import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from companion.rules.cards import PACK, Card
from companion.rules.moves import Correct

COMPANION_SEAT = 1
"""Where the companion sits."""

Cards = tuple[Card, ...]


@dataclass
class Pack:
    """One deal: the cards that were dealt, by seat, what each has kept, and the starter that the companion will cut.

    Of a real pack the person's cards are not known, nor is the starter. `cut`: the companion has cut it.
    """

    table: int
    dealt: tuple[Cards, Cards]
    starter: Card | None
    kept: dict[int, Cards] = field(default_factory=dict)
    cut: bool = False
    real: bool = False

    def discarded_by(self, seat: int) -> Cards:
        """What a seat has laid away; nothing before it has."""
        kept = self.kept.get(seat)
        return tuple(each for each in self.dealt[seat] if each not in kept) if kept else ()

    def with_corrections(self, changes: Iterable[Correct]) -> "Pack":
        """The same where a card of the companion's was read wrong: another lies there, or the two are exchanged."""
        dealt, kept = self.dealt[COMPANION_SEAT], self.kept.get(COMPANION_SEAT)
        for each in changes:
            if each.card in dealt:
                way = {each.card: each.to, each.to: each.card}
                dealt = tuple(way.get(card, card) for card in dealt)
                kept = kept and tuple(way.get(card, card) for card in kept)
        known = {**self.kept, COMPANION_SEAT: kept} if kept else self.kept
        return Pack(self.table, (self.dealt[0], dealt), self.starter, known, self.cut, self.real)


def deal_pack(table: int, state: Any, shuffled: Sequence[Card]) -> Pack:
    """Cards for both of a pack that was shuffled. Of a deal that lies open already, what was seen of it and others."""
    laid, size = state.deal.play, state.terms.hand_size
    played = laid.played if laid else ((), ())
    seen = {*played[0], *played[1], state.deal.starter}
    left = [each for each in shuffled if each not in seen]
    dealt = tuple((*row, *(left.pop() for _ in range(size + 2 - len(row)))) for row in played)
    pack = Pack(table, (dealt[0], dealt[1]), state.deal.starter if laid else left.pop())
    if laid:
        pack.kept = {seat: dealt[seat][:size] for seat in (0, 1)}
    return pack


class DealFile:
    """The file of the last deal, for its owner alone. Where the disk refuses, the deal is in memory only."""

    def __init__(self, path: Path | None) -> None:
        """None: no file."""
        self._path = path

    def write_pack(self, pack: Pack) -> None:
        """Keep this deal in place of the one before."""
        if self._path is None:
            return
        with suppress(OSError):
            made = self._path.with_suffix(".pack.new")
            with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
                json.dump(asdict(pack), out)
            made.replace(self._path)

    def read_pack(self, table: int, starter: Card | None) -> Pack | None:
        """The deal, if it is this table's, on which this starter lies, or none yet."""
        if self._path is None:
            return None
        with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
            pack = _parse_pack(json.loads(self._path.read_text("utf-8")))
            is_same = starter is None or (bool(pack.kept) and (pack.real or starter == pack.starter))
            return pack if pack.table == table and is_same else None
        return None


def _parse_pack(told: dict[str, Any]) -> Pack:
    one, other = (_parse_cards(row) for row in told["dealt"])
    kept = {int(seat): _parse_cards(row) for seat, row in told["kept"].items()}
    starter = None if told["starter"] is None else _parse_cards([told["starter"]])[0]
    return Pack(int(told["table"]), (one, other), starter, kept, bool(told["cut"]), bool(told.get("real")))


def _parse_cards(numbers: Iterable[int]) -> Cards:
    return tuple(PACK[each] for each in numbers)
