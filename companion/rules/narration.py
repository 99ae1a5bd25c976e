"""Moves and counts in words, for every page and voice. Pure.

Counts read as players say them: "fifteen two, fifteen four, and a double run of three makes twelve". Scoring rules:
docs/reference/games/six-card.md#what-scores. Moves read as "Red played the 5 of hearts."; the points that the move
earned follow, unless the move states them itself. The page gets the texts as `last.said` of the snapshot and as `say`
of the history (docs/reference/http.md).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from companion.i18n import Message, format_message, format_plural, gettext_noop, join_messages, join_with_and
from companion.rules import moves, scoring
from companion.rules.cards import Card
from companion.rules.engine import Award, History
from companion.rules.match_terms import MatchTerms
from companion.rules.moves import Move

_NUMBER_WORDS = (
    gettext_noop("zero"), gettext_noop("one"), gettext_noop("two"), gettext_noop("three"), gettext_noop("four"),
    gettext_noop("five"), gettext_noop("six"), gettext_noop("seven"), gettext_noop("eight"), gettext_noop("nine"),
    gettext_noop("ten"), gettext_noop("eleven"), gettext_noop("twelve"), gettext_noop("thirteen"),
    gettext_noop("fourteen"), gettext_noop("fifteen"), gettext_noop("sixteen"), gettext_noop("seventeen"),
    gettext_noop("eighteen"), gettext_noop("nineteen"), gettext_noop("twenty"), gettext_noop("twenty-one"),
    gettext_noop("twenty-two"), gettext_noop("twenty-three"), gettext_noop("twenty-four"), gettext_noop("twenty-five"),
    gettext_noop("twenty-six"), gettext_noop("twenty-seven"), gettext_noop("twenty-eight"), gettext_noop("twenty-nine"),
    gettext_noop("thirty"), gettext_noop("thirty-one"),
)  # fmt: skip
_RUN_PHRASES = {
    1: gettext_noop("a run of {length}"),
    2: gettext_noop("a double run of {length}"),
    3: gettext_noop("a triple run of {length}"),
    4: gettext_noop("a double double run of {length}"),
}
_PAIR_PHRASES = {1: gettext_noop("a pair"), 3: gettext_noop("three of a kind"), 6: gettext_noop("four of a kind")}
_ITEM_NAMES = {
    "three alike": gettext_noop("three of a kind"),
    "four alike": gettext_noop("four of a kind"),
    "pair": gettext_noop("a pair"),
    "run": gettext_noop("a run"),
    "flush": gettext_noop("a flush"),
    "line": gettext_noop("a line"),
    "plus": gettext_noop("a plus"),
    "cross": gettext_noop("a cross"),
    "zigzag": gettext_noop("a zig-zag"),
}
_STANDALONE_REASONS = {
    "his heels": gettext_noop("his heels"),
    "his nobs": gettext_noop("his nobs"),
    "last card": gettext_noop("last"),
    "go": gettext_noop("the go"),
}
"""Reasons that are put after the points when they stand alone: "one for last". `go` is a last card within the play."""
_COUNTING_ORDER = ("fifteen", "thirty-one", "pair", "three alike", "four alike", "run", "flush", "his nobs")
"""Reasons that are counted together, in this order. Any other reason stands alone."""
_COUNT_PATTERN = gettext_noop("{name}: {count}.")


class ScoredItem(Protocol):
    """A scoring item or an award."""

    @property
    def reason(self) -> str: ...
    @property
    def points(self) -> int: ...
    @property
    def cards(self) -> tuple[Card, ...]: ...


def spell_number(number: int) -> str:
    """Return a number in words up to thirty-one, in digits beyond."""
    return format_message(_NUMBER_WORDS[number]) if 0 <= number < len(_NUMBER_WORDS) else str(number)


def describe_count(items: Sequence[ScoredItem]) -> Message:
    """Return the items of one hand or card with the running total; "nothing" without items."""
    parts: list[Message] = []
    total = 0
    gathered = _combine_items(items)
    for name, points in gathered:
        total += points
        parts.append(_describe_part(name, spell_number(total), is_alone=len(gathered) == 1))
    if len(parts) > 1 and not parts[-1].startswith("fifteen"):
        parts[-1] = format_message("and {part}", part=parts[-1])
    return join_messages(parts) if parts else format_message("nothing")


def _describe_part(name: str, total: str, *, is_alone: bool) -> Message:
    if name == "fifteen":
        return format_message("fifteen {total}", total=total)
    if name == "thirty-one":
        return format_message("thirty-one for {total}", total=total)
    if is_alone and name in _STANDALONE_REASONS:
        return format_message("{total} for {reason}", total=total, reason=format_message(_STANDALONE_REASONS[name]))
    if " run of" in name and not name.startswith("a run"):
        return format_message("{name} makes {total}", name=name, total=total)
    return format_message("{name} is {total}", name=name, total=total)


def describe_claim(name: str, points: int, truth: Sequence[ScoredItem]) -> Message:
    """Compare a claim with the truth: "Blue claimed 2, 2 missed: fifteen two, and a pair is four"."""
    missed = sum(item.points for item in truth) - points
    verdict = (
        format_message(", {n} missed", n=missed)
        if missed > 0
        else format_message(", {n} too many", n=-missed)
        if missed < 0
        else ""
    )
    return format_message(
        "{name} claimed {points}{verdict}: {count}.",
        name=name,
        points=points,
        verdict=verdict,
        count=describe_count(truth),
    )


@dataclass(frozen=True, slots=True)
class CountSentence:
    """The points of one hand or card, the cards that score (each once), and the sentence."""

    seat: int
    points: int
    cards: tuple[Card, ...]
    say: str


def summarize_counts(
    awards: Iterable[Award], names: Sequence[str], pattern: str = _COUNT_PATTERN
) -> tuple[CountSentence, ...]:
    """Return the count of each hand or card, in order, such as "Blue: fifteen two, and a pair is four."."""
    groups: list[list[Award]] = []
    for award in awards:
        if groups and _belongs_to_group(groups[-1], award):
            groups[-1].append(award)
        else:
            groups.append([award])
    return tuple(
        CountSentence(
            seat=group[0].seat,
            points=sum(award.points for award in group),
            cards=tuple(dict.fromkeys(card for award in group for card in award.cards)),
            say=_describe_group(group, names[group[0].seat], pattern),
        )
        for group in groups
    )


def _describe_group(group: Sequence[Award], name: str, pattern: str) -> Message:
    award = group[0]
    if award.reason in _OWN_SENTENCES and pattern != _COUNT_PATTERN:
        return format_message(pattern, name=name, count=spell_number(award.points))
    if award.reason in _OWN_SENTENCES:
        return format_message(_OWN_SENTENCES[award.reason], name=name, points=spell_number(award.points))
    return format_message(pattern, name=name, count=_describe_given(award) or describe_count(group))


def _combine_items(items: Sequence[ScoredItem]) -> list[tuple[str, int]]:
    """Return names and points, with related items combined.

    Runs that share cards become one double or triple run, including its pairs; pairs become three or four of a kind.
    Items that no single hand can have (runs of three and of four, a pair of fives twice) come from several and stay
    apart.
    """
    runs = [item for item in items if item.reason == "run"]
    lengths = {len(run.cards) for run in runs}
    shares = len(lengths) == 1 and 1 < len(runs) <= len(_RUN_PHRASES)
    in_runs = {c.rank for run in runs for c in run.cards} if shares else set()
    pairs: dict[int, int] = {}
    for item in items:
        if item.reason == "pair":
            pairs[item.cards[0].rank] = pairs.get(item.cards[0].rank, 0) + 1
    names: list[tuple[str, int]] = [("fifteen", item.points) for item in items if item.reason == "fifteen"]
    names += [("thirty-one", item.points) for item in items if item.reason == "thirty-one"]
    for rank, n in pairs.items():
        if rank not in in_runs:
            names += (
                [(format_message(_PAIR_PHRASES[n]), 2 * n)]
                if n in _PAIR_PHRASES
                else [(format_message(_PAIR_PHRASES[1]), 2)] * n
            )
    if shares:
        shared = sum(2 * n for rank, n in pairs.items() if rank in in_runs)
        (length,) = lengths
        names.append(
            (format_message(_RUN_PHRASES[len(runs)], length=spell_number(length)), length * len(runs) + shared)
        )
    else:
        names += [
            (format_message(_RUN_PHRASES[1], length=spell_number(len(run.cards))), len(run.cards)) for run in runs
        ]
    others = ("fifteen", "thirty-one", "pair", "run")
    return names + [
        (format_message(_ITEM_NAMES.get(item.reason, item.reason)), item.points)
        for item in items
        if item.reason not in others
    ]


def _belongs_to_group(group: Sequence[Award], award: Award) -> bool:
    first, last = group[0], group[-1]
    if award.seat != first.seat or first.reason not in _COUNTING_ORDER or award.reason not in _COUNTING_ORDER:
        return False
    if any(counted.reason == "thirty-one" and not set(award.cards) <= set(counted.cards) for counted in group):
        return False
    return _COUNTING_ORDER.index(award.reason) >= _COUNTING_ORDER.index(last.reason)


def _describe_given(award: Award) -> Message | None:
    """Return the text of an award that is given and not counted; None for a counted one."""
    if award.reason == "correct":
        if award.points < 0:
            return format_plural("{n} point taken back", "{n} points taken back", -award.points)
        return format_plural("{n} point added", "{n} points added", award.points)
    pattern = _AWARD_PHRASES.get(award.reason)
    if pattern is None:
        return None
    if award.points < 0:
        pattern = _DEDUCTION_PHRASES.get(award.reason, pattern)
    if award.reason == "renege" and award.cards:
        pattern = gettext_noop("{points} for the renege, the {card}")
    cards = [card.name for card in award.cards[:1]]
    return format_message(
        pattern, points=spell_number(abs(award.points)), by=_format_change(award.points), card=cards[0] if cards else ""
    )


def _format_change(points: int) -> str:
    """Return a change with its sign: "+3", "−2"."""
    return f"{points:+d}".replace("-", "−")


_OWN_SENTENCES = {"claim": gettext_noop("{name} claims {points}."), "pegged": gettext_noop("{name} pegs {points}.")}
_AWARD_PHRASES = {
    "muggins": gettext_noop("muggins for {points}"),
    "overclaim": gettext_noop("{points} for an overclaim"),
    "false claim": gettext_noop("{points} for a false claim"),
    "three for last": gettext_noop("three for last"),
    "adjust": gettext_noop("corrected by {by}"),
    "renege": gettext_noop("{points} for the renege"),
}
_DEDUCTION_PHRASES = {"false claim": gettext_noop("{points} back for a false claim")}


SeatNames = Sequence[str]
"""The names of the seats."""

_BASE_NAMES = {1: gettext_noop("first"), 2: gettext_noop("second"), 3: gettext_noop("third")}


def describe_last_move(before: History[Any], after: History[Any], names: SeatNames) -> dict[str, Any]:
    """Describe the last move: `said` in sentences, and `counts`, the points of the move that is now the last.

    After an undo, `undone` is the move that was taken back.
    """
    earned = _summarize_move(after, names, after.awards)
    if after.parent_or_loader is before:
        return {"said": describe_move(after, names), "counts": earned}
    return {"said": describe_undo(before, names), "counts": earned, "undone": before.move}


def describe_move(made: History[Any], names: SeatNames) -> tuple[str, ...]:
    """Describe the move that led to this state: what was done, what it earned, and the reneges that it revealed."""
    move = _require_move(made)
    done = (
        format_message(_NEXT_PHRASES[_classify_next(made)][0])
        if isinstance(move, moves.Next)
        else _format_move(move, names, 0)
    )
    earned = _summarize_move(made, names, [award for award in made.awards if not _is_stated_by_move(move, award)])
    return (format_message("{done}.", done=done), *(count.say for count in earned), *_describe_reneges(made, names))


def _summarize_move(made: History[Any], names: SeatNames, awards: Sequence[Award]) -> tuple[CountSentence, ...]:
    """Return these counts of a move. The crib is named, and so is the go that ended a series but not the play."""
    is_crib = isinstance(made.move, moves.Crib | moves.CountCrib)
    pattern = gettext_noop("{name}'s crib: {count}.") if is_crib else _COUNT_PATTERN
    counted = summarize_counts(_name_goes(awards, made.state.phase), names, pattern)
    worthless = _find_worthless(made)
    if True not in worthless.values():
        return counted
    first = len(counted) - list(worthless.values()).count(False)
    scored = iter(counted[first:])
    nothing = format_message("no points")
    return (
        *counted[:first],
        *(
            CountSentence(seat, 0, (), format_message(pattern, name=names[seat], count=nothing))
            if empty
            else next(scored)
            for seat, empty in worthless.items()
        ),
    )


def _find_worthless(made: History[Any]) -> dict[int, bool]:
    """Return the seats whose hand or crib this move has counted, in this order, with whether it is worth nothing.

    Empty where players claim their points, and at the end of a game or a loop, which leaves the rest uncounted.
    """
    deal, terms = getattr(made.state, "deal", None), getattr(made.state, "terms", None)
    ended = made.state.winner is not None or "knocked_out" in made.notes
    if not isinstance(terms, MatchTerms) or deal is None or terms.is_manual or ended:
        return {}
    if isinstance(made.move, moves.Crib) and deal.phase == "counted":
        counted = {deal.dealer: deal.crib}
    elif isinstance(made.move, moves.Play | moves.Go | moves.Hand) and deal.hands_counted and made.parent is not None:
        seats = deal.counting_order[made.parent.state.deal.hands_counted : deal.hands_counted]
        counted = {seat: deal.hands[seat] for seat in seats}
    else:
        return {}
    is_crib = isinstance(made.move, moves.Crib)
    return {
        seat: not scoring.award_hand(seat, cards, deal.starter, crib=is_crib, is_five_card=terms.is_five_card)
        for seat, cards in counted.items()
    }


def _name_goes(awards: Sequence[Award], phase: str) -> tuple[Award, ...]:
    """Return the awards with those for a last card called `go` if the play continues in this phase."""
    return tuple(
        replace(award, reason="go") if award.reason == "last card" and phase == "play" else award for award in awards
    )


def describe_undo(undone: History[Any], names: SeatNames) -> tuple[str, ...]:
    """Describe the undo of the move that led to this state, as in "Undone: Red's 5 of hearts"."""
    move = _require_move(undone)
    what = (
        format_message(_NEXT_PHRASES[_classify_next(undone)][1])
        if isinstance(move, moves.Next)
        else name_move(move, names)
    )
    return (format_message("Undone: {what}.", what=what),)


def _require_move(made: History[Any]) -> Move:
    assert made.move is not None
    return made.move


def _format_move(move: Move, names: SeatNames, which: int) -> Message:
    return format_message(_MOVE_SENTENCES[type(move)][which], **_message_arguments(move, names))


def name_move(move: Move, names: SeatNames) -> Message:
    """Return a noun phrase for a move: "Red's 5 of hearts". Not for `next`, which is named by what it began."""
    return _format_move(move, names, 1)


def _is_stated_by_move(move: Move, award: Award) -> bool:
    """Return whether the award only repeats the move: the points adjusted, claimed or pegged."""
    if isinstance(move, moves.Adjust):
        return award.reason == "adjust"
    same = isinstance(move, moves.Claim | moves.CountCrib | moves.Peg) and award.points == move.points
    return same and award.reason in ("claim", "pegged")


def _classify_next(made: History[Any]) -> str:
    """Return what `next` began: a layout, a hand or a game."""
    assert made.parent is not None
    if made.parent.state.phase == "swap" or made.state.phase == "place":
        return "layout"
    return "hand" if made.parent.state.phase == "between" else "game"


def _describe_reneges(made: History[Any], names: SeatNames) -> tuple[Message, ...]:
    """Return a sentence for each renege. The last one adds what follows, unless points for reneges follow."""
    reneges = made.notes.get("reneges", ())
    has_penalty = any(award.reason == "renege" for award in made.awards)
    simple = gettext_noop("{who} said go at {count}, but held the {card}.")
    harmless = gettext_noop(
        "{who} said go at {count}, but held the {card}. No points are taken off. If that was a wrong tap, undo it."
    )
    return tuple(
        format_message(
            harmless if renege is reneges[-1] and not has_penalty else simple,
            who=names[renege.seat],
            count=renege.count,
            card=renege.card.name,
        )
        for renege in reneges
    )


def _message_arguments(move: Any, names: SeatNames) -> dict[str, str]:
    found = {"who": names[move.seat]} if hasattr(move, "seat") else {}
    for name, word in _FIELD_FORMATTERS.items():
        if hasattr(move, name):
            found[name] = word(getattr(move, name))
    if isinstance(move, moves.Adjust):
        found |= _describe_adjustment(move, names)
    if isinstance(move, moves.Peg | moves.CountCrib):
        found["pegged"] = format_plural("{n} point", "{n} points", move.points)
    if isinstance(move, moves.Lay):
        found["what"] = format_message("tiles") if move.colours else format_message("cards")
    return found


def _describe_adjustment(move: moves.Adjust, names: SeatNames) -> dict[str, str]:
    """Describe the correction of each score: "Red's score was corrected by −2 and Blue's by +3"."""
    corrections = [(names[part.seat], _format_change(part.points)) for part in move.parts]
    (who, by), *others = corrections
    first = format_message("{who}'s score was corrected by {by}", who=who, by=by)
    whose = join_with_and([format_message("{who}'s", who=who) for who, _ in corrections])
    return {
        "corrected": join_with_and([first, *(format_message("{who}'s by {by}", who=who, by=by) for who, by in others)]),
        "whose": format_message("{whose} scores", whose=whose)
        if others
        else format_message("{whose} score", whose=whose),
    }


_FIELD_FORMATTERS: Mapping[str, Callable[[Any], str]] = {
    "card": lambda card: card.name,
    "to": lambda card: card.name,
    "cards": lambda cards: join_messages([card.name for card in cards]),
    "points": str,
    "dice": lambda dice: join_with_and([str(die) for die in dice]),
    "accept": lambda accept: format_message("accepted") if accept else format_message("waived"),
    "base": lambda base: format_message(_BASE_NAMES[base]),
    "chips": lambda chips: join_with_and([format_message(chip) for chip in chips]),
    "chip": format_message,
}

_MOVE_SENTENCES: Mapping[type[Move], tuple[str, str]] = {
    moves.Starter: (gettext_noop("The {card} was cut"), gettext_noop("the cut of the {card}")),
    moves.Play: (gettext_noop("{who} played the {card}"), gettext_noop("{who}'s {card}")),
    moves.Go: (gettext_noop("{who} said go"), gettext_noop("{who}'s go")),
    moves.Crib: (gettext_noop("The crib: {cards}"), gettext_noop("the crib, {cards}")),
    moves.CountCrib: (gettext_noop("The crib: {pegged}"), gettext_noop("the crib, {pegged}")),
    moves.Hand: (gettext_noop("{who} showed {cards}"), gettext_noop("{who}'s hand")),
    moves.Claim: (gettext_noop("{who} claimed {points}"), gettext_noop("{who}'s claim of {points}")),
    moves.Muggins: (gettext_noop("{who} called muggins for {points}"), gettext_noop("{who}'s call of muggins")),
    moves.Misdeal: (gettext_noop("Misdeal"), gettext_noop("the misdeal")),
    moves.Adjust: (gettext_noop("{corrected}"), gettext_noop("the correction of {whose}")),
    moves.Correct: (
        gettext_noop("The {card} was really the {to}: the deal was counted again"),
        gettext_noop("the correction of the {card}"),
    ),
    moves.Rule: (gettext_noop("The ruling was {accept}"), gettext_noop("the answer to the ruling")),
    moves.Infringement: (gettext_noop("The judge was called"), gettext_noop("the call for the judge")),
    moves.Roll: (gettext_noop("{who} rolled {dice}"), gettext_noop("{who}'s roll of {dice}")),
    moves.Steal: (gettext_noop("{who} let the runner on {base} steal"), gettext_noop("{who}'s steal")),
    moves.Take: (gettext_noop("{who} took {chips}"), gettext_noop("{who}'s choice of {chips}")),
    moves.Exchange: (gettext_noop("{who} exchanged two tiles"), gettext_noop("{who}'s exchange")),
    moves.Return: (gettext_noop("{who} returned {chip}"), gettext_noop("{who}'s return of {chip}")),
    moves.Lay: (gettext_noop("The {what} were laid"), gettext_noop("the layout")),
    moves.Swap: (gettext_noop("Two cards were swapped"), gettext_noop("the swap")),
    moves.Place: (gettext_noop("The {card} was placed"), gettext_noop("the {card}")),
    moves.Peg: (gettext_noop("{who} pegged {points}"), gettext_noop("{who}'s {pegged}")),
    moves.TakeBoard: (
        gettext_noop("The pegs were accepted as they stand"),
        gettext_noop("accepting the pegs as they stood"),
    ),
}
"""By kind of move: its sentence, and its name when it is taken back. `_NEXT_PHRASES` has those of `next`."""

_NEXT_PHRASES: Mapping[str, tuple[str, str]] = {
    "layout": (gettext_noop("New layout"), gettext_noop("the new layout")),
    "hand": (gettext_noop("Next hand"), gettext_noop("the next hand")),
    "game": (gettext_noop("New game"), gettext_noop("the new game")),
}
"""By what `next` began: its sentence, and its name when it is taken back."""
