"""What was done, in whole sentences, for every page and voice: "Red played the 5 of hearts.". Pure.

The counts that a move earned follow it, in the players' words (`companion.rules.saying`). What the move says already
is not said again. The sentences are `last.said` of the snapshot and `say` of the history (`docs/reference/http.md`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from companion.rules import moves, saying
from companion.rules.engine import Award, History
from companion.rules.moves import Move

Names = Sequence[str]
"""The names of the seats."""

_BASES = {1: "first", 2: "second", 3: "third"}


def told(before: History[Any], after: History[Any], names: Names) -> dict[str, Any]:
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
    done = _led_to(made) if isinstance(move, moves.Next) else _said(move, names, 0)
    earned = saying.told((award for award in made.awards if not _is_said(move, award)), names)
    return (f"{done}.", *earned, *(_renege(each, names) for each in made.notes.get("reneges", ())))


def taken_back(undone: History[Any], names: Names) -> tuple[str, ...]:
    """What an undo did by taking back the move that had led to this state: "Red's 5 of hearts is taken back."."""
    move = _move(undone)
    what = f"the {_led_to(undone).lower()}" if isinstance(move, moves.Next) else called(move, names)
    return (f"{what[0].upper()}{what[1:]} is taken back.",)


def _move(made: History[Any]) -> Move:
    assert made.move is not None
    return made.move


def _said(move: Move, names: Names, which: int) -> str:
    return _WORDS[type(move)][which].format_map(_named(move, names))


def called(move: Move, names: Names) -> str:
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
        return "New layout"
    return "Next hand" if made.before.state.phase == "between" else "New game"


def _renege(renege: Any, names: Names) -> str:
    return f"{names[renege.seat]} said go at {renege.count} and held the {renege.card.name}."


def _listed(words: Iterable[str]) -> str:
    """ "one, two and three"."""
    *most, end = words
    return f"{', '.join(most)} and {end}" if most else end


def _named(move: Any, names: Names) -> dict[str, str]:
    """The words that a sentence about this move may need."""
    found = {"who": names[move.seat]} if hasattr(move, "seat") else {}
    for name, word in _FIELD_WORDS.items():
        if hasattr(move, name):
            found[name] = word(getattr(move, name))
    if isinstance(move, moves.Adjust):
        whose = [f"{names[part.seat]}'s" for part in move.parts]
        by = [f"{part.points:+d}".replace("-", "−") for part in move.parts]
        others = [f"{each} by {points}" for each, points in zip(whose[1:], by[1:], strict=True)]
        found["corrected"] = _listed([f"{whose[0]} score was corrected by {by[0]}", *others])
        found["whose"] = f"{_listed(whose)} {'scores' if move.also else 'score'}"
    if isinstance(move, moves.Lay):
        found["what"] = "markers" if move.colours else "cards"
    return found


_FIELD_WORDS: Mapping[str, Callable[[Any], str]] = {
    "card": lambda card: card.name,
    "to": lambda card: card.name,
    "cards": lambda cards: ", ".join(card.name for card in cards),
    "points": str,
    "dice": lambda dice: _listed(map(str, dice)),
    "base": lambda base: _BASES[base],
    "chips": _listed,
    "chip": str,
}

_WORDS: Mapping[type[Move], tuple[str, str]] = {
    moves.Starter: ("The {card} was cut", "the cut of the {card}"),
    moves.Play: ("{who} played the {card}", "{who}'s {card}"),
    moves.Go: ("{who} said go", "{who}'s go"),
    moves.Crib: ("The crib: {cards}", "the crib"),
    moves.Hand: ("{who} showed {cards}", "{who}'s hand"),
    moves.Claim: ("{who} claimed {points}", "{who}'s claim of {points}"),
    moves.Muggins: ("{who} called muggins for {points}", "{who}'s call of muggins"),
    moves.Misdeal: ("Misdeal", "the misdeal"),
    moves.Adjust: ("{corrected}", "the correction of {whose}"),
    moves.Correct: ("The {card} was the {to}: the deal is counted again", "the correction of the {card}"),
    moves.Roll: ("{who} rolled {dice}", "{who}'s roll of {dice}"),
    moves.Steal: ("{who} let the runner on {base} steal", "{who}'s steal"),
    moves.Take: ("{who} took {chips}", "{who}'s taking of {chips}"),
    moves.Exchange: ("{who} exchanged two markers", "{who}'s exchange"),
    moves.Return: ("{who} gave {chip} back", "{who}'s return of {chip}"),
    moves.Lay: ("The {what} were laid", "the layout"),
    moves.Swap: ("Two cards were swapped", "the swap"),
    moves.Place: ("The {card} was placed", "the {card}"),
    moves.Peg: ("{who} pegged {points}", "{who}'s peg of {points}"),
    moves.TakeBoard: ("The pegs were taken as they stand", "the taking of the pegs as they stood"),
}
"""By kind of move, what is said of it, and what it is called when it is taken back. `next` is said by where it led."""
