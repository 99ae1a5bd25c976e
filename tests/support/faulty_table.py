"""A whole deal at a real `Table` in simulated milliseconds, with faults of devices, disk and program.

The journal is in memory, no thread runs and nothing sleeps. `record_deal` plays the deal once; `play_deal` plays it
again with faults; its players repeat actions that were lost and follow the table's messages.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from companion.boards.board import holes_of
from companion.common.errors import CompanionError, JournalError
from companion.journal.journal import JournalEntry
from companion.protocol.json_codec import read_move
from companion.rules.moves import Claim
from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import TableCore, apply_entry, create_core, next_deadline_ms, restore_pegs
from companion.table.table import Table

PATIENCE_MS = 5000
"""Within this time the table must have accepted an action, or have shown what is wrong."""
REST_MS = 1500
STALL_MS = 6000
FAULTS = ("line", "stall", "kill", "disk", "stuck", "card")
Fault = tuple[int, str]
"""The index of a step, and one of `FAULTS`."""

DEAL: tuple[str | tuple[int, int], ...] = (
    "5D", "TH", "5H", (0, 2), "JS", "6C", (0, 2), "4D", "7S", "QC", "8D", (0, 1), (1, 9), (0, 12),
    "2C", "3C", "9C", "KC", (0, 4),
)  # fmt: skip
"""Cards scanned, and points claimed with the peg: seat and points."""
CABLE_PULLED = "The cable is pulled."
DISK_FULL = "The journal could not be written: the disk is full."


class Step(NamedTuple):
    """One action: `kind` is scan, lift or place. `entries` is the number of journal entries afterwards."""

    kind: str
    what: str
    entries: int
    claim: tuple[int, int] | None = None
    """For a placed peg: seat and points."""


class MemoryJournal:
    """The part of the journal that a table uses. Entries survive the table; with `is_full`, writing fails."""

    game_id, entries_since_checkpoint, damage = 1, 0, None

    def __init__(self, entries: Sequence[JournalEntry] = (), pegs: str = "null") -> None:
        self.entries, self.pegs, self.is_full, self.trouble = [*entries], pegs, False, None

    @property
    def moves(self) -> list[Mapping[str, Any]]:
        """The moves as JSON."""
        return [entry.body for entry in self.entries if entry.kind == "move"]

    move_count = property(lambda self: len(self.moves))
    last_entry_id = property(lambda self: len(self.entries))

    def check_file(self) -> None:
        """Do nothing: no file can be missing."""

    def close(self) -> None:
        """Do nothing: no file is open."""

    def write(self, entries: Sequence[JournalEntry], pegs: Any = None) -> None:
        """Store entries and pegs. Raises JournalError."""
        if self.is_full:
            self.trouble = DISK_FULL
            raise JournalError(DISK_FULL)
        self.trouble = None
        self.entries += entries
        if pegs is not None:
            self.pegs = json.dumps(pegs)


class _QuietTable(Table):
    """A table that never sleeps: the deal moves its clock."""

    def wait_for_change(self, _timeout_s: float) -> None:
        """Return at once."""


class FaultyDeal:
    """A table in the middle of a deal, with its pegs, its cable, its disk and its clock."""

    def __init__(self) -> None:
        self.ms, self.is_line_up, self.is_stalled = 1000, True, False
        self.stuck: dict[str, bool] = {}
        self.before_lift = self.lost_moves = 0
        self.journal = MemoryJournal()
        core = create_core(create_plan("six-card", options={"counting": "manual"}), Settings())
        self.by_id = core.plan.board.by_id
        self.wood = frozenset(core.plan.board.holes[bit].id for bit in holes_of(core.course.resting_holes()))
        self.late: list[Callable[[], None]] = []
        self._open(core)
        self.rest(REST_MS)

    def _open(self, core: TableCore) -> None:
        self.table = _QuietTable(
            core,
            self.journal,  # type: ignore[arg-type]
            lambda: self.ms,
            run="test",
            ask_sensors=self.report,
            has_ticker=False,  # the deal itself advances the clock
        )
        self.report()

    def kill(self) -> None:
        """Lose the memory and start a table from the journal. Every move that was shown must be in it."""
        shown = self.table.snapshot.moves
        core = create_core(self.table.core.plan, Settings())
        for entry in self.journal.entries:
            core = apply_entry(core, entry, read_move(entry.body, 2) if entry.kind == "move" else None)
        self._open(restore_pegs(core, json.loads(self.journal.pegs)))
        self.lost_moves += shown - self.table.snapshot.moves
        if not self.is_line_up:
            self.cut_line()

    def report(self) -> None:
        """Let the sensors report, if their line is up. During a stall the reports wait."""
        bits, ms = self.seen_bits, self.ms
        if self.is_line_up:
            self._send(lambda: self.table.on_levels(bits, ms))

    @property
    def seen_bits(self) -> int:
        """The holes that the sensors report as taken."""
        seen = {hole for hole in self.wood if self.stuck.get(hole, True)} | {h for h, on in self.stuck.items() if on}
        return sum(1 << self.by_id[hole].bit for hole in seen)

    def _send(self, arrive: Callable[[], None]) -> None:
        if self.is_stalled:
            self.late.append(arrive)
        else:
            arrive()

    def rest(self, ms: int) -> None:
        """Let time pass; each conclusion is drawn when it is due."""
        end = self.ms + ms
        while not self.is_stalled and (due := next_deadline_ms(self.table.core)) is not None and due <= end:
            self.ms = max(due, self.ms)
            before = self.table.core
            self.report()
            if self.table.core is before:  # it stays due, for example while the disk is full
                break
        self.ms = end
        self.report()

    def cut_line(self) -> None:
        """Pull the cable; the device's thread reports it to the table."""
        self.is_line_up = False
        self.table.on_device("sensors", ok=False, say=CABLE_PULLED)

    def repair(self) -> None:
        """Put the cable back and free the disk."""
        self.journal.is_full = False
        if not self.is_line_up:
            self.is_line_up = True
            self.table.on_device("sensors", ok=True, say="")
            self.report()

    def end_stall(self) -> None:
        """Let the program go on after `STALL_MS`: it reads what has arrived, each report with its own time."""
        self.rest(STALL_MS)
        self.is_stalled, late = False, self.late
        self.late = []
        for arrive in late:
            arrive()
        self.report()

    def do_action(self, step: Step, *, is_card_lost: bool = False) -> None:
        """Perform the action of a step."""
        if step.kind == "lift":
            self.before_lift = self.seen_bits
            self.wood -= {step.what}
        elif step.kind == "place":
            self.wood |= {step.what}
        elif not is_card_lost:
            self._send(lambda: self.table.on_scan(step.what))
        self.report()

    def record(self, kind: str, what: str, claim: tuple[int, int] | None = None) -> Step:
        """Perform an action without faults; return it as a step."""
        self.do_action(Step(kind, what, 0, claim))
        self.rest(200 if kind == "lift" else REST_MS)
        return Step(kind, what, self.journal.last_entry_id, claim)

    @property
    def messages(self) -> list[str]:
        """Return the sentences that say what is wrong now, and how to continue."""
        now = self.table.snapshot
        questions = (
            [now.question["why"]] if isinstance(now.question, Mapping) else [str(now.question)] * bool(now.question)
        )
        devices = [each.say for each in now.devices.values() if not each.ok]
        advice = [each.say for each in now.advice]
        return [
            *devices,
            *filter(None, [now.trouble]),
            *questions,
            *advice,
            *(f"{hole} is ignored" for hole in now.quarantined),
        ]


