"""Twenty boards and an archive recover when their broker drops all sessions again and again.

The broker is real; the cable before it drops the sessions. What counts is that all moves arrive, and how much is sent
for it: never how fast.
"""

import contextlib
import itertools
import json
from time import monotonic

import pytest

from companion.journal.journal import Journal, JournalEntry
from companion.plugins.club.archive import Archive
from companion.plugins.club.database import Database
from companion.plugins.club.subscriber import ArchiveSubscriber
from companion.plugins.mqtt import ReportSettings, publisher
from companion.plugins.mqtt import outbox as outbox_module
from companion.plugins.mqtt.outbox import Outbox
from companion.plugins.mqtt.publisher import JournalPublisher, ResendPace
from companion.protocol.json_codec import write_move
from companion.rules.moves import Peg, Undo
from companion.table.setup import create_plan
from tests.support.brokers import Cable
from tests.support.waiting import wait_until

BOARDS, MOVES, DROPS, WINDOW = 20, 250, 5, 20


def write_journal(path, moves, games=1):
    """Write a journal with games of this many moves, without a table."""
    journal = Journal(path)
    for _ in range(games):
        journal.begin_game(create_plan("pegs-only").journal_json)
        made = (write_move(Undo() if n % 2 else Peg(0, 1)) for n in range(moves))
        journal.write(tuple(JournalEntry("move", "phone", each) for each in made))
    return journal


@pytest.fixture
def small_window(monkeypatch):
    monkeypatch.setattr(outbox_module, "MAX_UNCONFIRMED_MOVES", WINDOW)
    monkeypatch.setattr(publisher, "START_DELAY_S", 0)


def test_twenty_boards_recover_from_dropped_sessions(small_window, broker, subscribe, tmp_path):
    at = broker("max_queued_messages 0")
    subscriber = subscribe(at, "cribbage/1/+/+/move/#")
    with contextlib.ExitStack() as closing:

        def opened(thing):
            return closing.enter_context(contextlib.closing(thing))

        cable = opened(Cable(at.port))
        store = opened(Database(f"sqlite:///{tmp_path}/club.sqlite3"))
        opened(ArchiveSubscriber(Archive(store), ReportSettings(brokers=(cable.url,))))
        journals = [opened(write_journal(tmp_path / f"{n}.sqlite3", MOVES)) for n in range(BOARDS)]
        for n, journal in enumerate(journals):
            opened(JournalPublisher(journal, ReportSettings(brokers=(cable.url,), board=f"table-{n}")))
        count = lambda: store.query("SELECT count(*) FROM move")[0][0]  # noqa: E731
        dropped, begun_s = 0, monotonic()
        for drop in range(DROPS):
            wait_until(lambda: cable.count_connections() > BOARDS // 2)
            wait_until(lambda drop=drop: count() > drop * BOARDS * MOVES // (DROPS + 1))
            dropped += cable.drop()
        wait_until(lambda: count() == BOARDS * MOVES)
        repeats = BOARDS * (monotonic() - begun_s) / publisher.INITIAL_REPEAT_S
        assert store.query("SELECT count(*) FROM refused") == [(0,)]
    assert dropped > DROPS * BOARDS // 2
    sent = len([topic for topic, _, _ in subscriber.messages])
    # each end of a session may cost a window for the board, and one more for the archive's request; on a busy machine
    # the archive also requests what it has not stored yet, each board at most at this interval
    assert sent <= BOARDS * MOVES + 2 * WINDOW * (dropped + DROPS * BOARDS + repeats)


def test_an_unconfirmed_run_holds_up_no_other(small_window, tmp_path):
    with contextlib.closing(write_journal(tmp_path / "journal.sqlite3", 2 * WINDOW, games=3)) as journal:
        runs = [mark[:16] for (mark,) in journal.query("SELECT hash FROM game ORDER BY id")]
        outbox, has = Outbox(journal, {runs[0]: 0}), dict.fromkeys(runs, 0)
        pace, sent, now_s = ResendPace(outbox, 0.0), dict.fromkeys(runs, 0), 0.0

        def publish(refused):
            nonlocal now_s
            while (message := outbox.next_message()) is not None:
                if message.topic.startswith("move/"):
                    run = message.topic.split("/")[1]
                    sent[run] += 1
                    has[run] += run != refused and json.loads(message.text)["n"] == has[run] + 1
            now_s += 1.0
            pace.on_confirmation(now_s, is_news=outbox.on_confirmation(has))
            pace.check(now_s)

        for _ in range(60):
            publish(refused=runs[0])
        assert has == {runs[0]: 0, runs[1]: 2 * WINDOW, runs[2]: 2 * WINDOW}
        assert sent[runs[0]] < 10 * WINDOW  # ever more rarely
        for _ in range(600):  # a new archive takes it
            publish(refused="")
        assert has == dict.fromkeys(runs, 2 * WINDOW)


def test_moves_that_the_archive_has_are_not_sent(tmp_path):
    with contextlib.closing(write_journal(tmp_path / "journal.sqlite3", 20, games=2)) as journal:
        runs = [mark[:16] for (mark,) in journal.query("SELECT hash FROM game ORDER BY id")]
        outbox, topics = Outbox(journal, {}), []
        for _ in range(5):
            topics.append(outbox.next_message().topic)
        assert outbox.on_confirmation({runs[0]: 18, runs[1]: 20})
        while message := outbox.next_message():
            topics.append(message.topic)
        moves = [topic for topic in topics if topic.startswith("move")]
        assert moves == [f"move/{runs[0]}/{n}" for n in (1, 2, 3, 4, 19, 20)]
        assert outbox.is_confirmed is False
        outbox.on_confirmation({runs[0]: 20, runs[1]: 20})
        assert outbox.is_confirmed


def test_a_repeated_upto_causes_ever_fewer_repeats(tmp_path):
    with contextlib.closing(write_journal(tmp_path / "journal.sqlite3", 10)) as journal:
        ((mark,),) = journal.query("SELECT hash FROM game")
        outbox = Outbox(journal, {mark[:16]: 4})
        pace, times = ResendPace(outbox, 0.0), []
        for now_s in range(200):
            messages = 0
            while outbox.next_message() is not None:
                messages += 1
            if messages:
                times.append(now_s)
            pace.on_confirmation(float(now_s), is_news=outbox.on_confirmation({mark[:16]: 4}))
            pace.check(float(now_s))
        gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
        assert all(later >= earlier - 1 for earlier, later in itertools.pairwise(gaps)), gaps
        assert len(times) < 10
