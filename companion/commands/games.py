"""`companion games`: list all games."""

from typing import Any

import click

from companion.addons import register_addons
from companion.protocol.json_output import print_json
from companion.table.available_games import list_available_games


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON, like GET /api/games.")
def games(*, as_json: bool) -> None:
    """List all games with their seats, boards and options."""
    register_addons()
    offered = list_available_games()
    if as_json:
        print_json({"games": offered})
    else:
        click.echo("\n\n".join(_describe_game(game) for game in offered))


def _describe_game(game: dict[str, Any]) -> str:
    lines = (
        [f"{game['key']}: {game['title']}", f"  {game['say']}"] if game["say"] else [f"{game['key']}: {game['title']}"]
    )
    lines += [f"  --seats {' or '.join(map(str, game['seats']))}", f"  --board {', '.join(game['boards'])}"]
    for option in game["options"]:
        values = "|".join(option["values"])
        lines.append(f"  --option {option['key']}={values}")
        lines += [f"      {option['say']}"] if option["say"] else []
    return "\n".join(lines)
