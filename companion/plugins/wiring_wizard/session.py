"""A session of the wiring wizard with real devices: reads levels and answers, lights holes, saves after each step."""

import json
import queue
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from companion.common.errors import BoardError
from companion.plugins.wiring_wizard import steps
from companion.plugins.wiring_wizard.steps import WizardAnswer, WizardState
from companion.ports import Colour, HoleSensors, Lights

LEVELS_REST_S = 0.3
"""How long levels must be the same before they are used, because a peg touches the wall on its way in."""

LIT_COLOUR: Colour = (120, 120, 120)
OFF_COLOUR: Colour = (0, 0, 0)


class WizardInput(NamedTuple):
    """An answer of a person. With `act`, it is used only at that `act_count`, so a second tap has no effect."""

    answer: WizardAnswer
    act: int | None = None


@dataclass
class WizardSession:
    """The wizard with real devices. `say` shows each sentence, `save` stores the state after each step.

    Any thread may read the fields and put levels (integers) or answers into `inbox`. `run` belongs to one thread.
    """

    state: WizardState
    lights: Lights | None
    say: Callable[[str], object]
    save: Callable[[WizardState], object]
    inbox: "queue.Queue[int | WizardInput]" = field(default_factory=queue.Queue)
    has_started: bool = False
    """Whether the inputs that are on without a peg are known."""
    device_errors: dict[str, str] = field(default_factory=dict)
    """The error of `sensors` and `lights`, a sentence each; empty if there is none."""
    written_path: str = ""
    """The path of the board file once it has been written."""

    def start(self, sensors: HoleSensors) -> None:
        """Start to listen to these sensors and to show steps on the lights."""
        sensors.start(lambda bits, _ms, _known_ms: self.inbox.put(bits), partial(self._on_device_status, "sensors"))
        if self.lights:
            self.lights.start(partial(self._on_device_status, "lights"))

    def run(self) -> bool:
        """Run to the end. Returns False if a person stopped. Begins with all pegs out."""
        if not self.state.answers:
            self.say("Take out all pegs, then press Enter.")
            levels = self._wait_for_empty_board()
            if levels is None:
                return False
            self.state = steps.mark_stuck_inputs(self.state, levels)
        self.has_started = True
        number, shown = 0, ""
        levels, rested_s = None, 0.0
        while not self.state.is_over:
            if shown != (shown := self.state.error or self.state.current_step.text):
                self.say(shown)
            self._show_step(number := number + 1)
            given = self._next_input(None if levels is None else max(0.0, rested_s - time.monotonic()))
            if isinstance(given, int):
                if given != levels:  # the board repeats levels for a while: a repeat is not a change
                    levels, rested_s = given, time.monotonic() + LEVELS_REST_S
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
        """Wait for an answer of a person after the last step."""
        while isinstance(self.inbox.get(), int):
            pass

    def _next_input(self, timeout_s: float | None) -> int | WizardInput | None:
        try:
            return self.inbox.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def _wait_for_empty_board(self) -> int | None:
        """Return the levels once a person has confirmed that no peg is in; None if the person stopped."""
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

    def _update_state(self, state: WizardState) -> None:
        if (state.answers, state.stuck_bits) != (self.state.answers, self.state.stuck_bits):
            self.save(state)
        self.state = state

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
    """Return the saved state of a wizard, or None if there is none. Raises BoardError."""
    try:
        return json.loads(path.read_text("utf-8")) if path.exists() else None
    except (OSError, ValueError) as error:
        raise BoardError(f"Cannot read the saved progress in {path}. Delete the file to start again.") from error
