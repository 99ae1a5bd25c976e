"""The play of one deal: the turn, the series, the count, go and the last card. Pure.

All games with a play share it. It knows only the cards played, so it accepts a go on trust; `find_reneges` checks later
what could have been played (docs/reference/games/six-card.md#go-checked-afterwards). Awards are by seat; sides, scores
and the end of the game are up to the game.
"""

from dataclasses import dataclass, replace

from companion.common.errors import IllegalMove
from companion.rules.cards import Card
from companion.rules.engine import Award
from companion.rules.scoring import itemize_play

MAX_COUNT = 31
"""The highest count of a series."""

MAX_COUNT_ANY_CARD_FITS = MAX_COUNT - 10
"""The highest count at which every card fits, so that go is illegal."""


@dataclass(frozen=True, slots=True)
class GoRecord:
    """A go: the seat, the count, and how many cards the seat had played."""

    seat: int
    count: int
    cards_played: int


@dataclass(frozen=True, slots=True)
class Renege:
    """A card that could have been played when its holder said go at `count`."""

    seat: int
    count: int
    card: Card


@dataclass(frozen=True, slots=True)
class PlayProgress:
    """The play so far. `turn` is None when it is over; `last_seat` is the seat that played the latest card.

    `gone` are the seats that said go in this series. `hand_size` is the number of cards in a hand. `is_single_series`:
    the play ends with its first series (five-card). `seats_out` hold no cards because they were knocked out (pursuit).
    `dead` are cards in `played` that were only shown (rule 7.3).
    """

    turn: int | None
    played: tuple[tuple[Card, ...], ...]
    series: tuple[Card, ...] = ()
    count: int = 0
    gone: tuple[int, ...] = ()
    last_seat: int | None = None
    goes: tuple[GoRecord, ...] = ()
    hand_size: int = 4
    is_single_series: bool = False
    seats_out: tuple[int, ...] = ()
    dead: tuple[Card, ...] = ()

    @property
    def cards_played(self) -> int:
        """The number of cards played, without dead ones."""
        return sum(map(len, self.played)) - len(self.dead)

    def has_played(self, card: Card) -> bool:
        return any(card in hand for hand in self.played)


def begin_play(
    seats: int, leader: int, *, hand_size: int = 4, is_single_series: bool = False, seats_out: tuple[int, ...] = ()
) -> PlayProgress:
    return PlayProgress(
        leader, ((),) * seats, hand_size=hand_size, is_single_series=is_single_series, seats_out=seats_out
    )


def play_card(
    progress: PlayProgress, seat: int, card: Card
) -> tuple[PlayProgress, tuple[Award, ...], tuple[Award, ...]]:
    """Play a card for `seat`, whose turn it is. Return the play, the card's awards and the last-card award.

    Raises IllegalMove if the count would exceed 31.
    """
    count = progress.count + card.value
    if count > MAX_COUNT:
        raise IllegalMove("The {name} would make {count}: the count cannot go over 31.", name=card.name, count=count)
    series = (*progress.series, card)
    played = (*progress.played[:seat], (*progress.played[seat], card), *progress.played[seat + 1 :])
    scored = tuple(Award(seat, item.points, item.reason, item.cards) for item in itemize_play(series, count))
    turn = _next_player(seat, played, (*progress.gone, *progress.seats_out), progress.hand_size)
    # A constructor call takes half the time of `replace`, and this is the most frequent step.
    after = PlayProgress(
        turn,
        played,
        series,
        count,
        progress.gone,
        seat,
        progress.goes,
        progress.hand_size,
        progress.is_single_series,
        progress.seats_out,
        progress.dead,
    )
    if count == MAX_COUNT:
        return _end_series(after), scored, ()
    if turn is None:
        return _end_series(after), scored, _award_last_card(after)
    return after, scored, ()


def say_go(progress: PlayProgress, seat: int) -> tuple[PlayProgress, tuple[Award, ...]]:
    """Say go for `seat`, whose turn it is. Return the play, and the last-card award if the series ends.

    Raises IllegalMove at a count at which every card fits.
    """
    if progress.count <= MAX_COUNT_ANY_CARD_FITS:
        raise IllegalMove("You cannot say go at {count}: any card fits.", count=progress.count)
    gone = (*progress.gone, seat)
    goes = (*progress.goes, GoRecord(seat, progress.count, len(progress.played[seat])))
    turn = _next_player(seat, progress.played, (*gone, *progress.seats_out), progress.hand_size)
    progress = replace(progress, turn=turn, gone=gone, goes=goes)
    return (progress, ()) if turn is not None else (_end_series(progress), _award_last_card(progress))


def find_reneges(progress: PlayProgress, seat: int, hand: tuple[Card, ...]) -> tuple[Renege, ...]:
    """Return each card that `seat` held and could have played when it said go.

    `hand` has the played cards first, in order.
    """
    return tuple(
        Renege(seat, go.count, card)
        for go in progress.goes
        if go.seat == seat
        for card in hand[go.cards_played :]
        if go.count + card.value <= MAX_COUNT
    )


def bury_card(progress: PlayProgress, seat: int, card: Card) -> PlayProgress:
    """Return the play right after a false go of `seat`, with a card of its hand that is dead: shown, but not played."""
    own = (*progress.played[seat], card)
    said = replace(progress.goes[-1], cards_played=len(own))
    played = (*progress.played[:seat], own, *progress.played[seat + 1 :])
    return replace(progress, played=played, goes=(*progress.goes[:-1], said), dead=(*progress.dead, card))


def _next_player(seat: int, played: tuple[tuple[Card, ...], ...], gone: tuple[int, ...], size: int) -> int | None:
    """Return the next seat clockwise, `seat` itself last, that has cards and is not in `gone`, or None."""
    seats = len(played)
    for step in range(1, seats + 1):
        candidate = (seat + step) % seats
        if len(played[candidate]) < size and candidate not in gone:
            return candidate
    return None


def _end_series(progress: PlayProgress) -> PlayProgress:
    assert progress.last_seat is not None
    turn = (
        None
        if progress.is_single_series
        else _next_player(progress.last_seat, progress.played, progress.seats_out, progress.hand_size)
    )
    return replace(progress, turn=turn, series=(), count=0, gone=())


def _award_last_card(progress: PlayProgress) -> tuple[Award, ...]:
    assert progress.last_seat is not None
    return (Award(progress.last_seat, 1, "last card", progress.series[-1:]),)
