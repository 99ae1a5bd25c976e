"""`companion games`: the games there are."""

from typing import Any

import click

from companion.addons import bring_packs
from companion.commands.output import say
from companion.table.available_games import offer


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON, like GET /api/games.")
def games(*, as_json: bool) -> None:
    """List the games: seats, boards and options of each."""
    bring_packs()
    offered = offer()
    if as_json:
        say({"games": offered})
    else:
        click.echo("\n\n".join(_described(game) for game in offered))


def _described(game: dict[str, Any]) -> str:
    lines = (
        [f"{game['key']}: {game['title']}", f"  {game['say']}"] if game["say"] else [f"{game['key']}: {game['title']}"]
    )
    lines += [f"  --seats {' or '.join(map(str, game['seats']))}", f"  --board {', '.join(game['boards'])}"]
    for option in game["options"]:
        values = "|".join(option["values"])
        lines.append(f"  --option {option['key']}={values}")
        lines += [f"      {option['say']}"] if option["say"] else []
    return "\n".join(lines)
