"""Troubles in players' words: the question to ask, and the advice that lights the way back. Pure.

Every question names its likely answers as moves that one tap makes, and the way back by peg.
"""

from collections.abc import Iterable, Sequence

from companion.board.events import Unclear
from companion.board.race.meanings import IMPOSSIBLE, MOST, Meaning
from companion.board.race.watch import Trouble, Watch
from companion.board.shape.lanes import Lane, holes_of, union
from companion.snapshot import Advice, Choice

NAMES = ("Red", "Blue", "Green", "Yellow", "White")
"""What a seat is called, after the colour of its pegs. A route says whose it is."""


def question(watch: Watch, trouble: Trouble) -> Unclear:
    """What is asked about a trouble."""
    holes = tuple(sorted({*trouble.key.holes, *_gone(watch, trouble)}))
    return Unclear(trouble.key.seat, _why(watch, trouble), holes, tuple(_choices(watch, trouble)))


def advise(watch: Watch, trouble: Trouble) -> Iterable[Advice]:
    """What is advised about a trouble that has been noticed."""
    found, seat = trouble.meaning, trouble.key.seat
    if trouble.key.kind == "set_up":
        yield from _set_up(watch)
    elif trouble.key.kind in ("over", "under") and found is not None and seat is not None:
        due = watch.due(seat)
        assert due is not None
        pegged = due.points + (found.points if trouble.key.kind == "over" else -found.points)
        say = f"{_name(watch, seat)} pegged {pegged}, {_are(due.points)} due."
        ids = _id(watch, found.to), _id(watch, due.place)
        kind = f"{trouble.key.kind}_pegged"
        yield Advice(kind, seat, say, points=due.points, by=found.points, hole=ids[0], lift=ids[0], place=ids[1])
    else:
        yield from _put_back(watch, trouble)


def _put_back(watch: Watch, trouble: Trouble) -> Iterable[Advice]:
    """From each hole that should be empty to one that should not, nearest pairs first."""
    seat, why = trouble.key.seat, _why(watch, trouble)
    empty = list(_gone(watch, trouble))
    extra = list(_extra(watch, trouble))
    kind = _kind(watch, trouble)
    while empty and extra:
        lift, place = min(((e, h) for e in extra for h in empty), key=lambda pair: _distance(watch, *pair))
        extra.remove(lift)
        empty.remove(place)
        yield Advice(kind, seat, why, hole=_id(watch, lift), lift=_id(watch, lift), place=_id(watch, place))
    for place in empty:
        yield Advice("put_back", seat, why, hole=_id(watch, place), place=_id(watch, place))
    for lift in extra:
        yield Advice("take_off", seat, why, hole=_id(watch, lift), lift=_id(watch, lift))


def _kind(watch: Watch, trouble: Trouble) -> str:
    if trouble.key.kind in ("wrong_track", "wrong_peg"):
        return trouble.key.kind
    found, seat = trouble.meaning, trouble.key.seat
    if trouble.key.kind == "early" and found is not None:
        others = [d.seat for d in watch.dues if d.seat != seat and d.points == found.points]
        return "other_pegged" if others else "put_back"
    return "ask" if trouble.key.kind == "whose" else "put_back"


def _gone(watch: Watch, trouble: Trouble) -> tuple[int, ...]:
    """The homes of the seats concerned that are empty; where all go home, the empty start holes."""
    if watch.stands is None or trouble.key.kind == "homewards":
        return holes_of(watch.ground.start & ~watch.taken)
    return tuple(h for s in trouble.seats for h in watch.gone[s] if not watch.taken >> h & 1)


def _extra(watch: Watch, trouble: Trouble) -> tuple[int, ...]:
    """The taken holes that this trouble is about and that should be empty."""
    if trouble.key.kind == "homewards":
        return holes_of(watch.taken & ~watch.ground.start)
    lanes = union(watch.ground.lanes[seat].bits for seat in trouble.seats)
    held = tuple(h for h in trouble.key.holes if not lanes >> h & 1)
    strays = {s.hole for s in watch.reading.strays}
    return held + tuple(h for h in holes_of(watch.taken & ~watch.homes & lanes) if h not in strays)


def _distance(watch: Watch, one: int, other: int) -> float:
    a, b = watch.board.holes[one], watch.board.holes[other]
    return (a.x_mm - b.x_mm) ** 2 + (a.y_mm - b.y_mm) ** 2


def _set_up(watch: Watch) -> Iterable[Advice]:
    for seat, lane in enumerate(watch.ground.lanes):
        for hole in lane.route.start:
            if not watch.taken >> hole & 1:
                say = f"Put both of {_name(watch, seat)}'s pegs in the start holes."
                yield Advice("set_up", seat, say, hole=_id(watch, hole), place=_id(watch, hole))
    for hole in holes_of(watch.taken & ~watch.ground.start):
        say = f"No peg belongs in {_where(watch, hole)} before the game."
        yield Advice("take_off", None, say, hole=_id(watch, hole), lift=_id(watch, hole))


def _why(watch: Watch, trouble: Trouble) -> str:
    """The trouble in one sentence."""
    seat, found = trouble.key.seat, trouble.meaning
    if seat is None:
        return _nobodys(watch, trouble)
    name = _name(watch, seat)
    if found is not None:
        return _seats(watch, seat, found, trouble.key.kind)
    match trouble.key.kind:
        case "both_out":
            return f"Both of {name}'s pegs are out."
        case "out":
            return f"A peg of {name}'s is out: it belongs in {_where(watch, trouble.key.holes[0])}."
        case "wrong_track":
            return f"A peg of {name}'s may be on the wrong track, in {_where(watch, trouble.key.holes[0])}."
        case _:
            return f"Another player's peg may be in {_where(watch, trouble.key.holes[0])}, where {name}'s was due."


