"""The whole program is stopped and goes on, as by Ctrl-Z or a debugger: no touch becomes a claim, no move is lost."""

import http.client
import json
import signal
import threading
import time

import pytest

from tests.support.waiting import PATIENCE_S


def posted(table, **body):
    """Ask for it without waiting for the answer: the program is stopped."""

    def post():
        line = http.client.HTTPConnection("127.0.0.1", table.port, timeout=PATIENCE_S)
        line.request("POST", "/api/bench/holes", json.dumps(body), table.cookie | {"Content-Type": "application/json"})
        line.getresponse().read()
        line.close()

    thread = threading.Thread(target=post)
    thread.start()
    return thread


def touched(table, hole, stop_s):
    """A touch of 0.15 s in which the program is stopped; the hand has gone on while it is."""
    table.place(hole)
    time.sleep(0.1)
    table.process.send_signal(signal.SIGSTOP)
    time.sleep(0.05)
    lifting = posted(table, lift=hole)
    time.sleep(stop_s)
    table.process.send_signal(signal.SIGCONT)
    lifting.join()


@pytest.mark.parametrize("stops_s", [[1.2, 2, 3], pytest.param([30, 60] * 3, marks=pytest.mark.long)])
def test_a_touch_during_which_the_program_is_stopped_is_not_a_claim(program, stops_s):
    table = program("--game", "pegs-only", "--set", "quiet_ms=3000")  # a busy machine makes touches longer
    table.until(lambda now: now["pegs"])
    table.lift("red-start-2")
    for number, stop_s in enumerate(stops_s, 1):
        touched(table, f"red-{number}", stop_s)
        time.sleep(3.5)
        assert table.state["moves"] == 0, number
    table.place("red-9")
    now = table.until(lambda now: now["moves"])
    assert (now["scores"], now["moves"]) == ([9, 0], 1)
    assert table.until(lambda now: now["devices"]["sensors"]["ok"])


def test_a_peg_put_while_the_program_is_stopped_is_claimed_once(program):
    table = program("--game", "pegs-only")
    table.until(lambda now: now["pegs"])
    table.lift("red-start-2")
    table.process.send_signal(signal.SIGSTOP)
    placing = posted(table, place="red-5")
    time.sleep(2)
    table.process.send_signal(signal.SIGCONT)
    placing.join()
    now = table.until(lambda now: now["moves"])
    time.sleep(1)
    assert (table.state["scores"], table.state["moves"]) == ([5, 0], 1)
    assert now["question"] is None
