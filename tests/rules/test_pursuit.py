"""Pursuit: what knocks a player out, which scores then stand, and who begins the smaller loop."""

from dataclasses import replace

import pytest

from companion import rules
from companion.common.errors import SettingsError
from companion.rules import play
from companion.rules.cards import parse_card, parse_cards
from companion.rules.pursuit import GAME
from tests.support.stories import Story, refuse_each, story, tell_each

FIFTEEN = "cut 2D; 1 5H; 2 TH"
"""With dealer 0 seat 2 makes fifteen."""


def tell(moves="", setup="seats=2", **changes):
    """Tell a story from its start. `front` and `back` in the setup are pegs: `front=0,0,28,9`; `alive` are seats."""
    words = dict(word.split("=") for word in setup.split())
    places = {name: tuple(map(int, words.pop(name).split(","))) for name in ("front", "back", "alive") if name in words}
    state = Story("pursuit", "", " ".join(map("=".join, words.items()))).state
    if "front" in places:
        front = places.pop("front")
        changes = {"scores": front, "back": front} | changes
    if deal := changes.pop("deal", None):
        state = replace(state, deal=replace(state.deal, **{"hands": (None,) * state.terms.seats} | deal))
    return Story("pursuit", moves, start=replace(state, **changes | places))


SHORT_FIRST = "cut 2D; 1 KH; 0 QH; 1 9H; go 0; go 1"
CAUGHT = "seats=4 front=7,3,28,9 back=7,3,20,0"
SEEN = "front=9,14 back=4,8"


@tell_each(
    story("landing on the next player's back peg is enough", FIFTEEN, "seats=4 front=0,0,28,9 back=0,0,20,0",
          scores=(0, 0, 30, 9), back=(0, 0, 28, 0), notes={"knocked_out": [3]}, phase="between"),
    story("one hole short is not", FIFTEEN, "seats=4 front=0,0,28,9 back=0,0,20,1", scores=(0, 0, 30, 9),
          back=(0, 0, 28, 1), notes={}, phase="play"),
    story("the turn goes round the living", "cut 2D; 0 5H", "seats=4 alive=0,2,3 dealer=3 front=28,0,40,90", turn=2),
    story("seat 0 is one side ahead of seat 3, so 60 would reach it", "cut 2D; 2 5H; 3 TH",
          "seats=4 alive=0,2,3 front=30,0,88,31", notes={}),
    story("and does", "cut 2D; 2 5H; 3 adjusts 27; 3 TH", "seats=4 alive=0,2,3 front=30,0,88,31",
          knocked_out=[0]),
    story("one score may knock out several", FIFTEEN, "seats=5 front=4,5,88,12,30 back=1,5,0,10,29",
          knocked_out=[3, 4], alive=(0, 1, 2), lap=90, winner=None),
    story("knocked out are named by seat", FIFTEEN, "seats=3 front=30,0,88", knocked_out=[0, 1], phase="over", winner=2,
          dealer=2, turn=None),
    story("the scores stand after a knock-out", FIFTEEN, CAUGHT, scores=(7, 3, 30, 9), dealer=2, phase="between",
          count=0, series=(), gone=(), turn=None, played=((), *[(parse_card(c),) for c in ("5H", "TH")], ())),
    story("until the next deal begins at 0", f"{FIFTEEN}; next", CAUGHT, scores=(0, 0, 0, 0)),
    story("also with the cut", f"{FIFTEEN}; cut JD", CAUGHT, scores=(0, 0, 2, 0), back=(0, 0, 0, 0), turn=0,
          awards="2+2 his heels"),
    story("and can all be put right", f"{FIFTEEN}; 3 adjusts -2", CAUGHT, scores=(7, 3, 30, 7)),
    story("heels can knock out", "cut JD", "front=28,0", knocked_out=[1], phase="over", winner=0, scores=(30, 0)),
    story("the 1 after a go is a movement of its own", SHORT_FIRST, "front=0,7 back=0,3", awards="1+1 last card",
          scored="9H", scores=(0, 8), back=(0, 7)),
    story("no points move no peg", "cut 2D; 1 KH", SEEN, scores=(9, 14), back=(4, 8), awards=""),
    story("by option the front peg is caught: short of it", FIFTEEN,
          "seats=4 capture_peg=front front=0,0,28,9 back=0,0,20,0", phase="play"),
    story("on it", FIFTEEN, "seats=4 capture_peg=front front=0,0,37,9 back=0,0,20,0", knocked_out=[3]),
    story("scores go on over the laps", "cut JD", "front=250,240 back=245,236", scores=(252, 240), winner=None),
    story("to the lap that catches", "cut JD", "front=264,240 back=245,236", winner=0),
    story("an adjustment moves no back peg and knocks no player out", "0 adjusts 100", SEEN, scores=(109, 14),
          back=(4, 8), phase="cut", awards="0+100 adjust"),
    story("the next score is a pursuit again", "0 adjusts 100; cut JD", SEEN, winner=0),
    story("a misdeal takes the pegs back and leaves adjustments", "cut JD; 1 5H; 1 adjusts 3; 0 TH; misdeal", SEEN,
          scores=(9, 17), back=(4, 8), phase="cut", dealer=0, starter=None),
    story("all adjustments", "cut JD; 0 adjusts -3; 0 adjusts 4; misdeal", "front=1,14 back=1,8", scores=(2, 14),
          back=(1, 8)),
    story("and no score below nothing", "cut JD; 0 adjusts -3; misdeal", "front=1,14 back=1,8", scores=(0, 14)),
    story("who is out is asked nothing", f"{FIFTEEN}; cut 2D", CAUGHT, turn=0),
    story("the next plays", f"{FIFTEEN}; cut 2D; 0 AC", CAUGHT, turn=1),
    story("and the next", f"{FIFTEEN}; cut 2D; 0 AC; 1 AD", CAUGHT, turn=2),
    story("and the first again", f"{FIFTEEN}; cut 2D; 0 AC; 1 AD; 2 AH", CAUGHT, turn=0),
)  # fmt: skip
def test_pursuit_is_played_as_told(moves, setup, expected):
    tell(moves, setup).check(**expected)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_lap_has_thirty_holes_a_player(seats):
    start = (0,) * seats
    tell("", f"seats={seats}").check(lap=30 * seats, scores=start, back=start, alive=tuple(range(seats)))


