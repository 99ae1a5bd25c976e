"""The types of the page are strict enough: a slip of the pen in a field of the API is found before anybody sees it."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from web.tell import text, types

HERE = Path(__file__).parent
WEB = HERE.parents[1] / "web"
TSC = HERE.parent / "node_modules" / ".bin" / "tsc"


@pytest.fixture
def checked(tmp_path):
    """What `tsc` says of the page's modules after a change to one of them."""
    if not TSC.exists() or not shutil.which("node"):
        pytest.skip("typescript is missing: install node, then `npm install --no-package-lock --prefix tests`")
    shutil.copytree(WEB, tmp_path / "web")
    (tmp_path / "api.d.ts").write_text(types(), encoding="utf-8")
    options = json.loads((HERE / "tsconfig.json").read_text("utf-8")) | {"include": ["web", "api.d.ts"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(options), encoding="utf-8")

    def says(module, right, wrong):
        path = tmp_path / "web" / module
        assert right in path.read_text("utf-8")
        path.write_text(path.read_text("utf-8").replace(right, wrong), encoding="utf-8")
        return subprocess.run([TSC, "-p", tmp_path], capture_output=True, text=True, check=False).stdout

    return says


@pytest.mark.parametrize(
    ("module", "right", "wrong"),
    [
        ("components/scores.js", "snapshot.scores", "snapshot.score"),
        ("components/question.js", "question?.why", "question?.reason"),
        ("components/device-status.js", "quarantined }", "quarantine }"),
        ("games/baseball.js", 'type: "steal"', 'type: "steel"'),
        ("components/history.js", "told.table", "told.game"),
        ("core/format.js", "constants.ranks", "constants.rank"),
    ],
)
def test_a_slip_of_the_pen_fails(checked, module, right, wrong):
    said = checked(module, right, wrong)
    assert f"web/{module}" in said


def test_what_is_right_passes(checked):
    assert checked("pages/phone.js", "open(", "open(") == ""


def test_a_description_that_types_cannot_tell_is_no_type_at_all():
    assert text({"oneOf": [{"type": "integer"}, {"type": "null"}]}) == "number | null"
    with pytest.raises(NotImplementedError):
        text({"anyOf": []})
