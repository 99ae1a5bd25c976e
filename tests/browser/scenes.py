"""Scenes of every game as a table would publish them, made of real moves by the real rules."""

from functools import cache
from typing import Any

from companion.boards import catalog
from companion.boards.board import holes_of
from companion.protocol.json_codec import read_move, to_json_value
from companion.rules import advance, begin_game, complete_options, find_game, narration, seat_names
from companion.rules.cards import parse_card
from companion.rules.engine import NO_TARGET, Game, Setup
from companion.rules.moves import Go
from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import SENSED_COURSES

load_board = cache(catalog.load_board)

BOARDS = {"six-card": "classic", "pegs-only": "classic", "pursuit": "pursuit", "bases": "bases"}


def scene(
    key: str, *moves: Any, seats: int | None = None, dealer: int | None = 0, by: str = "phone", **options: str
) -> dict[str, Any]:
    """Return the changes to the start of six-card cribbage. Moves are JSON, or text: scanned cards and `go`."""
    rules = find_game(key)
    seats = seats or rules.seats[0]
    sides = rules.count_sides(seats)
    names = seat_names(seats, sides)
    past, lying, last, made = begin_game(rules, Setup(seats, dealer, options)), (), None, 0
    for move in (one for each in moves for one in (each.split() if isinstance(each, str) else [each])):
        state = past.state
        if isinstance(move, str) and move != "go":
            found = rules.interpret_scan(state, lying, parse_card(move))
            lying = () if found else (*lying, parse_card(move))
        else:
            found = Go(rules.view(state)["turn"]) if move == "go" else read_move(move, seats)
            lying = ()
        if found:
            before = past
            past, step = advance(rules, before, found)
            told = narration.describe_last_move(before, past, names)
            last = to_json_value({"move": found, "by": by, "awards": step.awards, **step.notes, **told})
            made += 1
    view = to_json_value(rules.view(past.state))
    if view["phase"] in ("cut", "crib", "between"):
        view["turn"] = view.get("dealer")
    elif view["phase"] == "over":
        view["turn"] = None
    if lying:
        view["crib" if view["phase"] == "crib" else "lying"] = to_json_value(lying)
    given = complete_options(rules, options)
    target = None if rules.target == NO_TARGET else int(given.get("target", rules.target))
    told = {"key": key, "title": rules.title, "seats": seats, "sides": sides,
            "target": target, "options": given}  # fmt: skip
    board = BOARDS.get(key, "classic-61")
    marked = {"markers": markers(rules, past.state)} if key == "bases" else {}
    return {
        **marked, "moves": made, "game": told, "board": board, "last": last, "pegs": pegs(board, seats, view),
        "players": [{"seat": s, "side": s % sides, "name": names[s]} for s in range(seats)],
        **dict.fromkeys(FIELDS), "count": 0, "series": [], "gone": [], "played": [[]] * seats, "crib": [], **view,
    }  # fmt: skip


FIELDS = ("dealer", "turn", "starter", "winner")


