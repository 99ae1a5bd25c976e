"""What a newcomer reads in the terminal, and only there: programs that start the table read its two lines."""

import os
import pty
import subprocess
import sys


def test_a_terminal_shows_where_the_bench_and_the_journal_are_and_how_to_stop(tmp_path):
    ours, theirs = pty.openpty()
    journal = tmp_path / "evening.sqlite3"
    words = ["--host", "127.0.0.1", "--port", "0", "--journal", str(journal)]
    with subprocess.Popen([sys.executable, "-m", "companion", "play", *words], stdout=theirs, stderr=theirs) as table:
        os.close(theirs)
        told = b""
        while b"stop " not in told:
            told += os.read(ours, 4096)
        table.terminate()
    os.close(ours)
    lines = told.decode().splitlines()
    assert [line.split()[0] for line in lines[:2]] == ["watchers", "players"]
    assert any("█" in line for line in lines)
    address = lines[0].split()[1]
    rest = {line.split()[0]: line for line in lines[2:] if line and line[0].isascii()}
    assert f"{address}bench" in rest["bench"]
    assert "Six-card cribbage, 0 – 0" in rest["game"]
    assert str(journal) in rest["journal"]
    assert table.returncode == 0
