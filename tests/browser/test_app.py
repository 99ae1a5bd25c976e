"""The page as an app: what it loads, when it reconnects, its role, its preferences, and texts that are no elements."""

import json
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browser.scenes import SCENES
from tests.browser.stage import CSP

WEB = Path(__file__).parents[2] / "web"


def test_the_manifest_names_icons_that_are_there(stage, phone):
    phone.open(stage.url)
    told = json.loads((WEB / "app.webmanifest").read_text("utf-8"))
    assert phone.page.locator("link[rel=manifest]").get_attribute("href").endswith("/app.webmanifest")
    assert {icon["sizes"] for icon in told["icons"]} >= {"192x192", "512x512"}
    assert all((WEB / icon["src"]).is_file() for icon in told["icons"])


def test_page_opens_without_table_and_comes_back(stage, phones):
    phone = phones(new=True)
    page = phone.open(stage.url)
    phone.wait_until("navigator.serviceWorker.ready.then(() => !!navigator.serviceWorker.controller)", True)
    page.reload()  # by now through the worker, which keeps the page
    phone.wait_until("caches.open('pages').then(kept => kept.match('/')).then(found => !!found)", True)
    port = stage.port
    stage.close()
    page.reload()
    phone.wait_for_text(".link", "no answer from the table, trying again")
    stage.open(port)
    phone.wait_for_text(".link", "connected again")
    phone.wait_until("document.body.dataset.link", "live")
    phone.wait_for_text(".link", "live")


def test_phone_vibrates_at_its_turn(stage, phone):
    play = {"phase": "play", "starter": "5D", "count": 3}
    page = phone.open(stage.url + "/?seat=1", stage.show(**play, turn=0))
    page.evaluate("window.felt = []; navigator.vibrate = ms => (felt.push(ms), true); null")
    page.locator("h1").tap()
    for turn in (1, 1, 0, 1):
        phone.wait_for_snapshot(stage.show(**play, turn=turn))
    assert len(page.evaluate("felt")) == 2


class Net:
    """The network traffic of a page: the bytes of each answer by address, headers included.

    `by_worker` are those that the service worker handed on, at their full size: it may have had a 304 for them.
    """

    def __init__(self, page):
        self._cdp = page.context.new_cdp_session(page)
        self._paths, self._kept = {}, set()
        self.bytes, self.by_worker = Counter(), Counter()
        self._cdp.on("Network.responseReceived", self._answered)
        self._cdp.on("Network.requestServedFromCache", lambda told: self._kept.add(told["requestId"]))
        self._cdp.on("Network.loadingFinished", self._finished)
        self._cdp.send("Network.enable")

    def _answered(self, told):
        path = urlsplit(told["response"]["url"]).path
        self._paths[told["requestId"]] = path
        if told["response"]["fromDiskCache"]:
            self._kept.add(told["requestId"])
        elif told["response"]["fromServiceWorker"]:
            self.by_worker[path] += int(told["response"]["encodedDataLength"])

    def _finished(self, told):
        asked = told["requestId"]
        if asked in self._paths and asked not in self._kept:
            path = self._paths[asked]  # a preloaded file is finished twice, the second time with 0 bytes
            self.bytes[path] += int(told["encodedDataLength"])

    def first_load(self):
        return self.bytes + self.by_worker


@pytest.mark.parametrize("path", ["", "bench", "?lang=de"])
def test_page_loads_once_then_asks_for_news(program, phones, path):
    phone = phones(1280, 800, new=True)
    net = Net(phone.page)
    with phone.page.expect_response(program.watchers + path) as page:
        phone.open(program.watchers + path)
    phone.page.wait_for_load_state()
    first = {name: size for name, size in net.first_load().items() if "/bench/" not in name or name.startswith("/web/")}
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


def test_first_question_in_german_is_in_first_load(program, phones):
    phone = phones(390, 844, new=True)
    phone.page.context.add_cookies([{"name": "companion_language", "value": "de", "url": program.watchers}])
    net = Net(phone.page)
    phone.page.goto(program.players)
    phone.wait_for_count(".first-choice [data-way]", 5)
    phone.page.wait_for_load_state()
    assert phone.visible_texts(".first-choice h2") == ["Wie wollt ihr spielen?"]
    assert len(net.first_load()) <= 12
    assert sum(net.first_load().values()) <= 60_000


