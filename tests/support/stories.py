"""Stories of games, a line each: what is set up, the moves, and what everybody sees after the last of them."""

from typing import Any

import pytest

from companion import rules
from companion.common.errors import IllegalMove
from companion.rules import Setup, Step, advance
from companion.rules.cards import parse_card, parse_cards
from companion.rules.engine import History
from companion.rules.moves import Move
from tests.support.move_notation import parse_story


class Story:
    """A game in the notation of `parse_story`, from its start or from a state.

    >>> Story("six-card", "cut JD", "dealer=1").awards
    '1+2 his heels'
    """

    def __init__(self, key: str, moves: str = "", setup: str = "", start: Any = None) -> None:
        chosen = {"seats": "2", "dealer": "0"} | dict(word.split("=") for word in setup.split())
        seats, dealer = int(chosen.pop("seats")), chosen.pop("dealer")
        self.game = rules.find_game(key)
        self.setup = Setup(seats, None if dealer == "none" else int(dealer), chosen)
        self.past: History[Any] = rules.begin_game(self.game, self.setup) if start is None else History(start)
        self.step: Step[Any] = Step(self.past.state)
        self.tell(moves)

    def tell(self, moves: str) -> "Story":
        self.make(*parse_story(moves))
        return self

    def make(self, *moves: Move) -> "Story":
        for move in moves:
            self.past, self.step = advance(self.game, self.past, move)
        return self

    @property
    def state(self) -> Any:
        return self.past.state

    @property
    def view(self) -> Any:
        return self.game.view(self.state)

    @property
    def awards(self) -> str:
        """The awards of the last move: seat, points and reason of each."""
        return ", ".join(f"{award.seat}{award.points:+} {award.reason}" for award in self.step.awards)

    def refuse(self, moves: str | Move) -> str:
        """Return why the last of these moves is refused; it must change nothing."""
        *before, last = parse_story(moves) if isinstance(moves, str) else [moves]
        self.make(*before)
        past = self.past
        with pytest.raises(IllegalMove) as refusal:
            self.make(last)
        assert self.past is past
        return str(refusal.value)

    def check_scan(self, card: str, expected: Move | str | None, lying: str = "") -> None:
        """Compare the move of a scanned card beside the cards `lying`, or a part of what is said to refuse it."""
        if isinstance(expected, str):
            with pytest.raises(IllegalMove, match=expected):
                self.game.interpret_scan(self.state, parse_cards(lying), parse_card(card))
        else:
            assert self.game.interpret_scan(self.state, parse_cards(lying), parse_card(card)) == expected

    def check(self, **expected: Any) -> None:
        """Compare fields of the last step's notes, of the view or else of the state.

        Besides, there are `awards` as text, `scored` (the cards of each award) and `notes`.
        """
        scored = " ".join("".join(map(str, award.cards)) for award in self.step.awards)
        notes = dict(self.step.notes)
        shown = {**self.view, **notes, "notes": notes, "awards": self.awards, "scored": scored}
        found = {name: shown[name] if name in shown else getattr(self.state, name) for name in expected}
        assert found == expected, found


def story(name: str, moves: str, setup: str = "", **expected: Any) -> Any:
    """Return a row of a table: its name, its moves, its setup, and what is to be seen."""
    return pytest.param(moves, setup, expected, id=name)


def tell_each(*rows: Any) -> Any:
    """Return the parametrization of a test by stories."""
    return pytest.mark.parametrize(("moves", "setup", "expected"), rows)


def refuse_each(text: str) -> Any:
    """Return the parametrization of a test by refusals, a line each: setup | moves, the last refused | what is said."""
    rows = [[part.strip() for part in line.split("|")] for line in text.strip().splitlines()]
    return pytest.mark.parametrize(("setup", "moves", "says"), rows)
