"""The page in German: completely translated, nothing cut off, and kept until another language is chosen."""

import re

import pytest

from tests.browser.scenes import scene

WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
UNFOLD = "document.querySelectorAll('details').forEach(each => each.open = true)"
ENGLISH = re.compile(r"\b(?:the|and|with|of|to|is|are|you|your|has|no|not|this|that|cards?|pegs?|score|seat|game)\b")
"""Small words of which one at least stands in nearly every English sentence, and none in a German one."""


def read(page):
    """Return all visible texts and accessible names."""
    labels = """[...document.querySelectorAll('[aria-label], [title], [alt]')].flatMap(each =>
        ['aria-label', 'title', 'alt'].map(name => each.getAttribute(name)).filter(Boolean))"""
    return [*page.inner_text("body").splitlines(), *page.evaluate(labels)]


@pytest.fixture
def opened(programs, phones):
    def table(*flags, width=390):
        program = programs(*flags)
        phone = phones(width, 844)
        phone.page.context.add_cookies([{"name": "companion_language", "value": "de", "url": program.watchers}])
        phone.open(program.players)
        return phone

    return table


@pytest.mark.parametrize("game", ["six-card", "pursuit", "bases", "swap", "shuffle", "pegs-only"])
def test_table_is_german_to_the_last_word(opened, game):
    phone = opened("--game", game, "--option", "counting=manual") if game == "six-card" else opened("--game", game)
    phone.page.evaluate(UNFOLD)
    assert phone.page.evaluate("document.documentElement.lang") == "de"
    assert [line for line in read(phone.page) if ENGLISH.search(line) and line != "'Round the Bases"] == []
    assert phone.find_faults(but_small=False) == []
    assert phone.complaints == []


def test_deal_is_played_in_german(opened):
    phone = opened("--sensors", "none:", "--lights", "none:", "--dealer", "1")
    page = phone.page
    page.locator("[data-open=cards]").click()
    for card in ("JD", "5H", "TC"):
        moves = page.evaluate("document.body.dataset.snapshot")
        page.locator(f"#pad [data-card='{card}']").click()
        phone.wait_until(f"document.body.dataset.snapshot !== '{moves}'", True)
    assert [text for text in phone.visible_texts("[data-part=said]") if "Blau: fünfzehn zwei." in text]
    phone.open_history()
    phone.wait_for_text("[data-history] .what", "Blau spielt Kreuz 10.")
    page.locator("[data-languages] a[hreflang=en]").click()
    phone.wait_until("document.documentElement.lang", "en")
    phone.wait_until("document.body.dataset.role", "player")
    phone.open_history()
    phone.wait_for_text("[data-history] .what", "Blue played the 10 of clubs.")


@pytest.mark.parametrize("width", [320, pytest.param(390, marks=pytest.mark.long)])
def test_the_next_hand_does_not_move_the_cards(opened, width):
    """The button of the next hand has one line, so that the keys above the bar stay where they are."""
    phone = opened("--sensors", "none:", "--lights", "none:", "--dealer", "0", width=width)
    page = phone.page
    page.locator("[data-open=cards]").click()
    for card in ("JD", "5H", "TH", "TS", "6C", "2C", "8D", "KC", "QS", "2H", "3H", "9C"):
        moves = page.evaluate("document.body.dataset.snapshot")
        page.locator(f"#pad [data-card='{card}']").click()
        phone.wait_until(f"document.body.dataset.snapshot !== '{moves}'", True)
    height = page.locator(".bar").bounding_box()["height"]
    page.locator("#pad [data-card=QD]").click()
    phone.wait_until("document.body.dataset.phase", "between")
    assert phone.visible_texts("[data-move=next]") == ["Nächste Runde"]
    assert page.locator(".bar").bounding_box()["height"] == height
    assert not page.evaluate(WIDER)


def test_companion_has_an_article_and_players_none(stage, phones):
    game = stage.snapshot["game"] | {"pegs": "plain", "against": {"seat": 1, "level": "club"}}
    players = [{"seat": 0, "side": 0, "name": "Mia"}, {"seat": 1, "side": 1, "name": "Begleiter"}]
    phone = phones(390, 844)
    said = []
    for seat in (1, 0):
        for changes in ({"phase": "between", "dealer": seat}, {"phase": "crib", "turn": seat, "crib": ["5H"]}):
            snapshot = stage.show(**scene("six-card") | {"game": game, "players": players} | changes)
            phone.open(f"{stage.url}/?lang=de", snapshot)
            said += phone.visible_texts("[data-turn]")
    assert said == [
        "Jetzt gibt der Begleiter.", "Crib vom Begleiter: 1 von 4.", "Jetzt gibt Mia.", "Crib von Mia: 1 von 4.",
    ]  # fmt: skip
