"""The table under threads: durable before published, numbered snapshots, subscribers, faults, restarts."""

import threading
from contextlib import suppress

import pytest

from companion.common.errors import CompanionError, IllegalMove, JournalError
from companion.journal.journal import Journal
from companion.protocol.json_codec import read_move
from companion.rules.cards import parse_card
from companion.rules.moves import Adjust, Go, Next, Play, Starter, Undo
from companion.settings import Settings
from companion.table import inputs
from companion.table.setup import create_plan
from companion.table.state import apply_entry, create_core, create_snapshot, restore_pegs
from companion.table.table import Table
from tests.support.waiting import PATIENCE_S


@pytest.fixture
def table(tmp_path):
    made = create_plan("six-card")
    journal = Journal(tmp_path / "journal.sqlite3")
    journal.begin_game(made.journal_json)
    opened = Table(create_core(made, Settings()), journal, lambda: 1000, run="test")
    yield opened
    opened.close()


def test_a_move_is_in_the_journal_before_anybody_hears_of_it(table, tmp_path):
    heard = []
    listener = table.subscribe()
    assert listener.next_snapshot(1).number == table.snapshot.number

    def listen():
        while not heard and (snapshot := listener.next_snapshot(30)):
            other = Journal(tmp_path / "journal.sqlite3")
            heard.append((snapshot.moves, other.move_count))
            other.close()

    thread = threading.Thread(target=listen)
    thread.start()
    table.submit(Starter(parse_card("5D")))
    thread.join(PATIENCE_S)
    assert heard == [(1, 1)]


def test_numbers_rise_with_each_change_and_only_then(table):
    number = table.snapshot.number
    with pytest.raises(IllegalMove):
        table.submit(Next())
    assert table.snapshot.number == number
    after = table.submit(Starter(parse_card("5D")))
    assert (after.number, after.moves) == (number + 1, 1)
    assert table.submit(Undo()).moves == 2


