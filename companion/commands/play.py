"""`companion play`: the flags, the launch options, and the greeting."""

import re
import sys
from collections.abc import Mapping
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.commands import OPTION_HELP
from companion.common.constants import SKILL_LEVELS
from companion.common.errors import JournalError, SettingsError
from companion.common.process import ServiceNotifier, discard_output, keep_heap_compact, shorten_pauses

if TYPE_CHECKING:  # imported after signals are handled
    from companion.app.launch import LaunchOptions
    from companion.app.program import Program
    from companion.demo import Demo
    from companion.plugin import Plugin
    from companion.settings import Settings
    from companion.table.setup import RemoteTable


class PlayCommand(click.Command):
    """Allows `--tls` without its two values, which means a generated certificate."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Return the arguments, with empty values for a `--tls` without values."""
        at = args.index("--tls") + 1 if "--tls" in args else 0
        if at and (at == len(args) or args[at].startswith("-")):
            args = [*args[:at], "", "", *args[at:]]
        return super().parse_args(ctx, args)


@click.command(cls=PlayCommand)
@click.option("--game", help="The game's key (six-card).")
@click.option("--seats", type=int, help="Number of players (2; shuffle: 1).")
@click.option("--dealer", type=int, help="The seat of the first dealer (0; bases: by dice).")
@click.option("--option", "pairs", multiple=True, help=OPTION_HELP)
@click.option("--board", help="A board's name or a board file.")
@click.option("--sensors", help="sim:, none: or serial:/dev/ttyACM0")
@click.option("--lights", help="sim:, none:, neopixel:D18 or neopixel-spi:/dev/spidev0.0")
@click.option(
    "--cards",
    "readers",
    multiple=True,
    help="sim:, none:, serial:/dev/ttyUSB0, keyboard:/dev/input/… or camera:/dev/video0; may be repeated.",
)
@click.option("--buttons", help="sim:, none: or gpio:dice=17,undo=27")
@click.option("--journal", type=click.Path(path_type=Path), help="The journal file.")
@click.option("--config", type=click.Path(path_type=Path, exists=True), help="A companion.toml.")
@click.option("--set", "settings", multiple=True, help="A setting of companion.toml, such as quiet_ms=300.")
@click.option("--safe", is_flag=True, help="Start without add-ons and plugins.")
@click.option("--new", is_flag=True, help="Start a new game instead of resuming the last one.")
@click.option("--demo", is_flag=True, help="Simulated players play on the simulated devices.")
@click.option(
    "--against",
    type=click.Choice(SKILL_LEVELS),
    help="Play against the companion, which deals the cards.",
)
@click.option("--invite", metavar="BOARD", help="Play with this remote board; this table starts the games.")
@click.option("--join", metavar="LINK", help="Play with the remote board that sent this invitation.")
@click.option("--level", type=click.Choice(SKILL_LEVELS), help="Skill level of the demo (expert).")
@click.option("--speed", type=float, default=1.0, help="Speed of the demo, 0.1 to 1000 (1).")
@click.option("--record", type=click.Path(path_type=Path), help="Record all inputs in this file, for trace.")
@click.option("--host", help="The address to listen on (0.0.0.0).")
@click.option("--port", type=int, help="The port (8123).")
@click.option(
    "--tls",
    nargs=2,
    metavar="CERT KEY",
    help="Serve by TLS with these PEM files, or without values with a generated certificate.",
)
@click.option("--allow-host", "hosts", multiple=True, help="A further host name to answer to.")
def play(**flags: Any) -> None:
    """Run a table: devices, rules, lights and the pages for phones."""
    service = ServiceNotifier()
    shorten_pauses()
    keep_heap_compact()
    from companion.app.program import Program

    wanted = _parse_flags(flags)
    with closing(Program(wanted)) as program:
        try:
            for sentence in filter(None, (program.damage, program.remark, *wanted.addons.problems)):
                click.echo(f"companion: {sentence}", err=True)
            program.on_new_addresses = lambda: _print_new_addresses(program)
            _print_greeting(program, wanted)
        except OSError:  # nothing reads the output; the table runs anyway
            discard_output()
        with (
            closing(_start_demo(program, flags["speed"], flags["level"] or "expert"))
            if flags["demo"]
            else nullcontext()
        ):
            service.wait_for_end(program.is_healthy)
    if program.damage:
        raise JournalError(program.damage)


def _start_demo(program: "Program", speed: float, level: str) -> "Demo":
    from companion.demo import Demo

    return Demo(program.table, program.bench, speed, level)


