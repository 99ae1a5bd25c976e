"""Reading requests: JSON bodies, each described by the schema that validates it, and numbers of the query."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from flask import request
from werkzeug.exceptions import BadRequest

from companion.common.errors import BadMove
from companion.http.json_schema import matches, object_of, with_optional
from companion.i18n import format_message
from companion.protocol.json_codec import parse_json
from companion.protocol.json_fields import JsonSchema

_MAX_DIGITS = 12


class BodyField(NamedTuple):
    """A field of a request body; `refusal` is the message pattern for an invalid value, in which `{name}` may occur."""

    schema: JsonSchema
    refusal: str
    is_required: bool = True


class RequestBody:
    """The fields of a JSON object that a POST takes. `schema` describes what `parse` accepts; other fields are ignored.

    `missing` is the message pattern for a required field that was not sent; without it, the field's refusal is used.
    """

    def __init__(self, missing: str = "", **fields: BodyField) -> None:
        self._fields, self._missing = fields, missing
        required = {name: field.schema for name, field in fields.items() if field.is_required}
        optional = {name: field.schema for name, field in fields.items() if not field.is_required}
        self.schema = with_optional(object_of(**required), **optional)

    def parse(self, body: Mapping[str, Any], **arguments: Any) -> dict[str, Any]:
        """Return the fields that were sent. Raises BadRequest; `arguments` are further words of the messages."""
        for name, field in self._fields.items():
            if name not in body and field.is_required:
                raise BadRequest(format_message(self._missing or field.refusal, name=name, **arguments))
            if name in body and not matches(field.schema, body[name]):
                raise BadRequest(format_message(field.refusal, name=name, **arguments))
        return {name: body[name] for name in self._fields if name in body}

    def read(self, **arguments: Any) -> dict[str, Any]:
        """Parse the body of the current request. Raises BadRequest."""
        return self.parse(read_json_object(), **arguments)


def read_json_object() -> Mapping[str, Any]:
    """Return the JSON object in the body of the current request. Raises BadRequest for anything else."""
    try:
        body = parse_json(request.get_data())
    except BadMove as error:
        raise BadRequest(str(error)) from None
    if not isinstance(body, dict):
        raise BadRequest(format_message("Send a JSON object."))
    return body


def parse_query_number(name: str, default: int) -> int:
    """Return this parameter of the query, a whole number of at most 12 digits, or the default. Raises BadRequest."""
    value = request.args.get(name)
    if value is None:
        return default
    if not (value.isascii() and value.isdigit() and len(value) <= _MAX_DIGITS):
        raise BadRequest(format_message("Ask with {name}=N, a whole number from 0.", name=name))
    return int(value)
