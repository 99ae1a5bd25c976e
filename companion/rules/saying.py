"""Counts as players say them: "fifteen two, fifteen four, and a double run of three makes twelve". Pure.

What scores is told in docs/reference/games/six-card.md#what-scores.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.rules.cards import Card
from companion.rules.engine import Award

_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "twenty-one",
    "twenty-two", "twenty-three", "twenty-four", "twenty-five", "twenty-six", "twenty-seven", "twenty-eight",
    "twenty-nine", "thirty", "thirty-one",
)  # fmt: skip
_RUNS = {1: "a run of", 2: "a double run of", 3: "a triple run of", 4: "a double double run of"}
_ALIKE = {1: "a pair", 3: "three alike", 6: "four alike"}
_NAMES = {"pair": "a pair", "run": "a run", "flush": "a flush",
          "line": "a line", "plus": "a plus", "cross": "a cross", "zigzag": "a zig-zag"}  # fmt: skip
_FOR = {"his heels": "his heels", "his nobs": "his nobs", "last card": "last"}
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
    return _WORDS[number] if 0 <= number < len(_WORDS) else str(number)


def count(items: Sequence[Counted]) -> str:
    """The items of one hand or one card, each with the running total. Without any: "nothing"."""
    parts: list[str] = []
    total = 0
    gathered = _gathered(items)
    for name, points in gathered:
        total += points
        if name == "fifteen":
            parts.append(f"fifteen {word(total)}")
        elif name == "thirty-one":
            parts.append(f"thirty-one for {word(total)}")
        elif len(gathered) == 1 and name in _FOR:
            parts.append(f"{word(total)} for {_FOR[name]}")
        else:
            makes = "makes" if " run of" in name and not name.startswith("a run") else "is"
            parts.append(f"{name} {makes} {word(total)}")
    if len(parts) > 1 and not parts[-1].startswith("fifteen"):
        parts[-1] = f"and {parts[-1]}"
    return ", ".join(parts) or "nothing"


def claimed(name: str, points: int, truth: Sequence[Counted]) -> str:
    """A claim held against the truth: "Blue claimed 2, 2 missed: fifteen two, and a pair is four."."""
    missed = sum(item.points for item in truth) - points
    verdict = f", {missed} missed" if missed > 0 else f", {-missed} too many" if missed < 0 else ""
    return f"{name} claimed {points}{verdict}: {count(truth)}."


def told(awards: Iterable[Award], names: Sequence[str]) -> tuple[str, ...]:
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
            say=f"{names[group[0].seat]}: {_alone(group[0]) or count(group)}.",
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
    names = [("fifteen", item.points) for item in items if item.reason == "fifteen"]
    names += [("thirty-one", item.points) for item in items if item.reason == "thirty-one"]
    for rank, n in pairs.items():
        if rank not in in_runs:
            names += [(_ALIKE[n], 2 * n)] if n in _ALIKE else [(_ALIKE[1], 2)] * n
    if shares:
        shared = sum(2 * n for rank, n in pairs.items() if rank in in_runs)
        (length,) = lengths
        names.append((f"{_RUNS[len(runs)]} {word(length)}", length * len(runs) + shared))
    else:
        names += [(f"{_RUNS[1]} {word(len(run.cards))}", len(run.cards)) for run in runs]
    others = ("fifteen", "thirty-one", "pair", "run")
    return names + [(_NAMES.get(item.reason, item.reason), item.points) for item in items if item.reason not in others]


def _goes_on(group: Sequence[Award], award: Award) -> bool:
    """Whether the award belongs to the same card or hand as the group's."""
    first, last = group[0], group[-1]
    if award.seat != first.seat or first.reason not in _ORDER or award.reason not in _ORDER:
        return False
    if any(each.reason == "thirty-one" and not set(award.cards) <= set(each.cards) for each in group):
        return False
    return _ORDER.index(award.reason) >= _ORDER.index(last.reason)


def _alone(award: Award) -> str | None:
    """What is not counted but just given, as said."""
    points = word(abs(award.points))
    return {
        "claim": f"claims {points}",
        "muggins": f"muggins for {points}",
        "overclaim": f"{points} for an overclaim",
        "false claim": f"{points} {'back ' if award.points < 0 else ''}for a false claim",
        "three for last": "three for last",
        "adjust": f"adjusted by {award.points:+d}",
        "correct": f"{points} {'more' if award.points > 0 else 'fewer'}",
        "pegged": f"pegs {points}",
        "renege": f"{points} for the renege" + "".join(f", the {card.name}" for card in award.cards[:1]),
    }.get(award.reason)
