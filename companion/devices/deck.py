"""The deck: which card a reader's code means, where the code is not the card's own name, as an RFID tag's."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from companion.errors import BadCard, SettingsError
from companion.rules.cards import card


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
