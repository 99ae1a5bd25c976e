"""'Round the Bases at the table: guided and checked pegs, dice, undo, restart, recordings."""

import json
from dataclasses import replace

import pytest

from companion.boards import catalog
from companion.common.errors import BoardError
from companion.pegs.events import Started
from companion.rules.moves import Roll, Undo
from companion.settings import Settings
from companion.table import inputs
from companion.table.recording import describe_table, run_recording
from companion.table.setup import create_plan
from companion.table.state import create_core, restore_pegs
from tests.support.table_driver import QUIET_MS, Hands

HANDS = {
    "strike-out": "2H 5S 7C 8H KD AH AC 5C 4D QC QS TC 7S",  # dealt by Red: 5 points against 8
    "must-roll": "AD 5C KH AH TC AC 2D go:1 go:0 3D 8S TD 8H 6S 6C",  # 10 against 6: the batter is on space 4
    "on-first": "QD 5C 3C 2S TC 8S 2C go:1 go:0 8C KC 8H 7C 4D 2H",  # 14 against 8: the batter is on first
    "home-run": "6C 4C KC QH 7C 7D 8H AS 7H 7S 8C AH 9D",  # 27 against 2
}


class Table(Hands):
    """Red bats first, unless `dealer` says otherwise."""

    def __init__(self, dealer: int | None = 0, **plan_of: object) -> None:
        super().__init__("bases", dealer=dealer, **plan_of)

    def hand(self, *words: str) -> None:
        """A whole hand or some cards: to the reader, goes by the button; after a while, so that none is a sighting."""
        self.rest(2000)
        for word in HANDS.get(words[0], " ".join(words)).split():
            if word.startswith("go"):
                self.press(word)
            else:
                self.scan(word)

    def set_pegs(self, *ids: str) -> None:
        """The board as a hand leaves it, all at once, and its rest."""
        self.holes = {self.core.plan.board.by_id[hole].bit for hole in ids}
        self._report_levels()
        self.rest()

    def cable(self, *, plugged: bool) -> None:
        self._apply(inputs.on_device(self.core, "sensors", self.ms, ok=plugged, say=""))

    def occupied_holes(self) -> set[str]:
        return {self.core.plan.board.holes[bit].id for bit in self.holes}

    def advised_moves(self) -> set[tuple[str, str | None, str | None]]:
        return {(a.kind, a.lift, a.place) for a in self.snapshot.advice}

    def sentences(self) -> list[str]:
        return [a.say for a in self.snapshot.advice]

    def follow_advice(self) -> None:
        for advice in self.snapshot.advice:
            assert advice.lift
            assert advice.place
            self.peg(advice.lift, advice.place)
        self.rest()
        assert self.sentences() == []


def without_box(ids: set[str]) -> set[str]:
    return {hole for hole in ids if not hole.startswith(("runners", "red-pegs", "blue-pegs"))}


def test_the_game_starts_when_all_sixteen_pegs_stand_right():
    table = Table()
    assert table.events == [Started((0, 1))]
    assert len(table.occupied_holes()) == 16
    assert without_box(table.occupied_holes()) == {"batter-0", "outs-0", "innings-0"}
    assert table.advised_moves() == set()
    assert table.snapshot.pegs == ()


def test_before_the_bat_is_known_all_runners_are_in_their_box():
    table = Table(None)
    assert without_box(table.occupied_holes()) == {"outs-0", "innings-0"}
    table.play("press dice 5 1, press dice 2 6")
    assert table.snapshot.view["batting"] == 0
    assert table.sentences() == ["Runner peg: from the runners' box to the batter's box."]


def test_an_incomplete_set_up_is_guided_peg_by_peg_and_nothing_blocks():
    table = Table()
    right = table.occupied_holes()
    fresh = Table()
    fresh.core = create_core(create_plan("bases", dealer=0), Settings())
    fresh.events = []
    fresh.set_pegs(*right - {"outs-0", "red-pegs-2"}, "outs-2", "red-runs-4")
    assert fresh.advised_moves() == {("set_up", "outs-2", "outs-0"), ("set_up", "red-runs-4", "red-pegs-2")}
    assert "Outs peg: the peg in 2 starts in the neutral hole." in fresh.sentences()
    fresh.scan("QD")
    assert (fresh.snapshot.view["phase"], fresh.events) == ("play", [])
    fresh.follow_advice()
    assert fresh.events == [Started((0, 1))]


