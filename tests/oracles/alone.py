"""Cribbage shuffle and pegs-only, implemented from their pages in docs/reference/games, and their players."""

from random import Random
from typing import Any

from tests.oracles import scores
from tests.oracles.deal import Group, Players, Refusal
from tests.oracles.scores import PACK

JsonMove = dict[str, Any]


class Shuffle:
    """A layout after each of its moves."""

    def __init__(self, seats: int, dealer: int | None, options: dict[str, str]) -> None:
        self.square = options["variant"] == "square"
        self._begin()

    def _begin(self) -> None:
        self.phase = "place" if self.square else "lay"
        self.grid: list[str | None] = [None] * 16
        self.starter: str | None = None
        self.winner: int | None = None
        self.extra = 0

    def expect(self, move: JsonMove) -> dict[str, Any]:
        groups = self._apply_move(move)
        rows, columns, heels = self._score_lines()
        total = max(0, sum(rows) + sum(columns) + heels + self.extra)
        if total >= 61:
            self.winner = 0
        return {
            "awards": groups, "phase": self.phase, "rows": rows, "columns": columns, "heels": heels, "total": total,
            "scores": [total], "winner": self.winner, "starter": self.starter,
            "grid": [self.grid[n : n + 4] for n in range(0, 16, 4)],
        }  # fmt: skip

    def _score_lines(self) -> tuple[list[int], list[int], int]:
        worth = [self._score_line(self.grid[n : n + 4]) for n in range(0, 16, 4)]
        worth += [self._score_line(self.grid[n::4]) for n in range(4)]
        return worth[:4], worth[4:], 2 if self.starter and self.starter[0] == "J" else 0

    def _score_line(self, line: list[str | None]) -> int:
        hand = tuple(card for card in line if card)
        if len(hand) < 4 or self.starter is None:
            return 0
        return sum(points for points, _ in scores.score_hand(hand, self.starter, crib=False))

    def compute_total(self) -> int:
        rows, columns, heels = self._score_lines()
        return max(0, sum(rows) + sum(columns) + heels + self.extra)

    def _apply_move(self, move: JsonMove) -> list[Group]:
        match move["type"], self.phase:
            case "adjust", _ if move["seat"] == 0 and self.compute_total() + move["points"] >= 0:
                rows, columns, heels = self._score_lines()
                self.extra = self.compute_total() + move["points"] - sum(rows) - sum(columns) - heels
                return [[(0, move["points"], "adjust")]]
            case "next", "swap" | "over":
                self._begin()
            case "lay", "lay":
                every = [*move.get("cards", []), move.get("starter")]
                if len(every) != 17 or len(set(every)) < 17 or None in every:
                    raise Refusal
                *self.grid, self.starter = every
                self.phase = "swap"
            case "swap", "swap":
                (a, b), (c, d) = move["a"], move["b"]
                if max(a, b, c, d) > 3 or (a, b) == (c, d):
                    raise Refusal
                one, other = 4 * a + b, 4 * c + d
                self.grid[one], self.grid[other] = self.grid[other], self.grid[one]
            case "place", "place":
                row, column = move["cell"]
                if max(row, column) > 3 or self.grid[4 * row + column] or move["card"] in self.grid:
                    raise Refusal
                self.grid[4 * row + column] = move["card"]
                self.phase = "place" if None in self.grid else "cut"
            case "starter", "cut" if move["card"] not in self.grid:
                self.starter, self.phase = move["card"], "over"
            case _:
                raise Refusal
        return []


