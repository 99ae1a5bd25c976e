"""Players of pursuit: after a knock-out they take the pegs off that blink, and set up on the next loop."""

from collections.abc import Callable

from companion.common.snapshot import Snapshot
from companion.demo.cards import CardPlayers


class PursuitPlayers(CardPlayers):
    """Two to five, each for himself; they deal on when the pegs stand at the next start."""

    def acts(self) -> dict[str, Callable[[Snapshot], None]]:
        """What is done in each phase."""
        return {phase: self._led(act) for phase, act in super().acts().items()}

    def _led(self, act: Callable[[Snapshot], None]) -> Callable[[Snapshot], None]:
        def first(now: Snapshot) -> None:
            if not self._put_right(now):
                act(now)

        return first

    def _put_right(self, now: Snapshot) -> bool:
        """One peg off the board, or to the start of the next loop; whether there was any."""
        led = next((a for a in now.advice if a.kind in ("take_off", "set_up")), None)
        if led is not None:
            self.carry_peg(led.lift, led.place)
            self.until(lambda then: led not in then.advice)
        return led is not None
