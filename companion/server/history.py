"""What was played, over HTTP: the journal's own answer, whole after a reload, a restart, on every phone."""

from flask import Response, request
from werkzeug.exceptions import BadRequest, NotFound

from companion.server.answer import Text, asked_language
from companion.table.chronicle import Chronicles
from companion.table.table import Table
from companion.words import say

_MOST_DIGITS = 12


def history(table: Table, chronicles: Chronicles) -> Response:
    """The accepted moves not undone of the present table, or of the `table` asked for; those `after` a number."""
    game = number("table", table.journal.game or 0)
    told = chronicles.told(game, number("after", 0), asked_language())
    if told is None:
        raise NotFound(say("There is no table {game} in this journal.", game=game))
    earlier = ',"earlier":true' if told.is_cut else ""
    return Text(f'{{"table":{game}{earlier},"moves":[{",".join(told.moves)}]}}'.encode()).answer()


def number(name: str, default: int) -> int:
    """A whole number of the query, or the default. Raises BadRequest."""
    value = request.args.get(name)
    if value is None:
        return default
    if not (value.isascii() and value.isdigit() and len(value) <= _MOST_DIGITS):
        raise BadRequest(say("Ask with {name}=N, a whole number from 0.", name=name))
    return int(value)
