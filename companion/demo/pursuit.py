"""Simulated players of pursuit: after a knock-out they remove the blinking pegs and set up on the next loop."""

from collections.abc import Callable

from companion.common.snapshot import Snapshot
from companion.demo.cards import CardPlayers


class PursuitPlayers(CardPlayers):
    """Two to five players, each for themselves. They play on once the pegs stand at the next start."""

    def phase_actions(self) -> dict[str, Callable[[Snapshot], None]]:
        """Return the action for each phase of the game; board set-up comes first in each."""
        return {phase: self._with_board_reset(act) for phase, act in super().phase_actions().items()}

    def _with_board_reset(self, act: Callable[[Snapshot], None]) -> Callable[[Snapshot], None]:
        def reset_board_first(now: Snapshot) -> None:
            if not self._move_advised_peg(now):
                act(now)

        return reset_board_first

    def _move_advised_peg(self, now: Snapshot) -> bool:
        """Move one peg off the board or to the start of the next loop. Return whether there was one to move."""
        advice = next((a for a in now.advice if a.kind in ("take_off", "set_up")), None)
        if advice is not None:
            self.carry_peg(advice.lift, advice.place)
            self.wait_until(lambda then: advice not in then.advice)
        return advice is not None
