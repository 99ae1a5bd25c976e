"""Players' names and the colours of the sides' pegs. Pure.

A seat without a chosen name is named after the colour of its pegs. Equal names get the colour as a suffix.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from companion.common.constants import SEAT_NAMES
from companion.common.errors import BadMove
from companion.common.snapshot import PegQuestion, Snapshot
from companion.i18n import COMPANION_NAME, Message, format_message, gettext_noop, join_messages
from companion.rules.engine import seat_names

PEG_COLOURS = tuple(name.lower() for name in SEAT_NAMES)
"""The possible colours of pegs."""
_COLOUR_NAMES = {name: name for name in (
    gettext_noop("red"), gettext_noop("blue"), gettext_noop("green"), gettext_noop("yellow"), gettext_noop("white"),
)}  # fmt: skip
MAX_NAME_LENGTH = 24
"""Maximum number of characters of a name."""
_INVISIBLE_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and symbols that show nothing."""
_NON_JOINER, _JOINER = "\u200c", "\u200d"
_EMOJI_MODIFIERS = "\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
_VIRAMA_CLASS = 9
"""Canonical combining class of the viramas."""
_MAX_MARKS = 4
"""Maximum number of marks on one letter. More reach into the lines above and below."""


class PlayerProfile(NamedTuple):
    """The name and colour that a player has chosen; each is empty if not chosen.

    `person` is the name of the player who gets this seat back when the companion has left it.
    """

    name: str = ""
    colour: str = ""
    person: str = ""


class SeatedPlayer(NamedTuple):
    """The name of a seat, unique at the table, and the colour of its side's pegs."""

    name: str
    colour: str


PlayerProfiles = tuple[PlayerProfile, ...]
"""Profiles by seat, possibly for more seats than the present game has."""


def seat_players(profiles: PlayerProfiles, seats: int, sides: int) -> tuple[SeatedPlayer, ...]:
    """Return the name and colour of every seat of a table with this number of seats and sides."""
    colours = _assign_colours(profiles, sides)
    names = [
        _shown_name(_profile_of_seat(profiles, seat).name) or _default_name(profiles, colours, seat, sides)
        for seat in range(seats)
    ]
    unique = _unique_names(names, colours)
    return tuple(SeatedPlayer(unique[seat], colours[seat % sides]) for seat in range(seats))


def read_name(value: object, *, is_saved: bool = False, longest: int = MAX_NAME_LENGTH) -> str:
    """Return the name in NFC, without surrounding blanks, of at most `longest` characters. Raises BadMove.

    A saved name may have been accepted by an earlier version, which allowed invisible characters.
    """
    if not isinstance(value, str):
        raise BadMove("A name must be a text.")
    name = unicodedata.normalize("NFC", value).strip()
    if not 1 <= len(name) <= longest:
        raise BadMove("A name must have 1 to {longest} characters.", longest=longest)
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp", "Co", "Cn") for letter in name):
        raise BadMove("A name must not contain control characters or line breaks.")
    if not is_saved and not _is_readable(name):
        raise BadMove("A name must not contain invisible characters or change the direction of the text.")
    return name


def _is_readable(name: str) -> bool:
    """Return whether every character of the name is seen, and none changes the direction of the text around it."""
    marks = _MAX_MARKS  # so that a name cannot begin with a mark
    for at, letter in enumerate(name):
        category = unicodedata.category(letter)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if letter in (_NON_JOINER, _JOINER):
            if not _is_joining(name[:at], letter, name[at + 1 :]):
                return False
        elif marks > _MAX_MARKS or letter in _INVISIBLE_LETTERS or category == "Cf":
            return False
    return True


def _is_joining(before: str, joiner: str, after: str) -> bool:
    """Return whether a joiner has an effect: after a virama, between Arabic letters (RFC 5892), or in an emoji."""
    if not before or not after:
        return False
    if unicodedata.combining(before[-1]) == _VIRAMA_CLASS:
        return True
    if joiner == _NON_JOINER:
        return unicodedata.bidirectional(before[-1]) == unicodedata.bidirectional(after[0]) == "AL"
    base = before.rstrip(_EMOJI_MODIFIERS)[-1:]
    return all(unicodedata.category(each) == "So" for each in (base or " ", after[0]))