def _parse_flags(flags: Mapping[str, Any]) -> "LaunchOptions":
    from companion.addons import Addons, load_configured_addons
    from companion.app.launch import LaunchOptions
    from companion.common.paths import config_home, data_home
    from companion.plugin import load_plugins
    from companion.settings import Settings, apply_values, default_settings, parse_pairs, read_settings_or_default
    from companion.table.setup import ComputerPlayer

    if flags["demo"] and flags["against"]:
        raise SettingsError("--against plays against you, --demo against itself. Use only one of them.")
    if flags["level"] and not flags["demo"]:
        raise SettingsError("--level is the demo's skill level. Add --demo, or pass the level with --against.")
    if not 0.1 <= flags["speed"] <= 1000:
        raise SettingsError("The demo's speed must be a number from 0.1 to 1000.")
    path = flags["config"] or config_home() / "companion.toml"
    settings = read_settings_or_default(path, Settings() if flags["demo"] else default_settings())
    settings = apply_values(settings, parse_pairs(flags["settings"], "A setting"))
    overrides = {k: flags[k] for k in ("sensors", "lights", "buttons", "host", "port") if flags[k] is not None}
    if flags["tls"] == ("", ""):
        overrides |= {"tls": "on", "certificate": "", "certificate_key": ""}
    elif flags["tls"]:
        overrides |= dict(zip(("certificate", "certificate_key"), flags["tls"], strict=True))
    settings = apply_values(settings, overrides | ({"effects": ""} if flags["safe"] else {}))
    overrides = {f"remote.{each}": flags[each] for each in ("invite", "join") if flags[each]}
    settings = apply_values(settings, overrides)
    hosts = (*flags["hosts"], *settings.hosts)
    for host in hosts:
        if not re.fullmatch(r"[A-Za-z0-9._-]+", host):
            raise SettingsError(f"Write a host name alone, such as board.example, not {host!r}.")
    plugins = () if flags["safe"] else load_plugins()
    return LaunchOptions(
        game=flags["game"],
        seats=flags["seats"],
        dealer=flags["dealer"],
        options=parse_pairs(flags["pairs"], "An option"),
        board=_resolve_board(flags["board"]),
        settings=settings,
        readers=flags["readers"],
        journal=flags["journal"] or data_home() / "journal.sqlite3",
        new=flags["new"],
        against=ComputerPlayer(1, flags["against"]) if flags["against"] else None,
        remote_table=_find_remote(flags, settings, plugins),
        record=flags["record"],
        hosts=hosts,
        addons=Addons() if flags["safe"] else load_configured_addons(path, settings),
        plugins=plugins,
    )


def _find_remote(flags: Mapping[str, Any], settings: "Settings", plugins: "tuple[Plugin, ...]") -> "RemoteTable | None":
    """Return the remote table, or None. Raises SettingsError for flags that contradict a remote game."""
    remotes = (plugin.find_remote_table(settings) for plugin in plugins)
    remote = next((table for table in remotes if table), None)
    if remote and (flags["demo"] or flags["against"]):
        raise SettingsError("People play a remote game. Leave out --demo and --against.")
    if (
        remote
        and not remote.is_host
        and any(flags[each] not in (None, ()) for each in ("game", "seats", "dealer", "pairs"))
    ):
        raise SettingsError("The inviting table chooses the game. Leave out --game, --dealer and --option.")
    return remote


def _resolve_board(name: str | None) -> str | None:
    """Return a board's name, or the absolute path of a board file, so that a game can be resumed from any folder."""
    return str(Path(name).resolve()) if name and name.endswith(".toml") else name


def _print_addresses(program: "Program") -> None:
    """Print the addresses of the pages, a line each."""
    address, *_ = program.addresses
    click.echo(f"watchers  {address}")
    click.echo(f"players   {address}join/{program.key}")


def _print_new_addresses(program: "Program") -> None:
    """Print the addresses after the network has changed. Any thread may call it."""
    try:
        if not program.has_network:
            click.echo("network   lost: phones cannot reach the table until it is back")
        else:
            click.echo("network   the table has a new address")
            _print_addresses(program)
        sys.stdout.flush()
    except OSError:
        discard_output()


def _print_greeting(program: "Program", wanted: "LaunchOptions") -> None:
    """Print the addresses of the pages; on a terminal also a QR code and a short guide."""
    from companion.app.network import ALL_ADDRESSES

    (address, *names), key = program.addresses, program.key
    _print_addresses(program)
    if program.invitation:
        click.echo(f"invite    {program.invitation}  (for the other table: companion play --join LINK)")
    if wanted.settings.host in ALL_ADDRESSES and not program.has_network:
        click.echo("network   none yet: the addresses are printed again when there is one")
    if sys.stdout.isatty():
        import segno  # slow, and a service, which has no terminal, starts without it

        segno.make(f"{address}join/{key}", micro=False).terminal(compact=True)
        click.echo("To play, scan this code with a phone or open the players' address. To watch, use the other one.")
        if program.bench.simulated_devices:
            click.echo(f"bench     {address}bench  (the simulated board, for players)")
        for name in names:
            click.echo(f"by name   {name}")
        if program.authority:
            click.echo(f"authority {address}authority.crt  (install it on each phone once: docs/how-to/use-tls.md)")
            click.echo(f"          SHA-256 {program.authority.read_fingerprint()}")
        snapshot = program.table.snapshot
        scores = " – ".join(map(str, snapshot.view["scores"]))
        click.echo(f"game      {snapshot.game['title']}, {scores}  (--new starts another)")
        click.echo(f"journal   {wanted.journal}")
        if wanted.remote_table:
            click.echo(f"far away  {wanted.remote_table.board}  (docs/how-to/play-with-a-friend-far-away.md)")
        click.echo("stop      Ctrl-C; the next start resumes the game")
    sys.stdout.flush()
