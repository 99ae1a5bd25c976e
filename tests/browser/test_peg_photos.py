"""The page that checks pegs by a photograph. The real reader looks at a drawn board."""

import cv2
import numpy as np
import pytest

from companion.boards.catalog import load_board
from companion.server.routes.constants import build_constants
from tests.browser.test_card_photos import check_looks
from tests.peg_photos.drawn_boards import View, draw_photo

pytestmark = pytest.mark.browser

SAYS = "[...document.querySelectorAll('.peg-results li')].map(each => each.textContent)"


@pytest.fixture(scope="module")
def drawn():
    """Return a photograph as a file to choose, and its corners as shares of the picture."""
    board = load_board("classic-61")
    pegs = {"red-45": "red", "red-40": "red", "blue-21": "blue", "blue-20": "blue"}
    view = View(distance_mm=700, tilt=3, turn=2, tap_error_px=0)
    photo = draw_photo(
        np.random.default_rng(2), board, {board.by_id[hole].bit: tint for hole, tint in pegs.items()}, view
    )
    data = cv2.imencode(".jpg", photo.picture[..., ::-1])[1].tobytes()
    file = {"name": "board.jpg", "mimeType": "image/jpeg", "buffer": data}
    return file, photo.corners / photo.picture.shape[1::-1]


@pytest.fixture
def table(stage):
    """Show a game in which red has 47 points and blue 21."""
    game = stage.snapshot["game"] | {"target": 61}
    players = [
        {"seat": 0, "side": 0, "name": "Red", "colour": "red"},
        {"seat": 1, "side": 1, "name": "Blue", "colour": "blue"},
    ]
    stage.show(board="classic-61", game=game, scores=[47, 21], players=players)
    return stage


def drag_corners(page, corners):
    """Drag each number to its corner, as a finger does."""
    canvas = page.locator(".peg-picture canvas").first
    for n, (x, y) in enumerate(corners):
        canvas.scroll_into_view_if_needed()
        box, ring = canvas.bounding_box(), page.locator(f"[data-corner='{n}']").bounding_box()
        page.mouse.move(ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"], steps=3)
        assert page.locator(".peg-loupe").is_visible()
        page.mouse.up()
        assert not page.locator(".peg-loupe").is_visible()


def test_the_check_is_offered_only_where_pegs_are_moved_by_hand_and_stand_for_the_scores(stage, phone, monkeypatch):
    def is_offered(**changes):
        snapshot = stage.show(
            game=stage.snapshot["game"] | {"key": "six-card", "pegs": "plain", "against": None} | changes
        )
        phone.open(stage.url)
        phone.wait_for_snapshot(snapshot)
        phone.page.locator("[data-open=menu]").click()
        return phone.page.locator(".menu-pages [href^='/check']").is_visible()

    assert [is_offered(key=key) for key in ("six-card", "pegs-only", "swap")] == [True] * 3
    assert [is_offered(key=key) for key in ("pursuit", "bases", "shuffle")] == [False] * 3
    assert not is_offered(pegs="read")
    assert not is_offered(against={"seat": 1, "level": "club"})
    monkeypatch.setitem(build_constants(), "reads_photos", False)
    assert not is_offered()


@pytest.mark.parametrize(("width", "height", "dark"), [(390, 844, False), (390, 844, True), (320, 568, False)])
def test_a_photograph_with_four_corners_is_compared_with_the_score(table, phones, drawn, width, height, dark):
    file, corners = drawn
    phone = phones(width, height)
    page = phone.page
    page.emulate_media(color_scheme="dark" if dark else "light")
    page.goto(table.url + "/check")
    page.locator("input[type=file]").set_input_files(file)
    page.locator(".peg-picture").wait_for(state="visible")
    drag_corners(page, corners)
    page.locator("[data-check]").tap()
    phone.wait_until(
        SAYS,
        ["Red's front peg looks to be on 45, the score is 47.", "Blue's front peg looks to be on 21, as the score."],
    )

    assert page.locator(".peg-found").count() == 4
    assert page.evaluate("[...document.querySelectorAll('.peg-results li')].map(each => each.dataset.differs)") == [
        "true",
        "false",
    ]
    assert "Experimental" in page.locator("main").inner_text()
    check_looks(phone, is_dark=dark)
    assert table.posts == []  # no move
    page.locator("[data-corner='0']").press("ArrowLeft")
    assert page.locator(".peg-results").count() == 0  # it was said of other corners


def test_colours_that_cannot_be_told_and_wrong_corners_are_refused(table, phones, drawn):
    phone = phones(390, 844)
    page = phone.page
    page.goto(table.url + "/check?lang=de")
    page.locator("input[type=file]").set_input_files(drawn[0])
    assert page.locator("h1").inner_text() == "Stecker prüfen"
    error = "document.querySelector('[role=alert]').textContent"
    page.locator("[data-check]").tap()
    phone.wait_until(error, "The holes do not fit the board of this game. Tap the corners of the wood exactly.")
    page.locator("[data-colour='1']").select_option("wood")
    page.locator("[data-check]").tap()
    phone.wait_until(f"{error}.slice(0, 28)", "Black, wooden and brass pegs")
    page.locator("input[type=file]").set_input_files({"name": "no.jpg", "mimeType": "image/jpeg", "buffer": b"no"})
    phone.wait_until(f"{error}.length > 20 && document.querySelector('form').hidden", True)


def test_who_cannot_send_photographs_is_told_why(table, phones, monkeypatch):
    phone = phones(390, 844)
    table.role = "watcher"
    phone.page.goto(table.url + "/check")
    phone.wait_until(
        "document.querySelector('[data-checking] p').textContent", "Only players of this table can send photos."
    )
    monkeypatch.setitem(build_constants(), "reads_photos", False)
    phone.page.reload()
    phone.wait_until("document.querySelector('[data-checking] p').textContent.includes('[camera]')", True)
    assert phone.page.locator("input").count() == 0
