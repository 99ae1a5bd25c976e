"""The commands by name: each is a module of `companion/commands`, imported when it is called."""

from importlib import import_module
from typing import Any

import click

from companion.common.errors import BadCard, BoardError, CompanionError, SettingsError
from companion.common.process import open_streams, stop_talking

COMMANDS = (
    "advise",
    "backup",
    "boards",
    "club",
    "deck",
    "doctor",
    "export",
    "flash",
    "games",
    "learn",
    "play",
    "referee",
    "replay",
    "score",
    "service",
    "trace",
)
"""Each name is that of a module and of the command in it."""


class Commands(click.Group):
    """A CompanionError ends a command with its sentence: exit 2 for what was typed wrong, else 1."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names, as `--help` lists them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of that name, None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"companion.commands.{cmd_name}"), cmd_name)
        return command

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
@click.version_option(package_name="cribbage-companion", prog_name="companion")
def main() -> None:
    """The cribbage board that knows."""
