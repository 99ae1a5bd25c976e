"""Runners on the bases, without cards: what each space does, in which order, and where it stops."""

import pytest

from companion.common.errors import BoardError
from companion.rules.baseball import diamond
from companion.rules.baseball.diamond import Diamond, RunnerResult

STANDARD, HARSH = diamond.load_preset("standard"), diamond.load_preset("harsh")


def on(*bases, outs=0):
    return Diamond((1 in bases, 2 in bases, 3 in bases), outs)


def bases(field):
    return [base for base, taken in enumerate(field.bases, 1) if taken]


def describe(field):
    """Return the plays as text: origin, base and result of each."""
    return ", ".join(f"{play.origin}-{play.to} {play.result}" for play in field.plays)


def waiting(field):
    return [(runner.origin, runner.position) for runner in field.waiting]


def advance(field, net, *dice, spaces=STANDARD, **needed):
    """Return the field after a hit and the results of the dice, safe or not."""
    field = diamond.advance_runners(field, spaces, net, **needed)
    for safe in dice:
        field = diamond.resolve_due_runner(field, safe=safe, **needed)
    return field


@pytest.mark.parametrize(
    ("field", "net", "dice", "plays", "expected", "outs", "runs"),
    [
        # up to three the batter is out and no runner moves
        *[(on(1, 3), net, (), "0-1 out", [1, 3], 1, 0) for net in (-30, -1, 0, 1, 2, 3)],
        # on a base or just past it the batter is safe there
        *[(on(), net, (), f"0-{net // 6} safe", [net // 6], 0, 0) for net in (6, 7, 8, 12, 13, 14, 18, 19, 20)],
        # runners move as far as the batter and push no runner off a base
        (on(1, 2, 3), 7, (), "3-4 run, 2-3 safe, 1-2 safe, 0-1 safe", [1, 2, 3], 0, 1),
        # twenty-four is a home run inside the park
        *[(on(2, 3, outs=2), net, (), "3-4 run, 2-4 run, 0-4 run", [], 2, 3) for net in (24, 25, 40)],
        # each is rolled on separately, nearest home first
        (on(1, 2), 5, (), "", [1, 2], 0, 0),
        (on(1, 2), 5, (False,), "2-3 out", [1], 1, 0),
        (on(1, 2), 5, (False, True), "1-2 safe", [2], 1, 0),
        (on(1, 2), 5, (False, True, True), "0-1 safe", [1, 2], 1, 0),
        # who is past home scores before any dice
        (on(1, 3), 10, (), "3-4 run", [1], 0, 1),
        # a triple play is three failed rolls
        *[(on(1, 2), 4, (False,) * outs, f"{3 - outs}-{4 - outs} out", [1] if outs == 1 else [], outs, 0)
          for outs in (1, 2, 3)],
        # the third out stops everything, and runs already in stand
        (on(1, 3, outs=2), 10, (), "3-4 run", [1], 2, 1),
        (on(1, 3, outs=2), 10, (False,), "1-3 out", [], 3, 0),
        # one pickle a hand is for the lead runner, and the others take the next base
        (on(1, 2), 9, (True,), "2-4 run, 1-3 safe, 0-2 safe", [2, 3], 0, 1),
        (on(1, 2), 9, (False,), "2-4 out, 1-3 safe, 0-2 safe", [2, 3], 1, 0),
        # a third out in it leaves the others where they were
        (on(1, outs=2), 9, (False,), "1-3 out", [], 3, 0),
        # all who come home on one hit come home together
        (on(3), 9, (), "3-4 run", [], 0, 1),
    ],
)  # fmt: skip
def test_runners_go_as_far_as_their_spaces_say(field, net, dice, plays, expected, outs, runs):
    field = advance(field, net, *dice)
    assert (describe(field), bases(field), field.outs, field.runs) == (plays, expected, outs, runs)


@pytest.mark.parametrize(
    ("field", "net", "dice", "runners"),
    [
        (on(1, 3), 0, (), []),
        (on(2, 3, outs=2), 24, (), []),
        (on(1, 2), 5, (), [(2, 17), (1, 11), (0, 5)]),
        (on(1, 2), 5, (False,), [(1, 11), (0, 5)]),
        (on(1, 2), 5, (False, True), [(0, 5)]),
        (on(1, 2), 5, (False, True, True), []),
        (on(1, 3), 10, (), [(1, 16), (0, 10)]),
        (on(1, 2), 4, (False, False, False), []),
        (on(1, 3, outs=2), 10, (False,), []),
        (on(1, 2), 9, (True,), []),
    ],
)
def test_runners_who_need_dice_wait(field, net, dice, runners):
    field = advance(field, net, *dice)
    assert waiting(field) == runners
    assert (field.due_runner is None) == (not runners)


@pytest.mark.parametrize(
    ("net", "number", "to"),
    [(4, 2, 1), (5, 1, 1), (10, 2, 2), (11, 1, 2), (16, 2, 3), (17, 1, 3), (22, 2, 4), (23, 1, 4)],
)
def test_just_short_of_a_base_the_batter_rolls(net, number, to):
    field = advance(on(), net)
    due = field.due_runner
    assert (due.origin, due.to, due.position, due.space) == (0, to, net, ("roll", number))
    assert (field.plays, field.outs) == ((), 0)
    safe, out = advance(on(), net, True), advance(on(), net, False)
    assert safe.plays == (RunnerResult(0, to, "run" if to == 4 else "safe"),)
    assert (bases(safe), safe.runs) == (([], 1) if to == 4 else ([to], 0))
    assert (out.plays, bases(out), out.outs) == ((RunnerResult(0, to, "out"),), [], 1)


@pytest.mark.parametrize(("field", "net", "origin", "to"), [
    (on(), 9, 0, 2), (on(), 15, 0, 3), (on(), 21, 0, 4), (on(1, 2), 9, 2, 4), (on(3), 9, 0, 2),
])  # fmt: skip
def test_half_way_a_three_decides_a_pickle(field, net, origin, to):
    """A runner who is already home is in none."""
    due = advance(field, net).due_runner
    assert (due.space, due.origin, due.to) == (("pickle", 3), origin, to)


def test_a_home_run_brings_all_home():
    assert describe(diamond.score_home_run(on(2, 3))) == "3-4 run, 2-4 run, 0-4 run"


def test_the_harsh_table_has_outs_behind_every_base():
    assert describe(advance(on(), 13, spaces=HARSH)) == "0-3 out"
    double = advance(on(1), 7, spaces=HARSH)
    assert (describe(double), double.outs, bases(double)) == ("1-3 out, 0-2 out", 2, [])


def test_the_winning_run_stops_dice_and_runners():
    field = advance(on(1, 3), 10, needed=1)
    assert (describe(field), waiting(field), bases(field)) == ("3-4 run", [], [1])
    assert advance(on(1, 3), 10, needed=2).waiting
    rolled = advance(on(3), 4, True, needed=1)
    assert (describe(rolled), waiting(rolled)) == ("3-4 run", [])


def test_all_come_home_together_on_one_hit():
    assert advance(on(2, 3), 13, needed=1).runs == 2
    assert advance(on(1, 2, 3), 24, needed=1).runs == 4


def test_a_steal_is_rolled_on_the_base_left():
    field = diamond.start_steal(on(1, 3), 3)
    assert (field.due_runner.is_stealing, field.due_runner.position, field.due_runner.space.number) == (True, 18, 6)
    assert describe(diamond.resolve_due_runner(field, safe=True)) == "3-4 run"
    out = diamond.resolve_due_runner(field, safe=False)
    assert (bases(out), out.outs) == ([1], 1)


def tables(**legs):
    return {
        name: [" ".join(map(str, s)).removesuffix(" 0") for s in leg]
        for name, leg in zip(diamond.LEGS, STANDARD, strict=True)
    } | {name.replace("_", "-"): leg for name, leg in legs.items()}


def test_an_owner_may_write_other_spaces():
    eager = ["out", "roll 5", "pickle 2", "roll 2", "roll 1", "base"]
    table = diamond.parse_spaces(dict.fromkeys(diamond.LEGS, eager))
    assert diamond.find_space(table, 8) == ("roll", 5)
    field = advance(on(1), 3, spaces=table)
    assert [(r.origin, r.space) for r in field.waiting] == [(1, ("pickle", 2)), (0, ("base", 0))]
    assert describe(advance(on(), 1, spaces=table)) == "0-1 out"


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"home-first": []}, "the leg first-second is missing"),
        (tables(third_home=["out"] * 5), "third-home must have 6 spaces"),
        (tables(third_home=["out"] * 6), "and no other, must be"),
        (tables(third_home=["base"] * 6), "and no other, must be"),
        *[(tables(third_home=[space] + ["out"] * 4 + ["base"]), "number of 1 to 6")
          for space in ("roll 7", "roll", "out 3", 3)],
        (tables(home_first=["safe"] + ["out"] * 4 + ["base"]), "a runner cannot stay at home"),
        (tables(first_second=["roll 5", "safe", "pickle 3", "roll 2", "roll 1", "base"]), "runner behind could reach"),
    ],
)  # fmt: skip
def test_an_unplayable_table_is_refused_in_a_sentence(table, words):
    with pytest.raises(BoardError, match=words) as refused:
        diamond.parse_spaces(table)
    assert str(refused.value).endswith(".")


def test_an_unknown_table_is_refused():
    with pytest.raises(BoardError, match="no table of spaces named gentle"):
        diamond.load_preset("gentle")
