"""The spaces of the bases: the tables of an owner, and what a field without cards says of them.

What each space does to runners, in which order and until when is told in `test_baseball.py`, and compared with an
oracle in whole random games (`test_random_games.py`).
"""

import pytest

from companion.common.errors import BoardError
from companion.rules.baseball import diamond
from companion.rules.baseball.diamond import Diamond, RunnerResult

STANDARD = diamond.load_preset("standard")


@pytest.mark.parametrize(
    ("space", "kind", "number"),
    [(4, "roll", 2), (5, "roll", 1), (6, "base", 0), (7, "safe", 0), (9, "pickle", 3), (23, "roll", 1)],
)
def test_the_standard_table_has_its_spaces(space, kind, number):
    assert diamond.find_space(STANDARD, space) == (kind, number)


def test_all_come_home_together_on_the_winning_hit():
    field = Diamond((True, True, True))
    assert diamond.advance_runners(field, STANDARD, 24, needed=1).runs == 4
    assert diamond.advance_runners(Diamond((False, True, True)), STANDARD, 13, needed=1).runs == 2


def test_the_winning_run_stops_dice_and_runners():
    run, on_first_and_third = (RunnerResult(3, 4, "run"),), Diamond((True, False, True))
    field = diamond.advance_runners(on_first_and_third, STANDARD, 10, needed=1)
    assert (field.plays, field.waiting, field.bases) == (run, (), (True, False, False))
    assert diamond.advance_runners(on_first_and_third, STANDARD, 10, needed=2).waiting
    due = diamond.advance_runners(Diamond((False, False, True)), STANDARD, 4)
    rolled = diamond.resolve_due_runner(due, safe=True, needed=1)
    assert (rolled.plays, rolled.waiting) == (run, ())


def tables(**legs):
    return {
        name: [" ".join(map(str, s)).removesuffix(" 0") for s in leg]
        for name, leg in zip(diamond.LEGS, STANDARD, strict=True)
    } | {name.replace("_", "-"): leg for name, leg in legs.items()}


def test_an_owner_may_write_other_spaces():
    eager = ["out", "roll 5", "pickle 2", "roll 2", "roll 1", "base"]
    table = diamond.parse_spaces(dict.fromkeys(diamond.LEGS, eager))
    assert diamond.find_space(table, 8) == ("roll", 5)
    field = diamond.advance_runners(Diamond((True, False, False)), table, 3)
    assert [(r.origin, r.space) for r in field.waiting] == [(1, ("pickle", 2)), (0, ("base", 0))]
    assert diamond.advance_runners(Diamond(), table, 1).plays == (RunnerResult(0, 1, "out"),)


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
