"""`companion play`: the flags, what they ask for, and the greeting."""

import re
import sys
from collections.abc import Mapping
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.commands.output import OPTION_HELP
from companion.common.errors import JournalError, SettingsError
from companion.common.process import Service, stop_talking

if TYPE_CHECKING:  # imported once a signal would be heard
    from companion.app.launch import Wanted
    from companion.app.program import Running
    from companion.demo import Demo
    from companion.settings import Settings
    from companion.table.setup import Afar


class Play(click.Command):
    """`--tls` alone means a certificate of our own: `--tls CERT KEY` with both left out."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments, with the two that `--tls` may leave out."""
        at = args.index("--tls") + 1 if "--tls" in args else 0
        if at and (at == len(args) or args[at].startswith("-")):
            args = [*args[:at], "", "", *args[at:]]
        return super().parse_args(ctx, args)


@click.command(cls=Play)
@click.option("--game", help="The game's key (six-card).")
@click.option("--seats", type=int)
@click.option("--dealer", type=int, help="The seat that deals first (0; bases: by dice).")
@click.option("--option", "pairs", multiple=True, help=OPTION_HELP)
@click.option("--board", help="A board's name or a board file.")
@click.option("--sensors", help="sim:, none: or serial:/dev/ttyACM0")
@click.option("--lights", help="sim:, none:, neopixel:D18 or neopixel-spi:/dev/spidev0.0")
@click.option(
    "--cards",
    "readers",
    multiple=True,
    help="sim:, none:, serial:/dev/ttyUSB0 or keyboard:/dev/input/…; may be repeated.",
)
@click.option("--buttons", help="sim:, none: or gpio:dice=17,undo=27")
@click.option("--journal", type=click.Path(path_type=Path), help="The journal file.")
@click.option("--config", type=click.Path(path_type=Path, exists=True), help="A companion.toml.")
@click.option("--set", "settings", multiple=True, help="A setting of companion.toml, such as quiet_ms=300.")
@click.option("--safe", is_flag=True, help="Without packs: only what comes with the companion.")
@click.option("--new", is_flag=True, help="Begin a new game instead of resuming the last.")
@click.option("--demo", is_flag=True, help="Simulated players play on the simulated devices.")
@click.option(
    "--against", type=click.Choice(("novice", "club", "expert")), help="The companion is the other player; it deals."
)
@click.option("--invite", metavar="BOARD", help="Play with this board far away: this table begins the games.")
@click.option("--join", metavar="BOARD", help="Play with this board far away: that table begins the games.")
@click.option("--level", type=click.Choice(("novice", "club", "expert")), help="How well the demo plays (expert).")
@click.option("--speed", type=float, default=1.0, help="How fast the demo plays.")
@click.option("--record", type=click.Path(path_type=Path), help="Write all inputs to this file, for trace.")
@click.option("--host", help="The address to listen on (0.0.0.0).")
@click.option("--port", type=int, help="The port (8123).")
@click.option("--tls", nargs=2, metavar="CERT KEY", help="Serve by TLS: with these PEM files, or alone with our own.")
@click.option("--allow-host", "hosts", multiple=True, help="A further host name to answer to.")
def play(**flags: Any) -> None:
    """Run a table: devices, rules, lights, and the pages for phones."""
    service = Service()
    from companion.app.program import Running

    wanted = _wanted(flags)
    with closing(Running(wanted)) as program:
        try:
            if program.damage:
                click.echo(f"companion: {program.damage}", err=True)
            for sentence in wanted.packs.amiss:
                click.echo(f"companion: {sentence}", err=True)
            _greet(program, wanted)
        except OSError:  # nobody hears it; the table is there all the same
            stop_talking()
        with closing(_players(program, flags["speed"], flags["level"] or "expert")) if flags["demo"] else nullcontext():
            service.wait(program.is_well)
    if program.damage:
        raise JournalError(program.damage)


def _players(program: "Running", speed: float, level: str) -> "Demo":
    from companion.demo import Demo

    return Demo(program.table, program.bench, speed, level)


