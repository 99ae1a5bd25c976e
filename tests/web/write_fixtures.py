"""Write the fixtures for `tsc` and `node --test` into `tests/web/generated`, as neither runs a table.

They are the types of the API (`Api.Snapshot`, `Api.Due`), derived from its OpenAPI document, the constants, and scenes
of every game, made by the rules. `make page` runs this module in the folder `tests`.
"""

import json
from pathlib import Path
from typing import Any

from companion.server.routes.pages import build_constants, openapi_document
from tests.browser.scenes import SCENES
from tests.browser.stage import START

GENERATED = Path(__file__).parent / "generated"
_SIMPLE = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def schema_type(schema: dict[str, Any]) -> str:
    """Return the TypeScript type of a schema. Raise NotImplementedError for keywords that the document does not use."""
    match schema:
        case {"$ref": path}:
            result = path.rsplit("/", 1)[1]
        case {"const": value}:
            result = json.dumps(value)
        case {"enum": values}:
            result = " | ".join(json.dumps(value) for value in values)
        case {"oneOf": kinds}:
            result = " | ".join(schema_type(kind) for kind in kinds)
        case {"type": "array"}:
            result = f"({schema_type(schema['items'])})[]"
        case {"type": "object"}:
            result = object_type(schema)
        case {"type": str(kind)}:
            result = _SIMPLE[kind]
        case _:
            raise NotImplementedError(f"How is {schema} written in TypeScript?")
    return result


def object_type(schema: dict[str, Any]) -> str:
    """Return the type of an object; without named properties it may have any key."""
    if "properties" not in schema:
        values = schema.get("additionalProperties")
        return f"{{ [key: string]: {schema_type(values) if values else 'unknown'} }}"
    required = schema.get("required", ())
    fields = [
        f"{json.dumps(name)}{'' if name in required else '?'}: {schema_type(each)}"
        for name, each in schema["properties"].items()
    ]
    return f"{{ {'; '.join(fields)} }}"


def answer_types() -> dict[str, str]:
    """Return the type of each JSON answer to a GET, by its path."""
    gets = {
        path: ways["get"]["responses"].get("200", {})
        for path, ways in openapi_document()["paths"].items()
        if "get" in ways
    }
    schemas = {path: answer.get("content", {}).get("application/json") for path, answer in gets.items()}
    return {path: schema_type(kind["schema"]) for path, kind in schemas.items() if kind}


def declarations() -> str:
    """Return the declarations against which the modules of the page are checked."""
    named = [
        f"  type {name} = {schema_type(schema)};"
        for name, schema in openapi_document()["components"]["schemas"].items()
    ]
    got = [f"    {json.dumps(path)}: {answer};" for path, answer in answer_types().items()]
    return "\n".join(["declare namespace Api {", *named, "  type Answers = {", *got, "  };", "}", ""])


if __name__ == "__main__":
    GENERATED.mkdir(exist_ok=True)
    scenes = {name: START | scene for name, scene in SCENES.items()}
    files = {
        "api.d.ts": declarations(),
        "constants.json": json.dumps(build_constants()),
        "scenes.json": json.dumps(scenes),
    }
    for name, content in files.items():
        (GENERATED / name).write_text(content, encoding="utf-8")