LINK = "document.body.dataset.link"
ASKED_MS = """performance.getEntriesByType("resource").filter(each => each.name.endsWith("/api/state"))
    .map(each => each.startTime)"""


def test_end_and_return_of_program_are_seen(stage, phone):
    phone.open(stage.url)
    port = stage.port
    stage.close()
    phone.wait_until(f"{LINK} !== 'live'", True)
    stage.show(run="another", number=1, scores=[7, 0])
    stage.open(port)
    phone.wait_until(LINK, "live")
    assert phone.visible_texts("[data-side='0'] [data-score]") == ["7"]
    assert phone.page.evaluate("document.body.dataset.role") == "player"


def test_without_a_free_stream_the_page_polls(stage, phone):
    stage.full = True
    phone.page.goto(stage.url)
    phone.wait_until(LINK, "polling")
    shown = stage.show(scores=[5, 0])
    phone.wait_until("document.body.dataset.snapshot", str(shown["number"]))
    stage.full = False
    phone.wait_until(LINK, "live")


def test_while_it_asks_it_asks_every_two_seconds(stage, phones):
    phone = phones(new=True)
    stage.full = True
    phone.page.goto(stage.url)
    phone.wait_until(LINK, "polling")
    phone.wait_until(f"{ASKED_MS}.length > 5", True)
    first, *_, sixth = phone.page.evaluate(ASKED_MS)[:6]
    assert sixth - first > 5500  # timers of a busy machine are late, never early


def test_a_refused_player_learns_that_he_only_watches(stage, phone):
    page = phone.open(stage.url, stage.show(moves=1))
    stage.role, stage.refusal, stage.refused = "watcher", "Only players may move.", 403
    page.locator("[data-move=undo]").tap()
    phone.wait_until("document.body.dataset.role", "watcher")


def test_phone_without_role_asks_again(stage, phones):
    phone = phones(new=True)
    failed = []
    answer = lambda route: route.continue_() if failed else failed.append(route.abort())  # noqa: E731
    phone.page.route("**/api/me", answer)
    phone.page.goto(stage.url)
    phone.wait_until("document.body.dataset.role", "player")


def test_page_without_constants_asks_again(stage, phones):
    phone = phones(new=True)
    refused = []
    answer = lambda route: route.continue_() if refused else refused.append(route.fulfill(status=503))  # noqa: E731
    phone.page.add_init_script("delete Navigator.prototype.serviceWorker")  # whose requests have no route
    phone.page.route("**/api/constants", answer)
    phone.open(stage.url, stage.show(scores=[5, 0]))
    assert (len(refused), phone.visible_texts("[data-side='0'] [data-score]")) == (1, ["5"])


SUMMARY = ".phones summary"


def test_a_player_ends_another_phone_with_two_taps(program, phones):
    ann, bob = phones(390, 844, new=True), phones(390, 844, new=True)
    ann.open(program.players)
    bob.open(program.players)
    ann.open_menu(SUMMARY)
    ann.wait_until("document.querySelectorAll('.phones li').length >= 2", True)
    (button,) = ann.page.locator(".phones li:not(:has-text('this one')) button").all()[:1]
    button.tap()
    ann.wait_for_count(".phones [aria-pressed=true]", 1)
    assert bob.page.evaluate("fetch('/api/me').then(reply => reply.json()).then(me => me.role)") == "player"
    ann.page.locator(".phones [aria-pressed=true]").tap()
    bob.wait_until("fetch('/api/me').then(reply => reply.json()).then(me => me.role)", "watcher")
    assert ann.page.evaluate("document.body.dataset.role") == "player"
    bob.wait_until("document.body.dataset.role", "watcher")
    bob.wait_until("document.body.dataset.link", "live")


