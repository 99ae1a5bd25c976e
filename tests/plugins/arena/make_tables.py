"""Make companion/coach/tables (`make tables`; some minutes).

In five-card, cribs, keeps and pegging depend on each other, so they are made in two rounds. Then deals are played by
the quick player, and their statistics give the rest: hands, cribs and, backwards from the target, the chance to win
from any two scores. In six-card, cribs and keeps are made from the table of pegging (`make_pegging`), and `make_wins`
makes the rest.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from math import comb, prod
from pathlib import Path

from companion.coach.cribbage.ranks import HAND_NUMBERS, HANDS_OF_FOUR, HANDS_OF_THREE, RANK_PAIRS, Ranks, count_ways
from companion.coach.cribbage.rollout import finish_play
from companion.common.constants import CARDS_DEALT
from companion.rules.cards import Card
from companion.rules.match_terms import SKUNK_LIMITS
from tests.plugins.arena.generators import cribs, deals, play_graph, play_worths
from tests.plugins.arena.generators.discards import choose_hand

TABLES = Path(__file__).parents[3] / "companion/coach/tables"
SEED, SKUNK_SEED, SKUNK_DEALS = 121, 91, 60_000
SKUNK_SCORES = dict(zip(("skunk", "double"), SKUNK_LIMITS[121], strict=True))
DEALS_ABOUT = "Shares of deals: pegged by dealer and pone; hands of dealer and of pone, and cribs, by points."
DEALER, PONE = 0, 1


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--deals", type=int, default=200_000)
    asked.add_argument("--to", type=Path, default=TABLES)
    told = asked.parse_args()
    graph = play_graph.build_graph()
    (told.to / "play-states.bin").write_bytes(graph + play_worths.build_worths(graph))
    make_keeps_and_cribs(told.to)
    make_tables("five-card", HANDS_OF_THREE, told.deals, told.to)
    make_skunk_table("five-card", told.to)


def make_keeps_and_cribs(folder: Path) -> None:
    dealer, pone = json.loads((TABLES / "six-card-pegging.json").read_text("utf-8"))["net"]
    nothing = [0.0] * len(HANDS_OF_FOUR)
    # By hand and crib alone, as others reckon it.
    worth = cribs.find_equilibrium(HANDS_OF_FOUR, (nothing, nothing)).cribs
    rest = cribs.find_equilibrium(HANDS_OF_FOUR, (dealer, pone))
    for name, table in describe_discards(HANDS_OF_FOUR, rest, (dealer, pone), worth).items():
        write_table(folder, f"six-card-{name}", table)


def describe_discards(
    kept: tuple[Ranks, ...], rest: cribs.Equilibrium, net: tuple[list[float], list[float]], worth: list[list[float]]
) -> dict[str, dict[str, object]]:
    return {
        "cribs": {
            "about": "By pair of ranks (A A to K K), for dealer and pone: the mean crib, and how often it is thrown.",
            "worth": round_rows(worth, 3),
            "thrown": round_rows([discard_and_keep_shares(rest, net, who)[0] for who in (DEALER, PONE)], 6),
        },
        "keeps": {
            "about": "By hand without suits (aces to kings), for dealer and pone: how gladly kept, 1 as by chance.",
            "kept": round_rows(keep_rates(kept, rest, net), 3),
        },
    }


def make_tables(game: str, kept: tuple[Ranks, ...], number: int, folder: Path) -> None:
    begin = time.monotonic()

    def say(text: str) -> None:
        print(f"{game} {time.monotonic() - begin:4.0f} s  {text}", file=sys.stderr, flush=True)

    net: tuple[list[float], list[float]] = ([0.0] * len(kept), [0.0] * len(kept))
    dealt = len(kept[0]) + 2
    for turn in (1, 2):
        rest = cribs.find_equilibrium(kept, net)
        if turn == 1:
            worth = rest.cribs  # by hand and crib alone, as others reckon it
        say(f"round {turn}: cribs are at rest")
        settled = net
        net = compute_net_pegging(kept, keep_rates(kept, rest, settled), 7 if turn == 1 else 1)
        say(f"round {turn}: every hand has pegged")
    played = list(deals.play_deals(build_thrower(rest), dealt, number, SEED))
    say(f"{len(played)} deals played")
    tables: dict[str, dict[str, object]] = {
        **describe_discards(kept, rest, settled, worth),
        "pegging": {"about": "By hand, for dealer and pone: own pegging less the other's.", "net": round_rows(net, 2)},
        "deals": {"about": DEALS_ABOUT, **deal_shares(played)},
        "wins": describe_wins(deals.count_deals([[told[0], *pegs, *told[1:]] for _, pegs, told in played])),
    }
    for name, table in tables.items():
        write_table(folder, f"{game}-{name}", table)
    say("done")


def describe_wins(counts: deals.DealCounts, corrections: deals.Array | None = None) -> dict[str, object]:
    chances = deals.compute_win_chances(counts, corrections=corrections)
    if corrections is not None:
        chances = deals.order_chances(chances)
    return {
        "about": "The dealer's chance to win before a deal, by the dealer's score (rows) and by pone's, to 121.",
        "dealer": round_rows(chances, 4),
    }


def make_skunk_table(game: str, folder: Path) -> None:
    """Make the table of one game; that of six-card is made by `make_wins`."""
    played = deals.play_deals(choose_hand, CARDS_DEALT[game], SKUNK_DEALS, SKUNK_SEED)
    events = [[told[0], *pegs, *told[1:]] for _, pegs, told in played]
    write_table(folder, f"{game}-skunks", describe_skunks(deals.count_deals(events)), seed=SKUNK_SEED)


def describe_skunks(counts: deals.DealCounts) -> dict[str, object]:
    about = "Before a deal, by the dealer's score (rows) and pone's, to 121: the dealer's chance to skunk less pone's."
    found = {name: round_rows(deals.compute_skunk_chances(counts, limit), 4) for name, limit in SKUNK_SCORES.items()}
    return {"about": about, **found}


def build_thrower(rest: cribs.Equilibrium) -> Callable[[tuple[Card, ...], int], tuple[Card, ...]]:
    thrown = [
        {hand.held: RANK_PAIRS[answer[0]] for hand, answer in zip(rest.hands, rest.answers[who], strict=True)}
        for who in (DEALER, PONE)
    ]

    def keep(six: tuple[Card, ...], who: int) -> tuple[Card, ...]:
        left = list(six)
        for rank in thrown[who][tuple(card.rank for card in six)]:
            left.remove(next(card for card in left if card.rank == rank))
        return tuple(left)

    return keep


def keep_rates(
    kept: tuple[Ranks, ...], rest: cribs.Equilibrium, net: tuple[list[float], list[float]]
) -> list[list[float]]:
    """Return how often each hand is kept, relative to random cards."""
    every = comb(52, len(kept[0]))
    return [
        [
            share * every / count_ways(hand, [4] * 13)
            for hand, share in zip(kept, discard_and_keep_shares(rest, net, who)[1], strict=True)
        ]
        for who in (DEALER, PONE)
    ]


def discard_and_keep_shares(
    rest: cribs.Equilibrium, net: tuple[list[float], list[float]], who: int
) -> tuple[list[float], list[float]]:
    return cribs.discard_and_keep_shares(rest.hands, rest.cribs[who], net[who], dealer=who == DEALER)


def compute_net_pegging(
    kept: tuple[Ranks, ...], liked: list[list[float]], step: int
) -> tuple[list[float], list[float]]:
    """Return the mean pegging of each hand less the opponent's, as dealer and as pone.

    `step`: only every step-th hand of the opponent is used.
    """
    parts = [tuple(5 * rank + hand.count(rank) for rank in sorted(set(hand))) for hand in kept]
    once = len(kept[0]) == 3
    found: tuple[list[float], list[float]] = ([], [])
    for place, hand in enumerate(kept):
        often = [comb(4 - hand.count(rank), n) for rank in range(13) for n in range(5)]
        for who in (DEALER, PONE):
            total = every = 0.0
            for other, share, part in list(zip(kept, liked[1 - who], parts, strict=True))[place % step :: step]:
                weight = share * prod([often[each] for each in part])
                if weight:
                    scores = finish_play(HAND_NUMBERS[hand], HAND_NUMBERS[other], 0, 0, 1 - who, 1 - who, once=once)
                    total += weight * sum(scores)
                    every += weight
            found[who].append(total / every)
    return found


def deal_shares(played: list[deals.PlayedDeal]) -> Mapping[str, object]:
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


def round_rows(rows: object, digits: int) -> list[list[float]]:
    return [[round(each, digits) for each in row] for row in rows]  # type: ignore[attr-defined]


def write_table(
    folder: Path, name: str, table: Mapping[str, object], script: str = "make_tables", seed: int = SEED
) -> None:
    told = {
        "made": f"by tests/plugins/arena/{script}.py (make tables), seed {seed}; "
        "docs/explanation/how-the-coach-plays.md",
        **table,
    }
    lines = ",\n".join(f"{json.dumps(key)}: {_rows(value)}" for key, value in told.items())
    (folder / f"{name}.json").write_text("{\n" + lines + "\n}\n", encoding="utf-8")


def _rows(value: object) -> str:
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("],[", "],\n[") if isinstance(value, list) and len(value) > 3 else text


if __name__ == "__main__":
    main()
