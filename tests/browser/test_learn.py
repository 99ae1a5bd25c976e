"""`companion learn --page` with a board that has swapped wires and dead and stuck sensors."""

import os
import threading
from random import Random

import pytest

from companion.boards import catalog
from companion.cli import main
from companion.plugins.wiring_wizard import learn_command as learn
from companion.plugins.wiring_wizard.learn_command import open_lights, open_sensors
from companion.plugins.wiring_wizard.session import WizardSession
from tests.browser.test_packs import HEARD
from tests.support.waiting import PATIENCE_S, wait_until

ROW = """track = [{ name = "row", path = [{ holes = 7, line = [[10, 10], [52, 10]] }] }]
routes = {}
"""
IDS = [f"row-{number}" for number in range(1, 8)]
DEAD, STUCK = "row-6", "row-7"
INPUT_OF = dict(zip(IDS, (0, 2, 1, 3, 4, 5, 6), strict=True))
"""Rows 2 and 3 are swapped."""
SHOWN_BY = dict(enumerate(Random(1).sample(IDS, 7)))


class Maker:
    """A person at the simulated board who follows the instructions of the command."""

    def __init__(self, folder, monkeypatch):
        self.folder, self.sessions = folder, []
        (folder / "row.toml").write_text(ROW)
        for home in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            monkeypatch.setenv(home, str(folder))
        reading, self.typing = os.pipe()
        self.typed = os.fdopen(reading)
        monkeypatch.setattr("sys.stdin", self.typed)
        monkeypatch.setattr("companion.plugins.wiring_wizard.session.LEVELS_REST_S", 0.02)
        monkeypatch.setattr(learn, "open_sensors", self.wired)
        monkeypatch.setattr(learn, "open_lights", self.lit_up)
        monkeypatch.setattr(learn, "WizardSession", self.create_session)
        flags = ["--page", "--port", "0", "--host", "127.0.0.1", "--sensors", "sim:", "--lights", "sim:"]
        command = ["learn", str(folder / "row.toml"), "--out", str(folder / "mine.toml"), *flags]
        self.thread = threading.Thread(target=lambda: main(command, standalone_mode=False))
        self.thread.start()

    def wired(self, *given, **named):
        self.sensors = open_sensors(*given, **named)
        self.sensors.set_sensor_fault(1 << INPUT_OF[DEAD], "dead")
        self.sensors.set_sensor_fault(1 << INPUT_OF[STUCK], "stuck")
        return self.sensors

    def lit_up(self, *given):
        self.lights = open_lights(*given)
        return self.lights

    def create_session(self, *args):
        self.sessions.append(WizardSession(*args))
        return self.sessions[0]

    def end(self):
        os.write(self.typing, b"q\n")
        os.close(self.typing)
        self.thread.join(PATIENCE_S)
        wait_until(lambda: "_typed" not in [thread.name.split()[-1].strip("()") for thread in threading.enumerate()])
        self.typed.close()

    @property
    def state(self):
        return self.sessions[0].state

    def pegs(self):
        """Put a peg in and take it out again. Return the hole if nothing happened."""
        step = self.state.current_step
        if step.hole is None:
            wait_until(lambda: any(self.lights.sent_frame()[0][step.pixel]))
        hole = step.hole or SHOWN_BY[step.pixel]
        if hole in (DEAD, STUCK):
            return hole
        acts = self.state.act_count
        self.sensors.move_pegs(place=1 << INPUT_OF[hole])
        wait_until(lambda: self.state.act_count == acts + 1)
        self.sensors.move_pegs(lift=-1)
        wait_until(lambda: self.state.act_count == acts + 2)
        return None


@pytest.fixture
def maker(tmp_path, monkeypatch):
    found = Maker(tmp_path, monkeypatch)
    yield found
    found.end()


def test_wizard_walks_a_board_to_its_file(maker, phones, capsys):
    phone = phones(390, 844)
    page, told = phone.page, []
    wait_until(lambda: told.append(capsys.readouterr().out) or "page  " in "".join(told))
    page.goto(next(line.split()[1] for line in "".join(told).splitlines() if line.startswith("page")))

    def says(words):
        phone.wait_until(f"document.querySelector('[data-step]').textContent.includes('{words}')", True)

    def skips():
        acts = page.evaluate("Number(document.body.dataset.acts)")
        page.locator("[data-answer=skip]").tap()
        wait_until(lambda: maker.state.act_count == acts + 2)

    says("Take out all pegs.")
    page.evaluate(HEARD)
    page.get_by_role("button", name="All pegs are out").tap()
    says("1 of 7: put a peg into row-1.")
    maker.sensors.move_pegs(place=0b1)
    says("Take the peg out again.")
    phone.wait_until("window.rung", 2)  # two notes: it was seen
    maker.sensors.move_pegs(lift=-1)
    says("2 of 7")
    page.reload()
    says("2 of 7")
    assert phone.find_faults() == []

    while not maker.state.is_over:
        if maker.pegs():
            phone.wait_until("Number(document.body.dataset.acts)", maker.state.act_count)
            skips()
    says("the board file has been written")
    assert phone.visible_texts(".findings li") == [
        "row-7 is stuck: its input 6 is on without a peg.",
        "row-6 is dead: no input responds.",
        *(f"Pixel {pixel} lit no hole." for pixel, hole in SHOWN_BY.items() if hole in (DEAD, STUCK)),
        "row-2 and row-3 are swapped.",
    ]
    assert str(maker.folder / "mine.toml") in page.locator("[data-written]").inner_text()
    wiring = catalog.load_board(str(maker.folder / "mine.toml")).wiring
    assert wiring.chain == ("row-1", "row-3", "row-2", "row-4", "row-5", "row-6", "row-7")
    assert {at: hole for at, hole in enumerate(wiring.pixels) if hole not in (DEAD, STUCK)} == {
        at: hole for at, hole in SHOWN_BY.items() if hole not in (DEAD, STUCK)
    }
    assert phone.complaints == []
