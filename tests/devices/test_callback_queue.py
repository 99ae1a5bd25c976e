"""Queued calls are made in order, and a failing one does not stop the others."""

import threading

from companion.devices.device_thread import CallbackQueue
from tests.support.waiting import PATIENCE_S


def test_calls_are_made_in_order_without_a_waiting_caller():
    passing, made, go, done = CallbackQueue("test"), [], threading.Event(), threading.Event()
    passing.start()
    passing.call_soon(go.wait, PATIENCE_S)
    for number in range(100):
        passing.call_soon(made.append, number)
    passing.call_soon(done.set)
    assert made == []
    go.set()
    assert done.wait(PATIENCE_S)
    assert made == list(range(100))
    passing.close()
    passing.close()


def test_a_call_that_fails_is_logged_and_the_next_is_made(caplog):
    passing, made = CallbackQueue("test"), []
    passing.start()
    passing.call_soon(lambda: 1 / 0)
    passing.call_soon(made.append, 1)
    passing.close()
    assert made == [1]
    assert "ZeroDivisionError" in caplog.text


def test_one_that_never_began_closes_all_the_same():
    CallbackQueue("test").close()
