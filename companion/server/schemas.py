"""JSON Schemas of responses: the snapshot and its parts, moves, history, reviews.

Moves are described by the table that also validates them (`companion.protocol.json_fields`). The meaning of the fields
is in `docs/reference/http.md` and on each game's page; a test compares every field of every game with this.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import get_args

from companion.common.constants import SKILL_LEVELS
from companion.common.snapshot import AdviceKind
from companion.http.json_schema import (
    BOOLEAN,
    INTEGER,
    NUMBER,
    STRING,
    array_of,
    map_of,
    nullable,
    object_of,
    ref,
    with_optional,
)
from companion.protocol.json_fields import CARD_FIELD, COLOUR_FIELD, MOVE_FIELDS, JsonSchema
from companion.rules.engine import PHASE_DESCRIPTIONS
from companion.rules.moves import MOVES, Move
from companion.table.players import PEG_COLOURS
from companion.table.setup import PLAIN_PEGS, READ_PEGS


def move_schema(kind: type[Move]) -> JsonSchema:
    """Return the schema of a move. Fields with a default may be missing."""
    known = fields(kind)  # type: ignore[arg-type]
    schema = object_of(
        **{"type": {"const": kind.kind}}, **{field.name: MOVE_FIELDS[field.name].schema for field in known}
    )
    schema["required"] = ["type", *(field.name for field in known if field.default is MISSING)]
    return schema


_SEAT, _SEATS, _HOLE = nullable(INTEGER), array_of(INTEGER), STRING
_CARD, _CARDS = ref("Card"), array_of(ref("Card"))
_CHOICE: JsonSchema = {"oneOf": [_CARD, _CARDS]}
_BY = {"enum": ["phone", "cards", "board", "buttons"]}

_EVERY_GAME = {
    "number": INTEGER,
    "run": STRING,
    "moves": INTEGER,
    "game": ref("Game"),
    "board": STRING,
    "settings": object_of(quiet_ms=INTEGER, repeat_ms=INTEGER),
    "players": array_of(ref("Player")),
    "phase": {"enum": list(PHASE_DESCRIPTIONS)},
    "scores": array_of(INTEGER),
    "winner": _SEAT,
    "last": nullable(ref("Last")),
    "pegs": array_of(ref("Pegs")),
    "dues": array_of(ref("Due")),
    "advice": array_of(ref("Advice")),
    "question": nullable(ref("Question")),
    "ruling": nullable(ref("Ruling")),
    "devices": map_of(ref("Device")),
    "notices": array_of(ref("Notice")),
    "trouble": STRING,
    "remark": STRING,
    "quarantined": array_of(_HOLE),
}
"""Fields in the snapshot of every game."""

_CARD_GAMES = {
    "dealer": _SEAT,
    "turn": _SEAT,
    "count": INTEGER,
    "series": _CARDS,
    "starter": nullable(_CARD),
    "gone": _SEATS,
    "played": array_of(_CARDS),
    "crib": _CARDS,
    "lying": _CARDS,
    "hands": array_of(_CARDS),
    "window": _SEAT,
    "counted": nullable(ref("Counted")),
    "skunk": nullable({"enum": ["skunk", "double skunk"]}),
    "skunks": array_of(nullable(STRING)),
    "game_points": INTEGER,
    "back": array_of(INTEGER),
    "alive": _SEATS,
    "lap": INTEGER,
    "knocked_out": _SEATS,
}
"""Fields of card games; not every game has all of them. `starter`, `turn` and `lying` occur in other games too."""

_BASEBALL = {
    "points": array_of(INTEGER),
    "inning": INTEGER,
    "half": {"enum": ["top", "bottom"]},
    "batting": _SEAT,
    "outs": INTEGER,
    "bases": array_of(BOOLEAN, 3),
    "plays": array_of(object_of(**{"from": INTEGER}, to=INTEGER, result={"enum": ["safe", "out", "run"]})),
    "due": nullable(ref("DiceDue")),
    "rolled": array_of(INTEGER),
    "steals": array_of(INTEGER),
    "runners": array_of(INTEGER),
    "dice": array_of(INTEGER),
    "markers": array_of(object_of(hole=_HOLE, seat=_SEAT)),
}
"""Fields of 'Round the Bases. `dice` also occurs in other games when the dice button is pressed."""

_CELL = MOVE_FIELDS["cell"].schema
_SWAP_AND_SHUFFLE = {
    "double": BOOLEAN,
    "display": array_of(array_of(nullable(COLOUR_FIELD.schema))),
    "bank": array_of(COLOUR_FIELD.schema),
    "held": array_of(array_of(COLOUR_FIELD.schema)),
    "stones": map_of(map_of(INTEGER)),
    "legal": array_of(array_of(_CELL, 2)),
    "grid": array_of(array_of(nullable(_CARD))),
    "rows": array_of(INTEGER),
    "columns": array_of(INTEGER),
    "heels": INTEGER,
    "total": INTEGER,
}
"""Fields of Sackson swap and of cribbage shuffle."""

_SOME_GAMES = _CARD_GAMES | _BASEBALL | _SWAP_AND_SHUFFLE