def read_colour(value: object) -> str:
    """Return the value if it is a peg colour. Raises BadMove."""
    if not isinstance(value, str) or value not in PEG_COLOURS:
        raise BadMove(
            "The peg colour must be one of {join}.",
            join=join_messages([format_message(_COLOUR_NAMES[each]) for each in PEG_COLOURS]),
        )
    return value


def _shown_name(name: str) -> str:
    return format_message(COMPANION_NAME) if name == COMPANION_NAME else name


def seat_companion(profiles: PlayerProfiles, seat: int | None) -> PlayerProfiles:
    """Return the profiles for a new game in which the companion plays this seat, or none.

    A person whose seat it had before has their own name again.
    """
    players = [
        profile._replace(name=profile.person, person="") if profile.name == COMPANION_NAME else profile
        for profile in profiles
    ]
    if seat is not None:
        players += [PlayerProfile()] * (seat + 1 - len(players))
        players[seat] = players[seat]._replace(name=COMPANION_NAME, person=players[seat].name)
    return tuple(players)


def list_people(profiles: PlayerProfiles) -> list[str]:
    """Return the names that people have given to their seats, by seat; empty for a seat without one."""
    return [profile.name for profile in seat_companion(profiles, None)]


def set_player(profiles: PlayerProfiles, sides: int, seat: int, name: str | None, colour: str | None) -> PlayerProfiles:
    """Return the profiles with a seat's name and its side's colour set; None leaves one unchanged.

    A side that already has the colour gets the old colour of this side in exchange.
    """
    players = list(profiles) + [PlayerProfile()] * (max(seat + 1, sides) - len(profiles))
    if name is not None:
        players[seat] = players[seat]._replace(name=name)
    if colour is not None:
        old_colours, side = _assign_colours(profiles, sides), seat % sides
        if colour in old_colours:
            players[old_colours.index(colour)] = players[old_colours.index(colour)]._replace(colour=old_colours[side])
        players[side] = players[side]._replace(colour=colour)
    return tuple(players)


