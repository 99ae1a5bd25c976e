"""`compare.py`: a checkout agrees with itself on every recording, and a difference to another one is reported."""

import subprocess
import sys
from pathlib import Path

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
