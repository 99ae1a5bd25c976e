"""The live camera of a phone: Chromium shows a fake one, whose picture is a file that the test rewrites."""

from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.browser.conftest import Phone
from tests.browser.people import WORTH
from tests.browser.scenes import SCENES
from tests.browser.test_card_photos import CRIB, FOUR, check_looks
from tests.browser.test_controls import posted
from tests.end_to_end.test_camera_deal import CRIB as TURNED_UP
from tests.end_to_end.test_camera_deal import NEXT_STARTER, NO_BOARD, PLAY, STARTER
from tests.plugins.cards.faces import draw_face
from tests.plugins.cards.fans import draw_covered
from tests.plugins.cards.samples import draw_photo, unseen_style
from tests.plugins.cards.scenes import draw_table, lay_card
from tests.plugins.cards.spot import DECK_SEED, draw_spot, reach_over
from tests.support.chromium import launch_chromium

WIDTH, HEIGHT = 1280, 960
HANDS = (["AC", "5H", "TD", "JS", "9C", "2S"], ["9C", "2S"]), (["6H", "7D", "QS", "8C", "4D", "TH"], ["QS", "TH"])
"""What each player is dealt, and discards."""
FAN_SEED = 4
NOW = "fetch('/api/state').then(reply => reply.json())"
SAID = "document.querySelector('.card-watch [role=status]').textContent"
CARD_COUNT = f"{NOW}.then(now => [now.starter, ...now.played.flat(), ...now.crib].filter(Boolean).length)"


