"""The command line. Each command is a module of `companion/commands` or of a plugin, imported when it is called."""

from typing import Any

import click

from companion.commands.groups import PluginGroup
from companion.common.errors import BadCard, BoardError, CompanionError, SettingsError
from companion.common.process import discard_output, open_streams
from companion.plugin import load_object

COMMANDS = (
    "advise",
    "backup",
    "boards",
    "export",
    "flash",
    "games",
    "play",
    "referee",
    "replay",
    "score",
    "trace",
)
"""Names of the core's modules and of the commands in them."""


class CommandGroup(PluginGroup):
    """Imports a command when it is called. Prints the message of a CompanionError: exit 2 for wrong usage, else 1."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the command names in the order of `--help`."""
        return sorted({*COMMANDS, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, or None."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        command: click.Command = load_object(f"companion.commands.{cmd_name}:{cmd_name}")
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
        except BrokenPipeError:  # the reader closed the pipe
            discard_output()
            ctx.exit(0)


@click.group(cls=CommandGroup)
@click.version_option(package_name="cribbage-companion", prog_name="companion")
def main() -> None:
    """The cribbage board that knows."""
