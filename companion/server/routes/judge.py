"""What players can call the judge for: `/api/judge`."""

from flask import Response

from companion.http.responses import json_response
from companion.protocol.json_codec import to_json_value
from companion.table.players import personalize_texts
from companion.table.table import Table


def judge_response(table: Table) -> Response:
    """Return the infringements that can be called now; none in a friendly game or with another table."""
    core = table.core
    game, setup = core.plan.game, core.plan.setup
    calls = [] if core.plan.remote_table else [*game.list_calls(game, core.past)]
    texts: list[str] = [say for _, say, _ in calls]
    if core.players:
        texts = personalize_texts(texts, core.players, setup.seats, game.count_sides(setup.seats))
    listed = [{"rule": rule, "say": say, "move": move} for (rule, _, move), say in zip(calls, texts, strict=True)]
    return json_response({"calls": to_json_value(listed)})
