"""The page's modules import each other without circles, and only downwards: pages use components, never the reverse."""

from pathlib import Path

import pytest

from companion.http.bundler import lazy_imports, static_imports

WEB = Path(__file__).parents[2] / "web"
MODULES = {path.relative_to(WEB).as_posix(): path.read_text("utf-8") for path in WEB.rglob("*.js")}
IMPORTS = {name: [*static_imports(text, name), *lazy_imports(text, name)] for name, text in MODULES.items()}


def find_circle(imports, module, path=()):
    """Return the modules of a circle that is reached from this module, or []. Imports on demand count as well."""
    if module in path:
        return [*path[path.index(module) :], module]
    return next(filter(None, (find_circle(imports, target, (*path, module)) for target in imports[module])), [])


def test_no_module_imports_itself_in_a_circle():
    assert [circle for module in IMPORTS if (circle := find_circle(IMPORTS, module))] == []


def test_a_circle_on_demand_is_found():
    texts = {"a.js": 'import { b } from "./b.js";\n', "b.js": 'load(() => import("./a.js"));\n'}
    imports = {name: [*static_imports(text, name), *lazy_imports(text, name)] for name, text in texts.items()}
    assert find_circle(imports, "b.js") == ["b.js", "a.js", "b.js"]


@pytest.mark.parametrize("folder", ["audio", "board", "charts", "components", "core", "games"])
def test_only_pages_import_pages(folder):
    targets = {target for name in IMPORTS if name.startswith(f"{folder}/") for target in IMPORTS[name]}
    assert not {target for target in targets if target.startswith(("pages/", "plugins/", "club/", "bench/"))}


def test_core_imports_only_itself():
    targets = {target for name in IMPORTS if name.startswith("core/") for target in IMPORTS[name]}
    assert {target for target in targets if not target.startswith("core/")} == set()


def test_pages_and_plugins_import_no_other_page():
    """Only the frame `pages/shell.js` is shared."""
    for name in (name for name in IMPORTS if name.startswith(("pages/", "plugins/"))):
        others = {target for target in IMPORTS[name] if target.startswith(("pages/", "plugins/"))}
        own = "/".join(name.split("/")[:2])
        assert {target for target in others if not target.startswith(f"{own}/")} <= {"pages/shell.js"}, name
