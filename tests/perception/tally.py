"""Many scenes counted: a row of the table, and whether the bounds that the project has set itself are held."""

from collections import Counter
from dataclasses import dataclass, field

from judge import Verdict

COLUMNS = {
    "board": "<10", "family": "<17", "scenarios": ">10", "wrong": ">6", "asked": ">6", "rightly": ">8", "missed": ">7",
    "p50": ">11", "p99": ">11", "a minute": ">9",
}  # fmt: skip
"""The table's columns, and how wide each is."""
SCENARIOS, ASKED_PCT, P99_MS, P99_TOUCHED_MS, A_MINUTE = 1_000_000, 0.5, 460, 860, 20_000
"""The bounds that `PAGE` tells; that nothing is wrong or missed goes without a number."""
PAGE = "docs/explanation/reading-pegs.md"
"""Where the bounds are told, and what was measured."""


@dataclass
class Tally:
    """Counts over many scenarios. `seconds` are of processor time, in whichever processes it was spent.

    `delays` are (ms, whether the peg touched other holes on its way), each with how often. `shown` are lines about
    scenarios that went wrong.
    """

    scenarios: int = 0
    seconds: float = 0.0
    wrong: int = 0
    asked: int = 0
    rightly: int = 0
    missed: int = 0
    delays: Counter[tuple[int, bool]] = field(default_factory=Counter)
    shown: list[str] = field(default_factory=list)

    @property
    def a_minute(self) -> int:
        """So many scenarios a minute does one core read."""
        return round(self.scenarios / self.seconds * 60) if self.seconds else 0

    def count(self, verdict: Verdict, seconds: float) -> None:
        """One scenario more, and how long it took to read."""
        self.scenarios += 1
        self.seconds += seconds
        self.wrong += bool(verdict.wrong)
        self.asked += bool(verdict.asked)
        self.rightly += bool(verdict.rightly)
        self.missed += bool(verdict.missed)
        self.delays.update(verdict.delays)

    def add(self, other: "Tally") -> None:
        """All of another's scenarios more; what they show is not kept."""
        self.scenarios += other.scenarios
        self.seconds += other.seconds
        self.wrong += other.wrong
        self.asked += other.asked
        self.rightly += other.rightly
        self.missed += other.missed
        self.delays += other.delays

    def delay_ms(self, share: float, *, touched: bool) -> int | None:
        """The delay that this share of verdicts did not exceed; None where there were none."""
        of = sorted((ms, many) for (ms, was), many in self.delays.items() if was == touched)
        left = int(share * (sum(many for _, many in of) - 1))
        for ms, many in of:
            left -= many
            if left < 0:
                return ms
        return None

    def line(self, board: str, family: str) -> str:
        """A line of the table."""
        counts = (self.scenarios, self.wrong, self.asked, self.rightly, self.missed)
        return _row(board, family, *counts, self._delays(0.5), self._delays(0.99), self.a_minute)

    def _delays(self, share: float) -> str:
        """The delay, and in brackets where the peg touched other holes on its way."""
        direct, touched = self.delay_ms(share, touched=False), self.delay_ms(share, touched=True)
        return ("-" if direct is None else str(direct)) + ("" if touched is None else f" ({touched})")


def heading() -> str:
    """The table's first line."""
    return _row(*COLUMNS)


def _row(*cells: object) -> str:
    return " ".join(f"{cell!s:{width}}" for cell, width in zip(cells, COLUMNS.values(), strict=True))


def bounds(tally: Tally, *, whole: bool) -> str:
    """A sentence or two that say whether the bounds are held, and by what they are not.

    `whole`: all families were played on all boards, as the bounds are meant.
    """
    asked_pct = 100 * tally.asked / tally.scenarios
    direct, touched = tally.delay_ms(0.99, touched=False), tally.delay_ms(0.99, touched=True)
    found = [
        (f"{tally.wrong:,} wrong", "0", tally.wrong == 0),
        (f"{tally.missed:,} missed", "0", tally.missed == 0),
        (f"{asked_pct:.2g} % asked", f"at most {ASKED_PCT}", asked_pct <= ASKED_PCT),
        (f"p99 {_ms(direct)}", f"at most {P99_MS}", (direct or 0) <= P99_MS),
        (f"p99 touched {_ms(touched)}", f"at most {P99_TOUCHED_MS}", (touched or 0) <= P99_TOUCHED_MS),
        (f"{tally.a_minute:,} a minute and core", f"at least {A_MINUTE:,}", tally.a_minute >= A_MINUTE),
    ]
    broken = [f"{what} ({bound} wanted)" for what, bound, held in found if not held]
    said = "not held: " + ", ".join(broken) if broken else "held: " + ", ".join(what for what, _, _ in found)
    enough = whole and tally.scenarios >= SCENARIOS
    meant = "" if enough else f" They are meant for {SCENARIOS:,} scenarios of all families and boards."
    return f"In {tally.scenarios:,} scenarios the bounds of {PAGE} are {said}.{meant}"


def _ms(delay: int | None) -> str:
    return "not measured" if delay is None else f"{delay} ms"
