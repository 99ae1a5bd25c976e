"""The commands; the one place where parts are plugged together."""

import json
import re
import sys
from collections.abc import Mapping
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from companion.errors import BadCard, BoardError, CompanionError, JournalError, SettingsError
from companion.service import Service, open_streams, stop_talking

if TYPE_CHECKING:  # a command imports only what it needs
    from companion.demo.hands import Hands
    from companion.play import Running, Wanted

OPTION_HELP = "An option of the game, such as target=61; may be repeated."


class Commands(click.Group):
    """A CompanionError ends a command with its sentence: exit 2 for what was typed wrong, else 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        open_streams()
        try:
            return super().invoke(ctx)
        except (SettingsError, BoardError, BadCard) as error:
            click.echo(f"companion: {error}", err=True)
            ctx.exit(2)
        except CompanionError as error:
            click.echo(f"companion: {error}", err=True)
            ctx.exit(1)
        except BrokenPipeError:  # who reads has enough
            stop_talking()
            ctx.exit(0)


@click.group(cls=Commands)
@click.version_option(package_name="companion")
def main() -> None:
    """The cribbage board that knows."""


def _say(line: Mapping[str, Any]) -> None:
    from companion.codec import dumps

    try:
        sys.stdout.write(dumps(line) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        stop_talking()
        raise CompanionError(f"The answer cannot be written: {error.strerror}.") from error


@main.command()
@click.argument("cards", nargs=-1, required=True)
@click.option("--starter", required=True, help="The starter, such as 5D.")
@click.option("--crib", is_flag=True, help="The cards are the crib: a flush needs all five.")
@click.option("--five-card", is_flag=True, help="A hand of three (five-card cribbage).")
@click.option("--json", "as_json", is_flag=True, help="The items as JSON.")
def score(cards: tuple[str, ...], starter: str, *, crib: bool, five_card: bool, as_json: bool) -> None:
    """Count a hand: the CARDS with the starter."""
    from companion.codec import plain
    from companion.rules import cards as pack
    from companion.rules import saying, scoring

    held, cut = pack.cards(" ".join(cards)), pack.card(starter.strip())
    items = scoring.items(held, cut, crib=crib, five=five_card)
    if as_json:
        _say({"total": scoring.total(items), "items": plain(items)})
    else:
        click.echo(saying.count(items).capitalize() + ".")


@main.command()
@click.option("--game", "key", default="six-card", help="The game's key.")
@click.option("--seats", type=int, help="How many play (2; shuffle: 1).")
@click.option("--dealer", type=int)
@click.option("--option", "pairs", multiple=True, help=OPTION_HELP)
def referee(key: str, seats: int | None, dealer: int | None, pairs: tuple[str, ...]) -> None:
    """Answer each move on standard input, a JSON object a line, with one line."""
    from companion.codec import answer
    from companion.rules.engine import History
    from companion.settings import read_pairs
    from companion.table.plan import settle

    game, setup = settle(key, seats, dealer, read_pairs(pairs, "An option"))
    past: History[Any] = History(game.start(setup))
    for line in sys.stdin.buffer:
        past, reply = answer(game, past, line)
        _say(reply)


@main.command()
@click.argument("file", type=click.File("rb"), default="-")
def trace(file: BinaryIO) -> None:
    """Run the whole table without hardware on recorded inputs: FILE, or standard input."""
    from companion.table.trace import trace as run

    run(file, _say)


@main.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True)
@click.pass_context
def boards(ctx: click.Context, *, as_json: bool) -> None:
    """List the boards there are."""
    from companion.board.shape import layout

    if ctx.invoked_subcommand is None:
        names = layout.names()
        click.echo(json.dumps(names) if as_json else "\n".join(names))


@boards.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True)
def show(name: str, *, as_json: bool) -> None:
    """Show one board: its holes, tracks and routes."""
    from companion.board.shape import layout

    board = layout.load(name)
    click.echo(json.dumps(layout.board_json(board)) if as_json else layout.describe(board))


@main.command()
@click.option("--game", help="The game's key (six-card).")
@click.option("--seats", type=int)
@click.option("--dealer", type=int, help="The seat that deals first (0; bases: by dice).")
@click.option("--option", "pairs", multiple=True, help=OPTION_HELP)
@click.option("--board", help="A board's name or a board file.")
@click.option("--sensors", help="sim: or serial:/dev/ttyACM0")
@click.option("--lights", help="sim: or neopixel:D18")
@click.option("--cards", "readers", multiple=True, help="sim: or serial:/dev/ttyUSB0; may be repeated.")
@click.option("--buttons", help="sim: or gpio:dice=17,undo=27")
@click.option("--journal", type=click.Path(path_type=Path), help="The journal file.")
@click.option("--config", type=click.Path(path_type=Path, exists=True), help="A companion.toml.")
@click.option("--set", "settings", multiple=True, help="A setting of companion.toml, such as quiet_ms=300.")
@click.option("--new", is_flag=True, help="Begin a new game instead of resuming the last.")
@click.option("--demo", is_flag=True, help="Simulated players play on the simulated devices.")
@click.option("--speed", type=float, default=1.0, help="How fast the demo plays.")
@click.option("--record", type=click.Path(path_type=Path), help="Write all inputs to this file, for trace.")
@click.option("--host", help="The address to listen on (0.0.0.0).")
@click.option("--port", type=int, help="The port (8123).")
@click.option("--tls", nargs=2, metavar="CERT KEY", help="Serve with this certificate and its key (PEM files).")
@click.option("--allow-host", "hosts", multiple=True, help="A further host name to answer to.")
def play(**flags: Any) -> None:
    """Run a table: devices, rules, lights, and the pages for phones."""
    service = Service()
    from companion.play import Running

    wanted = _wanted(flags)
    with closing(Running(wanted)) as program:
        try:
            if program.damage:
                click.echo(f"companion: {program.damage}", err=True)
            _greet(program, wanted)
        except OSError:  # nobody hears it; the table is there all the same
            stop_talking()
        with closing(_players(program, flags["speed"])) if flags["demo"] else nullcontext():
            service.wait(program.is_well)
    if program.damage:
        raise JournalError(program.damage)


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--journal", type=click.Path(path_type=Path), help="The journal file.")
@click.option("--config", type=click.Path(path_type=Path, exists=True), help="A companion.toml.")
def backup(file: Path, journal: Path | None, config: Path | None) -> None:
    """Copy the journal to FILE, also while a table runs; into a folder under a dated name."""
    from companion.play import config_home, data_home
    from companion.settings import read_or_default
    from companion.table.backup import backup as copy

    settings = read_or_default(config or config_home() / "companion.toml")
    click.echo(copy(journal or data_home() / "journal.sqlite3", file, settings.backups))


def _players(program: "Running", speed: float) -> "Hands":
    from companion import demo

    return demo.begin(program.table, program.bench, speed)


def _wanted(flags: Mapping[str, Any]) -> "Wanted":
    from companion.play import Wanted, config_home, data_home
    from companion.settings import changed, read_or_default, read_pairs

    if not 0.1 <= flags["speed"] <= 1000:
        raise SettingsError("The speed of the demo is a number from 0.1 to 1000.")
    for host in flags["hosts"]:
        if not re.fullmatch(r"[A-Za-z0-9._-]+", host):
            raise SettingsError(f"A host name is written alone, such as board.example, not {host!r}.")
    path = flags["config"] or config_home() / "companion.toml"
    settings = read_or_default(path)
    settings = changed(settings, read_pairs(flags["settings"], "A setting"))
    named = {k: flags[k] for k in ("sensors", "lights", "buttons", "host", "port") if flags[k] is not None}
    if flags["tls"]:
        named |= dict(zip(("certificate", "certificate_key"), flags["tls"], strict=True))
    settings = changed(settings, named)
    return Wanted(
        game=flags["game"],
        seats=flags["seats"],
        dealer=flags["dealer"],
        options=read_pairs(flags["pairs"], "An option"),
        board=_board(flags["board"]),
        settings=settings,
        readers=flags["readers"],
        journal=flags["journal"] or data_home() / "journal.sqlite3",
        new=flags["new"],
        record=flags["record"],
        hosts=flags["hosts"],
    )


def _board(given: str | None) -> str | None:
    """A board file is kept with its whole path: a game is resumed from any folder."""
    return str(Path(given).resolve()) if given and given.endswith(".toml") else given


def _greet(program: "Running", wanted: "Wanted") -> None:
    """The two addresses, a line each; on a terminal the code for a phone's camera too, and what a newcomer asks."""
    import segno

    from companion.play import lan_address

    host, port, key = wanted.settings.host, program.serving.port, program.key
    shown = lan_address() if host in ("0.0.0.0", "::", "") else host
    scheme = "https" if wanted.settings.certificate else "http"
    address = f"{scheme}://[{shown}]:{port}/" if ":" in shown else f"{scheme}://{shown}:{port}/"
    click.echo(f"watchers  {address}")
    click.echo(f"players   {address}join/{key}")
    if sys.stdout.isatty():
        segno.make(f"{address}join/{key}", micro=False).terminal(compact=True)
        click.echo("Who opens the players' address, or points a phone's camera here, may play; the others look on.")
        if program.bench.simulated:
            click.echo(f"bench     {address}bench  (the simulated board, for who has joined)")
        now = program.table.snapshot
        scores = " – ".join(map(str, now.view["scores"]))
        click.echo(f"game      {now.game['title']}, {scores}  (--new begins another)")
        click.echo(f"journal   {wanted.journal}")
        click.echo("stop      Ctrl-C; started again, it goes on where you were")
    sys.stdout.flush()
