"""`make tables`: makes companion/coach/tables anew, in some minutes.

Cribs, keeps and pegging follow from each other: who knows what a hand pegs keeps others, and throws others. So they
are made in two rounds. Then deals are played, and what they show is the rest: hands, cribs, and, from the last holes
backwards, the chance to win from any two scores.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from math import comb, prod
from pathlib import Path

from arena.making import cribs, deals

from companion.coach.cribbage.play_states import START, forget
from companion.coach.cribbage.ranks import FOURS, PAIRS, THREES, Ranks, ways
from companion.coach.cribbage.rollout import finish
from companion.rules.cards import Card

TABLES = Path(__file__).parents[2] / "companion/coach/tables"
SEED = 121
DEALER, PONE = 0, 1
NOBODY_OUT = (1000, 1000)


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
        if turn == 1:
            worth = rest.cribs  # by hand and crib alone, as others reckon it
        say(f"round {turn}: cribs are at rest")
        settled = net
        net = pegging(kept, gladly(kept, rest, settled), 7 if turn == 1 else 1)
        say(f"round {turn}: every hand has pegged")
    played = list(deals.deals(keeper(rest), dealt, number, SEED))
    say(f"{len(played)} deals played")
    tables: dict[str, dict[str, object]] = {
        "cribs": {
            "about": "By pair of ranks (A A to K K), for dealer and pone: the mean crib, and how often it is thrown.",
            "worth": rounded(worth, 3),
            "thrown": rounded([leaning(rest, settled, who)[0] for who in (DEALER, PONE)], 6),
        },
        "keeps": {
            "about": "By hand without suits (aces to kings), for dealer and pone: how gladly kept, 1 as by chance.",
            "kept": rounded(gladly(kept, rest, settled), 3),
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


def gladly(kept: tuple[Ranks, ...], rest: cribs.Rest, net: tuple[list[float], list[float]]) -> list[list[float]]:
    """How often each hand is kept, against cards drawn by chance."""
    every = comb(52, len(kept[0]))
    return [
        [share * every / ways(hand, [4] * 13) for hand, share in zip(kept, leaning(rest, net, who)[1], strict=True)]
        for who in (DEALER, PONE)
    ]


def leaning(rest: cribs.Rest, net: tuple[list[float], list[float]], who: int) -> tuple[list[float], list[float]]:
    """How often each pair is thrown and each hand kept."""
    return cribs.leanings(rest.hands, rest.cribs[who], net[who], dealer=who == DEALER)


def pegging(kept: tuple[Ranks, ...], liked: list[list[float]], step: int) -> tuple[list[float], list[float]]:
    """By hand: what its holder pegs more than the other, as dealer and as pone, against all that the other may keep.

    `step`: only every so many of the other's hands are taken.
    """
    parts = [tuple(5 * rank + hand.count(rank) for rank in sorted(set(hand))) for hand in kept]
    once = len(kept[0]) == 3
    found: tuple[list[float], list[float]] = ([], [])
    for place, hand in enumerate(kept):
        if place % 100 == 0:
            forget()
        often = [comb(4 - hand.count(rank), n) for rank in range(13) for n in range(5)]
        for who in (DEALER, PONE):
            total = every = 0.0
            for other, share, part in list(zip(kept, liked[1 - who], parts, strict=True))[place % step :: step]:
                weight = share * prod([often[each] for each in part])
                if weight:
                    own, lost = finish(hand, other, START, (False, False), 1 - who, 1 - who, NOBODY_OUT, once)
                    total += weight * (own - lost)
                    every += weight
            found[who].append(total / every)
    return found


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


def write(folder: Path, name: str, table: Mapping[str, object], script: str = "make_tables", seed: int = SEED) -> None:
    """One table, with how it was made."""
    told = {
        "made": f"by tests/arena/{script}.py (make tables), seed {seed}; docs/explanation/how-the-coach-plays.md",
        **table,
    }
    lines = ",\n".join(f"{json.dumps(key)}: {_rows(value)}" for key, value in told.items())
    (folder / f"{name}.json").write_text("{\n" + lines + "\n}\n", encoding="utf-8")


def _rows(value: object) -> str:
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("],[", "],\n[") if isinstance(value, list) and len(value) > 3 else text


if __name__ == "__main__":
    main()
