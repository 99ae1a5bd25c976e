"""Packs for a command: those of companion.toml, or of the folder `packs` beside it (docs/how-to/make-a-pack.md)."""

from pathlib import Path

import click

from companion.errors import SettingsError
from companion.homes import config_home
from companion.packs import Packs, read
from companion.settings import Settings, read_or_default

FOLDER = "packs"
"""Where packs lie when companion.toml says nothing of them, beside it."""


def packs_of(toml: Path, settings: Settings) -> Packs:
    """The packs of these settings, which were read from this companion.toml, if it is there."""
    if settings.packs:
        return read(toml.parent / Path(settings.packs).expanduser())
    usual = toml.parent / FOLDER
    return read(usual) if usual.is_dir() else Packs()


def bring_packs() -> None:
    """Have the owner's games and boards known to a command that has no table; what is amiss with them is told aside."""
    toml = config_home() / "companion.toml"
    try:
        packs = packs_of(toml, read_or_default(toml))
    except SettingsError as error:
        click.echo(f"companion: {error}", err=True)
        return
    for sentence in packs.amiss:
        click.echo(f"companion: {sentence}", err=True)
    packs.bring()
