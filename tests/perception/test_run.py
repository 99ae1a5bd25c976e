"""`make perception`: the same table however many processes play it; long runs in parts; whole evenings."""

import json
import subprocess
import sys
from argparse import Namespace
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.perception import parts
from tests.perception.evenings import play_evening
from tests.perception.paces import PACES
from tests.perception.true_pegs import TruePegs

HERE = Path(__file__).parent
RUN = HERE / "run.py"


@pytest.fixture
def tally(monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    from tests.perception import tally  # noqa: PLC0415 - the model's modules are found beside this file, as its scripts find them

    return tally


@pytest.fixture
def limits_ms(tally):
    """The longest delay of each pace."""
    return {pace: most + tally.DELAY_MARGIN_MS for pace, most in tally.MAX_DELAY_BY_PACE_MS.items()}


@pytest.fixture
def tally_within_bounds(tally, limits_ms):
    """A million scenarios that keep to every bound, and only just."""
    delays = {(most, pace): 100 for pace, most in limits_ms.items()}
    delays |= {(limits_ms["direct"] - 60, "direct"): 980, (limits_ms["direct"], "direct"): 15, (5000, "direct"): 5}
    return tally.Tally(1_000_000, seconds=3000, asked=3000, slow=1000, early=20, delays=tally.Counter(delays))


def run_perception(*options):
    return subprocess.run([sys.executable, RUN, *options], capture_output=True, text=True, check=False)


def without_speed(table):
    return [line.rsplit(None, 1)[0] for line in table.splitlines()[:-1]]


def test_two_processes_print_the_table_of_one(monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    from tests.perception import families  # noqa: PLC0415 - as above

    options = ("--scenarios", "1", "--show")
    one, two = run_perception(*options), run_perception(*options, "--processes", "2")
    assert (one.stderr, two.stderr) == ("", "")
    assert without_speed(one.stdout) == without_speed(two.stdout)
    rows = [line for line in one.stdout.splitlines() if line.startswith(("classic", "loop", "pursuit"))]
    assert len(rows) == 5 * len(families.DEFAULT_FAMILIES), "each family on five grounds"


def test_every_family_has_stories_on_every_kind_of_board(monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    from tests.perception import families  # noqa: PLC0415 - as above
    from tests.perception.ground import Ground  # noqa: PLC0415
    from tests.perception.model import Scene  # noqa: PLC0415

    for ground in (Ground("classic", 2), Ground("classic", 3), Ground("loop-60", 2), Ground("pursuit", 3, 61)):
        for name, family in families.FAMILIES.items():
            scenes = [Scene(ground, Random(seed), begun=name != "set up") for seed in range(8)]
            for scene in scenes:
                family(scene)
            assert any(scene.intents or scene.edges for scene in scenes), f"{name} on {ground}"


def test_one_scenario_is_a_recording_of_the_row_that_is_named():
    row = ("--board", "classic", "--family", "plain", "--one", "3")
    two, three = run_perception(*row, "--seats", "2"), run_perception(*row, "--seats", "3")
    tables = [json.loads(done.stdout.splitlines()[0])["table"] for done in (two, three)]
    assert [(table["board"], table["seats"]) for table in tables] == [("classic", 2), ("classic", 3)]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--one", "3"), "--one needs a single row"),
        (("--one", "3", "--board", "classic", "--family", "plain"), "--one needs a single row"),
        (("--board", "loop-60", "--seats", "3"), "there are no stories on that board with that number of players"),
    ],
)
def test_rows_that_are_not_there_or_too_many_are_refused_in_words(options, said):
    refused = run_perception(*options)
    assert refused.returncode == 2
    assert said in refused.stderr


def test_no_processes_at_all_is_refused_in_words():
    refused = run_perception("--processes", "0")
    assert refused.returncode == 2
    assert "0 is not a whole number of at least 1" in refused.stderr


def test_bounds_that_are_just_held_are_said_to_be(tally, tally_within_bounds, limits_ms):
    paces = ", ".join(f"p99 {pace} {most} ms" for pace, most in limits_ms.items())
    assert list(limits_ms) == ["direct", "touched", "slow", "counted", "next"]
    assert tally.format_bounds(tally_within_bounds, whole=True) == (
        "In 1,000,000 scenarios the bounds of docs/explanation/reading-pegs.md are held: 0 wrong, 0 missed, "
        f"0.3 % asked, 2 % of slow counters told early, {paces}, 20,000 a minute and core."
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"wrong": 1}, "1 wrong (0 wanted)"),
        ({"missed": 2}, "2 missed (0 wanted)"),
        ({"asked": 4000}, "0.4 % asked (at most 0.3 wanted)"),
        ({"early": 21}, "2.1 % of slow counters told early (at most 2 wanted)"),
        ({"seconds": 4000}, "15,000 a minute and core (at least 20,000 wanted)"),
    ],
)
def test_a_bound_that_is_not_held_is_named(tally, tally_within_bounds, change, said):
    for name, value in change.items():
        setattr(tally_within_bounds, name, value)
    assert tally.format_bounds(tally_within_bounds, whole=True).endswith(
        f"the bounds of {tally.PAGE} are not held: {said}."
    )