def _nobodys(watch: Watch, trouble: Trouble) -> str:
    names = " and ".join(_name(watch, s) for s in trouble.seats)
    if trouble.key.kind == "wrong_track":
        return f"Nobody's peg belongs in {_where(watch, trouble.key.holes[0])}."
    says = {
        "set_up": "The pegs are not all in their start holes.",
        "homewards": "The game is won: for a new one, put two pegs of each player in the start holes.",
        "row": f"Pegs of {names} were gone at one instant: put them back, or a row of sensors has failed.",
        "empty": "All the pegs are out, or the board is not being read.",
        "scattered": "The pegs are not where they were: put them back where the lights show.",
    }
    return says.get(trouble.key.kind) or unsure([_name(watch, s) for s in trouble.seats])


def unsure(names: Sequence[str]) -> str:
    """One seat's or several seats' pegs, and the holes do not tell which is where."""
    if len(names) == 1:
        return f"{names[0]}'s peg may be in one of several holes, and nothing tells in which."
    who = f"{', '.join(names[:-1])} and {names[-1]} {'both' if len(names) == 2 else 'all'} moved"
    return f"{who}, and the holes do not tell whose peg is whose."


def _seats(watch: Watch, seat: int, found: Meaning, kind: str) -> str:
    name, due = _name(watch, seat), watch.due(seat)
    others = [_name(watch, d.seat) for d in watch.dues if d.seat != seat and d.points == found.points]
    but = f"but {others[0]}'s {_are(found.points)} due" if others else "and nothing is due"
    owed = f", and {_are(due.points)} due" if due is not None and due.points > 0 else ""
    never = "the game is won" if watch.won else "no hand scores that"
    says = {
        "early": f"{name} pegged {found.points}, {but}.",
        "back": f"{name}'s pegs are back where they were {_points(found.points)} ago.",
        "impossible": f"{name} pegged {found.points}, and {never}.",
        "home": f"{name}'s pegs are back at the start: put the other pegs back too for a new game.",
        "behind": f"{name}'s peg is behind its front peg, in {_where(watch, found.to)}{owed}.",
    }
    return says.get(kind, f"{name}'s pegs stand where no move puts them{owed}.")


def _choices(watch: Watch, trouble: Trouble) -> Iterable[Choice]:
    """Likely answers, the likeliest first; a move of None is answered by peg alone."""
    seat, found = trouble.key.seat, trouble.meaning
    if found is not None and seat is not None:
        yield from _moves(watch, seat, found, trouble.key.kind)
    if trouble.key.kind == "wrong_track" and seat is not None:
        yield from _same_number(watch, seat, trouble.key.holes[0])
    gone = _gone(watch, trouble)
    if trouble.key.kind in ("set_up", "homewards"):
        yield Choice("Put two pegs of each player in the start holes.", None)
    elif len(gone) == 1:
        yield Choice(f"Put the peg back in {_where(watch, gone[0])}.", None)
    else:
        yield Choice("Put the pegs back where the lights show.", None)


def _moves(watch: Watch, seat: int, found: Meaning, kind: str) -> Iterable[Choice]:
    name, points = _name(watch, seat), found.points
    if kind == "back":
        yield Choice("Undo the last move.", {"type": "undo"})  # which need not have been this seat's
        yield Choice(f"Take {points} from {name}'s score.", {"type": "adjust", "seat": seat, "points": -points})
    elif kind == "early":
        yield Choice(f"Give {name} {points}.", {"type": "adjust", "seat": seat, "points": points})
    elif kind == "impossible":
        yield Choice(f"Give {name} {points} all the same.", {"type": "adjust", "seat": seat, "points": points})
    elif kind == "behind" and watch.due(seat) is None:
        yield Choice(f"Take {points} from {name}'s score.", {"type": "adjust", "seat": seat, "points": -points})


def _same_number(watch: Watch, seat: int, hole: int) -> Iterable[Choice]:
    """A peg on the wrong track was perhaps meant for the same number on its own."""
    assert watch.stands is not None
    lane, front = watch.ground.lanes[seat], watch.stands[seat].front_points
    points = _number(watch, lane, hole) - front
    if watch.claims and 0 < points <= MOST and points not in IMPOSSIBLE:
        move = {"type": "peg", "seat": seat, "points": points}
        yield Choice(f"{_name(watch, seat)} pegs {points}, to {front + points}.", move)


def _number(watch: Watch, lane: Lane, hole: int) -> int:
    number = watch.board.holes[hole].number
    return min(number, lane.target)


def _name(watch: Watch, seat: int) -> str:
    """The colour of a lane's pegs: on a loop that others have left it keeps its own."""
    return NAMES[watch.ground.lanes[seat].route.seat]


def _id(watch: Watch, hole: int) -> str:
    return watch.board.holes[hole].id


def _where(watch: Watch, hole: int) -> str:
    found = watch.board.holes[hole]
    return f"{found.track.capitalize()} {found.number}" if found.number > 0 else start_of(found.track)


def start_of(track: str) -> str:
    """A pair of start holes as players name it: "Red's start", "the start at the upper left corner"."""
    part, _, end = track.rpartition("-")
    if part == "circle":
        return f"the start {end} of the circle"
    if part:
        return f"the start at the {part} {end} corner"
    return "the start at the apex" if track == "apex" else f"{track.capitalize()}'s start"


def _are(points: int) -> str:
    return f"{points} {'is' if points == 1 else 'are'}"


def _points(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"
