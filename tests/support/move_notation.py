"""A short notation for moves in tests: `cut 5D; 1 TH; go 0; 0 claims 2; crib 5H5S5CJD; 0 adjusts -2; next`."""

from companion.rules import moves
from companion.rules.cards import parse_card, parse_cards

_WITHOUT_SEAT = {
    "cut": lambda card: moves.Starter(parse_card(card)),
    "go": lambda seat: moves.Go(int(seat)),
    "crib": lambda cards: moves.Crib(parse_cards(cards)),
    "count_crib": lambda points: moves.CountCrib(int(points)),
    "correct": lambda card, right: moves.Correct(parse_card(card), parse_card(right)),
    "lay": lambda cards, *starter: moves.Lay(parse_cards(cards), *map(parse_card, starter)),
    "place": lambda card, cell: moves.Place(parse_card(card), _parse_cell(cell)),
    "swap": lambda a, b: moves.Swap(_parse_cell(a), _parse_cell(b)),
    "judge": lambda seat, what, *points: moves.Infringement(int(seat), what, *map(int, points)),
    "next": moves.Next,
    "misdeal": moves.Misdeal,
    "undo": moves.Undo,
    "take_board": moves.TakeBoard,
    "accept": lambda: moves.Rule(True),
    "waive": lambda: moves.Rule(False),
}
_AFTER_SEAT = {
    "shows": lambda seat, cards: moves.Hand(seat, parse_cards(cards)),
    "adjusts": lambda seat, points: moves.Adjust(seat, int(points)),
    "claims": lambda seat, points: moves.Claim(seat, int(points)),
    "calls": lambda seat, points: moves.Muggins(seat, int(points)),
    "pegs": lambda seat, points: moves.Peg(seat, int(points)),
    "rolls": lambda seat, *dice: moves.Roll(seat, tuple(map(int, dice))),
    "steals": lambda seat, base: moves.Steal(seat, int(base)),
    "takes": lambda seat, *chips: moves.Take(seat, chips),
    "exchanges": lambda seat, a, b: moves.Exchange(seat, _parse_cell(a), _parse_cell(b)),
    "returns": moves.Return,
}


def parse_story(story: str) -> list[moves.Move]:
    return [_parse_move(*part.split()) for part in story.split(";") if part.strip()]


def _parse_move(first: str, *words: str) -> moves.Move:
    if first in _WITHOUT_SEAT:
        return _WITHOUT_SEAT[first](*words)
    if words[0] in _AFTER_SEAT:
        return _AFTER_SEAT[words[0]](int(first), *words[1:])
    return moves.Play(int(first), parse_card(*words))


def _parse_cell(text: str) -> tuple[int, int]:
    """Read row and column: `04`; `-10` is outside."""
    return int(text[:-1]), int(text[-1])
