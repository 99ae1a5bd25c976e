"""The club page: the public view and the organiser's forms, on phones and large screens."""

import contextlib
import json
import threading
import urllib.request

import pytest
from werkzeug.serving import make_server

from companion.plugins.club.app import create_club_app
from companion.plugins.club.archive import Archive
from companion.plugins.club.database import Database
from companion.plugins.club.league_events import LeagueEvents
from tests.browser.stage import QuietRequestHandler
from tests.browser.test_german import ENGLISH, read
from tests.plugins.club.reported_moves import WIN, report_later, report_moves, send_messages
from tests.support.waiting import PATIENCE_S

KEY = "an-organisers-key-of-tests"


class Room:
    """A club server without a broker: the test passes the reports of boards to the archive."""

    def __init__(self, folder):
        self.store = Database(f"sqlite:///{folder}/club.sqlite3")
        self.events, self.archive = LeagueEvents(self.store), Archive(self.store)
        send_messages(self.archive, report_moves([])[:1])
        self._server = make_server(
            "127.0.0.1", 0, create_club_app(self.store, KEY), threaded=True, request_handler=QuietRequestHandler
        )
        self._server.daemon_threads = False  # else a late request opens the store again after its end
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/"

    def plays(self, moves):
        send_messages(self.archive, report_later(moves))

    def get(self, path):
        with urllib.request.urlopen(f"{self.url}api/club/{path}", timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self.store.close()


@pytest.fixture
def room(tmp_path):
    with contextlib.closing(Room(tmp_path)) as made:
        yield made


def entered(phone, room, language="en"):
    """An organiser's phone with the club page."""
    phone.page.context.add_cookies([{"name": "companion_language", "value": language, "url": room.url}])
    phone.page.goto(f"{room.url}join/{KEY}")
    phone.wait_until("document.body.dataset.link", "polling")
    return phone.page


def begun(phone, room, names="Ann\nBob\nCid", kind="swiss"):
    page = entered(phone, room)
    page.locator("[data-open=event]").tap()
    page.locator("[name=name]:visible").fill("Tuesday")
    page.locator("[name=kind]").select_option(kind)
    page.locator("[name=players]").fill(names)
    page.locator("[data-sheet=event] .main").tap()
    phone.wait_until("document.querySelector('[data-pair]')?.disabled", False)
    return page


def test_club_evening_is_kept_on_a_phone(room, phones):
    phone = phones(390, 844)
    page = begun(phone, room)
    page.locator("[data-pair]").tap()
    phone.wait_for_count(".round-games li", 2)
    assert page.locator(".round-games li").last.inner_text() == "Cid\nbye"
    assert page.locator("[data-pair]").is_disabled()
    page.locator("[data-game='1/1']").tap()
    page.locator(".choice", has_text="Bob").tap()
    page.locator("[name=spread]").fill("40")
    assert page.locator("[name=skunk]").is_checked()
    page.locator("[name=by]").fill("Zoe")
    page.locator("[data-sheet=result] .main").tap()
    phone.wait_for_text("[data-part=standings] td:nth-child(2)", "Bob")
    page.locator("[data-game='1/1']").tap()
    page.locator(".choice", has_text="Ann").tap()
    page.locator("[name=spread]").fill("4")
    assert (page.locator("[name=by]").input_value(), page.locator("[name=skunk]").is_checked()) == ("Zoe", False)
    page.locator("[data-sheet=result] .main").tap()
    phone.wait_for_text(".round-games small", "Ann by 4")
    (game, _) = room.get("standings?event=1")["games"]
    assert [(r["winner"], r["skunk"], r["spread"], r["by"]) for r in game["results"]] == [
        ("Bob", True, 40, "Zoe"),
        ("Ann", False, 4, "Zoe"),
    ]
    page.locator("[data-open=players]").tap()
    page.locator("[data-sheet=players] [name=name]").fill("Eve")
    page.locator("[data-sheet=players] .main").tap()
    phone.wait_for_count("[data-sheet=players] .entered li", 4)
    page.locator("[data-sheet=players] [data-close]").tap()
    page.locator("[data-pair]").tap()
    phone.wait_until("document.querySelectorAll('.round-games')[0].children.length", 2)
    page.locator("[data-game='2/1']").wait_for()
    assert {"Eve"} < {each for game in room.get("standings?event=1")["games"] for each in (game["one"], game["two"])}
    assert phone.complaints == []


def test_refusal_is_shown_and_nothing_typed_lost(room, phones):
    phone = phones(390, 844)
    page = begun(phone, room)
    page.locator("[data-open=players]").tap()
    page.locator("[data-sheet=players] [name=name]").fill("ann")
    page.locator("[data-sheet=players] .main").tap()
    phone.wait_for_text("[data-sheet=players] [role=alert]", "This player is already entered.")
    assert page.locator("[data-sheet=players] [name=name]").input_value() == "ann"


def test_round_is_taken_back_and_players_leave(room, phones):
    phone = phones(390, 844)
    page = begun(phone, room)
    page.locator("[data-pair]").tap()
    page.locator("[data-unpair='1']").tap()
    phone.wait_for_count(".round-games li", 0)
    page.locator("[data-open=players]").tap()
    page.locator("[data-leaves=Bob]").tap()
    page.locator("[data-back=Bob]").wait_for()
    page.locator("[data-sheet=players] [data-close]").tap()
    page.locator("[data-pair]").tap()
    page.locator("[data-game='1/1']").wait_for()
    (game,) = room.get("standings?event=1")["games"]
    assert {game["one"], game["two"]} == {"Ann", "Cid"}


def test_the_organiser_chooses_the_boards_whose_games_count(room, phones):
    send_messages(room.archive, [("cribbage/1/north/table-9/online", "1"), ("cribbage/1/south/table-1/online", "1")])
    phone = phones(390, 844)
    page = begun(phone, room)
    page.locator("[data-open=boards]").tap()
    for button in ("[data-in=table-3]", "[data-in=table-9]", "[data-out=table-3]"):
        page.locator(button).tap()
    page.locator("[data-in=table-3]").wait_for()
    assert room.get("standings?event=1")["boards"] == [{"club": "north", "board": "table-9"}]
    page.locator("[data-in=table-1]").tap()
    alert = "document.querySelector('[data-sheet=boards] [role=alert]').textContent"
    phone.wait_until(alert, "All boards of an event must be of one club.")


def test_room_sees_all_and_changes_nothing(room, phones):
    room.events.create_event("Tuesday", "swiss", ["Ann", "Bob", "Cid"], 0)
    room.events.pair_round(1)
    room.plays(WIN)
    phone = phones(1280, 800)
    phone.page.goto(room.url)
    phone.wait_for_count(".results li", 1)
    assert phone.visible_texts(".results li") == ["table-3: Bob beat Ann, 121–10, double skunk"]
    assert phone.visible_texts("[data-board=table-3] b") == ["Ann\n10", "Bob ★\n121"]
    assert phone.visible_texts(".round-games li") == ["Ann – Bob\nBob by 111, skunk", "Cid\nbye"]
    assert phone.visible_texts("button") == []
    phone.page.goto(f"{room.url}?lang=de")
    phone.wait_for_count(".results li", 1)
    assert phone.visible_texts(".results li")[0].endswith("doppelter Skunk")
    assert phone.complaints == []


def full(phone, room, language="en"):
    """The organiser's page with content in every section."""
    names = ["Ann", "Bob", "Maximiliane v. Hohenfels", "Dot", "Eve"]
    room.events.create_event("Tuesday of the north", "swiss", names, 0)
    room.events.pair_round(1)
    room.plays(WIN)
    for number, game in enumerate(room.get("standings?event=1")["games"], 1):
        if game["two"] and not game["winner"]:
            room.events.record_result(1, {"round": 1, "number": number, "winner": game["one"], "spread": 9}, "Zoe")
    room.events.pair_round(1)
    room.events.remove_player(1, "Eve")
    room.events.create_event("Another", "round-robin", names, 3)
    send_messages(room.archive, [("cribbage/1/north/table-9/online", "0"), ("cribbage/1/north/table-9/move/r/1", "{}")])
    page = entered(phone, room, language)
    page.locator("select[aria-label]").select_option("1")
    phone.wait_for_count(".round-games", 2)
    return page


SHEETS = ["[data-open=event]", "[data-open=players]", "[data-open=boards]", "[data-game='1/1']"]
LONG = [(390, 844, "dark"), (1280, 800, "light")]
LOOKS = [(320, 568, "light"), (1280, 800, "dark"), *(pytest.param(each, marks=pytest.mark.long) for each in LONG)]


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_everybody_can_read_and_hit_all_of_it(room, phones, look):
    width, height, scheme = look
    phone = phones(width, height, color_scheme=scheme, reduced_motion="reduce")
    page = full(phone, room)
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    for sheet in (None, *SHEETS):
        if sheet:
            page.locator(sheet).click()
        assert phone.find_faults() == []
        if sheet:
            page.keyboard.press("Escape")
    assert phone.complaints == []


def test_it_is_german_to_the_last_word(room, phones):
    phone = phones(390, 844)
    page = full(phone, room, "de")
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    for sheet in (None, *SHEETS):
        if sheet:
            page.locator(sheet).click()
        assert [line for line in read(page) if ENGLISH.search(line) and "Tuesday" not in line] == []
        if sheet:
            page.keyboard.press("Escape")
    assert phone.complaints == []
