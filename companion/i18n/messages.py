"""A sentence is its English text, and knows what it was made of: so it can be said in another language. Pure.

Whoever says something need not know who will read it: each phone may have a language of its own. `Sentence` is a
`str`, so everything that shows, compares or keeps a text may have one. How a language is added is told in
docs/how-to/add-a-language.md.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

Translate = Callable[["Pattern"], str]
"""From an English pattern to that of another language."""


class Pattern(str):
    """A text with places for words, such as "{name} pegged {points}"; `many` is its plural, chosen by `number`."""

    many: str
    number: int

    def __new__(cls, text: str, many: str = "", number: int = 1) -> Self:
        """The singular's text."""
        made = super().__new__(cls, text)
        made.many, made.number = many, number
        return made

    @property
    def english(self) -> str:
        """The form for its number in English."""
        return self.many if self.many and self.number != 1 else str.__str__(self)


class Sentence(str):
    """A pattern with its words filled in. As a `str` it is English."""

    pattern: Pattern
    words: Mapping[str, Any]
    is_capital: bool

    def __new__(cls, pattern: Pattern, words: Mapping[str, Any], *, is_capital: bool = False) -> Self:
        """Fill the words in. Raises KeyError for a place that no word is for."""
        text = pattern.english.format_map(words) if words else pattern.english
        made = super().__new__(cls, _upper(text) if is_capital else text)
        made.pattern, made.words, made.is_capital = pattern, words, is_capital
        return made

    def __reduce__(self) -> Any:
        """As plain text: what is kept or copied is what was said."""
        return str, (str.__str__(self),)

    def __str__(self) -> str:
        """Itself, so that the message of an error is still a sentence."""
        return self

    def inside(self, translate: Translate) -> str:
        """The same in another language, its words with it. What that language lacks stays English."""
        words = {
            name: each.inside(translate) if isinstance(each, Sentence) else each for name, each in self.words.items()
        }
        try:
            text = translate(self.pattern)
            text = text.format_map(words) if words else text
        except (LookupError, ValueError, AttributeError):  # a place in the translation that no word is for
            text = self.pattern.english.format_map(words)
        return _upper(text) if self.is_capital else text


def say(pattern: str, /, **words: Any) -> Sentence:
    """A sentence, or a part of one: `say("{name} says go.", name=...)`. The pattern is what is translated."""
    return Sentence(Pattern(pattern), words)


def say_many(one: str, many: str, number: int, /, **words: Any) -> Sentence:
    """The same for one and for many: `say_many("{n} point", "{n} points", 3)`; the number itself is `n`."""
    return Sentence(Pattern(one, many, number), {"n": number, **words})


def phrase(pattern: str) -> str:
    """Marks a pattern that is said later, for the list of all that wants translating."""
    return pattern


def joined(parts: Iterable[str], between: str = ", ") -> Sentence:
    """Parts one after the other; what stands between them is the same in every language."""
    words = {f"part{n}": part for n, part in enumerate(parts)}
    return say(between.join(f"{{{name}}}" for name in words), **words)


def listed(parts: Sequence[str]) -> Sentence:
    """ "Red, Blue and Green"."""
    *most, last = parts
    return say("{most} and {last}", most=joined(most), last=last) if most else joined(parts)


def capital(sentence: str) -> Sentence:
    """The same with a capital at its beginning, in any language."""
    made = sentence if isinstance(sentence, Sentence) else say("{text}", text=sentence)
    return Sentence(made.pattern, made.words, is_capital=True)


def dumped(text: str) -> Any:
    """A text as JSON; of a sentence its pattern and its words, so that `loaded` gives it back."""
    if not isinstance(text, Sentence):
        return text
    pattern = text.pattern
    words = {name: dumped(each) if isinstance(each, str) else each for name, each in text.words.items()}
    many = [pattern.many, pattern.number] if pattern.many else []
    return [str.__str__(pattern), words, text.is_capital, *many]


def loaded(kept: Any) -> str:
    """The text of which `dumped` made this."""
    if isinstance(kept, str):
        return kept
    text, words, is_capital, *many = kept
    words = {name: loaded(each) if isinstance(each, str | list) else each for name, each in words.items()}
    return Sentence(Pattern(text, *many), words, is_capital=is_capital)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
