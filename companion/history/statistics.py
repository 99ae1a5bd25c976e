"""Statistics of a game from its moves: winner, points by play, hand and crib, best hand, race, luck of the starter.

Pure. The luck of the starter is the difference between what hands and cribs have counted and what the same cards count
on average over all possible starters. Only completely known hands are included.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.common.errors import CompanionError
from companion.protocol.json_codec import to_json_value
from companion.rules import scoring
from companion.rules.cards import PACK, Card
from companion.rules.engine import Award, History
from companion.rules.moves import CountCrib, Crib, Go, Hand, Next, Play, Starter
from companion.table.setup import TablePlan

SCORING_PARTS = ("play", "hand", "crib", "other")
_OTHER_REASONS = {
    "his heels", "adjust", "correct", "renege", "muggins", "overclaim", "false claim", "three for last", "pegged",
}  # fmt: skip


class PlayedMove(NamedTuple):
    """A move that was not undone: the game after it, the state before it, and its commit time in Unix milliseconds.

    `n` is its number among all moves of its table, as in the move history.
    """

    past: History[Any]
    state_before: Any
    ms: int
    n: int = 0


def split_games(moves: Sequence[PlayedMove]) -> list[list[PlayedMove]]:
    """Split the moves of a table into games: `next` after the end begins another. The last may be unfinished."""
    found: list[list[PlayedMove]] = [[]]
    for played_move in moves:
        if isinstance(played_move.past.move, Next) and played_move.state_before.phase == "over":
            found.append([])
        found[-1].append(played_move)
    return [game for game in found if game]


def summarize_game(plan: TablePlan, moves: Sequence[PlayedMove]) -> dict[str, Any]:
    """Return the summary of one game. Points are by side; `best`, of hands and cribs, is None if none has scored."""
    points = [dict.fromkeys(SCORING_PARTS, 0) for _ in range(plan.sides)]
    best: dict[str, dict[str, Any] | None] = {"hand": None, "crib": None}
    race: list[dict[str, Any]] = []
    for played_move in moves:
        for part, awards in _awards_by_part(plan, played_move):
            for award in awards:
                points[award.seat % plan.sides][part] += award.points
            if part in best:
                best[part] = _better_hand(best[part], part, awards, played_move)
        scores = list(played_move.past.state.scores)
        if not race or race[-1]["scores"] != scores:
            race.append({"ms": played_move.ms, "scores": scores})
    end = moves[-1].past.state
    view: Mapping[str, Any] = plan.game.view(end)
    return {
        "began_ms": moves[0].ms, "ended_ms": moves[-1].ms if end.phase == "over" else None, "moves": len(moves),
        "scores": list(end.scores), "winner": end.winner, "skunk": view.get("skunk"), "skunks": view.get("skunks"),
        "game_points": view.get("game_points"), "points": points, "race": race,
        "best": max(filter(None, best.values()), key=lambda hand: (hand["points"], -hand["ms"]), default=None),
        "best_hand": best["hand"], "best_crib": best["crib"],
    }  # fmt: skip


def _awards_by_part(plan: TablePlan, played_move: PlayedMove) -> Iterable[tuple[str, tuple[Award, ...]]]:
    """Return the awards of a move by the part of the deal in which they were scored."""
    awards = played_move.past.awards
    other = tuple(award for award in awards if award.reason in _OTHER_REASONS)
    rest = tuple(award for award in awards if award.reason not in _OTHER_REASONS)
    move = played_move.past.move
    if isinstance(move, Crib | CountCrib):
        return ("crib", rest), ("other", other)
    if isinstance(move, Hand):
        return ("hand", rest), ("other", other)
    if isinstance(move, Play | Go):
        at = _find_first_hand_award(plan, played_move, rest)
        return ("play", rest[:at]), ("hand", rest[at:]), ("other", other)
    pending = getattr(getattr(getattr(played_move.state_before, "deal", None), "claims", None), "pending", None)
    return (pending.kind if pending and pending.kind in SCORING_PARTS else "play", rest), ("other", other)


def _find_first_hand_award(plan: TablePlan, played_move: PlayedMove, awards: tuple[Award, ...]) -> int:
    """Return the index of the first award for a hand: the move that ends the play also counts complete hands."""
    view = plan.game.view(played_move.past.state)
    if view.get("phase") == "play" or not view.get("starter"):
        return len(awards)
    counted: list[Award] = []
    at = len(awards)
    for seat in scoring.counting_order(_find_dealer(plan, played_move), plan.setup.seats):
        try:
            counted += scoring.award_hand(
                seat, tuple(view["played"][seat]), view["starter"], is_five_card=plan.game.key == "five-card"
            )
        except CompanionError:  # part of that hand is unknown
            break
        if counted and tuple(counted) == awards[-len(counted) :]:
            at = len(awards) - len(counted)
    return at


def _find_dealer(plan: TablePlan, played_move: PlayedMove) -> int:
    """Return the dealer before the move: after the play the state may already name the next one."""
    return int(plan.game.view(played_move.state_before).get("dealer") or 0)


def _better_hand(
    best: dict[str, Any] | None, part: str, awards: tuple[Award, ...], played_move: PlayedMove
) -> dict[str, Any] | None:
    """Return the better of the best hand or crib so far and those of these awards."""
    for seat in {award.seat for award in awards}:
        own = [award for award in awards if award.seat == seat]
        points = sum(award.points for award in own)
        if points > (best["points"] if best else 0):
            cards = dict.fromkeys(card for award in own for card in award.cards)
            best = {
                "seat": seat,
                "points": points,
                "part": part,
                "cards": to_json_value(tuple(cards)),
                "ms": played_move.ms,
            }
    return best


_CRIB_CARDS = 4
_HAND_CARDS = {"five-card": 3}
"""Cards of a hand by game, where it is not four."""


def compute_cut_luck(plan: TablePlan, moves: Sequence[PlayedMove]) -> list[dict[str, Any]] | None:
    """Return the luck of the starter by side; None if no complete hand was seen.

    `hands` is the number of complete hands and cribs, `counted` what they counted, and `mean` what they would count on
    average over all possible starters.
    """
    found = [{"hands": 0, "counted": 0, "mean": 0.0} for _ in range(plan.sides)]
    for view, dealer in _find_deals(plan, moves):
        for seat, cards, is_crib in _find_complete_hands(plan, view, dealer):
            points = _points_by_starter(cards, is_crib=is_crib)
            own = found[seat % plan.sides]
            own["hands"] += 1
            own["counted"] += points[view["starter"]]
            own["mean"] += sum(points.values()) / len(points)
    return [luck | {"mean": round(luck["mean"], 3)} for luck in found] if any(luck["hands"] for luck in found) else None


def _find_deals(plan: TablePlan, moves: Sequence[PlayedMove]) -> Iterator[tuple[Mapping[str, Any], int]]:
    """Yield the view at the end of each deal, and its dealer."""
    dealer = 0
    for played_move, after in zip(moves, [*moves[1:], None], strict=True):
        if isinstance(played_move.past.move, Crib | CountCrib):  # afterwards the view may already name the next dealer
            dealer = _find_dealer(plan, played_move)
        if after is None or isinstance(after.past.move, Starter | Next):
            yield plan.game.view(played_move.past.state), dealer


def _find_complete_hands(
    plan: TablePlan, view: Mapping[str, Any], dealer: int
) -> Iterator[tuple[int, tuple[Card, ...], bool]]:
    """Yield the completely known hands of a deal and its crib: the seat, the cards, and whether it is the crib."""
    if not view.get("starter") or not view.get("played"):
        return
    hands = view.get("hands") or ()
    for seat, played in enumerate(view["played"]):
        cards = tuple(hands[seat] if len(hands) > seat and hands[seat] else played)
        if len(cards) == _HAND_CARDS.get(plan.game.key, _CRIB_CARDS):
            yield seat, cards, False
    if len(view.get("crib") or ()) == _CRIB_CARDS:
        yield dealer, tuple(view["crib"]), True


def _points_by_starter(cards: tuple[Card, ...], *, is_crib: bool) -> dict[Card, int]:
    others = [card for card in PACK if card not in cards]
    if len(cards) == _CRIB_CARDS:
        points = scoring.points_by_starter(cards, is_crib)
        return {card: points[card] for card in others}
    return {card: scoring.sum_points(scoring.itemize_hand(cards, card, is_five_card=True)) for card in others}
