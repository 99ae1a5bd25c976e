"""The table of cases in docs/explanation/reading-pegs.md: every row is played, and what it says is what happens."""

import json
import re
from pathlib import Path

import pytest

from companion.boards import catalog
from companion.pegs import assignment, thresholds
from companion.table.recording import run_recording
from tests.perception import model, tally

PAGE = Path(__file__).parents[1] / "docs/explanation/reading-pegs.md"
TABLE = PAGE.read_text("utf-8").partition("| case | ")[2].partition("\n\n")[0]
ROWS = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in TABLE.splitlines()[2:]]
STANDS = ((10, 15), (20, 30))


class Board:
    """A board by hand: each act is a line of a recording, after so many milliseconds."""

    def __init__(self, game="pegs-only", board="classic", stands=STANDS):
        self.board, self.ms, self.changed_ms = catalog.load_board(board), 0, 0
        table = {"game": game, "seats": 2, "board": board, "dealer": 0}
        routes, self.taken = self.board.routes[2], set()
        if stands:
            table["pegs"] = [
                [way.hole_at(points, 121) for points in both] for way, both in zip(routes, stands, strict=True)
            ]
            table["moves"] = [{"type": "adjust", "seat": seat, "points": both[1]} for seat, both in enumerate(stands)]
            self.taken = {hole for both in table["pegs"] for hole in both}
        self.lines = [{"ms": 0, "table": table}]
        self.show(*(self.board.holes[hole].id for hole in self.taken), after=0)

    def line(self, after=500, **given):
        self.ms += after
        self.lines.append({"ms": self.ms, **given})
        return self

    def show(self, *ids, after=500):
        self.taken, self.changed_ms = {self.board.by_id[one].bit for one in ids}, self.ms + after
        return self.line(after, holes=f"{sum(1 << hole for hole in self.taken):x}")

    def lift(self, *ids, after=500):
        return self.show(*(set(self._ids()) - set(ids)), after=after)

    def put(self, *ids, after=500):
        return self.show(*self._ids(), *ids, after=after)

    def owe(self, seat, points):
        return self.line(move={"type": "adjust", "seat": seat, "points": points})

    def wait(self, ms):
        return self.line(ms, tick=True)

    def _ids(self):
        return [self.board.holes[hole].id for hole in self.taken]

    def said(self):
        """All that `companion trace` says of it."""
        found = []
        run_recording([json.dumps(line).encode() for line in self.lines], found.append)
        return found


def red(board, to, *, lift="red-10"):
    return board.lift(lift).put(to)


def touched(board):
    return board.lift("red-10").put("red-16", after=100).lift("red-16", after=200)


def flaps(board):
    for _ in range(4):
        board.put("red-23", after=300).lift("red-23", after=300)
    return board.lift("red-10", after=2000).put("red-23")


def won(board):
    return red(board, "red-121", lift="red-110").wait(500)


CARDS, LANE, LAST = {"game": "six-card"}, {"board": "loop-60", "stands": ((10, 15), (42, 46))}, ((110, 115), (90, 100))
LOST, FOUND = {"device": "sensors", "ok": False}, {"device": "sensors", "ok": True}
STARTS = ("red-start-1", "red-start-2", "blue-start-1", "blue-start-2")
CASES = {
    "back peg moved ahead": lambda: red(red(Board(), "red-23").wait(500), "red-10", lift="red-23"),
    "front peg moved instead": lambda: red(Board(), "red-23", lift="red-15"),
    "slid, counted along, lifted and put back": lambda: touched(Board()).put("red-10", after=200),
    "the next act begun before the last was believed": lambda: (
        red(Board(), "red-18").lift("red-15", after=200).put("red-25")
    ),
    "rested too long on its way, then went on": lambda: red(red(Board(), "red-18"), "red-20", lift="red-18"),
    "a due of two scores, pegged one by one with both pegs": lambda: red(
        red(Board(**CARDS).owe(0, 8), "red-18").wait(500), "red-23", lift="red-15"
    ),
    "over or under a due": lambda: red(Board(**CARDS).owe(0, 8), "red-24"),
    "nothing due": lambda: red(Board(**CARDS), "red-18"),
    "another seat's points pegged": lambda: red(Board(**CARDS).owe(1, 3), "red-18"),
    "a due's peg in another's hands": lambda: red(Board(**CARDS).owe(0, 8), "red-23", lift="blue-20"),
    "wrong track": lambda: red(Board(), "blue-23"),
    "behind the front peg, in a card game": lambda: red(Board(**CARDS), "red-13", lift="red-15"),
    "the back peg behind its own place, and whatever else no move does": lambda: red(Board(), "red-4"),
    "two or three at once": lambda: Board().lift("red-10", "blue-20").put("red-18").put("blue-33", after=100),
    "both pegs of a seat out": lambda: Board().lift("red-10", "red-15"),
    "a peg out, dropped or lost": lambda: Board().lift("red-10"),
    "a peg has come and none has left its hole, in pegs-only and with manual counting": lambda: Board().put("red-23"),
    "bumped for a moment": lambda: Board().lift("red-10", "blue-20").put("red-10", "blue-20", after=80),
    "put back to an earlier state": lambda: red(
        red(Board(**CARDS).owe(0, 8), "red-23").wait(1000), "red-10", lift="red-23"
    ),
    "an impossible claim (19, 25–27, more than 29), in pegs-only": lambda: red(Board(), "red-34"),
    "the hole is taken": lambda: Board(**CARDS | LANE).owe(0, 1),
    "a hole flaps or is stuck": lambda: flaps(Board()),
    "one lane, and the holes do not show whose": lambda: (
        Board(**LANE).lift("lane-10", "lane-12").put("lane-20").put("lane-21", after=300)
    ),
    "set up wrongly": lambda: Board(stands=None).show(*STARTS[:3], "blue-9"),
    "knocked over, moved while the power was off": lambda: (
        Board().show().show("red-11", "red-50", "blue-21", "blue-31", after=900)
    ),
    "all holes empty at once": lambda: Board().show(),
    "pegs of several seats gone at one instant": lambda: Board().lift("red-10", "blue-20"),
    "a row that fills at one instant": lambda: Board().lift("red-10").put(*(f"red-{n}" for n in range(16, 24))),
    "the cable": lambda: red(Board().line(**LOST).wait(5000).line(**FOUND), "red-18"),
    "the game is won": lambda: red(won(Board(stands=LAST)), "red-start-1", lift="red-121"),
}
EVENTS = {
    "back peg moved ahead": ["pegged 8", "undone 8"],
    "front peg moved instead": ["pegged 8"],
    "the next act begun before the last was believed": ["pegged 3", "pegged 7"],
    "rested too long on its way, then went on": ["pegged 3", "pegged 2"],
    "a due of two scores, pegged one by one with both pegs": ["pegged 8"],
    "two or three at once": ["pegged 3", "pegged 3"],
    "put back to an earlier state": ["pegged 8"],
    "a hole flaps or is stuck": ["quarantined", "trusted", "pegged 8"],
    "a row that fills at one instant": ["quarantined"] * 8,
    "the cable": ["lost", "found", "pegged 3"],
    "the game is won": ["pegged 6"],
}
"""What is concluded besides questions; of the other rows nothing."""


