"""The controls of the page, for players and for watchers."""

import time

import pytest

from tests.browser.scenes import scene
from tests.support.waiting import PATIENCE_S

PLAY = {
    "phase": "play", "turn": 1, "count": 25, "series": ["TH", "5H", "KH"], "starter": "JD",
    "played": [["5H"], ["TH", "KH"]],
}  # fmt: skip
QUESTION = {
    "why": "Blue pegged 6, and nothing is due.",
    "choices": [{"say": "Give Blue 6.", "move": {"type": "adjust", "seat": 1, "points": 6}},
                {"say": "Put the peg back in Blue's start.", "move": None}],
}  # fmt: skip
COLOURS = (
    """[...document.querySelectorAll('.pegs .peg')].map(el => el.getAttribute('class').match(/seat-(.)/)[1]).sort()"""
)
CONTROLS = (
    "[data-move], [data-card], [data-open]:not([data-open=history], [data-open=help], [data-open=menu]), "
    "[data-choice], [data-press], [data-cable], [data-afresh]"
)


def posted(stage, phone, count=1):
    """Wait until the page has sent a number of requests, and return them."""
    end = time.monotonic() + PATIENCE_S
    while len(stage.posts) < count and time.monotonic() < end:
        phone.page.wait_for_timeout(20)
    return stage.posts


@pytest.mark.parametrize("size", [(320, 568), (1280, 800)])
def test_a_card_tapped_is_a_card_scanned(stage, phones, size):
    phone = phones(*size)
    page = phone.open(stage.url, stage.show(**PLAY))
    if not page.locator("button[data-card=KS]").is_visible():
        page.locator("[data-open=cards]:visible").tap()
    page.locator("button[data-card=KS]").tap()
    assert posted(stage, phone) == [("moves", {"type": "card", "card": "KS"})]


def test_second_card_waits_for_first_answer(stage, phone):
    page = phone.open(stage.url, stage.show(**PLAY))
    page.evaluate("""() => { const send = fetch; window.noted = [];
        window.fetch = async (path, options) => {
            const card = path.startsWith("/api/moves") && JSON.parse(options.body).card;
            if (card) noted.push(`sent ${card}`);
            const answer = await send(path, options);
            if (card) noted.push(`answered ${card}`);
            return answer; };
        for (const card of ["KS", "2H"]) document.querySelector(`[data-card="${card}"]`).click(); }""")
    phone.wait_until("noted", ["sent KS", "answered KS", "sent 2H", "answered 2H"])


def test_open_deck_goes_while_no_card_is_awaited(stage, phone):
    page = phone.open(stage.url, stage.show(**PLAY))
    page.locator("[data-open=cards]:visible").tap()
    assert page.locator("[data-card=KS]").is_visible()
    phone.wait_for_snapshot(stage.show(phase="over", turn=None, winner=0, scores=[121, 88]))
    assert (phone.visible_texts("[data-card]"), phone.visible_texts("[data-open=cards]")) == ([], [])
    phone.wait_for_snapshot(stage.show(**PLAY))
    assert page.locator("[data-card=KS]").is_visible()


def test_next_adjust_and_misdeal(stage, phone):
    page = phone.open(stage.url, stage.show(**PLAY | {"scores": [0, 1]}))
    phone.open_menu(".corrections summary")
    phone.tap("[data-move=adjust][data-seat='1'][data-points='-1']", "[data-move=misdeal]")
    phone.wait_for_snapshot(stage.show(phase="between"))
    page.locator("[data-move=next]").tap()
    moves = [body for _, body in posted(stage, phone, 3)]
    assert moves == [{"type": "adjust", "seat": 1, "points": -1}, {"type": "misdeal"}, {"type": "next"}]


def test_a_refusal_is_shown_until_the_next_tap(stage, phone):
    page = phone.open(stage.url, stage.show(moves=1))
    stage.refusal = "There is nothing to take back."
    page.locator("[data-move=undo]").tap()
    phone.wait_for_text("[data-error]", stage.refusal)
    stage.refusal = None
    page.locator("[data-move=undo]").tap()
    phone.wait_for_text("[data-error]", "")


