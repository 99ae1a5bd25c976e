"""Counts in words, as players say them."""

import pytest

from companion.rules import narration, scoring
from companion.rules.cards import parse_cards
from companion.rules.engine import Award

NAMES = ("Red", "Blue")


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("2D4C6C8C|TC", "nothing"),
        ("7H8CQSKD|2D", "fifteen two"),
        ("5H5S5CJD|5D", "fifteen two, fifteen four, fifteen six, fifteen eight, fifteen ten, fifteen twelve, "
         "fifteen fourteen, fifteen sixteen, four of a kind is twenty-eight, and his nobs is twenty-nine"),
        ("7C8D2H2S|KD", "fifteen two, and a pair is four"),
        ("6C7D7S8H|KD", "fifteen two, fifteen four, and a double run of three makes twelve"),
        ("4C5D5S6H|6D", "fifteen two, fifteen four, fifteen six, fifteen eight, "
         "and a double double run of three makes twenty-four"),
        ("3C3D3H4S|5S", "fifteen two, fifteen four, fifteen six, and a triple run of three makes twenty-one"),
        ("TDJHQCKS|9H", "a run of five is five, and his nobs is six"),
        ("2C4C6C8C|TD", "a flush is four"),
        ("AC2D3S9H|9C", "fifteen two, fifteen four, a pair is six, and a run of three is nine"),
        ("QSKDAC2H|3D", "fifteen two, fifteen four, and a run of three is seven"),
        ("9C9D9HKS|2D", "three of a kind is six"),
        ("9C9DKHKS|2D", "a pair is two, and a pair is four"),
    ],
)  # fmt: skip
def test_a_hand_is_said_with_its_running_total(shown: str, said: str):
    hand, starter = (parse_cards(part) for part in shown.split("|"))
    items = scoring.itemize_hand(hand, starter[0])
    assert narration.describe_count(items) == said
    last = said.replace(",", "").split()[-1]
    assert last == ("nothing" if not items else narration.spell_number(scoring.sum_points(items)))


@pytest.mark.parametrize(
    ("scored", "said"),
    [
        (["5S5C", "5C5H"], "a pair is two, and a pair is four"),
        (["4C5D6S", "4C5D6S7H"], "a run of three is three, and a run of four is seven"),
        (["6S6H", "4C5D6S"], "a pair is two, and a run of three is five"),
        (["4C5D6S"] * 5, ", ".join(f"a run of three is {word}" for word in ("three", "six", "nine", "twelve"))
         + ", and a run of three is fifteen"),
    ],
)  # fmt: skip
def test_several_scores_are_counted_to_their_sum(scored: list[str], said: str):
    awards = [
        Award(0, len(shown) // 2 if len(shown) > 4 else 2, "run" if len(shown) > 4 else "pair", parse_cards(shown))
        for shown in scored
    ]
    assert narration.describe_count(awards) == said


def test_awards_are_described_hand_by_hand():
    ten, five, jack, king = parse_cards("TH5HJD5S")
    awards = (
        Award(1, 2, "thirty-one", (ten, jack, five)),
        Award(1, 2, "pair", (jack, five)),
        Award(1, 2, "fifteen", (ten, king)),
        Award(1, 2, "pair", (five, king)),
        Award(0, 1, "his nobs", (jack,)),
    )
    assert [count.say for count in narration.summarize_counts(awards, NAMES)] == [
        "Blue: thirty-one for two, and a pair is four.",
        "Blue: fifteen two, and a pair is four.",
        "Red: one for his nobs.",
    ]


@pytest.mark.parametrize(
    ("award", "said"),
    [
        (Award(0, 2, "his heels", parse_cards("JD")), "Red: two for his heels."),
        (Award(1, 1, "last card", parse_cards("5D")), "Blue: one for last."),
        (Award(1, 1, "go", parse_cards("5D")), "Blue: one for the go."),
        (Award(1, -40, "adjust"), "Blue: corrected by −40."),
        (Award(1, 6, "pegged"), "Blue pegs six."),
        (Award(1, 8, "claim"), "Blue claims eight."),
        (Award(0, 2, "muggins"), "Red: muggins for two."),
        (Award(0, 2, "overclaim"), "Red: two for an overclaim."),
        (Award(1, -11, "false claim"), "Blue: eleven back for a false claim."),
        (Award(1, 3, "three for last"), "Blue: three for last."),
        (Award(0, 5, "zigzag"), "Red: a zig-zag is five."),
        (Award(1, 2, "renege", parse_cards("3C")), "Blue: two for the renege, the 3 of clubs."),
    ],
)
def test_what_is_not_counted_stands_alone(award: Award, said: str):
    assert [count.say for count in narration.summarize_counts((award,), NAMES)] == [said]
    assert len(narration.summarize_counts((award, Award(award.seat, 2, "fifteen", parse_cards("5C"))), NAMES)) == 2


def test_a_hand_is_summed_and_shows_cards_once():
    ten, five, jack = parse_cards("TH5HJD")
    fifteens = [Award(1, 2, "fifteen", (ten, five)), Award(1, 2, "fifteen", (jack, five))]
    (hand, back) = narration.summarize_counts([*fifteens, Award(0, -11, "false claim")], NAMES)
    assert (hand.seat, hand.points, hand.cards) == (1, 4, (ten, five, jack))
    assert hand.say == "Blue: fifteen two, fifteen four."
    assert (back.seat, back.points, back.cards) == (0, -11, ())


@pytest.mark.parametrize(
    ("points", "said"),
    [
        (4, "Blue claimed 4: fifteen two, and a pair is four."),
        (0, "Blue claimed 0, 4 missed: fifteen two, and a pair is four."),
        (6, "Blue claimed 6, 2 too many: fifteen two, and a pair is four."),
    ],
)
def test_a_claim_is_held_against_the_truth(points: int, said: str):
    truth = (Award(1, 2, "fifteen", parse_cards("TH5H")), Award(1, 2, "pair", parse_cards("5H5D")))
    assert narration.describe_claim("Blue", points, truth) == said
    assert narration.describe_claim("Red", 0, ()) == "Red claimed 0: nothing."
