"""The page as an app: it opens without a table and reconnects."""

import json
from pathlib import Path

WEB = Path(__file__).parents[2] / "web"


def test_the_manifest_names_icons_that_are_there(stage, phone):
    phone.open(stage.url)
    told = json.loads((WEB / "app.webmanifest").read_text("utf-8"))
    assert phone.page.locator("link[rel=manifest]").get_attribute("href").endswith("/app.webmanifest")
    assert {icon["sizes"] for icon in told["icons"]} >= {"192x192", "512x512"}
    assert all((WEB / icon["src"]).is_file() for icon in told["icons"])


def test_the_page_opens_where_no_table_answers_says_so_and_comes_back(stage, phones):
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


def test_a_phone_trembles_when_it_is_its_seats_turn(stage, phone):
    play = {"phase": "play", "starter": "5D", "count": 3}
    page = phone.open(stage.url + "/?seat=1", stage.show(**play, turn=0))
    page.evaluate("window.felt = []; navigator.vibrate = ms => (felt.push(ms), true); null")
    page.locator("h1").tap()
    for turn in (1, 1, 0, 1):
        phone.wait_for_snapshot(stage.show(**play, turn=turn))
    assert len(page.evaluate("felt")) == 2
