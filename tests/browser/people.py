"""Simulated players at a plain board, with phones and a deck: they read the page and tap its controls.

They never ask the table: they know the cards of each hand because they dealt them.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

from tests.oracles.swap import COLOURS, Cell, Display, figure_closeness

CARDS = [rank + suit for suit in "SHCD" for rank in "A23456789TJQK"]
WORTH = {rank: min(at, 10) for at, rank in enumerate("A23456789TJQK", 1)}
RICH = ["5H", "5S", "5C", "JD"]
HEADING = "document.querySelector('h1').textContent"
MAX_TAPS = 600
"""Maximum number of moves in a whole game of any kind. More mean that the page is stuck."""


class PhonePlayers:
    """Players with phones; the seats are assigned to the phones in turn. `rich`: seat 0 always gets the best hand."""

    def __init__(self, phones: Sequence[Any], seed: int = 1, *, rich: bool = False) -> None:
        self.phones, self.chance, self.rich = phones, random.Random(seed), rich
        self.hands: list[list[str]] = []
        self.crib: list[str] = []

    def begin(self, key: str, **chosen: Any) -> None:
        """Start this game in the dialog of the first phone."""
        page = self.phones[0].page
        page.locator("[data-open=new-game]").first.tap()
        game = page.locator(f"dialog [data-game='{key}']")
        game.wait_for(state="attached")
        if not game.is_visible():  # the rules are folded where the last game was at the players' own board
            page.locator("dialog[data-part=new-game] .game-rules summary").tap()
        game.tap()
        if not game.is_visible():  # and again where the way follows the game
            page.locator("dialog[data-part=new-game] .game-rules summary").tap()
        if seats := chosen.pop("seats", None):
            page.locator(f"dialog [data-seats='{seats}']").tap()
        for option, value in chosen.items():
            page.locator(f"dialog [data-option='{option}'][data-value='{value}']").tap()
        wanted = page.locator(f"dialog [data-game='{key}'] b").inner_text()
        page.locator("dialog [data-start]").tap()
        self.phones[0].wait_until("document.querySelectorAll('dialog[open]').length", 0)
        for phone in self.phones:
            phone.wait_until(HEADING, wanted)

    def play_until(
        self, until: Callable[[dict[str, Any]], bool] = lambda now: now["phase"] == "over"
    ) -> dict[str, Any]:
        """Play until the page shows a condition; return what it shows then."""
        for _ in range(MAX_TAPS):
            if until(now := self.read_page(self.phones[0])):
                return now
            PHASES[now["phase"]](self, now)
        raise AssertionError(f"After {MAX_TAPS} moves it is {now}")

    def read_page(self, phone: Any) -> dict[str, Any]:
        """Return the phase, the turn and the count that a phone shows."""
        return dict(
            phone.page.evaluate("""({phase: document.body.dataset.phase,
            turn: Number(document.querySelector('[data-turn]').dataset.turn || -1),
            count: Number(document.querySelector('[data-count]')?.dataset.count ?? 0),
            said: document.querySelector('[data-turn]').textContent,
            scores: [...document.querySelectorAll('[data-side] [data-score]')].map(el => Number(el.textContent))})""")
        )

    def tap_control(self, seat: int, selector: str, *, moves: bool = True) -> None:
        """Tap an element on the phone of a seat, and wait until all phones show the move."""
        phone = self.phones[seat % len(self.phones)]
        if not moves:
            return phone.page.locator(selector).first.tap()
        with phone.page.expect_response("**/api/moves") as answer:
            phone.page.locator(selector).first.tap()
        assert answer.value.status == 201, answer.value.text()
        number = answer.value.json()["number"]
        for each in self.phones:
            each.wait_until(f"Number(document.body.dataset.snapshot) >= {number}", True)
        return None

    def tap_card(self, seat: int, card: str) -> None:
        """Tap a card, opening the card pad if necessary."""
        page = self.phones[seat % len(self.phones)].page
        if not (key := page.locator(f"[data-part=deck] [data-card='{card}']")).is_visible():
            page.locator("[data-open=cards]").tap()
            key.wait_for(state="visible")
        self.tap_control(seat, f"[data-part=deck] [data-card='{card}']")

    def deal_hands(self, seats: int, each: int) -> str:
        """Deal, and return the starter."""
        pack = self.chance.sample(CARDS, 52)
        if self.rich:
            pack = RICH[:each] + [card for card in pack if card not in RICH]
        self.hands = [pack[seat * each : (seat + 1) * each] for seat in range(seats)]
        left = pack[seats * each :]
        self.crib = left[:4]
        return next(card for card in left[4:] if card[0] != "J")

    def cut_starter(self, now: dict[str, Any]) -> None:
        """Deal the cards of the game in the heading, and tap the starter."""
        five = "Five-card" in self.phones[0].page.locator("h1").inner_text()
        self.tap_card(0, self.deal_hands(max(2, len(now["scores"])), 3 if five else 4))

    def play_turn(self, now: dict[str, Any]) -> None:
        """Play the first card that fits, or go; in a game of pegs only, peg some points."""
        if self.phones[0].page.locator("[data-move=peg]").count():
            return self.peg_points()
        seat, left = now["turn"], self.hands[now["turn"]]
        fits = [card for card in left if now["count"] + WORTH[card[0]] <= 31]
        if fits:
            left.remove(fits[0])
            self.tap_card(seat, fits[0])
        else:
            self.tap_control(seat, f"[data-move=go][data-seat='{seat}']")
        return None

    def show_hand(self, now: dict[str, Any]) -> None:
        self.tap_card(now["turn"], self.hands[now["turn"]].pop(0))

    def show_crib_card(self, _: dict[str, Any]) -> None:
        self.tap_card(0, self.crib.pop(0))

    def begin_next_deal(self, _: dict[str, Any]) -> None:
        self.tap_control(0, "[data-move=next]")

    def roll_dice(self, now: dict[str, Any]) -> None:
        """Enter dice by tapping their faces."""
        two = "two dice" in self.phones[now["turn"] % len(self.phones)].page.locator("div.dice").inner_text()
        if two:
            self.tap_control(now["turn"], f"[data-face='{self.chance.randint(1, 6)}']", moves=False)
        self.tap_control(now["turn"], f"[data-face='{self.chance.randint(1, 6)}']")

    def take_chips(self, now: dict[str, Any]) -> None:
        phone = self.phones[now["turn"] % len(self.phones)]
        for left in range(2 if "two chips" in now["said"] else 1, 0, -1):
            keys = phone.page.locator("[data-move=take][aria-pressed=false]")
            key = keys.nth(self.chance.randrange(keys.count())).get_attribute("data-chip")
            self.tap_control(now["turn"], f"[data-move=take][data-chip='{key}']", moves=left == 1)

    def exchange_markers(self, now: dict[str, Any]) -> None:
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
            self.tap_control(now["turn"], f"button[data-cell='{row},{column}']", moves=moves)

    def adjust_by_fives(self, side: int, steps: int) -> None:
        """Adjust a score by five points a number of times."""
        for _ in range(steps):
            if not (
                five := self.phones[0].page.locator(f"[data-move=adjust][data-seat='{side}'][data-points='5']")
            ).is_visible():
                self.phones[0].open_menu(".corrections summary")
                five.wait_for(state="visible")
            self.tap_control(0, f"[data-move=adjust][data-seat='{side}'][data-points='5']")
        self.phones[0].page.locator("dialog[open] [data-close]").tap()

    def return_chip(self, now: dict[str, Any]) -> None:
        self.tap_control(now["turn"], "[data-move=return]")

    def lay_cards(self, _: dict[str, Any]) -> None:
        for card in self.chance.sample(CARDS, 17):
            self.tap_card(0, card)

    def swap_cards(self, now: dict[str, Any]) -> None:
        """Request the best layout and follow it."""
        page = self.phones[0].page
        if not page.locator("[data-move=swap]").is_visible():
            page.locator("[data-ask=best]").tap()
            page.locator("[data-move=swap]").wait_for(state="visible")
        self.tap_control(0, "[data-move=swap]")

    def peg_points(self) -> None:
        side, points = self.chance.randrange(2), self.chance.randint(1, 18)
        if points > 6:
            self.tap_control(side, f"[data-more=peg][data-seat='{side}']", moves=False)
        self.tap_control(side, f"[data-move=peg][data-seat='{side}'][data-points='{points}']")


PHASES: dict[str, Callable[[PhonePlayers, dict[str, Any]], None]] = {
    "cut": PhonePlayers.cut_starter,
    "play": PhonePlayers.play_turn,
    "show": PhonePlayers.show_hand,
    "crib": PhonePlayers.show_crib_card,
    "between": PhonePlayers.begin_next_deal,
    "roll": PhonePlayers.roll_dice,
    "take": PhonePlayers.take_chips,
    "exchange": PhonePlayers.exchange_markers,
    "return": PhonePlayers.return_chip,
    "lay": PhonePlayers.lay_cards,
    "swap": PhonePlayers.swap_cards,
}
"""The action of the players in each phase."""
