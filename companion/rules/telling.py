"""What was done, in whole sentences, for every page and voice: "Red played the 5 of hearts.". Pure.

The counts that a move earned follow it, in the players' words (`companion.rules.saying`). What the move says already
is not said again. The sentences are `last.said` of the snapshot and `say` of the history (`docs/reference/http.md`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.rules import moves, saying
from companion.rules.engine import Award, History
from companion.rules.moves import Move
from companion.words import Sentence, capital, joined, listed, phrase, say

Names = Sequence[str]
"""The names of the seats."""

_BASES = {1: phrase("first"), 2: phrase("second"), 3: phrase("third")}


def describe_last_move(before: History[Any], after: History[Any], names: Names) -> dict[str, Any]:
    """What the last move was: `said`, in sentences, and `counts`, what the move that now stands last has earned.

    Where it was an undo, `undone` is the move that it took back.
    """
    counts = saying.counts(after.awards, names)
    if after.led is before:
        return {"said": sentences(after, names), "counts": counts}
    return {"said": taken_back(before, names), "counts": counts, "undone": before.move}


def sentences(made: History[Any], names: Names) -> tuple[str, ...]:
    """What was done by the move that led to this state, what it earned, and the goes that it has shown to be wrong."""
    move = _move(made)
    done = say(_LED_TO[_led_to(made)][0]) if isinstance(move, moves.Next) else _said(move, names, 0)
    earned = saying.describe_awards((award for award in made.awards if not _is_said(move, award)), names)
    return (say("{done}.", done=done), *earned, *(_renege(each, names) for each in made.notes.get("reneges", ())))


def taken_back(undone: History[Any], names: Names) -> tuple[str, ...]:
    """What an undo did by taking back the move that had led to this state: "Red's 5 of hearts is taken back."."""
    move = _move(undone)
    what = say(_LED_TO[_led_to(undone)][1]) if isinstance(move, moves.Next) else called(move, names)
    return (capital(say("{what} is taken back.", what=what)),)


def _move(made: History[Any]) -> Move:
    assert made.move is not None
    return made.move


def _said(move: Move, names: Names, which: int) -> Sentence:
    return say(_MOVE_SENTENCES[type(move)][which], **_named(move, names))


def called(move: Move, names: Names) -> Sentence:
    """What a move is called afterwards: "Red's 5 of hearts". Not for `next`, which is called by where it led."""
    return _said(move, names, 1)


def _is_said(move: Move, award: Award) -> bool:
    """Whether the award is no more than the move says: that so much was adjusted, claimed or pegged."""
    if isinstance(move, moves.Adjust):
        return award.reason == "adjust"
    same = isinstance(move, moves.Claim | moves.Peg) and award.points == move.points
    return same and award.reason in ("claim", "pegged")


def _led_to(made: History[Any]) -> str:
    """Where `next` went."""
    assert made.before is not None
    if made.before.state.phase == "swap" or made.state.phase == "place":
        return "layout"
    return "hand" if made.before.state.phase == "between" else "game"


def _renege(renege: Any, names: Names) -> Sentence:
    who, card = names[renege.seat], renege.card.name
    return say("{who} said go at {count} and held the {card}.", who=who, count=renege.count, card=card)


def _named(move: Any, names: Names) -> dict[str, str]:
    """The words that a sentence about this move may need."""
    found = {"who": names[move.seat]} if hasattr(move, "seat") else {}
    for name, word in _FIELD_WORDS.items():
        if hasattr(move, name):
            found[name] = word(getattr(move, name))
    if isinstance(move, moves.Adjust):
        found |= _corrected(move, names)
    if isinstance(move, moves.Lay):
        found["what"] = say("markers") if move.colours else say("cards")
    return found


def _corrected(move: moves.Adjust, names: Names) -> dict[str, str]:
    """Whose score was corrected by how much: "Red's score was corrected by −2 and Blue's by +3"."""
    told = [(names[part.seat], f"{part.points:+d}".replace("-", "−")) for part in move.parts]
    (who, by), *others = told
    first = say("{who}'s score was corrected by {by}", who=who, by=by)
    whose = listed([say("{who}'s", who=who) for who, _ in told])
    return {
        "corrected": listed([first, *(say("{who}'s by {by}", who=who, by=by) for who, by in others)]),
        "whose": say("{whose} scores", whose=whose) if others else say("{whose} score", whose=whose),
    }


_FIELD_WORDS: Mapping[str, Callable[[Any], str]] = {
    "card": lambda card: card.name,
    "to": lambda card: card.name,
    "cards": lambda cards: joined([card.name for card in cards]),
    "points": str,
    "dice": lambda dice: listed([str(die) for die in dice]),
    "base": lambda base: say(_BASES[base]),
    "chips": lambda chips: listed([say(chip) for chip in chips]),
    "chip": say,
}

_MOVE_SENTENCES: Mapping[type[Move], tuple[str, str]] = {
    moves.Starter: (phrase("The {card} was cut"), phrase("the cut of the {card}")),
    moves.Play: (phrase("{who} played the {card}"), phrase("{who}'s {card}")),
    moves.Go: (phrase("{who} said go"), phrase("{who}'s go")),
    moves.Crib: (phrase("The crib: {cards}"), phrase("the crib")),
    moves.Hand: (phrase("{who} showed {cards}"), phrase("{who}'s hand")),
    moves.Claim: (phrase("{who} claimed {points}"), phrase("{who}'s claim of {points}")),
    moves.Muggins: (phrase("{who} called muggins for {points}"), phrase("{who}'s call of muggins")),
    moves.Misdeal: (phrase("Misdeal"), phrase("the misdeal")),
    moves.Adjust: (phrase("{corrected}"), phrase("the correction of {whose}")),
    moves.Correct: (
        phrase("The {card} was the {to}: the deal is counted again"),
        phrase("the correction of the {card}"),
    ),
    moves.Roll: (phrase("{who} rolled {dice}"), phrase("{who}'s roll of {dice}")),
    moves.Steal: (phrase("{who} let the runner on {base} steal"), phrase("{who}'s steal")),
    moves.Take: (phrase("{who} took {chips}"), phrase("{who}'s taking of {chips}")),
    moves.Exchange: (phrase("{who} exchanged two markers"), phrase("{who}'s exchange")),
    moves.Return: (phrase("{who} gave {chip} back"), phrase("{who}'s return of {chip}")),
    moves.Lay: (phrase("The {what} were laid"), phrase("the layout")),
    moves.Swap: (phrase("Two cards were swapped"), phrase("the swap")),
    moves.Place: (phrase("The {card} was placed"), phrase("the {card}")),
    moves.Peg: (phrase("{who} pegged {points}"), phrase("{who}'s peg of {points}")),
    moves.TakeBoard: (phrase("The pegs were taken as they stand"), phrase("the taking of the pegs as they stood")),
}
"""By kind of move, what is said of it, and what it is called when it is taken back. `next` is said by where it led."""

_LED_TO: Mapping[str, tuple[str, str]] = {
    "layout": (phrase("New layout"), phrase("the new layout")),
    "hand": (phrase("Next hand"), phrase("the next hand")),
    "game": (phrase("New game"), phrase("the new game")),
}
"""By where `next` led, what is said of it, and what it is called when it is taken back."""
