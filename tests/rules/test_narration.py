"""Moves and counts in sentences: each kind of move once, what it earned, its undo; and how players count."""

import pytest

from companion import rules
from companion.rules import Setup, narration, scoring
from companion.rules.cards import parse_card, parse_cards
from companion.rules.engine import Award, History
from companion.rules.moves import MOVES, Adjust, AdjustmentPart, Lay, Next, Play, Starter, TakeBoard, Undo
from tests.support.move_notation import parse_story
from tests.support.stories import Story

NAMES = ("Red", "Blue", "Green")
DONE = [
    ("cut KS", "The king of spades was cut.", "Undone: the cut of the king of spades."),
    ("0 5H", "Red played the 5 of hearts.", "Undone: Red's 5 of hearts."),
    ("go 1", "Blue said go.", "Undone: Blue's go."),
    ("crib 5H5S", "The crib: 5 of hearts, 5 of spades.", "Undone: the crib, 5 of hearts, 5 of spades."),
    ("1 shows AC2C", "Blue showed ace of clubs, 2 of clubs.", "Undone: Blue's hand."),
    ("0 claims 8", "Red claimed 8.", "Undone: Red's claim of 8."),
    ("1 calls 2", "Blue called muggins for 2.", "Undone: Blue's call of muggins."),
    ("misdeal", "Misdeal.", "Undone: the misdeal."),
    ("0 adjusts 5", "Red's score was corrected by +5.", "Undone: the correction of Red's score."),
    (Adjust(1, -2, (AdjustmentPart(0, 3), AdjustmentPart(2, -1))),
     "Blue's score was corrected by −2, Red's by +3 and Green's by −1.",
     "Undone: the correction of Blue's, Red's and Green's scores."),
    ("correct 5H 6H", "The 5 of hearts was really the 6 of hearts: the deal was counted again.",
     "Undone: the correction of the 5 of hearts."),
    ("0 rolls 4", "Red rolled 4.", "Undone: Red's roll of 4."),
    ("1 rolls 3 4", "Blue rolled 3 and 4.", "Undone: Blue's roll of 3 and 4."),
    ("0 steals 2", "Red let the runner on second steal.", "Undone: Red's steal."),
    ("0 takes red blue", "Red took red and blue.", "Undone: Red's choice of red and blue."),
    ("1 exchanges 00 01", "Blue exchanged two tiles.", "Undone: Blue's exchange."),
    ("0 returns red", "Red returned red.", "Undone: Red's return of red."),
    ("lay 5H5S 5D", "The cards were laid.", "Undone: the layout."),
    (Lay(colours=("red",)), "The tiles were laid.", "Undone: the layout."),
    ("accept", "The ruling was accepted.", "Undone: the answer to the ruling."),
    ("judge 1 crib-seen", "The judge was called.", "Undone: the call for the judge."),
    ("swap 00 01", "Two cards were swapped.", "Undone: the swap."),
    ("place TD 00", "The 10 of diamonds was placed.", "Undone: the 10 of diamonds."),
    ("1 pegs 6", "Blue pegged 6.", "Undone: Blue's 6 points."),
    ("0 pegs 1", "Red pegged 1.", "Undone: Red's 1 point."),
    ("count_crib 5", "The crib: 5 points.", "Undone: the crib, 5 points."),
    (TakeBoard(), "The pegs were accepted as they stand.", "Undone: accepting the pegs as they stood."),
]  # fmt: skip
DEAL = "cut 5D; 1 TH; 0 JS; 1 QC; go 0; go 1"
PLAYED = f"{DEAL}; 0 KS; 1 2H; 0 9D; 1 3C; 0 4H"


def make_history(move, *awards):
    state = rules.begin_game(rules.find_game("six-card"), Setup()).state
    return History(state, History(state), parse_story(move)[0] if isinstance(move, str) else move, awards)


def after(moves, setup="", key="six-card"):
    return Story(key, moves, setup).past


def describe(moves, setup=""):
    return narration.describe_move(after(moves, setup), NAMES)


@pytest.mark.parametrize(("move", "said", "undone"), DONE)
def test_every_move_is_said_and_named_when_undone(move, said, undone):
    assert narration.describe_move(make_history(move), NAMES) == (said,)
    assert narration.describe_undo(make_history(move), NAMES) == (undone,)


def test_every_kind_of_move_is_said():
    assert {type(make_history(move).move) for move, _, _ in DONE} | {Next, Undo} == set(MOVES)


