"""Each game at a real table, played by taps alone."""

import pytest

TURN = "document.querySelector('[data-turn]').textContent"
SCORES = "[...document.querySelectorAll('[data-score]')].map(el => el.textContent)"
HIT = "3C 2S TC 8S KC go go 8C 2C 8H 5C JD 7C 4D 2H"
"""A first hand of 'Round the Bases that brings the batter to second base."""


class Taps:
    """A player with a phone."""

    def __init__(self, phone, program):
        self.table, self.phone, self.page = program.watchers, phone, phone.open(program.players)
        phone.wait_until("document.body.dataset.role", "player")

    def tap(self, selector):
        """Tap once, wait until the answer is drawn, and return it."""
        with self.page.expect_response("**/api/moves") as answered:
            self.page.locator(f"{selector}:visible").tap()
        told = answered.value.json()
        if answered.value.status == 201:
            self.phone.wait_until(f"Number(document.body.dataset.snapshot) >= {told['number']}", True)
        return told

    def cards(self, codes):
        for code in codes.split():
            if code == "go":
                self.tap("[data-move=go]")
                continue
            if not self.page.locator("[data-card=AS]").is_visible():
                self.page.locator("[data-open=cards]").tap()
            self.tap(f"[data-card='{code}']")

    def behind(self, codes):
        """Make a move with cards that the story does not mention."""
        for code in codes.split():
            if code == "go":
                turn = int(self.page.locator("[data-turn]").get_attribute("data-turn"))
                self.move(type="go", seat=turn)
            else:
                self.move(type="card", card=code)

    def move(self, **made):
        """Make moves directly at the table, not by the page."""
        reply = self.page.request.post(f"{self.table}api/moves", data=made)
        assert reply.status == 201, reply.text()
        self.phone.wait_until(f"Number(document.body.dataset.snapshot) >= {reply.json()['number']}", True)

    def reads(self, turn, scores=None):
        self.phone.wait_until(TURN, turn)
        if scores:
            assert self.page.evaluate(SCORES) == [str(score) for score in scores]


@pytest.fixture
def play(programs, phones):
    """Open a table of a game."""

    def sit(*flags):
        phone = phones()
        return Taps(phone, programs(*flags))

    return sit


def test_five_card_shows_what_the_play_did_not(play):
    player = play("--game", "five-card")
    player.reads("Red deals. Cut the starter.", (0, 3))
    player.cards("5D TH 5H 6C TD")
    player.reads("Blue shows the hand: 1 more card.", (4, 3))
    player.cards("9S")
    player.reads("Red shows the hand: 1 more card.", (4, 7))
    player.cards("KH")
    player.reads("Red turns up the crib.", (14, 7))
    player.cards("2S 3S 8D QC")
    player.reads("Blue deals next.")


def test_nothing_is_revealed_before_it_is_claimed(play):
    player = play("--option", "counting=manual", "--option", "muggins=on")
    player.cards("4D TH 5H")
    assert player.phone.visible_texts(".count-line") + player.phone.visible_texts(".window") == []
    player.tap("[data-move=claim][data-seat='0'][data-points='1']")
    player.reads("Blue to play.", (1, 0))
    assert player.phone.visible_texts(".window") == ["Red has claimed. Muggins may be called now."]
    assert "fifteen" not in player.page.inner_text("main")
    player.page.locator("[data-who=muggins][data-seat='1']").tap()
    player.tap("[data-move=muggins][data-seat='1'][data-points='1']")
    player.reads("Blue to play.", (1, 1))
    assert player.phone.visible_texts(".counted") == ["Red claimed 1, 1 missed: fifteen two."]


def test_a_hand_is_claimed_before_it_is_counted(play):
    player = play("--option", "counting=manual")
    player.behind("4D TH KH QH go AH JC 2C KS 3C")
    player.reads("Red says the count.")
    player.tap("[data-move=claim][data-points='1']")
    player.reads("Blue says the count.")
    assert player.page.locator("[data-move=claim][data-points='19']").count() == 0
    assert "run" not in player.phone.visible_texts(".counted")[0]
    player.tap("[data-move=claim][data-points='4']")
    assert "Blue claimed 4" in player.phone.visible_texts(".counted")[0]
    player.reads("Red says the count.")


def test_pursuit_says_who_is_out(play):
    player = play("--game", "pursuit", "--seats", "3")
    for seat, points in enumerate((29, 3, 7)):
        player.move(type="adjust", seat=seat, points=points)
    assert player.phone.visible_texts(".plate .marks") == ["deals\nlap 1", "lap 1", "lap 1"]
    assert "Red needs 1 to catch Blue" in " ".join(player.phone.visible_texts(".chase")[0].split())
    player.cards("4D TH 2S 3S")
    player.reads("Blue is knocked out. Red deals next.", (31, 3, 7))
    assert player.phone.visible_texts(".plate .marks")[1] == "out"
    player.tap("[data-move=next]")
    player.reads("Red deals. Cut the starter.", (0, 0, 0))
    player.tap("[data-move=undo]")
    player.tap("[data-move=undo]")
    player.reads("Red to play.", (29, 3, 7))


