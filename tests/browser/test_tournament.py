"""The pages of a tournament as a director walks through them, and a player's own scorecard."""

import contextlib

import pytest

from companion.plugins.club.tournament.director import TournamentDirector
from tests.browser.slow_answers import HOLD_FIRST_ANSWER
from tests.browser.test_club import KEY, LOOKS, Room, entered
from tests.browser.test_german import ENGLISH, read

NAMES = ["Ann", "Bob", "Cid", "Dot", "Eve", "Fay", "Gus", "Maximiliane v. Hohenfels"]


@pytest.fixture
def room(tmp_path):
    with contextlib.closing(Room(tmp_path)) as made:
        made.director = TournamentDirector(made.store, KEY)
        yield made


def enter_cards(director, event=1, *, wrong=()):
    """Enter all cards: the first in the list of names wins by 10, and `wrong` lines replace these."""
    cards = {}
    for game in director.load_state(event).games:
        for player in game[2:] if game.two else ():
            ahead = player == min(game[2:])
            cards.setdefault(player, {})[game.round] = (2, 10) if ahead else (0, -10)
    for player, at, line in wrong:
        cards[player][at] = line
    for player, lines in cards.items():
        sent = [{"round": at, "points": line[0], "spread": line[1]} for at, line in lines.items()]
        director.enter_lines(event, player, sent, "Zoe", "")


def create_tournament(room, games=4):
    settings = {"name": "Weekend", "players": NAMES, "games": games, "tables": 3, "best_of": [3]}
    return room.director.create_tournament(settings)


def open_tournament(phone, room, language="en"):
    page = entered(phone, room, language)
    page.goto(f"{room.url}tournament?event=1")
    phone.wait_until("document.body.dataset.link", "polling")
    return page


def test_a_director_runs_a_tournament_from_a_phone(room, phones):
    phone = phones(390, 844)
    page = entered(phone, room)
    page.locator("[data-open=event]").tap()
    page.locator("[name=name]:visible").fill("Weekend")
    page.locator("[name=kind]").select_option("tournament")
    page.locator("[name=games]").fill("2")
    page.locator("[name=players]").fill("Ann\nBob\nCid\nDot\nEve")
    page.locator("[data-sheet=event] .main").tap()
    page.wait_for_url("**/tournament?event=1")
    phone.wait_for_count("[data-part=games] li", 3)
    enter_cards(room.director)
    first = next(game for game in room.director.load_state(1).games if game.two and "Ann" in game[2:])

    page.locator("[data-open=card]").tap()  # a card that was misread when it was typed
    page.locator("[data-sheet=card] select").select_option("Ann")
    page.locator(f"[name=plus{first.round - 1}]").fill("21")
    page.locator("[data-sheet=card] [name=reason]").fill("misread")
    page.locator("[data-sheet=card] [name=by]").fill("Zoe")
    page.locator("[data-sheet=card] .main").tap()
    page.locator("[data-sheet=card] [role=status]").wait_for()
    page.locator("[data-sheet=card] [data-close]").tap()

    page.locator("[data-rule]").tap()  # rule 12.2a gives the shorter win
    assert page.locator("[data-sheet=ruling] [name^=plus]").evaluate_all("(all) => all.map((each) => each.value)") in (
        ["10", ""], ["", "10"],
    )  # fmt: skip
    page.locator("[data-sheet=ruling] .main").tap()
    page.locator("[data-open=tied]").tap()  # Bob and Cid are equal, and one of them qualifies
    page.locator("[name=first][value=Bob]").check()
    page.locator("[data-sheet=tied] .main").tap()
    page.locator("[data-match='1/1']").tap()
    page.locator("[name=wins0]").fill("3")
    page.locator("[data-sheet=match] .main").evaluate("(button) => (button.form.noValidate = true)")
    page.locator("[data-sheet=match] .main").tap()
    phone.wait_until("!!document.querySelector('[data-sheet=match] [role=alert]').textContent", True)
    page.locator("[name=wins0]").fill("2")
    page.locator("[name=wins1]").fill("1")
    page.locator("[data-sheet=match] .main").tap()
    phone.wait_for_text("[data-part=next] p", "Ann has won the tournament.")
    reasons = [each["reason"] for each in room.director.describe_tournament(1)["corrections"]]
    assert reasons == ["", "12.2a", "12.2a", "misread"]
    page.locator("[data-open=consolation]").tap()
    assert page.locator("[data-sheet=consolation] [name=games]").input_value() == "2"  # three have not qualified
    page.locator("[data-sheet=consolation] .main").tap()
    page.wait_for_url("**/tournament?event=2")
    assert [each for each in phone.complaints if "409" not in each] == []


