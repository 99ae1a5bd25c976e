"""When the own network opens and closes: a table of times, without a radio."""

import math
import random

import pytest

from companion.plugins.wifi.hotspot import (
    JOIN_TIMEOUT_MS,
    OPEN_AFTER_MS,
    RETRY_AFTER_MS,
    Action,
    Hotspot,
    JoinResult,
    Observation,
    Phase,
    hotspot_name,
    hotspot_password,
    is_network_name,
    is_network_password,
)

LOST, FOUND = Observation(False), Observation(True)


def open_hotspot():
    state, _ = Hotspot(Phase.CONNECTED, 0).advance(LOST, 1000)
    return state.advance(LOST, 1000 + OPEN_AFTER_MS)


def test_a_minute_without_a_known_network_opens_the_own_one():
    state, action = Hotspot(Phase.CONNECTED, 0).advance(LOST, 500)
    assert (state.phase, action) == (Phase.SEARCHING, None)
    assert state.advance(LOST, 500 + OPEN_AFTER_MS - 1) == (state, None)
    opened, action = state.advance(LOST, 500 + OPEN_AFTER_MS)
    assert (opened.phase, action) == (Phase.OPEN, Action.OPEN)


def test_a_network_that_comes_back_within_the_minute_opens_nothing():
    state, _ = Hotspot(Phase.CONNECTED, 0).advance(LOST, 500)
    state, action = state.advance(FOUND, 59_000)
    assert (state.phase, action) == (Phase.CONNECTED, None)
    assert state.advance(LOST, 61_000)[0] == Hotspot(Phase.SEARCHING, 61_000)


def test_a_cable_that_is_plugged_in_closes_the_own_network():
    state, action = open_hotspot()[0].advance(FOUND, 200_000)
    assert (state.phase, action) == (Phase.CONNECTED, Action.CLOSE)


def test_the_own_network_closes_now_and_then_to_look_for_a_router_that_started_later():
    state, _ = open_hotspot()
    closed, action = state.advance(LOST, state.since_ms + RETRY_AFTER_MS)
    assert (closed.phase, action) == (Phase.SEARCHING, Action.CLOSE)
    assert closed.advance(LOST, closed.since_ms + OPEN_AFTER_MS)[1] is Action.OPEN


def test_the_own_network_stays_open_while_somebody_uses_it():
    state, _ = open_hotspot()
    used, action = state.advance(Observation(False, has_visitors=True), state.since_ms + RETRY_AFTER_MS)
    assert (used.phase, action) == (Phase.OPEN, None)
    assert used.advance(LOST, used.since_ms + RETRY_AFTER_MS - 1)[1] is None
    assert used.advance(LOST, used.since_ms + RETRY_AFTER_MS)[1] is Action.CLOSE


def test_a_network_that_is_joined_ends_the_own_one():
    state = open_hotspot()[0].start_joining("Home", 100_000)
    assert state.advance(LOST, 101_000) == (state, None)
    state, action = state.advance(Observation(True, join_result=JoinResult.JOINED), 102_000)
    assert (state, action) == (Hotspot(Phase.CONNECTED, 102_000), None)


@pytest.mark.parametrize(
    ("result", "after_ms"), [(JoinResult.FAILED, 3000), (JoinResult.PENDING, JOIN_TIMEOUT_MS)], ids=["wrong", "late"]
)
def test_a_network_that_cannot_be_joined_is_forgotten_and_named(result, after_ms):
    state = open_hotspot()[0].start_joining("Home", 100_000)
    state, action = state.advance(Observation(False, join_result=result), 100_000 + after_ms)
    assert (state.phase, action) == (Phase.OPEN, Action.REOPEN)
    assert (state.network, state.has_failed) == ("Home", True)


def test_an_action_that_fails_is_tried_again_after_a_minute():
    state = open_hotspot()[0].fail_to_act(200_000)
    assert state.advance(LOST, 200_000 + OPEN_AFTER_MS - 1)[1] is None
    assert state.advance(LOST, 200_000 + OPEN_AFTER_MS)[1] is Action.OPEN


def test_names_and_passwords_are_those_of_wifi():
    choose = random.Random(7).choice
    assert is_network_name(hotspot_name(choose))
    assert is_network_password(hotspot_password(choose))
    passwords = [hotspot_password(choose) for _ in range(500)]
    assert {len(each) * math.log2(len(set("".join(passwords)))) // 1 for each in passwords} == {59}
    assert [is_network_name(each) for each in ("", "ü" * 16, "ü" * 17, "a\nb")] == [False, True, False, False]
    allowed = ["", "12345678", "x" * 63, "0f" * 32]
    assert all(is_network_password(each) for each in allowed)
    assert not any(is_network_password(each) for each in ("short", "x" * 64, "pässword", "1234567\n"))
