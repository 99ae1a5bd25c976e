"""'Round the Bases: hands become runs and outs, dice decide, sides are retired, games end."""

import random
from dataclasses import replace
from functools import cache

import pytest

from companion.rules.baseball.diamond import Diamond
from companion.rules.cards import PACK, parse_card, parse_cards
from companion.rules.moves import Crib, Go, Muggins, Play, Starter
from tests.support.stories import Story, refuse_each, story, tell_each

EMPTY, FIRST, SECOND = (False,) * 3, (True, False, False), (False, True, False)
LATE = "inning=3 bottom=1 dealer=1"
"""The last inning, side 1 at bat in its bottom half."""
STRIKE, JACK = "hand -1", "cut JD"
NEXT_OUT = {"from": 0, "to": 1, "result": "out"}


class BaseballStory(Story):
    """A story in which `hand 6` is a hand whose batter scores 6 points more than the fielder."""

    def __init__(self, moves="", setup=""):
        """`on=13 outs=2 inning=3 bottom=1 scores=2,2 phase=between` in the setup are what their names say."""
        words = dict(word.split("=") for word in setup.split())
        changes = {name: int(words.pop(name)) for name in ("inning",) if name in words}
        if "inning" in changes:
            changes |= {"bottom": bool(int(words.pop("bottom"))), "hand_dealer": int(words["dealer"])}
        if "scores" in words:
            changes["scores"] = tuple(map(int, words.pop("scores").split(",")))
        if "phase" in words:
            changes["phase"] = words.pop("phase")
        on, outs = words.pop("on", ""), int(words.pop("outs", "0"))
        changes["field"] = Diamond(tuple(base in on for base in "123"), outs)
        start = Story("bases", "", " ".join(map("=".join, words.items()))).state
        super().__init__("bases", moves, start=replace(start, **changes))

    def tell(self, moves):
        for part in filter(str.strip, moves.split(";")):
            match part.split():
                case ["hand", net]:
                    self.make(*find_hand(self.state, int(net)))
                case ["runners", on]:
                    field = Diamond(tuple(base in on for base in "123"), self.state.field.outs)
                    self.past = self.past._replace(state=replace(self.state, field=field))
                case _:
                    super().tell(part)
        return self


tell = BaseballStory


def draw_hand(chance, told):
    """Return the moves of a random hand, each playing the first card that fits; the starter is no jack."""
    pack = [c for c in chance.sample(PACK, 52) if c.rank != 10][:21]
    held = [pack[4 * seat : 4 * seat + 4] for seat in range(told.state.terms.seats)]
    moves = [Starter(pack[20])]
    told.make(*moves)
    while told.state.phase == "play":
        turn, count = told.state.turn, told.view["count"]
        fits = [c for c in held[turn] if count + c.value <= 31]
        moves.append(Play(turn, fits[0]) if fits else Go(turn))
        if fits:
            held[turn].remove(fits[0])
        told.make(moves[-1])
    return [*moves, Crib(tuple(pack[16:20]))]


@cache
def find_hand(state, net):
    chance = random.Random(net)
    while True:
        told = Story("bases", start=replace(state, field=Diamond()))
        moves = draw_hand(chance, told)
        points = told.make(moves[-1]).state.hand.scores
        if points[state.batting] - points[1 - state.batting] == net:
            return moves


