"""The language of a page: requested, chosen earlier in this browser, or preferred by it."""

import re

import pytest

from companion.rules.moves import Adjust
from tests.i18n import extraction


@pytest.fixture
def client(app):
    return app.test_client()


def language(reply):
    return re.search(r'<html lang="(\w+)">', reply.text)[1]


@pytest.mark.parametrize(
    ("query", "accepts", "found"),
    [
        ("", None, "en"), ("", "de-AT,de;q=0.9,en;q=0.5", "de"), ("", "fr, en;q=0.3", "en"), ("", "fr", "en"),
        ("?lang=de", "en", "de"), ("?lang=en", "de", "en"), ("?lang=xx", "de", "de"), ("?lang=../de", None, "en"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("page", ["/", "/tv", "/help/six-card", "/evening", "/invite"])
def test_a_requested_language_wins_over_the_browsers(client, page, query, accepts, found):
    reply = client.get(page + query, headers={"Accept-Language": accepts} if accepts else {})
    assert language(reply) == found
    assert reply.headers["Vary"] == "Accept-Encoding, Accept-Language, Cookie"


def test_a_chosen_language_is_stored(client):
    client.get("/?lang=de")
    assert language(client.get("/", headers={"Accept-Language": "en"})) == "de"
    client.get("/?lang=en")
    assert language(client.get("/", headers={"Accept-Language": "de"})) == "en"


def test_a_page_lists_the_languages(client):
    chooser = re.search(r"<nav[^>]*data-languages>(.*?)</nav>", client.get("/?lang=de").text)[1]
    assert re.findall(r">([^<]+)</a>", chooser) == ["English", "Deutsch"]
    assert re.findall(r'lang="(\w+)" hreflang="\w+" aria-current="true"', chooser) == ["de"]


def test_a_cached_page_is_sent_in_another_language(client):
    page = client.get("/?lang=en")
    assert page.headers["Cache-Control"] == "no-cache"
    mark = page.headers["ETag"]
    assert client.get("/?lang=en", headers={"If-None-Match": mark}).status_code == 304
    assert client.get("/?lang=de", headers={"If-None-Match": mark}).status_code == 200


def test_help_is_german_to_the_last_word(client):
    page = client.get("/help/swap?lang=de").text
    assert "<h1>Sackson-Tausch</h1>" in page
    assert "<b>Nimm</b> einen Chip aus der Bank" in page
    assert "<figcaption>Kreuz</figcaption>" in page
    assert "Einstellungen" in page
    assert not re.search(r">[^<]*\b(the|and|with|of)\b[^<]*<", page)


def test_wrong_links_are_answered_in_german(client):
    assert "Dieser Link funktioniert nicht" in client.get("/join/wrong-key-wrong-key?lang=de").text
    page = client.get("/nothing?lang=de").text
    assert "<h1>Seite nicht gefunden</h1>" in page
    assert "Unter dieser Adresse gibt es keine Seite." in page
    assert "Scanne den Code auf dem Bildschirm des Tischs" in page


def test_names_and_refusals_are_in_the_requested_language(client):
    assert client.get("/api/constants?lang=de").json["suits"][2] == {"letter": "H", "name": "Herz"}
    assert client.get("/api/games?lang=de").json["games"][0]["title"] == "Cribbage"
    assert client.get("/api/hint?lang=de").json["error"] == "Nur Cribbage-Shuffle hat Tipps und eine beste Auslage."
    assert client.get("/api/nothing?lang=de").json["error"] == "Unter dieser Adresse gibt es keine Seite."
    assert client.get("/api/state").json["players"][0]["name"] == "Red"
    assert client.get("/api/state?lang=de").json["players"][0]["name"] == "Rot"


def test_a_page_gets_only_its_own_words(client):
    every = client.get("/api/words/de").json
    told = client.get("/api/words/de?page=").json
    table, evening = (client.get(f"/api/words/de?page={page}").json["words"] for page in ("phone", "evening"))
    assert told["words"].items() < every["words"].items()
    assert table.keys() | evening.keys() < told["words"].keys()
    assert "Enter the starter" in table.keys() - evening.keys()
    spoken = {each if isinstance(each, str) else each[0] for each in extraction.script_messages()}
    assert spoken <= set(told["words"])
    assert {"red", "alternating", "apex", "zigzag"} <= set(told["words"])
    assert "Roll the dice first: no card is needed now." not in told["words"]


def test_a_lazy_part_brings_its_own_words(client):
    def words_of(part=""):
        return client.get(f"/api/words/de?page=phone{part}").json["words"].keys()

    parts = ("", "&part=components/setup/new-game.js", "&part=components/camera/scan.js")
    table, games, scan = map(words_of, parts)
    assert {"Scan cards", "red"} <= table
    assert {"Unfinished games", "First dealer"} <= games
    assert {"Take a photo", "None of these"} <= scan
    assert not {"Take a photo", "None of these", "Unfinished games", "First dealer"} & table
    assert not table & {"Unfinished games", "Take a photo", "red"} & (games | scan)


def test_a_parts_file_loads_its_words_first(client):
    script = client.get("/").text.partition('src="')[2].partition('"')[0]
    lazy = script.replace("pages/phone/phone.joined.js", "components/setup/new-game.for-phone.js")
    first, second = client.get(lazy).text.splitlines()[:2]
    assert first.endswith("= globalThis.joined;")
    assert second.endswith('.loadCatalogue("components/setup/new-game.js");')


def test_the_evenings_sides_are_translated(app, table):
    table.submit(Adjust(0, 2))
    found = app.test_client().get("/api/evening?lang=de").json["games"]
    assert found[0]["names"] == ["Rot", "Blau"]
    assert found[0]["game"]["title"] == "Cribbage"
