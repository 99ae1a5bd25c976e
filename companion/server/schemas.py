"""What is sent and answered, described in JSON Schema: the snapshot with all it holds, moves, and what lies in them.

A move is described by the table that also reads it (`companion.protocol.json_fields`). What the fields mean is told in
`docs/reference/http.md` and on each game's page; a test holds every field of every game against this.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, get_args

from companion.common.snapshot import AdviceKind
from companion.protocol.json_fields import CARD, COLOUR, FIELDS
from companion.rules.engine import PHASES
from companion.rules.moves import MOVES, Move
from companion.table.players import COLOURS

Shape = Mapping[str, Any]

TEXT: Shape = {"type": "string"}
WHOLE: Shape = {"type": "integer"}
REAL: Shape = {"type": "number"}
TRUTH: Shape = {"type": "boolean"}


def ref(name: str) -> Shape:
    """The shape of this name in `SCHEMAS`."""
    return {"$ref": f"#/components/schemas/{name}"}


def thing(**properties: Shape) -> dict[str, Any]:
    """An object that has all of these."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def some(shape: Mapping[str, Any], **properties: Shape) -> dict[str, Any]:
    """That object, which may also have these."""
    return {**shape, "properties": {**shape["properties"], **properties}}


def many(items: Shape, size: int | None = None) -> Shape:
    """A list, of so many items where that is fixed."""
    return {"type": "array", "items": items} | ({} if size is None else {"minItems": size, "maxItems": size})


def mapping(values: Shape) -> Shape:
    """An object with keys of any name."""
    return {"type": "object", "additionalProperties": values}


def maybe(shape: Shape) -> Shape:
    """That, or null."""
    return {"oneOf": [shape, {"type": "null"}]}


def move(kind: type[Move]) -> Shape:
    """A move of this kind; fields that have a default may be missing."""
    known = fields(kind)  # type: ignore[arg-type]
    shape = thing(**{"type": {"const": kind.kind}}, **{field.name: FIELDS[field.name].schema for field in known})
    shape["required"] = ["type", *(field.name for field in known if field.default is MISSING)]
    return shape


_SEAT, _SEATS, _HOLE = maybe(WHOLE), many(WHOLE), TEXT
_CARD, _CARDS = ref("Card"), many(ref("Card"))
_DONE: Shape = {"oneOf": [_CARD, _CARDS]}
_BY = {"enum": ["phone", "cards", "board", "buttons"]}

_EVERY_GAME = {
    "number": WHOLE, "run": TEXT, "moves": WHOLE, "game": ref("Game"), "board": TEXT,
    "settings": thing(quiet_ms=WHOLE, repeat_ms=WHOLE), "players": many(ref("Player")),
    "phase": {"enum": list(PHASES)}, "scores": many(WHOLE), "winner": _SEAT, "last": maybe(ref("Last")),
    "pegs": many(ref("Pegs")), "dues": many(ref("Due")), "advice": many(ref("Advice")),
    "question": maybe(ref("Question")), "devices": mapping(ref("Device")), "notices": many(ref("Notice")),
    "trouble": TEXT,
    "remark": TEXT,
    "quarantined": many(_HOLE),
}  # fmt: skip
"""The fields that the snapshot of every game has."""

_CARD_GAMES = {
    "dealer": _SEAT, "turn": _SEAT, "count": WHOLE, "series": _CARDS, "starter": maybe(_CARD), "gone": _SEATS,
    "played": many(_CARDS), "crib": _CARDS, "lying": _CARDS, "hands": many(_CARDS),
    "window": _SEAT, "counted": maybe(ref("Counted")),
    "skunk": maybe({"enum": ["skunk", "double skunk"]}), "skunks": many(maybe(TEXT)), "game_points": WHOLE,
    "back": many(WHOLE), "alive": _SEATS, "lap": WHOLE, "knocked_out": _SEATS,
}  # fmt: skip
"""Fields that some of the card games have; `starter`, `turn` and `lying` some others too."""

_BASES = {
    "points": many(WHOLE), "inning": WHOLE, "half": {"enum": ["top", "bottom"]}, "batting": _SEAT, "outs": WHOLE,
    "bases": many(TRUTH, 3),
    "plays": many(thing(**{"from": WHOLE}, to=WHOLE, result={"enum": ["safe", "out", "run"]})),
    "due": maybe(ref("DiceDue")),
    "rolled": many(WHOLE), "steals": many(WHOLE), "runners": many(WHOLE), "dice": many(WHOLE),
    "markers": many(thing(hole=_HOLE, seat=_SEAT)),
}  # fmt: skip
"""Fields of 'Round the Bases; `dice` wherever the dice button is pressed."""

