"""How the interpreter and the C library of a table are set: short pauses and one heap."""

import gc
import platform
import subprocess
import sys

import pytest

from companion.common.process import shorten_pauses


@pytest.fixture
def usual_pauses():
    """Begin with usual thresholds, whatever a test before has set, and restore the interpreter's settings."""
    interval_s, thresholds = sys.getswitchinterval(), gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    sys.setswitchinterval(interval_s)
    gc.set_threshold(*thresholds)


@pytest.mark.usefixtures("usual_pauses")
def test_a_table_switches_threads_often_and_seldom_collects_everything():
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
