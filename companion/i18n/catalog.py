"""Catalogues of translations. A language is a folder that contains a `words.po`."""

import gettext
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from companion.common.errors import CompanionError
from companion.common.files import read_text
from companion.i18n.messages import (
    Message,
    MessagePattern,
    choose_articles,
    find_placeholders,
    gettext_noop,
    has_plain_placeholders,
)

SOURCE_LANGUAGE = "en"
CATALOG_FILE_NAME = "words.po"
LANGUAGE_NAME_PATTERN = gettext_noop("English")
"""Each catalogue translates this pattern by the language's own name."""
_LANGUAGE_NAME = re.compile(rf'^msgid "{LANGUAGE_NAME_PATTERN}"\r?\nmsgstr "([^"\\\n]+)"\r?$', re.MULTILINE)
_PLURAL_TABLE_SIZE = 200
"""Numbers for which the page gets the plural form; beyond it, the page uses the last two digits."""
_MAX_PLURAL_FORMS = 8
"""No language has more than six."""
_MAX_FILE_BYTES = 512 * 1024
_LENGTH_FACTOR = 20
"""A translation may be this many times as long as its English text, and this many characters longer."""
_MARKUP = re.compile(r'<[^>]*>?|[">]')
"""Tags, and what could begin or end one or an attribute: pages take translations for HTML."""


