"""Who sits at the table: what each is called, and the colour of each side's pegs. Pure.

A seat that was given no name is called after its pegs. Two who are called the same are told apart by their colour.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from companion.common.constants import SEAT_NAMES
from companion.common.errors import BadMove
from companion.common.snapshot import Question, Snapshot
from companion.i18n import Sentence, joined, phrase, say
from companion.rules.engine import seat_names

COLOURS = tuple(name.lower() for name in SEAT_NAMES)
"""The colours that pegs can have."""
_COLOUR_NAMES = {name: name for name in (
    phrase("red"), phrase("blue"), phrase("green"), phrase("yellow"), phrase("white"),
)}  # fmt: skip
LONGEST = 24
"""Characters of a name."""


class Person(NamedTuple):
    """What somebody has chosen; empty where nothing was."""

    name: str = ""
    colour: str = ""


class Seated(NamedTuple):
    """What a seat is called, and the colour of its side's pegs."""

    name: str
    colour: str


People = tuple[Person, ...]
"""By seat; also of seats that the present game has not."""


def seated(people: People, seats: int, sides: int) -> tuple[Seated, ...]:
    """Everybody at a table of so many."""
    colours = _colours(people, sides)
    names = [_own(people, seat).name or _default(people, colours, seat, sides) for seat in range(seats)]
    return tuple(Seated(_apart(names, colours, seat), colours[seat % sides]) for seat in range(seats))


def read_name(value: object) -> str:
    """A name as it is kept: NFC, without blanks around it. Raises BadMove with a sentence."""
    if not isinstance(value, str):
        raise BadMove("A name is a text.")
    name = unicodedata.normalize("NFC", value).strip()
    if not 1 <= len(name) <= LONGEST:
        raise BadMove("A name has 1 to {longest} characters.", longest=LONGEST)
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp", "Co", "Cn") for letter in name):
        raise BadMove("A name is written in letters, digits, marks and blanks: there is something else in it.")
    return name


def read_colour(value: object) -> str:
    """A colour of pegs. Raises BadMove."""
    if not isinstance(value, str) or value not in COLOURS:
        raise BadMove(
            "The colour of pegs is one of {join}.", join=joined([say(_COLOUR_NAMES[each]) for each in COLOURS])
        )
    return value


def called(people: People, sides: int, seat: int, name: str | None, colour: str | None) -> People:
    """The people after a seat has been named, and its side's pegs coloured. A side that has the colour exchanges it."""
    every = list(people) + [Person()] * (max(seat + 1, sides) - len(people))
    if name is not None:
        every[seat] = every[seat]._replace(name=name)
    if colour is not None:
        had, side = _colours(people, sides), seat % sides
        if colour in had:
            every[had.index(colour)] = every[had.index(colour)]._replace(colour=had[side])
        every[side] = every[side]._replace(colour=colour)
    return tuple(every)


def renamed(text: str, old: Sequence[str], new: Sequence[str]) -> str:
    """A sentence in which those who were called `old` are called `new`."""
    given = dict(zip(old, new, strict=True))
    if text in given or all(each == given[each] for each in given):
        return given.get(text, text)
    if isinstance(text, Sentence):  # so that it can still be said in another language
        words = {name: renamed(each, old, new) if isinstance(each, str) else each for name, each in text.words.items()}
        return Sentence(text.pattern, words, is_capital=text.is_capital)
    known = "|".join(re.escape(each) for each in sorted(given, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{known})(?!\w)", lambda found: given[found[0]], text)


def shown(snapshot: Snapshot, people: People) -> Snapshot:
    """The snapshot with people's names in its sentences, where it has those of the rules, and with their colours."""
    seats, sides = snapshot.game["seats"], snapshot.game["sides"]
    snapshot = replace(snapshot, players=told(people, seats, sides))
    old, new = seat_names(seats, sides), [player["name"] for player in snapshot.players]
    if list(old) == new:
        return snapshot
    question = snapshot.question
    return replace(
        snapshot,
        view=_named(snapshot.view, old, new),
        last=_named(snapshot.last, old, new),
        advice=tuple(replace(each, say=renamed(each.say, old, new)) for each in snapshot.advice),
        notices=tuple(replace(each, say=renamed(each.say, old, new)) for each in snapshot.notices),
        question=question and _asked(question, old, new),
    )


def sentences(texts: Sequence[str], people: People, seats: int, sides: int) -> list[str]:
    """Sentences of the rules, with people's names."""
    old, new = seat_names(seats, sides), [each.name for each in seated(people, seats, sides)]
    return [renamed(text, old, new) for text in texts]


def _asked(question: Question, old: Sequence[str], new: Sequence[str]) -> Question:
    choices = tuple(replace(each, say=renamed(each.say, old, new)) for each in question.choices)
    return replace(question, why=renamed(question.why, old, new), choices=choices)


def _named(value: Any, old: Sequence[str], new: Sequence[str], key: str = "") -> Any:
    """A JSON value with the names in what it says: the texts of `say` and `said`."""
    if isinstance(value, Mapping):
        return {name: _named(each, old, new, name) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_named(each, old, new, key) for each in value]
    return renamed(value, old, new) if key in ("say", "said") and isinstance(value, str) else value


def dump(people: People) -> list[dict[str, str]]:
    """As JSON, for the journal."""
    return [person._asdict() for person in people]


def load(kept: Any) -> People:
    """What `dump` gave; of anything else nothing."""
    try:
        return tuple(
            Person(
                read_name(each["name"]) if each["name"] else "", read_colour(each["colour"]) if each["colour"] else ""
            )
            for each in kept
        )
    except (BadMove, TypeError, LookupError):
        return ()


def told(people: People, seats: int, sides: int) -> tuple[Mapping[str, Any], ...]:
    """As a snapshot has it."""
    every = enumerate(seated(people, seats, sides))
    return tuple({"seat": s, "side": s % sides, "name": each.name, "colour": each.colour} for s, each in every)


def _own(people: People, seat: int) -> Person:
    return people[seat] if seat < len(people) else Person()


def _colours(people: People, sides: int) -> list[str]:
    """By side: what was chosen; else the side's own colour, or the first that nobody has."""
    found: list[str] = []
    chosen = [_own(people, side).colour for side in range(sides)]
    for side, colour in enumerate(chosen):
        free = [each for each in (COLOURS[side], *COLOURS) if each not in found and each not in chosen]
        found.append(colour if colour and colour not in found else free[0])
    return found


def _default(people: People, colours: Sequence[str], seat: int, sides: int) -> str:
    if seat < sides:
        return SEAT_NAMES[COLOURS.index(colours[seat])]
    mate = seat - sides
    return say("{name}'s partner", name=_own(people, mate).name or _default(people, colours, mate, sides))


def _apart(names: Sequence[str], colours: Sequence[str], seat: int) -> str:
    """A name that nobody else has: with the colour of its pegs where it would be another's too, and the seat's number
    where partners share both.
    """
    same = [other for other, name in enumerate(names) if name.casefold() == names[seat].casefold()]
    if len(same) == 1:
        return names[seat]
    colour = colours[seat % len(colours)]
    mates = [other for other in same if colours[other % len(colours)] == colour]
    which = (
        say(_COLOUR_NAMES[colour])
        if len(mates) == 1
        else joined([say(_COLOUR_NAMES[colour]), str(mates.index(seat) + 1)], " ")
    )
    return say("{name} ({colour})", name=names[seat], colour=which)
