"""Make the tables of skunks from played deals (part of `make tables`; some minutes)."""

import argparse
import sys
import time
from pathlib import Path

from companion.common.constants import CARDS_DEALT
from companion.rules.match_terms import SKUNK_LIMITS
from tests.plugins.arena.generators import deals
from tests.plugins.arena.generators.discards import choose_hand
from tests.plugins.arena.make_tables import TABLES, round_rows, write_table

SEED = 91
SKUNK_SCORES = dict(zip(("skunk", "double"), SKUNK_LIMITS[121], strict=True))


def main() -> None:
    """Make the table of five-card. That of six-card is made by `make_wins`."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--deals", type=int, default=60_000)
    asked.add_argument("--to", type=Path, default=TABLES)
    told = asked.parse_args()
    make_skunk_tables("five-card", told.deals, told.to)


def make_skunk_tables(game: str, number: int, folder: Path) -> None:
    """Make the table of one game from `number` deals."""
    begun = time.monotonic()
    played = deals.play_deals(choose_hand, CARDS_DEALT[game], number, SEED)
    events = [[told[0], *pegs, *told[1:]] for _, pegs, told in played]
    print(f"{game} {time.monotonic() - begun:4.0f} s  {len(events)} deals played", file=sys.stderr, flush=True)
    write_table(folder, f"{game}-skunks", describe_skunks(deals.count_deals(events)), "make_skunks", SEED)
    print(f"{game} {time.monotonic() - begun:4.0f} s  done", file=sys.stderr, flush=True)


def describe_skunks(counts: deals.DealCounts) -> dict[str, object]:
    """Return the table of chances to skunk."""
    about = "Before a deal, by the dealer's score (rows) and pone's, to 121: the dealer's chance to skunk less pone's."
    found = {name: round_rows(deals.compute_skunk_chances(counts, limit), 4) for name, limit in SKUNK_SCORES.items()}
    return {"about": about, **found}


if __name__ == "__main__":
    main()
