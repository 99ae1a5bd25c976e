"""The way of one peg through board and table, counted: how many files it enters, how often it goes from one to another.

    .venv/bin/python tests/way_of_a_peg.py

One pegging of 8 that are due, on the classic board, through the functions that the table and `companion trace` call:
the levels as the peg is lifted, the levels as it is put down, the tick that believes it, and after each of the three
the snapshot and the painted frame. Devices, threads and the journal are left out.

- *Files*: the modules of `companion/pegs`, `companion/boards`, `companion/display` and `companion/table` in which any
  function was called.
- *Switches*: the calls of their functions by code that stands in another file, wherever that is. A generator that is
  asked for its next value is called once more. Classes that `dataclass` writes stand in no file.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import companion
from companion.display.lights import paint_frame
from companion.rules.moves import Adjust
from companion.settings import Settings
from companion.table import inputs
from companion.table.setup import create_plan
from companion.table.state import TableCore, create_core, create_snapshot, next_deadline_ms, on_levels, on_tick

HOME = Path(companion.__file__).parent
ROOMS = tuple(f"{HOME / room}/" for room in ("pegs", "boards", "display", "table"))
POINTS, OWED_MS, LIFT_MS, PUT_MS = 8, 5000, 6000, 6800

Switches = Counter[tuple[str, str]]
"""How often a file (the first) called a function of another one."""


def main() -> int:
    """Print what is counted. Gives the exit code."""
    files, switches = count_files()
    for file in files:
        into = sum(many for (_, to), many in switches.items() if to == file)
        print(f"{into:5}  {file}")
    print(f"{len(files)} files, {switches.total()} switches")
    return 0


def count_files() -> tuple[list[str], Switches]:
    """The files that one pegging enters, by name, and the switches between them."""
    for _ in _peg_due(*_create_owing_table()):  # what is computed once a board and kept is not this peg's
        pass
    core, bits = _create_owing_table()
    files, switches = set[str](), Switches()

    def called(frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(ROOMS):
            files.add(_relative_path(file))
            by = frame.f_back.f_code.co_filename if frame.f_back else ""
            if by != file:
                switches[_relative_path(by), _relative_path(file)] += 1

    sys.setprofile(called)
    try:
        told = list(_peg_due(core, bits))
    finally:
        sys.setprofile(None)
    assert [event.points for event in told] == [POINTS], told
    return sorted(files), switches


def _relative_path(file: str) -> str:
    """A file of the program by its place in it."""
    return file.removeprefix(f"{HOME}/")


# Where the table's functions have other names, this is all that changes.
def _create_owing_table() -> tuple[TableCore, int]:
    """A table whose pegs rest at the start, 8 points being due to seat 0, and the taken holes, as bits."""
    core = create_core(create_plan("six-card", 2, 0, {}, "classic"), Settings())
    bits = sum(1 << hole for route in core.plan.board.routes[2] for hole in route.start)
    core = on_levels(core, bits, 0).core
    while not core.course.describe_pegs().pegs and (due := next_deadline_ms(core)) is not None:
        core = on_tick(core, due).core
    core = inputs.on_move(core, Adjust(0, POINTS), "phone", OWED_MS).core
    _show(core, OWED_MS)
    return core, bits


def _peg_due(core: TableCore, bits: int) -> Iterator[Any]:
    """Lift the back peg, put it in its due's hole, and let time go by until that is believed. Gives what is told."""
    route = core.plan.board.routes[2][0]
    lifted = bits & ~(1 << route.start[1])
    for seen, ms in ((lifted, LIFT_MS), (lifted | 1 << route.way[POINTS - 1], PUT_MS)):
        core = on_levels(core, seen, ms).core
        _show(core, ms)
    while core.course.describe_pegs().dues and (due := next_deadline_ms(core)) is not None:
        happened = on_tick(core, due)
        core = happened.core
        _show(core, due)
        yield from happened.events


def _show(core: TableCore, now_ms: int) -> None:
    """The snapshot of this moment, and the frame that is painted from it."""
    paint_frame(core.plan.board, create_snapshot(core, number=1, run="", moves=0), now_ms)


if __name__ == "__main__":
    sys.exit(main())
