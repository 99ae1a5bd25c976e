"""Corrections: a misread card, an earlier move, a score, and the ruling of a tournament."""

from tests.browser.conftest import SMALL
from tests.browser.scenes import SCENES
from tests.browser.test_controls import posted
from tests.support.waiting import wait_until

PLAY = SCENES["six-card, the play"]


def made(n, say, **more):
    return {"n": n, "ms": 1764000000000 + n, "by": "cards", "move": {"type": "play", "seat": 0, "card": "5H"},
            "awards": [], "scores": [n, 0], "say": [say], **more}  # fmt: skip


def test_misread_card_is_corrected_by_two_taps(stage, phone):
    page = phone.open(stage.url, stage.show(**PLAY))
    page.locator("[data-correct='5H']").tap()
    phone.wait_for_text("dialog[open] h2", "The 5 of hearts was really …")
    assert page.locator("dialog[open] [data-card='TH']").is_disabled()  # it has been seen too
    stage.refusal = "Blue's 10 of hearts would then not have fitted."
    page.locator("dialog[open] [data-card='6H']").tap()
    phone.wait_for_text("dialog[open] [role=alert]", stage.refusal)
    stage.refusal = None
    page.locator("dialog[open] [data-card='6D']").tap()
    phone.wait_for_count("dialog[open]", 0)
    assert [sent for _, sent in stage.posts] == [{"type": "correct", "card": "5H", "to": to} for to in ("6H", "6D")]


def test_each_card_can_be_corrected_once(stage, phones):
    for name in ("six-card, the play", "counting, a hand", "five-card, a hand to show", "pursuit of two"):
        phone = phones()
        page = phone.open(stage.url, stage.show(**SCENES[name]))
        phone.wait_until("document.querySelectorAll('[data-correct]').length > 0", True)
        cards = page.locator("[data-correct]").evaluate_all("all => all.map(el => el.dataset.correct)")
        hands = SCENES[name].get("hands") or SCENES[name]["played"]
        shown = [hand or SCENES[name]["played"][seat] for seat, hand in enumerate(hands)]
        assert sorted(cards) == sorted([SCENES[name]["starter"], *(card for hand in shown for card in hand)])
        assert page.evaluate(SMALL) == []


def test_going_back_shows_first_what_it_undoes(stage, phone):
    stage.played = [made(1, "The 5 of diamonds was cut."), made(4, "Red played the 2."), made(5, "Blue played the 3.")]
    page = phone.open(stage.url, stage.show(**PLAY))
    phone.open_history()
    page.locator("[data-history][data-n='1']").tap()
    phone.wait_for_count("[data-part=back][open]", 1)
    assert phone.visible_texts("dialog[open] .undone-moves li") == ["Blue played the 3.", "Red played the 2."]
    assert stage.posts == []
    assert phone.visible_texts("[data-back]") == ["Undo 2 moves"]
    assert phone.find_faults(but_small=False) == []


def test_going_back_takes_the_answers_of_the_companion_along(stage, phone):
    """A go without a choice is one of them: it would be said again."""
    moves = [("play", 0), ("play", 1), ("go", 0), ("play", 1)]
    stage.played = [made(1, "The 5 of diamonds was cut.")]
    stage.played += [
        made(n, f"Move {n}.", move={"type": kind, "seat": seat}) for n, (kind, seat) in enumerate(moves, 2)
    ]
    game = stage.snapshot["game"] | {"against": {"seat": 1, "level": "club"}}
    page = phone.open(stage.url, stage.show(**PLAY | {"game": game}))
    phone.open_history()
    page.locator("[data-history][data-n='3']").tap()
    phone.wait_for_count("[data-part=back][open]", 1)
    assert phone.visible_texts("[data-back]") == ["Undo 4 moves"]


def test_going_back_stops_at_another_players_move(stage, phone):
    stage.played = [made(1, "The 5 of diamonds was cut."), made(4, "Red played the 2."), made(5, "Blue played the 3.")]
    page = phone.open(stage.url, stage.show(**PLAY))
    phone.open_history()
    page.locator("[data-history][data-n='1']").tap()
    stage.answers = [stage.snapshot | {"moves": stage.snapshot["moves"] + 1, "number": 90},
                     stage.snapshot | {"moves": stage.snapshot["moves"] + 3, "number": 91}]  # fmt: skip
    page.locator("[data-back]").tap()
    phone.wait_until("document.querySelector('[data-part=back] [role=alert]').textContent.includes('meanwhile')", True)
    assert posted(stage, phone, 2) == [("moves", {"type": "undo"})] * 2