def test_many_phones_at_once_make_one_line_of_moves(table, tmp_path):
    def tap():
        for move in (Starter(parse_card("5D")), Undo()) * 20:
            with suppress(IllegalMove):
                table.submit(move)

    threads = [threading.Thread(target=tap) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    again = Journal(tmp_path / "journal.sqlite3")
    core = create_core(create_plan("six-card"), Settings())
    for entry in again.last_game().entries:
        core = apply_entry(core, entry, read_move(entry.body))
    assert core.past.state == table.core.past.state
    assert again.move_count == table.snapshot.moves > 0
    again.close()


def test_a_closed_table_lets_its_listeners_go_and_refuses_in_words(table):
    listener = table.subscribe()
    listener.next_snapshot(1)
    thread = threading.Thread(target=listener.next_snapshot, args=(60,))
    thread.start()
    table.close()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
    with pytest.raises(IllegalMove, match="ending"):
        table.submit(Undo())
    table.on_levels(0)


def inject_fault(monkeypatch, name):
    """A step of the pegs fails from now on; gives what mends it."""

    def fail(*_):
        raise ZeroDivisionError

    with_fault = monkeypatch.context()
    with_fault.__enter__().setattr(f"companion.table.table.{name}", fail)
    return lambda: with_fault.__exit__(None, None, None)


def test_a_fault_in_a_step_is_reported_once_and_the_table_continues(table, monkeypatch, caplog):
    mend = inject_fault(monkeypatch, "on_levels")
    table.on_levels(0)
    table.on_levels(0)
    (notice,) = table.snapshot.notices
    assert (notice.source, "went wrong" in notice.say) == ("program", True)
    assert "ZeroDivisionError" in caplog.text
    mend()
    pegs = table.core.course.resting_holes()
    table.on_levels(pegs)
    assert table.core.course.bits == pegs
    assert table.submit(Starter(parse_card("JD"))).moves == 1


@pytest.mark.parametrize("ask", [lambda t: t.submit(Starter(parse_card("JD"))), lambda t: t.tap_card("JD")])
def test_a_fault_in_what_a_phone_asks_for_is_its_answer_and_the_table_goes_on(table, monkeypatch, caplog, ask):
    before = table.snapshot
    monkeypatch.setattr(inputs, "make_move", lambda *_: 1 / 0)
    with pytest.raises(CompanionError, match="Something went wrong in the program; nothing was changed"):
        ask(table)
    assert "Traceback" in caplog.text
    assert (table.snapshot.moves, table.snapshot.view, table.snapshot.notices) == (0, before.view, ())
    monkeypatch.undo()
    assert ask(table).moves == 1


def test_a_fault_in_how_the_pegs_are_read_stops_no_phone_for_good(table, monkeypatch):
    """If the state of the pegs itself causes the fault, the pegs are read again and the next move succeeds."""
    table.on_levels(table.core.course.resting_holes())
    whole, read = inputs.reconcile, table.core.course.reader

    def fails_on_that_reading(core, now_ms):
        return 1 / 0 if core.course.reader is read else whole(core, now_ms)

    monkeypatch.setattr(inputs, "reconcile", fails_on_that_reading)
    with pytest.raises(CompanionError, match="nothing was changed"):
        table.submit(Starter(parse_card("JD")))
    assert table.submit(Starter(parse_card("JD"))).view["scores"] == [2, 0]


def test_a_fault_in_what_falls_due_is_told_and_the_next_word_of_the_pegs_mends_it(tmp_path, monkeypatch, caplog):
    made, now = create_plan("six-card"), [1000]
    journal = Journal(tmp_path / "journal.sqlite3")
    journal.begin_game(made.journal_json)
    table = Table(create_core(made, Settings()), journal, lambda: now[0], run="test")
    pegs = table.core.course.resting_holes()
    table.on_levels(pegs)
    mend = inject_fault(monkeypatch, "on_tick")
    now[0] += 60_000
    table.on_levels(pegs)
    assert [notice.source for notice in table.snapshot.notices] == ["program"]
    assert "ZeroDivisionError" in caplog.text
    mend()
    table.on_levels(pegs)
    now[0] += 60_000
    table.on_levels(pegs)
    assert table.submit(Starter(parse_card("JD"))).pegs
    assert [(due.seat, due.points) for due in table.snapshot.dues] == [(0, 2)]
    table.close()


def test_a_device_is_known_to_be_lost_while_the_journal_cannot_be_written(table, monkeypatch):
    table.on_device("lights", True, "", "sim:")

    def full(*_):
        raise JournalError("The journal could not be written: the disk is full.")

    monkeypatch.setattr(table, "_conclude_until", full)
    table.on_device("lights", False, "The lights' cable is unplugged.")
    assert (table.snapshot.devices["lights"].ok, table.snapshot.notices[-1].source) == (False, "journal")


@pytest.mark.parametrize(("key", "target"), [("six-card", 121), ("five-card", 61), ("pursuit", None), ("bases", None)])
def test_the_target_is_told_where_a_score_wins(key, target):
    assert (
        create_snapshot(create_core(create_plan(key), Settings()), number=1, run="test", moves=0).game["target"]
        == target
    )


def open_table(path, now):
    """The table of the journal at `path`, as a start of the program takes it up; its clock says `now[0]`."""
    journal, made = Journal(path), create_plan("six-card")
    if (kept := journal.last_game()) is None:
        journal.begin_game(made.journal_json)
    core = create_core(made, Settings())
    for entry in kept.entries if kept else ():
        core = apply_entry(core, entry, read_move(entry.body))
    return Table(restore_pegs(core, kept.pegs if kept else None), journal, lambda: now[0], run="test")


def move_peg(table, now, lift, place):
    """Red's peg is moved, and rests."""
    by_id, holes = table.core.plan.board.by_id, table.core.course.resting_holes()
    for bits in (holes, holes ^ 1 << by_id[lift].bit, holes ^ 1 << by_id[lift].bit ^ 1 << by_id[place].bit):
        now[0] += 1000
        table.on_levels(bits)
    now[0] += 1000
    table.on_levels(bits)


PAIR = [Play(1, parse_card("5S")), Play(0, parse_card("5C"))]
LAST = [Play(1, parse_card("TD")), Play(0, parse_card("JD")), Go(1), Go(0)]


@pytest.mark.parametrize(
    ("before", "after", "place", "say"),
    [
        (PAIR, [], "red-5", "Red pegged 3, the count is 2 (a pair is two)."),
        (PAIR, [], "red-3", "Red pegged 1, the count is 2 (a pair is two)."),
        (PAIR, LAST, "red-6", "Red pegged 4, the count is 3 (a pair is two, and last card is three)."),
        ([*PAIR, *LAST], [], "red-6", "Red pegged 4, the count is 3 (a pair is two, and last card is three)."),
        ([Adjust(0, 1), *PAIR], [], "red-6", "Red pegged 4, the count is 3."),
    ],
)
def test_a_restart_knows_what_a_side_has_its_points_for(tmp_path, before, after, place, say):
    now = [1000]
    table = open_table(tmp_path / "j", now)
    table.submit(Starter(parse_card("JH")))
    move_peg(table, now, "red-start-2", "red-2")
    for move in before:
        table.submit(move)
    table.close()
    table = open_table(tmp_path / "j", now)
    for move in after:
        table.submit(move)
    move_peg(table, now, "red-start-1", place)
    assert [a.say for a in table.snapshot.advice] == [say]
    table.close()


def test_a_hole_that_is_not_believed_is_not_believed_after_a_restart_either(tmp_path):
    now = [1000]
    table = open_table(tmp_path / "j", now)
    move_peg(table, now, "red-start-2", "red-start-2")  # set up, and at rest
    stuck = table.core.course.resting_holes() | 1 << table.core.plan.board.by_id["blue-40"].bit
    for _ in range(6):
        now[0] += 1000
        table.on_levels(stuck)
    assert table.snapshot.quarantined == ("blue-40",)
    table.close()
    table = open_table(tmp_path / "j", now)
    now[0] += 1000
    table.on_levels(stuck)
    assert (table.snapshot.quarantined, table.snapshot.question) == (("blue-40",), None)
    table.close()