@pytest.mark.parametrize(
    ("key", "setup", "moves", "said", "undone"),
    [
        ("pegs-only", "", "0 adjusts 121", "New game.", "Undone: the new game."),
        ("shuffle", "seats=1", "lay 5H5S6D7CJDQCKHTS4C4D6H6S2C4S6C8C 5D", "New layout.", "Undone: the new layout."),
        ("six-card", "", f"{PLAYED}; crib AC3S4C6D", "Next hand.", "Undone: the next hand."),
    ],
)
def test_going_on_is_said_by_where_it_led(key, setup, moves, said, undone):
    past = after(f"{moves}; next", setup, key)
    assert narration.describe_move(past, NAMES) == (said,)
    assert narration.describe_undo(past, NAMES) == (undone,)


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("cut JD; 1 5H; 0 TH", ("Red played the 10 of hearts.", "Red: fifteen two.")),
        ("cut JD", ("The jack of diamonds was cut.", "Red: two for his heels.")),
        (DEAL, ("Blue said go.", "Blue: one for the go.")),
    ],
)
def test_what_a_move_earned_follows_hand_by_hand(moves, expected):
    assert describe(moves) == expected


def test_the_last_point_is_for_last():
    assert describe(PLAYED)[1] == "Red: one for last."


@pytest.mark.parametrize(
    ("move", "award", "more"),
    [
        ("0 claims 8", Award(0, 8, "claim"), ()),
        ("0 claims 8", Award(0, 6, "claim"), ("Red claims six.",)),
        ("1 pegs 6", Award(1, 6, "pegged"), ()),
        ("0 adjusts -2", Award(0, -2, "adjust"), ()),
        ("1 calls 2", Award(1, 2, "muggins"), ("Blue: muggins for two.",)),
        ("go 1", Award(1, 1, "last card"), ("Blue: one for last.",)),
    ],
)
def test_what_the_move_says_already_is_not_repeated(move, award, more):
    assert narration.describe_move(make_history(move, award), NAMES)[1:] == more


WRONG_GO = "cut 5D; 1 TH; 0 JS; 1 4C; go 0; 1 2H; go 1; 0 QH; 1 3C; 0 4H; 0 5C"


def test_a_wrong_go_names_count_and_card():
    assert [said for said in describe(WRONG_GO) if "said go" in said] == [
        "Red said go at 24, but held the 4 of hearts.",
        "Red said go at 24, but held the 5 of clubs. No points are taken off. If that was a wrong tap, undo it.",
    ]


def test_in_a_tournament_a_wrong_go_gives_points():
    said = describe(WRONG_GO, "policy=tournament")
    assert said[-1] == "Red said go at 24, but held the 5 of clubs."
    assert "Blue: two for the renege, the 5 of clubs." in said


def test_the_crib_is_said_to_be_the_dealers():
    past = after(f"{PLAYED}; crib AC3S4C6D")
    (said,) = narration.describe_move(past, NAMES)[1:]
    assert said.startswith("Red's crib: fifteen two")
    (count,) = narration.describe_last_move(past.parent, past, NAMES)["counts"]
    assert count.say == said


def test_a_hand_or_crib_has_no_points():
    told = Story("six-card", "cut KH; 1 QD; 0 4D; 1 9S; 0 8C; 1 7S; 0 TD; 1 3D; 0 QH")
    hands = told.past
    assert narration.describe_move(hands, NAMES)[1:] == ("Red: one for last.", "Blue: no points.", "Red: no points.")
    crib = told.tell("crib 2S4H6S8H").past
    assert narration.describe_move(crib, NAMES)[1:] == ("Red's crib: no points.",)
    (count,) = narration.describe_last_move(hands, crib, NAMES)["counts"]
    assert (count.seat, count.points, count.cards) == (0, 0, ())


def test_no_points_are_said_in_turn():
    moves = "cut 8H; 1 4C; 2 KC; 0 AC; 1 6S; 2 QH; 0 QS; 1 AH; 2 AS; 0 6D; 1 6C; 2 2H; 0 4D"
    counted = describe(moves, "seats=3")[2:]
    assert [said.split(":")[0] for said in counted] == ["Blue", "Green", "Red"]
    assert counted[1] == "Green: no points."


def undo_last(moves):
    told = Story("six-card", moves)
    before = told.past
    return before, told.tell("undo").past


def test_after_an_undo_earlier_counts_stand():
    before, undone = undo_last("cut JD; 1 5H; 0 TH; 1 KS")
    told = narration.describe_last_move(before, undone, NAMES)
    assert told["said"] == ("Undone: Blue's king of spades.",)
    assert told["undone"] == Play(1, parse_card("KS"))
    assert [count.say for count in told["counts"]] == ["Red: fifteen two."]
    assert narration.describe_last_move(undone.parent, undone, NAMES)["counts"] == told["counts"]


def test_at_the_very_start_nothing_is_counted():
    assert narration.describe_last_move(*undo_last("cut JD"), NAMES) == {
        "said": ("Undone: the cut of the jack of diamonds.",), "counts": (), "undone": Starter(parse_card("JD")),
    }  # fmt: skip


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
