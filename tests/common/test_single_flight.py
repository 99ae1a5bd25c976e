"""Simultaneous calls of a slow function wait for one result."""

import threading

import pytest

from companion.common.values import single_flight_cache
from tests.support.waiting import wait_until


def test_simultaneous_calls_compute_once_and_only_the_last_results_are_kept():
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
