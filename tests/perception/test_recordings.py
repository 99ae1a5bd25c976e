"""Recordings kept with `make keep`: each is read as was meant, to the millisecond."""

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
