"""Scorecards of a qualifying round: their totals, the cross-check of both cards of each game, and the ranking. Pure.

Source: rules 12.1, 12.2 and 13.2 of the American Cribbage Congress and its cross-checking guidelines (cribbage.org).
Each player keeps a card of one line for each game: game points, and the points of the win or loss in the plus or minus
column. A skunk is a win by 31 points or more.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.i18n import gettext_noop
from companion.plugins.club.pairing import StandingsRow, add_results
from companion.plugins.club.tournament.draw import DrawnGame

SKUNK_SPREAD, DOUBLE_SKUNK_SPREAD = 31, 61
MAX_SPREAD = 121
GAME_POINTS = {"2,3,3": (2, 3, 3), "1,2,4": (1, 2, 4)}
"""Game points of a win, a skunk and a double skunk, by the option `game_points`. The first is the Congress's."""

PROBLEMS = {
    "missing": gettext_noop("Only one card has an entry."),
    "blank": gettext_noop("One card has no spread."),
    "winner": gettext_noop("Both cards claim a win, or both a loss."),
    "column": gettext_noop("The spread is in the wrong column."),
    "spread": gettext_noop("The spreads differ."),
    "points": gettext_noop("The game points do not fit the spread."),
}
"""What the cross-check finds, by key."""


class CardLine(NamedTuple):
    """A line of a player's card as it was written: game points, and the spread, positive in the plus column.

    None is blank. `is_ruled`: the director wrote it.
    """

    points: int | None
    spread: int | None
    is_ruled: bool = False


BLANK = CardLine(None, None)
CardLines = Mapping[tuple[str, int], CardLine]
"""The lines of all cards, by player and round. Lines without an entry are missing."""


class Discrepancy(NamedTuple):
    """A game whose two cards do not agree. `is_settled`: the director has ruled on it."""

    game: DrawnGame
    lines: tuple[CardLine, CardLine]
    problems: tuple[str, ...]
    is_settled: bool


class ProposedRuling(NamedTuple):
    """The lines that rule 12.2 gives both cards, and the letters of its paragraphs."""

    letters: str
    lines: tuple[CardLine, CardLine]


def points_of(spread: int, scheme: Sequence[int] = GAME_POINTS["2,3,3"]) -> int:
    """Return the game points of a spread: 0 for a loss."""
    if spread <= 0:
        return 0
    return scheme[(spread >= SKUNK_SPREAD) + (spread >= DOUBLE_SKUNK_SPREAD)]


def cross_check(games: Iterable[DrawnGame], lines: CardLines, scheme: Sequence[int]) -> list[Discrepancy]:
    """Return all games of which at least one card has an entry and which do not agree, in the order of the games."""
    discrepancies = []
    for game in games:
        if game.two is None:
            continue
        both = lines.get((game.one, game.round), BLANK), lines.get((game.two, game.round), BLANK)
        if both != (BLANK, BLANK) and (problems := _find_problems(both, scheme)):
            discrepancies.append(Discrepancy(game, both, problems, both[0].is_ruled and both[1].is_ruled))
    return discrepancies


def _find_problems(both: tuple[CardLine, CardLine], scheme: Sequence[int]) -> tuple[str, ...]:
    if any(line[:2] == BLANK[:2] for line in both):
        return ("missing",)
    spreads = [line.spread for line in both if line.spread is not None]
    problems = []
    if len(spreads) < 2:
        problems.append("blank")
    elif abs(spreads[0]) != abs(spreads[1]):
        problems.append("spread")
    if bool(both[0].points) == bool(both[1].points):
        problems.append("winner")
    if any(line.spread is not None and (line.spread > 0) != bool(line.points) for line in both):
        problems.append("column")
    elif any(line.spread is not None and points_of(line.spread, scheme) != line.points for line in both):
        problems.append("points")
    return tuple(problems)