def test_the_first_out_clockwise_deals_the_next_match():
    assert tell(f"{FIFTEEN}; next", "seats=3 front=30,0,88").state == replace(tell("", "seats=3").state, loops=1)


def test_the_last_cards_points_are_one_movement():
    told = tell(f"{SHORT_FIRST}; 0 8D; 1 TC; 0 KD; go 1; go 0; 1 5D", "front=0,7 back=0,3")
    before = told.state.scores[0]
    told.tell("0 TH")
    assert told.awards.startswith("0+2 fifteen, 0+1 last card")
    assert (before, told.state.back[0], told.state.scores[0]) == (1, 1, 4)  # its hand is worth nothing


def test_a_knock_out_leaves_later_hands_uncounted():
    hands = (parse_cards("2C4D9H"), parse_cards("6C7D7S8H"))
    laid = replace(play.begin_play(2, 0), played=hands, series=parse_cards("8H"), count=8, last_seat=1)
    deal = {"phase": "play", "starter": parse_card("KD"), "play": laid, "hands": (None, hands[1])}
    told = tell("0 8S", "front=0,18 back=0,12", deal=deal)
    told.check(knocked_out=[0], winner=1, scores=(3, 30), back=(0, 18))
    assert [a.reason for a in told.step.awards if a.seat == 0] == ["pair", "last card"]  # and no hand
    assert sum(a.points for a in told.step.awards if a.seat == 1) == 12


@pytest.mark.parametrize(
    ("crib", "setup", "expected"),
    [
        ("5H5S5CJD", "front=0,5,10", {"scores": (0, 5, 39), "back": (0, 5, 10), "knocked_out": [0], "dealer": 2,
                                      "phase": "between", "alive": (1, 2)}),
        ("2H4S6C8D", "front=0,5,10 back=1,5,10", {"dealer": 0, "phase": "between"}),
    ],
)  # fmt: skip
def test_the_crib_knocks_out_for_another_deal(crib, setup, expected):
    deal = {"phase": "crib", "starter": parse_card("5D"), "play": play.begin_play(3, 1)}
    tell(f"crib {crib}", f"seats=3 dealer=2 {setup}", deal=deal).check(**expected)


@refuse_each(f"""
{SEEN} | 1 adjusts -15 | Blue has only 14
{CAUGHT} | {FIFTEEN}; cut 2D; 3 5H | Yellow is out until the next match
{CAUGHT} | {FIFTEEN}; cut 2D; go 3 | Yellow is out until the next match
{CAUGHT} | {FIFTEEN}; cut 2D; 3 adjusts 1 | Yellow is out until the next match
{CAUGHT} | {FIFTEEN}; cut 2D; go 4 | no such seat
""")
def test_who_is_out_is_refused_in_words(setup, moves, says):
    assert says in tell("", setup).refuse(moves)


@pytest.mark.parametrize(
    ("alive", "dealer", "following", "leader"),
    [("0,2,4", 4, 0, 2), ("0,2,4", 0, 2, 4), ("1,3", 1, 3, 1), ("1,3", 3, 1, 3)],
)
def test_the_deal_passes_among_the_living(alive, dealer, following, leader):
    deal = {"dealer": dealer, "phase": "crib", "starter": parse_card("KD")}
    told = tell("crib 2H4S6C8D", f"seats=5 alive={alive}", deal=deal, dealer=dealer)
    told.check(dealer=following)
    told.tell("cut 2D").check(turn=leader)


@pytest.mark.parametrize(("policy", "gained"), [("friendly", 0), ("tournament", 2)])
def test_a_renege_is_for_the_next_living(policy, gained):
    moves = "cut 2D; 2 TH; 0 9H; 2 4S; 0 3C; go 2; go 0; 2 KC; 0 QC; 2 5C"
    step = tell(moves, f"seats=3 policy={policy} alive=0,2").step
    assert [(r.seat, r.count, str(r.card)) for r in step.notes["reneges"]] == [(2, 26, "5C")]
    assert sum(a.points for a in step.awards if a.reason == "renege" and a.seat == 0) == gained


@pytest.mark.parametrize("option", ["target", "first_deal", "game_points"])
def test_options_of_other_games_are_refused(option):
    with pytest.raises(SettingsError, match=f"has no option {option}"):
        rules.complete_options(GAME, {option: "61"})
