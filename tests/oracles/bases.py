"""'Round the Bases, implemented from docs/reference/games/bases.md with a queue of runners."""

from typing import Any

from tests.oracles.deal import Deal, Group, Refusal, Table

STANDARD = {1: "safe", 2: "safe", 3: "pickle", 4: 2, 5: 1, 0: "base"}
FIRST_LEG = {1: "out", 2: "out", 3: "out", 4: 2, 5: 1}

Runner = tuple[int, int, Any]
"""The base he comes from (0: the box), the base he runs to (4: home), and out, base, pickle or the number to roll."""


class Bases:
    """A game after each of its moves."""

    def __init__(self, seats: int, dealer: int | None, options: dict[str, str]) -> None:
        self.table = Table(seats, 2, list(range(seats)), options=options)
        self.innings, self.harsh = int(options["innings"]), options["preset"] == "harsh"
        self._begin(dealer)

    def _begin(self, dealer: int | None) -> None:
        self.phase = "roll" if dealer is None else "cut"
        self.batter, self.dealt = dealer, dealer or 0
        self.deal = Deal(self.table, dealer or 0)
        self.runs, self.points = [0, 0], [0, 0]
        self.inning, self.bottom, self.outs = 1, False, 0
        self.on: set[int] = set()
        self.tried: set[int] = set()
        self.queue: list[Runner] = []
        self.stealing = False
        self.rolled: list[int] = []
        self.plays: list[tuple[int, int, str]] = []
        self.winner: int | None = None
        self.again: tuple[Any, ...] | None = None

    def expect(self, move: dict[str, Any]) -> dict[str, Any]:
        awards, reneged = self._apply_move(move)
        hand, batting = self.deal, None if self.batter is None else self.batter % 2
        due = self._find_due()
        playing = self.phase in ("play", "claim", "crib")
        turn = hand.seat_to_act() if playing else None
        if due:
            first = 0 if self.batter is None else self.batter
            turn = (first + len(self.rolled)) % self.table.seats
        return {
            "awards": awards, "reneges": reneged, "phase": self.phase, "turn": turn, "scores": self.runs,
            "points": self.points, "inning": self.inning, "half": "bottom" if self.bottom else "top",
            "batting": batting, "dealer": self.batter, "outs": self.outs, "winner": self.winner,
            "bases": [base in self.on for base in (1, 2, 3)], "due": due,
            "plays": [{"from": a, "to": b, "result": how} for a, b, how in self.plays],
            "count": hand.count if playing else 0, "starter": hand.starter or None,
        }  # fmt: skip

    def _find_due(self) -> dict[str, Any] | None:
        if self.phase != "roll":
            return None
        if not self.queue:
            return {"for": "bat", "number": None, "dice": 1, "from": None}
        origin, _, what = self.queue[0]
        if what == "pickle":
            return {"for": "pickle", "number": 3, "dice": 1, "from": origin}
        return {"for": "steal" if self.stealing else "must", "number": what, "dice": 2, "from": origin}

    def _apply_move(self, move: dict[str, Any]) -> tuple[list[Group], list[Any]]:
        kind, seat = move["type"], move.get("seat")
        if seat is not None and seat >= self.table.seats:
            raise Refusal
        match kind:
            case "adjust":
                return self._adjust(seat or 0, move["points"]), []
            case "roll":
                self._roll(seat, move["dice"])
            case "steal":
                self._steal(seat or 0, move["base"])
            case "next" if self.phase == "over":
                self._begin(None)
            case "next" if self.phase == "between":
                self._begin_hand("cut")
            case "starter" if self.phase in ("cut", "between"):
                return self._starter(move["card"]), []
            case "misdeal" if self.phase in ("play", "claim", "crib"):
                self._begin_hand("cut")
                self.points = [0, 0]
            case "muggins" if self.phase in ("roll", "between") and self.again:
                return self._call_late(move), []
            case "play" | "go" | "crib" | "claim" | "muggins" if self.phase in ("play", "claim", "crib"):
                return self._apply_deal_move(move, kind)
            case _:
                raise Refusal
        return [], []

    def _begin_hand(self, phase: str) -> None:
        self.phase, self.plays, self.again = phase, [], None
        self.deal = Deal(self.table, self.batter or 0)

    def _starter(self, card: str) -> list[Group]:
        """Cut the starter; a jack is a home run and ends the hand."""
        self._begin_hand("play")
        self.dealt, self.tried, self.points = self.batter or 0, set(), [0, 0]
        if card[0] == "J":
            self._score_runs([*sorted(self.on, reverse=True), 0])
            self._resolve_runners("cut")
            return []
        return self.deal.cut_starter(card)

    def _apply_deal_move(self, move: dict[str, Any], kind: str) -> tuple[list[Group], list[Any]]:
        groups = self.deal.apply_move(move)
        self._add_points(groups)
        self.plays, self.phase = [], self.deal.phase
        if self.phase == "counted":
            if self.deal.window:
                self.again = self._copy_state()
            self._move_runners()
        return groups, self.deal.reneged if kind == "play" else []

    def _copy_state(self) -> tuple[Any, ...]:
        return self.batter, list(self.runs), self.inning, self.bottom, self.outs, set(self.on), set(self.tried)

    def _call_late(self, move: dict[str, Any]) -> list[Group]:
        """Call muggins after the crib's claim: the runners move again."""
        groups = self.deal.call_muggins(move["seat"], move["points"])
        self._add_points(groups)
        assert self.again
        self.batter, self.runs, self.inning, self.bottom, self.outs, self.on, self.tried = self.again
        self.again, self.queue, self.rolled, self.plays = None, [], [], []
        self._move_runners()
        return groups

    def _add_points(self, groups: list[Group]) -> None:
        for group in groups:
            for seat, points, _ in group:
                self.points[seat % 2] += points

    def _move_runners(self) -> None:
        side = (self.batter or 0) % 2
        net = self.points[side] - self.points[1 - side]
        self.stealing = False
        runners = [*sorted(self.on, reverse=True), 0]
        if net <= 3:
            self.queue = [(0, 1, "out")]
        elif net >= 24:
            self._score_runs(runners)
        else:
            self._score_runs([base for base in runners if 6 * base + net >= 24])
            if not self._has_won():
                self._queue_runners([base for base in runners if 6 * base + net < 24], net)
        self._resolve_runners("between")

    def _queue_runners(self, runners: list[int], net: int) -> None:
        pickled = False
        for base in runners:
            passed, offset = divmod(6 * base + net, 6)
            what: Any = STANDARD[offset] if passed else FIRST_LEG[offset]
            if self.harsh and passed and offset in (1, 2):
                what = "out"
            if what == "pickle":
                what, pickled = "base" if pickled else what, True
            stays = what == "safe" or offset == 0
            self.queue.append((base, passed if stays else passed + 1, "base" if what == "safe" else what))

    def _score_runs(self, runners: list[int]) -> None:
        for base in runners:
            self.plays.append((base, 4, "run"))
            self.on.discard(base)
            self.runs[(self.batter or 0) % 2] += 1

    def _has_won(self) -> bool:
        side = (self.batter or 0) % 2
        return self.bottom and self.inning >= self.innings and self.runs[side] > self.runs[1 - side]

    def _resolve_runners(self, phase: str) -> None:
        """Resolve all runners who need no dice, up to the next who does, the third out or the winning run."""
        while self.queue and self.queue[0][2] in ("out", "base") and not self._has_won() and self.outs < 3:
            self._resolve_runner(safe=self.queue[0][2] == "base")
        if self._has_won() or self.outs == 3:
            self.queue = []
        if self._has_won():
            self.phase, self.winner = "over", (self.batter or 0) % 2
        elif self.outs == 3:
            self._retire_side()
        elif self.queue:
            self.phase = "roll"
        else:
            self.phase = phase
            if phase == "between" and self.table.seats == 4:
                self.batter = (self.dealt + 2) % 4

    def _resolve_runner(self, *, safe: bool) -> None:
        origin, to, _ = self.queue.pop(0)
        self.on.discard(origin)
        if not safe:
            self.outs += 1
            self.plays.append((origin, to, "out"))
        elif to == 4:
            self._score_runs([origin])
        else:
            self.on.add(to)
            self.plays.append((origin, to, "safe"))

    def _retire_side(self) -> None:
        side = (self.batter or 0) % 2
        self.on, self.outs, self.tried = set(), 0, set()
        ahead = self.runs[side] - self.runs[1 - side]
        if self.inning >= self.innings and (ahead < 0 or (self.bottom and ahead)):
            self.phase, self.winner = "over", side if ahead > 0 else 1 - side
            return
        self.phase, self.batter = "between", (self.dealt + 1) % self.table.seats
        self.inning += self.bottom
        self.bottom = not self.bottom

    def _roll(self, seat: int | None, dice: list[int]) -> None:
        due = self._find_due()
        first = 0 if self.batter is None else self.batter
        if not due or seat != (first + len(self.rolled)) % self.table.seats or len(dice) != due["dice"]:
            raise Refusal
        self.deal.window = self.again = None
        number, before = due["number"], self.rolled
        self.plays, self.rolled = [], []
        if due["dice"] == 1 and not before:
            self.rolled = dice
        elif due["for"] == "bat":
            if before != dice:
                self.batter, self.phase = int(dice > before), "cut"
        elif due["for"] == "pickle":
            if (before[0] == number) != (dice[0] == number):
                self._resolve_runner(safe=before[0] == number)
                self._resolve_runners("between")
        else:
            origin, to, _ = self.queue[0]
            self._resolve_runner(safe=number in dice)
            if self.stealing:
                self.tried = (self.tried - {origin}) | {to}
            self._resolve_runners("between")

    def _steal(self, seat: int, base: int) -> None:
        legal = self.phase == "between" and seat % 2 == (self.batter or 0) % 2 and base in self.on
        if not legal or base in self.tried or base + 1 in self.on:
            raise Refusal
        self.phase, self.plays, self.stealing = "roll", [], True
        self.queue, self.again, self.deal.window = [(base, base + 1, 6)], None, None

    def _adjust(self, seat: int, points: int) -> list[Group]:
        if self.runs[seat % 2] + points < 0:
            raise Refusal
        self.runs[seat % 2] += points
        self.plays, self.again, self.deal.window = [], None, None
        if self.winner is None and self.batter is not None and self._has_won():
            self.phase, self.winner, self.queue = "over", (self.batter or 0) % 2, []
        return [[(seat, points, "adjust")]]
