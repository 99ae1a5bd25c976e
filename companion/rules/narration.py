"""What was done, in whole sentences, for every page and voice: "Red played the 5 of hearts.". Pure.

The counts that a move earned follow it, in the players' words (`companion.rules.narration`). What the move says already
is not said again. The sentences are `last.said` of the snapshot and `say` of the history (`docs/reference/http.md`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.i18n import Sentence, capital, joined, listed, phrase, say
from companion.rules import moves
from companion.rules.cards import Card
from companion.rules.engine import Award, History
from companion.rules.moves import Move

_WORDS = (
    phrase("zero"),
    phrase("one"),
    phrase("two"),
    phrase("three"),
    phrase("four"),
    phrase("five"),
    phrase("six"),
    phrase("seven"),
    phrase("eight"),
    phrase("nine"),
    phrase("ten"),
    phrase("eleven"),
    phrase("twelve"),
    phrase("thirteen"),
    phrase("fourteen"),
    phrase("fifteen"),
    phrase("sixteen"),
    phrase("seventeen"),
    phrase("eighteen"),
    phrase("nineteen"),
    phrase("twenty"),
    phrase("twenty-one"),
    phrase("twenty-two"),
    phrase("twenty-three"),
    phrase("twenty-four"),
    phrase("twenty-five"),
    phrase("twenty-six"),
    phrase("twenty-seven"),
    phrase("twenty-eight"),
    phrase("twenty-nine"),
    phrase("thirty"),
    phrase("thirty-one"),
)
_RUNS = {
    1: phrase("a run of {length}"),
    2: phrase("a double run of {length}"),
    3: phrase("a triple run of {length}"),
    4: phrase("a double double run of {length}"),
}
_ALIKE = {1: phrase("a pair"), 3: phrase("three alike"), 6: phrase("four alike")}
_NAMES = {
    "pair": phrase("a pair"), "run": phrase("a run"), "flush": phrase("a flush"), "line": phrase("a line"),
    "plus": phrase("a plus"), "cross": phrase("a cross"), "zigzag": phrase("a zig-zag"),
}  # fmt: skip
_FOR = {"his heels": phrase("his heels"), "his nobs": phrase("his nobs"), "last card": phrase("last")}
"""What is said the other way round where it stands alone: "one for last"."""
_ORDER = ("fifteen", "thirty-one", "pair", "three alike", "four alike", "run", "flush", "his nobs")
"""What is counted in one breath, in the order it is counted. Any other reason stands alone."""


class Counted(Protocol):
    """An item or an award."""

    @property
    def reason(self) -> str: ...  # noqa: D102
    @property
    def points(self) -> int: ...  # noqa: D102
    @property
    def cards(self) -> tuple[Card, ...]: ...  # noqa: D102


def word(number: int) -> str:
    """A number in words up to thirty-one, in digits beyond."""
    return say(_WORDS[number]) if 0 <= number < len(_WORDS) else str(number)


def count(items: Sequence[Counted]) -> Sentence:
    """The items of one hand or one card, each with the running total. Without any: "nothing"."""
    parts: list[Sentence] = []
    total = 0
    gathered = _gathered(items)
    for name, points in gathered:
        total += points
        parts.append(_part(name, word(total), is_alone=len(gathered) == 1))
    if len(parts) > 1 and not parts[-1].startswith("fifteen"):
        parts[-1] = say("and {part}", part=parts[-1])
    return joined(parts) if parts else say("nothing")


def _part(name: str, total: str, *, is_alone: bool) -> Sentence:
    if name == "fifteen":
        return say("fifteen {total}", total=total)
    if name == "thirty-one":
        return say("thirty-one for {total}", total=total)
    if is_alone and name in _FOR:
        return say("{total} for {reason}", total=total, reason=say(_FOR[name]))
    if " run of" in name and not name.startswith("a run"):
        return say("{name} makes {total}", name=name, total=total)
    return say("{name} is {total}", name=name, total=total)


def claimed(name: str, points: int, truth: Sequence[Counted]) -> Sentence:
    """A claim held against the truth: "Blue claimed 2, 2 missed: fifteen two, and a pair is four."."""
    missed = sum(item.points for item in truth) - points
    verdict = say(", {n} missed", n=missed) if missed > 0 else say(", {n} too many", n=-missed) if missed < 0 else ""
    return say(
        "{name} claimed {points}{verdict}: {count}.", name=name, points=points, verdict=verdict, count=count(truth)
    )


def describe_awards(awards: Iterable[Award], names: Sequence[str]) -> tuple[str, ...]:
    """A sentence for each hand or card that earned something: "Blue: fifteen two, and a pair is four."."""
    return tuple(each.say for each in counts(awards, names))


@dataclass(frozen=True, slots=True)
class Count:
    """What one hand or card earned: the sum, the cards that made it, each once, and all of it in a sentence."""

    seat: int
    points: int
    cards: tuple[Card, ...]
    say: str


def counts(awards: Iterable[Award], names: Sequence[str]) -> tuple[Count, ...]:
    """What each hand or card earned, in order."""
    groups: list[list[Award]] = []
    for award in awards:
        if groups and _goes_on(groups[-1], award):
            groups[-1].append(award)
        else:
            groups.append([award])
    return tuple(
        Count(
            seat=group[0].seat,
            points=sum(award.points for award in group),
            cards=tuple(dict.fromkeys(card for award in group for card in award.cards)),
            say=say("{name}: {count}.", name=names[group[0].seat], count=_alone(group[0]) or count(group)),
        )
        for group in groups
    )


def _gathered(items: Sequence[Counted]) -> list[tuple[str, int]]:
    """Names and points, with runs that share cards as one, and the pairs within them; likewise three and four alike.

    What no one hand has is of several cards or hands, and each stands alone: runs of three and of four, a pair of
    fives twice.
    """
    runs = [item for item in items if item.reason == "run"]
    lengths = {len(run.cards) for run in runs}
    shares = len(lengths) == 1 and 1 < len(runs) <= len(_RUNS)
    in_runs = {c.rank for run in runs for c in run.cards} if shares else set()
    pairs: dict[int, int] = {}
    for item in items:
        if item.reason == "pair":
            pairs[item.cards[0].rank] = pairs.get(item.cards[0].rank, 0) + 1
    names: list[tuple[str, int]] = [("fifteen", item.points) for item in items if item.reason == "fifteen"]
    names += [("thirty-one", item.points) for item in items if item.reason == "thirty-one"]
    for rank, n in pairs.items():
        if rank not in in_runs:
            names += [(say(_ALIKE[n]), 2 * n)] if n in _ALIKE else [(say(_ALIKE[1]), 2)] * n
    if shares:
        shared = sum(2 * n for rank, n in pairs.items() if rank in in_runs)
        (length,) = lengths
        names.append((say(_RUNS[len(runs)], length=word(length)), length * len(runs) + shared))
    else:
        names += [(say(_RUNS[1], length=word(len(run.cards))), len(run.cards)) for run in runs]
    others = ("fifteen", "thirty-one", "pair", "run")
    return names + [
        (say(_NAMES.get(item.reason, item.reason)), item.points) for item in items if item.reason not in others
    ]


def _goes_on(group: Sequence[Award], award: Award) -> bool:
    """Whether the award belongs to the same card or hand as the group's."""
    first, last = group[0], group[-1]
    if award.seat != first.seat or first.reason not in _ORDER or award.reason not in _ORDER:
        return False
    if any(each.reason == "thirty-one" and not set(award.cards) <= set(each.cards) for each in group):
        return False
    return _ORDER.index(award.reason) >= _ORDER.index(last.reason)


