"""The deck: maps a reader's codes to cards where a code is not the card's name, as with RFID tags."""

import json
import threading
import tomllib
from collections.abc import Callable, Mapping
from itertools import chain
from pathlib import Path

from companion.common.errors import BadCard, SettingsError
from companion.common.files import read_toml, write_private_file
from companion.devices.scanners import parse_card_code, strip_symbology
from companion.rules.cards import PACK, parse_card

LEARNING_TIMEOUT_MS = 120_000
"""Learning ends after this time in ms without a code; from then on codes play cards again."""

REPEAT_WINDOW_MS = 1500
"""A code seen again within this time in ms is the card that still lies on the reader."""


class Deck:
    """The deck of a running table; any thread may use it. While it learns a card, codes are learned and play nothing.

    It writes what it learns to `path` at once. With None the deck lasts as long as the program.
    """

    def __init__(
        self, cards: Mapping[str, str] | None = None, path: Path | None = None, clock: Callable[[], int] = lambda: 0
    ) -> None:
        self.cards: Mapping[str, str] = cards or {}
        self.learning_error = ""
        """Why the last code could not be learned; empty if it was."""
        self._path, self._clock, self._lock = path, clock, threading.Lock()
        self._to_learn: str | None = None
        self._until_ms = self._last_ms = 0
        self._last = ""

    @property
    def card_to_learn(self) -> str | None:
        """The card whose code is learned next, or None while the deck does not learn."""
        return self._to_learn if self._clock() < self._until_ms else None

    def learn_card(self, name: str | None) -> None:
        """Learn this card's code next, then those of the cards without a code. None stops learning. Raises BadCard."""
        with self._lock:
            self._to_learn = None if name is None else str(parse_card(name))
            self._until_ms, self.learning_error, self._last = self._clock() + LEARNING_TIMEOUT_MS, "", ""

    def read_code(self, code: str) -> str | None:
        """Return the card of a scanned code, or None if the deck learned the code instead."""
        with self._lock:
            name = self.card_to_learn
            if name is None:
                return card_for_code(self.cards, code)
            is_repeat = code == self._last and self._clock() - self._last_ms < REPEAT_WINDOW_MS
            self._last, self._last_ms, self._until_ms = code, self._clock(), self._clock() + LEARNING_TIMEOUT_MS
            if not is_repeat:
                self._learn_code(code, name)
            return None

    def _learn_code(self, code: str, name: str) -> None:
        try:
            cards = with_learned_code(self.cards, code, name)
            if self._path:
                write_deck(self._path, cards)
        except SettingsError as error:
            self.learning_error = str(error)
            return
        self.cards, self.learning_error = cards, ""
        remaining = unlearned_cards(cards)
        after = (card for card in remaining if _pack_order(card) > _pack_order(name))
        self._to_learn = next(chain(after, remaining), None)


def open_deck(path: str, default: Path | None, clock: Callable[[], int]) -> Deck:
    """Return the deck of the file `path`; if that is empty, of the file `default`. Raises SettingsError."""
    if path or default is None:
        return Deck(read_deck(path), Path(path) if path else None, clock)
    return Deck(read_deck(str(default)) if default.exists() else {}, default, clock)


def read_deck(path: str) -> Mapping[str, str]:
    """Read cards by code from a TOML file with lines such as `0A004CA1B2 = "5H"`. An empty path gives an empty deck.

    Raises SettingsError.
    """
    if not path:
        return {}
    try:
        table = read_toml(Path(path))
    except OSError as error:
        raise SettingsError(f"Cannot read the deck {path}: {error.strerror}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"The deck {path} is not valid TOML: {error}.") from error
    deck = {code.upper(): _parse_card(path, code, value) for code, value in table.items()}
    if len(deck) < len(table):
        raise SettingsError(f"The deck {path} has a code twice, in upper and lower case.")
    return deck


def card_for_code(deck: Mapping[str, str], code: str) -> str:
    """Return the name of the card that has this code in the deck or that it names, or the code if there is none.

    Case and the identifier of the kind of barcode before a code are ignored.
    """
    return _find_learned_card(deck, code) or _name_printed_card(code) or code


def _find_learned_card(deck: Mapping[str, str], code: str) -> str | None:
    return deck.get(code.upper()) or deck.get(strip_symbology(code).upper())


def _parse_card(path: str, code: str, value: object) -> str:
    try:
        if isinstance(value, str):
            return str(parse_card(value))
    except BadCard:
        pass
    raise SettingsError(f'The code {code[:40]} in the deck {path} has no valid card. Write {code[:40]} = "5H".')


def unlearned_cards(deck: Mapping[str, str]) -> tuple[str, ...]:
    """Return the cards without a code, in pack order."""
    return tuple(sorted((name for each in PACK if (name := str(each)) not in deck.values()), key=_pack_order))


def with_learned_code(deck: Mapping[str, str], code: str, name: str) -> Mapping[str, str]:
    """Return the deck with this code for this card; a card may have several codes.

    Raises SettingsError for a code that another card has, or that is a card's name.
    """
    code, card = code.upper(), parse_card(name)
    if _name_printed_card(code):
        raise SettingsError(f"The code {code} is a card's own name and need not be learned.")
    taken = _find_learned_card(deck, code)
    if taken is not None and taken != str(card):
        raise SettingsError(f"This is already the {parse_card(taken).name}. Scan the {card.name}.")
    return {**deck, code: str(card)}


def write_deck(path: Path, deck: Mapping[str, str]) -> None:
    """Write the deck atomically: if this fails, the old file stays. Raises SettingsError."""
    lines = sorted(
        (_pack_order(name), f'{json.dumps(code, ensure_ascii=False)} = "{name}"\n') for code, name in deck.items()
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_private_file(path, "".join(line for _, line in lines), 0o666)
    except OSError as error:
        raise SettingsError(f"Cannot write the deck {path}: {error.strerror}.") from error


def _pack_order(name: str) -> tuple[int, int]:
    """Return the sort key of a card: by suit, then rank."""
    return parse_card(name).suit, parse_card(name).rank


def _name_printed_card(code: str) -> str | None:
    try:
        return str(parse_card_code(code))
    except BadCard:
        return None