def replace_names(text: str, old: Sequence[str], new: Sequence[str]) -> str:
    """Return the text with the names `old` replaced by `new`, all at once. A translatable message stays one."""
    new_names = dict(zip(old, new, strict=True))
    if text in new_names or all(each == new_names[each] for each in new_names):
        return new_names.get(text, text)
    if isinstance(text, Message):  # so that it can still be translated
        words = {
            name: replace_names(each, old, new) if isinstance(each, str) else each
            for name, each in text.arguments.items()
        }
        return Message(text.pattern, words, is_capital=text.is_capital)
    pattern = "|".join(re.escape(each) for each in sorted(new_names, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{pattern})(?!\w)", lambda found: new_names[found[0]], text)


def personalize_snapshot(snapshot: Snapshot, profiles: PlayerProfiles) -> Snapshot:
    """Return the snapshot with the players' colours, and their names in place of the rules' seat names."""
    seats, sides = snapshot.game["seats"], snapshot.game["sides"]
    snapshot = replace(snapshot, players=describe_players(profiles, seats, sides))
    old, new = seat_names(seats, sides), [player["name"] for player in snapshot.players]
    if list(old) == new:
        return snapshot
    question = snapshot.question
    return replace(
        snapshot,
        view=_personalize_json(snapshot.view, old, new),
        last=_personalize_json(snapshot.last, old, new),
        advice=tuple(replace(each, say=replace_names(each.say, old, new)) for each in snapshot.advice),
        notices=tuple(replace(each, say=replace_names(each.say, old, new)) for each in snapshot.notices),
        question=question and _personalize_question(question, old, new),
    )


def personalize_texts(texts: Sequence[str], profiles: PlayerProfiles, seats: int, sides: int) -> list[str]:
    """Return the sentences with the players' names in place of the rules' seat names."""
    old, new = seat_names(seats, sides), [each.name for each in seat_players(profiles, seats, sides)]
    return [replace_names(text, old, new) for text in texts]


def _personalize_question(question: PegQuestion, old: Sequence[str], new: Sequence[str]) -> PegQuestion:
    choices = tuple(replace(each, say=replace_names(each.say, old, new)) for each in question.choices)
    return replace(question, why=replace_names(question.why, old, new), choices=choices)


def _personalize_json(value: Any, old: Sequence[str], new: Sequence[str], key: str = "") -> Any:
    """Return the JSON value with the names replaced in its sentences, which are the texts of `say` and `said`."""
    if isinstance(value, Mapping):
        return {name: _personalize_json(each, old, new, name) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_personalize_json(each, old, new, key) for each in value]
    return replace_names(value, old, new) if key in ("say", "said") and isinstance(value, str) else value


def dump_players(profiles: PlayerProfiles) -> list[dict[str, str]]:
    return [
        {field: value for field, value in profile._asdict().items() if value or field != "person"}
        for profile in profiles
    ]


def load_players(saved: Any) -> PlayerProfiles:
    """Load profiles from JSON written by `dump_players`; return none for anything invalid."""
    try:
        return tuple(
            PlayerProfile(
                read_name(each["name"], is_saved=True) if each["name"] else "",
                read_colour(each["colour"]) if each["colour"] else "",
                read_name(person, is_saved=True) if (person := each.get("person")) else "",
            )
            for each in saved
        )
    except (BadMove, TypeError, LookupError, AttributeError):
        return ()


def describe_players(profiles: PlayerProfiles, seats: int, sides: int) -> tuple[Mapping[str, Any], ...]:
    """Return the players as a snapshot lists them: seat, side, name and colour."""
    players = enumerate(seat_players(profiles, seats, sides))
    return tuple({"seat": s, "side": s % sides, "name": each.name, "colour": each.colour} for s, each in players)


def _profile_of_seat(profiles: PlayerProfiles, seat: int) -> PlayerProfile:
    return profiles[seat] if seat < len(profiles) else PlayerProfile()


def _assign_colours(profiles: PlayerProfiles, sides: int) -> list[str]:
    """Return the colour of each side: the chosen one, else the side's default or the first free colour."""
    found: list[str] = []
    chosen = [_profile_of_seat(profiles, side).colour for side in range(sides)]
    for side, colour in enumerate(chosen):
        free = [each for each in (PEG_COLOURS[side], *PEG_COLOURS) if each not in found and each not in chosen]
        found.append(colour if colour and colour not in found else free[0])
    return found


def _default_name(profiles: PlayerProfiles, colours: Sequence[str], seat: int, sides: int) -> str:
    if seat < sides:
        return SEAT_NAMES[PEG_COLOURS.index(colours[seat])]
    mate = seat - sides
    return format_message(
        "{name}'s partner", name=_profile_of_seat(profiles, mate).name or _default_name(profiles, colours, mate, sides)
    )


def _unique_names(names: Sequence[str], colours: Sequence[str]) -> list[str]:
    """Return unique names: equal ones get the colour of their pegs, and partners who share both also a number."""
    folded = [name.casefold() for name in names]
    unique: list[str] = []
    for seat, name in enumerate(names):
        namesakes = [mate for mate, label in enumerate(folded) if label == folded[seat]]
        if len(namesakes) == 1:
            unique.append(name)
            continue
        colour = colours[seat % len(colours)]
        mates = [mate for mate in namesakes if colours[mate % len(colours)] == colour]
        # a typed name may be equal to an addition in any language, so add a number in which no such name ends
        taken = [label for label in folded if label.startswith(f"{folded[seat]} (")]
        taken += [unique[mate].casefold() for mate in mates if mate < seat]
        number = mates.index(seat) + 1 if len(mates) > 1 else 0
        while any(label.endswith(f" {number})" if number else ")") for label in taken):
            number += 1
        words = [format_message(_COLOUR_NAMES[colour]), *([str(number)] if number else [])]
        unique.append(format_message("{name} ({colour})", name=name, colour=join_messages(words, " ")))
    return unique
