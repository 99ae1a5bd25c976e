"""`POST /api/cards/photo`: who may ask, what is refused, and that nothing is played or kept."""

import http.client
import json
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest

from companion.http.permissions import MAX_BODY_BYTES, MAX_PHOTO_BYTES
from companion.http.wsgi.fair_queue import MAX_THREADS_PER_CLIENT
from companion.http.wsgi.limits import MAX_PHOTOS
from companion.plugins.cards import routes as card_photos
from companion.plugins.cards.routes import PHOTO_PATH
from tests.support.waiting import PATIENCE_S, wait_until

JPEG = {"Content-Type": "image/jpeg"}


@pytest.fixture
def photo():
    """Return a photograph that is larger than other bodies may be."""
    noise = np.random.default_rng(1).integers(0, 255, (300, 300, 3)).astype(np.uint8)
    data = cv2.imencode(".jpg", noise)[1].tobytes()
    assert len(data) > MAX_BODY_BYTES
    return data


def test_a_photograph_is_neither_played_nor_kept(phone, photo, monkeypatch):
    monkeypatch.setattr(tempfile, "TemporaryFile", None)
    before = phone.get("/api/state")[1]
    status, headers, body = phone.ask("POST", PHOTO_PATH, photo, JPEG)
    assert (status, json.loads(body)) == (200, {"cards": [], "unsure": []})
    assert headers["Cache-Control"] == "no-store"
    assert phone.get("/api/state")[1]["number"] == before["number"]


def test_a_webp_is_read(phone):
    """Phones save photographs so, too."""
    data = cv2.imencode(".webp", np.zeros((300, 300, 3), np.uint8))[1].tobytes()
    status, _, body = phone.ask("POST", PHOTO_PATH, data, {"Content-Type": "image/webp"})
    assert (status, json.loads(body)) == (200, {"cards": [], "unsure": []})


def test_what_is_no_photograph_is_refused(phone, photo):
    huge = bytearray(cv2.imencode(".png", np.zeros((9, 9, 3), np.uint8))[1].tobytes())
    huge[16:24] = (60_000).to_bytes(4, "big") * 2
    for code, body, kind in (
        (415, photo, "application/json"), (415, b"GIF89a", "image/jpeg"), (415, photo[:50], "image/jpeg"),
        (415, b"RIFF", "image/webp"), (415, b"\0\0\0\x18ftypheic", "image/heic"), (413, bytes(huge), "image/png"),
        (413, bytes(MAX_PHOTO_BYTES + 1), "image/jpeg"),
    ):  # fmt: skip
        status, _, answer = phone.ask("POST", PHOTO_PATH, body, {"Content-Type": kind})
        assert status == code
        assert json.loads(answer)["error"].endswith(".")
    assert phone.ask("POST", "/api/moves", bytes(MAX_BODY_BYTES + 1), JPEG)[0] == 413


@pytest.mark.parametrize("size", [(1, 1), (3, 3), (30, 2000), (1, 20_000), (20_000, 1)])
def test_a_too_small_picture_has_no_card(player, size):
    for kind in (".png", ".jpg"):
        picture = cv2.imencode(kind, np.full((*size, 3), 200, np.uint8))[1].tobytes()
        reply = player.post(PHOTO_PATH, data=picture, headers=JPEG)
        assert (reply.status_code, reply.json) == (200, {"cards": [], "unsure": []})


def test_a_watcher_may_not_ask(watcher, photo):
    assert watcher.post(PHOTO_PATH, data=photo, headers=JPEG).status_code == 403


def test_without_the_extra_the_answer_names_it(player, photo, monkeypatch):
    monkeypatch.delitem(sys.modules, "companion.plugins.cards.photo", raising=False)
    monkeypatch.setitem(sys.modules, "cv2", None)
    for name in [n for n in sys.modules if n.startswith("companion.plugins.cards.")]:
        monkeypatch.delitem(sys.modules, name)
    refusal = player.post(PHOTO_PATH, data=photo, headers=JPEG)
    assert refusal.status_code == 501
    assert "[camera]" in refusal.json["error"]


def begin_sending(serving, headers):
    """Return a connection that has begun to send a photograph."""
    line = http.client.HTTPConnection("127.0.0.1", serving.port, timeout=PATIENCE_S)
    line.putrequest("POST", PHOTO_PATH)
    for name, value in (JPEG | headers).items():
        line.putheader(name, value)
    line.endheaders(b"5\r\nbegun\r\n")
    return line


def test_watchers_cannot_take_the_places_of_photographs(phone, serving):
    lines = [begin_sending(serving, {"Transfer-Encoding": "chunked"}) for _ in range(MAX_PHOTOS + 1)]
    channels = serving._server.active_channels
    wait_until(lambda: sum(bool(c.request and c.request.headers_finished) for c in [*channels.values()]) > MAX_PHOTOS)
    assert phone.ask("POST", PHOTO_PATH, b"\xff\xd8", JPEG)[0] == 415
    for line in lines:
        line.close()


def test_photographs_delay_no_other_phone_of_an_address(phone, serving, photo, monkeypatch):
    assert MAX_PHOTOS >= MAX_THREADS_PER_CLIENT
    begun, finish = threading.Semaphore(0), threading.Event()
    read = lambda: begun.release() or (lambda data: finish.wait() and {})  # noqa: E731
    monkeypatch.setattr(card_photos, "load_photo_reader", read)
    with ThreadPoolExecutor(MAX_PHOTOS) as senders:
        answers = [senders.submit(phone.ask, "POST", PHOTO_PATH, photo, JPEG) for _ in range(MAX_PHOTOS)]
        try:
            for _ in answers:
                assert begun.acquire(timeout=PATIENCE_S)
            assert phone.get("/api/state")[0] == 200
            assert phone.post("/api/moves", {"type": "starter", "card": "5D"})[0] == 201
        finally:
            finish.set()
        assert {answer.result()[0] for answer in answers} == {200}


def test_only_some_photographs_are_received_at_once(phone, serving):
    lines = [begin_sending(serving, phone.cookie | {"Content-Length": "100000"}) for _ in range(MAX_PHOTOS)]
    wait_until(lambda: phone.ask("POST", PHOTO_PATH, b"\xff\xd8", JPEG)[0] == 503)
    for line in lines:
        line.close()
    wait_until(lambda: phone.ask("POST", PHOTO_PATH, b"\xff\xd8", JPEG)[0] == 415)
