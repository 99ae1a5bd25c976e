"""Drive the pure core of a table in tests, with the levels of all holes and a simulated clock."""

from typing import Self

from companion.boards.board import holes_of
from companion.common.snapshot import Snapshot
from companion.journal.journal import JournalEntry
from companion.rules.cards import parse_card
from companion.settings import Settings
from companion.table import inputs
from companion.table.setup import create_plan
from companion.table.state import (
    TableCore,
    Transition,
    create_core,
    create_snapshot,
    next_deadline_ms,
    on_levels,
    on_tick,
)
from tests.support.move_notation import parse_story

QUIET_MS = 400


class Hands:
    """Players at a table without journal and threads. `events` collects all events."""

    def __init__(self, key: str = "six-card", **plan_of: object) -> None:
        self.core: TableCore = create_core(create_plan(key, **plan_of), Settings())
        self.ms = 0
        self.events: list[object] = []
        self.holes = set(holes_of(self.core.course.resting_holes()))
        self._report_levels()
        self.rest()

    def play(self, story: str) -> Self:
        """Do the steps of a story, such as "scan JD TH, peg red-start-2 red-5, rest 300, press go:1, 0 adjusts 2".

        A hole `-` is beside the board. `scores 2 0`, `dues SEAT POINTS LIFT PLACE ...`, `dues none` and
        `stands SEAT FRONT BACK` must be true then. A step of no such verb is a move of the short notation.
        """
        for step in story.split(", "):
            match step.split():
                case ["scan", *codes]:
                    for code in codes:
                        self.scan(code)
                case ["peg", lift, place]:
                    self.peg(lift, place)
                case ["carry", *holes]:
                    self.carry(*(None if hole == "-" else hole for hole in holes))
                case ["rest", *ms]:
                    self.rest(*map(int, ms))
                case ["tap", code]:
                    self.tap(code)
                case ["press", button, *dice]:
                    self.press(button, tuple(map(int, dice)) or (1, 1))
                case ["scores" | "dues" | "stands" as fact, *words]:
                    assert self._describe(fact, words) == " ".join(words), step
                case [verb, *words] if hasattr(self, verb):  # one of a subclass
                    getattr(self, verb)(*(int(word) if word.isdigit() else word for word in words))
                case _:
                    self.move(*parse_story(step))
        return self

    def _describe(self, fact: str, words: list[str]) -> str:
        if fact == "scores":
            return " ".join(map(str, self.snapshot.view["scores"]))
        if fact == "dues":
            dues = self.snapshot.dues
            return " ".join(f"{due.seat} {due.points} {due.lift} {due.place}" for due in dues) or "none"
        pegs = self.snapshot.pegs[int(words[0])]
        return f"{pegs.seat} {pegs.front} {pegs.back}"

    def rest(self, ms: int = QUIET_MS) -> None:
        """Let time pass, and run each due tick at its own time."""
        end = self.ms + ms
        while (due := next_deadline_ms(self.core)) is not None and due <= end:
            self._apply(on_tick(self.core, due))
        self.ms = end

    def peg(self, lift: str, place: str) -> None:
        """Move a peg, which is in the hand for 200 ms."""
        by_id = self.core.plan.board.by_id
        self.holes.remove(by_id[lift].bit)
        self._report_levels()
        self.rest(200)
        self.holes.add(by_id[place].bit)
        self._report_levels()

    def carry(self, lift: str | None, place: str | None) -> None:
        """Move a peg from a hole or from beside the board (None), to a hole or off the board (None)."""
        by_id = self.core.plan.board.by_id
        if lift:
            self.holes.remove(by_id[lift].bit)
            self._report_levels()
            self.rest(200)
        if place:
            self.holes.add(by_id[place].bit)
            self._report_levels()

    def peg_dues(self) -> None:
        """Move all pegs to where they are due, one after the other."""
        for _ in range(30):
            if not (dues := self.snapshot.dues):
                return
            self.peg(dues[0].lift, dues[0].place)
            self.rest()
        raise AssertionError(f"there is no end: {self.snapshot.dues}")

    def move(self, move: object) -> None:
        self._apply(inputs.on_move(self.core, move, "phone", self.ms))

    def make_move_entries(self, move: object) -> tuple[JournalEntry, ...]:
        """Make a move and return its journal entries."""
        happened = inputs.on_move(self.core, move, "phone", self.ms)
        self._apply(happened)
        return happened.entries

    def scan(self, code: str, reader: int | None = None) -> None:
        self._apply(inputs.on_scan(self.core, code, reader, self.ms))

    def tap(self, code: str) -> None:
        self._apply(inputs.on_card_tap(self.core, parse_card(code), self.ms))

    def press(self, button: str, throw: tuple[int, int] = (1, 1)) -> None:
        self._apply(inputs.on_press(self.core, button, self.ms, throw))

    @property
    def snapshot(self) -> Snapshot:
        return create_snapshot(self.core, number=1, run="test", moves=0)

    def _report_levels(self) -> None:
        self._apply(on_levels(self.core, sum(1 << hole for hole in self.holes), self.ms))

    def _apply(self, happened: Transition) -> None:
        self.core = happened.core
        self.events += happened.events