def _wanted(flags: Mapping[str, Any]) -> "Wanted":
    from companion.addons import Packs, packs_of
    from companion.app.launch import Wanted
    from companion.common.paths import config_home, data_home
    from companion.settings import Settings, changed, read_or_default, read_pairs, usual

    if flags["demo"] and flags["against"]:
        raise SettingsError(
            "The companion plays against you, or the demo against itself: leave out --against or --demo."
        )
    if flags["level"] and not flags["demo"]:
        raise SettingsError("--level says how well the demo plays: add --demo, or name a level with --against.")
    if not 0.1 <= flags["speed"] <= 1000:
        raise SettingsError("The speed of the demo is a number from 0.1 to 1000.")
    for host in flags["hosts"]:
        if not re.fullmatch(r"[A-Za-z0-9._-]+", host):
            raise SettingsError(f"A host name is written alone, such as board.example, not {host!r}.")
    path = flags["config"] or config_home() / "companion.toml"
    settings = read_or_default(path, Settings() if flags["demo"] else usual())
    settings = changed(settings, read_pairs(flags["settings"], "A setting"))
    named = {k: flags[k] for k in ("sensors", "lights", "buttons", "host", "port") if flags[k] is not None}
    if flags["tls"] == ("", ""):
        named |= {"tls": "on", "certificate": "", "certificate_key": ""}
    elif flags["tls"]:
        named |= dict(zip(("certificate", "certificate_key"), flags["tls"], strict=True))
    settings = changed(settings, named | ({"effects": ""} if flags["safe"] else {}))
    named = {f"remote.{each}": flags[each] for each in ("invite", "join") if flags[each]}
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
        against=flags["against"],
        afar=_afar(flags, settings),
        record=flags["record"],
        hosts=flags["hosts"],
        packs=Packs() if flags["safe"] else packs_of(path, settings),
    )


def _afar(flags: Mapping[str, Any], settings: "Settings") -> "Afar | None":
    """The table far away that is played with. Raises SettingsError for flags that do not go with one."""
    from companion.remote import afar

    found = afar(settings)
    if found and (flags["demo"] or flags["against"]):
        raise SettingsError("With a table far away people play: leave out --demo and --against.")
    if (
        found
        and not found.is_host
        and any(flags[each] not in (None, ()) for each in ("game", "seats", "dealer", "pairs"))
    ):
        raise SettingsError("The table that invites says what is played: leave out --game, --dealer and --option.")
    return found


def _board(given: str | None) -> str | None:
    """A board file is kept with its whole path: a game is resumed from any folder."""
    return str(Path(given).resolve()) if given and given.endswith(".toml") else given


def _greet(program: "Running", wanted: "Wanted") -> None:
    """The two addresses, a line each; on a terminal the code for a phone's camera too, and what a newcomer asks."""
    import segno

    (address, *names), key = program.addresses, program.key
    click.echo(f"watchers  {address}")
    click.echo(f"players   {address}join/{key}")
    if sys.stdout.isatty():
        segno.make(f"{address}join/{key}", micro=False).terminal(compact=True)
        click.echo("Who opens the players' address, or points a phone's camera here, may play; the others look on.")
        if program.bench.simulated:
            click.echo(f"bench     {address}bench  (the simulated board, for who has joined)")
        for name in names:
            click.echo(f"by name   {name}")
        if program.authority:
            click.echo(f"authority {address}authority.crt  (each phone trusts it once: docs/how-to/use-tls.md)")
            click.echo(f"          SHA-256 {program.authority.mark()}")
        now = program.table.snapshot
        scores = " – ".join(map(str, now.view["scores"]))
        click.echo(f"game      {now.game['title']}, {scores}  (--new begins another)")
        click.echo(f"journal   {wanted.journal}")
        if wanted.afar:
            click.echo(f"far away  {wanted.afar.board}  (docs/how-to/play-with-a-friend-far-away.md)")
        click.echo("stop      Ctrl-C; started again, it goes on where you were")
    sys.stdout.flush()
