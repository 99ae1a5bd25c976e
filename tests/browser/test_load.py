"""Requests of a page load: all files once, compressed; after that only the page and API answers."""

from urllib.parse import urlsplit

import pytest

from tests.browser.stage import CSP


class Net:
    """The network traffic of a page: the bytes of each answer by address, headers included."""

    def __init__(self, page):
        self._cdp = page.context.new_cdp_session(page)
        self._paths, self._kept = {}, set()
        self.bytes = {}
        self._cdp.on("Network.responseReceived", self._answered)
        self._cdp.on("Network.requestServedFromCache", lambda told: self._kept.add(told["requestId"]))
        self._cdp.on("Network.loadingFinished", self._finished)
        self._cdp.send("Network.enable")

    def _answered(self, told):
        self._paths[told["requestId"]] = urlsplit(told["response"]["url"]).path
        if told["response"]["fromDiskCache"]:
            self._kept.add(told["requestId"])

    def _finished(self, told):
        asked = told["requestId"]
        if asked in self._paths and asked not in self._kept:
            path = self._paths[asked]  # a preloaded file is finished twice, the second time with 0 bytes
            self.bytes[path] = self.bytes.get(path, 0) + int(told["encodedDataLength"])


@pytest.mark.parametrize("path", ["", "bench", "?lang=de"])
def test_a_page_is_loaded_once_and_then_asks_for_what_is_new(program, phones, path):
    phone = phones(1280, 800, new=True)
    net = Net(phone.page)
    with phone.page.expect_response(program.watchers + path) as page:
        phone.open(program.watchers + path)
    phone.page.wait_for_load_state()
    first = {name: size for name, size in net.bytes.items() if "/bench/" not in name or name.startswith("/web/")}
    assert page.value.headers["content-security-policy"] == CSP
    assert len(first) <= 12
    assert sum(first.values()) <= 60_000
    assert phone.complaints == []

    net.bytes.clear()
    phone.page.reload()
    phone.wait_until("!!document.body.dataset.snapshot", True)
    phone.page.wait_for_load_state()
    again = {name: size for name, size in net.bytes.items() if not name.startswith("/api/bench/")}
    assert set(again) <= {
        f"/{path.partition('?')[0]}",
        "/api/words/de",
        "/api/constants",
        "/api/me",
        "/api/board",
        "/api/history",
    }
    assert sum(again.values()) < 5_000


def test_the_first_question_to_a_player_in_german_is_within_the_first_load(program, phones):
    phone = phones(390, 844, new=True)
    phone.page.context.add_cookies([{"name": "companion_language", "value": "de", "url": program.watchers}])
    net = Net(phone.page)
    phone.page.goto(program.players)
    phone.wait_for_count(".first-choice [data-way]", 5)
    phone.page.wait_for_load_state()
    assert phone.visible_texts(".first-choice h2") == ["Wie wollt ihr spielen?"]
    assert len(net.bytes) <= 12
    assert sum(net.bytes.values()) <= 60_000
