"""Long names on the smallest phone: nothing overflows, and a hand stays in one row."""

import pytest

from tests.browser.scenes import SCENES

NAMES = ("Bartholomäus", "Annemarie-Luise", "Maximiliane", "Wilhelmine", "Hans")
WIDER = "document.documentElement.scrollWidth - innerWidth"
ROWS = """[...document.querySelectorAll(".hands .small-cards")].map(hand =>
    new Set([...hand.children].map(card => Math.round(card.getBoundingClientRect().top))).size)"""
OUT = """[...document.querySelectorAll("[data-score]")].filter(score => {
    const [own, plate] = [score, score.closest(".plate")].map(each => each.getBoundingClientRect());
    return own.right > plate.right || own.left < plate.left; }).length"""

OVER = """[...document.querySelectorAll("main *, header *")].filter(each =>
    each.offsetParent && !each.closest("svg, .unseen") && each.getBoundingClientRect().right > innerWidth + 1
  ).map(each => `${each.tagName}.${each.className}`)"""


def named(scene):
    return scene | {"players": [each | {"name": NAMES[each["seat"]]} for each in scene["players"]]}


@pytest.mark.parametrize("path", ["", "/tv"])
def test_scores_of_three_figures_and_the_page_keep_their_places(stage, phones, path):
    phone = phones(320, 568)
    ended = SCENES["six-card, the play"] | {"scores": [121, 120], "phase": "over", "winner": 0, "turn": None}
    phone.open(stage.url + path, stage.show(**named(ended)))
    assert phone.page.evaluate(WIDER) <= 0
    assert phone.page.evaluate(OUT) == 0


def test_of_five_players_no_score_lies_over_a_name(stage, phones):
    stage.show(**named(SCENES["pursuit of five"]))
    page = phones(320, 568).open(stage.url)
    assert (
        page.evaluate("""[...document.querySelectorAll('.plate')].filter(plate => {
        const [name, score] = ['.name', '.score'].map(each => plate.querySelector(each).getBoundingClientRect());
        return score.top < name.bottom - 1; }).length""")
        == 0
    )


def test_a_hand_of_four_is_one_row(stage, phone):
    played = [["5H", "KC", "3D", "JC"], ["TH", "6S", "4C", "7S"]]
    phone.open(stage.url, stage.show(**named(SCENES["six-card, the play"] | {"played": played, "phase": "between"})))
    assert phone.page.evaluate(ROWS) == [1, 1]


def test_luck_and_skill_scroll_by_themselves(stage, phone):
    stage.looked = {"names": NAMES[:2], "missed": [0, 0], "unknown": [], "over": True, "game": 1}
    page = phone.page
    page.goto(stage.url + "/review")
    phone.wait_for_count("main table", 1)
    assert page.evaluate(WIDER) <= 0


@pytest.mark.parametrize(
    "name",
    [
        "six-card of four",
        "counting, a window",
        "pursuit of five",
        "bases, dice thrown",
        "swap, a chip to return",
        "shuffle, swapping",
    ],
)
def test_with_letters_twice_as_large_nothing_leaves_a_phone(stage, phones, name):
    phone = phones(390, 844)
    stage.played = [{"n": 1, "by": "phone", "scores": [48, 38, 27, 95, 12], "say": [f"{NAMES[1]} played."], "move": {}}]
    page = phone.open(stage.url, stage.show(**named(SCENES[name])))
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert page.evaluate(OVER) == []
    assert page.evaluate(WIDER) <= 0