@tell_each(
    story("dice say who bats first", "", "dealer=none", phase="roll", turn=0, dealer=None, batting=None,
          due={"for": "bat", "number": None, "dice": 1, "from": None}),
    story("equal dice are rolled again", "0 rolls 4; 1 rolls 4", "dealer=none", phase="roll", turn=0, rolled=()),
    story("the higher bats", "0 rolls 4; 1 rolls 4; 0 rolls 5; 1 rolls 2", "dealer=none", phase="cut", dealer=0,
          batting=0),
    story("whoever rolled it", "0 rolls 4; 1 rolls 4; 0 rolls 1; 1 rolls 2", "dealer=none", phase="cut", dealer=1,
          batting=1),
    story("with four too seat 1 rolls", "0 rolls 1", "seats=4 dealer=none", turn=1),
    story("for the bat", "0 rolls 1; 1 rolls 6", "seats=4 dealer=none", dealer=1),
    story("a named dealer bats in the top of the first", "", "dealer=1", phase="cut", dealer=1, batting=1, inning=1,
          half="top", outs=0, bases=EMPTY, scores=(0, 0), points=(0, 0), due=None, plays=[]),
    story("a jack cut is a home run and no hand", JACK, "on=13 outs=2", awards="", phase="cut", scores=(3, 0), outs=2,
          bases=EMPTY, dealer=0, starter=None, points=(0, 0),
          plays=[{"from": base, "to": 4, "result": "run"} for base in (3, 1, 0)]),
    story("a hit of six puts the batter on first", "hand 6", phase="between", bases=FIRST, outs=0, dealer=0,
          plays=[{"from": 0, "to": 1, "result": "safe"}]),
    *[story(f"a strike-out is one out: {net}", f"hand {net}", phase="between", outs=1, bases=EMPTY)
      for net in (-5, 0, 3)],
    story("twenty-four is a home run", "hand 24", "on=1", phase="between", scores=(2, 0), bases=EMPTY),
    story("a must roll takes two dice of the batter", "hand 4", "dealer=1", phase="roll", turn=1, runners=[4],
          due={"for": "must", "number": 2, "dice": 2, "from": 0}),
    story("either may save", "hand 4; 1 rolls 5 2", "dealer=1", phase="between", bases=FIRST, outs=0),
    story("or none", "hand 4; 1 rolls 5 3", "dealer=1", phase="between", bases=EMPTY, outs=1),
    story("the first of a double play", "hand 5; 0 rolls 2 2", "on=1", outs=1, bases=EMPTY,
          plays=[{"from": 1, "to": 2, "result": "out"}]),
    story("and the second", "hand 5; 0 rolls 2 2; 0 rolls 6 3", "on=1", outs=2, phase="between", plays=[NEXT_OUT]),
    story("a pickle is due", "hand 9", turn=0, due={"for": "pickle", "number": 3, "dice": 1, "from": 0}),
    story("the other rolls too", "hand 9; 0 rolls 1", turn=1, rolled=(1,), plays=[]),
    story("without a three again", "hand 9; 0 rolls 1; 1 rolls 2", phase="roll", turn=0, rolled=()),
    story("with two threes the other rolls", "hand 9; 0 rolls 3", turn=1, rolled=(3,), plays=[]),
    story("and again", "hand 9; 0 rolls 3; 1 rolls 3", phase="roll", turn=0, rolled=()),
    story("exactly one three saves", "hand 9; 0 rolls 3; 1 rolls 3; 0 rolls 3; 1 rolls 1", bases=SECOND, outs=0),
    story("or not", "hand 9; 0 rolls 1; 1 rolls 2; 0 rolls 1; 1 rolls 3", bases=EMPTY, outs=1),
    story("with four the seat left of the batter rolls for the fielders", "hand 9; 2 rolls 1", "seats=4 dealer=2",
          turn=3),
    story("the third out retires the side", STRIKE, "on=1 outs=2", phase="between", dealer=1, batting=1, inning=1,
          half="bottom", outs=0, bases=EMPTY, plays=[NEXT_OUT]),
    story("twice ends the inning", "hand -1; hand -1; hand -1; hand -1", "outs=2", dealer=0, batting=0, inning=2,
          half="top"),
    story("a steal is tried between hands", "hand 6", steals=[1]),
    story("with dice", "hand 6; 0 steals 1", phase="roll", turn=0, bases=FIRST,
          due={"for": "steal", "number": 6, "dice": 2, "from": 1}),
    story("a six saves", "hand 6; 0 steals 1; 0 rolls 6 1", phase="between", bases=SECOND, outs=0, steals=[]),
    story("a five does not", "hand 6; 0 steals 1; 0 rolls 5 1", phase="between", bases=EMPTY, outs=1),
    story("a fresh try follows the next starter", "hand 6; 0 steals 1; 0 rolls 6 6; hand -1", steals=[2]),
    story("not next", "hand 6; 0 steals 1; 0 rolls 6 6; next", steals=[]),
    story("another runner may still try", "hand 6; runners 13", steals=[3, 1]),
    story("but the one that stole", "hand 6; runners 13; 0 steals 3; 0 rolls 6 1", scores=(1, 0), steals=[1],
          bases=FIRST),
    story("any of the side may call a steal", "hand 6; 0 steals 1", "seats=4", dealer=2, phase="roll", turn=2),
    story("who deals next rolls", "hand 6; 0 steals 1; 2 rolls 1 1", "seats=4", dealer=2),
    story("with four a jack does not pass the deal", JACK, "seats=4 dealer=1", dealer=1),
    story("a counted hand does", "hand 6", "seats=4 dealer=1", dealer=3, batting=1),
    story("for the jack after it too", f"hand 6; {JACK}", "seats=4 dealer=1", dealer=3),
    story("and back to the partner", f"hand 6; {STRIKE}", "seats=4 dealer=1", dealer=1),
    story("a retired side is followed by the left of who dealt last", STRIKE, "seats=4 dealer=1 outs=2", dealer=2,
          batting=0),
    story("also after a steal", "hand 6; 1 steals 1; 3 rolls 1 1", "seats=4 dealer=1 on=3 outs=2", dealer=2, batting=0,
          phase="between"),
    story("the side batting last wins at once", "hand 10", f"{LATE} scores=2,2 on=13", phase="over", winner=1,
          scores=(2, 3), due=None, turn=None),
    story("by a jack", JACK, f"{LATE} scores=0,0", phase="over", winner=1, scores=(0, 1)),
    story("by dice", "hand 4; 1 rolls 2 1", f"{LATE} on=3", phase="over", winner=1, bases=EMPTY),
    story("by a steal of home", "1 steals 3; 1 rolls 6 6", f"{LATE} on=3 phase=between", phase="over", winner=1,
          scores=(0, 1)),
    story("who is already ahead does not bat", "hand 0", "inning=3 bottom=0 dealer=0 scores=1,2 outs=2", phase="over",
          winner=1, half="top", inning=3),
    story("who is not ahead does", "hand 0", "inning=3 bottom=0 dealer=0 scores=2,2 outs=2", phase="between",
          half="bottom", batting=1),
    story("who is behind after the last out has lost", "hand 0", f"{LATE} scores=2,1 outs=2", phase="over", winner=0,
          half="bottom"),
    story("a tie goes on", "hand 0", f"{LATE} scores=2,2 outs=2", phase="between", winner=None, inning=4, half="top",
          dealer=0),
    story("before the third inning no side wins", "hand 0", "inning=2 bottom=1 dealer=1 scores=0,5 outs=2",
          phase="between", inning=3),
    story("nor at once", JACK, "inning=2 bottom=1 dealer=1", winner=None),
    story("one inning", JACK, "inning=1 bottom=1 dealer=1 innings=1", winner=1),
    story("nine innings", JACK, "inning=8 bottom=1 dealer=1 innings=9", winner=None),
    story("the next game begins with the dice", f"{JACK}; next", "inning=2 bottom=1 dealer=1 innings=2 preset=harsh",
          phase="roll", dealer=None, scores=(0, 0), inning=1, half="top", innings=2,
          spaces=Story("bases", "", "preset=harsh").state.spaces),
    story("the harsh table is an option", "hand 7", "preset=harsh", outs=1, bases=EMPTY),
    story("no misdeal takes an adjustment back", "cut 2D; 1 adjusts 2; misdeal", scores=(0, 2)),
    story("an adjustment may win", "1 adjusts 1", LATE, phase="over", winner=1),
    story("for good", "1 adjusts 1; 0 adjusts 5", LATE, winner=1),
    story("but not in the top", "1 adjusts 1", "inning=3 bottom=0 dealer=0", winner=None),
)  # fmt: skip
def test_bases_is_played_as_told(moves, setup, expected):
    tell(moves, setup).check(**expected)