def test_the_points_of_a_hand_go_on_the_scales_by_addition():
    table = Table().play("hand on-first")
    assert table.snapshot.view["points"] == [14, 8]
    places = {place for _, _, place in table.advised_moves()}
    assert places == {"red-units-4", "red-tens-10", "blue-units-8", "bases-6"}
    assert {kind for kind, *_ in table.advised_moves()} == {"peg_forward"}
    assert "Runner peg: from the runners' box to first base." in table.sentences()
    assert "Blue: from the box to 8 of the scale." in table.sentences()
    table.follow_advice()


def test_a_scale_peg_moves_along_as_the_points_grow():
    table = Table().play("hand 5D TC 5C")
    assert table.snapshot.view["points"] == [2, 0]
    table.play("scan 5H, follow_advice")
    assert {"red-units-2", "blue-units-2"} <= table.occupied_holes()
    table.hand("KC AS")
    assert table.snapshot.view["points"] == [2, 4]
    assert table.advised_moves() == {("peg_forward", "blue-units-2", "blue-units-4")}


def test_whichever_runner_a_hand_moves_is_right():
    table = Table().play("hand on-first, follow_advice, hand on-first")
    assert table.sentences() == ["Runner peg: from the runners' box to second base."]
    table.play("peg bases-6 bases-12, rest, peg batter-0 bases-6, rest")
    assert table.sentences() == ["Runner peg: from the runners' box to the batter's box."]
    table.follow_advice()


def test_the_scales_are_empty_before_the_next_hand():
    table = Table().play("hand on-first, follow_advice, next")
    assert {kind for kind, *_ in table.advised_moves()} == {"peg_back"}
    assert {lift for _, lift, _ in table.advised_moves()} == {"red-units-4", "red-tens-10", "blue-units-8"}
    assert "Red: from 4 of the scale to the box." in table.sentences()
    table.follow_advice()
    assert without_box(table.occupied_holes()) == {"bases-6", "batter-0", "outs-0", "innings-0"}


def test_an_out_is_pegged_and_the_runner_who_moves_nobody_stays_in_his_box():
    table = Table().play("hand strike-out")
    assert ("peg_forward", "outs-0", "outs-1") in table.advised_moves()
    assert not any(lift == "batter-0" for _, lift, _ in table.advised_moves())
    assert "Outs peg: from the neutral hole to 1." in table.sentences()


def test_runs_are_pegged_by_addition():
    table = Table().play("0 adjusts 5")
    table.play("follow_advice, hand home-run, scores 6 0")
    assert "red-runs-1" in {place for _, _, place in table.advised_moves()}
    assert not any(lift == "red-runs-5" for _, lift, _ in table.advised_moves())
    table.follow_advice()
    assert {hole for hole in table.occupied_holes() if "red-runs" in hole} == {"red-runs-5", "red-runs-1"}


def test_a_retired_side_takes_its_runners_off_and_the_outs_go_back_to_neutral():
    table = Table().play("hand on-first, hand strike-out, hand strike-out, follow_advice")
    assert {"outs-2", "bases-6"} <= table.occupied_holes()
    table.hand("strike-out")
    assert table.snapshot.view["half"] == "bottom"
    assert {("peg_back", "outs-2", "outs-0")} <= table.advised_moves()
    assert any(lift == "bases-6" and place.startswith("runners") for _, lift, place in table.advised_moves())
    table.follow_advice()
    assert "batter-0" in table.occupied_holes()


def test_the_innings_peg_counts_the_innings_completed():
    table = Table().play("hand strike-out, hand strike-out, hand strike-out, follow_advice")
    assert "innings-0" in table.occupied_holes()
    for _ in range(3):
        table.hand(mirror_hand(HANDS["strike-out"]))
    assert table.snapshot.view["inning"] == 2
    assert ("peg_forward", "innings-0", "innings-1") in table.advised_moves()
    table.follow_advice()


def mirror_hand(words: str) -> str:
    """The same hand dealt by the other seat: its goes are the other's."""
    return words.replace("go:0", "go:x").replace("go:1", "go:0").replace("go:x", "go:1")


