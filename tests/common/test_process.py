"""How long threads and garbage collections hold up the answers of a table."""

import gc
import sys

import pytest

from companion.common.process import shorten_pauses


@pytest.fixture
def usual_pauses():
    """Restore the interpreter's settings after the test."""
    interval_s, thresholds = sys.getswitchinterval(), gc.get_threshold()
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