def test_every_row_has_its_story():
    assert [case for case, _, _ in ROWS] == list(CASES)


@pytest.mark.parametrize(("case", "says"), [row[:2] for row in ROWS], ids=CASES)
def test_what_a_row_says_is_what_happens(case, says):
    board = CASES[case]()
    asked = re.search(r"asked after ([\d.]+) s", says)
    wait_ms = int(float(asked[1]) * 1000) if asked else 5000
    found = board.wait(board.changed_ms + wait_ms - board.ms if asked else wait_ms).said()
    told = [advice["say"] for each in found for advice in each.get("advice", ())]
    assert all(say in told for say in re.findall(r'"([^"]+)"', says)), told
    questions = [each for each in found if each.get("event") == "unclear"]
    assert [each["ms"] for each in questions] == ([board.changed_ms + wait_ms] if asked else [])
    events = [f"{e['event']} {e.get('points', '')}".strip() for e in found if "event" in e and e["event"] != "unclear"]
    assert events == EVENTS.get(case, [])


def test_the_pages_times_are_the_constants():
    text = " ".join(PAGE.read_text("utf-8").split())
    delays_ms = (model.DIRECT_DELAY_MS, model.TOUCHED_DELAY_MS, model.MAX_DELAY_MS)
    limits_ms = [each + tally.DELAY_MARGIN_MS for each in delays_ms]
    quiet_ms, flapping_s = thresholds.PegTimings().quiet_ms, thresholds.FLAPPING_WINDOW_MS // 1000
    for told in (
        f"| `quiet_ms`, {quiet_ms}; its light is green after {thresholds.GREEN_AFTER_MS} already",
        f"| touched and left other holes | `quiet_ms` + {thresholds.COUNTING_EXTRA_MS} |",
        f"last {('no', 'one', 'two', 'three')[thresholds.PACE_SAMPLE_ACTS]} moves | "
        f"that touch and {thresholds.SLOW_HAND_EXTRA_MS} ms more",
        f"one of the same moves for longer than "
        f"{quiet_ms + thresholds.COUNTING_EXTRA_MS - thresholds.SLOW_HAND_EXTRA_MS} ms | that touch and "
        f"{thresholds.SLOW_HAND_EXTRA_MS} ms more",
        f"had rested {thresholds.MIN_ACT_REST_MS} ms when",
        f"is not due there | `doubt_ms`, {thresholds.PegTimings().doubt_ms / 1000} s |",
        f"A touch of more than {thresholds.MAX_TOUCH_MS} ms counts as a rest",
        f"no peg waits for longer than {model.MAX_DELAY_MS / 1000} s",
        f"a delay of at most {limits_ms[0]} ms if the peg touched no other hole, {limits_ms[1]} ms if it did, "
        f"{limits_ms[2]} ms if a touch",
        f"within {thresholds.BOUNCE_MS} ms are one change",
        f"no later than {thresholds.SENSOR_LAG_MS} ms after",
        f"changes {thresholds.FAULTY_FLIPS} times within {flapping_s} s where no hand can be",
        f"changes {thresholds.FAULTY_HOME_FLIPS} times within {flapping_s} s where a peg is at home, "
        f"or within {flapping_s // 2} s where a hand is at work",
        f"taken for {thresholds.OVERRULE_SENSOR_MS // 1000} s though",
        f"{thresholds.OVERRULE_SENSOR_MS // 1000} s after the peg was lifted",
        f"has not changed for {thresholds.STEADY_RELEASE_MS // 1000} s",
        f"{thresholds.SET_UP_REMINDER_MS // 1000} s after one seat is set up",
        f"hole holds no known peg | {assignment.COST_UNOWNED:,} |",
        f"no legal move puts them | {assignment.COST_ILLEGAL} |",
        f"lifted that could be in it | {assignment.COST_FLICKERED} |",
    ):
        assert told in text, told