@refuse_each("""
dealer=1 | hand 4; 0 rolls 2 2 | It is Blue's turn to roll.
dealer=1 | hand 4; 1 rolls 2 | Roll two dice.
dealer=1 | hand 4; cut 2D | Roll the dice first.
dealer=1 | hand 4; next | Roll the dice first.
dealer=1 | hand 4; misdeal | Roll the dice first.
dealer=none | 0 rolls 7 | Roll one die.
dealer=none | 0 rolls 1 2 | Roll one die.
dealer=none | 5 rolls 1 | no such seat
| hand 6; 0 steals 1; 0 rolls 6 6; 0 steals 2 | The runner on second base has already tried to steal and may try again
| hand 6; runners 12; 1 steals 1 | Only the side at bat can steal, and Red bats.
| hand 6; runners 12; 0 steals 3 | There is no runner on that base.
| hand 6; runners 12; 0 steals 0 | There is no runner on that base.
| hand 6; runners 12; 0 steals 1 | The runner on first base cannot steal: there is a runner on second base
| hand 6; runners 12; 2 steals 1 | no such seat
| hand 6; runners 12; next; 0 steals 2 | Cut the starter first.
| misdeal | Cut the starter first.
| hand 6; misdeal | The hand is over.
| 0 adjusts -1 | Red has only 0 runs: a score cannot go below 0.
| 0 claims 1 | Cut the starter first.
| cut 2D; 1 claims 2 | nothing to claim
""")
def test_what_cannot_be_is_refused_in_words(setup, moves, says):
    before, _, last = moves.rpartition("; ")
    assert says in tell(before, setup).refuse(last)


