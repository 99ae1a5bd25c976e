"""`companion service`: the companion of a board in a wall, started by the machine itself."""

import os
from pathlib import Path

import click

from companion.common.errors import CompanionError
from companion.common.paths import folder
from companion.install import Installation, this_machinery
from companion.install.templates import RULES


@click.group()
def service() -> None:
    """Have the companion start with the machine, as a service of systemd.

    In a checkout, sudo python3 -m companion service install is all it takes; remove undoes it.
    """


@service.command()
@click.option(
    "--from", "source", type=click.Path(path_type=Path, exists=True), help="A checkout or a wheel (this one)."
)
@click.option("--extras", default="", help="Packages for lights at a pin: pi, or pi5.")
def install(source: Path | None, extras: str) -> None:
    """Install and start it.

    It gets a user, a Python environment, udev's rules and a unit of systemd, and starts with the machine.
    """
    _installation().install(source or _checkout(), extras)
    click.echo(
        "It runs. companion service logs shows the players' address; settings are in /etc/companion/companion.toml."
    )


@service.command()
def status() -> None:
    """Say how the service is. Exit code 1 where there is none."""
    click.echo(_installation().status())


@service.command()
@click.option("--lines", type=int, default=100, help="How many of the last lines.")
@click.option("--follow", is_flag=True, help="Go on, until Ctrl-C.")
def logs(lines: int, *, follow: bool) -> None:
    """Show what it said: the addresses, and what went wrong."""
    _installation().check_there()
    command = ["journalctl", "--unit=companion", f"--lines={lines}", "--output=cat"] + ["--follow"] * follow
    try:
        os.execvp(command[0], command)
    except OSError as error:
        raise CompanionError(f"{command[0]} cannot be run here: {error.strerror}.") from error


@service.command()
@click.option("--from", "source", type=click.Path(path_type=Path, exists=True), help="Another checkout or wheel.")
def update(source: Path | None) -> None:
    """Install and start a newer version.

    It comes from where the service was installed from. Where it does not answer, the one before runs again.
    """
    _installation().update(source)
    click.echo("The new version runs. companion service rollback goes back.")


@service.command()
def rollback() -> None:
    """Run the version before again."""
    _installation().rollback()
    click.echo("The version before runs.")


@service.command()
def remove() -> None:
    """Remove the service. What was played and the settings stay."""
    _installation().remove()


@service.command()
def rules() -> None:
    """Print the rules of udev.

    They are for who runs the companion by hand: companion service rules | sudo tee /etc/udev/rules.d/60-companion.rules
    """
    click.echo(RULES, nl=False)


def _installation() -> Installation:
    return Installation(this_machinery(), click.echo)


def _checkout() -> Path:
    """The checkout this program runs from."""
    found = folder("firmware").parent
    if not (found / "pyproject.toml").exists():
        raise CompanionError("This program runs from no checkout: name one, or a wheel, with --from.")
    return found
