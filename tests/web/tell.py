"""What the table tells the page, written down for `tsc` and `node --test`, which run no table.

Below `tests/web/told`: the types of the API (`Api.Snapshot`, `Api.Due`), made of its own description; its names and
numbers; and moments of every game, made by the rules. `make page` runs it, in the folder `tests`.
"""

import json
from pathlib import Path
from typing import Any

from browser.scenes import SCENES
from browser.stage import START

from companion.server.openapi import openapi_document
from companion.server.routes.constants import build_constants

TOLD = Path(__file__).parent / "told"
_SIMPLE = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def text(schema: dict[str, Any]) -> str:
    """A schema of the description in TypeScript. Raises for what the description has not used so far."""
    match schema:
        case {"$ref": path}:
            told = path.rsplit("/", 1)[1]
        case {"const": value}:
            told = json.dumps(value)
        case {"enum": values}:
            told = " | ".join(json.dumps(value) for value in values)
        case {"oneOf": kinds}:
            told = " | ".join(text(kind) for kind in kinds)
        case {"type": "array"}:
            told = f"({text(schema['items'])})[]"
        case {"type": "object"}:
            told = members(schema)
        case {"type": str(kind)}:
            told = _SIMPLE[kind]
        case _:
            raise NotImplementedError(f"How is {schema} written in TypeScript?")
    return told


def members(schema: dict[str, Any]) -> str:
    """An object; one that names no properties has any key, with values of one kind or of any."""
    if "properties" not in schema:
        values = schema.get("additionalProperties")
        return f"{{ [key: string]: {text(values) if values else 'unknown'} }}"
    needed = schema.get("required", ())
    told = [
        f"{json.dumps(name)}{'' if name in needed else '?'}: {text(of)}" for name, of in schema["properties"].items()
    ]
    return f"{{ {'; '.join(told)} }}"


def answers() -> dict[str, str]:
    """What each GET answers in JSON, by its path."""
    gets = {
        path: ways["get"]["responses"].get("200", {}) for path, ways in openapi_document()["paths"].items() if "get" in ways
    }
    told = {path: answer.get("content", {}).get("application/json") for path, answer in gets.items()}
    return {path: text(kind["schema"]) for path, kind in told.items() if kind}


def types() -> str:
    """The declarations that the page's modules are checked against."""
    named = [f"  type {name} = {text(schema)};" for name, schema in openapi_document()["components"]["schemas"].items()]
    got = [f"    {json.dumps(path)}: {answer};" for path, answer in answers().items()]
    return "\n".join(["declare namespace Api {", *named, "  type Answers = {", *got, "  };", "}", ""])


if __name__ == "__main__":
    TOLD.mkdir(exist_ok=True)
    moments = {name: START | scene for name, scene in SCENES.items()}
    written = {"api.d.ts": types(), "constants.json": json.dumps(build_constants()), "scenes.json": json.dumps(moments)}
    for name, words in written.items():
        (TOLD / name).write_text(words, encoding="utf-8")
