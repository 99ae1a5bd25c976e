"""Pairs of games between the coach and the expert of an earlier commit, played by the expert in C.

`.venv/bin/python -m tests.arena.compiled_match match.jsonl --before CHECKOUT --pairs 20000` plays the seeds from 0 on
against the expert with the tables of CHECKOUT, a checkout of the commit before it searched its own continuation and
ordered equal chances by points (eb3200b6). The file is that of `companion arena --results`, so the match can be stopped
and continued, and any pair can be repeated with `companion arena` and the `companion advise` of both checkouts.
"""

import argparse
import json
from pathlib import Path

from companion.arena.match import ArenaTerms, ResultFile, summarize_pairs
from tests.arena import compiled_expert
from tests.arena.compiled_expert import load_tables, make_coach


def main() -> None:
    """Play the pairs that the file does not have yet, and print the result."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("file", type=Path)
    asked.add_argument("--before", type=Path, required=True)
    asked.add_argument("--pairs", type=int, default=20_000)
    asked.add_argument("--first", type=int, default=0, help="the first seed")
    given = asked.parse_args()
    one = make_coach(load_tables())
    other = make_coach(load_tables(given.before / "companion/coach/tables"), searches=False)
    file = ResultFile(given.file, ArenaTerms("expert", "expert before"))
    results = list(file.results)
    for seed in range(given.first + len(results), given.first + given.pairs):
        results.append(compiled_expert.play_pair(one, other, seed))
        file.add(results[-1])
    print(json.dumps(summarize_pairs(results)))


if __name__ == "__main__":
    main()
