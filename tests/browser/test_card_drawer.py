"""The card drawer of a phone: ranks line up, counts and claims stay in sight, and the bar keeps its places."""

import pytest

from tests.browser.scenes import SCENES, scene
from tests.browser.test_controls import PLAY

pytestmark = pytest.mark.browser

KEYS = """Object.fromEntries([...document.querySelectorAll('#pad [data-card]')].map(key => {
    const box = key.getBoundingClientRect();
    return [key.dataset.card, [Math.round(box.x), Math.round(box.y), box.width, box.height]]; }))"""
PLACES = """[...document.querySelectorAll('.bar button')].filter(el => el.checkVisibility())
    .map(el => [el.dataset.move ?? el.dataset.open, Math.round(el.getBoundingClientRect().x)])"""
FREE = """selector => [...document.querySelectorAll(selector)].filter(el => el.checkVisibility()).map(el => {
    const box = el.getBoundingClientRect();
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return at !== null && (at === el || el.contains(at)); })"""


@pytest.mark.parametrize("size", [(320, 568), (375, 667), (390, 844), (640, 900), (1280, 800)], ids=str)
def test_suits_and_ranks_line_up_without_a_scroll_of_their_own(stage, phones, size):
    stage.show(**PLAY)
    phone = phones(*size)
    page = phone.open(stage.url)
    if page.locator("[data-open=cards]").is_visible():
        page.locator("[data-open=cards]").tap()
    keys = page.evaluate(KEYS)
    for rank in "A23456789TJQK":
        assert len({keys[rank + suit][0] for suit in "SHCD"}) == 1, rank
    for suit in "SHCD":
        rows = [keys[rank + suit][1] for rank in "A23456789TJQK"]
        assert sorted(set(rows)) == list(dict.fromkeys(rows))
        assert len(set(rows)) <= 2
    assert min(min(width, height) for *_, width, height in keys.values()) >= 43.99
    assert page.evaluate("document.querySelector('#pad').scrollHeight <= document.querySelector('#pad').clientHeight")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    if size[0] < 700:
        assert set(page.evaluate(FREE, "#pad [data-card]")) == {True}


@pytest.mark.parametrize("size", [(375, 667), (390, 844)], ids=str)
def test_the_open_drawer_hides_neither_counts_nor_claims_nor_a_lost_table(stage, phones, size):
    stage.show(**SCENES["counting, a claim in the play"])
    phone = phones(*size)
    page = phone.open(stage.url)
    page.locator("[data-open=cards]").tap()
    assert set(page.evaluate(FREE, "[data-turn], [data-score], [data-who=claim]")) == {True}
    assert page.evaluate(FREE, ".claiming .numbers .key")[:7] == [True] * 7
    phone.draws(stage.show(**scene("six-card", "5D TH 5H")))
    assert page.evaluate(FREE, ".last-count .gain, .last-count p") == [True, True]
    stage.close()
    phone.until("document.body.dataset.link", "lost")
    assert page.evaluate(FREE, "[data-part=link]") == [True]
    assert phone.shown("[data-part=link]") == ["no answer from the table, trying again"]


def test_the_bar_keeps_its_places_and_has_one_primary_action(stage, phones):
    phone = phones(390, 844)
    page = phone.open(stage.url)
    places, primary = {}, []
    moments = [PLAY | {"count": 5}, PLAY | {"count": 25}, PLAY | {"phase": "between"}]
    for moment in [*moments, {"phase": "over", "winner": 0, "turn": None, "scores": [121, 80]}]:
        phone.draws(stage.show(**moment))
        for name, x in page.evaluate(PLACES):
            places.setdefault(name, set()).add(x)
        colours = page.locator(".bar button:visible").evaluate_all(
            "all => all.map(el => getComputedStyle(el).backgroundColor)"
        )
        primary.append(sum(each == "rgb(122, 74, 28)" for each in colours))
    assert {name: len(xs) for name, xs in places.items()} == {"undo": 1, "cards": 1, "go": 1, "next": 1}
    assert places["go"] == places["next"]
    assert primary == [1, 1, 1, 1]


def test_only_one_button_is_called_new_game_at_the_end(stage, phone):
    stage.show(phase="over", winner=0, turn=None, scores=[121, 80])
    phone.open(stage.url)
    phone.until("document.body.dataset.role", "player")
    assert phone.shown("[data-move=next]") == ["Play again"]
    assert phone.shown("[data-open='new-game']") == ["New game"]