def test_late_player_takes_the_byes(room, phones):
    room.director.create_tournament({"name": "Odd", "players": ["Ann", "Bob", "Cid"], "games": 2})
    phone = phones(390, 844)
    page = open_tournament(phone, room)
    page.locator("[data-open=joins]").tap()
    page.locator("[data-sheet=joins] [name=player]").fill("Ida")
    page.locator("[data-sheet=joins] [name=by]").fill("Zoe")
    page.locator("[data-sheet=joins] .main").tap()
    phone.wait_until("document.querySelector('[data-part=standings]').textContent.includes('Ida')", True)
    assert [game for game in room.director.load_state(1).games if not game.two] == []
    page.locator("details summary").tap()
    assert page.locator("[data-part=corrections] li").inner_text().startswith("Ida joins")
    enter_cards(room.director)  # one of four qualifies, so there is no bracket
    phone.wait_until("document.querySelector('[data-part=next] p').textContent.includes('at least five')", True)
    assert page.locator("[data-open=draw], [data-open=tied]").count() == 0


def test_card_lines_are_of_the_last_choice(room, phones):
    create_tournament(room)
    phone = phones(390, 844)
    page = open_tournament(phone, room)
    page.locator("[data-open=card]").tap()
    page.evaluate(HOLD_FIRST_ANSWER, "/cards?player=")
    page.locator("[data-sheet=card] select").select_option("Ann")
    phone.wait_until("isHeld", True)
    page.locator("[data-sheet=card] select").select_option("Bob")
    phone.wait_until("isLate", True)
    first = next(game for game in room.director.load_state(1).games if game.round == 1 and "Bob" in game[2:])
    (opponent,) = {first.one, first.two} - {"Bob"}
    assert page.locator("[data-lines] td").first.inner_text() == f"1. {opponent}"


def test_player_enters_own_card_without_directors_key(room, phones):
    create_tournament(room)
    phone = phones(390, 844)
    phone.page.goto(f"{room.url}card?event=1&code={room.director.card_code(1, 'Ann')}")
    phone.wait_for_count("[data-line]", 4)
    game, button = (phone.page.locator(f"[data-part=lines] li:first-child {each}") for each in ("span", "button"))
    assert game.bounding_box()["width"] > 150
    assert game.bounding_box()["x"] + game.bounding_box()["width"] <= button.bounding_box()["x"]
    phone.page.locator("[data-line='1']").tap()
    phone.page.locator(".choice", has_text="I won").tap()
    phone.page.locator("[name=spread]").fill("40")
    phone.page.locator("[data-sheet=line] .main").tap()
    phone.wait_for_text("[data-part=total]", "3 game points, 1 game won, spread +40")
    assert room.director.load_state(1).lines["Ann", 1][:2] == (3, 40)
    assert phone.complaints == []


def test_the_room_reads_everything_and_changes_nothing(room, phones):
    create_tournament(room)
    enter_cards(room.director, wrong=[("Ann", 1, (2, 21))])
    phone = phones(1280, 800)
    phone.page.goto(f"{room.url}tournament?event=1")
    phone.wait_for_count(".qualifies", 2)
    assert phone.visible_texts("main button:visible") == []
    assert len(phone.visible_texts(".checks li")) == 1
    phone.page.goto(room.url)
    phone.page.get_by_text("Open the tournament").click()
    phone.wait_for_count("[data-part=games] li", 4)
    assert phone.complaints == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_director_ends_a_duplicate_night(room, phones, language):
    """The button tells everybody the seed, and then it is gone; the corrections say who ended the night."""
    room.director.create_tournament({"name": "Night", "players": ["Ann", "Bob"], "games": 1, "duplicate": True})
    phone = phones(390, 844)
    page = open_tournament(phone, room, language)
    page.locator("[data-open=end]").tap()
    seen = read(page)
    page.locator("[data-sheet=end] [name=by]").fill("Zoe")
    page.locator("[data-sheet=end] .main").tap()
    seed = room.director.load_state(1).seed
    phone.wait_until(f"document.querySelector('.proof').textContent.includes('{seed}')", True)
    assert page.locator("[data-open=end]").count() == 0
    page.locator("details summary").tap()
    assert "Zoe" in page.locator("[data-part=corrections] li").inner_text()
    seen += read(page)
    assert language == "en" or [line for line in seen if ENGLISH.search(line) and "Night" not in line] == []
    assert phone.complaints == []