def test_a_runner_who_must_roll_stands_on_his_space_until_the_dice_have_fallen():
    table = Table().play("hand must-roll, follow_advice")
    assert "bases-4" in table.occupied_holes()
    table.press("dice", (2, 5))
    assert "Runner peg: from space 4 to first base." in table.sentences()
    table.move(Undo())
    assert table.sentences() == []
    table.press("dice", (3, 5))
    assert {place for _, _, place in table.advised_moves()} == {"batter-0", "outs-1"}


def test_a_stolen_base_is_guided():
    table = Table().play("hand on-first, follow_advice, 0 steals 1")
    assert table.sentences() == []
    table.press("dice", (6, 1))
    assert table.advised_moves() == {("peg_forward", "bases-6", "bases-12")}


def test_a_peg_in_a_wrong_hole_is_named_with_where_it_belongs():
    table = Table().play("hand on-first, follow_advice, peg red-units-4 red-units-5")
    table.rest(QUIET_MS - 1)
    assert table.sentences() == ["Red: a peg is missing in 4 of the scale."]
    table.rest(1)
    (advice,) = table.snapshot.advice
    told = (advice.kind, advice.seat, advice.hole, advice.lift, advice.place)
    assert told == ("put_back", 0, "red-units-5", "red-units-5", "red-units-4")
    assert advice.say == "Red: the peg in 5 of the scale belongs in 4 of the scale."
    table.play("peg red-units-5 red-units-4, rest")
    assert table.sentences() == []


@pytest.mark.parametrize(
    ("lift", "place", "say"),
    [
        ("bases-6", "bases-12", "Runner peg: the peg on second base belongs on first base."),
        ("outs-0", "outs-1", "Outs peg: the peg in 1 belongs in the neutral hole."),
        ("innings-0", "innings-3", "Innings peg: the peg in 3 belongs in the neutral hole."),
        ("blue-units-8", "blue-runs-3", "Blue: the peg in 3 of the runs belongs in 8 of the scale."),
        ("red-tens-10", "blue-tens-10", "Red: the peg in 10 of Blue's scale belongs in 10 of the scale."),
        ("runners-1", "outs-3", "Runner peg: the peg in 3 of the outs belongs in the runners' box."),
    ],
)
def test_every_kind_of_peg_is_checked(lift, place, say):
    table = Table().play("hand on-first, follow_advice")
    if lift not in table.occupied_holes():
        lift = next(hole for hole in table.occupied_holes() if hole.startswith(lift.partition("-")[0]))
    table.peg(lift, place)
    table.rest()
    assert [(a.kind, a.say) for a in table.snapshot.advice] == [("put_back", say)]


def test_a_peg_in_the_hand_is_missed_and_the_game_goes_on():
    table = Table()
    table.set_pegs(*table.occupied_holes() - {"red-pegs-3"})
    (advice,) = table.snapshot.advice
    assert (advice.kind, advice.say, advice.place) == ("put_back", "Red: a peg is missing in the box.", "red-pegs-3")
    table.hand("on-first")
    assert table.snapshot.view["phase"] == "between"
    assert "Red: put a peg in 4 of the scale." in table.sentences()


def test_pegs_moved_while_the_cable_was_out_are_read_on_return():
    table = Table()
    table.cable(plugged=True)
    table.play("hand on-first, follow_advice")
    table.cable(plugged=False)
    table.rest(5000)
    assert table.sentences() == []
    table.cable(plugged=True)
    table.set_pegs(*table.occupied_holes() - {"outs-0"}, "outs-1")
    assert table.advised_moves() == {("put_back", "outs-1", "outs-0")}


def test_a_seventeenth_peg_is_to_be_taken_off():
    table = Table()
    table.set_pegs(*table.occupied_holes(), "bases-24")
    (advice,) = table.snapshot.advice
    assert (advice.kind, advice.hole, advice.say) == ("take_off", "bases-24", "No peg belongs on home plate.")


def test_pegs_that_are_not_moved_yet_are_guided_to_where_they_belong_by_then():
    table = Table().play("hand on-first, hand home-run")
    assert table.snapshot.view["scores"] == [2, 0]
    assert {kind for kind, *_ in table.advised_moves()} == {"peg_forward"}
    assert {"red-units-7", "red-tens-20", "red-runs-2"} <= {place for *_, place in table.advised_moves()}
    table.follow_advice()


