"""A deal by keyboard and accessibility tree alone."""

PLAIN = [flag for device in ("sensors", "lights", "cards", "buttons") for flag in (f"--{device}", "none:")]
DEAL = ["5D", "5H", "TH", "5S", "KS", "AD", "4C", "7C", "6S", "2H", "3H", "9C", "QD"]
TOLD = """\
- group "Red":
  - text: Red 16
  - progressbar "Red's progress"
- group "Blue":
  - text: Blue 10 deals
  - progressbar "Blue's progress"
- status: Blue deals next.
- region "The last count":
  - paragraph: "Red's crib: fifteen two, fifteen four."
  - img "2 of hearts": "2"
  - img "3 of hearts": "3"
  - img "queen of diamonds": Q
  - img "5 of diamonds": "5"
  - text: "+4 Score after this hand: Red 16, Blue 10."
  - group: Where the pegs stand
- region "The play":
  - heading "The cards" [level=2]
  - button "Correct the 5 of diamonds"
  - text: starter Red
  - button "Correct the 10 of hearts"
  - button "Correct the king of spades"
  - button "Correct the 4 of clubs"
  - button "Correct the 6 of spades"
  - text: Blue
  - button "Correct the 5 of hearts"
  - button "Correct the 5 of spades"
  - button "Correct the ace of diamonds"
  - button "Correct the 7 of clubs"
  - text: Crib
  - button "Correct the 2 of hearts"
  - button "Correct the 3 of hearts"
  - button "Correct the 9 of clubs"
  - button "Correct the queen of diamonds"
- group "Moves":
  - button "Undo"
  - button "Next hand"
"""
"""What a screen reader has of the table after that deal, in the order in which it reads."""


def test_a_deal_by_keyboard_alone_and_its_announcements(programs, phones):
    """Cards are typed; Tab reaches *Next hand*, and Enter presses it."""
    program, phone = programs(*PLAIN), phones(1280, 800)
    page = phone.open(program.players)
    phone.wait_until("document.body.dataset.role", "player")
    for card in DEAL:
        before = page.evaluate("document.body.dataset.snapshot")
        phone.type_keys(card.replace("T", "10").lower())
        phone.wait_until(f"document.body.dataset.snapshot !== '{before}'", True)
    phone.wait_until("document.body.dataset.phase", "between")

    assert page.locator("main .status-column").aria_snapshot() == TOLD.strip()
    while page.evaluate("document.activeElement.dataset.move") != "next":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    phone.wait_until("document.body.dataset.phase", "cut")
    assert phone.visible_texts("[data-turn]") == [
        "Blue deals. Two cards each to the crib, then cut and enter the starter."
    ]
    assert phone.complaints == []