def agree(phone, opponent, kind):
    """Tap the button on one phone: it waits, and the other phone says so and still has the button."""
    phone.page.locator(f"[data-kind={kind}]").tap()
    for each, buttons in ((phone, 0), (opponent, 1)):
        each.wait_for_count("[data-part=hand] [role=status]", 1)
        assert each.page.locator(f"[data-kind={kind}]").count() == buttons
        assert each.page.locator(".face").count() == (1 if kind == "count" else 9)


@pytest.mark.parametrize("language", ["en", "de"])
def test_two_phones_play_a_duplicate_deal(room, phones, language):
    room.director.create_tournament({"name": "Night", "players": ["Ann", "Bob"], "games": 1, "duplicate": True})
    both = [phones(390, 844), phones(390, 844)]
    seen = []
    for phone, name in zip(both, ("Ann", "Bob"), strict=True):
        phone.page.goto(f"{room.url}card?event=1&code={room.director.card_code(1, name)}&lang={language}")
        phone.wait_for_count("[data-card]", 6)
        for n in (0, 1):
            phone.page.locator("[data-card]").nth(n).tap()
        seen += read(phone.page)
        phone.page.locator("[data-kind=discard]").tap()
        phone.wait_for_count("[data-card]", 4)
        seen += read(phone.page)
    one, other = both
    for phone in both:
        phone.wait_for_count("[data-kind=count]:disabled", 1)
        for n in range(4):
            phone.page.locator("[data-card]").nth(n).tap()
    agree(one, other, "count")
    seen += read(one.page) + read(other.page)
    other.page.locator("[data-kind=count]").tap()
    for phone in both:
        phone.wait_for_count(".face", 9)
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
        assert phone.find_faults() == []
        seen += read(phone.page)
    agree(other, one, "next")
    one.page.locator("[data-kind=next]").tap()
    for phone in both:
        phone.wait_for_count("[data-card]", 6)
        assert phone.complaints == []
    one.page.goto(f"{room.url}tournament?event=1&lang={language}")
    one.wait_until("document.querySelector('.proof')?.textContent.includes('SHA-256')", True)
    seen += read(one.page)
    assert language == "en" or [line for line in seen if ENGLISH.search(line) and "Night" not in line] == []


SHEETS = {"open": ["[data-open=card]", "[data-open=leaves]", "[data-open=joins]"],
    "checks": ["[data-open=all]", "[data-rule]"], "tied": ["[data-open=tied]"],
    "bracket": ["[data-match='1/1']", "[data-open=consolation]"]}  # fmt: skip


def walk_stages(room, phone, language="en"):
    """Yield the page at each stage of a tournament, with each of its dialogs."""
    create_tournament(room)
    page = open_tournament(phone, room, language)
    for stage, sheets in SHEETS.items():
        if stage == "checks":
            enter_cards(room.director, wrong=[("Ann", 1, (2, 21)), ("Gus", 2, (0, None))])
            room.director.enter_lines(1, "Ann", [{"round": 2, "points": 2, "spread": 10}], "Zoe", "misread")
        if stage == "tied":
            room.director.rule_on_all_games(1, "Zoe", "both agree")
        if stage == "bracket":
            room.director.draw_bracket(1, ["Ann", "Bob"])
        page.locator(sheets[-1]).first.wait_for()
        page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
        yield stage, page
        for sheet in sheets:
            page.locator(sheet).first.click()
            if "card" in sheet:
                page.locator("[data-sheet=card] select").select_option(NAMES[-1])
                page.locator("[name=plus0]").wait_for()
            yield sheet, page
            page.keyboard.press("Escape")
    page.goto(f"{room.url}card?event=1&code={room.director.card_code(1, 'Ann')}")
    phone.wait_until("document.body.dataset.link", "polling")
    yield "own", page


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_everybody_can_read_and_hit_all_of_it(room, phones, look):
    width, height, scheme = look
    phone = phones(width, height, color_scheme=scheme, reduced_motion="reduce")
    for stage, _ in walk_stages(room, phone):
        assert phone.find_faults() == [], stage
    assert phone.complaints == []


def test_it_is_german_to_the_last_word(room, phones):
    phone = phones(390, 844)
    for stage, page in walk_stages(room, phone, "de"):
        english = [line for line in read(page) if ENGLISH.search(line) and "Weekend" not in line]
        assert [line for line in english if "misread" not in line and "both agree" not in line] == [], stage
    assert phone.complaints == []
