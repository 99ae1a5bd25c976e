"""How the program starts and ends: its lines, its exit codes, its files, its certificate, and whom it lets in."""

import contextlib
import json
import os
import pty
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from companion.app.launch import LaunchOptions
from companion.app.program import Program
from companion.plugins.doctor.machine import identify_listener
from companion.plugins.service.installer import wait_for_page
from companion.settings import Settings
from tests.support.waiting import PATIENCE_S

CHECKOUT = Path(__file__).parents[2]


def test_it_says_where_watchers_and_players_find_it(program):
    table = program()
    assert table.get("/api/me")["role"] == "player"
    for host in {table.host, "127.0.0.1"}:
        with urllib.request.urlopen(f"http://{host}:{table.port}/", timeout=PATIENCE_S) as page:
            assert page.status == 200
    with urllib.request.urlopen(f"http://127.0.0.1:{table.port}/bench", timeout=PATIENCE_S) as page:
        assert page.status == 200


def test_it_listens_at_the_given_address_and_answers_to_further_names(program):
    table = program("--host", "127.0.0.1", "--allow-host", "board.example", "--set", "hosts=a.box,b.box")
    assert table.host == "127.0.0.1"
    for host, status in {"board.example": 200, "a.box": 200, "b.box": 200, "other.example": 421}.items():
        assert table.ask("GET", "/api/state", headers={"Host": host})[0] == status


