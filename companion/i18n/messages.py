"""Messages that remember their pattern and arguments, so that each reader can have them in their own language. Pure.

A `Message` is a `str` with the English text, so it can be shown, compared and stored like any text. The code that
creates a message does not need to know the language of its reader. See docs/how-to/add-a-language.md.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Self

PatternTranslator = Callable[["MessagePattern"], str]
"""Returns the pattern of another language for an English pattern."""


COMPANION_NAME = "Companion"
"""Name of the companion's seat. It is a noun, so a translation may put an article before it."""
_ARTICLE = re.compile(r"\{([^\s{}|]+)(?:\|([^\s{}|]+))? (\w+)\}")
_PLAIN_TEXT = re.compile(r"(?:[^{}]|\{\{|\}\}|\{[A-Za-z_][A-Za-z0-9_]*\})*+")
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{(\w+)\}")


@lru_cache(maxsize=4096)
def has_plain_placeholders(text: str) -> bool:
    """Return whether the braces of a text hold bare names only: no attribute, index, width or conversion.

    Only such a text may come from somebody else: `str.format` would reach into objects and make texts of any length.
    """
    return _PLAIN_TEXT.fullmatch(text) is not None


def find_placeholders(text: str) -> set[str]:
    return {name for name in _PLACEHOLDER.findall(text) if name}


def choose_articles(text: str, arguments: Mapping[str, Any]) -> str:
    """Return a translation with the words that suit its names: `{vom|von name}` is *vom* before the companion's name.

    Before any other name it is *von*; `{der name}` has no word there. The page does the same: web/core/i18n.js.
    """

    def choose(found: re.Match[str]) -> str:
        noun, other, name = found.groups()
        value = arguments.get(name)
        word = noun if isinstance(value, Message) and str.__str__(value.pattern) == COMPANION_NAME else other
        return f"{word} {{{name}}}" if word else f"{{{name}}}"

    return _ARTICLE.sub(choose, text)


class MessagePattern(str):
    """A text with placeholders, such as "{name} pegged {points}". `plural` is the plural form, chosen by `number`."""

    plural: str
    number: int

    def __new__(cls, text: str, plural: str = "", number: int = 1) -> Self:
        """Create a pattern from its singular text."""
        made = super().__new__(cls, text)
        made.plural, made.number = plural, number
        return made

    @property
    def english_text(self) -> str:
        """The English text in the form that `number` requires."""
        return self.plural if self.plural and self.number != 1 else str.__str__(self)


class Message(str):
    """A pattern with its placeholders filled in. As a `str` it is the English text."""

    pattern: MessagePattern
    arguments: Mapping[str, Any]
    is_capital: bool

    def __new__(cls, pattern: MessagePattern, arguments: Mapping[str, Any], *, is_capital: bool = False) -> Self:
        """Fill in the placeholders. Raises KeyError for a placeholder without an argument."""
        text = pattern.english_text.format_map(arguments) if arguments else pattern.english_text
        made = super().__new__(cls, _uppercase_first(text) if is_capital else text)
        made.pattern, made.arguments, made.is_capital = pattern, arguments, is_capital
        return made

    def __reduce__(self) -> Any:
        """Pickle and copy as plain English text."""
        return str, (str.__str__(self),)

    def __str__(self) -> str:
        """Return the message itself, so that `str(error)` is still a `Message`."""
        return self

    def translate_with(self, translate: PatternTranslator) -> str:
        """Return the text in another language, its arguments included. Text that `translate` lacks stays English."""
        arguments = {
            name: each.translate_with(translate) if isinstance(each, Message) else each
            for name, each in self.arguments.items()
        }
        try:
            text = choose_articles(translate(self.pattern), self.arguments)
            if arguments:
                text = (text if has_plain_placeholders(text) else self.pattern.english_text).format_map(arguments)
        except Exception:  # a faulty translation, such as an unknown placeholder, must not cost the sentence
            text = self.pattern.english_text.format_map(arguments)
        return _uppercase_first(text) if self.is_capital else text


def format_message(pattern: str, /, **arguments: Any) -> Message:
    """Return a message, or a part of one: `format_message("{name} says go.", name=...)`. The pattern is translated."""
    return Message(MessagePattern(pattern), arguments)


def format_plural(singular: str, plural: str, number: int, /, **arguments: Any) -> Message:
    """Return a message with a singular and a plural form: `format_plural("{n} point", "{n} points", 3)`.

    The number itself is available as `{n}`.
    """
    return Message(MessagePattern(singular, plural, number), {"n": number, **arguments})


def format_tenths(value: float) -> Message:
    """Return a number from 0 up with one decimal: "1.5" in English."""
    whole, tenths = f"{value:.1f}".split(".")
    return format_message("{whole}.{tenths}", whole=whole, tenths=tenths)


def gettext_noop(pattern: str) -> str:
    """Return the pattern unchanged; mark it for extraction because it is formatted later."""
    return pattern


def join_messages(parts: Iterable[str], separator: str = ", ") -> Message:
    arguments = {f"part{n}": part for n, part in enumerate(parts)}
    return format_message(separator.join(f"{{{name}}}" for name in arguments), **arguments)


def join_with_and(parts: Sequence[str]) -> Message:
    """Join parts as in "Red, Blue and Green"."""
    *most, last = parts
    return format_message("{most} and {last}", most=join_messages(most), last=last) if most else join_messages(parts)


def capitalize_message(text: str) -> Message:
    """Return the message with a capital first letter, in every language."""
    made = text if isinstance(text, Message) else format_message("{text}", text=text)
    return Message(made.pattern, made.arguments, is_capital=True)


def dump_message(text: str) -> Any:
    """Return a text as a JSON value from which `load_message` restores the text, or the message with its arguments."""
    if not isinstance(text, Message):
        return text
    pattern = text.pattern
    arguments = {name: dump_message(each) if isinstance(each, str) else each for name, each in text.arguments.items()}
    plural = [pattern.plural, pattern.number] if pattern.plural else []
    return [str.__str__(pattern), arguments, text.is_capital, *plural]


def load_message(value: Any) -> str:
    """Return the text that `dump_message` encoded."""
    if isinstance(value, str):
        return value
    text, arguments, is_capital, *plural = value
    arguments = {name: load_message(each) if isinstance(each, str | list) else each for name, each in arguments.items()}
    return Message(MessagePattern(text, *plural), arguments, is_capital=is_capital)


def _uppercase_first(text: str) -> str:
    return text[:1].upper() + text[1:]
