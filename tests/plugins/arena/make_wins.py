"""Make the tables of six-card that come from played deals: pegging, hands and cribs, chances to win, and skunks.

`python -m tests.plugins.arena.make_wins deals.jsonl --parts 10` plays parts of 20,000 deals at 0-0 with the expert in
C, and adds their counts to the file, so that the tool may be stopped and continued. `--write` writes the tables. It
prints the widest 95 % interval of the chances to win, from ten tables of a tenth of the deals each, and the chances
that others have published: the first dealer (Hessel) and the dealer's 35 to 37 (Carte Primus).
"""

import ctypes
import statistics
from collections import Counter
from math import sqrt
from pathlib import Path
from typing import Any

from companion.plugins.arena.match import STANDARD_ERRORS
from tests.plugins.arena import compiled_expert
from tests.plugins.arena.generators import deals
from tests.plugins.arena.generators.deals import DEALER, PONE, DealCounts
from tests.plugins.arena.make_pegging import choose_discards
from tests.plugins.arena.make_tables import DEALS_ABOUT, TABLES, describe_skunks, describe_wins, round_rows, write_table
from tests.plugins.arena.result_lines import add_results, parse_arguments

SEED = 121_000_000
DEALS = 20_000
HANDS_TRIED = 40
"""Hands tried in a search far from the end."""
GROUPS = 10
PUBLISHED = {(0, 0): ("Hessel, first dealer", 0.559), (35, 37): ("Carte Primus, dealer 35, pone 37", 0.51)}
MOST, MOST_PEGGED, MOST_COUNTED = 100, 40, 30


def play_part(coach: compiled_expert.Coach, number: int) -> dict[str, Any]:
    """Return the counts of a part, without those that are 0."""
    count = ctypes.c_int64
    first, ends = (count * MOST * MOST * 2)(), (count * MOST * MOST)()
    pegged, hands = (count * MOST_PEGGED * MOST_PEGGED)(), (count * MOST_COUNTED * 3)()
    library = compiled_expert.load_library()
    library.count_deals(ctypes.addressof(coach), DEALS, SEED + number, first, ends, pegged, hands)

    def list_counts(square: Any) -> list[list[int]]:
        return [[n, m, found] for n, row in enumerate(square) for m, found in enumerate(row) if found]

    return {"part": number, "n": DEALS, "first": [list_counts(each) for each in first], "ends": list_counts(ends),
            "pegged": list_counts(pegged), "hands": [list(row) for row in hands]}  # fmt: skip


def add_parts(path: Path, parts: int) -> list[dict[str, Any]]:
    compiled_expert.load_keeps(choose_discards().rows)
    coach = compiled_expert.make_coach(compiled_expert.load_tables(), hands=HANDS_TRIED)
    return add_results(path, parts, lambda number: play_part(coach, number))


def _add_rows(parts: list[dict[str, Any]], *keys: Any) -> Counter[tuple[int, int]]:
    total: Counter[tuple[int, int]] = Counter()
    for part in parts:
        rows = part
        for key in keys:
            rows = rows[key]
        for n, m, found in rows:  # type: ignore[str-unpack]
            total[int(n), int(m)] += int(found)
    return total


def add_counts(parts: list[dict[str, Any]]) -> DealCounts:
    first = [_add_rows(parts, "first", role) for role in (DEALER, PONE)]
    return DealCounts(sum(part["n"] for part in parts), first, _add_rows(parts, "ends"))


def write_tables(parts: list[dict[str, Any]], folder: Path) -> None:
    counts = add_counts(parts)
    number = counts.number
    pegged = _add_rows(parts, "pegged")
    rows = [
        [sum(column) / number for column in zip(*(part["hands"][n] for part in parts), strict=True)] for n in range(3)
    ]
    for row in rows:
        while not row[-1]:
            row.pop()
    *hands, crib = round_rows(rows, 5)
    tables: dict[str, dict[str, object]] = {
        "deals": {
            "about": DEALS_ABOUT,
            "pegged": [[d, p, round(n / number, 6)] for (d, p), n in sorted(pegged.items()) if n / number > 2e-5],
            "hands": hands, "crib": crib,
        },
        "wins": describe_wins(counts),
        "skunks": describe_skunks(counts),
    }  # fmt: skip
    for name, table in tables.items():
        write_table(folder, f"six-card-{name}", {"deals_played": number, **table}, "make_wins", SEED)


def print_intervals(parts: list[dict[str, Any]]) -> None:
    found = [deals.compute_win_chances(add_counts(parts[group::GROUPS])) for group in range(GROUPS)]

    def half_width(scores: tuple[int, int]) -> float:
        values = [part[scores[0]][scores[1]] for part in found]
        return STANDARD_ERRORS * statistics.stdev(values) / sqrt(GROUPS)

    widths = {(dealer, pone): half_width((dealer, pone)) for dealer in range(121) for pone in range(121)}
    widest = max(widths, key=lambda scores: widths[scores])
    print(f"{add_counts(parts).number} deals: widest ±{100 * widths[widest]:.2f} % at {widest}, "
          f"mean ±{100 * statistics.fmean(widths.values()):.2f} %")  # fmt: skip
    for (dealer, pone), (name, value) in PUBLISHED.items():
        mean = statistics.fmean(part[dealer][pone] for part in found)
        print(f"{name}: {100 * value:.1f} %, here {100 * mean:.2f} ±{100 * widths[dealer, pone]:.2f} %")


def main() -> None:
    given = parse_arguments(__doc__, parts=10, write=False)
    parts = add_parts(given.file, given.parts)
    if given.write:
        write_tables(parts, TABLES)
    print_intervals(parts)


if __name__ == "__main__":
    main()
