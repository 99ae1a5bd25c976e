"""The cards of one deal against the companion, and the file that saves them (docs/how-to/play-alone.md).

The companion deals from a pack of its own, which is in its memory. Or people deal a real pack (`real`): then the
companion knows only its own cards, which were scanned face down.
"""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from companion.common.files import write_private_file
from companion.rules.cards import PACK, Card
from companion.rules.moves import Correct

Cards = tuple[Card, ...]


@dataclass
class Pack:
    """The cards of one deal. The fields are keys of the file.

    `dealt` has the cards dealt to each seat, `kept` those kept after the discard. `starter` is the one that the
    companion will cut, `cut` whether it has done so. The starter and the person's cards of a real pack are unknown.
    """

    table: int
    dealt: tuple[Cards, Cards]
    starter: Card | None
    kept: dict[int, Cards] = field(default_factory=dict)
    cut: bool = False
    real: bool = False
    companion_seat: int = 1

    @property
    def person_seat(self) -> int:
        return 1 - self.companion_seat

    def deal_face_down(self, row: Cards) -> "Pack":
        """Return a real pack of this deal with these cards of the companion."""
        dealt = ((), row) if self.companion_seat else (row, ())
        return Pack(self.table, dealt, None, real=True, companion_seat=self.companion_seat)

    def discarded_by(self, seat: int) -> Cards:
        kept = self.kept.get(seat)
        return tuple(card for card in self.dealt[seat] if card not in kept) if kept else ()

    def with_corrections(self, corrections: Iterable[Correct]) -> "Pack":
        """Return the pack with cards of the companion replaced, or exchanged, that were misread."""
        seat = self.companion_seat
        dealt, kept = self.dealt[seat], self.kept.get(seat)
        for correction in corrections:
            if correction.card in dealt:
                exchange = {correction.card: correction.to, correction.to: correction.card}
                dealt = tuple(exchange.get(card, card) for card in dealt)
                kept = kept and tuple(exchange.get(card, card) for card in kept)
        by_seat = {**self.kept, seat: kept} if kept else self.kept
        both = (self.dealt[0], dealt) if seat else (dealt, self.dealt[1])
        return replace(self, dealt=both, kept=by_seat)


def deal_pack(table: int, companion_seat: int, state: Any, shuffled: Sequence[Card]) -> Pack:
    """Deal to both seats. In a deal under way, each seat gets the cards that it has played and random others."""
    play, size = state.deal.play, state.terms.hand_size
    played = play.played if play else ((), ())
    seen = {*played[0], *played[1], state.deal.starter}
    stock = [card for card in shuffled if card not in seen]
    dealt = tuple((*row, *(stock.pop() for _ in range(size + 2 - len(row)))) for row in played)
    starter = state.deal.starter if play else stock.pop()
    pack = Pack(table, (dealt[0], dealt[1]), starter, companion_seat=companion_seat)
    if play:
        pack.kept = {seat: dealt[seat][:size] for seat in (0, 1)}
    return pack


class DealFile:
    """The file of the last deal, readable by its owner only. If it cannot be written, the deal is in memory only."""

    def __init__(self, path: Path | None) -> None:
        """None: save nothing."""
        self._path = path

    def write_pack(self, pack: Pack) -> None:
        """Save this deal in place of the last one."""
        if self._path is None:
            return
        with suppress(OSError):
            write_private_file(self._path, json.dumps(asdict(pack)))

    def read_pack(self, table: int, starter: Card | None) -> Pack | None:
        """Return the saved deal if it is of this table and has this starter (None: not cut yet), else None."""
        if self._path is None:
            return None
        with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
            pack = _parse_pack(json.loads(self._path.read_text("utf-8")))
            is_same_deal = starter is None or (bool(pack.kept) and (pack.real or starter == pack.starter))
            return pack if pack.table == table and is_same_deal else None
        return None


def _parse_pack(saved: dict[str, Any]) -> Pack:
    one, other = (_parse_cards(row) for row in saved["dealt"])
    kept = {int(seat): _parse_cards(row) for seat, row in saved["kept"].items()}
    starter = None if saved["starter"] is None else _parse_cards([saved["starter"]])[0]
    seat = 0 if saved.get("companion_seat") == 0 else 1
    return Pack(int(saved["table"]), (one, other), starter, kept, bool(saved["cut"]), bool(saved.get("real")), seat)


def _parse_cards(numbers: Iterable[int]) -> Cards:
    return tuple(PACK[number] for number in numbers)
