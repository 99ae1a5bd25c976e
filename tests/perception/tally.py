"""Many scenes counted: a row of the table, and whether the bounds that the project has set itself are held."""

from collections import Counter
from dataclasses import dataclass, field
from typing import get_args

from tests.perception.judge import MAX_DELAY_BY_PACE_MS, Pace, Verdict

COLUMNS = {
    "board": "<10", "family": "<17", "scenarios": ">10", "wrong": ">6", "asked": ">6", "rightly": ">8", "missed": ">7",
    "early": ">8", "p50": ">5", "p99": ">5", "touched": ">8", "slow": ">5", "next": ">5", "a minute": ">9",
}  # fmt: skip
"""The table's columns, and how wide each is."""
SCENARIOS, ASKED_PCT, EARLY_PCT, A_MINUTE = 1_000_000, 0.3, 2, 20_000
"""The bounds that `PAGE` tells; that nothing is wrong or missed goes without a number."""
DELAY_MARGIN_MS = 60
"""So much later than the latest times may 99 of 100 claims be told."""
PAGE = "docs/explanation/reading-pegs.md"
"""Where the bounds are told, and what was measured."""


@dataclass
class Tally:
    """Counts over many scenarios. `seconds` are of processor time, in whichever processes it was spent.

    `slow` are the claims of hands that count slowly, `early` those of them that were told early and then corrected.
    `delays` are (ms, how the claim was made), each with how often. `shown` are lines about scenarios that went wrong.
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
        """So many scenarios a minute does one core read."""
        return round(self.scenarios / self.seconds * 60) if self.seconds else 0

    @property
    def early_pct(self) -> float | None:
        """Which share of the slow counters' claims was told early; None where there were none."""
        return 100 * self.early / self.slow if self.slow else None

    def add_verdict(self, verdict: Verdict) -> None:
        """One scenario more."""
        self.scenarios += 1
        self.wrong += bool(verdict.wrong)
        self.asked += bool(verdict.asked)
        self.rightly += bool(verdict.rightly)
        self.missed += bool(verdict.missed)
        self.slow += verdict.slow
        self.early += verdict.early
        self.delays.update(verdict.delays)

    def add_tally(self, other: "Tally") -> None:
        """All of another's scenarios more; what they show is not kept."""
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
        """The delay that this share of verdicts did not exceed; None where there were none."""
        of = sorted((ms, many) for (ms, was), many in self.delays.items() if was == pace)
        left = int(share * (sum(many for _, many in of) - 1))
        for ms, many in of:
            left -= many
            if left < 0:
                return ms
        return None

    def format_line(self, board: str, family: str) -> str:
        """A line of the table."""
        counts = (self.scenarios, self.wrong, self.asked, self.rightly, self.missed)
        early = "-" if self.early_pct is None else f"{self.early_pct:.2g} %"
        delays = [self.delay_ms(0.5, "direct"), *(self.delay_ms(0.99, pace) for pace in get_args(Pace))]
        return _format_row(
            board, family, *counts, early, *("-" if ms is None else ms for ms in delays), self.per_minute
        )


def format_heading() -> str:
    """The table's first line."""
    return _format_row(*COLUMNS)


def _format_row(*cells: object) -> str:
    return " ".join(f"{cell!s:{width}}" for cell, width in zip(cells, COLUMNS.values(), strict=True))


def format_bounds(tally: Tally, *, whole: bool) -> str:
    """A sentence or two that say whether the bounds are held, and by what they are not.

    `whole`: all families were played on all boards, as the bounds are meant.
    """
    asked_pct, early_pct = 100 * tally.asked / tally.scenarios, tally.early_pct or 0
    found = [
        (f"{tally.wrong:,} wrong", "0", tally.wrong == 0),
        (f"{tally.missed:,} missed", "0", tally.missed == 0),
        (f"{asked_pct:.2g} % asked", f"at most {ASKED_PCT}", asked_pct <= ASKED_PCT),
        (f"{early_pct:.2g} % of slow counters told early", f"at most {EARLY_PCT}", early_pct <= EARLY_PCT),
        *(_delay_bound(tally, pace) for pace in get_args(Pace)),
        (f"{tally.per_minute:,} a minute and core", f"at least {A_MINUTE:,}", tally.per_minute >= A_MINUTE),
    ]
    broken = [f"{what} ({bound} wanted)" for what, bound, held in found if not held]
    said = "not held: " + ", ".join(broken) if broken else "held: " + ", ".join(what for what, _, _ in found)
    enough = whole and tally.scenarios >= SCENARIOS
    meant = "" if enough else f" They are meant for {SCENARIOS:,} scenarios of all families and boards."
    return f"In {tally.scenarios:,} scenarios the bounds of {PAGE} are {said}.{meant}"


def _delay_bound(tally: Tally, pace: Pace) -> tuple[str, str, bool]:
    """What the delay of claims made like this is, its bound, and whether that is held."""
    ms, most = tally.delay_ms(0.99, pace), MAX_DELAY_BY_PACE_MS[pace] + DELAY_MARGIN_MS
    return f"p99 {pace} {'not measured' if ms is None else f'{ms} ms'}", f"at most {most}", (ms or 0) <= most
