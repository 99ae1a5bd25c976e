"""Whole evenings: a game from the first deal to the win, played by hands at various paces, with sensors that may fail.

    .venv/bin/python -m tests.perception.evenings [--evenings N] [--game NAME] [--seats N] [--manual] [--pace NAME]
                                                  [--dead N] [--seed S] [--show] [--keep FILE --one NUMBER]

The table uses the shipped rules and the shipped reader; the same game without pegs provides the truth. After an
action, or after a few quick ones, the pegs rest for a moment. Then the table must know scores and pegs, or ask a
question with an answer that corrects them. `early` are claims that were reported while the hand was still counting.
The exit code is 1 if anything was wrong or missed, or if a game could not continue.
"""

import argparse
import heapq
import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from companion import rules
from companion.boards.board import bits_of, holes_of
from companion.common.errors import CompanionError
from companion.pegs.events import Pegged, Undone
from companion.protocol.json_codec import dump_json, parse_json, read_move, write_move
from companion.rules.cards import PACK, Card
from companion.rules.engine import Award, History, advance
from companion.rules.moves import Claim, Crib, Go, Move, Next, Peg, Play, Starter, TakeBoard
from companion.settings import Settings
from companion.table import inputs
from companion.table.courses.race import RaceCourse
from companion.table.setup import create_plan
from companion.table.state import Transition, create_core, next_deadline_ms, on_levels, on_tick
from tests.perception.model import IMPOSSIBLE_POINTS, MISSING_MS, Span
from tests.perception.paces import PACES, Pace
from tests.perception.true_pegs import TruePegs

SETTLED_MS = 1300
"""Time after the last action within which the table must know everything that needs no question."""