def test_the_points_of_a_hand_are_by_side():
    told, gained = tell(), [0, 0]
    for move in find_hand(told.state, 6):
        for award in told.make(move).step.awards:
            gained[award.seat] += award.points
    points = told.view["points"]
    assert (points[0] - points[1], gained) == (6, list(points))
    told.check(scores=(0, 0), phase="between")


def test_the_points_stay_until_the_next_starter():
    points = tell("hand 6").view["points"]
    tell("hand 6; next").check(points=points, phase="cut")
    for begin in ("cut 2D", "next; cut 2D"):
        tell(f"hand 6; {begin}").check(points=(0, 0), phase="play")


def test_a_misdeal_takes_points_back_until_the_crib():
    moves = find_hand(tell().state, 6)
    for n in range(1, len(moves)):
        told = tell().make(*moves[:n])
        told.tell("misdeal").check(phase="cut", points=(0, 0), dealer=0, scores=(0, 0))


@pytest.mark.parametrize(
    ("moves", "setup"), [("", ""), ("cut 2D", ""), ("hand 4", ""), ("hand 6", ""), ("", "dealer=none")]
)
def test_an_adjustment_of_runs_keeps_the_phase(moves, setup):
    told = tell(moves, setup)
    phase = told.state.phase
    told.tell("1 adjusts 2").check(scores=(0, 2), awards="1+2 adjust", phase=phase)


def test_a_renege_in_a_tournament_costs_two():
    moves = "cut 2D; 1 TH; 0 TS; 1 8H; go 0; go 1; 0 3C; 1 9H; 0 9S; 1 KC; 0 QC"
    step = tell(moves, "policy=tournament").step
    assert [award.seat for award in step.awards if award.reason == "renege"] == [1]
    assert [renege.card for renege in step.notes["reneges"]] == [parse_card("3C")]


@pytest.mark.parametrize(
    ("moves", "setup", "card", "expected"),
    [
        ("", "", "2D", Starter(parse_card("2D"))),
        ("cut 2D", "", "9C", Play(1, parse_card("9C"))),
        ("", "dealer=none", "2D", "Roll the dice first"),
        (JACK, LATE, "2D", "game is over"),
        ("hand 6", "", "2D", Starter(parse_card("2D"))),
    ],
)
def test_a_scanned_card_is_what_the_phase_awaits(moves, setup, card, expected):
    tell(moves, setup).check_scan(card, expected)


def test_four_scanned_cards_are_the_crib():
    *moves, crib = find_hand(tell().state, 6)
    told, cards = tell().make(*moves), list(map(str, crib.cards))
    told.check_scan(cards[2], None, "".join(cards[:2]))
    told.check_scan(cards[3], crib, "".join(cards[:3]))


def claim_all(setup):
    """Tell a hand in which only hands and crib are claimed: 6 and 2 for the batter, 2 for the fielder."""
    told, held = tell("cut 2D", f"counting=manual {setup}"), [[*parse_cards("5STSQSKS")], [*parse_cards("7S8S9H2C")]]
    while told.state.phase == "play":
        turn, count = told.state.turn, told.view["count"]
        fits = [c for c in held[turn] if count + c.value <= 31]
        told.make(Play(turn, held[turn].pop(held[turn].index(fits[0]))) if fits else Go(turn))
    return told.tell(f"{told.state.turn} claims 0; 1 claims 2; 0 claims 6; crib 5C5D5HQC; 0 claims 2")


def test_claims_move_the_runners():
    told = claim_all("")
    assert told.view["points"][0] - told.view["points"][1] == 6
    told.check(phase="between", bases=FIRST)


def test_muggins_on_the_crib_moves_the_runners_again():
    told = claim_all("muggins=on")
    told.check(window=0)
    told.make(Muggins(1, 2)).check(phase="roll", bases=EMPTY)
    assert told.view["points"][0] - told.view["points"][1] == 4
    late = claim_all("muggins=on").tell("0 steals 1; 0 rolls 6 6")
    late.check(window=None)
    assert "nothing to call" in late.refuse(Muggins(1, 2))