class MessageCatalog:
    """The translations of one language. `language` is its tag (as in `<html lang>`), `name` its own name."""

    def __init__(self, language: str, path: Path) -> None:
        """Read a `words.po`. Raises CompanionError if it is not a valid catalogue."""
        try:
            self._plural_index, translations = _read_catalog(path)
        except (OSError, ValueError, LookupError, RecursionError) as error:
            raise CompanionError(f"The language {language} cannot be read from {path.name}: {error}.") from error
        self._translations = {
            key if isinstance(key, str) else key[0]: _as_forms(text) for key, text in translations.items() if any(text)
        }
        self.language, self.name = language, self.translate_pattern(MessagePattern(LANGUAGE_NAME_PATTERN))

    def translate_pattern(self, pattern: MessagePattern) -> str:
        """Return the translation of a pattern, or its English text if there is none."""
        forms = self._translations.get(str.__str__(pattern))
        if forms is None:
            return pattern.english_text
        return forms[min(self._choose_form(pattern.number), len(forms) - 1)] if pattern.plural else forms[0]

    def _choose_form(self, number: int) -> int:
        """Return the plural form of a number: for a very large one that of its last two digits, as the page does."""
        return self._plural_index(number if 0 <= number < _PLURAL_TABLE_SIZE else 100 + abs(number) % 100)

    def translate_value(self, value: Any) -> Any:
        """Return a JSON value with every message in it translated."""
        if isinstance(value, Message):
            return value.translate_with(self.translate_pattern)
        if isinstance(value, Mapping):
            return {key: self.translate_value(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.translate_value(each) for each in value]
        return value

    def export_for_page(self) -> dict[str, Any]:
        """Return the catalogue for the page: `words` has each pattern's forms, `plural` the form of each number."""
        plural = [self._plural_index(number) for number in range(_PLURAL_TABLE_SIZE)]
        return {"language": self.language, "name": self.name, "words": self._translations, "plural": plural}


def _read_catalog(path: Path) -> tuple[Callable[[int], int], Mapping[Any, Any]]:
    """Return the plural rule and the translations of a file, which may be a stranger's. Raises ValueError and others.

    Comments are left out before it is parsed, and the number of plural forms is bounded: either can take babel minutes.
    """
    from babel.messages.catalog import Catalog  # slow to import, and needed for other languages only
    from babel.messages.pofile import PoFileError, PoFileParser

    class BoundedCatalog(Catalog):
        @property
        def num_plurals(self) -> int:
            number = super().num_plurals
            if not 1 <= number <= _MAX_PLURAL_FORMS:
                raise ValueError(f"its number of plural forms must be from 1 to {_MAX_PLURAL_FORMS}")
            return number

    if path.stat().st_size > _MAX_FILE_BYTES:
        raise ValueError(f"it is larger than {_MAX_FILE_BYTES // 1024} KiB")
    lines = [line.strip() for line in read_text(path).split("\n")]
    found = BoundedCatalog()
    try:
        PoFileParser(found, abort_invalid=True).parse([line for line in lines if not line.startswith("#")])
    except PoFileError as error:
        raise ValueError(str(error)) from None
    plural_index: Callable[[int], int] = gettext.c2py(found.plural_expr)
    try:
        forms = {plural_index(number) for number in range(_PLURAL_TABLE_SIZE)}
    except ArithmeticError:
        raise ValueError("its plural rule divides by zero") from None
    if not forms <= set(range(found.num_plurals)):
        raise ValueError("its plural rule gives a form that the language does not have")
    translations = {each.id: each.string for each in found if each.id and each.string}
    for pattern, text in translations.items():
        _check_translation(pattern, text)
    return plural_index, translations


def _check_translation(pattern: str | Sequence[str], text: str | Iterable[str]) -> None:
    """Raise ValueError for a translation that is much longer than its pattern, or has placeholders or tags of its own.

    A plural pattern is found by its singular, so the plural may be anything.
    """
    english = (pattern,) if isinstance(pattern, str) else pattern
    names = {"n"} if len(english) > 1 else set()
    names |= {name for each in english for name in find_placeholders(each)}
    longest, markup = _LENGTH_FACTOR * (len(english[0]) + 1), {*_MARKUP.findall(english[0])}
    for form in (choose_articles(each, {}) for each in _as_forms(text)):
        if len(form) > longest:
            raise ValueError(f"the translation of {english[0][:40]!r} is too long")
        if not (has_plain_placeholders(form) and find_placeholders(form) <= names):
            raise ValueError(f"a translation may use only the placeholders of its English text, not {form[:40]!r}")
        if not {*_MARKUP.findall(form)} <= markup:
            raise ValueError(f"a translation may use only the tags and quotes of its English text, not {form[:40]!r}")


def _as_forms(text: str | Iterable[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


_addon_catalogs: dict[str, Path] = {}


def register_catalogs(others: Mapping[str, Path]) -> None:
    """Set the catalogues of add-ons, by language. Replaces those registered before."""
    _addon_catalogs.clear()
    _addon_catalogs.update(others)
    _find_known_files.cache_clear()
    _read_known_catalog.cache_clear()
    _read_language_name.cache_clear()


def find_catalog_files(others: Iterable[Path] = ()) -> Mapping[str, Path]:
    """Return the catalogue files by language: shipped ones, those of add-ons, and those in `others`. Later ones win."""
    roots = [Path(__file__).parent, *others]
    found = [{each.parent.name: each for each in sorted(root.glob(f"*/{CATALOG_FILE_NAME}"))} for root in roots]
    return found[0] | _addon_catalogs | {name: path for each in found[1:] for name, path in each.items()}


def list_languages(others: tuple[Path, ...] = ()) -> list[dict[str, str]]:
    """Return the tag and own name of each available language, English first."""
    files = find_catalog_files(others)
    translated = [(tag, _read_language_name(tag, path)) for tag, path in files.items() if tag != SOURCE_LANGUAGE]
    return [{"language": tag, "name": name} for tag, name in [(SOURCE_LANGUAGE, "English"), *translated]]


def load_catalog(language: str, others: tuple[Path, ...] = ()) -> MessageCatalog | None:
    """Return the catalogue of a language; None for English or an unknown language. Raises CompanionError."""
    found = _find_known_files(others).get(language)
    return None if found is None or language == SOURCE_LANGUAGE else _read_known_catalog(language, found)


@cache
def _read_language_name(language: str, path: Path) -> str:
    """Return a language's own name. The first page needs no more, and to parse the catalogue for it takes 50 ms."""
    with suppress(OSError, UnicodeDecodeError):
        if name := _LANGUAGE_NAME.search(read_text(path)):
            return name[1]
    return _read_known_catalog(language, path).name


_find_known_files = cache(find_catalog_files)
_read_known_catalog = cache(MessageCatalog)
"""Known languages only: a request may name any others, and names in a cache would fill the memory."""
