"""JSON Schemas: constructors for the subset that the API uses, and a validator for it."""

import re
from collections.abc import Mapping
from typing import Any

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
