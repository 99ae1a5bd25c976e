"""`companion learn`: learn a board's wiring hole by hole, at the terminal or on a page, and write its board file."""

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
from companion.common.files import read_text, save_file
from companion.common.paths import config_home, data_home, resource_folder, restore_owner
from companion.devices import open_lights, open_sensors
from companion.devices.board_session import LEARNING_BOARD
from companion.plugins.wiring_wizard import steps
from companion.plugins.wiring_wizard.session import WizardInput, WizardSession, read_saved_walk
from companion.ports import HoleSensors
from companion.protocol.json_codec import dump_json
from companion.settings import Settings, apply_values, read_settings_or_default

INSTRUCTIONS = """\
Put in the peg and the next step follows by itself. Press Enter to skip a hole that does not react, is not lit, or
stays on without its peg. Type b to go back, q to stop; the same command resumes from there."""


@click.command()
@click.argument("board")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="The board file to write, such as mine.toml."
)
@click.option("--sensors", help="The board's port: serial:/dev/ttyACM0")
@click.option("--lights", help="The lights; none: learns the holes only.")
@click.option("--inputs", type=int, help="Number of inputs of the chain (the number of holes).")
@click.option("--flash", is_flag=True, help="First copy firmware to the Pico that reports every input.")
@click.option("--page", is_flag=True, help="Use a phone at the board: prints the address of a page.")
@click.option("--host", help="The address that the page listens on (0.0.0.0).")
@click.option("--port", type=int, help="The page's port (8123).")
@click.option("--config", type=click.Path(path_type=Path, exists=True), help="A companion.toml.")
def learn(
    board: str, out: Path, *, inputs: int | None, flash: bool, page: bool, config: Path | None, **urls: Any
) -> None:
    """Learn how a board is wired, hole by hole, and write its board file.

    BOARD is a board with the same holes: a name (companion boards lists them) or a board file. Stop a companion that
    uses the board first. You put a peg into each hole by name, then into each hole that is lit.
    """
    layout = catalog.load_board(board)
    if out.suffix != ".toml":
        raise SettingsError(f"A board file must end in .toml. Write --out {out.name}.toml")
    count = len(layout.holes) if inputs is None else inputs
    strip_length = len(layout.wiring.pixels)
    overrides = {key: value for key, value in urls.items() if value is not None}
    settings = apply_values(read_settings_or_default(config or config_home() / "companion.toml"), overrides)
    progress_file = out.with_suffix(".walk.json")
    wizard = _load_or_begin(layout, count, settings, progress_file)
    raw = {"board": LEARNING_BOARD, "chain": [f"in-{each}" for each in range(count)], "pixels": [None] * strip_length}
    if flash:
        _flash_board(settings.sensors, raw)
    with ExitStack() as stack:
        try:
            hole_sensors = stack.enter_context(closing(open_sensors(settings.sensors, count, _clock_ms, board=raw)))
            strip = (
                open_lights(settings.lights, strip_length, settings.limit_ma, hole_sensors) if wizard.pixels else None
            )
        except DeviceError as error:
            raise SettingsError(str(error)) from error
        if strip:
            stack.enter_context(closing(strip))
        session = WizardSession(
            wizard,
            strip,
            click.echo,
            lambda now: save_file(progress_file, dump_json(steps.dump_wizard(now, layout.name)), 0o666),
        )
        if page:
            stack.enter_context(_serve_page(session, layout, hole_sensors, settings))
        session.start(hole_sensors)
        threading.Thread(target=_read_terminal, args=(session,), kwargs={"ends": not page}, daemon=True).start()
        click.echo(INSTRUCTIONS)
        if not session.run():
            click.echo(f"Stopped. Progress is saved in {progress_file}.")
            return
        for line in steps.describe_faults(session.state, layout):
            click.echo(line)
        source = Path(board) if board.endswith(".toml") else resource_folder("hardware/boards") / f"{board}.toml"
        wiring = steps.format_wiring(steps.build_wiring(session.state, layout), layout)
        save_file(out, _replace_wiring(read_text(source), wiring), 0o666)
        catalog.load_board(str(out))
        progress_file.unlink(missing_ok=True)
        session.written_path = str(out.resolve())
        click.echo(f"Wrote {out}. Copy it to the Pico: companion flash {out}; play on it: companion play --board {out}")
        if page:
            click.echo("The page shows this too. Press Enter to end.")
            session.wait_for_enter()


def _load_or_begin(layout: Board, inputs: int, settings: Settings, progress_file: Path) -> steps.WizardState:
    """Return the steps saved beside the board file, or new ones."""
    wizard = steps.create_wizard(layout, inputs, lights=not settings.lights.startswith("none:"))
    saved = read_saved_walk(progress_file)
    if saved is None:
        return wizard
    wizard = steps.restore_wizard(wizard, layout.name, saved)
    click.echo(f"Resuming from {progress_file}.")
    return wizard


@contextmanager
def _serve_page(session: WizardSession, layout: Board, sensors: HoleSensors, settings: Settings) -> Iterator[None]:
    """Serve the page of the wizard for phones that joined the table, and print its link."""
    from companion.app.network import listen_address, public_host  # noqa: PLC0415 - only with --page
    from companion.http.permissions import load_key  # noqa: PLC0415
    from companion.http.sessions import SessionStore  # noqa: PLC0415
    from companion.http.wsgi.server import ServerThread, listen  # noqa: PLC0415
    from companion.plugins.wiring_wizard import routes  # noqa: PLC0415

    with closing(listen(listen_address(settings.host), settings.port)) as listening:
        journal = data_home() / "journal.sqlite3"
        key = load_key(journal.with_suffix(".key"))
        phones = SessionStore(journal.with_suffix(".phones"))
        restore_owner(journal.parent)
        hand = routes.SimulatedHand(layout, sensors, session.lights)
        app = routes.create_wizard_app(session, layout, hand, key=key, phones=phones)
        with closing(ServerThread(app, listening)) as serving:
            address = f"http://{public_host(settings.host)}:{serving.port}/join/{key}"
            click.echo(f"page      {address}")
            if sys.stdout.isatty():
                import segno  # noqa: PLC0415

                segno.make(address, micro=False).terminal(compact=True)
            yield


def _replace_wiring(text: str, wiring: str) -> str:
    """Return the text of the board file with its wiring replaced by this one, at the end."""
    rest = re.sub(r"^\[wiring\]\n(?:(?!\[\[?\w+\]).*\n?)*", "", text, flags=re.MULTILINE)
    return f"{rest.rstrip()}\n\n# Learned hole by hole.\n{wiring}"


def _flash_board(url: str, raw: Mapping[str, Any]) -> None:
    from companion.devices import flash as flashing  # noqa: PLC0415 - needs mpremote

    scheme, _, port = url.partition(":")
    flashing.flash_board(port.partition("?")[0] if scheme == "serial" else flashing.find_port(), raw, click.echo)


def _read_terminal(session: WizardSession, *, ends: bool) -> None:
    """Read the terminal. `ends`: stop the wizard at the end of input; with a page it goes on."""
    answers = {"": WizardInput("skip"), "b": WizardInput("back"), "q": WizardInput("stop")}
    for line in sys.stdin:
        if line.strip() in answers:
            session.inbox.put(answers[line.strip()])
    if ends:
        session.inbox.put(WizardInput("stop"))


def _clock_ms() -> int:
    return time.monotonic_ns() // 1_000_000
