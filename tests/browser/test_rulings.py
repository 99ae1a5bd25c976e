"""The ruling on the page: its sentence and two buttons, for players only, heard and in both languages."""

from tests.support.waiting import wait_until

RULING = {
    "rule": "8.4c",
    "side": 0,
    "say": "Red pegged too many and goes back: 3 points for Blue.",
    "moves": [{"type": "adjust", "seat": 1, "points": 3}],
}


def test_a_ruling_is_answered_with_one_tap(stage, phone):
    page = phone.open(stage.url, stage.show(ruling=RULING))
    box = page.locator("[data-part=question]")
    assert box.get_attribute("aria-live") == "polite"
    assert box.locator("h2").inner_text() == f"Rule 8.4c: {RULING['say']}"
    assert box.locator("button").all_inner_texts() == ["Accept", "Waive"]
    for number, label in enumerate(("Accept", "Waive"), 1):
        box.get_by_role("button", name=label).click()
        wait_until(lambda n=number: len(stage.posts) == n)
    assert [sent for _, sent in stage.posts] == [{"type": "rule", "accept": True}, {"type": "rule", "accept": False}]
    phone.wait_for_snapshot(stage.show(ruling=None))
    assert box.is_hidden()


def test_a_watcher_sees_the_ruling_without_buttons(stage, phone):
    stage.role = "watcher"
    page = phone.open(stage.url, stage.show(ruling=RULING))
    assert page.locator("[data-part=question] h2").is_visible()
    assert not page.locator("[data-part=question] button").first.is_visible()


def test_a_player_calls_the_judge_from_the_menu(stage, phone):
    game = stage.snapshot["game"]
    stage.show(game=game | {"options": game["options"] | {"policy": "tournament"}})
    move = {"type": "infringement", "seat": 1, "what": "crib-seen"}
    stage.calls = [{"rule": "5.2a", "say": "Blue looked at the crib too early", "move": move}]
    page = phone.open(stage.url)
    page.locator("[data-open=menu]").click()
    page.get_by_text("Corrections").click()
    page.get_by_role("button", name="Call the judge").click()
    page.locator(".judge-calls").wait_for()
    listed = page.locator(".judge-calls").bounding_box()
    abandon = page.get_by_role("button", name="Abandon this game").bounding_box()
    assert listed["y"] + listed["height"] + 8 <= abandon["y"]
    page.get_by_role("button", name="Rule 5.2a: Blue looked at the crib too early").click()
    wait_until(lambda: stage.posts)
    assert stage.posts[-1][1] == move
