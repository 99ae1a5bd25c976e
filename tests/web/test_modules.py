"""The pages' modules import only downwards, the type check finds misspelt fields, and colours can be told apart.

Colour vision without one kind of cone is simulated as in Machado, Oliveira and Fernandes (2009). The difference of two
colours is their distance in CIE Lab: 2 is just noticeable, 10 is obvious.
"""

import json
import re
import shutil
import subprocess
from itertools import combinations
from pathlib import Path

import pytest

from companion.http.bundler import lazy_imports, static_imports
from tests.web.write_fixtures import declarations, schema_type

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


HERE = Path(__file__).parent
TSC = HERE.parent / "node_modules" / ".bin" / "tsc"


@pytest.fixture
def checked(tmp_path):
    """Return the output of `tsc` after a change of one module."""
    if not TSC.exists() or not shutil.which("node"):
        pytest.skip("typescript is missing: install node, then `npm install --no-package-lock --prefix tests`")
    shutil.copytree(WEB, tmp_path / "web")
    (tmp_path / "api.d.ts").write_text(declarations(), encoding="utf-8")
    shutil.copy(HERE / "browsers.d.ts", tmp_path)
    options = json.loads((HERE / "tsconfig.json").read_text("utf-8")) | {"include": ["web", "*.d.ts"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(options), encoding="utf-8")

    def run_tsc(module, right, wrong):
        path = tmp_path / "web" / module
        assert right in path.read_text("utf-8")
        path.write_text(path.read_text("utf-8").replace(right, wrong), encoding="utf-8")
        return subprocess.run([TSC, "-p", tmp_path], capture_output=True, text=True, check=False).stdout

    return run_tsc


@pytest.mark.parametrize(
    ("module", "right", "wrong"),
    [
        ("components/status/scores.js", "snapshot.scores", "snapshot.score"),
        ("components/status/pegging-advice.js", "question?.why", "question?.reason"),
        ("components/status/device-status.js", "quarantined }", "quarantine }"),
        ("games/baseball-panel.js", 'type: "steal"', 'type: "steel"'),
        ("components/history/history.js", "update.table", "update.game"),
        ("core/format.js", "constants.ranks", "constants.rank"),
    ],
)
def test_a_misspelt_field_is_an_error(checked, module, right, wrong):
    output = checked(module, right, wrong)
    assert f"web/{module}" in output


def test_the_modules_have_no_errors(checked):
    assert checked("pages/phone/phone.js", "openPage(", "openPage(") == ""


def test_unknown_keyword_of_schema_is_an_error():
    assert schema_type({"oneOf": [{"type": "integer"}, {"type": "null"}]}) == "number | null"
    with pytest.raises(NotImplementedError):
        schema_type({"anyOf": []})


EYES = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.9505, 1.0, 1.089)
WOOD = "#b57d45"


def multiply(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def lab(colour, eye):
    light = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    light = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in light]
    seen = [min(1, max(0, each)) for each in multiply(EYES[eye], light)]
    x, y, z = (each / white for each, white in zip(multiply(TO_XYZ, seen), WHITE, strict=True))
    x, y, z = (each ** (1 / 3) if each > 0.008856 else 7.787 * each + 16 / 116 for each in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one, other, eye):
    return sum((a - b) ** 2 for a, b in zip(lab(one, eye), lab(other, eye), strict=True)) ** 0.5


def find_colours(sheet, pattern):
    return dict(re.findall(pattern, (WEB / sheet).read_text("utf-8")))


@pytest.mark.parametrize("eye", EYES)
def test_lanes_differ_from_each_other_and_wood(eye):
    lanes = find_colours("board/board.css", r"\.lane\.seat-(\d) \{ stroke: (#\w{6})")
    assert len(lanes) == 5
    for (one, colour), (other, another) in combinations([*lanes.items(), ("wood", WOOD)], 2):
        assert (one, other, distance(colour, another, eye) > 12) == (one, other, True)


@pytest.mark.parametrize("eye", EYES)
def test_pegs_differ_from_each_other(eye):
    pegs = find_colours("core/core.css", r" --seat-(\d): (#\w{6})")
    assert len(pegs) == 5
    for (one, colour), (other, another) in combinations(pegs.items(), 2):
        assert (one, other, distance(colour, another, eye) > 12) == (one, other, True)


@pytest.mark.parametrize("eye", EYES)
def test_four_suits_differ_in_four_colours(eye):
    two = find_colours("core/core.css", r"--(red|black)-suit: (#\w{6})")
    four = find_colours("core/core.css", r"(?<=[{;] )--(diamond|club): (#\w{6})")
    assert len(two) == len(four) == 2
    for (one, colour), (other, another) in combinations((two | four).items(), 2):
        assert (one, other, distance(colour, another, eye) > 12) == (one, other, True)
