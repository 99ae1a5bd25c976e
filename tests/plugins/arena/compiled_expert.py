"""The expert of six-card in C (`tests/plugins/arena/expert/`), compiled when first needed, as a player of the arena.

It plays some hundred times as fast as the coach, so that millions of deals can be played. Its choices are those of the
coach (`test_compiled_expert.py`), and whole games have the results of `companion arena`. It needs a C compiler (`cc`).

`python -m tests.plugins.arena.compiled_expert [FOLDER]` is a program for `companion arena`, with the tables of FOLDER.
"""

import ctypes
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from companion.coach.cribbage.expected_values import hand_points_by_starter
from companion.coach.cribbage.opponent_hand import EXPECTED_PLAY_CHANCE
from companion.coach.cribbage.play import MAX_SEARCH_HANDS
from companion.coach.cribbage.ranks import HANDS_OF_FOUR, load_graph, points_with_starters
from companion.plugins.arena.game import Tally
from companion.plugins.arena.match import SKUNK_MARGIN, PairResult
from companion.rules.cards import PACK, Card, parse_card

ROOT = Path(__file__).parents[3]
TABLES = ROOT / "companion/coach/tables"
LIBRARY = ROOT / "build/expert.so"
TARGET, MAX_DEALS = 121, 40
DISCARDS = list(combinations(range(6), 2))

_INT, _DOUBLE = ctypes.c_int, ctypes.c_double


class _Shares(ctypes.Structure):
    _fields_ = (("length", _INT), ("shares", _DOUBLE * 128))


class Coach(ctypes.Structure):
    """The tables and limits of a player."""

    _fields_ = (
        *((name, _INT) for name in ("hands_four", "hands_near", "hands_last", "hands_three", "hands_two")),
        ("expected_play_chance", _DOUBLE), ("rows", _DOUBLE * 241 * 121), ("thrown", _DOUBLE * 91 * 2),
        ("liked", _DOUBLE * 1820 * 2), ("net", _DOUBLE * 1820 * 2), ("hand_shares", _DOUBLE * 30 * 2),
        ("pegged", _DOUBLE * 40 * 40), ("mean_net", _DOUBLE * 2), ("crib_shares", _Shares * 91 * 2),
        ("separate", _Shares * 2 * 2),
    )  # fmt: skip


class PlayQuestion(ctypes.Structure):
    """`companion.coach.cribbage.play.PlayQuestion`, as ranks."""

    _fields_ = (
        ("held_count", _INT), ("held", _INT * 4), ("kept", _INT * 4), ("discarded", _INT * 2), ("starter", _INT),
        ("dealer", _INT), ("series_count", _INT), ("series", _INT * 8), ("played_count", _INT * 2),
        ("played", _INT * 4 * 2), ("gone", _INT * 2), ("scores", _INT * 2), ("last", _INT), ("points", _INT),
    )  # fmt: skip


class _Tally(ctypes.Structure):
    _fields_ = (("hands", _INT * 2), ("pegged", _INT * 2), ("cribs", _INT), ("deals", _INT * 2))


class _Keep(ctypes.Structure):
    _fields_ = (("six", ctypes.c_uint64), ("pairs", _INT * 2))


def has_compiler() -> bool:
    return shutil.which("cc") is not None


@cache
def load_library() -> ctypes.CDLL:
    """Compile the library if a source is newer, and return it with the states of the play."""
    sources = sorted((Path(__file__).parent / "expert").glob("*.[ch]"))
    if not LIBRARY.exists() or max(each.stat().st_mtime for each in sources) > LIBRARY.stat().st_mtime:
        LIBRARY.parent.mkdir(exist_ok=True)
        fresh = LIBRARY.with_suffix(".fresh")
        files = [str(each) for each in sources if each.suffix == ".c"]
        subprocess.run(["cc", "-O3", "-shared", "-fPIC", "-o", str(fresh), *files, "-lm"], check=True)
        fresh.replace(LIBRARY)
    library = ctypes.CDLL(str(LIBRARY))
    graph = load_graph()
    points = b"".join(points_with_starters(hand) for hand in HANDS_OF_FOUR)
    parts = [bytes(each.cast("B")) for each in (graph.after, graph.points, graph.counts, graph.worths)]
    library.kept_parts = (*parts, points)  # type: ignore[attr-defined] # must live as long as the library
    library.load_play(len(graph.counts), *parts, points)
    library.peg_hand.argtypes = [ctypes.c_void_p, _INT, _INT, _INT, ctypes.c_uint64, ctypes.c_void_p]
    library.play_game.argtypes = [ctypes.c_void_p, ctypes.c_char_p, _INT, ctypes.c_void_p, ctypes.c_void_p]
    library.count_deals.argtypes = [ctypes.c_void_p, _INT, ctypes.c_uint64, *[ctypes.c_void_p] * 4]
    library.value_deals.argtypes = [*[ctypes.c_void_p] * 2, _INT, ctypes.c_uint64, ctypes.c_void_p]
    return library


def load_tables(folder: Path = TABLES) -> dict[str, Any]:
    names = ("cribs", "keeps", "pegging", "deals", "wins")
    return {name: json.loads((folder / f"six-card-{name}.json").read_text("utf-8")) for name in names}