@cache
def record_deal() -> tuple[Step, ...]:
    """Play the deal without faults; return its steps."""
    deal, steps = FaultyDeal(), []
    for each in DEAL:
        if isinstance(each, str):
            steps.append(deal.record("scan", each))
        else:
            seat, points = each
            core, back = deal.table.core, deal.table.snapshot.pegs[seat].back
            goal = core.plan.routes[seat].hole_at(deal.table.snapshot.view["scores"][seat] + points, 121)
            steps.append(deal.record("lift", back))
            steps.append(deal.record("place", core.plan.board.holes[goal].id, each))
    return tuple(steps)


def list_faults() -> Iterator[Fault]:
    """Yield every fault at every step. A card is lost only where one is scanned."""
    for at, step in enumerate(record_deal()):
        yield from ((at, fault) for fault in FAULTS if fault != "card" or step.kind == "scan")


def play_deal(*faults: Fault) -> list[str]:
    """Play the recorded deal with these faults; return what went wrong, empty for nothing."""
    deal, steps, problems = FaultyDeal(), record_deal(), []
    expected = _recorded_moves()
    for at, step in enumerate(steps):
        _do_step(deal, at, {fault for when, fault in faults if when == at})
        problems += [f"{at} {step.kind}: {problem}" for problem in _recover(deal, step)]
        if deal.journal.moves != expected[: len(deal.journal.moves)]:
            return [*problems, f"{at} {step.kind}: false move {deal.journal.moves[-1]}"]
        if deal.lost_moves or len(deal.journal.entries) != step.entries:
            return [*problems, f"{at} {step.kind}: lost"]
    return problems


@cache
def _recorded_moves() -> list[Mapping[str, Any]]:
    deal = FaultyDeal()
    for step in record_deal():
        deal.record(*step[:2])
    return deal.journal.moves


def _do_step(deal: FaultyDeal, at: int, faults: set[str]) -> None:
    step = record_deal()[at]
    if "stuck" in faults:
        pegged = next((each for each in record_deal()[at:] if each.kind != "scan"), step)
        deal.stuck[pegged.what] = step.kind != "place"
        deal.report()
    if "line" in faults:
        deal.cut_line()
    deal.journal.is_full = "disk" in faults
    deal.is_stalled = "stall" in faults
    deal.do_action(step, is_card_lost="card" in faults)
    if "kill" in faults:
        deal.is_stalled, deal.late = False, []
        deal.kill()
    elif "stall" in faults:
        deal.end_stall()
    deal.rest(200 if step.kind == "lift" else REST_MS)


def _recover(deal: FaultyDeal, step: Step) -> Iterator[str]:
    """Follow the table's messages until it has taken the step. Yield each message that is missing."""
    is_taken = len(deal.journal.entries) >= step.entries
    if not is_taken:
        deal.rest(PATIENCE_MS - REST_MS)
        is_taken = len(deal.journal.entries) >= step.entries
    messages = deal.messages
    if not deal.is_line_up and CABLE_PULLED not in messages:
        yield "the unplugged cable was not reported"
    if not is_taken and deal.journal.trouble and DISK_FULL not in messages:
        yield "the full disk was not reported"
    # a peg that no sensor has seen, neither leaving nor arriving, is only missed by the players: the claim is open
    if not is_taken and step.kind == "place" and not messages and deal.seen_bits != deal.before_lift:
        yield "a peg that was not accepted was not reported"
    deal.repair()
    deal.rest(REST_MS)
    if len(deal.journal.entries) >= step.entries:
        return
    if step.kind == "scan":  # the page still shows whose turn it is
        deal.do_action(step)
    elif step.claim is not None:
        with suppress(CompanionError):
            deal.table.submit(Claim(*step.claim))
    deal.rest(REST_MS)
