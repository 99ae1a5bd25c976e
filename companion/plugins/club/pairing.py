"""Pairings and standings of a tournament. Pure.

Game points are those of the American Cribbage Congress: 2 for a win, 3 for a skunk. Players are ranked by game points,
then games won, then spread, the points of their wins minus those of their losses.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

WIN_POINTS, SKUNK_POINTS = 2, 3
MAX_PAIRING_TRIES = 20_000
"""Number of pairings tried before a game is repeated."""
LEFT_ROUND = 1_000_000
"""First round of a player who left: one that never comes."""

Pair = tuple[str, str]


class TournamentGame(NamedTuple):
    """A game, or a bye if `two` is None. `winner` is None until the game is over. The fields are keys of the API."""

    one: str
    two: str | None
    winner: str | None
    is_skunk: bool = False
    spread: int = 0


class StandingsRow(NamedTuple):
    """The standing of a player. The fields are keys of the API."""

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
    """Return the standings, best first; equal players share a rank. With `byes_count`, a bye is a win."""
    results: list[tuple[str, Sequence[int]]] = []
    for game in games:
        if game.two is None:
            results += [(game.one, (WIN_POINTS, 1, 0, 0, 0))] if byes_count else []
        elif game.winner is not None:
            points = SKUNK_POINTS if game.is_skunk else WIN_POINTS
            results.append((game.winner, (points, 1, 0, int(game.is_skunk), game.spread)))
            results.append((game.two if game.winner == game.one else game.one, (0, 0, 1, 0, -game.spread)))
    totals = add_results(players, results, 5)
    order = sorted(totals.items(), key=lambda total: (-total[1][0], -total[1][1], -total[1][4], total[0]))
    rows: list[StandingsRow] = []
    for number, (player, (points, won, lost, skunks, spread)) in enumerate(order, 1):
        last = rows[-1] if rows else None
        rank = last.rank if last and (last.points, last.won, last.spread) == (points, won, spread) else number
        rows.append(StandingsRow(rank, player, points, won, lost, skunks, spread))
    return rows


def add_results(
    players: Iterable[str], results: Iterable[tuple[str, Sequence[int]]], columns: int
) -> dict[str, list[int]]:
    """Return the sum of each column of the players' results. Results of others are left out."""
    totals = {player: [0] * columns for player in players}
    for player, values in results:
        if player in totals:
            totals[player] = [total + value for total, value in zip(totals[player], values, strict=True)]
    return totals


def pair_swiss(order: Sequence[str], games: Iterable[TournamentGame]) -> tuple[list[Pair], str | None]:
    """Return the next round for players in the order of their standing, and the player with the bye.

    Neighbours who have not met are paired. The lowest player who had no bye gets one.
    """
    played = list(games)
    met = _played_pairs(played)
    bye = None
    rest = list(order)
    if len(rest) % 2:
        had_bye = {game.one for game in played if game.two is None}
        bye = next((player for player in reversed(rest) if player not in had_bye), rest[-1])
        rest.remove(bye)
    pairs = _match_players(rest, met, [MAX_PAIRING_TRIES])
    return (_match_with_repeats(rest, met) if pairs is None else pairs), bye


def pair_round_robin(players: Sequence[str], games: Iterable[TournamentGame]) -> tuple[list[Pair], list[str]]:
    """Return the next round without repeated games, and the players who sit out; no pairs if all have met.

    The rounds are those of the circle method. If players came late, those with most games left are paired first.
    """
    met = _played_pairs(games)
    for facing in circle_rounds(players):
        pairs = [(one, two) for one, two in facing if one is not None and two is not None]
        if not any(frozenset(pair) in met for pair in pairs):
            return pairs, [player for player in players if not any(player in pair for pair in pairs)]
    games_left = {player: sum(frozenset((player, opponent)) not in met for opponent in players) for player in players}
    order = sorted(players, key=lambda player: (-games_left[player], player))
    pairs, alone = _match_in_order(order, met)
    return pairs, [player for player in players if player in alone]


def circle_rounds(players: Sequence[str]) -> Iterable[list[tuple[str | None, str | None]]]:
    """Yield the rounds of the circle method: one player stays, the others rotate. Facing None is a bye."""
    seats: list[str | None] = [*players, None] if len(players) % 2 else [*players]
    for _ in range(len(seats) - 1):
        half = len(seats) // 2
        yield list(zip(seats[:half], reversed(seats[half:]), strict=True))
        seats = [seats[0], seats[-1], *seats[1:-1]]


def _played_pairs(games: Iterable[TournamentGame]) -> set[frozenset[str]]:
    return {frozenset((game.one, game.two)) for game in games if game.two is not None}


def _match_players(order: Sequence[str], met: set[frozenset[str]], tries: list[int]) -> list[Pair] | None:
    """Pair each player with the next one not met yet; return None if no such pairing is found within `tries`."""
    if not order:
        return []
    first, *others = order
    for opponent in others:
        tries[0] -= 1
        if tries[0] < 0:
            return None
        if frozenset((first, opponent)) not in met:
            rest = _match_players([player for player in others if player != opponent], met, tries)
            if rest is not None:
                return [(first, opponent), *rest]
    return None


def _match_in_order(order: Sequence[str], met: set[frozenset[str]]) -> tuple[list[Pair], list[str]]:
    """Pair each player with the first one not met yet; return the pairs and the players without such an opponent."""
    free, pairs, alone = list(order), [], []
    while free:
        player = free.pop(0)
        opponent = next((entrant for entrant in free if frozenset((entrant, player)) not in met), None)
        if opponent is None:
            alone.append(player)
        else:
            free.remove(opponent)
            pairs.append((player, opponent))
    return pairs, alone


def _match_with_repeats(order: Sequence[str], met: set[frozenset[str]]) -> list[Pair]:
    """Pair all players, repeating games only if necessary."""
    pairs, alone = _match_in_order(order, met)
    return pairs + list(zip(alone[::2], alone[1::2], strict=True))


def active_players(first_rounds: Mapping[str, int], at_round: int) -> list[str]:
    """Return the players who are in this round; `first_rounds` has the first round of each."""
    return [player for player, since in first_rounds.items() if since <= at_round]