def test_going_back_undoes_companions_answers(stage, phone):
    answer = {"type": "play", "seat": 1, "card": "3S"}
    stage.played = [
        made(1, "The 5 of diamonds was cut.", move={"type": "starter", "card": "5D"}),
        made(4, "Red played the 2."), made(5, "Blue played the 3.", move=answer), made(6, "Red played the 9."),
    ]  # fmt: skip
    page = phone.open(
        stage.url, stage.show(**PLAY | {"game": PLAY["game"] | {"against": {"seat": 1, "level": "club"}}})
    )
    phone.open_history()
    page.locator("[data-history][data-n='4']").tap()
    phone.wait_for_count("[data-part=back][open]", 1)
    assert phone.visible_texts("[data-back]") == ["Undo 3 moves"]
    before = stage.snapshot["moves"]
    stage.answers = [
        stage.snapshot | {"moves": before + 1, "number": 90},
        stage.snapshot | {"moves": before + 3, "number": 91},
    ]
    page.locator("[data-back]").tap()
    phone.wait_for_count("dialog[open] [data-back]", 0)
    assert posted(stage, phone, 2) == [("moves", {"type": "undo"})] * 2


def test_newest_and_watchers_lines_are_no_buttons(stage, phones):
    stage.played = [made(1, "The 5 of diamonds was cut."), made(4, "Red played the 2.")]
    phone = phones()
    page = phone.open(stage.url, stage.show(**PLAY))
    phone.open_history()
    phone.wait_for_count("[data-history] button", 1)
    assert page.locator("[data-n='4'] button").count() == 0
    stage.role = "watcher"
    page.reload()
    phone.wait_until("document.body.dataset.role", "watcher")
    phone.open_history()
    phone.wait_for_count("[data-history]", 2)
    assert page.locator("[data-history] button, [data-correct]").count() == 0


def test_adjustment_that_ends_the_game_asks_once(stage, phone):
    page = phone.open(stage.url, stage.show(**PLAY | {"scores": [2, 118]}))
    phone.open_menu(".corrections summary")

    def step(seat, points):
        return page.locator(f"[data-move=adjust][data-seat='{seat}'][data-points='{points}']")

    assert step(0, -5).is_disabled()
    assert step(0, -1).is_enabled()
    step(1, 5).tap()
    phone.wait_for_count(".confirm-note", 1)
    assert stage.posts == []
    step(1, 5).tap()
    assert posted(stage, phone) == [("moves", {"type": "adjust", "seat": 1, "points": 5})]


def test_a_correction_is_seen_beside_its_buttons(stage, phone):
    phone.open(stage.url, stage.show(**PLAY | {"moves": 4, "scores": [10, 8]}))
    phone.open_menu(".corrections summary")
    assert phone.visible_texts("[data-corrected]") == ["10", "8"]
    places = "[...document.querySelectorAll('[data-move=adjust]')].map(key => key.getBoundingClientRect().top).join()"
    before = phone.page.evaluate(places)
    for n, score in ((5, 9), (6, 8)):
        adjusted = {
            "move": {"type": "adjust", "seat": 0, "points": -1}, "by": "phone", "awards": [], "said": [], "counts": [],
        }  # fmt: skip
        phone.wait_for_snapshot(stage.show(**PLAY | {"moves": n, "scores": [score, 8], "last": adjusted}))
    assert phone.visible_texts("[data-corrected]") == ["10 → 8, saved", "8"]
    assert phone.page.evaluate(places) == before
    phone.wait_for_snapshot(
        stage.show(**PLAY | {"moves": 7, "scores": [9, 8], "last": adjusted | {"move": {"type": "undo"}}})
    )
    assert phone.visible_texts("[data-corrected]") == ["9", "8"]


RULING = {
    "rule": "8.4c", "side": 0, "say": "Red pegged too many and goes back: 3 points for Blue.",
    "moves": [{"type": "adjust", "seat": 1, "points": 3}],
}  # fmt: skip


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