def test_undo_to_the_very_start_leads_the_pegs_back():
    table = Table(None)
    first = table.occupied_holes()
    table.play("press dice 1 1, press dice 6 1")
    table.hand(mirror_hand(HANDS["must-roll"]))
    table.play("follow_advice, press dice 4 4, follow_advice")
    while table.core.past.parent:
        table.press("undo")
    assert {kind for kind, *_ in table.advised_moves()} <= {"peg_back", "peg_forward"}
    table.follow_advice()
    assert without_box(table.occupied_holes()) == without_box(first)


def test_more_than_the_holes_can_say_asks_for_no_more_pegs_than_there_are():
    table = Table().play("hand on-first, 0 adjusts 99, follow_advice")
    assert len(table.occupied_holes()) == 16


def restart_table(table: Table) -> Table:
    """The same table after a restart: the journal kept its moves and where its pegs stood."""
    saved = json.loads(json.dumps(table.core.course.dump()))
    again = Table()
    again.core = restore_pegs(replace(create_core(table.core.plan, Settings()), past=table.core.past), saved)
    again.ms, again.events = table.ms, []
    return again


def test_a_restart_knows_the_pegs_where_they_stood_right_or_wrong():
    table = Table().play("hand on-first, follow_advice, next")
    before = table.sentences()
    again = restart_table(table)
    assert again.sentences() == before != []
    assert again.core.course.resting_holes() == sum(1 << bit for bit in table.holes)
    again.set_pegs(*table.occupied_holes())
    assert again.sentences() == before
    again.follow_advice()
    assert again.events == []


def test_a_peg_in_the_hand_at_the_restart_stands_where_it_was_lifted():
    table = Table()
    before = table.core.course.resting_holes()
    table.set_pegs(*table.occupied_holes() - {"outs-0"})
    again = restart_table(table)
    assert again.core.course.resting_holes() == before


def test_a_game_that_had_not_started_starts_after_the_restart():
    table = Table()
    right = table.occupied_holes()
    table.core = create_core(table.core.plan, Settings())
    table.set_pegs(*right - {"outs-0"}, "outs-1")
    again = restart_table(table)
    again.set_pegs(*right - {"outs-0"}, "outs-1")
    assert [a.kind for a in again.snapshot.advice] == ["set_up"]
    again.follow_advice()
    assert again.events == [Started((0, 1))]


def test_a_hole_that_is_not_believed_is_not_believed_after_a_restart_either():
    table = Table()
    table.set_pegs(*table.occupied_holes(), "red-runs-5")
    table.rest(5000)
    assert table.snapshot.quarantined == ("red-runs-5",)
    again = restart_table(table)
    again.set_pegs(*table.occupied_holes())
    again.rest(5000)
    assert (again.snapshot.quarantined, again.sentences(), again.events) == (("red-runs-5",), [], [])
    again.set_pegs(*table.occupied_holes() - {"red-runs-5"})
    again.rest(61_000)
    assert (again.snapshot.quarantined, again.sentences()) == ((), [])


def test_four_play_on_the_same_board_and_partners_share_their_pegs():
    table = Table(seats=4)
    assert table.events == [Started((0, 1))]
    table.play("scan JD, scores 1 0")
    assert {(a.seat, a.place) for a in table.snapshot.advice} == {(0, "red-runs-1")}


def test_a_board_without_the_boxes_of_the_game_is_refused():
    with pytest.raises(BoardError, match="lacks a complete track bases"):
        create_core(create_plan("bases", board="classic"), Settings())


def write_own_board(tmp_path, *change):
    """An owner's board file, with the spaces of the shipped one changed so."""
    text = (catalog.resource_folder("hardware/boards") / "bases.toml").read_text("utf-8")
    assert change[0] in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(*change), "utf-8")
    return str(path)


SHIPPED = 'home-first   = ["out", "out", "out", "roll 2"'


def test_the_spaces_are_those_of_the_owners_board(tmp_path):
    table = Table(board=write_own_board(tmp_path, SHIPPED, SHIPPED.replace("2", "5"))).play("hand must-roll")
    assert table.snapshot.view["due"]["number"] == 5
    shipped = Table()
    shipped.hand("must-roll")
    assert shipped.snapshot.view["due"]["number"] == 2


