"""How every route answers: JSON that nobody keeps."""

from typing import Any

from flask import Response

from companion.codec import dumps

NOT_KEPT = {"Cache-Control": "no-store"}


def json_answer(body: Any, status: int = 200) -> Response:
    """This value as JSON."""
    return Response(dumps(body), status, NOT_KEPT, mimetype="application/json")
