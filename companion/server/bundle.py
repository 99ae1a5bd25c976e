"""The modules of a page as one file, and its styles as one: a phone asks for two files, not for sixty. Pure.

A browser that is told of sixty modules makes sixty requests. So the modules are joined as they are sent: each is a
function that is called once and returns what it exports, those it imports come before it. Nothing is rewritten but
`import` and `export`; comments and the blanks that begin a line are left out. For this the modules of `web/` keep to
two forms, `import { … } from` and `export` before a declaration; whatever else there is fails in the tests, not on a
phone.
"""

import re
from collections.abc import Iterator, Mapping

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.{1,2}/[\w./-]+)";\n', re.MULTILINE)
_BARE = re.compile(r'^import "(\.{1,2}/[\w./-]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?:/\*\*.*?\*/|//[^\n]*) *\n", re.MULTILINE | re.DOTALL)
_INDENT = re.compile(r"^ +", re.MULTILINE)
"""Also within a text of several lines: such a text is HTML, to which one blank is as good as ten."""
_STYLE_COMMENT = re.compile(r"/\*.*?\*/ *\n?", re.DOTALL)
_LEFT = re.compile(r"^(?:import|export)\b", re.MULTILINE)


class NotJoined(ValueError):
    """A module has a form of import or export that cannot be joined."""


def script(texts: Mapping[str, str], name: str) -> str:
    """One script of the module `name` and of all that it needs."""
    order = list(_order(texts, name, set()))
    known = {module: f"m{at}" for at, module in enumerate(order)}
    return '"use strict";\n' + "".join(_wrapped(texts[module], module, known) for module in order)


def styles(texts: Mapping[str, str], names: list[str]) -> str:
    """One style sheet of several, in their order."""
    return "".join(_STYLE_COMMENT.sub("", texts[name]) for name in names)


def needed(text: str, module: str) -> list[str]:
    """The names of the modules that this one imports."""
    return [beside(module, path) for path in _BARE.findall(text) + [path for _, path in _IMPORT.findall(text)]]


def beside(module: str, path: str) -> str:
    """The name of a file that a module calls so: `../words.js` in `parts/turn.js` is `words.js`."""
    parts = module.split("/")[:-1]
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _order(texts: Mapping[str, str], name: str, seen: set[str]) -> Iterator[str]:
    """Each module after those it needs."""
    seen.add(name)
    for other in needed(texts[name], name):
        if other not in seen:
            yield from _order(texts, other, seen)
    yield name


def _wrapped(text: str, module: str, known: Mapping[str, str]) -> str:
    exported = _EXPORT.findall(text)
    own = _INDENT.sub("", _EXPORT.sub("", _IMPORT.sub("", _BARE.sub("", _COMMENT.sub("", text)))))
    if left := _LEFT.search(own):
        raise NotJoined(f"{module}: {own[left.start() :].splitlines()[0]}")
    taken = "".join(
        f"const {{{names.replace(' as ', ': ')}}} = {known[beside(module, path)]};\n"
        for names, path in _IMPORT.findall(text)
    )
    return f"const {known[module]} = (() => {{\n{taken}{own}return {{ {', '.join(exported)} }};\n}})();\n"
