"""The type check of the page finds a misspelt field of the API."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.web.write_fixtures import declarations, schema_type

HERE = Path(__file__).parent
WEB = HERE.parents[1] / "web"
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
