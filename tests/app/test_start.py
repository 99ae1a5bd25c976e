"""What the start of a table imports."""

import subprocess
import sys

MODULES = "import sys, companion.cli, companion.app.program, companion.demo; print(*sys.modules)"


LATER = ("companion.coach", "companion.plugins")
"""What most starts do not need: it is imported at its first use."""


def test_a_table_starts_without_what_it_may_never_need():
    run = subprocess.run([sys.executable, "-c", MODULES], capture_output=True, text=True, check=True)
    loaded = run.stdout.split()
    assert "companion.server.app" in loaded
    assert [each for each in loaded if each.startswith(LATER)] == []
