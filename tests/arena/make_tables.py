"""`make tables`: makes companion/coach/tables anew, in some minutes.

Cribs, keeps and pegging follow from each other: who knows what a hand pegs keeps others, and throws others. So they
are made in two rounds, and what the deals of the second show is the rest: pegging by hand, hands, cribs, and, from
the last holes backwards, the chance to win from any two scores.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from math import comb
from pathlib import Path

from arena.making import cribs, deals

from companion.coach.ranks import FOURS, PAIRS, THREES, Ranks, ways
from companion.rules.cards import Card

TABLES = Path(__file__).parents[2] / "companion/coach/tables"
SEED = 121
DEALER, PONE = 0, 1
FEW = 40
"""As many deals as this speak for the mean of all hands: of a hand that is seldom kept little is known."""


def main() -> None:
    """Make them."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--deals", type=int, default=200_000)
    asked.add_argument("--to", type=Path, default=TABLES)
    told = asked.parse_args()
    for game, kept in (("six-card", FOURS), ("five-card", THREES)):
        make(game, kept, told.deals, told.to)


def make(game: str, kept: tuple[Ranks, ...], number: int, folder: Path) -> None:
    """The five tables of one game."""
    begin = time.monotonic()

    def say(text: str) -> None:
        print(f"{game} {time.monotonic() - begin:4.0f} s  {text}", file=sys.stderr, flush=True)

    net: tuple[list[float], list[float]] = ([0.0] * len(kept), [0.0] * len(kept))
    dealt = len(kept[0]) + 2
    for turn in (1, 2):
        rest = cribs.settle(kept, net)
        say(f"round {turn}: cribs are at rest")
        played = list(deals.deals(keeper(rest), dealt, number // (2 if turn == 1 else 1), SEED + turn))
        net = pegging(kept, played)
        say(f"round {turn}: {len(played)} deals played")
    tables: dict[str, dict[str, object]] = {
        "cribs": {
            "about": "By pair of ranks (A A to K K), for dealer and pone: the mean crib, and how often it is thrown.",
            "worth": rounded(rest.cribs, 3),
            "thrown": rounded(shares(rest, 0, len(PAIRS)), 6),
        },
        "keeps": {
            "about": "By hand without suits (aces to kings), for dealer and pone: how gladly kept, 1 as by chance.",
            "kept": rounded(gladly(kept, rest), 3),
        },
        "pegging": {"about": "By hand, for dealer and pone: own pegging less the other's.", "net": rounded(net, 2)},
        "deals": {
            "about": "Shares of deals: pegged by dealer and pone; hands of dealer and of pone, and cribs, by points.",
            **shown(played),
        },
        "wins": {
            "about": "The dealer's chance to win before a deal, by the dealer's score (rows) and by pone's, to 121.",
            "dealer": rounded(deals.chances([[told[0], *pegs, *told[1:]] for _, pegs, told in played]), 4),
        },
    }
    for name, table in tables.items():
        write(folder, f"{game}-{name}", table)
    say("done")


def keeper(rest: cribs.Rest) -> Callable[[tuple[Card, ...], int], tuple[Card, ...]]:
    """Who keeps as was settled."""
    thrown = [
        {hand.held: PAIRS[answer[0]] for hand, answer in zip(rest.hands, rest.answers[who], strict=True)}
        for who in (DEALER, PONE)
    ]

    def keep(six: tuple[Card, ...], who: int) -> tuple[Card, ...]:
        left = list(six)
        for rank in thrown[who][tuple(card.rank for card in six)]:
            left.remove(next(card for card in left if card.rank == rank))
        return tuple(left)

    return keep


def shares(rest: cribs.Rest, part: int, size: int) -> list[list[float]]:
    """How often dealer and pone throw each pair (part 0) or keep each four (part 1)."""
    found = [[0.0] * size for _ in (DEALER, PONE)]
    for who in (DEALER, PONE):
        for hand, answer in zip(rest.hands, rest.answers[who], strict=True):
            found[who][answer[part]] += hand.likely
    return found


def gladly(kept: tuple[Ranks, ...], rest: cribs.Rest) -> list[list[float]]:
    """How often each hand is kept, against cards drawn by chance."""
    every = comb(52, len(kept[0]))
    return [
        [share * every / ways(hand, [4] * 13) for hand, share in zip(kept, row, strict=True)]
        for row in shares(rest, 1, len(kept))
    ]


def pegging(kept: tuple[Ranks, ...], played: list[deals.Played]) -> tuple[list[float], list[float]]:
    """By four: what its holder pegged more than the other, as dealer and as pone."""
    sums: list[Counter[tuple[int, ...]]] = [Counter(), Counter()]
    seen: list[Counter[tuple[int, ...]]] = [Counter(), Counter()]
    for fours, pegs, _ in played:
        net = sum(scored if who == DEALER else -scored for who, scored in pegs)
        for who in (DEALER, PONE):
            sums[who][fours[who]] += net if who == DEALER else -net
            seen[who][fours[who]] += 1
    means = [sum(sums[who].values()) / len(played) for who in (DEALER, PONE)]
    one, other = (
        [(sums[who][four] + FEW * means[who]) / (seen[who][four] + FEW) for four in kept] for who in (DEALER, PONE)
    )
    return one, other


def shown(played: list[deals.Played]) -> Mapping[str, object]:
    """What is pegged and shown in all these deals."""
    pegged: Counter[tuple[int, int]] = Counter()
    points: list[Counter[int]] = [Counter(), Counter(), Counter()]
    for _, pegs, (_, pone, dealer, crib) in played:
        pegged[tuple(sum(n for who, n in pegs if who == seat) for seat in (DEALER, PONE))] += 1  # type: ignore[index]
        for counter, (_, scored) in zip(points, (dealer, pone, crib), strict=True):
            counter[scored] += 1
    total = len(played)
    rows = [[round(counter[n] / total, 5) for n in range(max(counter) + 1)] for counter in points]
    often = [[d, p, round(n / total, 6)] for (d, p), n in sorted(pegged.items()) if n / total > 2e-5]
    return {"pegged": often, "hands": rows[:2], "crib": rows[2]}


def rounded(rows: object, digits: int) -> list[list[float]]:
    """Numbers as short as they may be."""
    return [[round(each, digits) for each in row] for row in rows]  # type: ignore[attr-defined]


def write(folder: Path, name: str, table: Mapping[str, object]) -> None:
    """One table, with how it was made."""
    told = {
        "made": f"by tests/arena/make_tables.py (make tables), seed {SEED}; docs/explanation/how-the-coach-plays.md",
        **table,
    }
    lines = ",\n".join(f"{json.dumps(key)}: {_rows(value)}" for key, value in told.items())
    (folder / f"{name}.json").write_text("{\n" + lines + "\n}\n", encoding="utf-8")


def _rows(value: object) -> str:
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("],[", "],\n[") if isinstance(value, list) and len(value) > 3 else text


if __name__ == "__main__":
    main()