_CELL = FIELDS["cell"].schema
_SWAP_AND_SHUFFLE = {
    "double": TRUTH, "display": many(many(maybe(COLOUR.schema))), "bank": many(COLOUR.schema),
    "held": many(many(COLOUR.schema)), "stones": mapping(mapping(WHOLE)), "legal": many(many(_CELL, 2)),
    "grid": many(many(maybe(_CARD))), "rows": many(WHOLE), "columns": many(WHOLE), "heels": WHOLE, "total": WHOLE,
}  # fmt: skip
"""Fields of Sackson swap and of cribbage shuffle."""

_SOME_GAMES = _CARD_GAMES | _BASES | _SWAP_AND_SHUFFLE


SCHEMAS: Mapping[str, Shape] = {
    "Card": CARD.schema,
    "Move": {"oneOf": [move(kind) for kind in MOVES] + [thing(type={"const": "card"}, card=_CARD)]},
    "Error": thing(error=TEXT),
    "Snapshot": some(thing(**_EVERY_GAME), **_SOME_GAMES) | {
        "description": "The table at one moment, the same for every reader; a game adds fields of its own."
    },
    "Game": thing(
        key=TEXT, title=TEXT, seats=WHOLE, sides=WHOLE, target=maybe(WHOLE), options=mapping(TEXT)
    ),
    "Offered": thing(
        key=TEXT, title=TEXT, say=TEXT, seats=many(WHOLE), boards=many(TEXT), playable=TRUTH, why=maybe(TEXT),
        options=many(thing(key=TEXT, values=many(TEXT), default=TEXT, say=TEXT)),
    ),
    "Player": thing(seat=WHOLE, side=WHOLE, name=TEXT, colour={"enum": COLOURS}),
    "Award": thing(seat=WHOLE, points=WHOLE, reason=TEXT, cards=_CARDS),
    "Last": some(
        thing(move=ref("Move"), by=_BY, awards=many(ref("Award")), said=many(TEXT), counts=many(ref("Count"))),
        undone=ref("Move"), reneges=many(thing(seat=WHOLE, count=WHOLE, card=_CARD)), knocked_out=_SEATS,
    ),
    "Count": thing(seat=WHOLE, points=WHOLE, cards=_CARDS, say=TEXT),
    "Constants": thing(
        seats=many(thing(name=TEXT, colour=TEXT)), ranks=many(ref("Letter"), 13), suits=many(ref("Letter"), 4),
        count=thing(most=WHOLE, any_fits=WHOLE),
        claims=thing(most=WHOLE, most_in_play=WHOLE, impossible=many(WHOLE)),
        dice=thing(pips=mapping(many(WHOLE)), tumble_ms=WHOLE),
        chips=thing(colours=many(COLOUR.schema), each=WHOLE), grid=thing(size=WHOLE, target=WHOLE),
        lap=WHOLE, leg=WHOLE, three_for_last=WHOLE,
        themes=mapping(TEXT), sounds=mapping(mapping(TEXT)),
    ),
    "Letter": thing(letter=TEXT, name=TEXT),
    "Counted": thing(seat=WHOLE, claimed=WHOLE, awards=many(ref("Award")), missed=WHOLE, say=TEXT),
    "History": some(thing(table=WHOLE, moves=many(ref("Made"))), earlier=TRUTH),
    "Played": thing(
        table=WHOLE, number=WHOLE, game=ref("Game"), names=many(TEXT), began_ms=WHOLE, ended_ms=maybe(WHOLE),
        moves=WHOLE, scores=many(WHOLE), winner=_SEAT, skunk=maybe(TEXT), skunks=maybe(many(maybe(TEXT))),
        game_points=maybe(WHOLE), points=many(thing(play=WHOLE, hand=WHOLE, crib=WHOLE, other=WHOLE)),
        best=maybe(ref("Best")), cuts=maybe(many(thing(hands=WHOLE, counted=WHOLE, mean=REAL))),
    ),
    "Review": thing(
        table=WHOLE, game=WHOLE, over=TRUTH, names=many(TEXT), choices=many(ref("Reviewed")), luck=many(REAL),
        skill=many(REAL), missed=many(WHOLE), unknown=many(TEXT),
    ),
    "Reviewed": some(thing(
        n=WHOLE, hand=WHOLE, seat=WHOLE, kind={"enum": ["discard", "play"]}, made=_DONE, best=_DONE, points_lost=REAL,
        win_lost=REAL, say=TEXT, asked=ref("Asked"),
    ), ranked=many(ref("Ranked"))),
    "Asked": some(
        thing(
            ask={"enum": ["discard", "play"]}, game=TEXT, hand=_CARDS, dealer=TRUTH, scores=many(WHOLE), target=WHOLE
        ),
        kept=_CARDS, discarded=maybe(_CARDS), starter=_CARD, series=_CARDS, count=WHOLE, played=many(_CARDS),
        gone=many(TRUTH),
    ),
    "Ranked": some(
        thing(points=REAL, win=REAL), discard=_CARDS, hand=REAL, crib=REAL, pegging=REAL, play=maybe(_CARD)
    ),
    "Best": thing(seat=WHOLE, points=WHOLE, part={"enum": ["hand", "crib"]}, cards=_CARDS, ms=WHOLE),
    "Series": thing(game=TEXT, names=many(TEXT), won=many(WHOLE), points=many(WHOLE)),
    "Record": thing(name=TEXT, games=WHOLE, won=WHOLE, skunks=WHOLE, points=WHOLE, best=maybe(ref("Best"))),
    "Workshop": thing(
        version=TEXT, seen=many(mapping({})), log=many(thing(ms=WHOLE, level=TEXT, say=TEXT)),
        deck=thing(asked=maybe(_CARD), missing=WHOLE, left=many(_CARD), said=TEXT),
        settings=many(thing(key=TEXT, value=WHOLE, default=WHOLE, least=WHOLE, most=WHOLE, say=TEXT)),
    ),
    "Table": thing(
        id=WHOLE, game=ref("Game"), names=many(TEXT), colours=many(TEXT), began=TEXT, ended=maybe(TEXT),
        scores=many(WHOLE), winner=_SEAT, moves=WHOLE,
    ),
    "Made": thing(
        n=WHOLE, ms=WHOLE, by=_BY, move=ref("Move"), awards=many(ref("Award")), scores=many(WHOLE), say=many(TEXT)
    ),
    "Phones": thing(phones=many(thing(id=WHOLE, name=TEXT, joined=TEXT, seen=TEXT, you=TRUTH))),
    "Pegs": thing(seat=WHOLE, front=_HOLE, back=_HOLE),
    "Due": thing(seat=WHOLE, points=WHOLE, lift=_HOLE, place=_HOLE),
    "DiceDue": some(
        thing(dice=WHOLE),
        **{"for": {"enum": ["bat", "must", "pickle", "steal"]}, "from": maybe(WHOLE)}, number=maybe(WHOLE),
    ),
    "Advice": some(
        thing(kind={"enum": list(get_args(AdviceKind))}, seat=_SEAT, say=TEXT),
        points=WHOLE, by=WHOLE, hole=_HOLE, lift=_HOLE, place=_HOLE
    ),
    "Question": thing(why=TEXT, seat=_SEAT, holes=many(_HOLE), choices=many(ref("Choice"))),
    "Choice": thing(say=TEXT, move=maybe(ref("Move"))),
    "Device": thing(url=TEXT, ok=TRUTH, say=TEXT),
    "Notice": thing(**{"from": TEXT}, id=WHOLE, kind=TEXT, say=TEXT),
    "Board": some(
        thing(name=TEXT, holes=many(ref("Hole")), routes=mapping(many(ref("Route")))),
        dice=many(many(ref("Pip"), 7)), display=many(ref("Pip")),
    ),
    "Hole": thing(bit=WHOLE, pixel=WHOLE, id=_HOLE, track=TEXT, seat=_SEAT, number=WHOLE, x_mm=REAL, y_mm=REAL),
    "Route": thing(seat=WHOLE, start=many(WHOLE, 2), way=many(WHOLE)),
    "Pip": thing(pixel=WHOLE, x_mm=REAL, y_mm=REAL),
}  # fmt: skip
"""Every named shape, for `components.schemas`."""
