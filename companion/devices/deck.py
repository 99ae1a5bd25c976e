"""The deck: which card a reader's code means, where the code is not the card's own name, as an RFID tag's."""

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from companion.errors import BadCard, SettingsError
from companion.rules.cards import PACK, card


def read_deck(path: str) -> Mapping[str, str]:
    """Cards by code: a TOML file of lines such as `0A004CA1B2 = "5H"`; no path is no deck. Raises SettingsError."""
    if not path:
        return {}
    try:
        given = tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"The deck {path} cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"The deck {path} is no TOML: {error}.") from error
    deck = {code.upper(): _card(path, code, value) for code, value in given.items()}
    if len(deck) < len(given):
        raise SettingsError(f"The deck {path} has a code twice, in large and small letters.")
    return deck


def meant(deck: Mapping[str, str], code: str) -> str:
    """The card's name where the deck knows the code, else the code itself. Large and small letters are the same."""
    return deck.get(code.upper(), code)


def _card(path: str, code: str, value: object) -> str:
    try:
        if isinstance(value, str):
            return str(card(value))
    except BadCard:
        pass
    raise SettingsError(f'The deck {path} gives {code[:40]} no card: write {code[:40]} = "5H".')


def unlearned(deck: Mapping[str, str]) -> tuple[str, ...]:
    """The cards that no code means yet, in the order of the pack."""
    return tuple(name for each in PACK if (name := str(each)) not in deck.values())


def learned(deck: Mapping[str, str], code: str, name: str) -> Mapping[str, str]:
    """The deck once this code means this card; a card may have several. SettingsError for another card's."""
    code, wanted = code.upper(), card(name)
    if _named(code):
        raise SettingsError(f"The code {code} is a card's own name: it needs no learning.")
    taken = deck.get(code)
    if taken is not None and taken != str(wanted):
        raise SettingsError(f"This is the {card(taken).name} already: put the {wanted.name} to the reader.")
    return {**deck, code: str(wanted)}


def write_deck(path: Path, deck: Mapping[str, str]) -> None:
    """Keep the deck, all or nothing: what was kept before stays where this fails. Raises SettingsError."""
    lines = sorted(
        (_order(name), f'{json.dumps(code, ensure_ascii=False)} = "{name}"\n') for code, name in deck.items()
    )
    fresh = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("w", encoding="utf-8") as out:
            out.writelines(line for _, line in lines)
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(path)
    except OSError as error:
        raise SettingsError(f"The deck {path} cannot be written: {error.strerror}.") from error


def _order(name: str) -> tuple[int, int]:
    """By suit, as a pack is held."""
    return card(name).suit, card(name).rank


def _named(code: str) -> bool:
    try:
        card(code)
    except BadCard:
        return False
    return True