SCHEMAS: Mapping[str, JsonSchema] = {
    "Card": CARD_FIELD.schema,
    "Move": {"oneOf": [move_schema(kind) for kind in MOVES] + [object_of(type={"const": "card"}, card=_CARD)]},
    "Error": object_of(error=STRING),
    "Snapshot": with_optional(object_of(**_EVERY_GAME), **_SOME_GAMES)
    | {"description": "The table at one moment, the same for every reader; a game adds fields of its own."},
    "Game": with_optional(
        object_of(
            key=STRING, title=STRING, seats=INTEGER, sides=INTEGER, target=nullable(INTEGER), options=map_of(STRING)
        ),
        pegs={"enum": [READ_PEGS, PLAIN_PEGS]},
        against=nullable(object_of(seat=INTEGER, level={"enum": list(SKILL_LEVELS)})),
    ),
    "Offered": object_of(
        key=STRING,
        title=STRING,
        say=STRING,
        seats=array_of(INTEGER),
        boards=array_of(STRING),
        playable=BOOLEAN,
        why=nullable(STRING),
        options=array_of(object_of(key=STRING, values=array_of(STRING), default=STRING, say=STRING)),
    ),
    "Player": object_of(seat=INTEGER, side=INTEGER, name=STRING, colour={"enum": PEG_COLOURS}),
    "Award": object_of(seat=INTEGER, points=INTEGER, reason=STRING, cards=_CARDS),
    "Last": with_optional(
        object_of(
            move=ref("Move"),
            by=_BY,
            awards=array_of(ref("Award")),
            said=array_of(STRING),
            counts=array_of(ref("Count")),
        ),
        undone=ref("Move"),
        reneges=array_of(object_of(seat=INTEGER, count=INTEGER, card=_CARD)),
        knocked_out=_SEATS,
    ),
    "Count": object_of(seat=INTEGER, points=INTEGER, cards=_CARDS, say=STRING),
    "Constants": object_of(
        seats=array_of(object_of(name=STRING, colour=STRING)),
        ranks=array_of(ref("Letter"), 13),
        suits=array_of(ref("Letter"), 4),
        count=object_of(most=INTEGER, any_fits=INTEGER),
        claims=object_of(most=INTEGER, most_in_play=INTEGER, impossible=array_of(INTEGER)),
        dice=object_of(pips=map_of(array_of(INTEGER)), tumble_ms=INTEGER),
        chips=object_of(colours=array_of(COLOUR_FIELD.schema), each=INTEGER),
        grid=object_of(size=INTEGER, target=INTEGER),
        lap=INTEGER,
        leg=INTEGER,
        options=map_of(object_of(name=STRING, default=STRING, values=map_of(STRING))),
        three_for_last=INTEGER,
        reads_photos=BOOLEAN,
        themes=map_of(STRING),
        sounds=map_of(map_of(STRING)),
    ),
    "Letter": object_of(letter=STRING, name=STRING),
    "Counted": object_of(seat=INTEGER, claimed=INTEGER, awards=array_of(ref("Award")), missed=INTEGER, say=STRING),
    "History": with_optional(object_of(table=INTEGER, moves=array_of(ref("Made"))), earlier=BOOLEAN),
    "Played": object_of(
        table=INTEGER,
        number=INTEGER,
        game=ref("Game"),
        names=array_of(STRING),
        began_ms=INTEGER,
        ended_ms=nullable(INTEGER),
        moves=INTEGER,
        scores=array_of(INTEGER),
        winner=_SEAT,
        skunk=nullable(STRING),
        skunks=nullable(array_of(nullable(STRING))),
        game_points=nullable(INTEGER),
        points=array_of(object_of(play=INTEGER, hand=INTEGER, crib=INTEGER, other=INTEGER)),
        best=nullable(ref("Best")),
        cuts=nullable(array_of(object_of(hands=INTEGER, counted=INTEGER, mean=NUMBER))),
    ),
    "Lesson": object_of(
        done=array_of(STRING),
        refused=STRING,
        kind={"enum": ["next", "discard", "play", "count", "peg", "meaning", "end"]},
        deal=INTEGER,
        dealer=INTEGER,
        titles=array_of(STRING),
        events=array_of(STRING),
        text=array_of(STRING),
        choices=array_of(STRING),
        answers=array_of(STRING),
        hand=_CARDS,
        starter=nullable(_CARD),
        series=_CARDS,
        count=INTEGER,
        is_play=BOOLEAN,
        cards=_CARDS,
        items=array_of(object_of(say=STRING, cards=_CARDS)),
        pegs=array_of(array_of(INTEGER, 2)),
        words=array_of(object_of(word=STRING, say=STRING)),
    ),
    "Review": object_of(
        table=INTEGER,
        game=INTEGER,
        over=BOOLEAN,
        names=array_of(STRING),
        choices=array_of(ref("Reviewed")),
        luck=array_of(NUMBER),
        skill=array_of(NUMBER),
        missed=array_of(INTEGER),
        unknown=array_of(STRING),
    ),
    "Reviewed": with_optional(
        object_of(
            n=INTEGER,
            hand=INTEGER,
            seat=INTEGER,
            kind={"enum": ["discard", "play"]},
            made=_CHOICE,
            best=_CHOICE,
            points_lost=NUMBER,
            win_lost=NUMBER,
            say=STRING,
            asked=ref("Asked"),
        ),
        ranked=array_of(ref("Ranked")),
    ),
    "Asked": with_optional(
        object_of(
            ask={"enum": ["discard", "play"]},
            game=STRING,
            hand=_CARDS,
            dealer=BOOLEAN,
            scores=array_of(INTEGER),
            target=INTEGER,
        ),
        kept=_CARDS,
        discarded=nullable(_CARDS),
        starter=_CARD,
        series=_CARDS,
        count=INTEGER,
        played=array_of(_CARDS),
        gone=array_of(BOOLEAN),
    ),
    "Ranked": with_optional(
        object_of(points=NUMBER, win=NUMBER),
        discard=_CARDS,
        hand=NUMBER,
        crib=NUMBER,
        pegging=NUMBER,
        play=nullable(_CARD),
    ),
    "DailyChoice": object_of(
        points=NUMBER,
        win=NUMBER,
        discard=_CARDS,
        hand=NUMBER,
        crib=NUMBER,
        pegging=NUMBER,
        count=object_of(points=INTEGER, say=STRING),
    ),
    "Best": object_of(seat=INTEGER, points=INTEGER, part={"enum": ["hand", "crib"]}, cards=_CARDS, ms=INTEGER),
    "Series": object_of(game=STRING, names=array_of(STRING), won=array_of(INTEGER), points=array_of(INTEGER)),
    "Record": object_of(
        name=STRING, games=INTEGER, won=INTEGER, skunks=INTEGER, points=INTEGER, best=nullable(ref("Best"))
    ),
    "Evening": object_of(
        began_ms=INTEGER,
        games=INTEGER,
        names=array_of(STRING),
        won=array_of(INTEGER),
        best=nullable(object_of(name=STRING, points=INTEGER)),
    ),
    "Workshop": object_of(
        version=STRING,
        seen=array_of(map_of({})),
        cameras=INTEGER,
        log=array_of(object_of(ms=INTEGER, level=STRING, say=STRING)),
        deck=object_of(asked=nullable(_CARD), missing=INTEGER, left=array_of(_CARD), said=STRING),
        settings=array_of(
            object_of(key=STRING, value=INTEGER, default=INTEGER, least=INTEGER, most=INTEGER, say=STRING)
        ),
    ),
    "Table": object_of(
        id=INTEGER,
        game=ref("Game"),
        names=array_of(STRING),
        colours=array_of(STRING),
        began=STRING,
        ended=nullable(STRING),
        scores=array_of(INTEGER),
        winner=_SEAT,
        moves=INTEGER,
    ),
    "Made": object_of(
        n=INTEGER,
        ms=INTEGER,
        by=_BY,
        move=ref("Move"),
        awards=array_of(ref("Award")),
        scores=array_of(INTEGER),
        say=array_of(STRING),
    ),
    "Phones": object_of(phones=array_of(object_of(id=INTEGER, name=STRING, joined=STRING, seen=STRING, you=BOOLEAN))),
    "Pegs": object_of(seat=INTEGER, front=_HOLE, back=_HOLE),
    "Due": object_of(seat=INTEGER, points=INTEGER, lift=_HOLE, place=_HOLE),
    "DiceDue": with_optional(
        object_of(dice=INTEGER),
        **{"for": {"enum": ["bat", "must", "pickle", "steal"]}, "from": nullable(INTEGER)},
        number=nullable(INTEGER),
    ),
    "Advice": with_optional(
        object_of(kind={"enum": list(get_args(AdviceKind))}, seat=_SEAT, say=STRING),
        points=INTEGER,
        by=INTEGER,
        hole=_HOLE,
        lift=_HOLE,
        place=_HOLE,
    ),
    "Question": object_of(why=STRING, seat=_SEAT, holes=array_of(_HOLE), choices=array_of(ref("Choice"))),
    "Ruling": object_of(rule=STRING, side=INTEGER, say=STRING, moves=array_of(ref("Move"))),
    "Choice": object_of(say=STRING, move=nullable(ref("Move"))),
    "Device": object_of(url=STRING, ok=BOOLEAN, say=STRING),
    "Notice": object_of(**{"from": STRING}, id=INTEGER, kind=STRING, say=STRING),
    "Board": with_optional(
        object_of(name=STRING, holes=array_of(ref("Hole")), routes=map_of(array_of(ref("Route")))),
        dice=array_of(array_of(ref("Pip"), 7)),
        display=array_of(ref("Pip")),
    ),
    "Hole": object_of(
        bit=INTEGER, pixel=INTEGER, id=_HOLE, track=STRING, seat=_SEAT, number=INTEGER, x_mm=NUMBER, y_mm=NUMBER
    ),
    "Route": object_of(seat=INTEGER, start=array_of(INTEGER, 2), way=array_of(INTEGER)),
    "Pip": object_of(pixel=INTEGER, x_mm=NUMBER, y_mm=NUMBER),
}
"""All named schemas, for `components.schemas`."""
