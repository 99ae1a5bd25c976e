"""Who plays whom on a league night, and how everybody stands. Pure.

Game points as the American Cribbage Congress counts them: 2 for a game won, 3 for one won by a skunk. Players are
ranked by game points, then games won, then spread: points won by less points lost by.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

WIN_POINTS, SKUNK_POINTS = 2, 3
MAX_PAIRING_TRIES = 20_000
"""Pairings that are tried before somebody plays whom he has played already."""

Pair = tuple[str, str]


class TournamentGame(NamedTuple):
    """A game, or a bye where `two` is None. `winner` is None while nobody has won."""

    one: str
    two: str | None
    winner: str | None
    is_skunk: bool = False
    spread: int = 0


class StandingsRow(NamedTuple):
    """How a player stands."""

    rank: int
    player: str
    points: int
    won: int
    lost: int
    skunks: int
    spread: int


def compute_standings(
    players: Iterable[str], games: Iterable[TournamentGame], *, byes_count: bool
) -> list[StandingsRow]:
    """Everybody, the first first; those who are equal share a rank. A bye counts as a game won where they count."""
    tally: dict[str, list[int]] = {player: [0, 0, 0, 0, 0] for player in players}
    for game in games:
        if game.two is None:
            if byes_count and game.one in tally:
                _add_result(tally, game.one, WIN_POINTS, 1, 0, 0, 0)
        elif game.winner is not None:
            loser = game.two if game.winner == game.one else game.one
            _add_result(
                tally, game.winner, SKUNK_POINTS if game.is_skunk else WIN_POINTS, 1, 0, int(game.is_skunk), game.spread
            )
            _add_result(tally, loser, 0, 0, 1, 0, -game.spread)
    order = sorted(tally.items(), key=lambda each: (-each[1][0], -each[1][1], -each[1][4], each[0]))
    rows: list[StandingsRow] = []
    for number, (player, (points, won, lost, skunks, spread)) in enumerate(order, 1):
        last = rows[-1] if rows else None
        rank = last.rank if last and (last.points, last.won, last.spread) == (points, won, spread) else number
        rows.append(StandingsRow(rank, player, points, won, lost, skunks, spread))
    return rows


def _add_result(tally: dict[str, list[int]], player: str, *more: int) -> None:
    tally[player] = [has + one for has, one in zip(tally[player], more, strict=True)]


def pair_swiss(order: Sequence[str], games: Iterable[TournamentGame]) -> tuple[list[Pair], str | None]:
    """The next round for players in the order of their standing, and who has a bye.

    Neighbours play each other, as far as they have not yet; the bye is the lowest player's who has had none.
    """
    done = list(games)
    met = _played_pairs(done)
    sitting = None
    rest = list(order)
    if len(rest) % 2:
        had = {game.one for game in done if game.two is None}
        sitting = next((player for player in reversed(rest) if player not in had), rest[-1])
        rest.remove(sitting)
    found = _match_players(rest, met, [MAX_PAIRING_TRIES])
    return (_match_with_repeats(rest, met) if found is None else found), sitting


def pair_round_robin(players: Sequence[str], games: Iterable[TournamentGame]) -> tuple[list[Pair], list[str]]:
    """The next round in which nobody meets anybody twice, and who sits out; no pairs once all have met.

    Rounds by the circle, as long as nobody came late; else whoever has most games before him is paired first.
    """
    met = _played_pairs(games)
    for pairs in _circle_rounds(players):
        if not any(frozenset(pair) in met for pair in pairs):
            return pairs, [player for player in players if not any(player in pair for pair in pairs)]
    left = {player: [p for p in players if p != player and frozenset((p, player)) not in met] for player in players}
    order = sorted(players, key=lambda player: (-len(left[player]), player))
    pairs, free = [], list(order)
    while free:
        player = free.pop(0)
        other = next((each for each in free if each in left[player]), None)
        if other is not None:
            free.remove(other)
            pairs.append((player, other))
    return pairs, [player for player in players if not any(player in pair for pair in pairs)]


def _circle_rounds(players: Sequence[str]) -> Iterable[list[Pair]]:
    """Each round of everybody against everybody: one stays, the others go round."""
    seats: list[str | None] = [*players, None] if len(players) % 2 else [*players]
    for _ in range(len(seats) - 1):
        half = len(seats) // 2
        facing = zip(seats[:half], reversed(seats[half:]), strict=True)
        yield [(one, two) for one, two in facing if one is not None and two is not None]
        seats = [seats[0], seats[-1], *seats[1:-1]]


def _played_pairs(games: Iterable[TournamentGame]) -> set[frozenset[str]]:
    return {frozenset((game.one, game.two)) for game in games if game.two is not None}


def _match_players(order: Sequence[str], met: set[frozenset[str]], tries: list[int]) -> list[Pair] | None:
    """Everybody paired with the next in order that he has not met; None where that cannot be, or not be found."""
    if not order:
        return []
    first, *others = order
    for other in others:
        tries[0] -= 1
        if tries[0] < 0:
            return None
        if frozenset((first, other)) not in met:
            rest = _match_players([each for each in others if each != other], met, tries)
            if rest is not None:
                return [(first, other), *rest]
    return None


def _match_with_repeats(order: Sequence[str], met: set[frozenset[str]]) -> list[Pair]:
    """Everybody paired, with somebody new where there is one left."""
    free, pairs = list(order), []
    while free:
        player = free.pop(0)
        other = next((each for each in free if frozenset((each, player)) not in met), free[0])
        free.remove(other)
        pairs.append((player, other))
    return pairs


def active_players(given: Mapping[str, int], at_round: int) -> list[str]:
    """Who is there in this round: those who came since are not."""
    return [player for player, since in given.items() if since <= at_round]
