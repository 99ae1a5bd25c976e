"""Bundles the modules of a page into one script, and its style sheets into one sheet. Pure.

Sixty modules would be sixty requests. In a bundle each module is a function that is called once and returns its
exports; imported modules come first. Only `import` and `export` are rewritten; comments and indentation are removed.
Modules of `web/` may use two forms only: `import { … } from`, and `export` before a declaration. Other forms raise
BundleError, which the tests would find.

Rarely used parts are loaded on demand: `import("./components/help.js")` requests another file with that module and
those that the page's bundle lacks, after it has loaded their words. A module that two such files need and the page
does not is loaded twice, so it must not hold state.
"""

import re
from collections.abc import Iterator, Mapping

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.{1,2}/[\w./-]+)";\n', re.MULTILINE)
_BARE_IMPORT = re.compile(r'^import "(\.{1,2}/[\w./-]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_DYNAMIC_IMPORT = re.compile(r'\bimport\("(\.{1,2}/[\w./-]+)"\)')
_COMMENT = re.compile(r"^ *(?:/\*\*.*?\*/|//[^\n]*) *\n|(?<=[;,(){}]) // [^\n]*$", re.MULTILINE | re.DOTALL)
"""A comment in lines of its own, or behind the code of a line."""
_INLINE_TYPE_OR_INDENT = re.compile(r"/\*\* @[^\n]*?\*/ ?|^ +", re.MULTILINE)
"""A type within a line, and indentation: also within template strings, which are HTML and do not need it."""
_I18N = "core/i18n.js"
_STYLE_COMMENT_OR_BLANKS = re.compile(r"/\*.*?\*/\s*|(?<=[{};,:])\s+|\s+(?=[{}])", re.DOTALL)
_UNSUPPORTED_FORM = re.compile(r"^(?:import|export)\b", re.MULTILINE)


class BundleError(ValueError):
    """A module has a form of import or export that cannot be bundled."""


def script_bundle_name(script: str) -> str:
    """Return the name of the bundle of a page's script: `pages/tv.joined.js`."""
    return f"{script.removesuffix('.js')}.joined.js"


def style_bundle_name(page: str) -> str:
    """Return the name of the bundle of a page's style sheets: `tv.joined.css`."""
    return f"{page.rpartition('/')[2].removesuffix('.html')}.joined.css"


def lazy_module_name(script: str, module: str) -> str:
    """Return the name of the file of `bundle_lazy_module`: `components/new-game.for-phone.js`."""
    return f"{module.removesuffix('.js')}.for-{script.rpartition('/')[2]}"


def is_bundle_name(name: str) -> bool:
    """Return whether this may be the name of a bundle or of a lazy module."""
    return ".joined." in name or ".for-" in name


def bundle_script(texts: Mapping[str, str], name: str) -> str:
    """Return one script of the module `name` and all modules that it imports statically."""
    known = _module_variables(texts, name)
    modules = "".join(_wrap_module(texts[module], module, known, name, name) for module in known)
    is_complete = not any(lazy_imports(texts[module], module) for module in known)
    exported = "" if is_complete else f"globalThis.joined = [{', '.join(known.values())}];\n"
    return f'"use strict";\n{modules}{exported}'


def bundle_lazy_module(texts: Mapping[str, str], name: str, module: str) -> str:
    """Return a module that a page imports on demand, with those that the bundle of its script `name` lacks."""
    has = _module_variables(texts, name)
    new = {each: f"late{at}" for at, each in enumerate(list_part_modules(texts, name, module))}
    words = f'await {has[_I18N]}.loadCatalogue("{module}");\n' if _I18N in has else ""
    modules = "".join(_wrap_module(texts[each], each, has | new, name, module) for each in new)
    exports = ", ".join(_EXPORT.findall(texts[module]))
    has_all = f"const [{', '.join(has.values())}] = globalThis.joined;\n"
    return f"{has_all}{words}{modules}export const {{ {exports} }} = {new[module]};\n"


def lazy_imports(text: str, module: str) -> list[str]:
    return [resolve_path(module, path) for path in _DYNAMIC_IMPORT.findall(text)]


def list_modules(texts: Mapping[str, str], name: str) -> list[str]:
    """Return all modules that the script `name` imports, statically or on demand."""
    found = [name]
    for module in found:  # grows in the loop
        needs = static_imports(texts[module], module) + lazy_imports(texts[module], module)
        found += [each for each in dict.fromkeys(needs) if each not in found]
    return found


def list_page_modules(texts: Mapping[str, str], name: str) -> list[str]:
    """Return the modules that the script `name` imports statically, in the order of its bundle."""
    return list(_dependency_order(texts, name, set()))


def list_part_modules(texts: Mapping[str, str], name: str, module: str) -> list[str]:
    """Return a module that is imported on demand, with those that the bundle of the script `name` lacks."""
    return list(_dependency_order(texts, module, set(list_page_modules(texts, name))))


def bundle_styles(texts: Mapping[str, str], names: list[str]) -> str:
    """Return one style sheet of several, in this order."""
    return "".join(_STYLE_COMMENT_OR_BLANKS.sub("", texts[name]) for name in names)


def static_imports(text: str, module: str) -> list[str]:
    return [
        resolve_path(module, path) for path in _BARE_IMPORT.findall(text) + [path for _, path in _IMPORT.findall(text)]
    ]


def resolve_path(module: str, path: str) -> str:
    """Return the file that a path in a module means: `../core/dom.js` in `games/dice.js` is `core/dom.js`."""
    parts = module.split("/")[:-1]
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _module_variables(texts: Mapping[str, str], name: str) -> dict[str, str]:
    """Return the variable of each module in the bundle of the script `name`, in the order of the bundle."""
    return {module: f"m{at}" for at, module in enumerate(list_page_modules(texts, name))}


def _dependency_order(texts: Mapping[str, str], name: str, seen: set[str]) -> Iterator[str]:
    """Yield each module after those that it imports."""
    seen.add(name)
    for other in static_imports(texts[name], name):
        if other not in seen:
            yield from _dependency_order(texts, other, seen)
    yield name


def _wrap_module(text: str, module: str, known: Mapping[str, str], name: str, bundle: str) -> str:
    """Return a module as a function that is called once, for a file in the folder of the module `bundle`."""
    to_root = "../" * bundle.count("/") or "./"
    exported = _EXPORT.findall(text)
    own = _INLINE_TYPE_OR_INDENT.sub("", _EXPORT.sub("", _IMPORT.sub("", _BARE_IMPORT.sub("", _COMMENT.sub("", text)))))
    own = _DYNAMIC_IMPORT.sub(
        lambda found: f'import("{to_root}{lazy_module_name(name, resolve_path(module, found[1]))}")', own
    )
    if left := _UNSUPPORTED_FORM.search(own):
        raise BundleError(f"{module}: {own[left.start() :].splitlines()[0]}")
    imports = "".join(
        f"const {{{names.replace(' as ', ': ')}}} = {known[resolve_path(module, path)]};\n"
        for names, path in _IMPORT.findall(text)
    )
    return f"const {known[module]} = (() => {{\n{imports}{own}return {{ {', '.join(exported)} }};\n}})();\n"
