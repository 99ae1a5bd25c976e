"""`companion doctor`: check the machine, and say how to fix it."""

from dataclasses import asdict
from pathlib import Path

import click

from companion.common.errors import SettingsError
from companion.common.paths import config_home, data_home
from companion.plugins.doctor.checks import run_checks
from companion.plugins.doctor.system import this_machine
from companion.protocol.json_codec import print_json
from companion.settings import Settings, apply_values, parse_pairs, read_settings_or_default


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--config", type=click.Path(path_type=Path, exists=True), help="A companion.toml.")
@click.option("--set", "given", multiple=True, help="A setting of companion.toml, such as lights=neopixel:D18.")
@click.option("--journal", type=click.Path(path_type=Path), help="The journal file.")
@click.pass_context
def doctor(
    ctx: click.Context, *, as_json: bool, config: Path | None, given: tuple[str, ...], journal: Path | None
) -> None:
    """Check this machine for a board, and say how to fix problems. Changes nothing.

    Exit code 0 if all checks pass, else 1.
    """
    settings, fault = Settings(), ""
    try:
        settings = read_settings_or_default(config or config_home() / "companion.toml")
    except SettingsError as error:
        fault = str(error)
    settings = apply_values(settings, parse_pairs(given, "A setting"))
    machine = this_machine(settings, journal or data_home() / "journal.sqlite3", settings_fault=fault)
    checks = run_checks(machine)
    if as_json:
        print_json({"checks": [asdict(check) for check in checks]})
    for check in () if as_json else checks:
        click.echo(f"{'ok ' if check.ok else 'NO '} {check.name:<11} {check.say}")
        if check.fix:
            click.echo(f"{'':15} → {check.fix}")
    ctx.exit(0 if all(check.ok for check in checks) else 1)