def make_coach(found: Mapping[str, Any], *, hands: int | None = None) -> Coach:
    """Return the coach with these tables.

    :param hands: hands tried in a search far from the end; by default those of the coach.
    """
    (_, last), (_, near), (_, far) = MAX_SEARCH_HANDS
    coach = Coach(hands_four=hands or far, hands_three=hands or far, hands_two=far, hands_near=near, hands_last=last,
                  expected_play_chance=EXPECTED_PLAY_CHANCE)  # fmt: skip
    for dealer, row in enumerate(found["wins"]["dealer"]):
        coach.rows[dealer][:TARGET] = row
    for role in (0, 1):
        hand_shares = found["deals"]["hands"][role]
        coach.thrown[role][:] = _normalize(found["cribs"]["thrown"][role])
        coach.liked[role][:] = found["keeps"]["kept"][role]
        coach.net[role][:] = found["pegging"]["net"][role]
        coach.hand_shares[role][: len(hand_shares)] = _normalize(hand_shares)
    total = sum(share for *_, share in found["deals"]["pegged"])
    for dealer, pone, share in found["deals"]["pegged"]:
        coach.pegged[dealer][pone] = share / total
    load_library().prepare_coach(ctypes.byref(coach))
    return coach


def _normalize(shares: Sequence[float]) -> list[float]:
    total = sum(shares)
    return [share / total for share in shares]


def load_keeps(rows: Sequence[tuple[int, int, int]]) -> None:
    """Set what dealer and pone discard from each hand of six in `peg_hand` and `count_deals`.

    :param rows: the hand (`pack_hand`) and the indices of the pairs, sorted.
    """
    library = load_library()
    kept = (_Keep * len(rows))(*((six, (_INT * 2)(*pairs)) for six, *pairs in rows))
    library.kept_rows = kept  # type: ignore[attr-defined]
    library.load_keeps(kept, len(rows))


def pack_hand(ranks: Sequence[int]) -> int:
    """Return a hand as the library has it: three bits for the number of cards of each rank."""
    return sum(1 << 3 * rank for rank in ranks)


class CompiledPlayer:
    """Answers the questions of the arena."""

    def __init__(self, coach: Coach) -> None:
        self._library, self._coach = load_library(), coach

    def __call__(self, question: dict[str, Any]) -> dict[str, Any]:
        held = [parse_card(text) for text in question["hand"]]
        if question["ask"] == "discard":
            return {"ok": True, "choices": [{"discard": self._choose_discard(held, question)}]}
        asked = compile_play_question(held, question)
        fits = any(card.value + question["count"] <= 31 for card in held)
        place = self._library.choose_play(ctypes.byref(self._coach), ctypes.byref(asked)) if fits else None
        return {"ok": True, "choices": [{"play": None if place is None else str(held[place])}]}

    def _choose_discard(self, held: list[Card], question: dict[str, Any]) -> list[str]:
        starters = [card for card in PACK if card not in held]
        points = bytearray()
        for pair in DISCARDS:
            by_starter = hand_points_by_starter([card for n, card in enumerate(held) if n not in pair])
            points += bytes([by_starter[card] for card in starters])
        values, wins = (_DOUBLE * 15)(), (_DOUBLE * 15)()
        coach = ctypes.byref(self._coach)
        self._library.rank_discards(coach, (_INT * 6)(*(card.rank for card in held)), int(question["dealer"]),
                                    (_INT * 2)(*question["scores"]), bytes(points), values, wins)  # fmt: skip
        return [str(held[n]) for n in DISCARDS[self._library.choose_best(15, values, wins)]]


def compile_play_question(held: list[Card], question: dict[str, Any]) -> PlayQuestion:
    kept, discarded, series, (starter,), own, other = (
        [parse_card(text) for text in texts]
        for texts in (question["kept"], question["discarded"], question["series"], [question["starter"]],
                      *question["played"])
    )  # fmt: skip
    asked = PlayQuestion(
        held_count=len(held), held=_ranks(4, held), kept=_ranks(4, kept), discarded=_ranks(2, discarded),
        starter=starter.rank, dealer=question["dealer"], series_count=len(series), series=_ranks(8, series),
        played_count=(_INT * 2)(len(own), len(other)), gone=(_INT * 2)(*question["gone"]),
        scores=(_INT * 2)(*question["scores"]), last=not (series and series[-1] in own),
        points=hand_points_by_starter(kept)[starter],
    )  # fmt: skip
    for seat, cards in enumerate((own, other)):
        asked.played[seat][: len(cards)] = [card.rank for card in cards]
    return asked


def _ranks(size: int, cards: Sequence[Card]) -> ctypes.Array[ctypes.c_int]:
    return (_INT * size)(*(card.rank for card in cards))


def play_pair(one: Coach, other: Coach, seed: int) -> PairResult:
    """Play two games over the same deals with swapped seats, as `companion arena` does."""
    packs = bytes(card for deal in range(MAX_DEALS) for card in Random(seed * 1000 + deal).sample(PACK, 13))
    wins = ahead = dealer_wins = skunks = 0
    tallies = (Tally(), Tally())
    for first in (0, 1):
        counted, scores = (_Tally * 2)(), (_INT * 2)()
        coaches = (ctypes.c_void_p * 2)(*map(ctypes.addressof, (other, one) if first else (one, other)))
        won = load_library().play_game(coaches, packs, MAX_DEALS, scores, counted)
        wins += won == first
        ahead += scores[first] - scores[1 - first]
        dealer_wins += won == 0
        skunks += min(scores) <= TARGET - SKUNK_MARGIN
        for total, seat in zip(tallies, (first, 1 - first), strict=True):
            total.cribs += counted[seat].cribs
            for role in (0, 1):
                total.hands[role] += counted[seat].hands[role]
                total.pegged[role] += counted[seat].pegged[role]
                total.deals[role] += counted[seat].deals[role]
    return PairResult(seed, wins, ahead, dealer_wins, skunks, tallies)


def main() -> None:
    player = CompiledPlayer(make_coach(load_tables(*map(Path, sys.argv[1:]))))
    for line in sys.stdin:
        print(json.dumps(player(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