@pytest.mark.parametrize("pace", ["direct", "touched", "slow", "counted", "next"])
def test_a_pace_that_is_too_slow_is_named(tally, tally_within_bounds, limits_ms, pace):
    most = limits_ms[pace]
    tally_within_bounds.delays = tally.Counter({(most + 2, pace): 1})
    said = f"p99 {pace} {most + 2} ms (at most {most} wanted)."
    assert tally.format_bounds(tally_within_bounds, whole=True).endswith(f"are not held: {said}")


def test_the_page_shows_the_bounds(tally, limits_ms):
    page = " ".join((HERE.parents[1] / tally.PAGE).read_text("utf-8").split())
    _, _, told = page.partition("## Measuring")
    asked, early = f"{tally.MAX_ASKED_PCT} % asked", f"{tally.MAX_EARLY_PCT} % of a slow counter's claims"
    times = [f"{most} ms" for most in limits_ms.values()]
    for bound in (
        asked,
        early,
        *times,
        f"{tally.MIN_SCENARIOS_PER_MINUTE:,} stories per minute",
        f"{tally.MIN_SCENARIOS:,} stories",
    ):
        assert bound in told[:1200]


def test_a_part_of_the_families_does_not_count_as_proof(tally, tally_within_bounds):
    said = tally.format_bounds(tally_within_bounds, whole=False)
    assert said.endswith(" They are meant for 1,000,000 scenarios of all families and boards.")


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Return a function that runs the program with a file and short parts, and returns its exit code."""
    played = []

    def play(seed, numbers):
        played.append(numbers[0])
        return Counter(scenarios=len(numbers)), [f"--one {numbers[0]}"] if numbers[0] == 20 else []

    def run_parts(*options):
        monkeypatch.setattr(sys, "argv", ["parts", str(tmp_path / "parts.jsonl"), *options])
        return parts.main()

    monkeypatch.setattr(parts, "play_stories", play)
    run_parts.played, run_parts.file = played, tmp_path / "parts.jsonl"
    return run_parts


def test_a_part_that_is_in_the_file_is_not_played_again(run):
    assert run("stories", "--parts", "2") == 0
    assert run("stories", "--parts", "4") == 1
    assert run.played == [0, 10, 20, 30]
    assert run("stories", "--parts", "1", "--seed", "2") == 0
    assert run.played == [0, 10, 20, 30, 0]


def test_the_sums_count_all_parts_and_name_what_failed(run, capsys):
    run("stories", "--parts", "4")
    capsys.readouterr()
    assert run("sum") == 1
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 2
    assert "'scenarios': 40" in said[0]
    assert "'parts': 4" in said[0]
    assert said[1] == "--one 20"


def test_a_part_of_stories_has_each_family_on_each_board(monkeypatch):
    monkeypatch.setattr(parts, "DEFAULT_FAMILIES", {"quick": None})
    counts, failed = parts.play_stories(1, range(3, 5))
    assert counts["scenarios"] == 2 * len(parts.GROUNDS)
    assert failed == []


def test_a_part_of_evenings_has_each_game_at_each_pace(monkeypatch):
    monkeypatch.setattr(parts, "GAMES", (("pegs-only", False),))
    counts, failed = parts.play_evenings(1, range(1))
    assert counts["evenings"] == len(parts.PACES)
    assert json.loads(json.dumps(counts))["acts"] > 0
    assert failed == []


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize(("game", "manual"), [("pegs-only", False), ("six-card", False), ("six-card", True)])
def test_an_evening_is_read_without_a_fault(game, manual, pace):
    args = Namespace(game=game, seats=2, manual=manual, pace=pace, dead=0, clumsy=0.0, mistakes=False, seed=20261123)
    evening = play_evening(args, 1)
    assert evening.acts > 15
    assert_no_fault(evening)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("pace", ["quick", "counting"])
def test_mistakes_of_players_are_read_and_put_right(seats, pace):
    """Wrong claims, muggins and every correction are read or asked about, and the evening goes on."""
    args = Namespace(
        game="six-card", seats=seats, manual=True, pace=pace, dead=0, clumsy=0.0, mistakes=True, seed=20261128
    )
    evening = play_evening(args, 1)
    assert evening.counts["right"] > 5
    faults = ("wrong", "missed", "stuck", "late")
    assert {kind: evening.counts[kind] for kind in faults} == dict.fromkeys(faults, 0), evening.notes


def assert_no_fault(evening):
    assert evening.counts["right"] > 5
    faults = ("wrong", "missed", "asked", "stuck", "false green")
    assert {kind: evening.counts[kind] for kind in faults} == dict.fromkeys(faults, 0), evening.notes


def test_a_match_of_pursuit_is_read_over_all_its_loops_also_where_a_hole_is_taken(monkeypatch):
    args = Namespace(
        game="pursuit", seats=3, manual=False, pace="usual", dead=0, clumsy=0.0, mistakes=False, seed=2026112330
    )
    moves, next_move = [], TruePegs.next_move

    def keep_move(pegs, side, points):
        moves.append((pegs.lanes[side].route.start, next_move(pegs, side, points)))
        return moves[-1][1]

    monkeypatch.setattr(TruePegs, "next_move", keep_move)
    evening = play_evening(args, 9)
    assert evening.counts["loops"] == 1
    assert evening.past.state.winner is not None
    assert any(move is not None and move.put in start for start, move in moves)
    assert_no_fault(evening)
