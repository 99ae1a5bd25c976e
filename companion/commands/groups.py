"""Groups of commands to which plugins add theirs (`companion.plugin`). A command is imported when it is called."""

import click

from companion.plugin import list_commands, load_object


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
