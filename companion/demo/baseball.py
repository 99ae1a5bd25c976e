"""Players of 'Round the Bases: they press the dice button, steal where it pays, and put every peg where it is lit."""

from collections.abc import Callable

from companion.coach import player
from companion.common.snapshot import Advice, Snapshot
from companion.demo.cards import CardPlayers
from companion.rules.moves import Next, Roll, Steal

OWN_DICE = 0.2
"""How often somebody rolls dice of their own and enters them on a phone."""
TUMBLE_S = 1.8
"""Everybody watches the dice, at speed 1."""


class BasesPlayers(CardPlayers):
    """Two, or four as partners."""

    def acts(self) -> dict[str, Callable[[Snapshot], None]]:
        """What is done in each phase."""
        return super().acts() | {"roll": self._roll, "between": self._between}

    def peg_what_is_due(self) -> None:
        """Carry every peg that is not where it belongs, until all are."""
        while led := self.table.snapshot.advice:
            if all(advice.lift is None for advice in led):  # it may be in its new hole, and not believed yet
                self.until(lambda then, led=led: then.advice != led)  # type: ignore[misc]
                if self.table.snapshot.advice != led:
                    continue
            for advice in led:
                if self._can_be_done(advice):
                    self.carry_peg(advice.lift, advice.place)
            self.until(lambda then, led=led: not set(led) & set(then.advice))  # type: ignore[misc]

    def _can_be_done(self, advice: Advice) -> bool:
        """A hand looks first: what it has just done may not be believed yet."""
        there = advice.lift is None or self.is_taken(advice.lift)
        return there and (advice.place is None or not self.is_taken(advice.place))

    def _between(self, now: Snapshot) -> None:
        """A steal, or the scales are cleared for the next hand."""
        base = player.steals(self.agreed(), now.view)
        self.tap(Next() if base is None else Steal(now.view["batting"], base))

    def _roll(self, now: Snapshot) -> None:
        if self.chance.random() < OWN_DICE:
            dice = tuple(self.chance.randint(1, 6) for _ in range(now.view["due"]["dice"]))
            self.tap(Roll(now.view["turn"], dice))
        else:
            self.press("dice")
        self.wait(TUMBLE_S)
