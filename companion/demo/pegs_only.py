"""Pegs only: somebody pegs a likely score, as far as the board goes."""

from collections.abc import Callable

from companion.common.snapshot import Due, Snapshot
from companion.demo.actions import Hands
from companion.rules.moves import Next


class PegPlayers(Hands):
    """Players whose cards nobody reads."""

    def acts(self) -> dict[str, Callable[[Snapshot], None]]:
        """What is done in each phase."""
        return {"play": self._peg, "over": self._again}

    def _peg(self, now: Snapshot) -> None:
        if not now.pegs:  # the board has not been read yet, or is set up anew
            return
        seat = self.chance.randrange(int(now.game["sides"]))
        points = self.chance.choice((1, 2, 2, 3, 4, 6, 7, 8, 10, 12))
        target, score = int(now.game["target"]), now.view["scores"][seat]
        route = self.board.routes[int(now.game["seats"])][seat]
        place = self.board.holes[route.hole(min(score + points, target), target)].id
        self.carry(Due(seat, points, now.pegs[seat].back, place))
        self.until(lambda then: then.moves > now.moves)

    def _again(self, _now: Snapshot) -> None:
        self.wait(5)
        self.tap(Next())