class SolitairePlayer(Players):
    """A player who swaps at random, for one or two layouts."""

    def __init__(self, oracle: Shuffle, chance: Random) -> None:
        self.left = chance.randint(1, 16)
        super().__init__(oracle, chance, chance.randint(1, 2))

    def is_finished(self) -> bool:
        return self.oracle.phase == "over" or (self.oracle.phase == "swap" and self.left <= 0)

    def choose_move(self) -> JsonMove:
        oracle, chance = self.oracle, self.chance
        free = [card for card in PACK if card not in oracle.grid]
        if chance.random() < 0.02:
            return {"type": "adjust", "seat": 0, "points": chance.choice((-9, 3, 40))}
        if self.is_finished():
            self.left = chance.randint(1, 8)
            return {"type": "next"}
        self.left -= oracle.phase == "swap"
        match oracle.phase:
            case "lay":
                *cards, starter = chance.sample(PACK, 17)
                return {"type": "lay", "cards": cards, "starter": starter}
            case "place":
                cell = chance.choice([n for n, card in enumerate(oracle.grid) if card is None])
                return {"type": "place", "card": chance.choice(free), "cell": list(divmod(cell, 4))}
            case "cut":
                return {"type": "starter", "card": chance.choice(free)}
        a, b = chance.sample(range(16), 2)
        return {"type": "swap", "a": list(divmod(a, 4)), "b": list(divmod(b, 4))}

    def draw_any_move(self) -> JsonMove:
        chance = self.chance
        a, b = ([chance.randrange(5), chance.randrange(4)] for _ in "ab")
        every = chance.sample(PACK, 16)
        kinds: list[JsonMove] = [
            {"type": "swap", "a": a, "b": b}, {"type": "swap", "a": a, "b": a}, {"type": "lay", "cards": every},
            {"type": "lay", "cards": every, "starter": every[0]}, {"type": "lay", "cards": every[:9], "starter": "5H"},
            {"type": "place", "card": every[0], "cell": a}, {"type": "starter", "card": every[0]},
            {"type": "adjust", "seat": chance.choice((0, 0, 1)), "points": chance.choice((-150, -4, 5))},
            {"type": "go", "seat": 0}, {"type": "misdeal"},
        ]  # fmt: skip
        return chance.choice(kinds)


class Pegs:
    """A game of pegs-only after each of its moves."""

    def __init__(self, seats: int, dealer: int | None, options: dict[str, str]) -> None:
        self.seats, self.sides, self.target = seats, 2 if seats == 4 else seats, int(options["target"])
        self._begin()

    def _begin(self) -> None:
        self.scores = [0] * self.sides
        self.winner: int | None = None

    @property
    def phase(self) -> str:
        return "play" if self.winner is None else "over"

    def expect(self, move: JsonMove) -> dict[str, Any]:
        return {
            "awards": self._apply_move(move), "phase": self.phase, "scores": self.scores, "winner": self.winner,
            "turn": None, "count": 0, "dealer": None, "starter": None,
        }  # fmt: skip

    def _apply_move(self, move: JsonMove) -> list[Group]:
        kind, seat, points = move["type"], move.get("seat", 0), move.get("points", 0)
        if kind == "next" and self.phase == "over":
            self._begin()
            return []
        if seat >= self.seats:
            raise Refusal
        side = seat % self.sides
        if kind == "peg" and self.phase == "play" and points > 0 and not scores.is_impossible(points):
            reason = "pegged"
        elif kind == "adjust" and self.scores[side] + points >= 0:
            reason = "adjust"
        else:
            raise Refusal
        self.scores[side] = min(self.target, self.scores[side] + points)
        there = [side for side, score in enumerate(self.scores) if score == self.target]
        if self.winner not in there:
            self.winner = there[0] if there else None
        return [[(seat, points, reason)]]


class PegsOnlyPlayers(Players):
    """Players of pegs-only."""

    def __init__(self, oracle: Pegs, chance: Random) -> None:
        super().__init__(oracle, chance, chance.randint(1, 2))

    def choose_move(self) -> JsonMove:
        if self.oracle.phase == "over":
            return {"type": "next"}
        return {"type": "peg", "seat": self.chance.randrange(self.oracle.seats), "points": self.chance.randint(1, 29)}

    def draw_any_move(self) -> JsonMove:
        chance, seat = self.chance, self.chance.randrange(5)
        kinds: list[JsonMove] = [
            {"type": "peg", "seat": seat, "points": chance.choice((-2, 0, 19, 25, 30, 121))},
            {"type": "adjust", "seat": seat, "points": chance.choice((-50, -3, 2, 19, 25))}, {"type": "misdeal"},
            {"type": "play", "seat": seat, "card": "5H"}, {"type": "claim", "seat": seat, "points": 2},
            {"type": "next"},
        ]  # fmt: skip
        return chance.choice(kinds)
