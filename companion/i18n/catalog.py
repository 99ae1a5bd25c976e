"""The languages there are, and what a catalogue makes of a sentence. Each is a folder with a `words.po` in it."""

import gettext
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from companion.common.errors import CompanionError
from companion.i18n.messages import Pattern, Sentence, phrase

ENGLISH = "en"
FILE = "words.po"
NAME = phrase("English")
"""What a language calls itself stands for this."""
_COUNTED = 200
"""For the page, which form a number takes is told up to here; beyond, its last two digits decide."""


class Catalogue:
    """One language: `language` as in `<html lang>`, `name` in its own words."""

    def __init__(self, language: str, path: Path) -> None:
        """Read a `words.po`. Raises CompanionError where it is none."""
        from babel.messages.pofile import PoFileError, read_po  # only who asks for a language waits for it

        try:
            with path.open("rb") as file:
                found = read_po(file, abort_invalid=True)
            self._form = gettext.c2py(found.plural_expr)
        except (OSError, ValueError, PoFileError) as error:
            raise CompanionError(f"The language {language} cannot be read from {path.name}: {error}.") from error
        said = {each.id: each.string for each in found if each.id and each.string}
        self._forms = {key if isinstance(key, str) else key[0]: _forms(text) for key, text in said.items() if any(text)}
        self.language, self.name = language, self.pattern(Pattern(NAME))

    def pattern(self, pattern: Pattern) -> str:
        """What stands for this pattern; itself where the language lacks it."""
        forms = self._forms.get(str.__str__(pattern))
        if forms is None:
            return pattern.english
        return forms[min(self._form(pattern.number), len(forms) - 1)] if pattern.many else forms[0]

    def value(self, value: Any) -> Any:
        """A value of JSON with every sentence in it in this language."""
        if isinstance(value, Sentence):
            return value.inside(self.pattern)
        if isinstance(value, Mapping):
            return {key: self.value(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(each) for each in value]
        return value

    def page(self) -> dict[str, Any]:
        """All of it for the page: the forms of each pattern in `words`, and in `plural` the form for each number."""
        plural = [self._form(number) for number in range(_COUNTED)]
        return {"language": self.language, "name": self.name, "words": self._forms, "plural": plural}


def _forms(text: str | Iterable[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


_brought: dict[str, Path] = {}


def bring(others: Mapping[str, Path]) -> None:
    """Catalogues of packs by their languages, from now on; those brought before are gone."""
    _brought.clear()
    _brought.update(others)
    catalogue.cache_clear()


def folders(others: Iterable[Path] = ()) -> Mapping[str, Path]:
    """Where each language but English is: those shipped, those of packs, and folders of one's own; the later win."""
    every = [Path(__file__).parent, *others]
    found = [{each.parent.name: each for each in sorted(home.glob(f"*/{FILE}"))} for home in every]
    return found[0] | _brought | {name: path for each in found[1:] for name, path in each.items()}


def languages(others: tuple[Path, ...] = ()) -> list[dict[str, str]]:
    """Each language that can be asked for, with its name in its own words."""
    found = [made for language in folders(others) if (made := catalogue(language, others))]
    return [{"language": ENGLISH, "name": "English"}, *({"language": c.language, "name": c.name} for c in found)]


@cache
def catalogue(language: str, others: tuple[Path, ...] = ()) -> Catalogue | None:
    """The catalogue of a language, None for English and for what there is no folder of. Raises CompanionError."""
    found = folders(others).get(language)
    return None if found is None or language == ENGLISH else Catalogue(language, found)
