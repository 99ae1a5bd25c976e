"""Simulated players of games on a grid: cribbage shuffle, and Sackson swap, whose exchanges are entered on a phone."""

from collections.abc import Callable, Sequence

from companion.coach import heuristics, shuffle
from companion.common.snapshot import Snapshot
from companion.demo.actions import SimulatedPlayers
from companion.rules.cards import PACK, Card, parse_card
from companion.rules.moves import Exchange, Lay, Move, Next, Place, Return, Swap, Take
from companion.rules.sackson import grid
from companion.rules.shuffle import GRID_SIZE

SEARCH_SWEEPS = 1000
"""Sweeps of the annealing search before the first swap; usually enough for the best layout."""
NEIGHBOUR_RANK_VALUE = 0.5
"""Value of a neighbouring rank in an incomplete hand, where a pair and a fifteen are each worth 2."""


class ShufflePlayer(SimulatedPlayers):
    """A single player; all cards are visible."""

    def __init__(self, *args: object) -> None:
        self._target_grid: shuffle.Grid = ()
        super().__init__(*args)  # type: ignore[arg-type]

    def phase_actions(self) -> dict[str, Callable[[Snapshot], None]]:
        return {
            "lay": self._scan_unseen_card,
            "swap": self._swap_cards,
            "place": self._place_card,
            "cut": self._scan_unseen_card,
            "over": self._deal_next_layout,
        }

    def _scan_unseen_card(self, now: Snapshot) -> None:
        """Scan a random card that has not been seen."""
        self.scan_card(self.chance.choice([c for c in PACK if c not in _seen_cards(now)]))

    def _swap_cards(self, now: Snapshot) -> None:
        """Make the best swap on the way to the target grid; once it is reached, deal the next layout."""
        grid, starter = _parse_grid(now), parse_card(now.view["starter"])
        if sorted(self._target_grid) != sorted(grid):
            left = iter(range(SEARCH_SWEEPS))
            self._target_grid = shuffle.search_layout(
                grid, starter, self.chance.random, lambda: next(left, None) is not None
            )
            self._target_grid = shuffle.find_nearest_equivalent(grid, self._target_grid)
        found = shuffle.find_helpful_swap(grid, self._target_grid, starter)
        if found is None:
            self._deal_next_layout(now)
            return
        i, j, _ = found
        self.tap_move(Swap(divmod(i, GRID_SIZE), divmod(j, GRID_SIZE)))

    def _place_card(self, now: Snapshot) -> None:
        """Scan a card, then place it where it fits best with the cards in line."""
        lying = now.view.get("lying")
        if not lying:
            self._scan_unseen_card(now)
            return
        found, rows = parse_card(lying[-1]), now.view["grid"]
        cells = [(r, c) for r in range(GRID_SIZE) for c in range(GRID_SIZE) if rows[r][c] is None]
        lines = {(r, c): (rows[r], [row[c] for row in rows]) for r, c in cells}
        best = max(
            cells, key=lambda cell: (sum(_estimate_fit(found, line) for line in lines[cell]), self.chance.random())
        )
        self.tap_move(Place(found, best))

    def _deal_next_layout(self, now: Snapshot) -> None:
        self.wait(5)
        if self.table.snapshot.moves == now.moves:
            self.tap_move(Next())


def _parse_grid(now: Snapshot) -> shuffle.Grid:
    return tuple(parse_card(text) for row in now.view["grid"] for text in row)


def _seen_cards(now: Snapshot) -> set[Card]:
    texts = [text for row in now.view["grid"] for text in row if text] + list(now.view.get("lying") or ())
    return {parse_card(text) for text in texts}


def _estimate_fit(found: Card, line: Sequence[str | None]) -> float:
    """Return how well a card fits the others of a row or column."""
    others = [parse_card(text) for text in line if text]
    matches = sum(2.0 for other in others if other.rank == found.rank or other.value + found.value == 15)
    return matches + sum(NEIGHBOUR_RANK_VALUE for other in others if abs(other.rank - found.rank) in (1, 2))


class SacksonPlayers(SimulatedPlayers):
    """Two players, or four as two sides. The whole table is visible to them."""

    def phase_actions(self) -> dict[str, Callable[[Snapshot], None]]:
        return {
            "lay": self._lay_markers,
            "take": self._take_chips,
            "exchange": self._exchange_markers,
            "return": self._return_chip,
            "over": self.start_next_game,
        }

    def _lay_markers(self, _now: Snapshot) -> None:
        """Lay a random display. If the rules refuse it, the next round tries another."""
        colours = list(grid.COLOURS * grid.GRID_SIZE)
        self.chance.shuffle(colours)
        self.tap_move(Lay(colours=tuple(colours)))

    def _take_chips(self, now: Snapshot) -> None:
        self._move_on_turn(now, lambda seat, *seen: Take(seat, heuristics.choose_chips(*seen)))

    def _exchange_markers(self, now: Snapshot) -> None:
        self._move_on_turn(now, lambda seat, *seen: Exchange(seat, *heuristics.choose_exchange(*seen)))

    def _return_chip(self, now: Snapshot) -> None:
        self._move_on_turn(now, lambda seat, *seen: Return(seat, heuristics.choose_return(*seen)))

    def _move_on_turn(self, now: Snapshot, move: Callable[..., Move]) -> None:
        """Make the move of the seat on turn. Does nothing if a person at a phone was faster."""
        if now.view["turn"] is not None:
            self.tap_move(move(now.view["turn"], now.view, now.game["options"], self.chance.random))
