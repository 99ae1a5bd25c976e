"""The walk of `companion learn`: levels and answers in, lights and sentences out; kept after every step."""

import contextlib
import json
import queue
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.board.shape import learning
from companion.board.shape.learning import Answer, Learning
from companion.errors import BoardError, CompanionError
from companion.ports import Colour, HoleSensors, Lights

RESTS_S = 0.3
"""Levels count when they have been the same for so long: a peg on its way in touches the wall."""

LIT: Colour = (120, 120, 120)
OFF: Colour = (0, 0, 0)


@dataclass
class Walk:
    """A walk with real devices. `news` brings levels (whole numbers) and answers, from any thread."""

    walk: Learning
    lights: Lights | None
    say: Callable[[str], object]
    keep: Callable[[Learning], object]
    news: "queue.Queue[int | Answer]" = field(default_factory=queue.Queue)

    def start(self, sensors: HoleSensors) -> None:
        """Hear these sensors, and show on the lights."""
        sensors.start(lambda bits, _ms, _known_ms: self.news.put(bits), self._told)
        if self.lights:
            self.lights.start(self._told)

    def run(self) -> bool:
        """Walk to the end; False where somebody stopped. First all pegs are out."""
        if not self.walk.answers:
            self.say("Take out every peg, then press Enter.")
            levels = self._levels_at_enter()
            if levels is None:
                return False
            self.walk = learning.without_pegs(self.walk, levels)
        number, told, levels = 0, "", None
        while not self.walk.over:
            if told != (told := self.walk.said or self.walk.step.say):
                self.say(told)
            self._light(number := number + 1)
            with contextlib.suppress(queue.Empty):
                given = self.news.get(timeout=RESTS_S if levels is not None else None)
                if given == "stop":
                    return False
                if isinstance(given, int):
                    levels = given
                    continue
                self._go_on(learning.skip(self.walk) if given == "skip" else learning.back(self.walk))
                continue
            if levels is not None:
                self._go_on(learning.seen(self.walk, levels))
            levels = None
        return True

    def _levels_at_enter(self) -> int | None:
        """The levels once Enter was pressed; None where somebody stopped."""
        levels, pressed = None, False
        while not pressed or levels is None:
            given = self.news.get()
            if given == "stop":
                return None
            levels = given if isinstance(given, int) else levels
            pressed = pressed or given == "skip"
        return levels

    def _go_on(self, walk: Learning) -> None:
        if walk.answers != self.walk.answers:
            self.keep(walk)
        self.walk = walk

    def _light(self, number: int) -> None:
        if self.lights:
            lit = self.walk.step.pixel
            self.lights.show([LIT if pixel == lit else OFF for pixel in range(self.walk.pixels)], number)

    def _told(self, ok: bool, say: str) -> None:
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
