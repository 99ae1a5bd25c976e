"""The arena: the same deals for both, an honest early stop, and a coach that beats the heuristic player."""

import json
import sys
from random import Random

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.plugins.arena import match
from companion.plugins.arena.game import ArenaError
from companion.plugins.arena.match import ArenaTerms, SequentialTest, play_pairs, summarize_pairs

FORFEITER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    best = {"discard": asked["hand"][:2]} if asked["ask"] == "discard" else {"play": None}
    print(json.dumps({"ok": True, "choices": [best]}), flush=True)
"""
"""A program that discards its first cards and says go whatever it holds."""

ENDING = """
import json, sys
worth = lambda card: min(10, "A23456789TJQK".index(card[0]) + 1)
games = 0
for line in sys.stdin:
    asked = json.loads(line)
    games += asked["ask"] == "discard" and asked["scores"] == [0, 0]
    if games == 5:
        break
    fitting = [card for card in asked["hand"] if asked.get("count", 0) + worth(card) <= 31]
    best = {"discard": asked["hand"][:2], "play": fitting[0] if fitting else None}
    print(json.dumps({"ok": True, "choices": [best]}), flush=True)
"""
"""A program that ends at the beginning of its fifth game."""


def play(one, other, seeds):
    return list(play_pairs(ArenaTerms(one, other), seeds, processes=2 if len(seeds) > 50 else 1))


def run(*words):
    return CliRunner().invoke(main, ["arena", *map(str, words)])


def test_equal_players_come_out_even():
    pairs = play("heuristic", "heuristic", range(6))
    assert all(pair.wins == 1 and pair.ahead == 0 for pair in pairs)


def test_a_program_plays_as_the_coach():
    program = f"{sys.executable} -m companion advise"
    assert play(program, "heuristic", [3]) == play("expert", "heuristic", [3])


def test_processes_change_no_result():
    terms = ArenaTerms("heuristic", "novice")
    assert list(play_pairs(terms, range(4), processes=2)) == list(play_pairs(terms, range(4)))


def test_a_match_goes_on_after_its_file(tmp_path):
    kept = tmp_path / "match.jsonl"
    whole = json.loads(run("heuristic", "heuristic", "--pairs", 6, "--target", 61, "--json").stdout)
    run("heuristic", "heuristic", "--pairs", 2, "--target", 61, "--results", kept)
    before = kept.read_text()
    resumed = run("heuristic", "heuristic", "--pairs", 6, "--target", 61, "--results", kept, "--json")
    assert json.loads(resumed.stdout) == whole
    assert kept.read_text().startswith(before)
    assert len(kept.read_text().splitlines()) == 1 + 6


def test_results_of_another_match_are_refused_and_kept(tmp_path):
    kept = tmp_path / "match.jsonl"
    run("heuristic", "heuristic", "--pairs", 1, "--target", 61, "--results", kept)
    before = kept.read_text()
    refused = run("heuristic", "novice", "--pairs", 1, "--target", 61, "--results", kept)
    assert refused.exit_code == 1
    assert "another match" in refused.stderr
    assert kept.read_text() == before
    for other in (b"not a match\n", b"one line", b"\xff\n"):
        kept.write_bytes(other)
        assert "does not hold the results of a match" in run("heuristic", "novice", "--results", kept).stderr
        assert kept.read_bytes() == other
    assert "Cannot read" in run("heuristic", "novice", "--results", tmp_path).stderr
    assert "Cannot write" in run("heuristic", "novice", "--results", tmp_path / "no" / "folder").stderr


def test_a_cut_off_result_is_played_again(tmp_path):
    kept = tmp_path / "match.jsonl"
    match_of_two = ("heuristic", "heuristic", "--pairs", 2, "--target", 61, "--results", kept)
    run(*match_of_two)
    whole = kept.read_text()
    kept.write_text(whole[:-9])
    assert run(*match_of_two).exit_code == 0
    assert kept.read_text() == whole


def test_each_pair_is_kept_at_once(tmp_path):
    program, kept = tmp_path / "ends.py", tmp_path / "match.jsonl"
    program.write_text(ENDING)
    ended = run(f"{sys.executable} {program}", "heuristic", "--pairs", 9, "--target", 61, "--results", kept)
    assert ended.exit_code == 1
    assert len(kept.read_text().splitlines()) == 1 + 2


def test_one_pair_has_the_widest_interval():
    found = json.loads(run("heuristic", "heuristic", "--pairs", 1, "--target", 61, "--json").stdout)
    assert found["wins_pct_interval"] == [0, 100]
    assert found["points_a_pair_interval"] == [-242, 242]


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("/no/such/program", "Cannot start /no/such/program"),
        ("'unclosed", "Cannot start 'unclosed: No closing quotation. A player is novice"),
        ("", "Cannot start : "),
        (f"{sys.executable} -c pass", "ended without an answer"),
        (f"{sys.executable} -c 'input(); print(1)'", "answered 1 to {"),
        (f"{sys.executable} -c 'input(); print(chr(91) * 9999)'", "nested too deeply"),
        (f"{sys.executable} -c 'input(); print(9, 9)'", "answered 9 9: That is not JSON."),
    ],
)
def test_a_failing_program_ends_the_match(command, sentence):
    refused = run(command, "heuristic", "--pairs", 1)
    assert refused.exit_code == 1
    assert sentence in refused.stderr


def test_a_wrong_go_is_no_answer(tmp_path):
    program = tmp_path / "forfeiter.py"
    program.write_text(FORFEITER)
    with pytest.raises(ArenaError, match=r'forfeiter.py answered .*"play": null.* null if none does'):
        play(f"{sys.executable} {program}", "heuristic", [1])


def test_the_sequential_test_finds_the_stronger_player_soon():
    seed = 2026112601
    for wins, winner in ((0.58, 0), (0.42, 1)):
        random, test = Random(seed), SequentialTest()
        pairs = 0
        while test.winner is None:
            test.add(((random.random() < wins) + (random.random() < wins)) / 2)
            pairs += 1
        assert test.winner == winner
        assert pairs < 2000, f"seed {seed}"


def test_the_sequential_test_seldom_errs():
    seed, wrong = 2026112602, 0
    random = Random(seed)
    for _ in range(200):
        test = SequentialTest()
        for _ in range(1000):
            test.add((random.getrandbits(1) + random.getrandbits(1)) / 2)
            if test.winner is not None:
                wrong += 1
                break
    assert wrong <= 10, f"seed {seed}: {wrong} of 200, at an error of 5 %"


def test_the_early_stop_ends_decided_matches(monkeypatch):
    monkeypatch.setattr(match, "_play_pair", lambda _terms, _players, seed: match.PairResult(
        seed, 2, 30, 1, 0, (match.Tally(), match.Tally())))  # fmt: skip
    stopped = json.loads(run("heuristic", "heuristic", "--pairs", 500, "--stop-early", "--json").stdout)
    assert stopped["pairs"] < 50
    assert stopped["shown_stronger"] == "heuristic"
    whole = json.loads(run("heuristic", "heuristic", "--pairs", 60, "--json").stdout)
    assert whole["pairs"] == 60


@pytest.mark.long
@pytest.mark.parametrize(
    ("one", "other", "seeds", "points"),
    [
        ("expert", "heuristic", range(100, 108), 2), ("expert", "novice", range(4), 5), ("club", "novice", range(6), 3),
        ("expert", "club", range(200), 1),
    ],
)  # fmt: skip
def test_the_stronger_player_wins(one, other, seeds, points):
    assert summarize_pairs(play(one, other, seeds))["points_a_pair"] > points


@pytest.mark.long
def test_the_expert_wins_57_of_100_games():
    found = summarize_pairs(play("expert", "heuristic", range(600)))
    assert found["wins_pct"] >= 57
    assert found["points_a_pair_interval"][0] >= 2.5
    assert 53 <= found["first_dealer_wins_pct"] <= 59
