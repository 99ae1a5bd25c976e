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

LOST, FOUND, USED = Observation(False), Observation(True), Observation(False, has_visitors=True)
CONNECTED = Hotspot(Phase.CONNECTED, 0)


def open_hotspot():
    state, _ = CONNECTED.advance(LOST, 1000)
    return state.advance(LOST, 1000 + OPEN_AFTER_MS)[0]


OPENED = open_hotspot()
STORIES = {
    "a minute without a known network opens the own one": (CONNECTED, [
        (500, LOST, Phase.SEARCHING, None), (OPEN_AFTER_MS - 1, LOST, Phase.SEARCHING, None),
        (1, LOST, Phase.OPEN, Action.OPEN)]),
    "a network that comes back within the minute opens nothing": (CONNECTED, [
        (500, LOST, Phase.SEARCHING, None), (59_000, FOUND, Phase.CONNECTED, None),
        (2000, LOST, Phase.SEARCHING, None), (OPEN_AFTER_MS - 1, LOST, Phase.SEARCHING, None)]),
    "a cable closes the own network": (OPENED, [(200_000, FOUND, Phase.CONNECTED, Action.CLOSE)]),
    "the own network closes to look for a router that started later": (OPENED, [
        (RETRY_AFTER_MS, LOST, Phase.SEARCHING, Action.CLOSE), (OPEN_AFTER_MS, LOST, Phase.OPEN, Action.OPEN)]),
    "the own network stays open while it is used": (OPENED, [
        (RETRY_AFTER_MS, USED, Phase.OPEN, None), (RETRY_AFTER_MS - 1, LOST, Phase.OPEN, None),
        (1, LOST, Phase.SEARCHING, Action.CLOSE)]),
    "an action that fails is tried again after a minute": (OPENED.fail_to_act(OPENED.since_ms), [
        (OPEN_AFTER_MS - 1, LOST, Phase.SEARCHING, None), (1, LOST, Phase.OPEN, Action.OPEN)]),
}  # fmt: skip
"""A state, and what is seen: the time since the last look, the observation, the phase and the action."""


@pytest.mark.parametrize("story", STORIES)
def test_the_own_network_opens_and_closes(story):
    state, looks = STORIES[story]
    now_ms = state.since_ms
    for after_ms, seen, phase, action in looks:
        now_ms += after_ms
        state, told = state.advance(seen, now_ms)
        assert (state.phase, told) == (phase, action)


def test_a_joined_network_ends_the_own_one():
    state = OPENED.start_joining("Home", 100_000)
    assert state.advance(LOST, 101_000) == (state, None)
    state, action = state.advance(Observation(True, join_result=JoinResult.JOINED), 102_000)
    assert (state, action) == (Hotspot(Phase.CONNECTED, 102_000), None)


@pytest.mark.parametrize(
    ("result", "after_ms"), [(JoinResult.FAILED, 3000), (JoinResult.PENDING, JOIN_TIMEOUT_MS)], ids=["wrong", "late"]
)
def test_a_network_that_cannot_be_joined_is_named(result, after_ms):
    state = OPENED.start_joining("Home", 100_000)
    state, action = state.advance(Observation(False, join_result=result), 100_000 + after_ms)
    assert (state.phase, action) == (Phase.OPEN, Action.REOPEN)
    assert (state.network, state.has_failed) == ("Home", True)


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
