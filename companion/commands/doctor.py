"""`companion doctor`: what stands in the way, and what to type."""

from dataclasses import asdict
from pathlib import Path

import click

from companion.commands.output import say
from companion.common.errors import SettingsError
from companion.common.paths import config_home, data_home
from companion.doctor import examine, this_machine
from companion.settings import Settings, changed, read_or_default, read_pairs


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--config", type=click.Path(path_type=Path, exists=True), help="A companion.toml.")
@click.option("--set", "given", multiple=True, help="A setting of companion.toml, such as lights=neopixel:D18.")
@click.option("--journal", type=click.Path(path_type=Path), help="The journal file.")
@click.pass_context
def doctor(
    ctx: click.Context, *, as_json: bool, config: Path | None, given: tuple[str, ...], journal: Path | None
) -> None:
    """Look for what stands in the way of a board here, and say what to type. Changes nothing.

    Exit code 0 if all is well, else 1.
    """
    settings, fault = Settings(), ""
    try:
        settings = read_or_default(config or config_home() / "companion.toml")
    except SettingsError as error:
        fault = str(error)
    settings = changed(settings, read_pairs(given, "A setting"))
    machine = this_machine(settings, journal or data_home() / "journal.sqlite3", settings_fault=fault)
    checks = examine(machine)
    if as_json:
        say({"checks": [asdict(check) for check in checks]})
    for check in () if as_json else checks:
        click.echo(f"{'ok ' if check.ok else 'NO '} {check.name:<11} {check.say}")
        if check.fix:
            click.echo(f"{'':15} → {check.fix}")
    ctx.exit(0 if all(check.ok for check in checks) else 1)
