"""The lesson: `/api/learn` (docs/reference/http.md#lesson). The server keeps nothing, and no table is involved."""

from flask import Response, request
from werkzeug.exceptions import BadRequest

from companion.http.responses import json_response
from companion.i18n import format_message

_MAX_LENGTH = 2000
"""Longer than the decisions of any lesson: at most 400 of four characters and a dot."""


def lesson_response() -> Response:
    """Return the page of the lesson after the decisions of `?done=`. Raises BadRequest if they are too many."""
    done = request.args.get("done", "")
    if len(done) > _MAX_LENGTH:
        raise BadRequest(format_message("No lesson is that long. Start over."))
    from companion.coach.lesson import replay_lesson  # noqa: PLC0415 - the table starts without the coach

    return json_response(replay_lesson(done.split(".") if done else []))
