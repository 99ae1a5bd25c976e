"""A card is a whole number from 0 to 51 that can say its name. Written as in docs/reference/moves.md.

`card("5H")` reads, `str(card)` writes; the number is `rank * 4 + suit`, rank 0 for the ace (always low),
so that a card is its own index into the scoring tables.
"""

from companion.common.errors import BadCard
from companion.i18n import Sentence, phrase, say

RANKS = "A23456789TJQK"
SUITS = "CDHS"
RANK_NAMES = (
    phrase("ace"), "2", "3", "4", "5", "6", "7", "8", "9", "10", phrase("jack"), phrase("queen"), phrase("king"),
)  # fmt: skip
SUIT_NAMES = (phrase("clubs"), phrase("diamonds"), phrase("hearts"), phrase("spades"))
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
        """What the card counts in fifteens and in the play: 1 to 10."""
        return min((self >> 2) + 1, 10)

    @property
    def name(self) -> Sentence:
        """As players say it: `the 5 of hearts` without its article."""
        return say("{rank} of {suit}", rank=say(RANK_NAMES[self.rank]), suit=say(SUIT_NAMES[self.suit]))

    def __str__(self) -> str:
        return RANKS[self >> 2] + SUITS[self & 3]

    def __repr__(self) -> str:
        return f'card("{self}")'


LONGEST = 400
"""No text longer than this is typed for some cards."""

PACK = tuple(Card(n) for n in range(52))

_BY_TEXT = {str(c): c for c in PACK} | {f"10{s}": PACK[36 + i] for i, s in enumerate(SUITS)}


def card(text: str) -> Card:
    """The card written as `5H`, `TD` or `10D`. Raises BadCard for any other text."""
    found = _BY_TEXT.get(text)
    if found is None:
        is_short = len(text) <= 3 and text.isalnum() and text.isascii()
        told = say("no card {text}", text=text) if is_short else say("no such card")
        raise BadCard("There is {told}: write rank and suit, such as 5H, TD or JS.", told=told)
    return found


def cards(text: str) -> tuple[Card, ...]:
    """Cards written together or parted by blanks or commas: `5H5S5CJD`, `5H, 5S`. Raises BadCard."""
    letters = "".join(text.replace(",", " ").split())
    found: list[Card] = []
    while letters:
        size = 3 if letters.startswith("10") else 2
        found.append(card(letters[:size]))
        letters = letters[size:]
    return tuple(found)


_SIGNS = str.maketrans("♣♧♦♢♥♡♠♤", "CCDDHHSS", "\ufe0e\ufe0f")
"""The suits' signs as letters; a phone may write an invisible sign after them, for how they are to look."""


def typed(text: str) -> tuple[Card, ...]:
    """Cards as a person types them: also in small letters and with the suits' signs, `5h`, `10♥`. Raises BadCard."""
    return cards(text.translate(_SIGNS).upper() if len(text) <= LONGEST else text)
