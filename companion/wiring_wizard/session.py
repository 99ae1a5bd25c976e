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
from companion.wiring_wizard.steps import Answer, Learning

RESTS_S = 0.3
"""Levels count when they have been the same for so long: a peg on its way in touches the wall."""

LIT: Colour = (120, 120, 120)
OFF: Colour = (0, 0, 0)


class Given(NamedTuple):
    """What a person says. With `at`, only while the walk has so many `acts`: a second tap answers no other question."""

    answer: Answer
    at: int | None = None


@dataclass
class Walk:
    """A walk with real devices, told to `say` as it goes. `news` brings levels (whole numbers) and answers.

    Any thread may look at it and put something to its `news`; it is walked by the one that calls `run`.
    """

    walk: Learning
    lights: Lights | None
    say: Callable[[str], object]
    keep: Callable[[Learning], object]
    news: "queue.Queue[int | Given]" = field(default_factory=queue.Queue)
    begun: bool = False
    """Whether it is known which inputs are on without a peg."""
    amiss: dict[str, str] = field(default_factory=dict)
    """What is wrong with `sensors` and `lights`, a sentence each; empty where nothing is."""
    written: str = ""
    """Where the board file was written, at the end."""

    def start(self, sensors: HoleSensors) -> None:
        """Hear these sensors, and show on the lights."""
        sensors.start(lambda bits, _ms, _known_ms: self.news.put(bits), partial(self._told, "sensors"))
        if self.lights:
            self.lights.start(partial(self._told, "lights"))

    def run(self) -> bool:
        """Walk to the end; False where somebody stopped. First all pegs are out."""
        if not self.walk.answers:
            self.say("Take out every peg, then press Enter.")
            levels = self._levels_without_pegs()
            if levels is None:
                return False
            self.walk = steps.without_pegs(self.walk, levels)
        self.begun = True
        number, told = 0, ""
        levels = None
        while not self.walk.over:
            if told != (told := self.walk.said or self.walk.step.say):
                self.say(told)
            self._light(number := number + 1)
            given = self._next(RESTS_S if levels is not None else None)
            if isinstance(given, int):
                levels = given
            elif given is None:  # the levels have rested
                assert levels is not None
                self._go_on(steps.seen(self.walk, levels))
                levels = None
            elif given.answer == "stop":
                return False
            elif given.at in (None, self.walk.acts):
                self._go_on(steps.skip(self.walk) if given.answer == "skip" else steps.back(self.walk))
        return True

    def wait_for_enter(self) -> None:
        """Wait, once all is done, until somebody answers."""
        while isinstance(self.news.get(), int):
            pass

    def _next(self, timeout_s: float | None) -> int | Given | None:
        try:
            return self.news.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def _levels_without_pegs(self) -> int | None:
        """The levels once somebody has said that no peg is in; None where somebody stopped."""
        levels, out = None, False
        while not out or levels is None:
            given = self.news.get()
            if isinstance(given, int):
                levels = given
            elif given.answer == "stop":
                return None
            else:
                out = out or given.answer == "skip"
        return levels

    def _go_on(self, walk: Learning) -> None:
        if (walk.answers, walk.stuck) != (self.walk.answers, self.walk.stuck):
            self.keep(walk)
        self.walk = walk

    def _light(self, number: int) -> None:
        if self.lights:
            lit = self.walk.step.pixel
            self.lights.show([LIT if pixel == lit else OFF for pixel in range(self.walk.pixels)], number)

    def _told(self, device: str, ok: bool, say: str) -> None:
        self.amiss[device] = "" if ok else say
        if not ok:
            self.say(say)


def read_kept(path: Path) -> Any:
    """What was kept of a walk, None where nothing was. Raises BoardError."""
    try:
        return json.loads(path.read_text("utf-8")) if path.exists() else None
    except (OSError, ValueError) as error:
        raise BoardError(f"{path} cannot be read as a walk that was kept.") from error


def write_whole(path: Path, text: str) -> None:
    """Write a file, whole or not at all. Raises CompanionError."""
    fresh = path.with_name(path.name + ".new")
    try:
        fresh.write_text(text, "utf-8")
        fresh.replace(path)
    except OSError as error:
        raise CompanionError(f"{path} cannot be written: {error.strerror}.") from error
