"""The page that checks pegs by a photograph. The real reader looks at a drawn board."""

import cv2
import numpy as np
import pytest

from companion.boards.catalog import load_board
from companion.plugins.peg_photos.geometry import MARGIN_MM, MARKER_MM, find_markers
from tests.browser.test_card_photos import check_looks
from tests.plugins.peg_photos.drawn_boards import View, draw_photo
from tests.plugins.peg_photos.own_boards import (
    create_own_board,
    draw_line,
    encode_photo,
    map_to_photo,
    photograph_board,
    stick_markers,
)

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


def test_check_is_offered_only_for_pegged_scores(stage, phone, monkeypatch):
    def is_offered(**changes):
        snapshot = stage.show(
            game=stage.snapshot["game"] | {"key": "six-card", "pegs": "plain", "against": None} | changes
        )
        phone.open(stage.url, snapshot)
        phone.page.locator("[data-open=menu]").click()
        return phone.page.locator(".menu-pages [href^='/check']").is_visible()

    assert [is_offered(key=key) for key in ("six-card", "pegs-only", "swap")] == [True] * 3
    assert [is_offered(key=key) for key in ("pursuit", "bases", "shuffle")] == [False] * 3
    assert not is_offered(pegs="read")
    assert not is_offered(against={"seat": 1, "level": "club"})
    stage.reads_photos = False
    assert not is_offered()


@pytest.mark.parametrize(("width", "height", "dark"), [(390, 844, False), (390, 844, True), (320, 568, False)])
def test_photograph_is_compared_with_the_score(table, phones, drawn, width, height, dark):
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


def test_unclear_colours_and_wrong_corners_are_refused(table, phones, drawn):
    phone = phones(390, 844)
    page = phone.page
    page.goto(table.url + "/check?lang=de")
    page.locator("input[type=file]").set_input_files(drawn[0])
    assert page.locator("h1").inner_text() == "Pegs prüfen"
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
    phone.wait_for_text("[data-checking] p", "Only players of this table can send photos.")
    table.reads_photos = False
    phone.page.reload()
    phone.wait_until("document.querySelector('[data-checking] p').textContent.includes('[camera]')", True)
    assert phone.page.locator("input").count() == 0


def draw_lane(page, line):
    """Draw a line over a lane as a finger does; `line` has shares of the picture."""
    canvas = page.locator(".peg-picture canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in line]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=2)
    page.mouse.up()


def test_own_board_is_drawn_and_checked(table, phones):
    own = create_own_board()
    photo = photograph_board(own, 11, tap_error_px=0)
    size = photo.picture.shape[1::-1]
    rng = np.random.default_rng(11)
    lines = [map_to_photo(own, photo, draw_line(rng, own.lane_places(lane), 0.7)) / size for lane in own.lanes]
    phone = phones(390, 844)
    page = phone.page
    page.goto(table.url + "/check")
    page.locator("[data-own]").tap()
    page.locator("[data-length]").wait_for(state="attached")
    page.locator("input[type=file]").set_input_files(
        {"name": "own.jpg", "mimeType": "image/jpeg", "buffer": encode_photo(photo)}
    )
    page.locator(".peg-picture").wait_for(state="visible")
    drag_corners(page, photo.corners / size)
    page.locator("[data-length]").fill(str(round(own.size_mm.max())))
    page.locator("[data-holes]").select_option("61")
    page.locator("[data-find]").tap()
    say = "document.querySelector('[data-say]').textContent.slice(0, 7)"
    phone.wait_until(say, "Lane 1:")
    draw_lane(page, lines[0])
    phone.wait_until(say, "Lane 2:")
    assert not page.locator("[data-keep]").is_visible()
    draw_lane(page, lines[1])
    phone.wait_until(say, "Lane 3:")
    check_looks(phone, is_dark=False)
    assert not table.own_board.exists()
    page.locator("[data-keep]").tap()
    phone.wait_until("document.querySelector('[data-board]')?.value", "own")

    assert table.own_board.read_text().count("[[track]]") == 2
    pegs = {own.lanes[0].hole_at(45): "red", own.lanes[0].hole_at(40): "red"}
    pegs |= {own.lanes[1].hole_at(21): "blue", own.lanes[1].hole_at(20): "blue"}
    photo = photograph_board(own, 12, pegs, tap_error_px=0)
    page.locator("input[type=file]").set_input_files(
        {"name": "pegs.jpg", "mimeType": "image/jpeg", "buffer": encode_photo(photo)}
    )
    page.locator(".peg-picture").wait_for(state="visible")
    drag_corners(page, photo.corners / photo.picture.shape[1::-1])
    page.locator("[data-check]").tap()
    phone.wait_until(
        SAYS,
        ["Red's front peg looks to be on 45, the score is 47.", "Blue's front peg looks to be on 21, as the score."],
    )
    assert table.posts == []  # no move


def test_printed_markers_place_the_corners(table, phones):
    own = create_own_board()
    photo = photograph_board(own, 9, tap_error_px=0)
    phone = phones(390, 844)
    page = phone.page
    page.goto(table.url + "/check")
    page.locator("input[type=file]").set_input_files(
        {"name": "board.jpg", "mimeType": "image/jpeg", "buffer": stick_markers(own, photo)}
    )

    at = "['left', 'top'].map(side => parseFloat(document.querySelector('[data-corner=\"2\"]').style[side]))"
    right = [round(float(v) * 100) for v in photo.corners[2] / photo.picture.shape[1::-1]]
    phone.wait_until(f"{at}.map(Math.round)", right)


def test_printed_markers_are_found(table, phones):
    page = phones(820, 1180).page
    page.emulate_media(media="print")
    page.goto(table.url + "/check/markers")

    sizes = [each.bounding_box() for each in page.locator(".peg-markers svg").all()]
    assert [round(each["width"] / 96 * 25.4, 1) for each in sizes] == [MARKER_MM + 2 * MARGIN_MM] * 4
    assert sizes[0]["x"] < sizes[1]["x"] == sizes[2]["x"]
    assert sizes[0]["y"] == sizes[1]["y"] < sizes[2]["y"] == sizes[3]["y"]
    shot = cv2.imdecode(np.frombuffer(page.screenshot(scale="css"), np.uint8), cv2.IMREAD_COLOR)
    picture = cv2.resize(shot, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    found = find_markers(cv2.imencode(".png", picture)[1].tobytes())
    corners = [
        (each["x"] + (n in (1, 2)) * each["width"], each["y"] + (n > 1) * each["height"])
        for n, each in enumerate(sizes)
    ]
    assert np.abs(np.array(found["corners"]) / 3 - corners).max() < 2


@pytest.mark.parametrize("width", [320, 390])
def test_the_ruler_fits_and_prints_true(stage, phones, width):
    """The sheet of markers fits a phone; on paper the line is 100 mm long, at 96 pixels to the inch."""
    page = phones(width, 844).page
    page.goto(stage.url + "/check/markers")
    ruler = page.locator("main > svg")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert ruler.bounding_box()["width"] <= width
    page.emulate_media(media="print")
    assert ruler.bounding_box()["width"] == pytest.approx(104 / 25.4 * 96, abs=0.1)
