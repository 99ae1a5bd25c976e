"""A player of cribbage shuffle: lays cards with the reader, swaps them on the phone, and knows the way."""

from collections.abc import Callable, Sequence

from companion.coach import shuffle
from companion.common.snapshot import Snapshot
from companion.demo.actions import Hands
from companion.rules.cards import PACK, Card, card
from companion.rules.moves import Next, Place, Swap
from companion.rules.shuffle import SIZE

SWEEPS = 1000
"""How long he looks at the cards before he swaps: mostly enough for the best layout."""
RUN = 0.5
"""What a neighbour in rank is worth to him in a hand that is not yet full; a pair and a fifteen are worth 2."""


class ShufflePlayer(Hands):
    """Alone with the cards, which all lie open."""

    def __init__(self, *args: object) -> None:
        self._wanted: shuffle.Grid = ()
        super().__init__(*args)  # type: ignore[arg-type]

    def acts(self) -> dict[str, Callable[[Snapshot], None]]:
        """What is done in each phase."""
        return {
            "lay": self._lay, "swap": self._swap, "place": self._place, "cut": self._lay, "over": self._again,
        }  # fmt: skip

    def _lay(self, now: Snapshot) -> None:
        """The next card of a shuffled pack is any that has not been seen."""
        self.show(self.chance.choice([c for c in PACK if c not in _seen(now)]))

    def _swap(self, now: Snapshot) -> None:
        """The swap that gains most of those on the way to what he has in mind; when he is there, another deal."""
        grid, starter = _grid(now), card(now.view["starter"])
        if sorted(self._wanted) != sorted(grid):
            left = iter(range(SWEEPS))
            self._wanted = shuffle.search(grid, starter, self.chance.random, lambda: next(left, None) is not None)
            self._wanted = shuffle.turned(grid, self._wanted)
        found = shuffle.helpful(grid, self._wanted, starter)
        if found is None:
            self._again(now)
            return
        i, j, _ = found
        self.tap(Swap(divmod(i, SIZE), divmod(j, SIZE)))

    def _place(self, now: Snapshot) -> None:
        """A card is turned up, looked at, and put where it goes best with those that lie in line."""
        lying = now.view.get("lying")
        if not lying:
            self._lay(now)
            return
        found, rows = card(lying[-1]), now.view["grid"]
        cells = [(r, c) for r in range(SIZE) for c in range(SIZE) if rows[r][c] is None]
        lines = {(r, c): (rows[r], [row[c] for row in rows]) for r, c in cells}
        best = max(cells, key=lambda cell: (sum(_company(found, line) for line in lines[cell]), self.chance.random()))
        self.tap(Place(found, best))

    def _again(self, now: Snapshot) -> None:
        self.wait(5)
        if self.table.snapshot.moves == now.moves:
            self.tap(Next())


def _grid(now: Snapshot) -> shuffle.Grid:
    return tuple(card(text) for row in now.view["grid"] for text in row)


def _seen(now: Snapshot) -> set[Card]:
    texts = [text for row in now.view["grid"] for text in row if text] + list(now.view.get("lying") or ())
    return {card(text) for text in texts}


def _company(found: Card, line: Sequence[str | None]) -> float:
    """How well a card goes with the others of a row or column."""
    others = [card(text) for text in line if text]
    alike = sum(2.0 for other in others if other.rank == found.rank or other.value + found.value == 15)
    return alike + sum(RUN for other in others if abs(other.rank - found.rank) in (1, 2))