def test_a_runner_who_is_safe_where_he_stands_is_no_light_that_runs(tmp_path):
    shipped = '"roll 2", "roll 1", "base"]\nsecond-third = ["safe", "safe", "pickle 3", "roll 2"'
    own = '"out", "roll 1", "base"]\nsecond-third = ["safe", "safe", "pickle 3", "safe"'
    table = Table(board=write_own_board(tmp_path, shipped, own))
    for hand in (
        HANDS["on-first"],
        HANDS["on-first"],
        HANDS["must-roll"],
    ):  # the third moves him from second to space 16, and back
        table.hand(hand)
    assert [(p["from"], p["to"], p["result"]) for p in table.snapshot.view["plays"]] == [(2, 2, "safe"), (1, 2, "out")]
    assert [mark.kind for mark in table.core.light_effects if mark.path] == ["out"]


def test_spaces_that_nobody_can_play_by_are_refused_before_the_game(tmp_path):
    with pytest.raises(BoardError, match=r"mine\.toml: no space between home and first can be safe"):
        create_core(
            create_plan("bases", board=write_own_board(tmp_path, SHIPPED, SHIPPED.replace('"out"', '"safe"', 1))),
            Settings(),
        )


def test_a_board_without_the_table_that_was_asked_for_is_refused(tmp_path):
    with pytest.raises(BoardError, match=r"mine\.toml has no table of spaces named harsh"):
        Table(options={"preset": "harsh"}, board=write_own_board(tmp_path, "[spaces.harsh]", "[spaces.mild]"))


def recording_lines(*given: dict) -> list[dict]:
    said: list[dict] = []
    run_recording([json.dumps(line).encode() for line in given], said.append)
    return said


def bits_of_ids(*ids: str) -> str:
    by_id = create_plan("bases").board.by_id
    return f"{sum(1 << by_id[hole].bit for hole in ids):x}"


BEGUN = {"ms": 0, "table": {"game": "bases", "seats": 2, "board": "bases", "dealer": 0, "options": {}}}


def test_a_recording_of_scans_dice_and_holes_says_the_same_again():
    start = f"{Table().core.course.resting_holes():x}"
    given = [BEGUN, {"ms": 10, "holes": start}]
    given += [
        {"ms": 1000 + 10 * n, **({"press": word} if word.startswith("go") else {"scan": word})}
        for n, word in enumerate(HANDS["must-roll"].split())
    ]
    given += [{"ms": 2000, "press": "dice", "dice": [2, 5]}, {"ms": 2001, "tick": True}]
    said = recording_lines(*given)
    assert [line for line in said if "event" in line] == [{"ms": 410, "event": "started", "seats": [0, 1]}]
    assert not [line for line in said if "error" in line]
    assert sum(line["award"]["points"] for line in said if "award" in line) == 16
    last = [line["advice"] for line in said if "advice" in line][-1]
    assert "bases-6" in {advice["place"] for advice in last}
    assert recording_lines(*given) == said


def test_a_recording_begun_mid_game_knows_the_pegs():
    table = Table().play("hand on-first, follow_advice")
    moves = [{"type": "starter", "card": "QD"}]
    begins = describe_table(table.core)
    assert begins["known"] == {"taken": bits_of_ids(*table.occupied_holes()), "started": True}
    said = recording_lines({"ms": 5, "table": {**begins, "moves": moves}}, {"ms": 6, "tick": True})
    assert "Red: from 4 of the scale to the box." in [a["say"] for a in said[0]["advice"]]


@pytest.mark.parametrize(
    "markers", ["1f", {"taken": "xyz"}, {"taken": 5}, {"taken": "f" * 60}, [], {"taken": "f", "doubted": [10**30]}]
)
def test_markers_that_mean_nothing_are_refused_in_a_sentence(markers):
    said = recording_lines({"ms": 0, "table": {**BEGUN["table"], "markers": markers}})
    assert [list(line) for line in said] == [["ms", "error"]]


def test_the_move_that_a_phone_makes_shows_its_own_dice_without_a_tumble():
    table = Table(None)
    table.move(Roll(0, (4,)))
    assert (table.snapshot.dice.faces, table.snapshot.dice.stop_ms) == ((4,), table.ms)
