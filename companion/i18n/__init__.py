"""Translatable messages: English in the code; each other language is a catalogue in a folder of this package."""

from companion.i18n.messages import (
    COMPANION_NAME,
    Message,
    capitalize_message,
    dump_message,
    format_message,
    format_plural,
    format_tenths,
    gettext_noop,
    join_messages,
    join_with_and,
    load_message,
)

__all__ = [
    "COMPANION_NAME",
    "Message",
    "capitalize_message",
    "dump_message",
    "format_message",
    "format_plural",
    "format_tenths",
    "gettext_noop",
    "join_messages",
    "join_with_and",
    "load_message",
]
