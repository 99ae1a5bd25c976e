"""`companion learn`: any wiring becomes a board file, by a walk over the holes, at the terminal and on a page."""

import re
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import click

from companion.boards import catalog
from companion.boards.board import Board
from companion.common.errors import DeviceError, SettingsError
from companion.common.paths import config_home, data_home, folder, give_back
from companion.devices import open_lights, open_sensors
from companion.ports import HoleSensors
from companion.protocol.json_codec import dumps
from companion.settings import Settings, changed, read_or_default
from companion.wiring_wizard import steps
from companion.wiring_wizard.session import Given, Walk, read_kept, write_whole

HOW = """\
A peg that is put in goes on by itself. Type Enter where nothing answers or nothing is lit, or where a hole stays on
without its peg; b for the step before, q to stop: the same command goes on from there."""


@click.command()
@click.argument("board")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="The board file to write, such as mine.toml."
)
@click.option("--sensors", help="The board's port: serial:/dev/ttyACM0")
@click.option("--lights", help="The lights; none: learns the holes alone.")
@click.option("--inputs", type=int, help="How many inputs the chain has (as many as there are holes).")
@click.option("--flash", is_flag=True, help="First put the program on the Pico, so that it tells every input.")
@click.option("--page", is_flag=True, help="Walk with a phone at the board: prints the address of a page.")
@click.option("--host", help="The address that the page listens on (0.0.0.0).")
@click.option("--port", type=int, help="The page's port (8123).")
@click.option("--config", type=click.Path(path_type=Path, exists=True), help="A companion.toml.")
def learn(
    board: str, out: Path, *, inputs: int | None, flash: bool, page: bool, config: Path | None, **urls: Any
) -> None:
    """Learn how a board is wired, hole by hole, and write its board file.

    BOARD is the board whose holes it has: a name (companion boards lists them) or a board file. The companion must not
    be playing with it meanwhile. First a peg into each hole by name, then a peg into each hole that is lit.
    """
    made = catalog.load(board)
    if out.suffix != ".toml":
        raise SettingsError(f"A board file ends in .toml: write --out {out.name}.toml")
    count = len(made.holes) if inputs is None else inputs
    given = {key: value for key, value in urls.items() if value is not None}
    settings = changed(read_or_default(config or config_home() / "companion.toml"), given)
    kept_at = out.with_suffix(".walk.json")
    walk = _begun(made, count, settings, kept_at)
    raw = {"board": "learn", "chain": [f"in-{each}" for each in range(count)], "pixels": [None] * made.pixels}
    if flash:
        _flash(settings.sensors, raw)
    with ExitStack() as stack:
        try:
            heard = stack.enter_context(closing(open_sensors(settings.sensors, count, _clock, board=raw)))
            strip = open_lights(settings.lights, made.pixels, settings.limit_ma, heard) if walk.pixels else None
        except DeviceError as error:
            raise SettingsError(str(error)) from error
        if strip:
            stack.enter_context(closing(strip))
        session = Walk(walk, strip, click.echo, lambda now: write_whole(kept_at, dumps(steps.kept(now, made.name))))
        if page:
            stack.enter_context(_page(session, made, heard, settings))
        session.start(heard)
        threading.Thread(target=_typed, args=(session,), kwargs={"ends": not page}, daemon=True).start()
        click.echo(HOW)
        if not session.run():
            click.echo(f"Stopped. {kept_at} has what was learned so far.")
            return
        for line in steps.findings(session.walk, made):
            click.echo(line)
        own = Path(board) if board.endswith(".toml") else folder("hardware/boards") / f"{board}.toml"
        wiring = steps.written(steps.learned(session.walk, made), made)
        write_whole(out, _with_wiring(own.read_text("utf-8"), wiring))
        catalog.load(str(out))
        kept_at.unlink(missing_ok=True)
        session.written = str(out.resolve())
        click.echo(
            f"{out} is written. Put it on the Pico: companion flash {out}; play on it: companion play --board {out}"
        )
        if page:
            click.echo("The page says so too, until you press Enter here.")
            session.wait_for_enter()


def _begun(made: Board, inputs: int, settings: Settings, kept_at: Path) -> steps.Learning:
    """The walk that was kept beside the board file, or a new one."""
    walk = steps.begin(made, inputs, lights=not settings.lights.startswith("none:"))
    kept = read_kept(kept_at)
    if kept is None:
        return walk
    walk = steps.resumed(walk, made.name, kept)
    click.echo(f"It goes on with {kept_at}.")
    return walk


@contextmanager
def _page(session: Walk, made: Board, sensors: HoleSensors, settings: Settings) -> Iterator[None]:
    """The page of this walk, for the phones that have joined the table, and whoever opens the link that is printed."""
    from companion import server  # noqa: PLC0415 - only where it is asked for
    from companion.app.network import everywhere, reached  # noqa: PLC0415
    from companion.server.routes import wiring_wizard  # noqa: PLC0415

    with closing(server.listen(everywhere(settings.host), settings.port)) as listening:
        kept = data_home() / "journal.sqlite3"
        key = server.load_key(kept.with_suffix(".key"))
        phones = server.Phones(kept.with_suffix(".phones"))
        give_back(kept.parent)
        hand = wiring_wizard.Hand(made, sensors, session.lights)
        app = wiring_wizard.walk_app(session, made, hand, key=key, phones=phones, hosts=frozenset())
        with closing(server.Serving(app, listening)) as serving:
            address = f"http://{reached(settings.host)}:{serving.port}/join/{key}"
            click.echo(f"page      {address}")
            if sys.stdout.isatty():
                import segno  # noqa: PLC0415

                segno.make(address, micro=False).terminal(compact=True)
            yield


def _with_wiring(text: str, wiring: str) -> str:
    """The board file with this wiring at its end, instead of its own."""
    kept = re.sub(r"^\[wiring\]\n(?:(?!\[\[?\w+\]).*\n?)*", "", text, flags=re.MULTILINE)
    return f"{kept.rstrip()}\n\n# Learned hole by hole.\n{wiring}"


def _flash(url: str, raw: Mapping[str, Any]) -> None:
    from companion.devices import flash as flashing  # noqa: PLC0415 - needs mpremote

    scheme, _, port = url.partition(":")
    flashing.flash(port.partition("?")[0] if scheme == "serial" else flashing.find_port(), raw, click.echo)


def _typed(session: Walk, *, ends: bool) -> None:
    """What is typed. `ends`: the end of it is the end of the walk; on a page it goes on."""
    answers = {"": Given("skip"), "b": Given("back"), "q": Given("stop")}
    for line in sys.stdin:
        if line.strip() in answers:
            session.news.put(answers[line.strip()])
    if ends:
        session.news.put(Given("stop"))


def _clock() -> int:
    return time.monotonic_ns() // 1_000_000
