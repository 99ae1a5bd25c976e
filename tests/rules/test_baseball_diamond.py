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


@pytest.mark.parametrize("net", [-30, -1, 0, 1, 2, 3])
def test_up_to_three_the_batter_is_out(net):
    field = diamond.advance_runners(on(1, 3), STANDARD, net)
    assert (bases(field), field.outs, field.runs, field.due_runner) == ([1, 3], 1, 0, None)
    assert field.plays == (RunnerResult(0, 1, "out"),)


@pytest.mark.parametrize(
    ("net", "base"), [(6, 1), (7, 1), (8, 1), (12, 2), (13, 2), (14, 2), (18, 3), (19, 3), (20, 3)]
)
def test_past_a_base_the_batter_is_safe(net, base):
    field = diamond.advance_runners(on(), STANDARD, net)
    assert (bases(field), field.outs, field.plays) == ([base], 0, (RunnerResult(0, base, "safe"),))


@pytest.mark.parametrize(
    ("net", "number", "to"),
    [(4, 2, 1), (5, 1, 1), (10, 2, 2), (11, 1, 2), (16, 2, 3), (17, 1, 3), (22, 2, 4), (23, 1, 4)],
)
def test_just_short_of_a_base_the_batter_rolls(net, number, to):
    field = diamond.advance_runners(on(), STANDARD, net)
    due = field.due_runner
    assert due is not None
    assert (due.origin, due.to, due.position, due.space) == (0, to, net, ("roll", number))
    assert (field.plays, field.outs) == ((), 0)
    safe, out = diamond.resolve_due_runner(field, safe=True), diamond.resolve_due_runner(field, safe=False)
    assert safe.plays == (RunnerResult(0, to, "run" if to == 4 else "safe"),)
    assert (bases(safe), safe.runs) == (([], 1) if to == 4 else ([to], 0))
    assert (out.plays, bases(out), out.outs) == ((RunnerResult(0, to, "out"),), [], 1)


@pytest.mark.parametrize("net", [9, 15, 21])
def test_half_way_a_three_decides_a_pickle(net):
    field = diamond.advance_runners(on(), STANDARD, net)
    assert field.due_runner is not None
    assert field.due_runner.space == ("pickle", 3)


def test_runners_move_as_far_as_the_batter():
    field = diamond.advance_runners(on(1, 2, 3), STANDARD, 7)
    assert field.plays == (
        RunnerResult(3, 4, "run"),
        RunnerResult(2, 3, "safe"),
        RunnerResult(1, 2, "safe"),
        RunnerResult(0, 1, "safe"),
    )
    assert (bases(field), field.runs) == ([1, 2, 3], 1)


@pytest.mark.parametrize("net", [24, 25, 40])
def test_twenty_four_is_a_home_run(net):
    field = diamond.advance_runners(on(2, 3, outs=2), STANDARD, net)
    assert (field.runs, bases(field), field.outs, field.due_runner) == (3, [], 2, None)
    assert (
        field.plays
        == diamond.score_home_run(on(2, 3)).plays
        == (RunnerResult(3, 4, "run"), RunnerResult(2, 4, "run"), RunnerResult(0, 4, "run"))
    )


def test_each_is_rolled_on_separately_nearest_home_first():
    field = diamond.advance_runners(on(1, 2), STANDARD, 5)
    assert [(r.origin, r.position) for r in field.waiting] == [(2, 17), (1, 11), (0, 5)]
    field = diamond.resolve_due_runner(field, safe=False)
    assert (bases(field), field.outs, [r.origin for r in field.waiting]) == ([1], 1, [1, 0])
    field = diamond.resolve_due_runner(field, safe=True)
    assert (bases(field), [r.origin for r in field.waiting]) == ([2], [0])
    field = diamond.resolve_due_runner(field, safe=True)
    assert (bases(field), field.outs, field.waiting) == ([1, 2], 1, ())


def test_who_is_past_home_scores_before_any_dice():
    field = diamond.advance_runners(on(1, 3), STANDARD, 10)
    assert field.plays == (RunnerResult(3, 4, "run"),)
    assert [r.origin for r in field.waiting] == [1, 0]
    assert bases(field) == [1]


def test_a_triple_play_is_three_failed_rolls():
    field = diamond.advance_runners(on(1, 2), STANDARD, 4)
    for outs in (1, 2, 3):
        field = diamond.resolve_due_runner(field, safe=False)
        assert field.outs == outs
    assert field.waiting == ()


def test_the_third_out_stops_everything_but_earlier_runs():
    field = diamond.advance_runners(on(1, 3, outs=2), STANDARD, 10)
    assert field.runs == 1
    field = diamond.resolve_due_runner(field, safe=False)
    assert (field.outs, field.waiting, field.runs) == (3, (), 0)


