"""Three players: a novice, a club player, an expert. Pure.

They err as people do. The novice sees the points that lie before him: those of four cards without the starter, those
of the card played now, and sometimes overlooks even these. The club player knows what hands and cribs are worth and
what to leave the other, but not what the other likes to keep, nor how scores change what is wise. The expert counts
on all of that. The numbers of an answer are as that player sees them.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from companion.coach.cribbage import discard, play, rollout, tables
from companion.coach.cribbage.play import Turn
from companion.coach.cribbage.play_states import reached
from companion.coach.cribbage.ranks import of
from companion.coach.questions import Dealt
from companion.common.errors import SettingsError
from companion.rules.cards import Card
from companion.rules.scoring_tables import rank_points

NOVICE, CLUB, EXPERT = "novice", "club", "expert"
LEVELS = (NOVICE, CLUB, EXPERT)

_WAVERS = {NOVICE: 1.5, CLUB: 0.8}
"""By how many points, at most, such a player takes a choice for better or worse than it is."""
_OVERLOOKS = 0.12
"""How often a novice does not see what a card earns."""
_POINT = 0.013
"""What a point is worth in games, roughly: enough for players who do not count on it."""


def discards(dealt: Dealt, level: str, seed: int) -> list[discard.Choice]:
    """What this player thinks of each discard, the one he makes first."""
    if _known(level) == EXPERT:
        return discard.choices(dealt)
    sign = 1 if dealt.dealer else -1
    wavering = _wavering((*dealt.held, dealt.dealer, *dealt.scores), level, seed)
    found = []
    for each in sorted(discard.choices(dealt), key=lambda choice: choice.thrown):
        hand, crib = (each.hand, each.crib) if level == CLUB else (_seen(each.kept), _seen(each.thrown))
        hopes = next(wavering) * _WAVERS[level]
        points = hand + sign * crib + hopes
        found.append(discard.Choice(each.thrown, each.kept, hand, crib, hopes, points, _roughly(dealt, points)))
    return sorted(found, key=lambda choice: (-choice.win, -choice.points))


def plays(turn: Turn, level: str, seed: int) -> list[play.Choice]:
    """What this player thinks of each card that fits, the one he plays first."""
    if _known(level) == EXPERT:
        return play.choices(turn)
    at = reached(tuple(card.rank for card in turn.series))
    others = 0 if turn.gone[1] else len(turn.kept) - len(turn.played[1])
    wavering = _wavering((*turn.held, *turn.series, turn.starter, *turn.scores), level, seed)
    found = []
    for card in turn.held:
        step = at.step(card.rank)
        if step is None or turn.gone[0]:
            continue
        waver = next(wavering)
        points = float(step[0])
        if level == CLUB:
            points -= rollout.outlook(step[1], others)[0]
        elif (waver + 1) / 2 < _OVERLOOKS:
            points = 0.0
        points += 0.3 * waver * _WAVERS[level]
        found.append(play.Choice(card, points, _roughly(turn, points)))
    if not found:
        return [play.Choice(None, 0.0, _roughly(turn, 0))]
    return sorted(found, key=lambda choice: (-choice.win, -choice.points))


def _known(level: str) -> str:
    if level not in LEVELS:
        raise SettingsError(f"There is no level {level[:20]}: there are {', '.join(LEVELS)}.")
    return level


def _seen(cards: Sequence[Card]) -> float:
    """What lies there without a starter."""
    return float(rank_points(of(cards)))


def _roughly(asked: Dealt | Turn, points: float) -> float:
    wins = tables.of(asked.game).wins(asked.target)
    own, other = asked.scores
    base = wins[own][other] if asked.dealer else 1 - wins[other][own]
    return max(0.0, min(1.0, base + _POINT * (points - (8 if asked.dealer else 0))))


def _wavering(told: Sequence[object], level: str, seed: int) -> Iterator[float]:
    """Numbers from −1 to 1 that follow from question, level and seed."""
    key = repr((tuple(int(each) for each in told), level, seed)).encode()  # type: ignore[call-overload]
    n = 0
    while True:
        digest = sha256(key + bytes((n & 255,))).digest()
        for place in range(0, 32, 4):
            yield int.from_bytes(digest[place : place + 4]) / 2**31 - 1
        n += 1
