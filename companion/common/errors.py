"""All deliberate errors. Each is also a builtin error, and its message can be shown to users."""

from typing import Any

from companion.i18n import Message, format_message


class CompanionError(Exception):
    """Base class. The message says what happened and what to do, without program text."""

    def __init__(self, message: str, /, **words: Any) -> None:
        """Create the error with a message, or with a message pattern and the words for its placeholders."""
        super().__init__(message if isinstance(message, Message) else format_message(message, **words))


class IllegalMove(CompanionError, ValueError):
    """A move that the rules forbid in the current state. Nothing has changed."""


class BadMove(CompanionError, ValueError):
    """Input that is not a move: not JSON, an unknown type, a missing or wrong field."""


class BadCard(CompanionError, ValueError):
    """A text that is not a card's name."""


class BoardError(CompanionError, ValueError):
    """An invalid board file, or a board that does not exist."""


class SettingsError(CompanionError, ValueError):
    """A setting or option that does not exist or has an invalid value. The message suggests the nearest known one."""


class DeviceError(CompanionError, OSError):
    """A device that cannot be opened or was disconnected."""


class JournalError(CompanionError, RuntimeError):
    """A journal that cannot be used, or that contradicts the given flags."""
