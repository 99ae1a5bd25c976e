"""Simulated players at a plain board, with phones and a deck: they read the page and tap its controls.

They never ask the table: they know the cards of each hand because they dealt them.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

from tests.oracles.scores import score_hand, score_series
from tests.oracles.swap import COLOURS, Cell, Display, figure_closeness

CARDS = [rank + suit for suit in "SHCD" for rank in "A23456789TJQK"]
WORTH = {rank: min(at, 10) for at, rank in enumerate("A23456789TJQK", 1)}
RICH = ["5H", "5S", "5C", "JD"]
HEADING = "document.querySelector('h1').textContent"
MAX_TAPS = 600
"""Maximum number of moves in a whole game of any kind. More mean that the page is stuck."""
COUNT_TAPS = """() => {
    window.taps = 0, window.deadTaps = [];
    let unanswered = "";
    window.settleTap = () => (unanswered && deadTaps.push(unanswered), (unanswered = ""));
    addEventListener("click", ({ target, isTrusted }) => {
        if (isTrusted) taps += 1, settleTap(), (unanswered = target.outerHTML.slice(0, 200));
    }, true);
    new MutationObserver((changes) => changes.some((each) => each.attributeName !== "aria-busy") && (unanswered = ""))
        .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}"""
"""A tap is dead if nothing on the page changes until the next one."""


class PhonePlayers:
    """Players with phones; the seats are assigned to the phones in turn. `rich`: seat 0 always gets the best hand."""

    def __init__(self, phones: Sequence[Any], seed: int = 1, *, rich: bool = False) -> None:
        self.phones, self.chance, self.rich = phones, random.Random(seed), rich
        self.hands: list[list[str]] = []
        self.shown: list[tuple[str, ...]] = []
        self.crib: list[str] = []
        self.starter = ""
        self.series: list[str] = []
        self.turned_up: list[str] = []
        self.last_seat, self.claims = 0, 0

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
            phone.wait_for_count(".first-choice:not([hidden])", 0)

    def watch_page(self) -> None:
        """Count the taps of each phone from now on, and sum up what moves."""
        for phone in self.phones:
            phone.page.evaluate(COUNT_TAPS)
            phone.note_shifts()

    def read_taps(self) -> tuple[int, list[str], float]:
        """Return how many taps the players made, those that changed nothing, and the largest sum of layout shifts."""
        dead = [each for phone in self.phones for each in phone.page.evaluate("(settleTap(), deadTaps)")]
        taps = sum(phone.page.evaluate("taps") for phone in self.phones)
        return taps, dead, max(phone.read_shift() for phone in self.phones)

    def play_until(
        self, until: Callable[[dict[str, Any]], bool] = lambda now: now["phase"] == "over"
    ) -> dict[str, Any]:
        """Play until the page shows a condition; return what it shows then."""
        for _ in range(MAX_TAPS):
            if until(now := self.read_page(self.phones[0])):
                return now
            getattr(self, PHASES[now["phase"]])(now)
        raise AssertionError(f"After {MAX_TAPS} moves it is {now}")

    def read_page(self, phone: Any) -> dict[str, Any]:
        """Return the phase, the turn and the count that a phone shows."""
        return dict(
            phone.page.evaluate("""({phase: document.body.dataset.phase,
            turn: Number(document.querySelector('[data-turn]').dataset.turn || -1),
            count: Number(document.querySelector('[data-count]')?.dataset.count ?? 0),
            seats: document.querySelectorAll('.hands > .row-label').length,
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
        self.shown = [tuple(hand) for hand in self.hands]
        left = pack[seats * each :]
        self.crib = left[:4]
        return next(card for card in left[4:] if card[0] != "J")

    def cut_starter(self, now: dict[str, Any]) -> None:
        """Deal the cards of the game in the heading, and tap the starter."""
        five = "Five-card" in self.phones[0].page.locator("h1").inner_text()
        self.starter = self.deal_hands(now["seats"], 3 if five else 4)
        self.series, self.claims = [], 0
        self.tap_card(0, self.starter)

    def play_turn(self, now: dict[str, Any]) -> None:
        """Play the first card that fits, or go, and claim what it scores; in a game of pegs only, peg some points."""
        if self.phones[0].page.locator("[data-move=peg]").count():
            return self.peg_points()
        seat, left = now["turn"], self.hands[now["turn"]]
        if not now["count"]:
            self.series = []
        fits = [card for card in left if now["count"] + WORTH[card[0]] <= 31]
        if fits:
            left.remove(fits[0])
            self.play_card(seat, fits[0])
            self.series.append(fits[0])
            self.last_seat = seat
            points = self.points_of(score_series(tuple(self.series)))
        else:
            self.tap_control(seat, f"[data-move=go][data-seat='{seat}']")
            points = int(self.read_page(self.phones[0])["count"] == 0)
        after = self.read_page(self.phones[0])
        if points and after["phase"] == "play":
            self.claim_points(self.last_seat, points)
        return None

    def play_card(self, seat: int, card: str) -> None:
        self.tap_card(seat, card)

    def points_of(self, items: tuple[tuple[int, str], ...]) -> int:
        return sum(points for points, _ in items)

    def claim_due(self, now: dict[str, Any]) -> None:
        """Claim the last card, then the hands, then the crib."""
        seat, starter = now["turn"], self.starter
        if self.claims == 0:
            items = score_series(tuple(self.series))
            points = self.points_of(items) + ((2, "thirty-one") not in items)
        elif self.claims <= len(self.shown):
            points = self.points_of(score_hand(self.shown[seat], starter, crib=False))
        else:
            points = self.points_of(score_hand(tuple(self.turned_up), starter, crib=True))
        self.claims += 1
        self.claim_points(seat, points)

    def claim_points(self, seat: int, points: int) -> None:
        """Claim points where the players count."""
        page = self.phones[seat % len(self.phones)].page
        if not page.locator(".claiming").is_visible():
            return
        if not page.locator(f"[data-more=claim][data-seat='{seat}']").is_visible():
            self.tap_control(seat, f"[data-who=claim][data-seat='{seat}']", moves=False)
        self.tap_points("claim", seat, points)

    def tap_points(self, move: str, seat: int, points: int) -> None:
        if points > 6:
            self.tap_control(seat, f"[data-more={move}][data-seat='{seat}']", moves=False)
        self.tap_control(seat, f"[data-move={move}][data-seat='{seat}'][data-points='{points}']")

    def show_hand(self, now: dict[str, Any]) -> None:
        self.tap_card(now["turn"], self.hands[now["turn"]].pop(0))

    def show_crib_card(self, _: dict[str, Any]) -> None:
        self.turned_up = [] if len(self.crib) == 4 else self.turned_up
        self.turned_up.append(self.crib.pop(0))
        self.tap_card(0, self.turned_up[-1])

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
        self.tap_points("peg", side, points)


class PrivatePlayers(PhonePlayers):
    """Two players, each with the cards of their seat on their own phone."""

    def begin(self, key: str, **chosen: Any) -> None:
        super().begin(key, **chosen)
        for seat, phone in enumerate(self.phones):
            phone.open_menu(".my-seat summary", f"[data-sit='{seat}']")

    def cut_starter(self, _: dict[str, Any]) -> None:
        """Enter both hands, discard the last two cards of each, and tap the starter."""
        starter = self.deal_hands(2, 6)
        for phone, hand in zip(self.phones, self.hands, strict=True):
            self.close_pad(phone.page)
            phone.page.locator("[data-open=hand]").tap()
            for card in hand:
                phone.page.locator(f"dialog[open] [data-card='{card}']").tap()
            phone.page.locator("dialog[open] [data-keep]").tap()
            for card in hand[4:]:
                phone.page.locator(f".my-hand [data-away='{card}']").tap()
            phone.page.locator(".bar [data-away]").tap()
            phone.wait_for_count(".my-hand [data-own]", 4)
        self.crib = [*self.hands[0][4:], *self.hands[1][4:]]
        self.hands = [hand[:4] for hand in self.hands]
        self.tap_card(0, starter)

    def play_card(self, seat: int, card: str) -> None:
        self.close_pad(self.phones[seat].page)
        self.tap_control(seat, f".my-hand [data-own='{card}']")

    def close_pad(self, page: Any) -> None:
        """Close the pad of all cards, which hides those of the phone."""
        if (pad := page.locator("[data-open=cards][aria-expanded=true]")).count():
            pad.tap()


class Guest(PhonePlayers):
    """A person who plays against the companion, with the cards that it deals."""

    def begin(self, key: str, **chosen: Any) -> None:
        (phone,) = self.phones
        phone.tap(".first-choice [data-way=against]", f"dialog [data-level={chosen['level']}]", "dialog [data-start]")
        phone.wait_for_count("dialog[open]", 0)

    def read_page(self, phone: Any) -> dict[str, Any]:
        """Wait until the person has something to tap."""
        phone.wait_until(f"[...document.querySelectorAll(`{THEIR_TAPS}`)].some((el) => el.checkVisibility())", True)
        return super().read_page(phone)

    def cut_starter(self, _: dict[str, Any]) -> None:
        (phone,) = self.phones
        for chosen in range(2):
            phone.page.locator(".my-hand [data-away]").nth(chosen * 3).tap()
            phone.wait_for_count(".my-hand [aria-pressed=true]", chosen + 1)
        phone.page.locator(".bar [data-away]").tap()
        phone.wait_for_count(".my-hand [data-away]", 0)

    def play_turn(self, _: dict[str, Any]) -> None:
        self.tap_control(0, ".my-hand [data-own]:enabled")


PHASES = {
    "cut": "cut_starter",
    "play": "play_turn",
    "claim": "claim_due",
    "show": "show_hand",
    "crib": "show_crib_card",
    "between": "begin_next_deal",
    "roll": "roll_dice",
    "take": "take_chips",
    "exchange": "exchange_markers",
    "return": "return_chip",
    "lay": "lay_cards",
    "swap": "swap_cards",
}
"""The action of the players in each phase."""
THEIR_TAPS = ".my-hand [data-away], .my-hand [data-own]:enabled, [data-move=next]"
"""What a person taps who plays against the companion."""