def propose_ruling(
    discrepancy: Discrepancy, qualifiers: Collection[str], scheme: Sequence[int]
) -> ProposedRuling | None:
    """Return what rule 12.2 makes of a discrepancy; None if it says nothing, as without any spread.

    The disadvantage is always a qualifier's (a, b): fewer points of a win, more of a loss. The other card stays. An
    error to the qualifier's own disadvantage stays too (h). If neither player qualifies, both cards stay as written,
    which the rule does not consider.
    """
    (one, two), letters = discrepancy.lines, []
    spreads = [line.spread for line in discrepancy.lines]
    if spreads == [None, None]:
        return None
    amounts = [abs(spread) if spread is not None else abs(spreads[1 - n] or 0) for n, spread in enumerate(spreads)]
    if None in spreads:
        letters.append("c")
    has_won = [bool(one.points), bool(two.points)]
    if "missing" in discrepancy.problems:
        written = 0 if spreads[0] is not None else 1
        has_won[1 - written] = not has_won[written]
    is_plus = [spread > 0 if spread is not None else won for spread, won in zip(spreads, has_won, strict=True)]
    if has_won[0] == has_won[1]:
        letters.append("d" if is_plus[0] != is_plus[1] else "e")
        has_won = [*is_plus] if is_plus[0] != is_plus[1] else [False, False]
    elif "column" in discrepancy.problems:
        letters.append("f")
    if amounts[0] != amounts[1]:
        players = discrepancy.game.one, str(discrepancy.game.two)
        qualifying = sum(player in qualifiers for player in players)
        worse = [min(amounts) if won else max(amounts) for won in has_won]
        ruled = [worse[n] if players[n] in qualifiers else amounts[n] for n in (0, 1)]
        letters += "h" if qualifying and ruled == amounts else ["", "a", "b"][qualifying]
        amounts = ruled
    if "points" in discrepancy.problems:
        letters.append("g")
    signed = [amount if won else -amount for amount, won in zip(amounts, has_won, strict=True)]
    made = [CardLine(points_of(spread, scheme), spread, is_ruled=True) for spread in signed]
    return ProposedRuling("".join(sorted(letters)), (made[0], made[1]))


class CardTotals(NamedTuple):
    """The totals of a card. `plus` are the points of the plus column, `net` is the spread."""

    player: str
    points: int
    won: int
    lost: int
    skunks: int
    net: int
    plus: int


def total_cards(
    players: Iterable[str], games: Iterable[DrawnGame], lines: CardLines, scheme: Sequence[int]
) -> list[CardTotals]:
    """Return the totals of each player's card, as it is written.

    A bye is a win without spread, and counts as soon as its round has an entry; at once if the round has no game.
    """
    games = [*games]
    waiting = {game.round for game in games if game.two} - {at for _, at in lines}
    results: list[tuple[str, Sequence[int]]] = [
        (player, (points, points > 0, points <= 0, points > scheme[0], spread or 0, max(0, spread or 0)))
        for (player, _), (points, spread, _) in lines.items() if points is not None
    ]  # fmt: skip
    byes = [game.one for game in games if game.two is None and game.round not in waiting]
    results += [(player, (scheme[0], 1, 0, 0, 0, 0)) for player in byes]
    return [CardTotals(player, *values) for player, values in add_results(players, results, 6).items()]


def rank_cards(totals: Iterable[CardTotals], winners: Mapping[frozenset[str], str]) -> list[StandingsRow]:
    """Return the standings: by game points, games won, net spread and plus points.

    Of exactly two who are still equal, the winner of their game is ahead; `winners` has it, by the two players. All
    others share a rank, and are listed by name.
    """
    key = {total.player: (-total.points, -total.won, -total.net, -total.plus) for total in totals}
    order = sorted(totals, key=lambda total: (key[total.player], total.player))
    rows: list[StandingsRow] = []
    at = 0
    while at < len(order):
        equal = [total for total in order[at:] if key[total.player] == key[order[at].player]]
        winner = winners.get(frozenset(total.player for total in equal)) if len(equal) == 2 else None
        equal.sort(key=lambda total: total.player != winner)
        for n, (player, points, won, lost, skunks, net, _) in enumerate(equal):
            rank = at + 1 + (n if winner else 0)
            rows.append(StandingsRow(rank, player, points, won, lost, skunks, net))
        at += len(equal)
    return rows


def count_qualifiers(players: int) -> int:
    """Return how many of the players qualify: one in four, rounded up (rule 13.2)."""
    return -(-players // 4)
