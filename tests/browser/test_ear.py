"""A deal by ear: every decision follows from what is announced, every move is made with the keyboard."""

import re
from itertools import pairwise

from tests.browser.ear import ScreenReader

PLAIN = [flag for device in ("sensors", "lights", "cards", "buttons") for flag in (f"--{device}", "none:")]
RANKS = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"]
TURN = r"(\w+)(?: to play| plays first|: play a card)|(\w+) turns up the crib|deals next"


def value(card):
    """Return the value of a card as it is named aloud, or as it is written on a braille deck."""
    name = card.split(" of ")[0]
    return min(RANKS.index(name) + 1 if name in RANKS else "A23456789TJQK".index(card[0]) + 1, 10)


def count_after(said, count):
    found = re.search(r"Count: (\d+)", said)
    return int(found[1]) if found else count


TWO_SEATS = """\
The 5 of diamonds was cut. Blue plays first. Enter each card that is played.
Blue played the 5 of hearts. Count: 5. Red to play.
The 5 of diamonds has already been seen in this deal.
Red played the 10 of hearts. Red: fifteen two. Count: 15. Blue to play.
Blue played the 5 of spades. Count: 20. Red to play.
Red played the king of spades. Count: 30. Blue: play a card or say go.
Blue said go. Count: 30. Red: play a card or say go.
Red said go. Red: one for the go. Count: 0. Blue to play.
Blue played the king of diamonds. Count: 10. Red to play.
Red played the 4 of clubs. Count: 14. Blue to play.
Blue played the 7 of clubs. Count: 21. Red to play.
Red played the 6 of spades. Red: one for last. \
Blue: fifteen two, fifteen four, fifteen six, fifteen eight, and three of a kind is fourteen. \
Red: fifteen two, fifteen four, fifteen six, and a run of three is nine. Red turns up the crib.
2 of hearts. Red turns up the crib: 1 of 4.
3 of hearts. Red turns up the crib: 2 of 4.
9 of clubs. Red turns up the crib: 3 of 4.
queen of diamonds. Red's crib: fifteen two, fifteen four. Score after this hand: Red 17, Blue 14. Blue deals next.
Next hand. Blue deals. Two cards each to the crib, then cut and enter the starter.
"""
"""What they hear, from the cut on."""


def test_two_players_play_a_deal_by_ear(programs, phones):
    """They share one phone, and know their hands from the braille on their cards."""
    program = programs(*PLAIN)
    phone = phones(390, 844, new=True)
    reader = ScreenReader(phone, program.players)
    hands = {"Red": ["TH", "KS", "4C", "6S"], "Blue": ["5H", "5S", "KD", "7C"]}
    crib = ["2H", "3H", "9C", "QD"]
    try:
        reader.press("button Our own board, count the cards")
        reader.tab_to("button Start the game")
        reader.type_card("9S")  # behind the dialog, where no button has the focus while a request runs
        reader.press("button Start the game")
        reader.wait_for("then cut")
        reader.type_card("5D")
        said, count, has_erred = reader.wait_for(TURN), 0, False
        while "deals next" not in said.string:
            count = count_after(said.string, count)
            if said[2]:
                reader.type_card(crib.pop(0))
            elif fitting := [card for card in hands[said[1]] if count + value(card) <= 31]:
                if count and not has_erred:  # a slip of the finger
                    has_erred = True
                    reader.type_card("5D")
                    reader.wait_for("already been seen")
                hands[said[1]].remove(fitting[0])
                reader.type_card(fitting[0])
            else:
                reader.press(f"button {said[1]}: go")
            said = reader.wait_for(TURN)
        reader.press("button Next hand")
        reader.wait_for("then cut")
    finally:
        print("\n".join(reader.transcript))
    announcements = "\n".join(reader.announcements())
    assert announcements.endswith(TWO_SEATS.strip())
    assert "9 of spades" not in announcements


def test_player_and_companion_play_a_deal_by_ear(seeded_table, phones):
    phone = phones(390, 844, new=True)
    reader = ScreenReader(phone, seeded_table.players)
    try:
        reader.press("button Play against the companion")
        reader.press("button Start the game")
        hand = reader.wait_for(r"Your cards: (.*)\. Crib: Red\.")[1].split(", ")
        for card in (hand.pop(-2), hand.pop()):
            reader.press(f"button Discard the {card}")
        reader.press("button Discard to crib")
        while "deals next" not in (said := reader.wait_for(r"Your turn: tap|deals next")).string:
            count = count_after(said.string, 0)
            fitting = [card for card in hand if count + value(card) <= 31]
            hand.remove(fitting[0])
            reader.press(f"button Play the {fitting[0]}")
        reader.press("button Next hand")
        reader.wait_for("Your cards")
    finally:
        print("\n".join(reader.transcript))
    announcements = reader.announcements()
    played = [line for line in announcements if " played the " in line]
    assert len(played) == 8
    assert all("Count: " in line for line in played[:-1])
    counts = [line for line in announcements if re.search(r"Red: .* Red turns up the crib|The crib: (.*, ){3}", line)]
    assert [line.count("Companion: ") for line in counts] == [1, 0]
    (end,) = (line for line in announcements if "Score after this hand" in line)
    scores = phone.page.evaluate("fetch('/api/state').then(answer => answer.json()).then(now => now.scores)")
    assert f"Score after this hand: Red {scores[0]}, Companion {scores[1]}. Companion deals next." in end
    assert all(one != other for one, other in pairwise(announcements))
    # What is announced before the deal depends on how soon the page connects.
    first = next(n for n, line in enumerate(announcements) if "Choose two cards" in line)
    assert len(" ".join(announcements[first:]).split()) < 300
