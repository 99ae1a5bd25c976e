"""Taps that a deal costs at a plain wooden board, with a phone alone: of players who count, and with all the cards."""

import pytest

from tests.browser.test_table import scores

COUNT_TAPS = "window.taps = 0, addEventListener('click', event => { window.taps += event.isTrusted; }, true)"
SEEN = "document.querySelector(`#pad [data-card='{}']`).matches('.spent')"
CRIB = ["2H", "3H", "AS", "JC"]
DEALS = {
    "one says go, and the other plays on": ("4D 9H TC 7S go 5H KD 8H 6S 6D", "1:2 0:2 0:1 1:5 0:2 0:8", ["13", "7"]),
    "one says go, and the king says it for the other": (
        "4D 9H 9S TC go KD 8H 7S 6C QH", "0:2 1:1 1:5 0:1 1:5 0:8", ["11", "11"],
    ),
}  # fmt: skip
"""The starter with what is tapped in the play, the points by seat, and the scores after the deal."""


def begin(phone, program, way):
    """Start a game in this way, and count the taps from there."""
    page = phone.open(program.players)
    page.locator(f".first-choice [data-way={way}]").tap()
    page.locator("dialog [data-start]").tap()
    phone.wait_for_count("dialog[open]", 0)
    phone.wait_until("document.querySelector('.first-choice').hidden", True)
    page.evaluate(COUNT_TAPS)
    return page


@pytest.mark.parametrize("deal", DEALS)
def test_a_deal_with_all_its_cards_costs_14_taps(program, phone, deal):
    taps, _, after = DEALS[deal]
    page = begin(phone, program, "plain")
    page.locator("[data-open=cards]").tap()
    page.evaluate("window.taps = 0")  # the pad stays open for the next deals
    for each in taps.split():
        if each == "go":
            page.locator("[data-move=go]").tap()
            phone.wait_until("document.querySelector('[data-move=go]').dataset.seat", "1")
        else:
            page.locator(f"#pad [data-card='{each}']").tap()
            phone.wait_until(SEEN.format(each), True)
    phone.wait_until("document.body.dataset.phase", "crib")
    for each in CRIB[:3]:
        page.locator(f"#pad [data-card='{each}']").tap()
        phone.wait_until(SEEN.format(each), True)
    page.locator(f"#pad [data-card='{CRIB[3]}']").tap()
    phone.wait_until("document.body.dataset.phase", "between")
    assert scores(phone) == after
    assert page.evaluate("window.taps") == 14


@pytest.mark.parametrize("deal", DEALS)
def test_a_deal_that_the_players_count_costs_6_taps(program, phone, deal):
    _, points, after = DEALS[deal]
    page = begin(phone, program, "pegs-only")
    for moves, each in enumerate(points.split(), start=1):
        seat, n = each.split(":")
        page.locator(f"[data-move=peg][data-seat='{seat}'][data-points='{n}']").tap()
        phone.wait_until("fetch('/api/state').then(reply => reply.json()).then(now => now.moves)", moves)
    phone.wait_until(
        "[...document.querySelectorAll('[data-score]')].map(each => each.textContent).join()", ",".join(after)
    )
    assert page.evaluate("window.taps") == 6


def test_a_card_that_does_not_fit_is_refused_while_nobody_has_said_go(program, phone):
    page = begin(phone, program, "plain")
    page.locator("[data-open=cards]").tap()
    for each in ("4D", "9H", "9S", "TC"):
        page.locator(f"#pad [data-card='{each}']").tap()
        phone.wait_until(SEEN.format(each), True)
    page.locator("#pad [data-card='KD']").tap()
    phone.wait_until("document.querySelector('[data-part=error]').textContent.includes('31')", True)
    assert page.evaluate("fetch('/api/state').then(reply => reply.json()).then(now => now.count)") == 28
