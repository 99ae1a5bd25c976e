"""The table under threads: durable before told, numbered snapshots, listeners that miss nothing newest."""

import threading
from contextlib import suppress

import pytest

from companion.codec import read_move
from companion.errors import IllegalMove
from companion.rules.cards import card
from companion.rules.moves import Next, Starter, Undo
from companion.settings import Settings
from companion.table.core import begin, fold
from companion.table.journal import Journal
from companion.table.plan import plan
from companion.table.showing import snapshot
from companion.table.table import Table


@pytest.fixture
def table(tmp_path):
    made = plan("six-card")
    journal = Journal(tmp_path / "journal.sqlite3")
    journal.begin(made.given)
    opened = Table(begin(made, Settings()), journal, lambda: 1000, run="test")
    yield opened
    opened.close()


def test_a_move_is_in_the_journal_before_anybody_hears_of_it(table, tmp_path):
    heard = []
    listener = table.listen()
    assert listener.newest(1).number == table.snapshot.number

    def listen():
        while (snapshot := listener.newest(5)) and not heard:
            other = Journal(tmp_path / "journal.sqlite3")
            heard.append((snapshot.moves, other.moves))
            other.close()

    thread = threading.Thread(target=listen)
    thread.start()
    table.submit(Starter(card("5D")))
    thread.join(10)
    assert heard == [(1, 1)]


def test_numbers_rise_with_each_change_and_only_then(table):
    number = table.snapshot.number
    with pytest.raises(IllegalMove):
        table.submit(Next())
    assert table.snapshot.number == number
    after = table.submit(Starter(card("5D")))
    assert (after.number, after.moves) == (number + 1, 1)
    assert table.submit(Undo()).moves == 2


def test_many_phones_at_once_make_one_line_of_moves(table, tmp_path):
    def tap():
        for move in (Starter(card("5D")), Undo()) * 20:
            with suppress(IllegalMove):
                table.submit(move)

    threads = [threading.Thread(target=tap) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    again = Journal(tmp_path / "journal.sqlite3")
    core = begin(plan("six-card"), Settings())
    for entry in again.last_game().entries:
        core = fold(core, entry, read_move(entry.body))
    assert core.past.state == table.core.past.state
    assert again.moves == table.snapshot.moves > 0
    again.close()


def test_a_closed_table_lets_its_listeners_go_and_refuses_in_words(table):
    listener = table.listen()
    listener.newest(1)
    thread = threading.Thread(target=listener.newest, args=(60,))
    thread.start()
    table.close()
    thread.join(5)
    assert not thread.is_alive()
    with pytest.raises(IllegalMove, match="ending"):
        table.submit(Undo())
    table.holes(0)


@pytest.mark.parametrize(("key", "target"), [("six-card", 121), ("five-card", 61), ("pursuit", None), ("bases", None)])
def test_the_target_is_told_where_a_score_wins(key, target):
    assert snapshot(begin(plan(key), Settings()), number=1, run="test", moves=0).game["target"] == target