class FakeCamera:
    """A video file of one picture, which Chromium reads again and again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.show(np.full((HEIGHT, WIDTH, 3), 90, np.uint8))

    def show(self, picture):
        """Show this picture from now on, enlarged to the size of the camera by its own edge."""
        h, w = picture.shape[:2]
        top, left = (HEIGHT - h) // 2, (WIDTH - w) // 2
        edges = (top, HEIGHT - h - top, left, WIDTH - w - left)
        whole = cv2.copyMakeBorder(np.ascontiguousarray(picture), *edges, cv2.BORDER_REPLICATE)
        header = f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F10:1 Ip A1:1 C420jpeg\nFRAME\n".encode()
        data = header + cv2.cvtColor(whole, cv2.COLOR_RGB2YUV_I420).tobytes()
        with self.path.open("r+b" if self.path.exists() else "wb") as file:  # of the same size: it is read meanwhile
            file.write(data)


@contextmanager
def open_phone(browser, camera):
    """Give a phone with a live camera."""
    flags = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    chromium = launch_chromium(browser.browser_type, *flags, f"--use-file-for-fake-video-capture={camera.path}")
    page = chromium.new_context(has_touch=True, viewport={"width": 390, "height": 844}, color_scheme="dark").new_page()
    yield Phone(page)
    chromium.close()


@pytest.fixture
def camera(tmp_path):
    return FakeCamera(tmp_path / "camera.y4m")


@pytest.fixture
def phone(browser, camera):
    with open_phone(browser, camera) as opened:
        yield opened


class Player:
    """A player with a phone and its camera. `taps` counts those that are no card and no go."""

    def __init__(self, phone, camera, seat, dealt, away):
        self.phone, self.camera, self.seat, self.taps = phone, camera, seat, 0
        self.dealt, self.away, self.left = dealt, away, [card for card in dealt if card not in away]

    def sit(self, url):
        self.phone.open(url)
        self.phone.open_menu(".my-seat summary").locator(f"[data-sit='{self.seat}']").tap()
        self.phone.wait_for_count("[data-sit='']", 1)

    def tap(self, selector):
        self.phone.page.locator(selector).first.tap()
        self.taps += 1

    def tap_card(self, selector):
        self.phone.page.locator(selector).first.tap()

    def take_hand(self):
        """Photograph the hand in a fan, and discard two cards."""
        self.camera.show(draw_fanned(self.dealt))
        self.tap("[data-photograph]")
        self.phone.wait_for_count("[data-part=own] [data-away]", len(self.dealt))
        for card in self.away:
            self.tap_card(f"[data-part=own] [data-away='{card}']")
        self.tap("[data-away='']")
        self.phone.wait_for_count("[data-part=own] [data-own]", len(self.left))

    def play(self, count):
        """Play the first card that fits, or say go."""
        fitting = [card for card in self.left if count + WORTH[card[0]] <= 31]
        self.tap_card(f"[data-own='{fitting[0]}']" if fitting else "[data-move=go]")
        if fitting:
            self.left.remove(fitting[0])


def draw_fanned(cards):
    """Return a photograph of these cards in a fan."""
    return draw_covered(unseen_style().deck(DECK_SEED), np.random.default_rng(FAN_SEED), len(cards), WIDTH, cards)[0]


def draw_in_a_row(cards):
    """Return a picture of cards that lie side by side."""
    rng, step = np.random.default_rng(4), WIDTH // len(cards)
    scene = draw_table(rng, WIDTH, HEIGHT)
    for n, card in enumerate(cards):
        face, left = draw_face(unseen_style().deck(DECK_SEED), card), n * step + 40
        right, lower = left + step - 80, 200 + (step - 80) * face.shape[0] / face.shape[1]
        lay_card(scene, face, np.array([[left, 200], [right, 200], [right, lower], [left, lower]], float), rng)
    return scene.astype(np.uint8)


def test_a_deal_by_two_phones_takes_three_taps_of_each_besides_cards_and_goes(programs, browser, tmp_path):
    """Each player photographs the hand in a fan and discards two cards; the dealer photographs the crib."""
    url = programs(*NO_BOARD).players
    cameras = [FakeCamera(tmp_path / f"{seat}.y4m") for seat in (0, 1)]
    with open_phone(browser, cameras[0]) as first, open_phone(browser, cameras[1]) as other:
        players = [Player(first, cameras[0], 0, *HANDS[0]), Player(other, cameras[1], 1, *HANDS[1])]
        for player in players:
            player.sit(url)
        now = first.page.evaluate(NOW)
        dealer, pone = players[now["dealer"]], players[1 - now["dealer"]]
        for player in players:
            player.take_hand()
        pone.tap("[data-open=cards]")
        pone.tap_card("[data-part=deck] [data-card='KD']")
        for player in players:
            player.phone.wait_until("document.body.dataset.phase", "play")
        while (now := first.page.evaluate(NOW))["phase"] == "play":
            players[now["turn"]].play(now["count"])
            for player in players:
                player.phone.wait_until(f"Number(document.body.dataset.snapshot) > {now['number']}", True)
        crib = dealer.away + pone.away
        dealer.camera.show(draw_in_a_row(crib))
        dealer.tap("[data-photograph]")
        for player in players:
            player.phone.wait_until("document.body.dataset.phase", "between")
        now = first.page.evaluate(NOW)
        assert sorted(now["crib"]) == sorted(crib)
        assert [sorted(cards) for cards in now["played"]] == [sorted(set(p.dealt) - set(p.away)) for p in players]
        assert max(player.taps for player in players) <= 3
        assert [player.phone.complaints for player in players] == [[], []]


def test_deal_is_played_below_a_phones_camera(programs, camera, phone):
    page = phone.open(programs(*NO_BOARD).players)
    taps = 0
    camera.show(draw_spot())
    for button in ("[data-open=cards]", "[data-scan]", "[data-watch]"):  # once on this phone
        page.locator(button).first.tap()
    phone.wait_for_count("dialog[open]", 0)
    assert 0 <= page.locator(".card-watch").bounding_box()["y"] < 400
    page.context.grant_permissions(["camera"])  # as a browser remembers what the player allowed
    page.reload()  # on another evening the camera goes on without a tap
    page.locator(".card-watch").wait_for()

    for count, card in enumerate(card for card in (STARTER, *PLAY, *TURNED_UP) if card != "go"):
        if card == "9H":  # neither can play: one go is tapped, that of the other player follows from the card
            page.locator("[data-move=go]:visible").first.tap()
            taps += 1
            phone.wait_until(f"{NOW}.then(now => now.gone.length)", 1)
        camera.show(reach_over(draw_spot(card)))
        camera.show(draw_spot(card))
        phone.wait_until(CARD_COUNT, count + 1)

    phone.wait_until("document.body.dataset.phase", "between")
    assert page.evaluate(f"{NOW}.then(now => now.scores)") == [12, 5]
    camera.show(draw_spot(NEXT_STARTER))
    phone.wait_until(f"{NOW}.then(now => now.starter)", NEXT_STARTER)
    assert taps <= 3
    page.locator("[data-stop]").tap()
    phone.wait_for_count(".card-watch", 0)
    page.reload()
    phone.wait_until("document.body.dataset.role", "player")
    assert page.evaluate("localStorage.getItem('watching')") == ""
    assert page.locator(".card-watch").count() == 0
    assert phone.complaints == []


SLOW_START = """() => {
    const start = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    const isDue = new Promise((resolve) => window.startCamera = resolve);
    window.tracks = [];
    window.starts = 0;
    navigator.mediaDevices.getUserMedia = async (wanted) => {
        window.starts += 1;
        await isDue;
        const stream = await start(wanted);
        window.tracks.push(...stream.getTracks());
        return stream;
    };
}"""


def test_tap_while_the_camera_starts_does_not_start_it_again(stage, camera, phone):
    """The live picture of a whole crib opens by itself, with a button that opens it where it does not."""
    page = phone.open(stage.url, stage.show(**CRIB))
    page.evaluate(SLOW_START)
    page.locator("[data-open=cards]").tap()
    page.locator("[data-scan]").first.tap()
    page.locator("dialog[open] [data-photo=camera]").tap()
    page.evaluate("window.startCamera()")
    phone.wait_until("document.querySelector('dialog[open] video').videoWidth", WIDTH)
    assert page.evaluate("window.starts") == 1
    assert page.locator("dialog[open] video").is_visible()


def test_camera_that_starts_after_the_dialog_was_closed_is_stopped(stage, camera, phone):
    page = phone.open(stage.url, stage.show(**CRIB))
    page.evaluate(SLOW_START)
    page.locator("[data-open=cards]").tap()
    scan, video = page.locator("[data-scan]").first, page.locator("dialog[open] video")
    scan.tap()
    page.locator("dialog[open] [data-photo=camera]").wait_for()
    page.keyboard.press("Escape")
    phone.wait_for_count("dialog[open]", 0)
    page.evaluate("window.startCamera()")
    phone.wait_until("window.tracks.map((track) => track.readyState)", ["ended"])
    scan.press("Enter")
    video.wait_for()
    phone.wait_until("window.tracks.map((track) => track.readyState)", ["ended", "live"])


def test_live_picture_is_photographed_by_a_tap(stage, camera, phone):
    picture, placed = draw_photo(unseen_style(), FOUR)
    camera.show(picture)
    page = phone.page
    phone.open(stage.url, stage.show(**CRIB | {"phase": "play"}))  # where it does not open by itself
    page.locator("[data-open=cards]").tap()
    page.locator("[data-scan]").first.tap()
    assert not page.locator("[data-misread]").is_visible()
    page.locator("dialog[open] [data-photo=camera]").tap()
    phone.wait_until("document.querySelector('dialog[open] video').videoWidth", WIDTH)
    page.locator("dialog[open] [data-photo=camera]").tap()
    phone.wait_for_count(".photo-frame g.sure", 4)
    phone.wait_until("document.querySelector('dialog[open] video').srcObject", None)
    check_looks(phone, is_dark=True)

    with page.expect_download() as kept:
        page.locator("[data-misread] a").tap()
    cards = [each.card for each in sorted(placed, key=lambda each: each.corners.mean(0)[0])]
    assert kept.value.suggested_filename == f"misread-{'-'.join(cards)}.jpg"
    assert cv2.imread(str(kept.value.path())).shape == (HEIGHT, WIDTH, 3)


def test_refused_card_may_be_laid_again(stage, camera, phone):
    stage.show(**SCENES["six-card, the play"])
    stage.refusal = "That card has already been seen."
    page = phone.open(stage.url)
    page.locator("[data-open=cards]").tap()
    page.locator("[data-scan]").first.tap()
    page.locator("[data-watch]").tap()
    camera.show(draw_spot("KS"))
    phone.wait_until("document.body.innerText.includes('That card has already been seen.')", True)
    stage.refusal, stage.answers = None, [stage.snapshot]
    camera.show(draw_spot())
    phone.wait_until(SAID, "Lay each card below the camera, by itself.")
    camera.show(draw_spot("KS"))
    phone.wait_until(SAID, "king of spades")
    assert posted(stage, phone, 2) == [("moves", {"type": "card", "card": "KS"})] * 2
