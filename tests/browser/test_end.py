"""The end of a game: the winner, the race, a picture to share and the ways on."""

from pathlib import Path

import pytest

from tests.browser.scenes import SCENES

NAMES = [{"seat": 0, "side": 0, "name": "Ann"}, {"seat": 1, "side": 1, "name": "Bo"}]
OVER = SCENES["six-card, the play"] | {
    "phase": "over", "winner": 1, "turn": None, "scores": [88, 121], "skunk": "skunk", "game_points": 2,
    "players": NAMES,
}  # fmt: skip
MOVES = [{"n": n, "by": "cards", "scores": [8 * n, 11 * n], "say": [f"Move {n}."], "move": {}} for n in range(1, 12)]
CARD = "document.querySelectorAll('.game-end .race').length"


@pytest.fixture
def ended(stage, phones):
    """A phone at a table whose game is over."""

    def shown(width=390, height=844, role="player", **taste):
        stage.role, stage.played = role, MOVES
        phone = phones(width, height, **taste)
        phone.open(stage.url, stage.show(**OVER))
        phone.wait_until(CARD, 1)
        phone.wait_until("document.body.dataset.role", role)
        return phone

    return shown


def test_the_end_shows_the_winner_the_race_and_the_ways_on(ended, stage):
    phone = ended()
    assert phone.visible_texts("[data-turn]") == ["Bo wins by a skunk, worth 2 games."]
    assert phone.visible_texts(".game-end h2") == ["★ Bo\u00a0121\u00a0– Ann\u00a088"]
    assert phone.page.locator(".race-line").count() == 2
    assert phone.page.locator(".race").get_attribute("aria-label") == "The race: Ann 88, Bo 121"
    assert phone.visible_texts(".game-end .button") == ["Review this game", "Share a picture"]
    assert [text for text in phone.visible_texts(".bar .button") if text] == ["Undo", "Play again"]
    phone.wait_for_snapshot(stage.show(**SCENES["six-card, the play"] | {"moves": 99}))
    assert phone.visible_texts(".game-end") == []


def test_the_share_picture_is_loaded_at_the_tap_and_a_png(ended):
    phone = ended(role="watcher")
    page = phone.page
    loaded = "performance.getEntriesByType('resource').some(({ name }) => name.includes('share-image'))"
    assert not page.evaluate(loaded)
    with page.expect_download() as taken:
        page.locator("[data-share]").tap()
    data = Path(taken.value.path()).read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) > 8000  # an empty sheet of this size has a tenth of that
    assert page.evaluate(loaded)
    assert phone.complaints == []


@pytest.mark.parametrize("look", [(320, 568, "light"), (844, 390, "dark"), (1280, 800, "dark")], ids=str)
def test_axe_finds_nothing_at_the_end(ended, look):
    width, height, scheme = look
    phone = ended(width, height, color_scheme=scheme, reduced_motion="reduce")
    page = phone.page
    assert phone.find_faults() == []
    heights = page.locator(".game-end .choices .button").evaluate_all("all => all.map(el => el.offsetHeight)")
    assert set(heights) == {44}
    spare = page.locator(".plate .score").evaluate_all(
        "all => all.map(el => el.parentElement.getBoundingClientRect().right - el.getBoundingClientRect().right)"
    )
    assert min(spare) > 0
