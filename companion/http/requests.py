"""Reading requests: JSON bodies, each described by the schema that validates it, and numbers of the query.

The schemas are the subset of JSON Schema that the API uses.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from flask import request
from werkzeug.exceptions import BadRequest

from companion.common.errors import BadMove
from companion.i18n import format_message
from companion.protocol.json_codec import parse_json
from companion.protocol.json_fields import JsonSchema

STRING: JsonSchema = {"type": "string"}
INTEGER: JsonSchema = {"type": "integer"}
BOOLEAN: JsonSchema = {"type": "boolean"}

_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "null": (type(None),),
    "array": (list,), "object": (dict,),
}  # fmt: skip


def object_of(**properties: JsonSchema) -> dict[str, Any]:
    """Return the schema of an object with all of these properties."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def with_optional(schema: JsonSchema, **properties: JsonSchema) -> dict[str, Any]:
    """Return the schema of an object that may also have these properties."""
    return {**schema, "properties": {**schema["properties"], **properties}}


def array_of(items: JsonSchema, size: int | None = None) -> JsonSchema:
    """Return the schema of an array, of a fixed size unless that is None."""
    return {"type": "array", "items": items} | ({} if size is None else {"minItems": size, "maxItems": size})


def map_of(values: JsonSchema) -> JsonSchema:
    """Return the schema of an object with any keys."""
    return {"type": "object", "additionalProperties": values}


def nullable(schema: JsonSchema) -> JsonSchema:
    """Return a schema that also accepts null."""
    return {"oneOf": [schema, {"type": "null"}]}


def matches(schema: JsonSchema, value: object) -> bool:
    """Return whether a JSON value is valid. References are not supported. 1.0 is not an integer, true not a number."""
    if "oneOf" in schema:
        return sum(matches(each, value) for each in schema["oneOf"]) == 1
    if "type" in schema and type(value) not in _TYPES[schema["type"]]:
        return False
    if value != schema.get("const", value) or value not in schema.get("enum", [value]):
        return False
    match value:
        case str():
            return _matches_string(schema, value)
        case list():
            is_sized = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
            is_valid = is_sized and all(matches(schema.get("items", {}), each) for each in value)
        case dict():
            known, others = schema.get("properties", {}), schema.get("additionalProperties", {})
            is_complete = set(schema.get("required", ())) <= value.keys()
            is_valid = is_complete and all(matches(known.get(name, others), each) for name, each in value.items())
        case int() | float():
            is_valid = schema.get("minimum", value) <= value <= schema.get("maximum", value)
        case _:
            is_valid = True
    return is_valid


def _matches_string(schema: JsonSchema, value: str) -> bool:
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        return False
    if "pattern" not in schema:
        return True
    return "\n" not in value and re.search(schema["pattern"], value) is not None  # Python's `$` allows a line end


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
