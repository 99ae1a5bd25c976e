"""Sackson swap, implemented from docs/reference/games/swap.md with sets of cells, and its players."""

from collections.abc import Iterator
from copy import copy
from functools import cache
from itertools import product
from random import Random
from typing import Any

from tests.oracles.deal import Group, Players, Refusal

COLOURS = ("red", "yellow", "green", "blue", "brown")
CELLS = tuple(product(range(5), range(5)))

Cell = tuple[int, int]
Shape = frozenset[Cell]

FIGURE_PATTERNS = {
    "plus": ".X. XXX .X.", "cross": "X.X .X. X.X", "line": "XXXXX", "diagonal": "X.... .X... ..X.. ...X. ....X",
    "alternating": "X.X.X .X.X.", "stairs": "XX. .XX ..X",
}  # fmt: skip


def list_orientations(shape: Shape) -> Iterator[Shape]:
    for _ in range(4):
        shape = frozenset((column, -row) for row, column in shape)
        yield shape
        yield frozenset((row, -column) for row, column in shape)


@cache
def find_figures(zigzag: str, diagonals: str) -> dict[Shape, str]:
    found: dict[Shape, str] = {}
    named = {"plus": "plus", "cross": "cross", "line": "line", zigzag: "zigzag"}
    for name, figure in (named | ({} if diagonals == "off" else {"diagonal": "line"})).items():
        rows = FIGURE_PATTERNS[name].split()
        shape = frozenset((r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "X")
        for some in list_orientations(shape):
            for down, right in product(range(-4, 9), range(-4, 9)):
                moved = frozenset((row + down, column + right) for row, column in some)
                if moved <= frozenset(CELLS):
                    found[moved] = figure
    return found


NEIGHBOURS = {a: frozenset(b for b in CELLS if max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1) for a in CELLS}
"""The cells that each cell touches, in eight directions."""


@cache
def is_connected(cells: Shape) -> bool:
    reached, left = {next(iter(cells))}, set(cells)
    while new := {b for b in left - reached if NEIGHBOURS[b] & reached}:
        reached |= new
    return reached == left


class Display:
    """The markers by cell."""

    def __init__(self, names: list[str]) -> None:
        self.at = dict(zip(CELLS, names, strict=True))

    def cells_of(self, colour: str) -> Shape:
        return frozenset(cell for cell in CELLS if self.at[cell] == colour)

    def exchange(self, a: Cell, b: Cell) -> "Display":
        after = copy(self)
        after.at = {**self.at, a: self.at[b], b: self.at[a]}
        return after

    def is_legal(self, a: Cell, b: Cell) -> bool:
        """Return whether contact holds: (a is not alone or B is connected) and (b is not alone or A is connected)."""
        after = self.exchange(a, b)
        first, second = after.cells_of(self.at[a]), after.cells_of(self.at[b])
        a_alone, b_alone = not NEIGHBOURS[b] & first, not NEIGHBOURS[a] & second
        return (not a_alone or is_connected(second)) and (not b_alone or is_connected(first))

    def legal_exchanges(self, one: str, other: str) -> Iterator[tuple[Cell, Cell]]:
        return ((a, b) for a in sorted(self.cells_of(one)) for b in sorted(self.cells_of(other)) if self.is_legal(a, b))

    def rows(self) -> list[list[str]]:
        return [[self.at[row, column] for column in range(5)] for row in range(5)]


class Swap:
    """A game after each of its moves."""

    def __init__(self, seats: int, seat: int | None, options: dict[str, str]) -> None:
        self.seats, self.options = seats, options
        self.figures = find_figures(options["zigzag"], options["diagonals"])
        self._begin(seat or 0)

    def _begin(self, seat: int) -> None:
        self.seat, self.scores = seat, [0, 0]
        self.held: list[list[str]] = [[], []]
        self.made: dict[tuple[str, str], int] = {}
        self.winner: int | None = None
        self.display: Display | None = None
        self.phase = "lay"
        if self.options["start"] == "fixed":
            self.phase, self.display = "take", Display([COLOURS[(2 * r + c) % 5] for r, c in CELLS])

    @property
    def current_display(self) -> Display:
        assert self.display
        return self.display

    @property
    def side(self) -> int:
        return self.seat % 2

    @property
    def bank(self) -> list[str]:
        return [colour for colour in COLOURS if colour not in self.held[0] + self.held[1]]

    def expect(self, move: dict[str, Any]) -> dict[str, Any]:
        awards = self._apply_move(move)
        asked = self.phase in ("take", "exchange", "return")
        ahead = 0 if self.winner is None else self.scores[self.winner] - self.scores[1 - self.winner]
        return {
            "awards": awards, "phase": self.phase, "turn": self.seat if asked else None, "scores": self.scores,
            "winner": self.winner, "double": ahead >= 11, "bank": self.bank, "held": self.held,
            "display": [[None] * 5] * 5 if self.display is None else self.display.rows(),
            "stones": {
                figure: {colour: self._stone(figure, colour) for colour in COLOURS}
                for figure in ("plus", "cross", "line", "zigzag")
            },
        }  # fmt: skip

    def _stone(self, figure: str, colour: str) -> int:
        return (5, 3, 2, 1)[min(3, self.made.get((figure, colour), 0))]

    def _apply_move(self, move: dict[str, Any]) -> list[Group]:
        kind, seat = move["type"], move.get("seat", 0)
        if seat >= self.seats or (kind in ("take", "exchange", "return") and seat != self.seat):
            raise Refusal
        if kind == "adjust":
            return self._adjust(seat, move["points"])
        if kind == "next" and self.phase == "over":
            self._begin(self.seat if self.side != self.winner else (self.seat + 1) % self.seats)
            return []
        if (kind, self.phase) not in (("lay", "lay"), ("take", "take"), ("exchange", "exchange"), ("return", "return")):
            raise Refusal
        found: list[Group] = getattr(self, f"_{kind}")(move)
        return found

    def _lay(self, move: dict[str, Any]) -> list[Group]:
        names = move.get("colours", [])
        if sorted(names) != sorted(COLOURS * 5):
            raise Refusal
        display = Display(names)
        if any(display.cells_of(colour) in self.figures for colour in COLOURS):
            raise Refusal
        for one, other in product(COLOURS, COLOURS):
            for a, b in display.legal_exchanges(one, other) if one < other else ():
                after = display.exchange(a, b)
                if after.cells_of(one) in self.figures or after.cells_of(other) in self.figures:
                    raise Refusal
        self.display, self.phase = display, "take"
        return []

    def _take(self, move: dict[str, Any]) -> list[Group]:
        chips, held = move["chips"], self.held[self.side]
        if len(chips) != 2 - len(held) or len(set(chips)) < len(chips) or not set(chips) <= set(self.bank):
            raise Refusal
        held += chips
        self.phase = "exchange" if any(self.current_display.legal_exchanges(*held)) else "return"
        return []

    def _exchange(self, move: dict[str, Any]) -> list[Group]:
        a, b = tuple(move["a"]), tuple(move["b"])
        colours = [self.current_display.at[a], self.current_display.at[b]]
        if set(colours) != set(self.held[self.side]) or a == b or not self.current_display.is_legal(a, b):
            raise Refusal
        self.display = self.current_display.exchange(a, b)
        cells = {colour: self.display.cells_of(colour) for colour in colours}
        scored = [(self.figures[cells[colour]], colour) for colour in colours if cells[colour] in self.figures]
        groups: list[Group] = []
        for figure, colour in scored:
            groups.append([(self.seat, self._stone(figure, colour), figure)])
            self.scores[self.side] += self._stone(figure, colour)
            self.made[figure, colour] = self.made.get((figure, colour), 0) + 1
        self.phase = "return"
        if len(scored) == 1:
            self._end_turn(scored[0][1])
        return groups

    def _return(self, move: dict[str, Any]) -> list[Group]:
        if move["chip"] not in self.held[self.side]:
            raise Refusal
        self._end_turn(move["chip"])
        return []

    def _end_turn(self, chip: str) -> None:
        side = self.side
        self.held[side].remove(chip)
        self.phase, self.seat = "take", (self.seat + 1) % self.seats
        if self.scores[side] >= 61:
            self.phase, self.winner = "over", side

    def _adjust(self, seat: int, points: int) -> list[Group]:
        score = self.scores[seat % 2]
        if score + points < 0:
            raise Refusal
        self.scores[seat % 2] += points
        if score < 61 <= score + points and self.winner is None:
            self.phase, self.winner = "over", seat % 2
        return [[(seat, points, "adjust")]]


class SwapPlayers(Players):
    """Players who prefer exchanges that bring a colour close to a figure, so that a game ends."""

    def __init__(self, oracle: Swap, chance: Random) -> None:
        super().__init__(oracle, chance, 1 + (chance.random() < 0.2))

    def choose_move(self) -> dict[str, Any]:
        oracle, chance = self.oracle, self.chance
        held = oracle.held[oracle.side]
        if oracle.phase == "over":
            return {"type": "next"}
        if oracle.phase == "lay":
            names = chance.sample(COLOURS * 5, 25)
            # By chance one display in three has a figure, or a first exchange that makes one.
            named = dict(zip(COLOURS, chance.sample(COLOURS, 5), strict=True))
            turned = [named[COLOURS[(2 * r + c) % 5]] for r, c in CELLS]
            return {"type": "lay", "colours": names if chance.random() < 0.7 else turned}
        if 0 in oracle.scores or chance.random() < 0.02:
            side = oracle.scores.index(0) if 0 in oracle.scores else chance.randrange(2)
            return {"type": "adjust", "seat": side, "points": chance.randint(35, 58) if 0 in oracle.scores else 2}
        if oracle.phase == "take":
            return {"type": "take", "seat": oracle.seat, "chips": chance.sample(oracle.bank, 2 - len(held))}
        if oracle.phase == "return":
            return {"type": "return", "seat": oracle.seat, "chip": chance.choice(held)}
        legal = list(oracle.current_display.legal_exchanges(*held))
        a, b = max(legal, key=self.estimate_exchange) if chance.random() < 0.9 else chance.choice(legal)
        return {"type": "exchange", "seat": oracle.seat, "a": list(a), "b": list(b)}

    def estimate_exchange(self, pair: tuple[Cell, Cell]) -> float:
        after = self.oracle.current_display.exchange(*pair)
        colours = self.oracle.held[self.oracle.side]
        zigzag = self.oracle.options["zigzag"]
        return sum(figure_closeness(after.cells_of(c), zigzag) for c in colours) + self.chance.random()

    def draw_any_move(self) -> dict[str, Any]:
        chance, seat = self.chance, self.chance.randrange(self.oracle.seats + (self.chance.random() < 0.1))
        a, b = ([chance.randrange(5), chance.randrange(5)] for _ in "ab")
        kinds: list[dict[str, Any]] = [
            {"type": "take", "seat": seat, "chips": chance.choices(COLOURS, k=chance.choice((1, 2)))},
            {"type": "return", "seat": seat, "chip": chance.choice(COLOURS)}, {"type": "next"}, {"type": "misdeal"},
            {"type": "exchange", "seat": self.oracle.seat, "a": a, "b": b},
            {"type": "exchange", "seat": seat, "a": a, "b": b}, {"type": "starter", "card": "5H"},
            {"type": "adjust", "seat": seat, "points": chance.choice((-90, -1, 1))},
            {"type": "lay", "colours": ["red"] * 25}, {"type": "lay", "colours": list(COLOURS * 5)},
        ]  # fmt: skip
        return chance.choice(kinds)


@cache
def figure_closeness(cells: Shape, zigzag: str) -> int:
    """Return how close these markers are to a figure, as a cube."""
    return max(len(cells & shape) for shape in find_figures(zigzag, "on")) ** 3
