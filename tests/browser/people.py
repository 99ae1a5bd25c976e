"""Simulated players at a plain board, with phones and a deck: they read the page and tap its controls.

Nothing here asks the table; what a hand holds, the people know because they dealt it.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

from tests.oracles.swap import COLOURS, Cell, Display, figure_closeness

CARDS = [rank + suit for suit in "SHCD" for rank in "A23456789TJQK"]
WORTH = {rank: min(at, 10) for at, rank in enumerate("A23456789TJQK", 1)}
RICH = ["5H", "5S", "5C", "JD"]
HEADING = "document.querySelector('h1').textContent"
MOST = 600
"""So many taps are a whole game of any kind; more, and the page has lost its way."""


class People:
    """The phones of the players; the seats are assigned to them in turn. `rich`: seat 0 always gets the best hand."""

    def __init__(self, phones: Sequence[Any], seed: int = 1, *, rich: bool = False) -> None:
        self.phones, self.chance, self.rich = phones, random.Random(seed), rich
        self.hands: list[list[str]] = []
        self.crib: list[str] = []

    def begin(self, key: str, **chosen: Any) -> None:
        """Start this game in the dialog of the first phone."""
        page = self.phones[0].page
        page.locator("[data-open=new-game]").first.tap()
        page.locator(f"dialog [data-game='{key}']").tap()
        if seats := chosen.pop("seats", None):
            page.locator(f"dialog [data-seats='{seats}']").tap()
        for option, value in chosen.items():
            page.locator(f"dialog [data-option='{option}'][data-value='{value}']").tap()
        wanted = page.locator(f"dialog [data-game='{key}'] b").inner_text()
        page.locator("dialog [data-start]").tap()
        self.phones[0].until("document.querySelectorAll('dialog[open]').length", 0)
        for phone in self.phones:
            phone.until(HEADING, wanted)

    def go_on(self, until: Callable[[dict[str, Any]], bool] = lambda now: now["phase"] == "over") -> dict[str, Any]:
        """Play until the page shows a condition; return what it shows then."""
        for _ in range(MOST):
            if until(now := self.sees(self.phones[0])):
                return now
            PHASES[now["phase"]](self, now)
        raise AssertionError(f"After {MOST} moves it is {now}")

    def sees(self, phone: Any) -> dict[str, Any]:
        """Return the phase, the turn and the count that a phone shows."""
        return dict(
            phone.page.evaluate("""({phase: document.body.dataset.phase,
            turn: Number(document.querySelector('[data-turn]').dataset.turn || -1),
            count: Number(document.querySelector('[data-count]')?.dataset.count ?? 0),
            said: document.querySelector('[data-turn]').textContent,
            scores: [...document.querySelectorAll('[data-side] [data-score]')].map(el => Number(el.textContent))})""")
        )

    def tap(self, seat: int, selector: str, *, moves: bool = True) -> None:
        """Tap an element on the phone of a seat, and wait until all phones show the move."""
        phone = self.phones[seat % len(self.phones)]
        if not moves:
            return phone.page.locator(selector).first.tap()
        with phone.page.expect_response("**/api/moves") as answer:
            phone.page.locator(selector).first.tap()
        assert answer.value.status == 201, answer.value.text()
        number = answer.value.json()["number"]
        for each in self.phones:
            each.until(f"Number(document.body.dataset.snapshot) >= {number}", True)
        return None

    def card(self, seat: int, card: str) -> None:
        """Tap a card, opening the card pad if necessary."""
        page = self.phones[seat % len(self.phones)].page
        if not (key := page.locator(f"[data-part=deck] [data-card='{card}']")).is_visible():
            page.locator("[data-open=cards]").tap()
            key.wait_for(state="visible")
        self.tap(seat, f"[data-part=deck] [data-card='{card}']")

    def dealt(self, seats: int, each: int) -> str:
        """Deal, and return the starter."""
        pack = self.chance.sample(CARDS, 52)
        if self.rich:
            pack = RICH[:each] + [card for card in pack if card not in RICH]
        self.hands = [pack[seat * each : (seat + 1) * each] for seat in range(seats)]
        left = pack[seats * each :]
        self.crib = left[:4]
        return next(card for card in left[4:] if card[0] != "J")

    def cut(self, now: dict[str, Any]) -> None:
        """Return the number of cards in a hand of the game in the heading."""
        five = "Five-card" in self.phones[0].page.locator("h1").inner_text()
        self.card(0, self.dealt(max(2, len(now["scores"])), 3 if five else 4))

    def plays(self, now: dict[str, Any]) -> None:
        """Play the first card that fits, or go; in a game of pegs only, peg some points."""
        if self.phones[0].page.locator("[data-move=peg]").count():
            return self.pegs()
        seat, left = now["turn"], self.hands[now["turn"]]
        fits = [card for card in left if now["count"] + WORTH[card[0]] <= 31]
        if fits:
            left.remove(fits[0])
            self.card(seat, fits[0])
        else:
            self.tap(seat, f"[data-move=go][data-seat='{seat}']")
        return None

    def shows(self, now: dict[str, Any]) -> None:
        self.card(now["turn"], self.hands[now["turn"]].pop(0))

    def turns_up(self, _: dict[str, Any]) -> None:
        self.card(0, self.crib.pop(0))

    def goes_on(self, _: dict[str, Any]) -> None:
        self.tap(0, "[data-move=next]")

    def rolls(self, now: dict[str, Any]) -> None:
        """Enter dice by tapping their faces."""
        two = "two dice" in self.phones[now["turn"] % len(self.phones)].page.locator("div.dice").inner_text()
        if two:
            self.tap(now["turn"], f"[data-face='{self.chance.randint(1, 6)}']", moves=False)
        self.tap(now["turn"], f"[data-face='{self.chance.randint(1, 6)}']")

    def takes(self, now: dict[str, Any]) -> None:
        phone = self.phones[now["turn"] % len(self.phones)]
        for left in range(2 if "two chips" in now["said"] else 1, 0, -1):
            keys = phone.page.locator("[data-move=take][aria-pressed=false]")
            key = keys.nth(self.chance.randrange(keys.count())).get_attribute("data-chip")
            self.tap(now["turn"], f"[data-move=take][data-chip='{key}']", moves=left == 1)

    def exchanges(self, now: dict[str, Any]) -> None:
        """Make the legal exchange that brings the two colours nearest to a figure."""
        page = self.phones[now["turn"] % len(self.phones)].page
        cells = page.locator("button.cell").evaluate_all("all => all.map(el => el.getAttribute('aria-label'))")
        held = [colour for colour in COLOURS if f" {colour} " in now["said"]]
        lying = Display([cell.split(",")[0] for cell in cells])

        def hope(pair: tuple[Cell, Cell]) -> float:
            after = lying.exchange(*pair)
            closeness = sum(figure_closeness(after.cells_of(colour), "alternating") for colour in held)
            return closeness + self.chance.random()

        for (row, column), moves in zip(max(lying.legal_exchanges(*held), key=hope), (False, True), strict=True):
            self.tap(now["turn"], f"button[data-cell='{row},{column}']", moves=moves)

    def gives_handicap(self, side: int, steps: int) -> None:
        """Adjust a score by five points a number of times."""
        for _ in range(steps):
            if not (
                five := self.phones[0].page.locator(f"[data-move=adjust][data-seat='{side}'][data-points='5']")
            ).is_visible():
                self.phones[0].open_menu(".corrections summary")
                five.wait_for(state="visible")
            self.tap(0, f"[data-move=adjust][data-seat='{side}'][data-points='5']")
        self.phones[0].page.locator("dialog[open] [data-close]").tap()

    def gives_back(self, now: dict[str, Any]) -> None:
        self.tap(now["turn"], "[data-move=return]")

    def lays(self, _: dict[str, Any]) -> None:
        for card in self.chance.sample(CARDS, 17):
            self.card(0, card)

    def swaps(self, now: dict[str, Any]) -> None:
        """Request the best layout and follow it."""
        page = self.phones[0].page
        if not page.locator("[data-move=swap]").is_visible():
            page.locator("[data-ask=best]").tap()
            page.locator("[data-move=swap]").wait_for(state="visible")
        self.tap(0, "[data-move=swap]")

    def pegs(self) -> None:
        side, points = self.chance.randrange(2), self.chance.randint(1, 18)
        self.tap(side, f"[data-move=peg][data-seat='{side}'][data-points='{points}']")


PHASES: dict[str, Callable[[People, dict[str, Any]], None]] = {
    "cut": People.cut, "play": People.plays, "show": People.shows, "crib": People.turns_up, "between": People.goes_on,
    "roll": People.rolls, "take": People.takes, "exchange": People.exchanges, "return": People.gives_back,
    "lay": People.lays, "swap": People.swaps,
}  # fmt: skip
