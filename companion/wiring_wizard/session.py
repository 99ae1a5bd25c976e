"""The walk of `companion learn`: levels and answers in, lights and sentences out; kept after every step."""

import json
import queue
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from companion.common.errors import BoardError, CompanionError
from companion.ports import Colour, HoleSensors, Lights
from companion.wiring_wizard import steps
from companion.wiring_wizard.steps import WizardAnswer, WizardState

LEVELS_REST_S = 0.3
"""Levels count when they have been the same for so long: a peg on its way in touches the wall."""

LIT_COLOUR: Colour = (120, 120, 120)
OFF_COLOUR: Colour = (0, 0, 0)


class WizardInput(NamedTuple):
    """What a person says. With `at`, only while the walk has so many `acts`: a second tap answers no other question."""

    answer: WizardAnswer
    act: int | None = None


@dataclass
class WizardSession:
    """A walk with real devices, told to `say` as it goes. `news` brings levels (whole numbers) and answers.

    Any thread may look at it and put something to its `news`; it is walked by the one that calls `run`.
    """

    state: WizardState
    lights: Lights | None
    say: Callable[[str], object]
    save: Callable[[WizardState], object]
    inbox: "queue.Queue[int | WizardInput]" = field(default_factory=queue.Queue)
    has_started: bool = False
    """Whether it is known which inputs are on without a peg."""
    device_errors: dict[str, str] = field(default_factory=dict)
    """What is wrong with `sensors` and `lights`, a sentence each; empty where nothing is."""
    written_path: str = ""
    """Where the board file was written, at the end."""

    def start(self, sensors: HoleSensors) -> None:
        """Hear these sensors, and show on the lights."""
        sensors.start(lambda bits, _ms, _known_ms: self.inbox.put(bits), partial(self._on_device_status, "sensors"))
        if self.lights:
            self.lights.start(partial(self._on_device_status, "lights"))

    def run(self) -> bool:
        """Walk to the end; False where somebody stopped. First all pegs are out."""
        if not self.state.answers:
            self.say("Take out every peg, then press Enter.")
            levels = self._wait_for_empty_board()
            if levels is None:
                return False
            self.state = steps.mark_stuck_inputs(self.state, levels)
        self.has_started = True
        number, told = 0, ""
        levels = None
        while not self.state.is_over:
            if told != (told := self.state.error or self.state.current_step.text):
                self.say(told)
            self._show_step(number := number + 1)
            given = self._next_input(LEVELS_REST_S if levels is not None else None)
            if isinstance(given, int):
                levels = given
            elif given is None:  # the levels have rested
                assert levels is not None
                self._update_state(steps.on_levels(self.state, levels))
                levels = None
            elif given.answer == "stop":
                return False
            elif given.act in (None, self.state.act_count):
                self._update_state(
                    steps.skip_step(self.state) if given.answer == "skip" else steps.step_back(self.state)
                )
        return True

    def wait_for_enter(self) -> None:
        """Wait, once all is done, until somebody answers."""
        while isinstance(self.inbox.get(), int):
            pass

    def _next_input(self, timeout_s: float | None) -> int | WizardInput | None:
        try:
            return self.inbox.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def _wait_for_empty_board(self) -> int | None:
        """The levels once somebody has said that no peg is in; None where somebody stopped."""
        levels, out = None, False
        while not out or levels is None:
            given = self.inbox.get()
            if isinstance(given, int):
                levels = given
            elif given.answer == "stop":
                return None
            else:
                out = out or given.answer == "skip"
        return levels

    def _update_state(self, walk: WizardState) -> None:
        if (walk.answers, walk.stuck_bits) != (self.state.answers, self.state.stuck_bits):
            self.save(walk)
        self.state = walk

    def _show_step(self, number: int) -> None:
        if self.lights:
            lit = self.state.current_step.pixel
            self.lights.show_frame(
                [LIT_COLOUR if pixel == lit else OFF_COLOUR for pixel in range(self.state.pixels)], number
            )

    def _on_device_status(self, device: str, ok: bool, say: str) -> None:
        self.device_errors[device] = "" if ok else say
        if not ok:
            self.say(say)


def read_saved_walk(path: Path) -> Any:
    """What was kept of a walk, None where nothing was. Raises BoardError."""
    try:
        return json.loads(path.read_text("utf-8")) if path.exists() else None
    except (OSError, ValueError) as error:
        raise BoardError(f"{path} cannot be read as a walk that was kept.") from error


def write_atomically(path: Path, text: str) -> None:
    """Write a file, whole or not at all. Raises CompanionError."""
    fresh = path.with_name(path.name + ".new")
    try:
        fresh.write_text(text, "utf-8")
        fresh.replace(path)
    except OSError as error:
        raise CompanionError(f"{path} cannot be written: {error.strerror}.") from error
