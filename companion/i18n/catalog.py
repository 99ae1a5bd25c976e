"""Catalogues of translations. A language is a folder that contains a `words.po`."""

import gettext
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from companion.common.errors import CompanionError
from companion.i18n.messages import Message, MessagePattern, gettext_noop

SOURCE_LANGUAGE = "en"
CATALOG_FILE_NAME = "words.po"
LANGUAGE_NAME_PATTERN = gettext_noop("English")
"""Each catalogue translates this pattern by the language's own name."""
_PLURAL_TABLE_SIZE = 200
"""Numbers for which the page gets the plural form; beyond it, the page uses the last two digits."""


class MessageCatalog:
    """The translations of one language. `language` is its tag (as in `<html lang>`), `name` its own name."""

    def __init__(self, language: str, path: Path) -> None:
        """Read a `words.po`. Raises CompanionError if it is not a valid catalogue."""
        from babel.messages.pofile import PoFileError, read_po  # slow to import, and needed for other languages only

        try:
            with path.open("rb") as file:
                found = read_po(file, abort_invalid=True)
            self._plural_index = gettext.c2py(found.plural_expr)
        except (OSError, ValueError, PoFileError) as error:
            raise CompanionError(f"The language {language} cannot be read from {path.name}: {error}.") from error
        translations = {each.id: each.string for each in found if each.id and each.string}
        self._translations = {
            key if isinstance(key, str) else key[0]: _as_forms(text) for key, text in translations.items() if any(text)
        }
        self.language, self.name = language, self.translate_pattern(MessagePattern(LANGUAGE_NAME_PATTERN))

    def translate_pattern(self, pattern: MessagePattern) -> str:
        """Return the translation of a pattern, or its English text if there is none."""
        forms = self._translations.get(str.__str__(pattern))
        if forms is None:
            return pattern.english_text
        return forms[min(self._plural_index(pattern.number), len(forms) - 1)] if pattern.plural else forms[0]

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


def _as_forms(text: str | Iterable[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


_addon_catalogs: dict[str, Path] = {}


def register_catalogs(others: Mapping[str, Path]) -> None:
    """Set the catalogues of add-ons, by language. Replaces those registered before."""
    _addon_catalogs.clear()
    _addon_catalogs.update(others)
    load_catalog.cache_clear()


def find_catalog_files(others: Iterable[Path] = ()) -> Mapping[str, Path]:
    """Return the catalogue files by language: shipped ones, those of add-ons, and those in `others`. Later ones win."""
    roots = [Path(__file__).parent, *others]
    found = [{each.parent.name: each for each in sorted(root.glob(f"*/{CATALOG_FILE_NAME}"))} for root in roots]
    return found[0] | _addon_catalogs | {name: path for each in found[1:] for name, path in each.items()}


def list_languages(others: tuple[Path, ...] = ()) -> list[dict[str, str]]:
    """Return the tag and own name of each available language, English first."""
    found = [made for language in find_catalog_files(others) if (made := load_catalog(language, others))]
    return [
        {"language": SOURCE_LANGUAGE, "name": "English"},
        *({"language": c.language, "name": c.name} for c in found),
    ]


@cache
def load_catalog(language: str, others: tuple[Path, ...] = ()) -> MessageCatalog | None:
    """Return the catalogue of a language; None for English or an unknown language. Raises CompanionError."""
    found = find_catalog_files(others).get(language)
    return None if found is None or language == SOURCE_LANGUAGE else MessageCatalog(language, found)
