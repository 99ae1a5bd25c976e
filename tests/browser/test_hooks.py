"""The hooks of the page for programs: docs/reference/page.md."""

import pytest

from tests.browser.scenes import SCENES, scene

DUE = {"seat": 0, "points": 2, "lift": "red-start-1", "place": "red-4"}
FORWARD = {"kind": "peg_forward", **DUE, "say": "Red: back peg to 4."}
OVER = {"kind": "over_pegged", "seat": 1, "by": 1, "points": 2, "hole": "blue-3", "lift": "blue-3", "place": "blue-2",
        "say": "Blue pegged 3, the count is 2 (fifteen two)."}  # fmt: skip
MID_PLAY = {
    "phase": "play", "turn": 1, "count": 15, "series": ["5H", "TH"], "starter": "JD", "played": [["TH"], ["5H"]],
    "scores": [4, 0], "dues": [DUE], "advice": [FORWARD, OVER], "moves": 3,
    "last": {"move": {"type": "play", "seat": 0, "card": "TH"}, "by": "cards",
             "awards": [{"seat": 0, "points": 2, "reason": "fifteen", "cards": ["5H", "TH"]}],
             "said": ["Red played the 10 of hearts.", "Red: fifteen two."],
             "counts": [{"seat": 0, "points": 2, "cards": ["5H", "TH"], "say": "Red: fifteen two."}]},
}  # fmt: skip
"""Red has scored in the play; its due is there, and Blue has pegged one too far."""

BY = ("cards", "board")

PLACES = "all => all.map(el => ['cx', 'cy'].map(name => el.getAttribute(name)))"


def attribute(phone, selector, name):
    return phone.page.locator(selector).get_attribute(name)


@pytest.mark.parametrize("path", ["/", "/bench"])
def test_programs_find_the_table_in_the_page(stage, phone, path):
    shown = stage.show(**MID_PLAY)
    phone.open(stage.url + path, shown)

    assert phone.page.evaluate("document.documentElement.lang") == "en"
    assert [phone.page.locator(each).count() for each in ("main", "h1")] == [1, 1]
    body = phone.page.evaluate("({...document.body.dataset})")
    assert (body["run"], body["phase"], body["link"]) == (shown["run"], "play", "live")
    assert phone.page.locator("[data-side]").evaluate_all("all => all.map(el => el.dataset.side)") == ["0", "1"]
    assert phone.page.locator("[data-side] [data-score]").all_text_contents() == ["4", "0"]
    assert attribute(phone, "[data-turn]", "data-turn") == "1"
    assert attribute(phone, "[data-turn]", "role") == "status"
    assert phone.visible_texts("[data-turn]") == ["Blue to play."]
    assert phone.visible_texts("[data-count]") == ["15"]
    assert attribute(phone, "[data-due]", "data-seat") == "0"
    assert attribute(phone, "[data-due]", "data-points") == "2"
    kinds = phone.page.locator("[data-advice]").evaluate_all("all => all.map(el => el.dataset.kind)")
    assert sorted(kinds) == ["over_pegged", "peg_forward"]
    assert attribute(phone, "[data-device=cards]", "data-ok") == "true"
    assert phone.page.locator("[role=alert][data-error]").count() == 1
    assert phone.complaints == []


def test_score_and_turn_fit_the_smallest_phone(stage, phones):
    five = [{"seat": seat, "side": seat, "name": name} for seat, name in enumerate(("Red", "Blue", "Green"))]
    game = {**stage.snapshot["game"], "seats": 3, "sides": 3}
    stage.show(**MID_PLAY | {"players": five, "game": game, "scores": [121, 104, 98], "played": [[], [], []]})
    phone = phones()
    phone.open(stage.url)
    for selector in ("[data-side='0'] [data-score]", "[data-side='2'] [data-score]", "[data-turn]", "[data-count]"):
        box = phone.page.locator(selector).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 320
        assert box["y"] + box["height"] <= 568


def test_page_draws_newer_snapshots_and_other_runs(stage, phone):
    phone.open(stage.url)
    stage.show(number=9, scores=[9, 0])
    phone.wait_until("document.body.dataset.snapshot", "9")
    stage.show(number=3, scores=[3, 0])  # late, and of the same run
    stage.show(number=10, scores=[10, 0])
    phone.wait_until("document.body.dataset.snapshot", "10")
    assert phone.visible_texts("[data-side='0'] [data-score]") == ["10"]
    stage.show(number=2, run="another", scores=[2, 0])
    phone.wait_until("document.body.dataset.run", "another")
    assert phone.visible_texts("[data-side='0'] [data-score]") == ["2"]


def test_last_count_is_said_with_its_cards(stage, phone):
    phone.open(stage.url, stage.show(**MID_PLAY))
    assert phone.visible_texts(".count-line p, .count-line .gain") == ["Red: fifteen two.", "+2"]
    cards = phone.page.locator(".count-line .card").evaluate_all("all => all.map(el => el.getAttribute('aria-label'))")
    assert cards == ["5 of hearts", "10 of hearts"]


