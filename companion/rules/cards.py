"""A card is an integer from 0 to 51 with a name. docs/reference/moves.md describes its text form.

`parse_card("5H")` reads it, `str(card)` writes it. The number is `rank * 4 + suit` with rank 0 for the ace (always
low), so a card is also its index in the scoring tables.
"""

from companion.common.errors import BadCard
from companion.i18n import Message, format_message, gettext_noop

RANKS = "A23456789TJQK"
SUITS = "CDHS"
RANK_NAMES = (
    gettext_noop("ace"), "2", "3", "4", "5", "6", "7", "8", "9", "10", gettext_noop("jack"), gettext_noop("queen"),
    gettext_noop("king"),
)  # fmt: skip
SUIT_NAMES = (gettext_noop("clubs"), gettext_noop("diamonds"), gettext_noop("hearts"), gettext_noop("spades"))
JACK = RANKS.index("J")


class Card(int):
    """A playing card, 0 to 51."""

    __slots__ = ()

    @property
    def rank(self) -> int:
        """0 for the ace to 12 for the king."""
        return self >> 2

    @property
    def suit(self) -> int:
        """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
        return self & 3

    @property
    def value(self) -> int:
        """The card's value in fifteens and in the play: 1 to 10."""
        return min((self >> 2) + 1, 10)

    @property
    def name(self) -> Message:
        """The card's name without an article: "5 of hearts"."""
        return format_message(
            "{rank} of {suit}", rank=format_message(RANK_NAMES[self.rank]), suit=format_message(SUIT_NAMES[self.suit])
        )

    def __str__(self) -> str:
        return RANKS[self >> 2] + SUITS[self & 3]

    def __repr__(self) -> str:
        return f'card("{self}")'


MAX_TYPED_LENGTH = 400
"""Maximum length of a typed list of cards, in characters."""

PACK = tuple(Card(n) for n in range(52))

_CARDS_BY_TEXT = {str(c): c for c in PACK} | {f"10{s}": PACK[36 + i] for i, s in enumerate(SUITS)}


def parse_card(text: str) -> Card:
    """Return the card written as `5H`, `TD` or `10D`. Raises BadCard for any other text."""
    found = _CARDS_BY_TEXT.get(text)
    if found is None:
        is_short = len(text) <= 3 and text.isalnum() and text.isascii()
        if is_short:
            raise BadCard("There is no card {text}: write rank and suit, such as 5H, TD or JS.", text=text)
        raise BadCard("There is no such card: write rank and suit, such as 5H, TD or JS.")
    return found


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return cards written together or separated by blanks or commas: `5H5S5CJD`, `5H, 5S`. Raises BadCard."""
    letters = "".join(text.replace(",", " ").split())
    found: list[Card] = []
    while letters:
        size = 3 if letters.startswith("10") else 2
        found.append(parse_card(letters[:size]))
        letters = letters[size:]
    return tuple(found)


_SUIT_SYMBOLS = str.maketrans("♣♧♦♢♥♡♠♤", "CCDDHHSS", "\ufe0e\ufe0f")
"""Maps suit symbols to letters and removes the invisible variation selectors that phones add."""


def parse_typed_cards(text: str) -> tuple[Card, ...]:
    """Return cards as people type them: also in lower case and with suit symbols, `5h`, `10♥`. Raises BadCard."""
    return parse_cards(text.translate(_SUIT_SYMBOLS).upper() if len(text) <= MAX_TYPED_LENGTH else text)
