"""Every deliberate error. Each is also a builtin, and its message is a sentence fit to show a person."""

from typing import Any

from companion.i18n import Sentence, say


class CompanionError(Exception):
    """The root: the message is one clear sentence, with no program text in it."""

    def __init__(self, message: str, /, **words: Any) -> None:
        """The sentence, or its pattern and the words that fill it in."""
        super().__init__(message if isinstance(message, Sentence) else say(message, **words))


class IllegalMove(CompanionError, ValueError):
    """A move the rules forbid in the present state. Nothing has changed."""


class BadMove(CompanionError, ValueError):
    """What was sent is no move at all: not JSON, an unknown type, a missing or wrong field."""


class BadCard(CompanionError, ValueError):
    """A text that names no card of the pack."""


class BoardError(CompanionError, ValueError):
    """A board file that contradicts itself, or a board that does not exist."""


class SettingsError(CompanionError, ValueError):
    """A setting or option that does not exist or has a value out of range. Names the nearest known one."""


class DeviceError(CompanionError, OSError):
    """A device that cannot be opened or has gone away."""


class JournalError(CompanionError, RuntimeError):
    """A journal that cannot be read, or that contradicts the flags given."""
