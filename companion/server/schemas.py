"""What is sent and answered, described in JSON Schema: the snapshot with all it holds, moves, and what lies in them.

A move is described by the table that also reads it (`companion.protocol.json_fields`). What the fields mean is told in
`docs/reference/http.md` and on each game's page; a test holds every field of every game against this.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, get_args

from companion.common.snapshot import AdviceKind
from companion.protocol.json_fields import CARD_FIELD, COLOUR_FIELD, MOVE_FIELDS
from companion.rules.engine import PHASE_DESCRIPTIONS
from companion.rules.moves import MOVES, Move
from companion.table.players import PEG_COLOURS

Schema = Mapping[str, Any]

STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
BOOLEAN: Schema = {"type": "boolean"}


def schema_ref(name: str) -> Schema:
    """The shape of this name in `SCHEMAS`."""
    return {"$ref": f"#/components/schemas/{name}"}


def object_schema(**properties: Schema) -> dict[str, Any]:
    """An object that has all of these."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def with_optional(shape: Mapping[str, Any], **properties: Schema) -> dict[str, Any]:
    """That object, which may also have these."""
    return {**shape, "properties": {**shape["properties"], **properties}}


def array_of(items: Schema, size: int | None = None) -> Schema:
    """A list, of so many items where that is fixed."""
    return {"type": "array", "items": items} | ({} if size is None else {"minItems": size, "maxItems": size})


def map_of(values: Schema) -> Schema:
    """An object with keys of any name."""
    return {"type": "object", "additionalProperties": values}


def nullable(shape: Schema) -> Schema:
    """That, or null."""
    return {"oneOf": [shape, {"type": "null"}]}


def move_schema(kind: type[Move]) -> Schema:
    """A move of this kind; fields that have a default may be missing."""
    known = fields(kind)  # type: ignore[arg-type]
    shape = object_schema(
        **{"type": {"const": kind.kind}}, **{field.name: MOVE_FIELDS[field.name].schema for field in known}
    )
    shape["required"] = ["type", *(field.name for field in known if field.default is MISSING)]
    return shape


_SEAT, _SEATS, _HOLE = nullable(INTEGER), array_of(INTEGER), STRING
_CARD, _CARDS = schema_ref("Card"), array_of(schema_ref("Card"))
_CHOICE: Schema = {"oneOf": [_CARD, _CARDS]}
_BY = {"enum": ["phone", "cards", "board", "buttons"]}

_EVERY_GAME = {
    "number": INTEGER, "run": STRING, "moves": INTEGER, "game": schema_ref("Game"), "board": STRING,
    "settings": object_schema(quiet_ms=INTEGER, repeat_ms=INTEGER), "players": array_of(schema_ref("Player")),
    "phase": {"enum": list(PHASE_DESCRIPTIONS)}, "scores": array_of(INTEGER), "winner": _SEAT, "last": nullable(schema_ref("Last")),
    "pegs": array_of(schema_ref("Pegs")), "dues": array_of(schema_ref("Due")), "advice": array_of(schema_ref("Advice")),
    "question": nullable(schema_ref("Question")), "devices": map_of(schema_ref("Device")), "notices": array_of(schema_ref("Notice")),
    "trouble": STRING,
    "remark": STRING,
    "quarantined": array_of(_HOLE),
}  # fmt: skip
"""The fields that the snapshot of every game has."""

_CARD_GAMES = {
    "dealer": _SEAT, "turn": _SEAT, "count": INTEGER, "series": _CARDS, "starter": nullable(_CARD), "gone": _SEATS,
    "played": array_of(_CARDS), "crib": _CARDS, "lying": _CARDS, "hands": array_of(_CARDS),
    "window": _SEAT, "counted": nullable(schema_ref("Counted")),
    "skunk": nullable({"enum": ["skunk", "double skunk"]}), "skunks": array_of(nullable(STRING)), "game_points": INTEGER,
    "back": array_of(INTEGER), "alive": _SEATS, "lap": INTEGER, "knocked_out": _SEATS,
}  # fmt: skip
"""Fields that some of the card games have; `starter`, `turn` and `lying` some others too."""

_BASEBALL = {
    "points": array_of(INTEGER), "inning": INTEGER, "half": {"enum": ["top", "bottom"]}, "batting": _SEAT, "outs": INTEGER,
    "bases": array_of(BOOLEAN, 3),
    "plays": array_of(object_schema(**{"from": INTEGER}, to=INTEGER, result={"enum": ["safe", "out", "run"]})),
    "due": nullable(schema_ref("DiceDue")),
    "rolled": array_of(INTEGER), "steals": array_of(INTEGER), "runners": array_of(INTEGER), "dice": array_of(INTEGER),
    "markers": array_of(object_schema(hole=_HOLE, seat=_SEAT)),
}  # fmt: skip
"""Fields of 'Round the Bases; `dice` wherever the dice button is pressed."""