def _alone(award: Award) -> Sentence | None:
    """What is not counted but just given, as said."""
    pattern = _GIVEN.get(award.reason)
    if pattern is None:
        return None
    if award.points < 0:
        pattern = _FEWER.get(award.reason, pattern)
    if award.reason == "renege" and award.cards:
        pattern = phrase("{points} for the renege, the {card}")
    cards = [card.name for card in award.cards[:1]]
    return say(pattern, points=word(abs(award.points)), by=f"{award.points:+d}", card=cards[0] if cards else "")


_GIVEN = {
    "claim": phrase("claims {points}"),
    "muggins": phrase("muggins for {points}"),
    "overclaim": phrase("{points} for an overclaim"),
    "false claim": phrase("{points} for a false claim"),
    "three for last": phrase("three for last"),
    "adjust": phrase("adjusted by {by}"),
    "correct": phrase("{points} more"),
    "pegged": phrase("pegs {points}"),
    "renege": phrase("{points} for the renege"),
}
_FEWER = {"false claim": phrase("{points} back for a false claim"), "correct": phrase("{points} fewer")}


Names = Sequence[str]
"""The names of the seats."""

_BASES = {1: phrase("first"), 2: phrase("second"), 3: phrase("third")}


def describe_last_move(before: History[Any], after: History[Any], names: Names) -> dict[str, Any]:
    """What the last move was: `said`, in sentences, and `counts`, what the move that now stands last has earned.

    Where it was an undo, `undone` is the move that it took back.
    """
    earned = counts(after.awards, names)
    if after.led is before:
        return {"said": sentences(after, names), "counts": earned}
    return {"said": taken_back(before, names), "counts": earned, "undone": before.move}


def sentences(made: History[Any], names: Names) -> tuple[str, ...]:
    """What was done by the move that led to this state, what it earned, and the goes that it has shown to be wrong."""
    move = _move(made)
    done = say(_LED_TO[_led_to(made)][0]) if isinstance(move, moves.Next) else _said(move, names, 0)
    earned = describe_awards((award for award in made.awards if not _is_said(move, award)), names)
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
