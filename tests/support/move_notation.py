"""A short notation for moves in tests: `cut 5D; 1 TH; go 0; 0 claims 2; crib 5H5S5CJD; 0 adjusts -2; next`."""

from companion.rules.cards import parse_card, parse_cards
from companion.rules.moves import (
    Adjust,
    Claim,
    Crib,
    Go,
    Hand,
    Infringement,
    Misdeal,
    Move,
    Muggins,
    Next,
    Play,
    Rule,
    Starter,
    Undo,
)

_PLAIN_MOVES = {"next": Next(), "misdeal": Misdeal(), "undo": Undo(), "accept": Rule(True), "waive": Rule(False)}


def parse_story(story: str) -> list[Move]:
    """Parse the moves of a story."""
    moves: list[Move] = []
    for part in story.split(";"):
        match part.split():
            case ["cut", text]:
                moves.append(Starter(parse_card(text)))
            case ["go", seat]:
                moves.append(Go(int(seat)))
            case ["crib", text]:
                moves.append(Crib(parse_cards(text)))
            case [seat, "shows", text]:
                moves.append(Hand(int(seat), parse_cards(text)))
            case [seat, "adjusts", points]:
                moves.append(Adjust(int(seat), int(points)))
            case [seat, "claims", points]:
                moves.append(Claim(int(seat), int(points)))
            case [seat, "calls", points]:
                moves.append(Muggins(int(seat), int(points)))
            case ["judge", seat, what, *points]:
                moves.append(Infringement(int(seat), what, int(points[0]) if points else None))
            case [seat, text]:
                moves.append(Play(int(seat), parse_card(text)))
            case [word]:
                moves.append(_PLAIN_MOVES[word])
    return moves
