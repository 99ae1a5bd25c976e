"""Players of Sackson swap: the exchanges are tapped on the phone, as people must; the points are pegged by hand."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from companion.coach import exchanges, swapping
from companion.demo.hands import Hands
from companion.rules.display import COLOURS, SIZE
from companion.rules.moves import Exchange, Lay, Move, Next, Return, Take
from companion.snapshot import Snapshot


class SwapPlayers(Hands):
    """Two, or four as two sides. Everything lies open on this table, so they see all there is."""

    def acts(self) -> dict[str, Callable[[Snapshot], None]]:
        """What is done in each phase."""
        return {
            "lay": self._lay, "take": self._take, "exchange": self._exchange, "return": self._return,
            "over": self._again,
        }  # fmt: skip

    @property
    def _coach(self) -> ModuleType:
        """An expert looks two turns ahead, all others one."""
        return swapping if self.level == "expert" else exchanges

    def _lay(self, _now: Snapshot) -> None:
        """A start of their own: laid as it comes, and once more if a figure would be too near."""
        colours = list(COLOURS * SIZE)
        self.chance.shuffle(colours)
        self.tap(Lay(colours=tuple(colours)))

    def _take(self, now: Snapshot) -> None:
        self._seated(now, lambda seat, seen: Take(seat, self._coach.take(seen, self.chance.random)))

    def _exchange(self, now: Snapshot) -> None:
        def move(seat: int, seen: exchanges.Sight) -> Move:
            cells = self._coach.exchange(seen, self.chance.random)
            assert cells is not None, "the rules ask for an exchange only where one is legal"
            return Exchange(seat, *cells)

        self._seated(now, move)

    def _return(self, now: Snapshot) -> None:
        self._seated(now, lambda seat, seen: Return(seat, self._coach.give_back(seen, self.chance.random)))

    def _seated(self, now: Snapshot, move: Callable[[int, exchanges.Sight], Move]) -> None:
        """Who is asked looks at the table and moves; somebody at a phone may have been faster."""
        view: Any = now.view
        if view["turn"] is not None:
            self.tap(move(view["turn"], exchanges.sight(view, now.game["options"])))

    def _again(self, _now: Snapshot) -> None:
        self.wait(5)
        self.tap(Next())