_CELL = MOVE_FIELDS["cell"].schema
_SWAP_AND_SHUFFLE = {
    "double": BOOLEAN, "display": array_of(array_of(nullable(COLOUR_FIELD.schema))), "bank": array_of(COLOUR_FIELD.schema),
    "held": array_of(array_of(COLOUR_FIELD.schema)), "stones": map_of(map_of(INTEGER)), "legal": array_of(array_of(_CELL, 2)),
    "grid": array_of(array_of(nullable(_CARD))), "rows": array_of(INTEGER), "columns": array_of(INTEGER), "heels": INTEGER, "total": INTEGER,
}  # fmt: skip
"""Fields of Sackson swap and of cribbage shuffle."""

_SOME_GAMES = _CARD_GAMES | _BASEBALL | _SWAP_AND_SHUFFLE


SCHEMAS: Mapping[str, Schema] = {
    "Card": CARD_FIELD.schema,
    "Move": {"oneOf": [move_schema(kind) for kind in MOVES] + [object_schema(type={"const": "card"}, card=_CARD)]},
    "Error": object_schema(error=STRING),
    "Snapshot": with_optional(object_schema(**_EVERY_GAME), **_SOME_GAMES) | {
        "description": "The table at one moment, the same for every reader; a game adds fields of its own."
    },
    "Game": object_schema(
        key=STRING, title=STRING, seats=INTEGER, sides=INTEGER, target=nullable(INTEGER), options=map_of(STRING)
    ),
    "Offered": object_schema(
        key=STRING, title=STRING, say=STRING, seats=array_of(INTEGER), boards=array_of(STRING), playable=BOOLEAN, why=nullable(STRING),
        options=array_of(object_schema(key=STRING, values=array_of(STRING), default=STRING, say=STRING)),
    ),
    "Player": object_schema(seat=INTEGER, side=INTEGER, name=STRING, colour={"enum": PEG_COLOURS}),
    "Award": object_schema(seat=INTEGER, points=INTEGER, reason=STRING, cards=_CARDS),
    "Last": with_optional(
        object_schema(move=schema_ref("Move"), by=_BY, awards=array_of(schema_ref("Award")), said=array_of(STRING), counts=array_of(schema_ref("Count"))),
        undone=schema_ref("Move"), reneges=array_of(object_schema(seat=INTEGER, count=INTEGER, card=_CARD)), knocked_out=_SEATS,
    ),
    "Count": object_schema(seat=INTEGER, points=INTEGER, cards=_CARDS, say=STRING),
    "Constants": object_schema(
        seats=array_of(object_schema(name=STRING, colour=STRING)), ranks=array_of(schema_ref("Letter"), 13), suits=array_of(schema_ref("Letter"), 4),
        count=object_schema(most=INTEGER, any_fits=INTEGER),
        claims=object_schema(most=INTEGER, most_in_play=INTEGER, impossible=array_of(INTEGER)),
        dice=object_schema(pips=map_of(array_of(INTEGER)), tumble_ms=INTEGER),
        chips=object_schema(colours=array_of(COLOUR_FIELD.schema), each=INTEGER), grid=object_schema(size=INTEGER, target=INTEGER),
        lap=INTEGER, leg=INTEGER, three_for_last=INTEGER,
        themes=map_of(STRING), sounds=map_of(map_of(STRING)),
    ),
    "Letter": object_schema(letter=STRING, name=STRING),
    "Counted": object_schema(seat=INTEGER, claimed=INTEGER, awards=array_of(schema_ref("Award")), missed=INTEGER, say=STRING),
    "History": with_optional(object_schema(table=INTEGER, moves=array_of(schema_ref("Made"))), earlier=BOOLEAN),
    "Played": object_schema(
        table=INTEGER, number=INTEGER, game=schema_ref("Game"), names=array_of(STRING), began_ms=INTEGER, ended_ms=nullable(INTEGER),
        moves=INTEGER, scores=array_of(INTEGER), winner=_SEAT, skunk=nullable(STRING), skunks=nullable(array_of(nullable(STRING))),
        game_points=nullable(INTEGER), points=array_of(object_schema(play=INTEGER, hand=INTEGER, crib=INTEGER, other=INTEGER)),
        best=nullable(schema_ref("Best")), cuts=nullable(array_of(object_schema(hands=INTEGER, counted=INTEGER, mean=NUMBER))),
    ),
    "Review": object_schema(
        table=INTEGER, game=INTEGER, over=BOOLEAN, names=array_of(STRING), choices=array_of(schema_ref("Reviewed")), luck=array_of(NUMBER),
        skill=array_of(NUMBER), missed=array_of(INTEGER), unknown=array_of(STRING),
    ),
    "Reviewed": with_optional(object_schema(
        n=INTEGER, hand=INTEGER, seat=INTEGER, kind={"enum": ["discard", "play"]}, made=_CHOICE, best=_CHOICE, points_lost=NUMBER,
        win_lost=NUMBER, say=STRING, asked=schema_ref("Asked"),
    ), ranked=array_of(schema_ref("Ranked"))),
    "Asked": with_optional(
        object_schema(
            ask={"enum": ["discard", "play"]}, game=STRING, hand=_CARDS, dealer=BOOLEAN, scores=array_of(INTEGER), target=INTEGER
        ),
        kept=_CARDS, discarded=nullable(_CARDS), starter=_CARD, series=_CARDS, count=INTEGER, played=array_of(_CARDS),
        gone=array_of(BOOLEAN),
    ),
    "Ranked": with_optional(
        object_schema(points=NUMBER, win=NUMBER), discard=_CARDS, hand=NUMBER, crib=NUMBER, pegging=NUMBER, play=nullable(_CARD)
    ),
    "Best": object_schema(seat=INTEGER, points=INTEGER, part={"enum": ["hand", "crib"]}, cards=_CARDS, ms=INTEGER),
    "Series": object_schema(game=STRING, names=array_of(STRING), won=array_of(INTEGER), points=array_of(INTEGER)),
    "Record": object_schema(name=STRING, games=INTEGER, won=INTEGER, skunks=INTEGER, points=INTEGER, best=nullable(schema_ref("Best"))),
    "Workshop": object_schema(
        version=STRING, seen=array_of(map_of({})), log=array_of(object_schema(ms=INTEGER, level=STRING, say=STRING)),
        deck=object_schema(asked=nullable(_CARD), missing=INTEGER, left=array_of(_CARD), said=STRING),
        settings=array_of(object_schema(key=STRING, value=INTEGER, default=INTEGER, least=INTEGER, most=INTEGER, say=STRING)),
    ),
    "Table": object_schema(
        id=INTEGER, game=schema_ref("Game"), names=array_of(STRING), colours=array_of(STRING), began=STRING, ended=nullable(STRING),
        scores=array_of(INTEGER), winner=_SEAT, moves=INTEGER,
    ),
    "Made": object_schema(
        n=INTEGER, ms=INTEGER, by=_BY, move=schema_ref("Move"), awards=array_of(schema_ref("Award")), scores=array_of(INTEGER), say=array_of(STRING)
    ),
    "Phones": object_schema(phones=array_of(object_schema(id=INTEGER, name=STRING, joined=STRING, seen=STRING, you=BOOLEAN))),
    "Pegs": object_schema(seat=INTEGER, front=_HOLE, back=_HOLE),
    "Due": object_schema(seat=INTEGER, points=INTEGER, lift=_HOLE, place=_HOLE),
    "DiceDue": with_optional(
        object_schema(dice=INTEGER),
        **{"for": {"enum": ["bat", "must", "pickle", "steal"]}, "from": nullable(INTEGER)}, number=nullable(INTEGER),
    ),
    "Advice": with_optional(
        object_schema(kind={"enum": list(get_args(AdviceKind))}, seat=_SEAT, say=STRING),
        points=INTEGER, by=INTEGER, hole=_HOLE, lift=_HOLE, place=_HOLE
    ),
    "Question": object_schema(why=STRING, seat=_SEAT, holes=array_of(_HOLE), choices=array_of(schema_ref("Choice"))),
    "Choice": object_schema(say=STRING, move=nullable(schema_ref("Move"))),
    "Device": object_schema(url=STRING, ok=BOOLEAN, say=STRING),
    "Notice": object_schema(**{"from": STRING}, id=INTEGER, kind=STRING, say=STRING),
    "Board": with_optional(
        object_schema(name=STRING, holes=array_of(schema_ref("Hole")), routes=map_of(array_of(schema_ref("Route")))),
        dice=array_of(array_of(schema_ref("Pip"), 7)), display=array_of(schema_ref("Pip")),
    ),
    "Hole": object_schema(bit=INTEGER, pixel=INTEGER, id=_HOLE, track=STRING, seat=_SEAT, number=INTEGER, x_mm=NUMBER, y_mm=NUMBER),
    "Route": object_schema(seat=INTEGER, start=array_of(INTEGER, 2), way=array_of(INTEGER)),
    "Pip": object_schema(pixel=INTEGER, x_mm=NUMBER, y_mm=NUMBER),
}  # fmt: skip
"""Every named shape, for `components.schemas`."""
