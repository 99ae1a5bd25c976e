"""`companion cards`: a line for each file, and a table without the extra `[camera]`."""

import json
import subprocess
import sys

from click.testing import CliRunner

from companion.cli import main
from tests.plugins.cards.samples import draw_photo, unseen_style
from tests.plugins.cards.test_reader import encode
from tests.support.waiting import PATIENCE_S

BLOCKED = "import sys; sys.modules['cv2'] = None; from companion.cli import main; main(['cards', 'any.jpg'])"
HEAVY = "{'cv2', 'numpy', 'companion.plugins.cards.photo'}"
TABLE = f"import sys, companion.app.program; print(sorted({HEAVY} & set(sys.modules)))"


def run_python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def test_each_file_has_its_line_and_one_that_is_no_picture_fails_at_the_end(tmp_path):
    picture, placed = draw_photo(unseen_style(), 3)
    (tmp_path / "table.jpg").write_bytes(encode(picture))
    (tmp_path / "table.webp").write_bytes(encode(picture, ".webp"))
    (tmp_path / "letter.txt").write_bytes(b"Dear player")
    names = [str(tmp_path / name) for name in ("letter.txt", "missing.png", "table.jpg", "table.webp")]

    done = CliRunner().invoke(main, ["cards", *names, "--json"])

    letter, missing, table, webp = map(json.loads, done.stdout.splitlines())
    assert done.exit_code == 1
    assert [line["file"] for line in (letter, missing, table, webp)] == names
    assert letter["error"] == "This is not a picture. Send a JPEG, a PNG or a WebP."
    assert missing["error"].startswith("Cannot read the file")
    assert {c["card"] for c in table["cards"]} == {c["card"] for c in webp["cards"]} <= {p.card for p in placed}
    assert len(table["cards"]) + len(table["unsure"]) == len(placed)
    assert [min(x for x, _ in c["corners"]) for c in table["cards"]] == sorted(
        min(x for x, _ in c["corners"]) for c in table["cards"]
    )
    assert CliRunner().invoke(main, ["cards", names[2]]).exit_code == 0


def test_a_file_without_an_end_is_not_read_to_its_end():
    done = CliRunner().invoke(main, ["cards", "/dev/zero"])

    assert done.exit_code == 1
    assert "too large" in json.loads(done.stdout)["error"]


def test_without_opencv_the_command_says_what_to_install():
    done = run_python(BLOCKED)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "pip install -e '.[camera]'" in done.stderr


def test_a_table_imports_neither_numpy_nor_opencv():
    assert run_python(TABLE).stdout == "[]\n"
