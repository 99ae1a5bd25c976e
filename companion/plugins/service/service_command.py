"""`companion service`: run the companion as a systemd service that starts with the machine."""

import json
import os
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click

from companion.common.errors import CompanionError
from companion.common.paths import resource_folder
from companion.plugins.service.installer import EXTRAS, UDEV_RULES, Installer, this_machine


@click.group()
def service() -> None:
    """Start the companion with the machine, as a systemd service.

    In a checkout or an unpacked wheel, run: sudo python3 -m companion service install. Remove it with: companion
    service remove.
    """


@service.command()
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path, exists=True),
    help="A checkout or a wheel (the one this program is from).",
)
@click.option("--extras", default="", help=f"More extra packages, by commas: {', '.join(EXTRAS)}.")
@click.option(
    "--wheels",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder with the wheels of all packages, for a machine without internet.",
)
def install(source: Path | None, extras: str, wheels: Path | None) -> None:
    """Install and start the service.

    Creates a user, a Python environment, udev rules and a systemd unit.
    """
    _create_installer().install(source or _find_source(), extras, wheels)
    click.echo(
        "The service runs. companion service logs shows the players' address; "
        "the settings are in /etc/companion/companion.toml."
    )


@service.command()
def status() -> None:
    """Show the state of the service. Exit code 1 if it is not installed."""
    click.echo(_create_installer().status())


@service.command()
@click.option("--lines", type=int, default=100, help="Number of lines to show (100).")
@click.option("--follow", is_flag=True, help="Show new lines until Ctrl-C.")
def logs(lines: int, *, follow: bool) -> None:
    """Show the log: the addresses of the pages, and errors."""
    _create_installer().check_installed()
    command = ["journalctl", "--unit=companion", f"--lines={lines}", "--output=cat"] + ["--follow"] * follow
    try:
        os.execvp(command[0], command)
    except OSError as error:
        raise CompanionError(f"Cannot run {command[0]}: {error.strerror}.") from error


@service.command()
@click.option("--from", "source", type=click.Path(path_type=Path, exists=True), help="Another checkout or wheel.")
def update(source: Path | None) -> None:
    """Install and start a newer version.

    Takes it from the source of the installation. If the new version does not answer, the previous one runs again.
    """
    _create_installer().update(source)
    click.echo("The new version runs. companion service rollback restores the previous one.")


@service.command()
def rollback() -> None:
    """Run the previous version again."""
    _create_installer().rollback()
    click.echo("The previous version runs.")


@service.command()
def remove() -> None:
    """Remove the service. Games and settings stay."""
    _create_installer().remove()


@service.command()
def rules() -> None:
    """Print the udev rules.

    Without the service, install them with: companion service rules | sudo tee /etc/udev/rules.d/60-companion.rules
    """
    click.echo(UDEV_RULES, nl=False)


def _create_installer() -> Installer:
    return Installer(this_machine(), click.echo)


def _find_source() -> Path | None:
    """Return the checkout that this program runs from, or the wheel that it was installed from if that still exists."""
    checkout = resource_folder("firmware").parent
    if (checkout / "pyproject.toml").exists():
        return checkout
    with suppress(PackageNotFoundError, ValueError):
        origin = json.loads(distribution("cribbage-companion").read_text("direct_url.json") or "{}").get("url", "")
        wheel = Path(unquote(urlsplit(origin).path))
        return wheel if origin.startswith("file:") and wheel.exists() else None
    return None