def test_sigterm_ends_it_streams_open_or_not(program):
    table = program()
    with contextlib.ExitStack() as stack:
        for _ in range(30):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", table.port)))
            line.sendall(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b"200 OK" in line.recv(4000)
        table.lift("red-start-1")
        assert table.end() == 0


def test_sigterm_right_after_the_start_is_a_clean_end(program):
    assert program().end() == 0


def test_sigterm_while_it_still_starts_ends_it_as_cleanly(run_to_exit, tmp_path):
    def too_early(process):
        """As soon as the signal is caught, which is before anything is opened."""
        status, end = Path(f"/proc/{process.pid}/status"), time.monotonic() + PATIENCE_S
        while not int(re.search(r"^SigCgt:\s*(\w+)", status.read_text(), re.MULTILINE)[1], 16) >> 14 & 1:
            assert time.monotonic() < end
        process.terminate()

    assert run_to_exit(then=too_early) == (0, "")


def test_sigint_ends_it_as_well(program):
    assert program().end(number=2) == 0


@pytest.mark.parametrize("pair", [(signal.SIGTERM, signal.SIGINT), (signal.SIGINT, signal.SIGTERM)])
def test_two_signals_within_microseconds_end_it_as_one_does(program, tmp_path, pair):
    """As `make` and `timeout` send them, and the terminal to a whole group."""
    for gap_us in (0, 30, 60, 90, 120):
        table = program(home=tmp_path / f"after-{gap_us}", ready=False)
        first, second = pair
        table.process.send_signal(first)
        sent = time.perf_counter_ns()
        while time.perf_counter_ns() - sent < gap_us * 1000:
            pass
        os.kill(table.process.pid, second)
        assert table.wait_for_exit() == 0
        assert table.errors == ""


SIGNALLED_LATE = """
import os, signal
from companion.common.process import ServiceNotifier

class Late:
    def __del__(self, kill=os.kill, pid=os.getpid(), number=signal.SIGTERM):
        kill(pid, number)

late = Late()
service = ServiceNotifier()
os.kill(os.getpid(), signal.SIGINT)
service.wait_for_end(lambda: True)
"""
"""A program that gets a second signal while Python ends: modules are cleared after the handlers."""


def test_a_signal_while_python_ends_does_not_kill():
    assert subprocess.run([sys.executable, "-c", SIGNALLED_LATE], check=False).returncode == 0


def test_after_the_end_the_lights_are_off(tmp_path):
    running = Program(LaunchOptions(journal=tmp_path / "journal.sqlite3", settings=Settings(host="127.0.0.1", port=0)))
    try:
        running.table.tap_card("JD")
        end = time.monotonic() + PATIENCE_S
        while not any(map(any, running.bench.lights.sent_frame()[0])):
            assert time.monotonic() < end
            time.sleep(0.02)
    finally:
        running.close()
    assert not any(map(any, running.bench.lights.sent_frame()[0]))
    running.close()


def test_a_used_port_is_reported_in_a_sentence_and_no_game_begins(run_to_exit, tmp_path):
    with socket.create_server(("0.0.0.0", 0)) as taken:
        code, told = run_to_exit("--port", str(taken.getsockname()[1]), "--new")
    assert code == 1
    assert re.fullmatch(
        r"companion: Port \d+ of the address .* is taken\. Another table may be running: try --port\.\n", told
    )
    assert not (tmp_path / "home" / "journal.sqlite3").exists()


def test_flags_that_contradict_the_journal_end_it_naming_new(program, run_in_process):
    table = program()
    table.scan("JD")
    table.end()
    for flags in (
        ("--game", "pegs-only"),
        ("--seats", "3"),
        ("--dealer", "1"),
        ("--option", "target=61"),
        ("--board", "loop-60"),
    ):
        code, told = run_in_process(*flags)
        assert (flags, code) == (flags, 1)
        assert re.fullmatch(r"companion: [A-Z].* --new .*\.\n", told)
    assert program("--game", "six-card", "--seats", "2", "--dealer", "0", "--option", "target=121").state["moves"] == 1


def test_new_begins_another_game_and_keeps_counting_moves(program):
    table = program()
    table.scan("JD")
    table.end()
    table = program("--new", "--game", "pegs-only", "--seats", "3")
    assert (table.state["game"]["key"], table.state["phase"], table.state["moves"]) == ("pegs-only", "play", 1)
    table.end()
    assert program().state["game"]["key"] == "pegs-only"


WRONG = [
    (["--option", "targt=61"], "target"),
    (["--option", "target=60"], "61"),
    (["--option", "target"], "KEY=VALUE"),
    (["--game", "six-crad"], "six-card"),
    (["--seats", "7"], "2, 3, 4"),
    (["--dealer", "2"], "0 to 1"),
    (["--board", "clasic"], "classic"),
    (["--set", "quite_ms=300"], "quiet_ms"),
    (["--set", "quiet_ms=10"], "20 to 5000"),
    (["--port", "70000"], "65535"),
    (["--sensors", "usb:0"], "serial:"),
    (["--cards", "serial:"], "serial:/dev/ttyUSB0"),
    (["--cards", "sim:?seet=1"], "seat"),
    (["--cards", "sim:?seat=2"], "0 to 1"),
    (["--speed", "nan"], "0.1 to 1000"),
    (["--speed", "0"], "0.1 to 1000"),
    (["--allow-host", ""], "board.example"),
    (["--set", "hosts=http://board.example"], "board.example"),
    (["--allow-host", "http://board.example:8123"], "board.example"),
    (["--prot", "8123"], "--port"),
]


def test_what_is_typed_wrong_ends_with_exit_2_and_names_what_was_meant(run_to_exit, run_in_process):
    assert run_to_exit(*WRONG[0][0])[0] == 2
    for flags, named in WRONG:
        code, told = run_in_process(*flags)
        assert (flags, code, named in told) == (flags, 2, True)


def test_what_is_typed_wrong_is_wrong_beside_a_game_to_resume_too(program, run_in_process):
    program().end()
    for flags, named in WRONG:
        code, told = run_in_process(*flags)
        assert (flags, code, named in told) == (flags, 2, True)


def test_what_cannot_be_had_is_a_sentence_and_exit_1(run_in_process, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "journal.sqlite3").write_bytes(b"this is no journal, it only has its name" * 40)
    for flags in (
        [],
        ["--journal", str(home / "journal.sqlite3" / "within")],
        ["--journal", str(tmp_path / "new.sqlite3"), "--record", str(tmp_path)],
        ["--journal", str(tmp_path / "new.sqlite3"), "--host", "nowhere.invalid"],
    ):
        code, told = run_in_process(*flags)
        assert (flags, code) == (flags, 1)
        assert re.fullmatch(r"companion: [A-Z][^\n]*\.\n", told)


def test_a_board_file_is_resumed_from_any_folder_and_named_without_its_path(program, run_in_process, tmp_path):
    (tmp_path / "boards").mkdir()
    shutil.copy(CHECKOUT / "hardware/boards/classic.toml", tmp_path / "boards" / "kitchen.toml")
    table = program("--board", "boards/kitchen.toml", cwd=tmp_path)
    assert table.state["board"] == "kitchen"
    assert table.get("/api/board")["name"] == "kitchen"
    for path in ("/api/state", "/api/board", "/api/bench/lights", "/"):
        assert str(tmp_path).encode() not in table.ask("GET", path)[2]
    table.scan("JD")
    table.kill()
    table = program(cwd="/")
    assert table.state["scores"] == [2, 0]
    table.end()
    code, told = run_in_process("--board", "classic")
    assert (code, "--new" in told) == (1, True)


def test_a_demo_on_a_real_board_is_refused_in_words(run_to_exit):
    for flag, url in (
        ("--sensors", "serial:/dev/ttyACM0"),
        ("--cards", "serial:/dev/ttyUSB0"),
        ("--buttons", "gpio:undo=27"),
    ):
        code, told = run_to_exit("--demo", flag, url, "--new")
        assert (flag, code) == (flag, 2)
        assert told == f"companion: The demo needs simulated devices. Omit {flag} or --demo.\n"


def test_two_programs_do_not_play_from_one_journal(program, run_to_exit):
    table = program()
    code, told = run_to_exit()
    assert (code, "Another companion" in told) == (1, True)
    assert table.scan("JD")["scores"] == [2, 0]
    table.kill()
    assert program().state["scores"] == [2, 0]


def test_nothing_is_written_beside_the_program(tmp_path):
    checkout = tmp_path / "checkout"
    for part in ("companion", "firmware", "hardware", "web"):
        shutil.copytree(CHECKOUT / part, checkout / part, ignore=shutil.ignore_patterns("__pycache__"))
    before = sorted(path for path in checkout.rglob("*"))
    code = f"import sys; sys.dont_write_bytecode = True; sys.path.insert(0, {str(checkout)!r})\n"
    code += "from companion.cli import main; main(sys.argv[1:])"
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    words = [sys.executable, "-c", code, "play", "--port", "0", "--demo", "--speed", "1000", "--set", "quiet_ms=20"]
    process = subprocess.Popen(words, cwd=checkout, env=home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    port = re.search(r":(\d+)/", process.stdout.readline())[1]
    end = time.monotonic() + PATIENCE_S
    while b'"phase":"play"' not in urllib.request.urlopen(f"http://127.0.0.1:{port}/api/state").read():
        assert time.monotonic() < end
        time.sleep(0.05)
    process.terminate()
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, errors) == (0, "")
    assert sorted(path for path in checkout.rglob("*")) == before
    kept = {path.name for path in (tmp_path / "data" / "companion").iterdir()}
    assert {"journal.sqlite3", "journal.key"} <= kept


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


def test_tls_alone_makes_what_it_needs_and_is_served_at_once(tmp_path):
    journal = tmp_path / "journal.sqlite3"
    words = [sys.executable, "-m", "companion", "play", "--tls", "--port", "0", "--journal", str(journal),
             "--set", "announce=off"]  # fmt: skip
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            port = re.search(r"https://[^/]+:(\d+)/", process.stdout.readline())[1]
            trusting = ssl.create_default_context(cafile=tmp_path / "journal.authority.pem")
            for path in ("/api/me", "/authority.crt"):
                url = f"https://localhost:{port}{path}"
                with urllib.request.urlopen(url, timeout=PATIENCE_S, context=trusting) as reply:
                    told = reply.read()
                    assert json.loads(told)["role"] == "watcher" if path == "/api/me" else told[:1] == b"0"
            (tmp_path / "companion.toml").write_text(f'tls = "on"\nport = {port}\n')
            assert wait_for_page(tmp_path / "companion.toml")
            assert identify_listener(int(port)) == "a companion"
        finally:
            process.send_signal(signal.SIGTERM)
    assert process.returncode == 0