@pytest.mark.parametrize("opener", ["menu", "cards", "help"])
def test_a_refusal_goes_with_the_next_tap(stage, phone, opener):
    """Whatever is tapped: the message does not come back in the menu, nor when that is closed."""
    page = phone.open(stage.url, stage.show(**PLAY | {"moves": 1}))
    stage.refusal = "There is nothing left to undo."
    page.locator("[data-move=undo]").tap()
    phone.wait_for_text("[data-error]", stage.refusal)
    page.locator(f"[data-open={opener}]").tap()
    assert page.locator("[data-error]").text_content() == ""


def test_a_question_is_answered_with_one_tap(stage, phone):
    ask = {"kind": "ask", "seat": 1, "say": QUESTION["why"]}
    back = {
        "kind": "put_back", "seat": 1, "say": QUESTION["why"], "hole": "blue-6", "lift": "blue-6",
        "place": "blue-start-1",
    }  # fmt: skip
    page = phone.open(stage.url, stage.show(question=QUESTION, advice=[back, ask]))
    assert page.inner_text("main").count(QUESTION["why"]) == 1  # said once, however many advise the same
    assert phone.visible_texts("[data-kind=put_back]") == ["From 6 back to the start."]
    assert len(phone.visible_texts("[data-kind=ask]")) == 1
    page.get_by_role("button", name="Give Blue 6.").tap()
    assert posted(stage, phone) == [("moves", QUESTION["choices"][0]["move"])]
    phone.wait_for_snapshot(stage.show())
    assert phone.visible_texts(".question") == []


@pytest.mark.parametrize("path", ["/", "/bench"])
def test_watcher_sees_how_to_join(stage, phone, path):
    stage.role = "watcher"
    page = phone.open(stage.url + path, stage.show(**PLAY, question=QUESTION))
    phone.wait_until("document.querySelector('.joining').checkVisibility()", True)
    assert "open the address it prints" in phone.visible_texts(".joining")[0]
    assert [each for each in page.locator(CONTROLS).all() if each.is_visible() and each.is_enabled()] == []
    assert phone.visible_texts("[data-side='0'] [data-score]") == ["0"]


def test_clicks_on_bench_move_a_peg(stage, phones):
    phone = phones(1280, 800)
    page = phone.open(stage.url + "/bench")
    phone.wait_for_count(".pegs .peg", 4)
    page.locator("[data-hole=red-start-2]").click(force=True)
    page.locator("[data-hole=red-3]").click(force=True)
    assert posted(stage, phone, 2) == [("holes", {"lift": "red-start-2"}), ("holes", {"place": "red-3"})]
    assert page.locator(".pegs .seat-0").count() == 2


def test_pegs_keep_colours_on_another_loop(stage, phones):
    before = scene("pursuit", seats=3)
    stage.show(**before)
    stage.occupied_holes = {peg[which] for peg in before["pegs"] for which in ("front", "back")}
    phone = phones(1280, 800)
    phone.open(stage.url + "/bench")
    phone.wait_until(COLOURS, ["0", "0", "1", "1", "2", "2"])
    chased = [{"type": "adjust", "seat": seat, "points": points} for seat, points in enumerate((29, 3, 7))]
    phone.wait_for_snapshot(stage.show(**scene("pursuit", *chased, "4D TH 2S 3S", seats=3) | {"pegs": []}))
    phone.wait_until(COLOURS, ["0", "0", "1", "1", "2", "2"])
    assert phone.page.locator(".lane").count() == 1


def test_the_bench_can_be_played_from_the_keyboard(stage, phones):
    phone = phones(1280, 800)
    page = phone.open(stage.url + "/bench")
    phone.wait_for_count(".pegs .peg", 4)
    page.locator(".plank svg").focus()
    page.keyboard.press("ArrowRight")
    said = page.locator("[data-part=board] [role=status]")
    assert said.text_content() != ""
    first = said.text_content()
    page.keyboard.press("ArrowRight")
    assert said.text_content() != first
