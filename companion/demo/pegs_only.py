"""Simulated players of pegs-only: a random player pegs a likely score, up to the target."""

from collections.abc import Callable

from companion.common.snapshot import Due, Snapshot
from companion.demo.actions import SimulatedPlayers
from companion.rules.moves import Next


class PegsOnlyPlayers(SimulatedPlayers):
    """Players of a game without cards."""

    def phase_actions(self) -> dict[str, Callable[[Snapshot], None]]:
        """Return the action for each phase of the game."""
        return {"play": self._peg_points, "over": self._start_next_game}

    def _peg_points(self, now: Snapshot) -> None:
        if not now.pegs:  # the pegs are not set up yet
            return
        seat = self.chance.randrange(int(now.game["sides"]))
        points = self.chance.choice((1, 2, 2, 3, 4, 6, 7, 8, 10, 12))
        target, score = int(now.game["target"]), now.view["scores"][seat]
        route = self.board.routes[int(now.game["seats"])][seat]
        place = self.board.holes[route.hole_at(min(score + points, target), target)].id
        self.carry_due(Due(seat, points, now.pegs[seat].back, place))
        self.wait_until(lambda then: then.moves > now.moves)

    def _start_next_game(self, _now: Snapshot) -> None:
        self.wait(5)
        self.tap_move(Next())
