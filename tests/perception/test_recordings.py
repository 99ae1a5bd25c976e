"""Recordings kept with `make keep` are read as was meant, to the millisecond; `compare.py` reports a difference."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion.table.recording import run_recording
from tests.perception import retime

HERE = Path(__file__).parent
RECORDINGS = sorted((HERE.parent / "recordings").glob("*.jsonl"))


@pytest.mark.parametrize("file", RECORDINGS, ids=lambda file: file.stem)
def test_a_kept_recording_is_read_as_was_meant(file, caplog):
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    expected = [line["expect"] for line in lines if "expect" in line]
    said = []
    run_recording([json.dumps(line).encode() for line in lines if "expect" not in line], said.append)
    events = [line for line in said if "event" in line]
    assert [{k: event.get(k) for k in intents} for event, intents in zip(events, expected, strict=True)] == expected
    assert caplog.records == []  # nothing that is derived from the moves has failed


def keep(recording, folder, *more):
    """What `make keep` says of this recording, kept as `mine` in a folder."""
    tool = f"import sys; sys.path.insert(0, {str(HERE)!r}); import keep; from pathlib import Path; "
    run = f"sys.exit(keep.main({[str(recording), 'mine', *more]!r}, Path({str(folder)!r})))"
    return subprocess.run([sys.executable, "-c", tool + run], capture_output=True, text=True, check=False)


def test_a_recording_gets_new_times_only_if_its_events_are_the_same(tmp_path):
    text = KEPT.read_text()
    (kept := tmp_path / "kept.jsonl").write_text(text)
    times = [json.loads(line)["expect"]["ms"] for line in text.splitlines() if '"expect"' in line]
    (early := tmp_path / "early.jsonl").write_text(text.replace(f'{{"ms": {times[-1]},', '{"ms": 1,'))
    (other := tmp_path / "other.jsonl").write_text(changed := text.replace('"event": "pegged"', '"event": "undone"'))
    assert early.read_text() != text != changed
    assert retime.main(tmp_path) == 1
    assert kept.read_text() == early.read_text() == text
    assert other.read_text() == changed


KEPT = HERE.parent / "recordings" / "counting-on-a-shared-lane.jsonl"
DEFAULT_FAMILIES = "".join(line for line in KEPT.read_text().splitlines(True) if '"expect"' not in line)


def test_a_recording_is_kept_in_one_step_and_never_over_another(tmp_path):
    recording, mine = tmp_path / "evening.jsonl", tmp_path / "mine.jsonl"
    recording.write_text(DEFAULT_FAMILIES)
    done = keep(recording, tmp_path)
    assert done.returncode == 0, done.stderr
    kept = mine.read_text()
    assert kept.startswith(DEFAULT_FAMILIES)
    assert '{"expect": {"ms": ' in kept
    mine.write_text("put right by hand")
    again = keep(recording, tmp_path)
    assert (again.returncode, again.stderr) == (1, f"{mine} already exists. Choose another name.\n")
    assert mine.read_text() == "put right by hand"


def test_a_kept_recording_can_be_kept_again_up_to_a_time(tmp_path):
    done = keep(KEPT, tmp_path, "--to", "0")
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "mine.jsonl").read_text().splitlines()
    assert lines[0] in DEFAULT_FAMILIES
    assert all(json.loads(line).get("ms", 0) == 0 for line in lines)


@pytest.mark.parametrize("text", ["not JSON", "[]", "{}", "3", '{"ms": "soon"}', "\xff"])
def test_an_invalid_recording_is_refused_with_a_sentence(tmp_path, text):
    recording = tmp_path / "evening.jsonl"
    recording.write_text(text, "latin-1")
    done = keep(recording, tmp_path, "--to", "95000")
    assert done.returncode == 1
    assert done.stderr == f"{recording} is not a recording: each line must be a JSON object with its ms.\n"
    assert not (tmp_path / "mine.jsonl").exists()


COMPARE = Path(__file__).parent / "compare.py"


def run_compare(python, *options):
    """What `compare.py` says of this checkout and of that python's."""
    command = [sys.executable, str(COMPARE), str(python), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_checkout_reads_as_it_does_itself():
    same = run_compare(sys.executable, "--family", "slides", "--scenarios", "1")
    assert (same.returncode, same.stderr) == (0, "")
    assert same.stdout == "0 of 5 recordings are read differently.\n"


def test_a_checkout_that_concludes_nothing_is_reported_and_the_recordings_are_kept(tmp_path):
    silent = tmp_path / "python"
    silent.write_text(f'#!{sys.executable}\nimport sys\nfor _ in sys.stdin:\n    print("[]", flush=True)\n')
    silent.chmod(0o755)
    told = run_compare(silent, "--family", "slides", "--scenarios", "1", "--events", "--keep", str(tmp_path / "kept"))
    assert (told.returncode, told.stderr) == (1, "")
    assert told.stdout.endswith("5 of 5 recordings are read differently.\n")
    assert '\n  - None\n  + {"ms": ' in told.stdout
    kept = sorted((tmp_path / "kept").iterdir())
    again = run_compare(sys.executable, *map(str, kept))
    assert again.stdout == "0 of 5 recordings are read differently.\n"
