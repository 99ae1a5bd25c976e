"""Players of Sackson swap: the exchanges are tapped on the phone, as people must; the points are pegged by hand."""

from collections.abc import Callable
from typing import Any

from companion.coach import sackson
from companion.common.snapshot import Snapshot
from companion.demo.actions import Hands
from companion.rules.moves import Exchange, Lay, Move, Next, Return, Take
from companion.rules.sackson.grid import COLOURS, SIZE


class SwapPlayers(Hands):
    """Two, or four as two sides. Everything lies open on this table, so they see all there is."""

    def acts(self) -> dict[str, Callable[[Snapshot], None]]:
        """What is done in each phase."""
        return {
            "lay": self._lay, "take": self._take, "exchange": self._exchange, "return": self._return,
            "over": self._again,
        }  # fmt: skip

    @property
    def _looks_ahead(self) -> bool:
        """Whether to search two turns ahead, as an expert does, or one."""
        return self.level == "expert"

    def _lay(self, _now: Snapshot) -> None:
        """A start of their own: laid as it comes, and once more if a figure would be too near."""
        colours = list(COLOURS * SIZE)
        self.chance.shuffle(colours)
        self.tap(Lay(colours=tuple(colours)))

    def _take(self, now: Snapshot) -> None:
        choose = sackson.choose_chips if self._looks_ahead else sackson.choose_chips_one_ply
        self._seated(now, lambda seat, seen: Take(seat, choose(seen, self.chance.random)))

    def _exchange(self, now: Snapshot) -> None:
        choose = sackson.choose_exchange if self._looks_ahead else sackson.choose_exchange_one_ply

        def move(seat: int, seen: sackson.Sight) -> Move:
            cells = choose(seen, self.chance.random)
            assert cells is not None, "the rules ask for an exchange only where one is legal"
            return Exchange(seat, *cells)

        self._seated(now, move)

    def _return(self, now: Snapshot) -> None:
        choose = sackson.choose_return if self._looks_ahead else sackson.choose_return_one_ply
        self._seated(now, lambda seat, seen: Return(seat, choose(seen, self.chance.random)))

    def _seated(self, now: Snapshot, move: Callable[[int, sackson.Sight], Move]) -> None:
        """Who is asked looks at the table and moves; somebody at a phone may have been faster."""
        view: Any = now.view
        if view["turn"] is not None:
            self.tap(move(view["turn"], sackson.sight(view, now.game["options"])))

    def _again(self, _now: Snapshot) -> None:
        self.wait(5)
        self.tap(Next())
