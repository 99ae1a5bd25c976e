"""Counts as players say them: "fifteen two, fifteen four, and a double run of three makes twelve". Pure.

What scores is told in docs/reference/games/six-card.md#what-scores.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.rules.cards import Card
from companion.rules.engine import Award
from companion.words import Sentence, joined, phrase, say

_WORDS = (
    phrase("zero"),
    phrase("one"),
    phrase("two"),
    phrase("three"),
    phrase("four"),
    phrase("five"),
    phrase("six"),
    phrase("seven"),
    phrase("eight"),
    phrase("nine"),
    phrase("ten"),
    phrase("eleven"),
    phrase("twelve"),
    phrase("thirteen"),
    phrase("fourteen"),
    phrase("fifteen"),
    phrase("sixteen"),
    phrase("seventeen"),
    phrase("eighteen"),
    phrase("nineteen"),
    phrase("twenty"),
    phrase("twenty-one"),
    phrase("twenty-two"),
    phrase("twenty-three"),
    phrase("twenty-four"),
    phrase("twenty-five"),
    phrase("twenty-six"),
    phrase("twenty-seven"),
    phrase("twenty-eight"),
    phrase("twenty-nine"),
    phrase("thirty"),
    phrase("thirty-one"),
)
_RUNS = {
    1: phrase("a run of {length}"),
    2: phrase("a double run of {length}"),
    3: phrase("a triple run of {length}"),
    4: phrase("a double double run of {length}"),
}
_ALIKE = {1: phrase("a pair"), 3: phrase("three alike"), 6: phrase("four alike")}
_NAMES = {
    "pair": phrase("a pair"), "run": phrase("a run"), "flush": phrase("a flush"), "line": phrase("a line"),
    "plus": phrase("a plus"), "cross": phrase("a cross"), "zigzag": phrase("a zig-zag"),
}  # fmt: skip
_FOR = {"his heels": phrase("his heels"), "his nobs": phrase("his nobs"), "last card": phrase("last")}
"""What is said the other way round where it stands alone: "one for last"."""
_ORDER = ("fifteen", "thirty-one", "pair", "three alike", "four alike", "run", "flush", "his nobs")
"""What is counted in one breath, in the order it is counted. Any other reason stands alone."""


class Counted(Protocol):
    """An item or an award."""

    @property
    def reason(self) -> str: ...  # noqa: D102
    @property
    def points(self) -> int: ...  # noqa: D102
    @property
    def cards(self) -> tuple[Card, ...]: ...  # noqa: D102


def word(number: int) -> str:
    """A number in words up to thirty-one, in digits beyond."""
    return say(_WORDS[number]) if 0 <= number < len(_WORDS) else str(number)


def count(items: Sequence[Counted]) -> Sentence:
    """The items of one hand or one card, each with the running total. Without any: "nothing"."""
    parts: list[Sentence] = []
    total = 0
    gathered = _gathered(items)
    for name, points in gathered:
        total += points
        parts.append(_part(name, word(total), is_alone=len(gathered) == 1))
    if len(parts) > 1 and not parts[-1].startswith("fifteen"):
        parts[-1] = say("and {part}", part=parts[-1])
    return joined(parts) if parts else say("nothing")


def _part(name: str, total: str, *, is_alone: bool) -> Sentence:
    if name == "fifteen":
        return say("fifteen {total}", total=total)
    if name == "thirty-one":
        return say("thirty-one for {total}", total=total)
    if is_alone and name in _FOR:
        return say("{total} for {reason}", total=total, reason=say(_FOR[name]))
    if " run of" in name and not name.startswith("a run"):
        return say("{name} makes {total}", name=name, total=total)
    return say("{name} is {total}", name=name, total=total)


def claimed(name: str, points: int, truth: Sequence[Counted]) -> Sentence:
    """A claim held against the truth: "Blue claimed 2, 2 missed: fifteen two, and a pair is four."."""
    missed = sum(item.points for item in truth) - points
    verdict = say(", {n} missed", n=missed) if missed > 0 else say(", {n} too many", n=-missed) if missed < 0 else ""
    return say(
        "{name} claimed {points}{verdict}: {count}.", name=name, points=points, verdict=verdict, count=count(truth)
    )


def describe_awards(awards: Iterable[Award], names: Sequence[str]) -> tuple[str, ...]:
    """A sentence for each hand or card that earned something: "Blue: fifteen two, and a pair is four."."""
    return tuple(each.say for each in counts(awards, names))


@dataclass(frozen=True, slots=True)
class Count:
    """What one hand or card earned: the sum, the cards that made it, each once, and all of it in a sentence."""

    seat: int
    points: int
    cards: tuple[Card, ...]
    say: str


def counts(awards: Iterable[Award], names: Sequence[str]) -> tuple[Count, ...]:
    """What each hand or card earned, in order."""
    groups: list[list[Award]] = []
    for award in awards:
        if groups and _goes_on(groups[-1], award):
            groups[-1].append(award)
        else:
            groups.append([award])
    return tuple(
        Count(
            seat=group[0].seat,
            points=sum(award.points for award in group),
            cards=tuple(dict.fromkeys(card for award in group for card in award.cards)),
            say=say("{name}: {count}.", name=names[group[0].seat], count=_alone(group[0]) or count(group)),
        )
        for group in groups
    )


def _gathered(items: Sequence[Counted]) -> list[tuple[str, int]]:
    """Names and points, with runs that share cards as one, and the pairs within them; likewise three and four alike.

    What no one hand has is of several cards or hands, and each stands alone: runs of three and of four, a pair of
    fives twice.
    """
    runs = [item for item in items if item.reason == "run"]
    lengths = {len(run.cards) for run in runs}
    shares = len(lengths) == 1 and 1 < len(runs) <= len(_RUNS)
    in_runs = {c.rank for run in runs for c in run.cards} if shares else set()
    pairs: dict[int, int] = {}
    for item in items:
        if item.reason == "pair":
            pairs[item.cards[0].rank] = pairs.get(item.cards[0].rank, 0) + 1
    names: list[tuple[str, int]] = [("fifteen", item.points) for item in items if item.reason == "fifteen"]
    names += [("thirty-one", item.points) for item in items if item.reason == "thirty-one"]
    for rank, n in pairs.items():
        if rank not in in_runs:
            names += [(say(_ALIKE[n]), 2 * n)] if n in _ALIKE else [(say(_ALIKE[1]), 2)] * n
    if shares:
        shared = sum(2 * n for rank, n in pairs.items() if rank in in_runs)
        (length,) = lengths
        names.append((say(_RUNS[len(runs)], length=word(length)), length * len(runs) + shared))
    else:
        names += [(say(_RUNS[1], length=word(len(run.cards))), len(run.cards)) for run in runs]
    others = ("fifteen", "thirty-one", "pair", "run")
    return names + [
        (say(_NAMES.get(item.reason, item.reason)), item.points) for item in items if item.reason not in others
    ]


def _goes_on(group: Sequence[Award], award: Award) -> bool:
    """Whether the award belongs to the same card or hand as the group's."""
    first, last = group[0], group[-1]
    if award.seat != first.seat or first.reason not in _ORDER or award.reason not in _ORDER:
        return False
    if any(each.reason == "thirty-one" and not set(award.cards) <= set(each.cards) for each in group):
        return False
    return _ORDER.index(award.reason) >= _ORDER.index(last.reason)


def _alone(award: Award) -> Sentence | None:
    """What is not counted but just given, as said."""
    pattern = _GIVEN.get(award.reason)
    if pattern is None:
        return None
    if award.points < 0:
        pattern = _FEWER.get(award.reason, pattern)
    if award.reason == "renege" and award.cards:
        pattern = phrase("{points} for the renege, the {card}")
    cards = [card.name for card in award.cards[:1]]
    return say(pattern, points=word(abs(award.points)), by=f"{award.points:+d}", card=cards[0] if cards else "")


_GIVEN = {
    "claim": phrase("claims {points}"),
    "muggins": phrase("muggins for {points}"),
    "overclaim": phrase("{points} for an overclaim"),
    "false claim": phrase("{points} for a false claim"),
    "three for last": phrase("three for last"),
    "adjust": phrase("adjusted by {by}"),
    "correct": phrase("{points} more"),
    "pegged": phrase("pegs {points}"),
    "renege": phrase("{points} for the renege"),
}
_FEWER = {"false claim": phrase("{points} back for a false claim"), "correct": phrase("{points} fewer")}
