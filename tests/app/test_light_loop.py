"""The light loop survives a frame that cannot be painted."""

import queue
import threading
from types import SimpleNamespace

from companion.app import device_manager
from companion.journal.journal import Journal
from companion.rules.cards import parse_card
from companion.rules.moves import Adjust, Starter
from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import create_core
from companion.table.table import Table
from tests.support.waiting import PATIENCE_S


class Strip:
    """Lights and buttons that keep the numbers of the snapshots they were painted from."""

    def __init__(self):
        self.numbers = []
        self.buttons = self
        self.changed = threading.Condition()

    def show_frame(self, frame, number):
        with self.changed:
            self.numbers.append(number)
            self.changed.notify_all()

    def set_lamp(self, name, *, lit):
        pass

    def until(self, number):
        with self.changed:
            assert self.changed.wait_for(lambda: number in self.numbers, PATIENCE_S)


def test_a_frame_that_cannot_be_painted_is_reported_and_the_next_is_painted(tmp_path, monkeypatch, caplog):
    made, strip = create_plan("six-card"), Strip()
    journal = Journal(tmp_path / "journal.sqlite3")
    journal.begin_game(made.journal_json)
    table = Table(create_core(made, Settings()), journal, lambda: 1000, run="test")
    paint, failed = device_manager.paint_frame, threading.Event()

    def fails(*_):
        failed.set()
        raise ZeroDivisionError

    monkeypatch.setattr(device_manager, "paint_frame", fails)
    lights = device_manager.LightLoop(table, strip, lambda: 1000)
    assert failed.wait(PATIENCE_S)
    monkeypatch.setattr(device_manager, "paint_frame", paint)
    strip.until(table.submit(Starter(parse_card("JD"))).number)
    assert "ZeroDivisionError" in caplog.text
    table.close()
    lights.close()


def test_points_alone_are_silent_and_a_game_won_is_heard_once(tmp_path):
    made, strip, heard = create_plan("pegs-only"), Strip(), queue.Queue()
    journal = Journal(tmp_path / "journal.sqlite3")
    journal.begin_game(made.journal_json)
    table = Table(create_core(made, Settings()), journal, lambda: 1000, run="test")
    buzzer = SimpleNamespace(play_tune=heard.put)
    lights = device_manager.LightLoop(table, strip, lambda: 1000, buzzer)
    strip.until(table.submit(Adjust(0, 20)).number)
    strip.until(table.submit(Adjust(0, 101)).number)
    assert heard.get(timeout=PATIENCE_S) == "win"
    assert heard.empty()
    table.close()
    lights.close()


def test_the_display_follows_each_snapshot_and_a_refused_card_is_read_there_until_the_next_move(tmp_path):
    made, strip, written = create_plan("six-card"), Strip(), queue.Queue()
    journal = Journal(tmp_path / "journal.sqlite3")
    journal.begin_game(made.journal_json)
    table = Table(create_core(made, Settings()), journal, lambda: 1000, run="test")
    display = SimpleNamespace(show_rows=lambda rows: written.put([text for _, _, text in rows]))
    lights = device_manager.LightLoop(table, strip, lambda: 1000, display=display)

    def wait_for(*lines):
        while not set(lines) <= set(rows := written.get(timeout=PATIENCE_S)):
            pass
        return rows

    wait_for("Cut a card")
    table.submit(Starter(parse_card("JD")))
    wait_for("2      0", "Blue plays", "The jack of")
    table.on_scan("JD", None)
    wait_for("2      0", "diamonds has")
    table.submit(Adjust(0, 5))
    assert "diamonds has" not in wait_for("7      0", "Blue plays")
    table.close()
    lights.close()
