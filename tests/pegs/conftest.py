"""A peg reader whose pegs are moved by the test, with a simulated clock, and its stories."""

import re
from dataclasses import dataclass, field

import pytest

from companion.boards import catalog
from companion.boards.board import bits_of
from companion.pegs import reader
from companion.pegs.events import PegEvent, Unclear


@dataclass
class PegTable:
    """A peg reader and its board. Holes are given by their ids; every action happens `after` ms after the last one."""

    board_name: str = "classic"
    pegs_are_score: bool = True
    players_count: bool = False
    seats: int = 2
    target: int = 121
    settings: reader.PegTimings = field(default_factory=reader.PegTimings)
    stands: dict | None = None
    now_ms: int = 0
    bits: int = 0
    events: list[tuple[int, PegEvent]] = field(default_factory=list)
    checked: int = 0

    def __post_init__(self):
        self.board = catalog.load_board(self.board_name)
        self.routes = self.board.routes[self.seats]
        known = None
        if self.stands is not None:
            known = tuple(self.stand(seat, *self.stands[seat]) for seat in range(len(self.routes)))
            self.bits = self._bits_of(*(self.hole_id(b) for s in known for b in (s.back, s.front)))
        self.reader = reader.create_reader(
            self.board,
            self.routes,
            self.target,
            self.settings,
            pegs_are_score=self.pegs_are_score,
            players_count=self.players_count,
            placements=known,
        )
        if known:
            self._see()

    def stand(self, seat, back, front):
        hole = self.routes[seat].hole_at
        return reader.Placement(hole(back, self.target), hole(front, self.target), back, front)

    @classmethod
    def set_up(cls, words):
        """Return a table such as "loop-60 cards 20-30 74-96": `back-front` of each seat, `start` for -1-0."""
        pairs = [re.fullmatch(r"(-?\d+)-(\d+)", word.replace("start", "-1-0")) for word in words.split()]
        stands = dict(enumerate((int(pair[1]), int(pair[2])) for pair in pairs if pair))
        return cls(
            next((word for word in words.split() if word in catalog.list_board_names()), "classic"),
            pegs_are_score="cards" not in words,
            players_count="counted" in words,
            seats=len(stands) or 2,
            stands=stands or None,
        )

    def play(self, story):
        """Play the lines of a story; its file describes them. Return this table."""
        for line in story.splitlines():
            steps, arrow, events = line.partition("  #")[0].strip().partition("->")
            for step in re.findall(r"(?:[^,(]|\([^)]*\))+", steps):
                if step.strip():
                    self._play_step(step.strip())
            if arrow:
                new = [" ".join(map(str, e)) if isinstance(e, tuple) else e for e in self.short_events[self.checked :]]
                assert ", ".join(new or ["nothing"]) == events.strip(), line
                self.checked = len(self.events)
        return self

    def _play_step(self, step):
        if match := re.fullmatch(r"(\d+) x \((.*)\)", step):
            for _ in range(int(match[1])):
                self.play(match[2])
            return
        step, _, after = step.partition(" @")
        verb, *words = step.split()
        timing = {"after": int(after)} if after else {}
        numbers = [int(word) if word.lstrip("-").isdigit() else word for word in words]
        match verb:
            case "lift" | "place" | "show":
                getattr(self, verb)(*words, **timing)
            case "touch":
                self.touch(numbers[0], *numbers[1:], **timing)
            case "owe":
                self.owe(*(numbers[at : at + 4] for at in range(0, len(numbers), 4)))
            case "wait" | "let_claim" | "adopt" | "take_board" | "scan_card" | "lose_sensors":
                getattr(self, verb)(*numbers, **timing)
            case _:
                assert self._check(verb, words, numbers), step

    def _check(self, verb, words, numbers):
        """Return whether what a step says is true now."""
        match verb:
            case "advice":
                fact, wanted = self.advice, words
            case "fronts":
                fact, wanted = self.fronts, numbers
            case "stands":
                fact, wanted = self.reader.placements[numbers[0]], self.stand(*numbers)
            case "past":
                seat, *points = numbers
                fact = list(self.reader.facts.past_placements[seat])
                wanted = [self.stand(seat, *pair) for pair in zip(points[::2], points[1::2], strict=True)]
            case "green" | "quarantine":
                holes = self.reader.green_holes if verb == "green" else self.reader.facts.quarantine
                fact, wanted = {*map(self.hole_id, holes)}, {*words}
            case "questions":
                fact, wanted = [question.unclear.seat for question in self.reader.open_questions], numbers
            case "offers":
                moves = [choice.move or {"type": "back"} for choice in self.newest_question.choices]
                fact, wanted = " / ".join(" ".join(map(str, move.values())) for move in moves), " ".join(words)
            case _:
                raise ValueError(f"unknown step {verb!r}")
        return fact == wanted

    @property
    def newest_question(self):
        return self.reader.open_questions[-1].unclear if self.reader.open_questions else None

    def hole_id(self, bit):
        return self.board.holes[bit].id

    def _bits_of(self, *ids):
        return bits_of(self.board.by_id[one].bit for one in ids)

    def _until(self, now_ms):
        while (due_ms := reader.next_deadline_ms(self.reader)) is not None and due_ms <= now_ms:
            self._take(due_ms, reader.on_tick(self.reader, due_ms))
        self.now_ms = now_ms

    def _take(self, at_ms, heard):
        self.reader, events = heard
        self.events += [(at_ms, e) for e in events]

    def _see(self):
        self._take(self.now_ms, reader.on_levels(self.reader, self.bits, self.now_ms))

    def wait(self, ms):
        before = len(self.events)
        self._until(self.now_ms + ms)
        return [e for _, e in self.events[before:]]

    def move(self, *, lift=(), place=(), after=100):
        self._until(self.now_ms + after)
        lifted, placed = self._bits_of(*_ids(lift)), self._bits_of(*_ids(place))
        assert self.bits & lifted == lifted, "there is no peg to lift"
        assert not self.bits & placed, "the hole is taken"
        self.bits = self.bits & ~lifted | placed
        self._see()

    def lift(self, *ids, after=100):
        self.move(lift=ids, after=after)

    def place(self, *ids, after=300):
        self.move(place=ids, after=after)

    def touch(self, one, ms=200, after=100):
        self.place(one, after=after)
        self.lift(one, after=ms)

    def show(self, *ids, after=100):
        self._until(self.now_ms + after)
        self.bits = self._bits_of(*ids)
        self._see()

    def owe(self, *dues):
        """Set the pending pegging as (seat, points, lift, place)."""
        found = tuple(reader.PegDue(s, p, self.board.by_id[a].bit, self.board.by_id[b].bit) for s, p, a, b in dues)
        self._take(self.now_ms, reader.set_dues(self.reader, found, self.now_ms))

    def let_claim(self, *seats):
        """Let these seats, and no others, claim points. Nothing is due."""
        self._take(self.now_ms, reader.set_dues(self.reader, (), self.now_ms, frozenset(seats)))

    def scan_card(self, after=300):
        self._until(self.now_ms + after)
        self._take(self.now_ms, reader.on_input(self.reader, self.now_ms))

    def lose_sensors(self, ms):
        """Pull the cable for a time in which nothing is seen and nothing concluded."""
        self.now_ms += ms
        self.reader = reader.on_sensors_back(self.reader, self.now_ms)

    def adopt(self, *scores):
        self._take(self.now_ms, reader.confirm_pegs(self.reader, self.now_ms, scores))

    def take_board(self):
        self._take(self.now_ms, reader.take_board(self.reader, self.now_ms))

    @property
    def short_events(self):
        """Return all events in short form, such as ("pegged", seat, points)."""
        return [_shorten_event(e) for _, e in self.events]

    @property
    def advice(self):
        return [a.kind for a in reader.list_advice(self.reader)]

    @property
    def fronts(self):
        return [s.front_points for s in self.reader.placements]


def _ids(ids):
    return (ids,) if isinstance(ids, str) else ids


def _shorten_event(event):
    name = type(event).__name__.lower()
    if isinstance(event, Unclear):
        return (name, event.seat)
    return (name, event.seat, event.points) if hasattr(event, "points") else name


@pytest.fixture
def table():
    """Return `PegTable`: `pegs_are_score=False` for card games, `stands={seat: (back, front)}` for a resumed game."""
    return PegTable
