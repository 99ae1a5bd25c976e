"""Evenings counted by players who make mistakes: wrong claims, muggins, corrections of every kind, two hands at once.

    .venv/bin/python -m tests.perception.evenings --manual --mistakes [--seats N] [--pace NAME] …

The hands of `tests.perception.evenings` peg what is right, one after the other. These answer a light within 250 ms,
correct themselves before or after the table has said anything, go back in the way that the light asks and in every
other way, peg a due with the front peg, and act while the other side does.
"""

from typing import NamedTuple

from companion.rules.moves import Claim, Move, Muggins
from tests.perception.evenings import SETTLED_MS, Evening
from tests.perception.model import IMPOSSIBLE_POINTS, Span

PROBABILITY_OF_MISCOUNT = 0.25
PROBABILITY_OF_SECOND_THOUGHT = 0.15
PROBABILITY_OF_FRONT_PEG = 0.3
PROBABILITY_OF_MUGGINS = 0.7
PROBABILITY_OF_OVERLAP = 0.3
REACTION: Span = (250, 1500)
"""Time in ms from what the table shows to the peg that answers it."""
SECOND_THOUGHT: Span = (200, 900)
"""Time in ms after which a player moves the peg of a claim on or back, before the table has said anything."""
OVERLAP: Span = (20, 250)
"""Time in ms from the peg of one side to the lift of the other."""
QUICK_CARD: Span = (230, 450)
"""Time in ms from the peg of one side to the card or the go of the other: at least `MIN_ACT_REST_MS` after a lag."""
MAX_MISCOUNT = 4


class Carry(NamedTuple):
    """A peg carried from one hole to another, and how long the hand then waits, in ms."""

    lift: int
    put: int
    wait_ms: int = 0


