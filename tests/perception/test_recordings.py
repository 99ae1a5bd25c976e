"""Recordings kept with `make keep`: each is read as was meant, to the millisecond."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion.table.trace import trace

HERE = Path(__file__).parent
RECORDINGS = sorted((HERE.parent / "recordings").glob("*.jsonl"))


@pytest.mark.parametrize("file", RECORDINGS, ids=lambda file: file.stem)
def test_a_kept_recording_is_read_as_was_meant(file):
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    expected = [line["expect"] for line in lines if "expect" in line]
    said = []
    trace([json.dumps(line).encode() for line in lines if "expect" not in line], said.append)
    events = [line for line in said if "event" in line]
    assert [{k: event.get(k) for k in meant} for event, meant in zip(events, expected, strict=True)] == expected


def test_a_recording_is_kept_in_one_step(tmp_path):
    recording = tmp_path / "evening.jsonl"
    recording.write_text((HERE.parent / "recordings" / "counting-on-a-shared-lane.jsonl").read_text())
    played = "".join(line for line in recording.read_text().splitlines(True) if '"expect"' not in line)
    recording.write_text(played)
    keep = f"import sys; sys.path.insert(0, {str(HERE)!r}); import keep; from pathlib import Path; "
    run = f"sys.exit(keep.main([{str(recording)!r}, 'mine'], Path({str(tmp_path)!r})))"
    done = subprocess.run([sys.executable, "-c", keep + run], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    kept = (tmp_path / "mine.jsonl").read_text()
    assert kept.startswith(played)
    assert '{"expect": {"ms": ' in kept
