"""The command line. The commands of `companion/commands` and of the plugins are imported when they are called."""

from typing import Any

import click

from companion.common.errors import BadCard, BoardError, CompanionError, SettingsError
from companion.common.process import discard_output, open_streams
from companion.plugin import list_commands, load_object

COMMANDS = {
    "advise": "rules",
    "backup": "journals",
    "boards": "boards",
    "export": "journals",
    "flash": "boards",
    "games": "rules",
    "play": "play",
    "referee": "rules",
    "replay": "journals",
    "score": "rules",
    "trace": "journals",
}
"""The core's commands, and the modules of `companion/commands` that have them."""


class PluginGroup(click.Group):
    """A group of commands with those that plugins have added under its name, such as "boards parts"."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the command names in the order of `--help`."""
        return sorted({*super().list_commands(ctx), *self._find_added(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, or None."""
        command = super().get_command(ctx, cmd_name)
        if command is None and (place := self._find_added(ctx).get(cmd_name)):
            command = load_object(place)
        return command

    def _find_added(self, ctx: click.Context) -> dict[str, str]:
        names, context = list[str](), ctx
        while context.parent:  # the name of the program itself may be several words
            names.insert(0, str(context.info_name))
            context = context.parent
        return dict(list_commands(" ".join(names)))


class CommandGroup(PluginGroup):
    """Imports a command when it is called. Prints the message of a CompanionError: exit 2 for wrong usage, else 1."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the command names in the order of `--help`."""
        return sorted({*COMMANDS, *super().list_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, or None."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        command: click.Command = load_object(f"companion.commands.{COMMANDS[cmd_name]}:{cmd_name}")
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