def test_new_links_make_other_phones_watchers(program, phones):
    ann, bob = phones(390, 844, new=True), phones(390, 844, new=True)
    ann.open(program.players)
    bob.open(program.players)
    bob.wait_until("document.body.dataset.role", "player")
    headers = '{"Content-Type": "application/json"}'
    ann.page.evaluate(f"fetch('/api/invite/renew', {{method: 'POST', headers: {headers}, body: '{{}}'}})")
    bob.wait_until("document.body.dataset.role", "watcher")
    bob.wait_until("document.body.dataset.link", "live")
    assert ann.page.evaluate("document.body.dataset.role") == "player"


def test_a_watcher_sees_no_list(program, phones):
    watcher = phones(390, 844, new=True)
    watcher.open(program.watchers)
    watcher.open_menu()
    assert not watcher.page.locator(SUMMARY).is_visible()


LISTEN = """window.heard = []; speechSynthesis.cancel = () => heard.push('|');
  speechSynthesis.speak = (speech) => heard.push(speech.lang + ': ' + speech.text, performance.now()); null"""
SAID = "window.heard.filter(each => typeof each === 'string' && each !== '|')"


def test_counts_are_spoken_and_sound_is_remembered(stage, phone):
    play = SCENES["six-card, the play"]
    first = stage.show(**play)
    page = phone.open(stage.url)
    page.evaluate(LISTEN)
    phone.wait_for_snapshot(stage.show(**play | {"moves": 90}))
    assert page.evaluate(SAID) == []
    phone.open_menu("[data-sound=on]")
    phone.wait_until("document.querySelector('[data-sound=on]').getAttribute('aria-pressed')", "true")
    said = {**first["last"], "said": ["Blue played the 5 of spades.", "Blue: fifteen two."]}
    phone.wait_for_snapshot(stage.show(**play | {"moves": 91, "last": said}))
    phone.wait_until(SAID, ["en: Blue played the 5 of spades. Blue: fifteen two."])
    page.reload()
    phone.wait_until("document.querySelector('[data-sound=on]')?.getAttribute('aria-pressed')", "true")
    page.evaluate(LISTEN)
    phone.wait_for_snapshot(stage.show(**play | {"moves": 92, "last": said}))
    phone.wait_until(f"{SAID}.length", 1)
    phone.open_menu("[data-sound=off]")
    phone.wait_for_snapshot(stage.show(**play | {"moves": 93, "last": said}))
    assert len(page.evaluate(SAID)) == 1


COLOURS = """['S', 'H', 'C', 'D'].map(suit => getComputedStyle(document.querySelector(`[data-card=A${suit}]`)).color)"""


def test_four_colours_are_remembered(stage, phones):
    phone = phones(1280, 800)
    page = phone.open(stage.url, stage.show(**SCENES["six-card, the play"]))
    assert len(set(page.evaluate(COLOURS))) == 2
    phone.open_menu("[data-taste=suits][data-value=four]")
    assert len(set(page.evaluate(COLOURS))) == 4
    page.reload()
    phone.wait_for_count("[data-taste=suits][data-value=four][aria-pressed=true]", 1)
    assert len(set(page.evaluate(COLOURS))) == 4
    phone.open_menu("[data-taste=suits][data-value=two]")
    assert len(set(page.evaluate(COLOURS))) == 2


NAMES = "<u class=evil>x</u>", '" class=evil a="'
POST = """([path, body]) => fetch(path, {method: "POST", headers: {"Content-Type": "application/json"},
  body: JSON.stringify(body)}).then(reply => reply.status)"""
IS_SHOWN = "document.body.innerText.includes('class=evil')"


def test_names_like_elements_are_texts_on_every_page(program, phones):
    phone = phones(1280, 800)
    page = phone.open(program.players)
    for seat, name in enumerate(NAMES):
        assert page.evaluate(POST, ["/api/players", {"seat": seat, "name": name}]) == 201
    assert page.evaluate(POST, ["/api/moves", {"type": "starter", "card": "JD"}]) == 201
    assert page.evaluate(POST, ["/api/moves", {"type": "adjust", "seat": 0, "points": 121}]) == 201
    for path in ("", "?seat=1", "tv", "bench", "evening", "review"):
        page.goto(program.watchers + path)
        phone.wait_until(IS_SHOWN, True)
        assert page.locator(".evil").count() == 0, path
