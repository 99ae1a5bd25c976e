"""Counts over many scenes: a row of the table, and whether the bounds of the project hold."""

from collections import Counter
from dataclasses import dataclass, field
from typing import get_args

from tests.perception.judge import MAX_DELAY_BY_PACE_MS, Pace, Verdict

COLUMNS = {
    "board": "<10", "family": "<17", "scenarios": ">10", "wrong": ">6", "asked": ">6", "rightly": ">8", "missed": ">7",
    "early": ">8", "p50": ">5", "p99": ">5", "touched": ">8", "slow": ">5", "counted": ">8", "next": ">5",
    "a minute": ">9",
}  # fmt: skip
"""Columns of the table with their widths."""
MIN_SCENARIOS, MAX_ASKED_PCT, MAX_EARLY_PCT, MIN_SCENARIOS_PER_MINUTE = 1_000_000, 0.3, 2, 20_000
"""The bounds in `PAGE`. The bounds of wrong and missed are 0."""
DELAY_MARGIN_MS = 60
"""Margin that is added to the maximum delays for 99 of 100 claims."""
PAGE = "docs/explanation/reading-pegs.md"
"""The page with the bounds and the measured values."""


@dataclass
class Tally:
    """Counts over many scenarios.

    :param seconds: processor time of all processes.
    :param slow: number of claims of hands that count slowly.
    :param early: number of these claims that were reported early and then corrected.
    :param delays: number of claims by (delay in ms, pace).
    :param shown: lines about failed scenarios.
    """

    scenarios: int = 0
    seconds: float = 0.0
    wrong: int = 0
    asked: int = 0
    rightly: int = 0
    missed: int = 0
    slow: int = 0
    early: int = 0
    delays: Counter[tuple[int, Pace]] = field(default_factory=Counter)
    shown: list[str] = field(default_factory=list)

    @property
    def per_minute(self) -> int:
        return round(self.scenarios / self.seconds * 60) if self.seconds else 0

    @property
    def early_pct(self) -> float | None:
        """Return the share of slow counters' claims that were reported early, in percent; None without such claims."""
        return 100 * self.early / self.slow if self.slow else None

    def add_verdict(self, verdict: Verdict) -> None:
        self.scenarios += 1
        self.wrong += bool(verdict.wrong)
        self.asked += bool(verdict.asked)
        self.rightly += bool(verdict.rightly)
        self.missed += bool(verdict.missed)
        self.slow += verdict.slow
        self.early += verdict.early
        self.delays.update(verdict.delays)

    def add_tally(self, other: "Tally") -> None:
        """Add the scenarios of another tally, except for its `shown` lines."""
        self.scenarios += other.scenarios
        self.seconds += other.seconds
        self.wrong += other.wrong
        self.asked += other.asked
        self.rightly += other.rightly
        self.missed += other.missed
        self.slow += other.slow
        self.early += other.early
        self.delays += other.delays

    def delay_ms(self, share: float, pace: Pace) -> int | None:
        """Return the delay that this share of the claims does not exceed; None without such claims."""
        of = sorted((ms, many) for (ms, was), many in self.delays.items() if was == pace)
        left = int(share * (sum(many for _, many in of) - 1))
        for ms, many in of:
            left -= many
            if left < 0:
                return ms
        return None

    def format_line(self, board: str, family: str) -> str:
        counts = (self.scenarios, self.wrong, self.asked, self.rightly, self.missed)
        early = "-" if self.early_pct is None else f"{self.early_pct:.2g} %"
        delays = [self.delay_ms(0.5, "direct"), *(self.delay_ms(0.99, pace) for pace in get_args(Pace))]
        return _format_row(
            board, family, *counts, early, *("-" if ms is None else ms for ms in delays), self.per_minute
        )


def format_heading() -> str:
    return _format_row(*COLUMNS)


def _format_row(*cells: object) -> str:
    return " ".join(f"{cell!s:{width}}" for cell, width in zip(cells, COLUMNS.values(), strict=True))


def format_bounds(tally: Tally, *, whole: bool) -> str:
    """Return sentences that state whether the bounds hold, and which ones do not.

    :param whole: whether all families were played on all boards, for which the bounds are defined.
    """
    asked_pct, early_pct = 100 * tally.asked / tally.scenarios, tally.early_pct or 0
    found = [
        (f"{tally.wrong:,} wrong", "0", tally.wrong == 0),
        (f"{tally.missed:,} missed", "0", tally.missed == 0),
        (f"{asked_pct:.2g} % asked", f"at most {MAX_ASKED_PCT}", asked_pct <= MAX_ASKED_PCT),
        (f"{early_pct:.2g} % of slow counters told early", f"at most {MAX_EARLY_PCT}", early_pct <= MAX_EARLY_PCT),
        *(_delay_bound(tally, pace) for pace in get_args(Pace)),
        (
            f"{tally.per_minute:,} a minute and core",
            f"at least {MIN_SCENARIOS_PER_MINUTE:,}",
            tally.per_minute >= MIN_SCENARIOS_PER_MINUTE,
        ),
    ]
    broken = [f"{what} ({bound} wanted)" for what, bound, held in found if not held]
    said = "not held: " + ", ".join(broken) if broken else "held: " + ", ".join(what for what, _, _ in found)
    enough = whole and tally.scenarios >= MIN_SCENARIOS
    intents = "" if enough else f" They are meant for {MIN_SCENARIOS:,} scenarios of all families and boards."
    return f"In {tally.scenarios:,} scenarios the bounds of {PAGE} are {said}.{intents}"


def _delay_bound(tally: Tally, pace: Pace) -> tuple[str, str, bool]:
    """Return the delay of claims of this pace, its bound, and whether the bound holds."""
    ms, most = tally.delay_ms(0.99, pace), MAX_DELAY_BY_PACE_MS[pace] + DELAY_MARGIN_MS
    return f"p99 {pace} {'not measured' if ms is None else f'{ms} ms'}", f"at most {most}", (ms or 0) <= most
