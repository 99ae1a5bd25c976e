"""The deck: which card a reader's code means, where the code is not the card's own name, as an RFID tag's."""

import json
import os
import threading
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from companion.common.errors import BadCard, SettingsError
from companion.rules.cards import PACK, card

LEARNING_MS = 120_000
"""Who puts no card down for so long has gone: codes play again."""

SAME_MS = 1500
"""A code read again within this long of its last sighting is the card that still lies there."""


class Deck:
    """The deck of a running table, for any thread. While a card is `asked`, what is read is learned and plays nothing.

    What is learned is written to `path` at once; None: it is forgotten with the program.
    """

    def __init__(
        self, cards: Mapping[str, str] | None = None, path: Path | None = None, clock: Callable[[], int] = lambda: 0
    ) -> None:
        self.cards: Mapping[str, str] = cards or {}
        self.said = ""
        """What was wrong with the last code that was to be learned."""
        self._path, self._clock, self._lock = path, clock, threading.Lock()
        self._asked: str | None = None
        self._until_ms = self._last_ms = 0
        self._last = ""

    @property
    def asked(self) -> str | None:
        """The card whose code is to be read next; None while nothing is learned."""
        return self._asked if self._clock() < self._until_ms else None

    def ask(self, name: str | None) -> None:
        """Learn this card next, and then those that no code means; None: learn no more. Raises BadCard."""
        with self._lock:
            self._asked = None if name is None else str(card(name))
            self._until_ms, self.said, self._last = self._clock() + LEARNING_MS, "", ""

    def read(self, code: str) -> str | None:
        """What a code that a reader saw means; None where it was for the deck to learn."""
        with self._lock:
            wanted = self.asked
            if wanted is None:
                return meant(self.cards, code)
            again = code == self._last and self._clock() - self._last_ms < SAME_MS
            self._last, self._last_ms, self._until_ms = code, self._clock(), self._clock() + LEARNING_MS
            if not again:
                self._learn(code, wanted)
            return None

    def _learn(self, code: str, wanted: str) -> None:
        try:
            cards = learned(self.cards, code, wanted)
            if self._path:
                write_deck(self._path, cards)
        except SettingsError as error:
            self.said = str(error)
            return
        self.cards, self.said = cards, ""
        left = unlearned(cards)
        after = [name for name in left if _order(name) > _order(wanted)]
        self._asked = next(iter([*after, *left]), None)


def deck_at(path: str, beside: Path | None, clock: Callable[[], int]) -> Deck:
    """The deck of this file; where none is named, the one kept `beside` the journal, if any. Raises SettingsError."""
    if path or beside is None:
        return Deck(read_deck(path), Path(path) if path else None, clock)
    return Deck(read_deck(str(beside)) if beside.exists() else {}, beside, clock)


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
    """The cards that no code means yet, by suit, as a pack is held."""
    return tuple(sorted((name for each in PACK if (name := str(each)) not in deck.values()), key=_order))


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