@dataclass
class Evening:
    """One game at one table: the hands, the sensors, and the conclusions of the table."""

    game: str
    seats: int
    pace: Pace
    rng: Random
    options: dict[str, str]
    dead: int = 0
    clumsy: float = 0.0
    ms: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    counting: tuple[int, int] = (-1, -1)
    greens: frozenset[int] = frozenset()
    put_ms: dict[int, int] = field(default_factory=dict)
    green_ms: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        plan = create_plan(self.game, self.seats, 0, options=self.options)
        self.core = create_core(plan, Settings())
        self.past: History[Any] = History(plan.game.start(plan.setup))
        self.lines: list[dict[str, Any]] = [{"ms": 0, "table": {
            "game": self.game, "seats": self.seats, "board": plan.board_name, "dealer": 0, "options": self.options,
        }}]  # fmt: skip
        self.pegs = TruePegs(plan)
        self.scores_shown = {side: [0] for side in self.pegs.points}
        self.occupied_holes = set(holes_of(self.course.resting_holes()))
        self.faults: dict[int, bool] = {}
        self.lag = {hole: self.rng.randint(4, 25) for hole in range(len(plan.board.holes))}
        self.edges: list[tuple[int, int, bool]] = []
        self.acts = self.unsettled = 0
        self.die_at = sorted(self.rng.randint(3, 25) for _ in range(self.dead))
        self.is_over = False
        self.healthy_sides = set(self.pegs.points)
        self._report()
        self.wait(1000)

    @property
    def course(self) -> RaceCourse:
        assert isinstance(self.core.course, RaceCourse)
        return self.core.course

    # Time and sensors.

    def wait(self, ms: int) -> None:
        """Let time pass: the sensors report changes, and the table draws its conclusions when they are due."""
        end = self.ms + ms
        while True:
            due = next_deadline_ms(self.core)
            shown = self.edges[0][0] if self.edges else end + 1
            if due is not None and due < shown and due <= end:
                self.ms = max(self.ms, due)
                self._apply(on_tick(self.core, due))
            elif shown <= end:
                self.ms = shown
                while self.edges and self.edges[0][0] == shown:
                    _, hole, on = heapq.heappop(self.edges)
                    (self.occupied_holes.add if on else self.occupied_holes.discard)(hole)
                self._report()
            else:
                break
        self.ms = end

    def _report(self) -> None:
        stuck = {hole for hole, on in self.faults.items() if on}
        bits = bits_of((self.occupied_holes - set(self.faults)) | stuck)
        self.lines.append({"ms": self.ms, "holes": f"{bits:x}"})
        self._apply(on_levels(self.core, bits, self.ms))

    def _apply(self, done: Transition) -> None:
        greens = self.greens
        self.core = done.core
        self.greens = self.course.reader.green_holes
        pegged = {event.to for event in done.events if isinstance(event, Pegged | Undone)}
        for hole in self.greens - greens:
            self.counts["green"] += 1
            self.counts["false green"] += hole not in self.put_ms or hole not in self.occupied_holes
            self.green_ms[self.ms - self.put_ms.get(hole, 0)] += 1
        due = {each.place for each in self.course.facts.dues}  # where no more is due, the score has gone on
        self.counts["green taken back"] += len((greens - self.greens - pegged) & due)
        for event in done.events:
            if isinstance(event, Pegged | Undone) and event.seat == self.counting[0] and event.to != self.counting[1]:
                self.counts["early"] += 1

    def edge(self, hole: int, on: bool) -> None:
        heapq.heappush(self.edges, (self.ms + self.lag[hole], hole, on))

    def span(self, span: Span) -> None:
        self.wait(self.rng.randint(*span))

    @property
    def target(self) -> int:
        return self.core.plan.target

    # What players do.

    def peg(self, side: int, points: int) -> None:
        """Peg points with a hand, perhaps touching holes on the way. It waits for an open question.

        A question about its own peg, which seems to be missing, is answered by the peg if the points are known.
        """
        if self.question is not None and (self.options or self._missing_peg_side != side):
            self.settle()
        rng, front, move = self.rng, self.pegs.points[side][1], self.pegs.next_move(side, points)
        if self.is_over or (self._knocked_out and not self.options):
            return  # no pegging continues on a loop that has ended, unless a claim has ended it
        if move is None:
            self.pegs.make_move(side, points, move)
            return
        self.acts += 1
        in_hand = self.rng.random() < 0.3  # the sensor dies while the peg is on its way
        if not in_hand:
            self._kill_sensors()
        self.counting = (side, self.pegs.hole(side, front))
        self.edge(move.lift, False)
        self.span(self.pace.air)
        if in_hand:
            self._kill_sensors()
        goal, others = min(front + points, self.target), self.pegs.occupied_holes
        if rng.random() < self.pace.touches and goal - front > 1:
            free = [p for p in range(front + 1, goal) if self.pegs.hole(side, p) not in others]
            some = free if rng.random() < 0.5 else rng.sample(free, min(len(free), 3))
            for each in sorted(some)[:10]:
                self.edge(self.pegs.hole(side, each), True)
                self.span(self.pace.touch)
                self.edge(self.pegs.hole(side, each), False)
                self.span((60, 300))
        self._put(move.put)
        self.pegs.make_move(side, points, move)
        self.scores_shown[side].append(self.pegs.points[side][1])
        self.counting = (-1, -1)
        self.pause_after(side)
        self.unsettled += 1

    def pause_after(self, side: int) -> None:
        """Wait until somebody acts after this side has pegged."""
        self.span(self.pace.pause)

    def _kill_sensors(self) -> None:
        while self.die_at and self.acts >= self.die_at[0]:
            self.die_at.pop(0)
            self._kill_sensor()
            self.span((0, 3000))

    def _kill_sensor(self) -> None:
        """Let a sensor of a side without faults stick at some level: of a resting peg, or of a hole ahead."""
        racing = [side for side in self.pegs.points if side in self.healthy_sides]
        if not racing:
            return
        side = self.rng.choice(racing)
        self.healthy_sides.remove(side)
        ahead = self.pegs.points[side][1] + self.rng.randint(1, 12)
        hole = self.rng.choice([*self.pegs.holes[side], self.pegs.hole(side, ahead)])
        self.faults[hole] = on = self.rng.random() < 0.5
        name = self.core.plan.board.holes[hole].id
        self.notes.append(f"{self.ms} {name} dies {'lit' if on else 'dark'}")
        self.lines.append({"ms": self.ms, "tick": True})
        self._report()

    def _put(self, hole: int) -> None:
        """Put the peg into its hole, sometimes clumsily; the contact bounces, and a worn one chatters."""
        while self.rng.random() < self.clumsy:
            self.put_ms[hole] = self.ms
            self.edge(hole, True)
            self.span((30, 350))
            self.edge(hole, False)
            self.span((60, 300))
        self.put_ms[hole] = self.ms
        self.edge(hole, True)
        lag = self.lag[hole]
        if self.rng.random() < 0.03:
            after = sorted(self.rng.sample(range(2, 120, 2), 2 * self.rng.randint(1, 7)))
        elif self.rng.random() < 0.15:
            after = [self.rng.randint(4, 20), self.rng.randint(22, 40)]
        else:
            return
        for number, ms in enumerate(after):
            heapq.heappush(self.edges, (self.ms + lag + ms, hole, bool(number % 2)))

    def settle_sometimes(self) -> None:
        """Let all hands rest for a while after a few actions."""
        if (self.unsettled >= self.rng.randint(1, 3) or self.question is not None) and not self.is_over:
            self.settle()

    # What must be known.

    @property
    def is_right(self) -> bool:
        fronts = [placement.front_points for placement in self.course.facts.placements or ()]
        return fronts == self.pegs.fronts and self.core.past.state.scores == self.past.state.scores

    def _whose_move(self, past: History[Any]) -> tuple[Any, ...]:
        """Return the phase, the seat that must claim in it, and the reason."""
        state = past.state
        if state.phase != "claim":
            return state.phase, (), None
        return state.phase, self.core.plan.game.find_claimants(state), state.deal.claims.pending

    @property
    def _missing_peg_side(self) -> int | None:
        kind, seat, _ = self.course.reader.open_questions[-1].key
        return self.question.seat if kind == "out" and seat is not None else None

    @property
    def question(self) -> Any:
        return self.course.describe_pegs().question

    def settle(self) -> None:
        """Let all hands rest: the table must know what happened, or ask and be corrected."""
        if self._knocked_out and not self._begin_next_loop():
            return
        if (
            self.core.plan.game.peg_role == "race"
            and self.core.past.state.phase != self.past.state.phase
            and not self.options
        ):
            self.counts["void"] += 1  # a card was refused: that is nothing that pegs can do
            self.is_over = True
            return
        self.wait(SETTLED_MS)
        self.unsettled = 0
        if self.is_right and self.question is None:
            self.counts["right"] += 1
            self.scores_shown = {side: [two[1]] for side, two in self.pegs.points.items()}
            return
        if not self.is_right and self.question is None:
            fronts = [placement.front_points for placement in self.course.facts.placements or ()]
            truth, shown = self.pegs.fronts, self.scores_shown.values()
            is_wrong = any(known not in before for known, before in zip(fronts, shown, strict=False))
            self.wait(MISSING_MS + 500)
            if self.is_right and self.question is None:
                self.counts["late"] += 1
                self.notes.append(f"{self.ms} late")
                return
            if self.question is None:
                kind = "wrong" if is_wrong else "missed"
                self.counts[kind] += 1
                scores = self.core.past.state.scores, self.past.state.scores
                self.notes.append(f"{self.ms} {kind}: known {fronts}, true {truth}, scores {scores}")
        if self.question is not None:
            self.counts["asked"] += 1
            self.notes.append(f"{self.ms} asked: {self.question.why}")
        if not self._put_right() and not self._is_won_alike():
            self.counts["stuck"] += 1
            self.is_over = True
            choices = [c.move for c in self.question.choices] if self.question else []
            self.notes.append(
                f"{self.ms} cannot go on: {choices}, {self.course.facts.placements}, true {self.pegs.points}"
            )

    @property
    def _knocked_out(self) -> bool:
        return bool(self.core.plan.game.race_status(self.past.state).knocked_out)

    def _begin_next_loop(self) -> bool:
        """Move all pegs of the finished loop off the board or to the next start. Return False at the end."""
        alive = self.core.plan.game.race_status(self.past.state).alive or ()
        if self.is_over or len(alive) < 2:
            self.is_over = True
            return False
        if tuple(self.pegs.points) != alive:
            self.wait(SETTLED_MS)
            for move in self.pegs.begin_next_loop(alive, self.rng):
                if move.lift is not None:
                    self.edge(move.lift, False)
                    self.span(self.pace.air)
                if move.put is not None:
                    self.edge(move.put, True)
                    self.span(self.pace.air)
            self.counts["loops"] += 1
            self.scores_shown = {side: [0] for side in alive}
        return True

    def _is_won_alike(self) -> bool:
        """Return whether the same player has won in both games; then no more points can be given."""
        winner = getattr(self.past.state, "winner", None)
        return winner is not None and winner == getattr(self.core.past.state, "winner", None)

    def _put_right(self) -> bool:
        """Give the answer that corrects everything. Return False if there is none."""
        return self._answer(3)

    def _answer(self, times: int) -> bool:
        """Make at most `times` moves that correct everything. Return False if there are none."""
        if self.is_right and self.question is None and self._whose_move(self.core.past) == self._whose_move(self.past):
            return True
        moves = [dict(choice.move) for choice in self.question.choices if choice.move] if self.question else []
        for seat, (now, right) in enumerate(zip(self.core.past.state.scores, self.past.state.scores, strict=True)):
            if now < right:  # the points are given on a phone
                kinds = ("peg",) if self.game == "pegs-only" else ("claim", "adjust")
                moves += [{"type": kind, "seat": seat, "points": right - now} for kind in kinds]
            elif now > right:
                moves.append({"type": "adjust", "seat": seat, "points": right - now})
        moves += [{"type": "claim", "seat": seat, "points": 0} for seat in self._whose_move(self.core.past)[1]]
        for move in [read_move(parse_json(dump_json(m)), self.seats) for m in moves] + [TakeBoard()] if times else ():
            before = self.core, self.ms, len(self.lines)
            try:
                self.make(move)
            except CompanionError:
                continue
            self.wait(5000)
            if self._answer(times - 1):
                return True
            self.core, self.ms, _ = before
            del self.lines[before[2] :]
        return False

    def make(self, move: Move) -> None:
        self.lines.append({"ms": self.ms, "move": write_move(move)})
        self._apply(inputs.on_move(self.core, move, "phone", self.ms))

    def scan(self, *cards: Card) -> None:
        for card in cards:
            self.lines.append({"ms": self.ms, "scan": str(card)})
            self._apply(inputs.on_scan(self.core, str(card), None, self.ms))
            self.wait(50)

    # The game.

    def step(self, move: Move) -> tuple[Award, ...]:
        """Make the move in the game without pegs; return its awards."""
        self.past, step = advance(self.core.plan.game, self.past, move)
        return tuple(step.awards)

    def play(self) -> None:
        try:
            (self._play_pegs_only if self.game == "pegs-only" else self._play_cards)()
        except CompanionError as error:  # a move that the table should take
            self.counts["stuck"] += 1
            self.notes.append(f"{self.ms} {error}")
            self.is_over = True
        if not self.is_over and not self._knocked_out:
            self.unsettled += 1
            self.settle()

    def _play_pegs_only(self) -> None:
        while max(self.pegs.fronts) < self.target and not self.is_over:
            side = self.rng.randrange(len(self.pegs.points))
            points = self.rng.choice((1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24))
            points = min(points, self.target - self.pegs.points[side][1])
            if points in IMPOSSIBLE_POINTS:
                continue
            self.step(Peg(side, points))
            self.peg(side, points)
            self.settle_sometimes()

    def _play_cards(self) -> None:
        hands: dict[int, list[Card]] = {}
        crib: list[Card] = []
        starter = PACK[0]
        while self.past.state.winner is None and not self.is_over:
            state, view = self.past.state, self.core.plan.game.view(self.past.state)
            if state.phase == "cut":
                alive = self.core.plan.game.race_status(state).alive or tuple(range(self.seats))
                deck = self.rng.sample(PACK, 4 * len(alive) + 5)
                starter, crib = deck[0], deck[1:5]
                hands = {seat: deck[at : at + 4] for at, seat in zip(range(5, len(deck), 4), alive, strict=True)}
                self._card(Starter(starter), starter)
            elif state.phase == "play":
                seat = view["turn"]
                fit = [card for card in hands[seat] if view["count"] + card.value <= 31]
                if fit:
                    card = self.rng.choice(fit)
                    hands[seat].remove(card)
                    self._card(Play(seat, card), card)
                else:
                    self.lines.append({"ms": self.ms, "press": f"go:{seat}"})
                    self._apply(inputs.on_press(self.core, f"go:{seat}", self.ms, (1, 1)))
                    self._score(self.step(Go(seat)))
                    self._claim_open()
            elif state.phase == "claim":
                pending = state.deal.claims.pending
                self._claim(pending.seat, sum(award.points for award in pending.truth))
            elif state.phase == "crib":
                if self.options.get("counting") == "manual":
                    self.settle()  # the claims before it must be known before the crib is turned up
                self._card(Crib(tuple(crib)), *crib)
            else:
                self.settle()
                if not self.is_over:
                    self.make(Next())
                    self._score(self.step(Next()))

    def _card(self, move: Move, *cards: Card) -> None:
        self.scan(*cards)
        self._score(self.step(move))
        self.span((100, 800))
        self._claim_open()

    def _claim_open(self) -> None:
        """Claim the points of the play if the players count."""
        claims = self.past.state.deal.claims
        for seat, truth in enumerate(claims.unclaimed if self.past.state.phase == "play" else ()):
            if truth and claims.pending is None and not self.is_over:
                self._claim(seat, sum(award.points for award in truth))

    def _claim(self, seat: int, points: int) -> None:
        self.step(Claim(seat, points))
        if points:
            side = seat % self.core.plan.sides
            move = self.pegs.next_move(side, points)
            by_phone = move is None or move.put in self.pegs.lanes[side].route.start  # no peg can show these points
            if by_phone:
                self._claim_on_phone(seat, points)
            if not (by_phone and self._knocked_out):
                self.peg(side, points)
            self.settle_sometimes()
        else:
            self._claim_on_phone(seat, points)

    def _claim_on_phone(self, seat: int, points: int) -> None:
        """Claim without a peg, unless an answer has done so already."""
        if not self._knocked_out:
            self.settle()
        if not self.is_over and self._whose_move(self.core.past) != self._whose_move(self.past):
            self.make(Claim(seat, points))

    def _score(self, awards: tuple[Award, ...]) -> None:
        sums = Counter[int]()
        for award in awards:
            sums[award.seat] += award.points
        for seat, points in sums.items():
            if not self.is_over:
                self.peg(seat % self.core.plan.sides, points)
        self.settle_sometimes()


