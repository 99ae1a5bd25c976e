"""The play of one deal: whose turn, the series, the count, go and the last card. Pure.

Shared by all the games with a play. Knows hands only by what has been played; a go is taken on trust, and
`reneges` tells afterwards what could have been played (docs/reference/games/six-card.md#go-checked-afterwards).
Awards are by seat; sides, scores and the end of the game are no matter of this module.
"""

from dataclasses import dataclass, replace

from companion.common.errors import IllegalMove
from companion.rules.cards import Card
from companion.rules.engine import Award
from companion.rules.scoring import play_items

LIMIT = 31
"""No card may take the count beyond."""

ANY_FITS = LIMIT - 10
"""At this count or less any card fits, so nobody can say go."""


@dataclass(frozen=True, slots=True)
class Said:
    """A go: who, at which count, and how many cards that seat had played by then."""

    seat: int
    count: int
    played: int


@dataclass(frozen=True, slots=True)
class Renege:
    """A card that fitted when its holder said go at `count`."""

    seat: int
    count: int
    card: Card


@dataclass(frozen=True, slots=True)
class Laid:
    """The play so far. `turn` is None when it is over; `last` is the seat that laid the latest card.

    `size` is the number of cards in a hand. `once`: the play ends with its first series (five-card). `out` are the
    seats that hold no cards, for they have been knocked out (pursuit).
    """

    turn: int | None
    played: tuple[tuple[Card, ...], ...]
    series: tuple[Card, ...] = ()
    count: int = 0
    gone: tuple[int, ...] = ()
    last: int | None = None
    goes: tuple[Said, ...] = ()
    size: int = 4
    once: bool = False
    out: tuple[int, ...] = ()

    def knows(self, card: Card) -> bool:
        """Whether the card has been played in this deal."""
        return any(card in hand for hand in self.played)


def begin(seats: int, leader: int, *, size: int = 4, once: bool = False, out: tuple[int, ...] = ()) -> Laid:
    """The play before its first card."""
    return Laid(leader, ((),) * seats, size=size, once=once, out=out)


def lay(laid: Laid, seat: int, card: Card) -> tuple[Laid, tuple[Award, ...], tuple[Award, ...]]:
    """`seat`, whose turn it is, plays a card: the play after it, what the card scores, and the last-card point.

    Raises IllegalMove where the count would go over 31.
    """
    count = laid.count + card.value
    if count > LIMIT:
        raise IllegalMove(
            "The {name} would make {count}, and no card may take the count over 31.", name=card.name, count=count
        )
    series = (*laid.series, card)
    played = (*laid.played[:seat], (*laid.played[seat], card), *laid.played[seat + 1 :])
    scored = tuple(Award(seat, item.points, item.reason, item.cards) for item in play_items(series, count))
    turn = _after(seat, played, (*laid.gone, *laid.out), laid.size)
    # Written out, not `replace`: this is the step made most often, and it takes half the time.
    after = Laid(turn, played, series, count, laid.gone, seat, laid.goes, laid.size, laid.once, laid.out)
    if count == LIMIT:
        return _end_series(after), scored, ()
    if turn is None:
        return _end_series(after), scored, _last_card(after)
    return after, scored, ()


def say_go(laid: Laid, seat: int) -> tuple[Laid, tuple[Award, ...]]:
    """`seat`, whose turn it is, says go: the play after it, and the last-card point if that ends the series.

    Raises IllegalMove at a count at which any card fits.
    """
    if laid.count <= ANY_FITS:
        raise IllegalMove("Nobody can say go at {count}: any card fits.", count=laid.count)
    gone = (*laid.gone, seat)
    goes = (*laid.goes, Said(seat, laid.count, len(laid.played[seat])))
    turn = _after(seat, laid.played, (*gone, *laid.out), laid.size)
    laid = replace(laid, turn=turn, gone=gone, goes=goes)
    return (laid, ()) if turn is not None else (_end_series(laid), _last_card(laid))


def reneges(laid: Laid, seat: int, hand: tuple[Card, ...]) -> tuple[Renege, ...]:
    """Each card that `seat` held and could have played when it said go.

    `hand` has the played cards first, in order.
    """
    return tuple(
        Renege(seat, said.count, card)
        for said in laid.goes
        if said.seat == seat
        for card in hand[said.played :]
        if said.count + card.value <= LIMIT
    )


def _after(seat: int, played: tuple[tuple[Card, ...], ...], gone: tuple[int, ...], size: int) -> int | None:
    """The next seat clockwise, `seat` itself the last asked, that has cards and is not one of `gone`."""
    seats = len(played)
    for step in range(1, seats + 1):
        asked = (seat + step) % seats
        if len(played[asked]) < size and asked not in gone:
            return asked
    return None


def _end_series(laid: Laid) -> Laid:
    assert laid.last is not None
    turn = None if laid.once else _after(laid.last, laid.played, laid.out, laid.size)
    return replace(laid, turn=turn, series=(), count=0, gone=())


def _last_card(laid: Laid) -> tuple[Award, ...]:
    assert laid.last is not None
    return (Award(laid.last, 1, "last card", laid.series[-1:]),)
