"""What is said of a trouble: the question to ask, and the advice that lights the way back. Pure.

A question offers its likely answers as moves that one tap makes; then the way back by peg; and last of all, where all
pegs rest, to take the board as it stands.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from companion.boards.board import holes_of, union
from companion.common.snapshot import Advice, Choice
from companion.i18n import say
from companion.pegs.events import Unclear
from companion.pegs.placement import as_they_stand
from companion.pegs.problems import ANOMALIES, Case, Trouble, name, sentence, where
from companion.pegs.sensor_trust import Believed


def question(believed: Believed, trouble: Trouble) -> Unclear:
    """What is asked about a trouble."""
    case, row = Case(believed, trouble), ANOMALIES[trouble.key.kind]
    gone = case.gone
    choices = list(row.choices(case))
    if trouble.key.kind in ("set_up", "homewards"):
        choices.append(Choice(say("Put two pegs of each player in the start holes."), None))
    elif len(gone) == 1:
        choices.append(Choice(say("Put the peg back in {hole}.", hole=where(believed, gone[0])), None))
    else:
        choices.append(Choice(say("Put the pegs back where the lights show."), None))
    if row.rests:
        choices.append(Choice(say("Take the board as it stands."), _taken(believed, trouble)))
    return Unclear(trouble.key.seat, sentence(case), tuple(sorted({*trouble.key.holes, *gone})), tuple(choices))


def _taken(believed: Believed, trouble: Trouble) -> Mapping[str, Any]:
    """The move that takes the board as it stands: where the players count, it sets the scores to what the pegs say."""
    facts = believed.facts
    stands = as_they_stand(believed, trouble)
    if not facts.counted:
        return {"type": "take_board"}
    adjusts = []
    for seat, stand in enumerate(stands):
        due = facts.due(seat)
        score = (facts.stands[seat].front_points if facts.stands else 0) + (due.points if due else 0)
        if stand.front_points != score:
            adjusts.append({"seat": seat, "points": stand.front_points - score})
    if not adjusts:
        return {"type": "take_board"}
    first, *others = adjusts
    return {"type": "adjust", **first, **({"also": others} if others else {})}


def advise(believed: Believed, trouble: Trouble, strays: Iterable[int], reasons: Mapping[int, str]) -> Iterable[Advice]:
    """What is advised about a trouble that has been noticed. `reasons`: by seat, why so much is due."""
    case, seat, kind = Case(believed, trouble), trouble.key.seat, trouble.key.kind
    if kind == "set_up":
        yield from _set_up(believed)
        return
    said, advice = sentence(case), ANOMALIES[kind].advice
    if kind == "early" and case.other:
        advice = "other_pegged"
    if kind in ("over", "under") and case.due is not None and trouble.meaning is not None and seat is not None:
        here, there = _id(believed, trouble.meaning.to), _id(believed, case.due.place)
        said = say("{said}{why}.", said=said, why=reasons.get(seat, ""))
        yield Advice(advice, seat, said, points=case.due.points, by=case.points, hole=here, lift=here, place=there)
        return
    empty, extra = list(case.gone), list(_extra(believed, trouble, strays))
    while empty and extra:  # from a hole that should be empty to one that should hold a peg, the nearest pairs first
        lift, place = min(((e, h) for e in extra for h in empty), key=lambda pair: _distance(believed, *pair))
        extra.remove(lift)
        empty.remove(place)
        here = _id(believed, lift)
        yield Advice(advice, seat, said, hole=here, lift=here, place=_id(believed, place))
    for place in empty:
        yield Advice("put_back", seat, said, hole=_id(believed, place), place=_id(believed, place))
    for lift in extra:
        yield Advice("take_off", seat, said, hole=_id(believed, lift), lift=_id(believed, lift))


def _extra(believed: Believed, trouble: Trouble, strays: Iterable[int]) -> tuple[int, ...]:
    """The taken holes that this trouble is about and that should be empty."""
    lanes = believed.facts.ground.lanes
    if trouble.key.kind == "homewards":
        return holes_of(believed.taken & ~believed.facts.ground.start)
    own = union(lanes[seat].bits for seat in trouble.seats)
    held = tuple(h for h in trouble.key.holes if not own >> h & 1)
    return held + tuple(h for h in holes_of(believed.taken & ~believed.homes & own) if h not in strays)


def _distance(believed: Believed, one: int, other: int) -> float:
    holes = believed.facts.ground.board.holes
    a, b = holes[one], holes[other]
    return (a.x_mm - b.x_mm) ** 2 + (a.y_mm - b.y_mm) ** 2


def _set_up(believed: Believed) -> Iterable[Advice]:
    for seat, lane in enumerate(believed.facts.ground.lanes):
        for hole in lane.route.start:
            if not believed.taken >> hole & 1:
                said = say("Put both of {name}'s pegs in the start holes.", name=name(believed, seat))
                yield Advice("set_up", seat, said, hole=_id(believed, hole), place=_id(believed, hole))
    for hole in holes_of(believed.taken & ~believed.facts.ground.start):
        said = say("No peg belongs in {hole} before the game.", hole=where(believed, hole))
        yield Advice("take_off", None, said, hole=_id(believed, hole), lift=_id(believed, hole))


def _id(believed: Believed, hole: int) -> str:
    return believed.facts.ground.board.holes[hole].id