class MistakenEvening(Evening):
    """An evening of players who count wrong now and then, and put it right."""

    def _claim(self, seat: int, points: int) -> None:
        side = seat % self.core.plan.sides
        said = self._draw_claim(side, points)
        if said and said == self.past.state.scores[side] - self.pegs.points[side][1]:
            self._answer_miscount(seat, 0)  # a peg in the hole of a due pegs the due, so it cannot claim
        if said == points and self.rng.random() < PROBABILITY_OF_SECOND_THOUGHT and self._think_again(seat, points):
            return
        super()._claim(seat, said)
        state = self.past.state
        is_next_quick = state.phase == "claim" and state.deal.claims.pending.seat % self.core.plan.sides != side
        if said != points and is_next_quick and self.rng.random() < PROBABILITY_OF_OVERLAP:
            return  # the next hand is claimed before this one is answered
        if not self.is_over and self.past.state.scores != tuple(self.pegs.fronts):
            self._answer_miscount(seat, points - said)

    def pause_after(self, side: int) -> None:
        """The other side does not always wait: it lifts the peg of its own claim, or plays its card, at once."""
        state, is_quick = self.past.state, self.rng.random() < PROBABILITY_OF_OVERLAP
        claims = state.phase == "claim"
        seat = state.deal.claims.pending.seat if claims else state.turn
        is_other = seat is not None and seat % self.core.plan.sides != side
        self.span((OVERLAP if claims else QUICK_CARD) if is_other and is_quick else self.pace.pause)

    def _draw_claim(self, side: int, points: int) -> int:
        """Return what the player counts, mostly the truth."""
        if self.rng.random() >= PROBABILITY_OF_MISCOUNT:
            return points
        said = max(0, points + self.rng.choice([n for n in range(-MAX_MISCOUNT, MAX_MISCOUNT + 1) if n]))
        in_reach = self.pegs.points[side][1] + max(said, points) < self.target
        return said if in_reach and said not in IMPOSSIBLE_POINTS and said <= 29 else points

    def _think_again(self, seat: int, points: int) -> bool:
        """Put the peg of a claim into a wrong hole, then into the right one. Return False if there is no such hole."""
        side = seat % self.core.plan.sides
        wrong = points + self.rng.choice((-2, -1, 1, 2, 5))
        move, slip = self.pegs.next_move(side, points), self.pegs.next_move(side, max(1, wrong))
        top = self.pegs.points[side][1] + max(points, wrong)
        if not points or None in (move, slip) or wrong < 1 or top >= self.target or self.question is not None:
            return False
        assert move is not None
        assert slip is not None
        assert move.lift is not None
        if None in (move.put, slip.put) or slip.put == move.put:
            return False
        self.acts += 1
        self.step(Claim(seat, points))
        self._carry_pegs([[Carry(move.lift, slip.put, self.rng.randint(*SECOND_THOUGHT)), Carry(slip.put, move.put)]])
        self.pegs.make_move(side, points, move)
        self.scores_shown[side].append(self.pegs.points[side][1])
        self.span(self.pace.pause)
        self.unsettled += 1
        self.settle_sometimes()
        return True

    def _answer_miscount(self, seat: int, rest: int) -> None:
        """Wait for what the table says, call muggins, and let every side peg what it owes, some at the same time."""
        self._wait_until_told()
        if self.question is not None and not self.is_over:
            self.settle()
        if rest > 0 and self.options.get("muggins") == "on" and self.rng.random() < PROBABILITY_OF_MUGGINS:
            caller = (seat + 1) % self.seats
            move: Move = Muggins(caller, rest)
            self.span(REACTION)
            if self.question is None and not self.is_over:
                self.step(move)
                self.make(move)
        if self._knocked_out or self.past.state.winner is not None or self.question is not None:
            return
        carries = [steps for side in self.pegs.points if (steps := self._plan_due(side))]
        if not carries:
            return
        self.acts += len(carries)
        self.span(REACTION)
        if len(carries) > 1 and self.rng.random() < 0.5:
            self._carry_pegs(carries)
        else:
            for number, steps in enumerate(self.rng.sample(carries, len(carries))):
                if number:  # another side's hand, which need not wait for this one
                    self.span(OVERLAP if self.rng.random() < PROBABILITY_OF_OVERLAP else self.pace.pause)
                self._carry_pegs([steps])
        self.span(self.pace.pause)
        self.unsettled += 1
        self.settle_sometimes()

    def _wait_until_told(self) -> None:
        waited_ms = 0
        while self.core.past.state != self.past.state and waited_ms < SETTLED_MS:
            self.wait(20)
            waited_ms += 20

    def _plan_due(self, side: int) -> list[Carry]:
        """Return how the side pegs what it owes, and note where its pegs stand then; nothing if it owes nothing."""
        (back, front), (back_hole, front_hole) = self.pegs.points[side], self.pegs.holes[side]
        score = self.past.state.scores[side]
        place = self.pegs.hole(side, score)
        if score == front or place in self.pegs.occupied_holes - {back_hole, front_hole}:
            return []
        if score > front:
            by_front = self.rng.random() < PROBABILITY_OF_FRONT_PEG and front > 0
            kept = (back, back_hole) if by_front else (front, front_hole)
            self._note_pegs(side, kept, (score, place))
            return [Carry(front_hole if by_front else back_hole, place)]
        racers = self.course.loop.seats
        if side not in racers or self.course.facts.placements is None:
            return []
        origin = self.course.facts.past_placements[racers.index(side)][-1:]
        if score == back or not origin or back > score:  # all of it was wrong: the peg goes where it came from
            if back != score or not origin:
                return []
            self._note_pegs(side, (origin[0].back_points, origin[0].back), (back, back_hole))
            return [Carry(front_hole, origin[0].back)]
        self._note_pegs(side, (back, back_hole), (score, place))
        pause_ms = self.rng.randint(150, 600)
        ways = [
            [Carry(front_hole, place)],
            [Carry(front_hole, place)],
            [Carry(front_hole, origin[0].back, pause_ms), Carry(origin[0].back, place)],  # first all the way back
            [Carry(back_hole, place, pause_ms), Carry(front_hole, back_hole)],  # the other peg takes the right hole
        ]
        return self.rng.choice(ways)

    def _note_pegs(self, side: int, back: tuple[int, int], front: tuple[int, int]) -> None:
        self.pegs.points[side], self.pegs.holes[side] = [back[0], front[0]], [back[1], front[1]]
        self.scores_shown[side].append(front[0])

    def _carry_pegs(self, hands: list[list[Carry]]) -> None:
        """Let hands carry pegs at the same time, each beginning within a third of a second."""
        edges = list[tuple[int, int, bool]]()
        for steps in hands:
            at_ms = self.rng.randint(0, 300) if len(hands) > 1 else 0
            for step in steps:
                edges.append((at_ms, step.lift, False))
                at_ms += self.rng.randint(*self.pace.air)
                edges.append((at_ms, step.put, True))
                at_ms += step.wait_ms
        start_ms = self.ms
        for at_ms, hole, on in sorted(edges):
            self.wait(max(0, start_ms + at_ms - self.ms))
            if on:
                self.put_ms[hole] = self.ms
            self.edge(hole, on)
