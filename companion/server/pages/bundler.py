"""The modules of a page as one file, and its styles as one: a phone asks for two files, not for sixty. Pure.

A browser that is told of sixty modules makes sixty requests. So the modules are joined as they are sent: each is a
function that is called once and returns what it exports, those it imports come before it. Nothing is rewritten but
`import` and `export`; comments and the blanks that begin a line are left out. For this the modules of `web/` keep to
two forms, `import { … } from` and `export` before a declaration; whatever else there is fails in the tests, not on a
phone.

What a page seldom needs comes later: `import("./parts/new-game.js")` asks for one more file, of that module and of what
the page has not yet. What two such files need and the page does not is there twice: let it keep nothing.
"""

import re
from collections.abc import Iterator, Mapping

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.{1,2}/[\w./-]+)";\n', re.MULTILINE)
_BARE_IMPORT = re.compile(r'^import "(\.{1,2}/[\w./-]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_DYNAMIC_IMPORT = re.compile(r'\bimport\("(\.{1,2}/[\w./-]+)"\)')
_COMMENT = re.compile(r"^ *(?:/\*\*.*?\*/|//[^\n]*) *\n", re.MULTILINE | re.DOTALL)
_INLINE_TYPE_OR_INDENT = re.compile(r"/\*\* @[^\n]*?\*/ ?|^ +", re.MULTILINE)
"""A type within a line, and the blanks that begin one: in a text too, which is HTML, where one blank is enough."""
_STYLE_COMMENT = re.compile(r"/\*.*?\*/ *\n?", re.DOTALL)
_STYLE_BLANKS = re.compile(r"\n\s+")
_UNSUPPORTED_FORM = re.compile(r"^(?:import|export)\b", re.MULTILINE)


class BundleError(ValueError):
    """A module has a form of import or export that cannot be joined."""


def bundle_script(texts: Mapping[str, str], name: str) -> str:
    """One script of the module `name` and of all that it needs."""
    known = _module_variables(texts, name)
    modules = "".join(_wrap_module(texts[module], module, known, name, name) for module in known)
    is_whole = not any(lazy_imports(texts[module], module) for module in known)
    given = "" if is_whole else f"globalThis.joined = [{', '.join(known.values())}];\n"
    return f'"use strict";\n{modules}{given}'


def bundle_lazy_module(texts: Mapping[str, str], name: str, module: str) -> str:
    """What a page with the script `name` asks for when it imports this module: that, and what it has not yet."""
    has = _module_variables(texts, name)
    new = {each: f"late{at}" for at, each in enumerate(_dependency_order(texts, module, set(has)))}
    modules = "".join(_wrap_module(texts[each], each, has | new, name, module) for each in new)
    exports = ", ".join(_EXPORT.findall(texts[module]))
    has_all = f"const [{', '.join(has.values())}] = globalThis.joined;\n"
    return f"{has_all}{modules}export const {{ {exports} }} = {new[module]};\n"


def lazy_imports(text: str, module: str) -> list[str]:
    """The names of the modules that this one imports when it runs."""
    return [resolve_path(module, path) for path in _DYNAMIC_IMPORT.findall(text)]


def lazy_module_name(name: str, module: str) -> str:
    """The address of the text of `later`: `components/new-game.for-phone.js`."""
    return f"{module.removesuffix('.js')}.for-{name.rpartition('/')[2]}"


def list_modules(texts: Mapping[str, str], name: str) -> list[str]:
    """All that the script `name` needs, now or later."""
    found = [name]
    for module in found:  # which grows
        needs = static_imports(texts[module], module) + lazy_imports(texts[module], module)
        found += [each for each in dict.fromkeys(needs) if each not in found]
    return found


def bundle_styles(texts: Mapping[str, str], names: list[str]) -> str:
    """One style sheet of several, in their order."""
    return "".join(_STYLE_BLANKS.sub("\n", _STYLE_COMMENT.sub("", texts[name])) for name in names)


def static_imports(text: str, module: str) -> list[str]:
    """The names of the modules that this one imports."""
    return [
        resolve_path(module, path) for path in _BARE_IMPORT.findall(text) + [path for _, path in _IMPORT.findall(text)]
    ]


def resolve_path(module: str, path: str) -> str:
    """The name of a file that a module calls so: `../words.js` in `parts/turn.js` is `words.js`."""
    parts = module.split("/")[:-1]
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _module_variables(texts: Mapping[str, str], name: str) -> dict[str, str]:
    """What each module of the script `name` is called in it, in their order."""
    return {module: f"m{at}" for at, module in enumerate(_dependency_order(texts, name, set()))}


def _dependency_order(texts: Mapping[str, str], name: str, seen: set[str]) -> Iterator[str]:
    """Each module after those it needs."""
    seen.add(name)
    for other in static_imports(texts[name], name):
        if other not in seen:
            yield from _dependency_order(texts, other, seen)
    yield name


def _wrap_module(text: str, module: str, known: Mapping[str, str], name: str, bundle: str) -> str:
    """A module as a function that is called once, in the file beside the module `bundle`."""
    to_root = "../" * bundle.count("/") or "./"
    exported = _EXPORT.findall(text)
    own = _INLINE_TYPE_OR_INDENT.sub("", _EXPORT.sub("", _IMPORT.sub("", _BARE_IMPORT.sub("", _COMMENT.sub("", text)))))
    own = _DYNAMIC_IMPORT.sub(
        lambda found: f'import("{to_root}{lazy_module_name(name, resolve_path(module, found[1]))}")', own
    )
    if left := _UNSUPPORTED_FORM.search(own):
        raise BundleError(f"{module}: {own[left.start() :].splitlines()[0]}")
    taken = "".join(
        f"const {{{names.replace(' as ', ': ')}}} = {known[resolve_path(module, path)]};\n"
        for names, path in _IMPORT.findall(text)
    )
    return f"const {known[module]} = (() => {{\n{taken}{own}return {{ {', '.join(exported)} }};\n}})();\n"