def test_one_pickle_is_for_the_lead_runner():
    field = diamond.advance_runners(on(1, 2), STANDARD, 9)
    assert field.due_runner is not None
    assert (field.due_runner.origin, field.due_runner.to) == (2, 4)
    safe, out = diamond.resolve_due_runner(field, safe=True), diamond.resolve_due_runner(field, safe=False)
    assert safe.plays == (RunnerResult(2, 4, "run"), RunnerResult(1, 3, "safe"), RunnerResult(0, 2, "safe"))
    assert (bases(safe), safe.waiting) == ([2, 3], ())
    assert out.plays == (RunnerResult(2, 4, "out"), RunnerResult(1, 3, "safe"), RunnerResult(0, 2, "safe"))
    assert (bases(out), out.outs) == ([2, 3], 1)


def test_a_runner_already_home_is_in_no_pickle():
    field = diamond.advance_runners(on(3), STANDARD, 9)
    assert field.plays == (RunnerResult(3, 4, "run"),)
    assert field.due_runner is not None
    assert field.due_runner.origin == 0


def test_a_third_out_in_the_pickle_moves_nobody():
    field = diamond.resolve_due_runner(diamond.advance_runners(on(1, outs=2), STANDARD, 9), safe=False)
    assert field.plays == (RunnerResult(1, 3, "out"),)


def test_the_harsh_table_has_outs_behind_every_base():
    assert diamond.advance_runners(on(), HARSH, 13).plays == (RunnerResult(0, 3, "out"),)
    double = diamond.advance_runners(on(1), HARSH, 7)
    assert double.plays == (RunnerResult(1, 3, "out"), RunnerResult(0, 2, "out"))
    assert (double.outs, bases(double)) == (2, [])


def test_the_winning_run_stops_dice_and_runners():
    field = diamond.advance_runners(on(1, 3), STANDARD, 10, needed=1)
    assert (field.plays, field.waiting, bases(field)) == ((RunnerResult(3, 4, "run"),), (), [1])
    assert diamond.advance_runners(on(1, 3), STANDARD, 10, needed=2).waiting
    rolled = diamond.resolve_due_runner(diamond.advance_runners(on(3), STANDARD, 4), safe=True, needed=1)
    assert (rolled.plays, rolled.waiting) == ((RunnerResult(3, 4, "run"),), ())


def test_all_come_home_together_on_one_hit():
    assert diamond.advance_runners(on(2, 3), STANDARD, 13, needed=1).runs == 2
    assert diamond.advance_runners(on(1, 2, 3), STANDARD, 24, needed=1).runs == 4


def test_a_steal_is_rolled_on_the_base_left():
    field = diamond.start_steal(on(1, 3), 3)
    assert field.due_runner is not None
    assert (field.due_runner.is_stealing, field.due_runner.position, field.due_runner.space.number) == (True, 18, 6)
    assert diamond.resolve_due_runner(field, safe=True).plays == (RunnerResult(3, 4, "run"),)
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
    field = diamond.advance_runners(on(1), table, 3)
    assert [(r.origin, r.space) for r in field.waiting] == [(1, ("pickle", 2)), (0, ("base", 0))]
    field = diamond.advance_runners(on(), table, 1)
    assert field.plays == (RunnerResult(0, 1, "out"),)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"home-first": []}, "the leg first-second is missing"),
        (tables(third_home=["out"] * 5), "third-home must have 6 spaces"),
        (tables(third_home=["out"] * 6), "and no other, must be"),
        (tables(third_home=["base"] * 6), "and no other, must be"),
        (tables(third_home=["roll 7"] + ["out"] * 4 + ["base"]), "number of 1 to 6"),
        (tables(third_home=["roll"] + ["out"] * 4 + ["base"]), "number of 1 to 6"),
        (tables(third_home=["out 3"] + ["out"] * 4 + ["base"]), "number of 1 to 6"),
        (tables(third_home=[3] + ["out"] * 4 + ["base"]), "number of 1 to 6"),
        (tables(home_first=["safe"] + ["out"] * 4 + ["base"]), "a runner cannot stay at home"),
        (tables(first_second=["roll 5", "safe", "pickle 3", "roll 2", "roll 1", "base"]), "runner behind could reach"),
    ],
)
def test_an_unplayable_table_is_refused_in_a_sentence(table, words):
    with pytest.raises(BoardError, match=words) as refused:
        diamond.parse_spaces(table)
    assert str(refused.value).endswith(".")


def test_an_unknown_table_is_refused():
    with pytest.raises(BoardError, match="no table of spaces named gentle"):
        diamond.load_preset("gentle")
