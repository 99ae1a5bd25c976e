"""A game looked back on: each discard and card, the best there was, what it cost; luck parted from skill. Pure.

Each number is one of `companion advise`: an entry carries the question, and the answer to it. What the moves do not
tell is not guessed. Told in docs/explanation/how-the-coach-plays.md#review.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from companion.coach import advice, book, recall, reproach
from companion.coach.advice import Answer
from companion.coach.recall import Deal, Taken
from companion.errors import BadMove
from companion.rules.cards import card
from companion.rules.terms import Terms
from companion.words import Sentence, say_many


class Entry(NamedTuple):
    """One choice. `made` and `best` as in an answer of `companion advise`; `ranked` is that answer.

    Where only one card fitted nothing was to be weighed: then `ranked` is empty.
    """

    n: int
    hand: int
    seat: int
    kind: str
    made: list[str] | str
    best: list[str] | str
    points_lost: float
    win_lost: float
    say: Sentence
    asked: Answer
    ranked: list[Answer]


@dataclass(frozen=True, slots=True)
class Review:
    """The entries, the worst first; by side what the cards gave and what the choices cost, in games won."""

    choices: list[Entry]
    luck: list[float]
    skill: list[float]
    missed: list[int]
    unknown: list[Sentence]


def review(
    taken: Sequence[Taken], names: Sequence[str], wholes: Iterable[tuple[Any, ...]] = (), hand: int | None = None
) -> Review:
    """A game of two, or its deal `hand`, from 1. Raises BadMove where there is no such deal."""
    every = recall.deals(taken, wholes)
    deals = every if hand is None else [deal for deal in every if deal.number == hand]
    if hand is not None and not deals:
        raise BadMove(f"This game has had {len(every)} deals: there is no deal {hand}.")
    found: list[Entry] = []
    dark = 0
    for deal in deals:
        entries, unknown = _of_deal(deal, names)
        found += entries
        dark += unknown
    skill = [-sum(each.win_lost for each in found if each.seat == seat) for seat in (0, 1)]
    gained = _chance(every, deals[-1].number, taken) - _before(deals[0]) if deals else 0.0
    luck = gained - skill[0] + skill[1]
    return Review(
        choices=sorted(found, key=lambda each: (-each.win_lost, -each.points_lost, each.n)),
        luck=[luck, -luck],
        skill=skill,
        missed=[sum(deal.missed[seat] for deal in deals) for seat in (0, 1)],
        unknown=_unknown(dark),
    )


def _of_deal(deal: Deal, names: Sequence[str]) -> tuple[list[Entry], int]:
    """The entries of a deal, and how many choices cannot be told."""
    found: list[Entry] = []
    dark = 0
    for seat in (1 - deal.dealer, deal.dealer):
        entry = _laying(deal, seat, names) if deal.turns and deal.hands[seat] else None
        dark += entry is None
        found += [entry] if entry else []
    for turn in deal.turns:
        asked = recall.playing(deal, turn)
        if asked is None:
            dark += 1
        else:
            made = str(deal.read.get(turn.card, turn.card))
            found.append(_entry(turn.n, deal, turn.seat, made, asked, names))
    return found, dark


def _laying(deal: Deal, seat: int, names: Sequence[str]) -> Entry | None:
    """What a seat laid away; None where nobody knows which of the crib's four cards were its own."""
    thrown = deal.thrown(seat)
    if thrown is None:
        return None
    asked = recall.laying(deal, seat, thrown)
    return _entry(deal.n, deal, seat, [str(each) for each in sorted(thrown)], asked, names)


def _entry(n: int, deal: Deal, seat: int, made: list[str] | str, asked: Answer, names: Sequence[str]) -> Entry:
    kind = asked["ask"]
    field = "discard" if kind == "discard" else "play"
    only = _alone(asked) if kind == "play" else []
    ranked = only or advice.answer(asked)["choices"]
    best = ranked[0]
    own = next(each for each in ranked if _same(each[field], made))
    if own["win"] == best["win"] and own["points"] == best["points"]:  # a card of the same rank, as good
        best = own
    points, win = best["points"] - own["points"], best["win"] - own["win"]
    told = reproach.told(asked, own, best, names[seat], is_only=bool(only))
    return Entry(
        n,
        deal.number,
        seat,
        kind,
        made,
        best[field],
        round(points, 9),
        round(win, 9),
        told,
        asked,
        [] if only else ranked,
    )


def _alone(asked: Answer) -> list[Answer]:
    """Where only one card fits, nothing needs to be weighed: nothing where there is a choice."""
    fitting = [each for each in asked["hand"] if card(each).value + asked["count"] <= 31]
    return [{"play": fitting[0], "points": 0.0, "win": 0.0}] if len(fitting) == 1 else []


def _same(one: Any, other: Any) -> bool:
    return set(one) == set(other) if isinstance(one, list) else bool(one == other)


def _before(deal: Deal) -> float:
    """Seat 0's chance to win before a deal."""
    return _at(deal.scores, deal.dealer, deal.terms)


def _chance(every: Sequence[Deal], number: int, taken: Sequence[Taken]) -> float:
    """Seat 0's chance to win after the deal of this number: the game's result, or before the next deal."""
    if number < len(every):
        return _before(every[number])
    end = taken[-1].after
    if end.winner is not None:
        return float(end.winner == 0)
    if end.phase in ("between", "cut"):
        return _at(end.scores, end.dealer, end.terms)
    return _before(every[-1])  # the deal is not over: what it brings is not known yet


def _at(scores: Sequence[int], dealer: int, terms: Terms) -> float:
    wins = book.of(recall.game_of(terms)).wins(terms.target)
    dealers = wins[scores[dealer]][scores[1 - dealer]]
    return dealers if dealer == 0 else 1 - dealers


def _unknown(dark: int) -> list[Sentence]:
    if not dark:
        return []
    return [
        say_many(
            "{n} choice cannot be told: the cards played do not show who laid what away, or who still held what.",
            "{n} choices cannot be told: the cards played do not show who laid what away, or who still held what.",
            dark,
        )
    ]