def test_the_view_turns_to_a_seat(stage, phone):
    phone.open(f"{stage.url}/?seat=1")
    phone.wait_until("document.querySelector('.turning')?.getAttribute('transform').split('(')[1].split(' ')[0]", "270")
    assert phone.visible_texts("[data-side='1'] .marks") == ["you"]


def test_refused_card_is_news_that_goes_away(stage, phones):
    phone = phones(new=True)
    phone.page.clock.install()
    stage.show(
        notices=[
            {
                "id": 1,
                "kind": "refused",
                "from": "cards",
                "say": "The reader sent ZZ, which is not a card of this deck.",
            }
        ]
    )
    phone.open(stage.url)
    assert len(phone.visible_texts("[data-notice]")) == 1
    phone.page.clock.run_for(16_000)
    assert phone.visible_texts("[data-notice]") == []


def test_pegs_of_finished_loop_are_seen(stage, phone):
    lying = [("roof-33", 1, "take_off"), ("square-54", 2, "set_up")]
    advice = [{"kind": kind, "seat": seat, "say": "Off.", "lift": hole} for hole, seat, kind in lying]
    phone.open(stage.url, stage.show(**SCENES["pursuit, a knock-out"] | {"pegs": [], "advice": advice}))
    phone.wait_for_count(".board .peg.seat-1, .board .peg.seat-2", 2)


def test_no_two_numbers_of_board_overlap(stage, phone):
    phone.open(stage.url, stage.show(**scene("pursuit", seats=3)))
    phone.wait_until("document.querySelectorAll('.board .number').length > 0", True)
    near = """() => { const all = [...document.querySelectorAll('.board .number')];
      return all.flatMap((a, i) => all.slice(i + 1).filter((b) => Math.hypot(a.getAttribute('x') - b.getAttribute('x'),
        a.getAttribute('y') - b.getAttribute('y')) < 2 * parseFloat(a.getAttribute('font-size')))).length; }"""
    assert phone.page.evaluate(near) == 0


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_loop_is_drawn_alone_with_visible_holes(stage, phone, seats):
    phone.open(stage.url, stage.show(**scene("pursuit", seats=seats)))
    holes = 30 * seats + 2 * seats
    phone.wait_for_count(".board .hole", holes)
    covered = """() => { const at = (el, names) => names.map((name) => Number(el.getAttribute(name)));
      const holes = [...document.querySelectorAll('.board .hole')].map((el) => at(el, ['cx', 'cy', 'r']));
      return [...document.querySelectorAll('.board .number')].filter((el) => {
        const [x, y, size] = at(el, ['x', 'y', 'font-size']);
        return holes.some(([cx, cy, r]) => Math.hypot(cx - x, cy - y) < size + r); }).map((el) => el.textContent); }"""
    assert phone.page.evaluate(covered) == []


def test_inning_stands_beside_the_diamond(stage, phone):
    page = phone.open(stage.url, stage.show(**SCENES["bases, a runner who may steal"]))
    field, facts = (page.locator(each).bounding_box() for each in (".field", ".facts"))
    assert facts["x"] >= field["x"] + field["width"]
    assert "This hand: Red\u00a020, Blue\u00a06" in page.locator(".facts").text_content()


def test_the_history_uses_the_tables_sentences_newest_first(stage, phone):
    said = [("The 5 of diamonds was cut.",), ("Red played the 10 of hearts.", "Red: fifteen two.")]
    stage.played = [
        {"n": n, "by": by, "scores": [2 * n, 0], "say": say} for n, by, say in zip((1, 4), BY, said, strict=True)
    ]
    phone.open(stage.url, stage.show(moves=4))
    phone.open_history()
    phone.wait_for_count("[data-history]", 2)
    lines = [" ".join(line.split()) for line in phone.visible_texts("[data-history]")]
    assert lines == [
        "Red played the 10 of hearts. by peg 8 – 0 Red: fifteen two.",
        "The 5 of diamonds was cut. by card 2 – 0",
    ]
    assert phone.page.locator("[data-history]").evaluate_all("all => all.map(el => el.dataset.n)") == ["4", "1"]


def test_who_plays_alone_chooses_no_seat(stage, phone):
    phone.open(stage.url)
    phone.open_menu()
    phone.page.locator("[data-part=seats]").wait_for()
    assert " ".join(phone.visible_texts("[data-part=seats]")[0].split()) == "Board seen from automatic Red Blue"
    phone.wait_for_snapshot(stage.show(**SCENES["shuffle, swapping"]))
    assert phone.visible_texts("[data-part=seats]") == []


def test_holes_of_a_question_are_lit(stage, phone):
    choices = [{"say": "Put the pegs back.", "move": None}]
    page = phone.open(
        stage.url,
        stage.show(question={"why": "Whose is it?", "seat": 1, "holes": ["blue-6", "red-7"], "choices": choices}),
    )
    phone.wait_for_count("[data-sign=asked] .ring", 2)
    rings = page.locator("[data-sign=asked] .ring").evaluate_all(PLACES)
    assert sorted(rings) == sorted(page.locator("[data-hole='blue-6'], [data-hole='red-7']").evaluate_all(PLACES))
    phone.wait_for_snapshot(stage.show(question=None))
    assert page.locator("[data-sign=asked]").count() == 0
