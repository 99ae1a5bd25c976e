"""The process of a table: short pauses, one heap, packages of the system, and one result for simultaneous calls."""

import gc
import platform
import subprocess
import sys
import threading

import pytest

from companion.common.process import SERVICE_FOLDER, missing_extra, shorten_pauses, system_package_command
from companion.common.values import single_flight_cache
from companion.plugins.service.installer import INSTALL_DIR
from tests.support.waiting import wait_until


@pytest.fixture
def usual_pauses():
    """Begin with usual thresholds, whatever a test before has set, and restore the interpreter's settings."""
    interval_s, thresholds = sys.getswitchinterval(), gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    sys.setswitchinterval(interval_s)
    gc.set_threshold(*thresholds)


@pytest.mark.usefixtures("usual_pauses")
def test_a_table_switches_threads_often_and_collects_seldom():
    before = gc.get_threshold()
    shorten_pauses()
    assert sys.getswitchinterval() <= 0.001
    assert gc.get_threshold()[:2] == before[:2]
    assert gc.get_threshold()[2] >= 100 * before[2]


HEAPS = """
import ctypes, threading
from companion.common.process import keep_heap_compact
keep_heap_compact()
together = threading.Barrier(4)
def allocate():
    block = bytearray(5000)
    together.wait()
threads = [threading.Thread(target=allocate) for _ in range(4)]
for each in threads: each.start()
for each in threads: each.join()
ctypes.pythonapi.malloc_stats()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc gives threads heaps of their own")
def test_all_threads_share_one_heap():
    done = subprocess.run([sys.executable, "-c", HEAPS], capture_output=True, text=True, check=True)
    assert done.stderr.count("Arena ") == 1


PRINT_COMMAND = "from companion.common.process import *; print(system_package_command('python3-lgpio'))"


@pytest.mark.parametrize(
    ("prefix", "path", "command"),
    [
        ("/usr", ["/usr/lib/python3/dist-packages"], "sudo apt-get install python3-lgpio"),
        (
            "/opt/companion/v1",
            ["/opt/companion/v1/lib/python3.13/site-packages", "/usr/lib/python3/dist-packages"],
            "sudo apt-get install python3-lgpio",
        ),
        (
            "/home/ann/my table/.venv",
            ["/usr/lib/python3.13", "/home/ann/my table/.venv/lib/python3.13/site-packages"],
            "sudo apt-get install python3-lgpio && python3 -m venv --system-site-packages '/home/ann/my table/.venv'",
        ),
    ],
    ids=["the system's Python", "the service", "a checkout"],
)
def test_the_line_suits_the_environment(monkeypatch, prefix, path, command):
    monkeypatch.setattr(sys, "prefix", prefix)
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    monkeypatch.setattr(sys, "path", path)
    assert system_package_command("python3-lgpio") == command


def test_the_line_opens_an_environment_and_keeps_it(tmp_path):
    home = tmp_path / "an environment"
    make = [sys.executable, "-m", "venv", "--without-pip"]
    subprocess.run([*make, home], check=True)
    (kept,) = home.glob("lib/python*/site-packages")
    (kept / "kept.py").touch()
    ask = [home / "bin/python", "-c", PRINT_COMMAND]
    line = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    assert line.endswith(f"&& python3 -m venv --system-site-packages '{home}'")
    subprocess.run([*make, *line.partition("-m venv ")[2].replace("'", "").split(maxsplit=1)], check=True)
    again = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    assert again == "sudo apt-get install python3-lgpio"
    assert (kept / "kept.py").exists()


def test_simultaneous_calls_compute_once():
    calls, results, go_on = [], [], threading.Event()

    @single_flight_cache(2)
    def square(n):
        calls.append(n)
        go_on.wait()
        return n * n

    threads = [threading.Thread(target=lambda: results.append(square(3))) for _ in range(4)]
    for thread in threads:
        thread.start()
    wait_until(lambda: calls)
    go_on.set()
    for thread in threads:
        thread.join()
    assert (calls, results) == ([3], [9] * 4)
    assert [square(n) for n in (4, 5, 4, 3)] == [16, 25, 16, 9]
    assert calls == [3, 4, 5, 3]


def test_an_error_is_not_kept():
    answers = iter([ValueError("not now"), 7])

    @single_flight_cache(1)
    def ask():
        if isinstance(answer := next(answers), Exception):
            raise answer
        return answer

    with pytest.raises(ValueError, match="not now"):
        ask()
    assert ask() == 7


@pytest.mark.parametrize(
    ("prefix", "extra", "command"),
    [
        (
            f"{INSTALL_DIR}/v3",
            "keyboard",
            "sudo apt-get install gcc python3-dev; sudo companion service install --extras keyboard",
        ),
        (f"{INSTALL_DIR}/v3", "wifi", "sudo companion service install --extras wifi"),
        ("/home/ann/cribbage/.venv", "camera", ".venv/bin/pip install -e '.[camera]'"),
    ],
)
def test_a_missing_extra_is_installed_where_the_program_runs(monkeypatch, prefix, extra, command):
    monkeypatch.setattr(sys, "prefix", prefix)
    assert missing_extra(extra) == f"The extra [{extra}] is missing. To install it, type: {command}"
    assert f"{INSTALL_DIR}/" == SERVICE_FOLDER
