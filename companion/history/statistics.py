"""What came of a game, from its moves alone: who won and how, points by play, hand and crib, the best hand, the race.

Pure.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.common.errors import CompanionError
from companion.protocol.json_codec import plain
from companion.rules import scoring
from companion.rules.cards import PACK, Card
from companion.rules.engine import Award, History
from companion.rules.moves import Crib, Go, Hand, Next, Play, Starter
from companion.table.setup import Plan

PARTS = ("play", "hand", "crib", "other")
_OTHER = {"his heels", "adjust", "correct", "renege", "muggins", "overclaim", "false claim", "three for last", "pegged"}


class Made(NamedTuple):
    """A move that stands, with the state it led to, and when it was committed, in milliseconds of Unix time.

    `n` is its number among all moves of its table, as the history tells it.
    """

    past: History[Any]
    before: Any
    ms: int
    n: int = 0


def games(plan: Plan, moves: Sequence[Made]) -> list[dict[str, Any]]:
    """Each game of a table, in order, told by what came of it."""
    return [summary(plan, each) for each in parted(moves)]


def parted(moves: Sequence[Made]) -> list[list[Made]]:
    """The moves of each game of a table: `next` after the end begins another. The last may be unfinished."""
    found: list[list[Made]] = [[]]
    for made in moves:
        if isinstance(made.past.move, Next) and made.before.phase == "over":
            found.append([])
        found[-1].append(made)
    return [each for each in found if each]


def summary(plan: Plan, moves: Sequence[Made]) -> dict[str, Any]:
    """One game. Points are by side; `best` is null where no hand has earned anything."""
    points = [dict.fromkeys(PARTS, 0) for _ in range(plan.sides)]
    best: dict[str, Any] | None = None
    race: list[dict[str, Any]] = []
    for made in moves:
        for part, awards in _parted(plan, made):
            for award in awards:
                points[award.seat % plan.sides][part] += award.points
            best = _better(best, part, awards, made) if part in ("hand", "crib") else best
        scores = list(made.past.state.scores)
        if not race or race[-1]["scores"] != scores:
            race.append({"ms": made.ms, "scores": scores})
    end = moves[-1].past.state
    view: Mapping[str, Any] = plan.game.view(end)
    return {
        "began_ms": moves[0].ms, "ended_ms": moves[-1].ms if end.phase == "over" else None, "moves": len(moves),
        "scores": list(end.scores), "winner": end.winner, "skunk": view.get("skunk"), "skunks": view.get("skunks"),
        "game_points": view.get("game_points"), "points": points, "best": best, "race": race,
    }  # fmt: skip


def _parted(plan: Plan, made: Made) -> Iterable[tuple[str, tuple[Award, ...]]]:
    """What a move earned, by what it was earned in."""
    awards = made.past.awards
    other = tuple(award for award in awards if award.reason in _OTHER)
    rest = tuple(award for award in awards if award.reason not in _OTHER)
    move = made.past.move
    if isinstance(move, Crib):
        return ("crib", rest), ("other", other)
    if isinstance(move, Hand):
        return ("hand", rest), ("other", other)
    if isinstance(move, Play | Go):
        at = _hands_from(plan, made, rest)
        return ("play", rest[:at]), ("hand", rest[at:]), ("other", other)
    pending = getattr(getattr(getattr(made.before, "deal", None), "claims", None), "pending", None)
    return (pending.kind if pending and pending.kind in PARTS else "play", rest), ("other", other)


def _hands_from(plan: Plan, made: Made, awards: tuple[Award, ...]) -> int:
    """From which award on the hands are counted: those of the line that ends the play are the last, whole hands."""
    view = plan.game.view(made.past.state)
    if view.get("phase") == "play" or not view.get("starter"):
        return len(awards)
    counted: list[Award] = []
    at = len(awards)
    for seat in scoring.order(_dealer(plan, made), plan.setup.seats):
        try:
            counted += scoring.count(seat, tuple(view["played"][seat]), view["starter"], five=_is_five(plan))
        except CompanionError:  # not all of that hand is known
            break
        if counted and tuple(counted) == awards[-len(counted) :]:
            at = len(awards) - len(counted)
    return at


def _dealer(plan: Plan, made: Made) -> int:
    """Who dealt: after the play the next dealer may stand there already."""
    return int(plan.game.view(made.before).get("dealer") or 0)


def _is_five(plan: Plan) -> bool:
    return plan.game.key == "five-card"


def _better(best: dict[str, Any] | None, part: str, awards: tuple[Award, ...], made: Made) -> dict[str, Any] | None:
    """The best hand or crib so far."""
    for seat in {award.seat for award in awards}:
        own = [award for award in awards if award.seat == seat]
        points = sum(award.points for award in own)
        if points > (best["points"] if best else 0):
            cards = dict.fromkeys(card for award in own for card in award.cards)
            best = {"seat": seat, "points": points, "part": part, "cards": plain(tuple(cards)), "ms": made.ms}
    return best


_CRIB = 4
_HANDS = {"five-card": 3}
"""Cards of a hand, where it has not as many."""


def told(plan: Plan, moves: Sequence[Made]) -> list[dict[str, Any]] | None:
    """By side, how many `hands` and cribs were seen, what they `counted`, and their `mean`; or None."""
    found = [{"hands": 0, "counted": 0, "mean": 0.0} for _ in range(plan.sides)]
    for view, dealer in _deals(plan, moves):
        for seat, cards, is_crib in _whole(plan, view, dealer):
            by = _by_starter(cards, is_crib=is_crib)
            own = found[seat % plan.sides]
            own["hands"] += 1
            own["counted"] += by[view["starter"]]
            own["mean"] += sum(by.values()) / len(by)
    return [each | {"mean": round(each["mean"], 3)} for each in found] if any(each["hands"] for each in found) else None


def _deals(plan: Plan, moves: Sequence[Made]) -> Iterator[tuple[Mapping[str, Any], int]]:
    """What lay at the end of each deal, and who dealt."""
    dealer = 0
    for made, after in zip(moves, [*moves[1:], None], strict=True):
        if isinstance(made.past.move, Crib):  # after it the next dealer may stand there
            dealer = int(plan.game.view(made.before).get("dealer") or 0)
        if after is None or isinstance(after.past.move, Starter | Next):
            yield plan.game.view(made.past.state), dealer


def _whole(plan: Plan, view: Mapping[str, Any], dealer: int) -> Iterator[tuple[int, tuple[Card, ...], bool]]:
    """The hands of a deal of which all cards are known, and the crib: whose, the cards, whether it is a crib."""
    if not view.get("starter") or not view.get("played"):
        return
    shown = view.get("hands") or ()
    for seat, played in enumerate(view["played"]):
        cards = tuple(shown[seat] if len(shown) > seat and shown[seat] else played)
        if len(cards) == _HANDS.get(plan.game.key, _CRIB):
            yield seat, cards, False
    if len(view.get("crib") or ()) == _CRIB:
        yield dealer, tuple(view["crib"]), True


def _by_starter(cards: tuple[Card, ...], *, is_crib: bool) -> dict[Card, int]:
    """What these cards count with each starter that they leave."""
    others = [card for card in PACK if card not in cards]
    if len(cards) == _CRIB:
        points = scoring.by_starter(cards, is_crib)
        return {card: points[card] for card in others}
    return {card: scoring.total(scoring.items(cards, card, five=True)) for card in others}
