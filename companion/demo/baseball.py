"""Simulated players of 'Round the Bases: they roll dice, seldom steal, and move every marker peg."""

from collections.abc import Callable

from companion.common.snapshot import Advice, Snapshot
from companion.demo.cards import CardPlayers
from companion.rules.moves import Next, Roll, Steal

OWN_DICE_PROBABILITY = 0.2
"""Probability that a player rolls real dice and enters them on a phone, instead of pressing the dice button."""
STEAL_PROBABILITY = 0.1
"""Probability that a runner steals between two hands. Only 11 of 36 attempts succeed."""
DICE_TUMBLE_S = 1.8
"""Time the players watch the dice at speed 1, in seconds."""


class BaseballPlayers(CardPlayers):
    """Two players, or four as partners."""

    def phase_actions(self) -> dict[str, Callable[[Snapshot], None]]:
        """Return the action for each phase of the game."""
        return super().phase_actions() | {"roll": self._roll_dice, "between": self._steal_or_continue}

    def peg_dues(self) -> None:
        """Move every misplaced marker peg until all are where they belong."""
        while advices := self.table.snapshot.advice:
            if all(
                advice.lift is None for advice in advices
            ):  # the peg may have been placed, but not been recognised yet
                self.wait_until(lambda then, advices=advices: then.advice != advices)  # type: ignore[misc]
                if self.table.snapshot.advice != advices:
                    continue
            for advice in advices:
                if self._is_possible(advice):
                    self.carry_peg(advice.lift, advice.place)
            self.wait_until(lambda then, advices=advices: not set(advices) & set(then.advice))  # type: ignore[misc]

    def _is_possible(self, advice: Advice) -> bool:
        """Return whether the holes of an advice still allow it: the table may not have seen the last movement yet."""
        can_lift = advice.lift is None or self.is_hole_taken(advice.lift)
        return can_lift and (advice.place is None or not self.is_hole_taken(advice.place))

    def _steal_or_continue(self, now: Snapshot) -> None:
        """Steal a base now and then, else go on to the next hand."""
        bases = now.view["steals"]
        is_stealing = bases and self.chance.random() < STEAL_PROBABILITY
        self.tap_move(Steal(now.view["batting"], self.chance.choice(bases)) if is_stealing else Next())

    def _roll_dice(self, now: Snapshot) -> None:
        if self.chance.random() < OWN_DICE_PROBABILITY:
            dice = tuple(self.chance.randint(1, 6) for _ in range(now.view["due"]["dice"]))
            self.tap_move(Roll(now.view["turn"], dice))
        else:
            self.press_button("dice")
        self.wait(DICE_TUMBLE_S)