def play_evening(args: argparse.Namespace, number: int) -> Evening:
    """Play one evening, which depends only on the arguments and its number."""
    options = {"counting": "manual"} if args.manual else {}
    pace = PACES[args.pace]
    rng = Random(f"{args.seed} {args.game} {args.seats} {args.manual} {args.pace} {args.dead} {number}")
    if args.manual:
        options["muggins"] = rng.choice(("on", "off"))
    if args.mistakes:
        from tests.perception.mistakes import MistakenEvening  # noqa: PLC0415 - it is made of this module

        options["overclaim"] = rng.choice(("correct", "two", "excess"))
    evening = (MistakenEvening if args.mistakes else Evening)(
        args.game, args.seats, pace, rng, options, args.dead, args.clumsy
    )
    evening.play()
    return evening


def main() -> int:
    """Play the evenings. Return the exit code: 1 if anything was wrong or missed, or could not continue."""
    parser = argparse.ArgumentParser(description="Play whole evenings, and check the peg reader.")
    parser.add_argument("--evenings", type=int, default=10, help="number of evenings (10)")
    parser.add_argument("--game", default="six-card", choices=[game.key for game in rules.GAMES])
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--manual", action="store_true", help="the players count")
    parser.add_argument("--mistakes", action="store_true", help="the players count wrong now and then (manual only)")
    parser.add_argument("--pace", default="usual", choices=PACES)
    parser.add_argument("--dead", type=int, default=0, help="number of sensors that fail (0)")
    parser.add_argument("--clumsy", type=float, default=0.0, help="probability of a clumsy peg (0)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print the notes of failed evenings")
    parser.add_argument("--one", type=int, help="play only the evening of this number")
    parser.add_argument("--keep", help="write the recording of the last evening to this file")
    args = parser.parse_args()
    totals, greens = Counter[str](), Counter[int]()
    for number in range(args.evenings) if args.one is None else [args.one]:
        evening = play_evening(args, number)
        totals += evening.counts
        totals["acts"] += evening.acts
        totals["evenings"] += 1
        greens += evening.green_ms
        if args.show and (sum(evening.counts[k] for k in ("wrong", "missed", "asked", "stuck", "late", "false green"))):
            print(number, *evening.notes, sep="\n   ", flush=True)
        if args.keep:
            Path(args.keep).write_text("".join(json.dumps(line) + "\n" for line in evening.lines))
    after = sorted(greens.elements())
    if after:
        print("green after", *(f"p{pct} {after[(len(after) - 1) * pct // 100]} ms" for pct in (50, 90, 99)))
    print(args.game, args.seats, "manual" if args.manual else "", args.pace, f"dead {args.dead}", dict(totals))
    return 1 if totals["wrong"] or totals["missed"] or totals["stuck"] else 0


if __name__ == "__main__":
    sys.exit(main())