def test_bases_with_typed_dice_and_a_steal(play):
    player = play("--game", "bases")
    player.reads("Red rolls a die. The higher roll bats first.")
    player.tap("[data-face='5']")
    player.tap("[data-face='3']")
    player.reads("Red bats. Cut the starter.")
    player.behind(HIT)
    player.reads("Red bats next.", (0, 0))
    assert "The batter: safe on second." in player.phone.visible_texts(".facts")[0]
    player.tap("[data-move=steal][data-base='2']")
    player.reads("Red rolls: a 6 steals third.")
    player.page.locator("[data-face='1']").tap()
    player.tap("[data-face='6']")
    player.reads("Red bats next.", (0, 0))
    assert player.page.locator(".thrown").get_attribute("aria-label") == "The dice show 1 and 6."
    assert player.page.locator(".diamond").get_attribute("aria-label") == "Runners on third"
    assert player.phone.visible_texts("[data-move=steal]") == []  # one try a hand


def test_the_dice_button_rolls_where_dice_are_due(play):
    player = play("--game", "bases")
    player.page.goto(f"{player.table}bench")
    player.phone.wait_until("document.body.dataset.role", "player")
    player.page.locator("[data-press=dice]").tap()
    player.phone.wait_for_count(".die-face", 1)
    player.phone.wait_until(TURN, "Blue rolls a die. The higher roll bats first.")


def test_swap_lights_up_legal_partners(play):
    player = play("--game", "swap")
    player.reads("Red takes two chips.")
    player.page.locator("[data-chip=red]").tap()
    player.tap("[data-chip=blue]")
    player.reads("Red exchanges a red and a blue tile.")
    player.page.locator("[data-cell='0,0']").tap()
    lit = player.page.locator(".cell.may").evaluate_all("all => all.map(el => el.dataset.cell)")
    assert lit == ["0,3", "2,4", "3,2"]
    player.tap("[data-cell='1,1']")
    assert "isolated" in player.phone.visible_texts("[data-error]")[0]
    player.tap("[data-cell='2,4']")
    player.reads("Red gives a chip back.")
    assert player.page.locator(".display .marker").first.get_attribute("class").split() == ["marker", "blue"]
    player.tap("[data-move=return][data-chip=blue]")
    player.reads("Blue takes two chips.")
    assert player.page.locator(".stones td").count() == 1 + 5 * 4


def test_swap_is_abandoned_with_two_taps(play):
    player = play("--game", "swap")
    player.page.locator("[data-chip=red]").tap()
    player.tap("[data-chip=blue]")
    player.phone.open_menu(".corrections summary")
    player.page.locator("[data-afresh]").tap()
    player.page.locator("[data-afresh]").tap()
    player.reads("Blue takes two chips.", (0, 0))
    assert player.page.locator("[data-move=take]").count() == 5


LAID = "5H 5S 6D 7C JD QC KH TS 4C 4D 6H 6S 2C 4S 6C 8C 5D"
"""A layout of cribbage shuffle, row by row, and its starter: 92 points."""


def test_shuffle_is_laid_and_swapped_by_taps(play):
    player = play("--game", "shuffle")
    player.cards(LAID)
    player.reads("You won. Keep swapping for more.", (92,))
    assert player.phone.visible_texts(".worth") == ["17", "13", "24", "7", "7", "8", "8", "8"]
    player.page.locator("[data-cell='0,0']").tap()
    player.tap("[data-cell='3,0']")
    assert player.phone.visible_texts("[data-cell='3,0'] .rank") == ["5"]
    player.tap("[data-move=undo]")
    player.reads("You won. Keep swapping for more.", (92,))


def test_shuffle_leads_to_the_best_layout(play):
    player = play("--game", "shuffle")
    *cards, starter = LAID.split()
    player.move(type="lay", cards=cards, starter=starter)
    player.page.locator("[data-ask=hint]").tap()
    player.phone.wait_for_text(".hints [data-move=swap]", "Swap them")
    assert len(player.phone.visible_texts(".square .hinted")) == 2
    player.tap(".hints [data-move=swap]")
    assert int(player.page.evaluate(SCORES)[0]) > 92
    player.page.locator("[data-ask=best]").tap()
    player.phone.wait_for_count(".best .card", 16)
    assert "best layout" in player.phone.visible_texts(".hints [role=status]")[0]


def test_card_of_square_stays_where_put(play):
    player = play("--game", "shuffle", "--option", "variant=square")
    player.reads("Turn up a card.")
    player.cards("5H")
    player.reads("Place the 5 of hearts.")
    player.tap("[data-cell='2,3']")
    player.cards("9C")
    assert player.page.locator("[data-cell='2,3']").count() == 0
    player.reads("Place the 9 of clubs.")