def pegs(board: str, seats: int, view: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the pegs of a race: the front peg at the score, the back peg at the previous one or at the start."""
    laid = load_board(board)
    alive = view.get("alive", range(len(view["scores"])))
    told = []
    for seat, route in zip(alive, laid.routes.get(len(alive), ()), strict=False):
        score, back = view["scores"][seat], view.get("back", [0] * seats)[seat]
        at = [route.way[(points - 1) % len(route.way)] if points else None for points in (score, back)]
        front, behind = (start if bit is None else bit for bit, start in zip(at, route.start, strict=True))
        told.append({"seat": seat, "front": laid.holes[front].id, "back": laid.holes[behind].id})
    return told


def markers(rules: Game[Any], state: Any) -> list[dict[str, Any]]:
    """Return the pegs of a marker game, all in their places."""
    course = SENSED_COURSES[rules.peg_role](create_plan(rules.key), Settings(), state)
    holes = (load_board(rules.board).holes[bit] for bit in holes_of(course.resting_holes()))
    return [{"hole": hole.id, "seat": hole.seat} for hole in holes]


HIT = "3C 2S TC 8S KC go go 8C 2C 8H 5C JD 7C 4D 2H"
"""A first hand of 'Round the Bases that brings the batter to second base."""
LAID = "5H 5S 6D 7C JD QC KH TS 4C 4D 6H 6S 2C 4S 6C 8C 5D"
"""A layout of cribbage shuffle, row by row, and its starter: 92 points."""
PEGGED = [{"type": "adjust", "seat": seat, "points": points} for seat, points in enumerate((48, 38, 27, 95, 12))]
CHASED = [{"type": "adjust", "seat": seat, "points": points} for seat, points in enumerate((29, 3, 7))]
TAKEN = {"type": "take", "seat": 0, "chips": ["red", "blue"]}
EXCHANGED = {"type": "exchange", "seat": 0, "a": [0, 0], "b": [2, 4]}
MANUAL = {"counting": "manual", "muggins": "on"}
DEAL = "5D TH 5H 6S KC 4C 3D"

SCENES: dict[str, dict[str, Any]] = {
    "six-card, the play": scene("six-card", DEAL),
    "six-card, the end of three": scene("six-card", {"type": "adjust", "seat": 2, "points": 121}, seats=3),
    "six-card of four": scene("six-card", *PEGGED[:2], "5D", "TH", "5H", seats=4),
    "counting, a claim in the play": scene("six-card", DEAL, **MANUAL),
    "counting, a hand": scene("six-card", DEAL, "7S", "JC", **MANUAL),
    "counting, a window": scene("six-card", DEAL, "7S JC", {"type": "claim", "seat": 0, "points": 1}, **MANUAL),
    "counting, a count told": scene(
        "six-card",
        DEAL,
        "7S JC",
        {"type": "claim", "seat": 0, "points": 1},
        {"type": "claim", "seat": 1, "points": 4},
        **MANUAL,
    ),
    "five-card, the play": scene("five-card", "5D", "TH", "5H"),
    "five-card, a hand to show": scene("five-card", "5D TH 5H 6C TD 9S"),
    "pursuit of five": scene("pursuit", *PEGGED, "5D", "TH", "5H", seats=5),
    "pursuit of two": scene("pursuit", *PEGGED[:2], "5D", "TH"),
    "pursuit, a knock-out": scene("pursuit", *CHASED, "4D TH 2S 3S", seats=3),
    "pursuit, the end": scene("pursuit", CHASED[0], "4D TH 5S"),
    "bases, who bats first": scene("bases", dealer=None),
    "bases, a runner who may steal": scene("bases", HIT),
    "bases, dice are due": scene("bases", HIT, "3S 6D JC QD 5H 9C QH 7S 2S QC 4C 5S KC"),
    "bases, dice thrown": scene("bases", HIT, {"type": "steal", "seat": 0, "base": 2})
    | {
        "dice": [2, 5],
        "advice": [
            {
                "kind": "peg_forward",
                "seat": seat,
                "say": f"{who}: put a peg in 2 of the runs.",
                "place": f"{who}-runs-2",
            }
            for seat in (0, 1)
            for who in ("red", "blue", "green")
        ],
    },
    "swap, chips to take": scene("swap"),
    "swap, an exchange": scene("swap", TAKEN),
    "swap, a chip to return": scene("swap", TAKEN, EXCHANGED, seats=4),
    "swap, the end": scene("swap", {"type": "adjust", "seat": 1, "points": 61}),
    "swap, markers to lay": scene("swap", start="random"),
    "shuffle, laying": scene("shuffle", LAID[:17]),
    "shuffle, swapping": scene("shuffle", LAID),
    "shuffle, a square": scene(
        "shuffle", "5H", {"type": "place", "card": "5H", "cell": [0, 1]}, "9C", variant="square"
    ),
    "pegs only": scene("pegs-only", {"type": "peg", "seat": 1, "points": 6}),
}
"""Every game's moments, by what they are."""
