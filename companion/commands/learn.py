"""`companion learn`: any wiring becomes a board file, by a walk over the holes."""

import re
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import click

from companion.board.shape import layout, learning
from companion.codec import dumps
from companion.devices import open_lights, open_sensors
from companion.errors import DeviceError, SettingsError
from companion.homes import config_home
from companion.learning import Walk, read_kept, write_whole
from companion.resources import folder
from companion.settings import changed, read_or_default

HOW = """\
A peg that is put in goes on by itself. Type Enter where nothing answers or nothing is lit, b for the step before,
q to stop: the same command goes on from there."""


@click.command()
@click.argument("board")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="The board file to write, such as mine.toml."
)
@click.option("--sensors", help="The board's port: serial:/dev/ttyACM0")
@click.option("--lights", help="The lights; none: learns the holes alone.")
@click.option("--inputs", type=int, help="How many inputs the chain has (as many as there are holes).")
@click.option("--flash", is_flag=True, help="First put the program on the Pico, so that it tells every input.")
@click.option("--config", type=click.Path(path_type=Path, exists=True), help="A companion.toml.")
def learn(
    board: str,
    out: Path,
    sensors: str | None,
    lights: str | None,
    inputs: int | None,
    *,
    flash: bool,
    config: Path | None,
) -> None:
    """Learn how a board is wired, hole by hole, and write its board file.

    BOARD is the board whose holes it has: a name (companion boards lists them) or a board file. The companion must not
    be playing with it meanwhile. First a peg into each hole by name, then a peg into each hole that is lit.
    """
    made = layout.load(board)
    if out.suffix != ".toml":
        raise SettingsError(f"A board file ends in .toml: write --out {out.name}.toml")
    count = len(made.holes) if inputs is None else inputs
    given = {key: url for key, url in (("sensors", sensors), ("lights", lights)) if url}
    settings = changed(read_or_default(config or config_home() / "companion.toml"), given)
    lit = not settings.lights.startswith("none:")
    kept_at = out.with_suffix(".walk.json")
    walk = learning.begin(made, count, lights=lit)
    kept = read_kept(kept_at)
    if kept is not None:
        walk = learning.resumed(walk, made.name, kept)
        click.echo(f"It goes on with {kept_at}.")
    raw = {"board": "learn", "chain": [f"in-{each}" for each in range(count)], "pixels": [None] * made.pixels}
    if flash:
        _flash(settings.sensors, raw)
    with ExitStack() as stack:
        try:
            heard = stack.enter_context(closing(open_sensors(settings.sensors, count, _clock, board=raw)))
            strip = open_lights(settings.lights, made.pixels, settings.limit_ma, heard) if lit else None
        except DeviceError as error:
            raise SettingsError(str(error)) from error
        if strip:
            stack.enter_context(closing(strip))
        session = Walk(walk, strip, click.echo, lambda now: write_whole(kept_at, dumps(learning.kept(now, made.name))))
        session.start(heard)
        threading.Thread(target=_typed, args=(session,), daemon=True).start()
        click.echo(HOW)
        done = session.run()
    if not done:
        click.echo(f"Stopped. {kept_at} has what was learned so far.")
        return
    for line in learning.findings(session.walk, made):
        click.echo(line)
    own = Path(board) if board.endswith(".toml") else folder("hardware/boards") / f"{board}.toml"
    write_whole(out, _with_wiring(own.read_text("utf-8"), learning.written(learning.learned(session.walk, made), made)))
    layout.load(str(out))
    kept_at.unlink(missing_ok=True)
    click.echo(f"{out} is written. Put it on the Pico: companion flash {out}; play on it: companion play --board {out}")


def _with_wiring(text: str, wiring: str) -> str:
    """The board file with this wiring at its end, instead of its own."""
    kept = re.sub(r"^\[wiring\]\n(?:(?!\[\[?\w+\]).*\n?)*", "", text, flags=re.MULTILINE)
    return f"{kept.rstrip()}\n\n# Learned hole by hole.\n{wiring}"


def _flash(url: str, raw: Mapping[str, Any]) -> None:
    from companion.devices import flashing  # noqa: PLC0415 - needs mpremote

    scheme, _, port = url.partition(":")
    flashing.flash(port.partition("?")[0] if scheme == "serial" else flashing.find_port(), raw, click.echo)


def _typed(session: Walk) -> None:
    answers = {"": "skip", "b": "back", "q": "stop"}
    for line in sys.stdin:
        if line.strip() in answers:
            session.news.put(answers[line.strip()])  # type: ignore[arg-type]
    session.news.put("stop")


def _clock() -> int:
    return time.monotonic_ns() // 1_000_000
