"""Review a game: each discard and card, the best alternative and its cost; luck and skill in games won. Pure.

Each number is one of `companion advise`: an entry has the question and the answer. What the moves do not show is not
guessed: they show the hands and the crib, but not who discarded which card. If a player's phone kept the hand as dealt,
that is used too. See docs/explanation/how-the-coach-plays.md#review.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

from companion.coach import advise, review_text
from companion.coach.advise import JsonObject
from companion.coach.cribbage import tables
from companion.coach.cribbage.tables import question_fields
from companion.coach.review_text import ChoiceCost, is_about_as_good, measure_cost
from companion.common.errors import BadCard, BadMove
from companion.i18n import Message, format_plural
from companion.rules.cards import PACK, Card, parse_card
from companion.rules.cribbage import CribbageState
from companion.rules.engine import replace_at
from companion.rules.match_terms import MatchTerms
from companion.rules.moves import Correct, Misdeal, Move, Next, Play, Rule, Starter

Cards = tuple[Card, ...]

MAX_DISCARDS_TRIED = 16
"""Number of possible discards with which a card is judged if the crib was not shown."""


class RecordedMove(NamedTuple):
    """A move that was not undone: its number in the history, and the states before and after it."""

    n: int
    move: Move | None
    before: CribbageState
    after: CribbageState


class PlayedCard(NamedTuple):
    """A card that was played, and the state before it, in which cards may have been read wrong."""

    n: int
    seat: int
    card: Card
    before: CribbageState
    corrections: Mapping[Card, Card] = {}
    """Cards that were read wrong until later, and the right ones."""

    def correct_card(self, card: Card) -> Card:
        return self.corrections.get(card, card)

    def add_correction(self, move: Correct) -> "PlayedCard":
        """Return the turn with a correction that was made after it."""
        later = {read: move.to if card == move.card else card for read, card in self.corrections.items()}
        return self._replace(corrections={move.card: move.to, **later})


@dataclass(frozen=True, slots=True)
class ReviewedDeal:
    """One deal. `hands` are by seat, None if not completely known. `dealt` are known hands including the discards."""

    number: int
    n: int
    dealer: int
    scores: tuple[int, ...]
    starter: Card
    terms: MatchTerms
    hands: tuple[Cards | None, ...] = (None, None)
    crib: Cards = ()
    turns: tuple[PlayedCard, ...] = ()
    dealt: Mapping[int, Cards] = field(default_factory=dict)
    missed_points: tuple[int, int] = (0, 0)
    """Points that were not claimed, by seat."""

    def find_discard(self, seat: int) -> Cards | None:
        """Return the two cards that a seat discarded; None if unknown."""
        own, theirs = self._known_discard(seat), self._known_discard(1 - seat)
        if own is None and theirs is not None and self.crib:
            return tuple(card for card in self.crib if card not in theirs)
        return own

    def find_cards_elsewhere(self, seat: int) -> set[str]:
        """Return the starter and the cards that the other seat played or showed."""
        played = {turn.correct_card(turn.card) for turn in self.turns if turn.seat != seat}
        return {*_card_texts((self.starter, *played, *(self.hands[1 - seat] or ())))}

    def _known_discard(self, seat: int) -> Cards | None:
        cards, kept = self.dealt.get(seat), self.hands[seat]
        return None if cards is None or kept is None else tuple(card for card in cards if card not in kept)


class PhoneHand(NamedTuple):
    """A hand known from the phone of its seat, as dealt or without the discards.

    It was known when the move numbered `at` was the newest (None if that is unknown), before or after the cut.
    """

    seat: int
    cards: Cards
    at: int | None = None
    was_cut: bool = False

    def is_from_deal(self, starter: int, following: float, before: float) -> bool:
        """Return whether the hand belongs to the deal whose starter is move number `starter`.

        `before` and `following` are the move numbers of the neighbouring deals' starters.
        """
        if self.at is None:
            return True
        return starter <= self.at < following if self.was_cut else before <= self.at < starter


def collect_deals(moves: Iterable[RecordedMove], phone_hands: Iterable[tuple[Any, ...]] = ()) -> list[ReviewedDeal]:
    """Return the deals of a game in order.

    `phone_hands` are the fields of a `PhoneHand` each. Hands that fit no deal are ignored.
    """
    found: list[ReviewedDeal] = []
    for move in moves:
        if isinstance(move.move, Starter):
            state = move.before
            found.append(ReviewedDeal(len(found) + 1, move.n, state.dealer, state.scores, move.move.card, state.terms))
        elif found and (isinstance(move.move, Misdeal) or _undoes_starter(move)):
            found.pop()
        elif found:
            found[-1] = _apply_move(found[-1], move)
    known, cuts = [PhoneHand(*hand) for hand in phone_hands], [-1, *(deal.n for deal in found), inf]
    return [
        _fill_hands(deal, [hand for hand in known if hand.is_from_deal(deal.n, cuts[place + 2], cuts[place])])
        for place, deal in enumerate(found)
    ]


def _undoes_starter(recorded: RecordedMove) -> bool:
    """Return whether the move carries out a ruling that the starter must be cut again."""
    before, after = recorded.before.deal, recorded.after.deal
    return isinstance(recorded.move, Rule) and before.starter != after.starter


def _apply_move(deal: ReviewedDeal, recorded: RecordedMove) -> ReviewedDeal:
    n, move, before, after = recorded
    if isinstance(move, Play):
        deal = replace(deal, turns=(*deal.turns, PlayedCard(n, move.seat, move.card, before)))
    elif isinstance(move, Correct):
        starter = move.to if deal.starter == move.card else deal.starter
        deal = replace(deal, starter=starter, turns=tuple(turn.add_correction(move) for turn in deal.turns))
    elif isinstance(move, Rule) and after.deal.play is not None:  # a renege takes cards back
        deal = replace(deal, turns=deal.turns[: after.deal.play.cards_played])
    claim = after.deal.claims.last_closed
    if claim is not None and claim is not before.deal.claims.last_closed:
        one, other = deal.missed_points
        missed = (one + claim.missed_points, other) if claim.seat == 0 else (one, other + claim.missed_points)
        deal = replace(deal, missed_points=missed)
    if isinstance(move, Next):  # this move belongs to the next deal
        return deal
    return replace(deal, hands=after.deal.hands or deal.hands, crib=after.deal.crib)


def _fill_hands(deal: ReviewedDeal, phone_hands: Sequence[PhoneHand]) -> ReviewedDeal:
    """Return the deal with what phones knew: hands that were not played to the end, and hands before the discard."""
    for seat, cards, _, _ in phone_hands:
        played = {turn.correct_card(turn.card) for turn in deal.turns if turn.seat == seat}
        shown = {*(deal.hands[seat] or ()), *played}
        if not shown or not shown <= set(cards) or deal.starter in cards:
            continue
        if len(cards) == deal.terms.hand_size:
            deal = replace(deal, hands=replace_at(deal.hands, seat, deal.hands[seat] or cards))
        elif not deal.crib or set(cards) - shown <= set(deal.crib):
            deal = replace(deal, dealt={**deal.dealt, seat: cards})
    return deal


def game_key(terms: MatchTerms) -> str:
    """Return the key of the game, as in the coach's tables."""
    return "five-card" if terms.is_five_card else "six-card"


def discard_question(deal: ReviewedDeal, seat: int, discarded: Cards) -> JsonObject:
    """Return the question of `companion advise` that a seat had before the cut, if it discarded `discarded`."""
    kept = deal.hands[seat]
    assert kept is not None
    return {
        "ask": "discard", "game": game_key(deal.terms), "hand": _card_texts(sorted((*kept, *discarded))),
        "dealer": seat == deal.dealer, "scores": _scores_from(deal.scores, seat), "target": deal.terms.target,
        **question_fields(deal.terms.game_points),
    }  # fmt: skip


def play_question(deal: ReviewedDeal, turn: PlayedCard) -> JsonObject | None:
    """Return the question of `companion advise` that a seat had when it played a card; None if its hand is unknown."""
    seat, state = turn.seat, turn.before
    kept, laid = deal.hands[seat], state.deal.play
    if kept is None or laid is None:
        return None
    rows = (laid.series, laid.played[seat], laid.played[1 - seat])
    series, own, other = (tuple(map(turn.correct_card, row)) for row in rows)
    discarded = deal.find_discard(seat)
    return {
        "ask": "play", "game": game_key(deal.terms),
        "hand": _card_texts(c for c in kept if c not in own), "kept": _card_texts(kept),
        "discarded": None if discarded is None else _card_texts(discarded), "starter": str(deal.starter),
        "dealer": seat == deal.dealer, "series": _card_texts(series), "count": sum(c.value for c in series),
        "played": [_card_texts(own), _card_texts(other)], "gone": [player in laid.gone for player in (seat, 1 - seat)],
        "scores": _scores_from(state.scores, seat), "target": deal.terms.target,
        **question_fields(deal.terms.game_points),
    }  # fmt: skip


def _scores_from(scores: Sequence[int], seat: int) -> list[int]:
    return [scores[seat], scores[1 - seat]]


def _card_texts(cards: Iterable[Any]) -> list[str]:
    return [str(card) for card in cards]


class ReviewedChoice(NamedTuple):
    """One choice of a player. `made` and `best` are as in an answer of `companion advise`; `ranked` is that answer.

    If only one card was playable, `ranked` is empty.
    """

    n: int
    hand: int
    seat: int
    kind: str
    made: list[str] | str
    best: list[str] | str
    points_lost: float
    win_lost: float
    say: Message
    question: JsonObject
    ranked: list[JsonObject]


@dataclass(frozen=True, slots=True)
class Review:
    """The choices, worst first. By side: luck, skill (the cost of all choices) in games won, and points not claimed."""

    choices: list[ReviewedChoice]
    luck: list[float]
    skill: list[float]
    missed: list[int]
    unknown: list[Message]


def review_game(
    moves: Sequence[RecordedMove],
    names: Sequence[str],
    phone_hands: Iterable[tuple[Any, ...]] = (),
    hand: int | None = None,
) -> Review:
    """Return the review of a game of two, or of its deal number `hand`, from 1.

    Raises BadMove if there is no such deal.
    """
    all_deals = collect_deals(moves, phone_hands)
    deals = all_deals if hand is None else [deal for deal in all_deals if deal.number == hand]
    if hand is not None and not deals:
        raise BadMove(f"This game has {len(all_deals)} deals: there is no deal {hand}.")
    found: list[ReviewedChoice] = []
    unjudged = 0
    refused: list[Message] = []
    for deal in deals:
        entries, unknown, contradictions = _review_deal(deal, names)
        found += entries
        unjudged += unknown
        if contradictions:
            refused.append(_contradiction_sentence(deal.number, contradictions))
    skill = [-sum(choice.win_lost for choice in found if choice.seat == seat) for seat in (0, 1)]
    gained = _win_chance_after(all_deals, deals[-1].number, moves) - _win_chance_before(deals[0]) if deals else 0.0
    luck = gained - skill[0] + skill[1]
    return Review(
        choices=sorted(found, key=lambda choice: (-choice.win_lost, -choice.points_lost, choice.n)),
        luck=[luck, -luck],
        skill=skill,
        missed=[sum(deal.missed_points[seat] for deal in deals) for seat in (0, 1)],
        unknown=[*refused, *_unknown_sentences(unjudged)],
    )


def _review_deal(deal: ReviewedDeal, names: Sequence[str]) -> tuple[list[ReviewedChoice], int, int]:
    """Return the choices of a deal, and the numbers of choices whose cards are unknown or contradict each other."""
    found: list[ReviewedChoice] = []
    unknown = contradictions = 0
    for n, seat, made, question in _list_questions(deal):
        if question is None:
            unknown += 1
            continue
        if question["ask"] == "discard" and deal.find_cards_elsewhere(seat) & set(made):
            contradictions += 1
            continue
        for asked in (question, question | {"discarded": None}):  # the discards may be wrong, the cards played right
            with suppress(BadCard, BadMove, LookupError):
                found.append(_review_choice(n, deal, seat, made, asked, names))
                break
        else:
            contradictions += 1
    return found, unknown, contradictions


def _list_questions(deal: ReviewedDeal) -> Iterator[tuple[int, int, list[str] | str, JsonObject | None]]:
    """Yield each choice of a deal: number of the move, seat, what was chosen, and the question, None if unknown."""
    for seat in (1 - deal.dealer, deal.dealer):
        discarded = deal.find_discard(seat) if deal.turns and deal.hands[seat] else None
        if discarded is None:  # it is unknown which cards of the crib were its own
            yield deal.n, seat, [], None
        else:
            yield deal.n, seat, _card_texts(sorted(discarded)), discard_question(deal, seat, discarded)
    for turn in deal.turns:
        yield turn.n, turn.seat, str(turn.correct_card(turn.card)), play_question(deal, turn)


def _review_choice(
    n: int, deal: ReviewedDeal, seat: int, made: list[str] | str, question: JsonObject, names: Sequence[str]
) -> ReviewedChoice:
    kind = question["ask"]
    field = "discard" if kind == "discard" else "play"
    only = _only_choice(question) if kind == "play" else []
    ranked = only or advise.answer_question(question)["choices"]
    best = ranked[0]
    own = next((choice for choice in ranked if _is_same_choice(choice[field], made)), None)
    if own is None:
        raise LookupError(f"{made} is not one of the choices")
    if own | {field: None} == best | {field: None}:  # an equivalent card of the same rank
        best = own
    cost = measure_cost(question, own, best)
    if own is not best and (is_about_as_good(question, cost) or _may_be_best(question, own, deal)):
        cost = ChoiceCost(0.0, 0.0)
        sentence = review_text.even_choice_sentence(own, names[seat])
    else:
        sentence = review_text.choice_sentence(question, own, best, names[seat], is_only=bool(only))
    return ReviewedChoice(
        n,
        deal.number,
        seat,
        kind,
        made,
        best[field],
        round(cost.points, 9),
        round(cost.games, 9),
        sentence,
        question,
        [] if only else ranked,
    )


def _may_be_best(question: JsonObject, own: JsonObject, deal: ReviewedDeal) -> bool:
    """Return whether a card is as good as any for some of the discards that the player may have made.

    These are two of the crib's cards, or some unseen ones if the crib was not shown.
    """
    if question["ask"] == "discard" or question["discarded"] is not None:
        return False
    for pair in _possible_discards(question, deal):
        with suppress(BadMove):
            ranked = advise.answer_question(question | {"discarded": _card_texts(pair)})["choices"]
            same = next(choice for choice in ranked if choice["play"] == own["play"])
            if is_about_as_good(question, measure_cost(question, same, ranked[0])):
                return True
    return False


def _possible_discards(question: JsonObject, deal: ReviewedDeal) -> Iterable[Cards]:
    if deal.crib:
        return combinations(deal.crib, 2)
    seen = {*question["kept"], *question["played"][1], question["starter"]}
    unseen = [card for card in PACK if str(card) not in seen]
    step = len(unseen) // MAX_DISCARDS_TRIED
    return zip(unseen[::step], unseen[1::step], strict=False)


def _only_choice(question: JsonObject) -> list[JsonObject]:
    """Return the only playable card as a list of one choice; an empty list if there are more."""
    fitting = [text for text in question["hand"] if parse_card(text).value + question["count"] <= 31]
    return [{"play": fitting[0], "points": 0.0, "win": 0.0}] if len(fitting) == 1 else []


def _is_same_choice(one: Any, other: Any) -> bool:
    return set(one) == set(other) if isinstance(one, list) else bool(one == other)


def _win_chance_before(deal: ReviewedDeal) -> float:
    """Return the chance of seat 0 to win before a deal."""
    return _win_chance(deal.scores, deal.dealer, deal.terms)


def _win_chance_after(all_deals: Sequence[ReviewedDeal], number: int, moves: Sequence[RecordedMove]) -> float:
    """Return seat 0's chance to win after the deal `number`: before the next deal, or the game's result."""
    if number < len(all_deals):
        return _win_chance_before(all_deals[number])
    end = moves[-1].after
    if end.winner is not None:
        return float(end.winner == 0)
    if end.phase in ("between", "cut"):
        return _win_chance(end.scores, end.dealer, end.terms)
    return _win_chance_before(all_deals[-1])  # the deal is not over


def _win_chance(scores: Sequence[int], dealer: int, terms: MatchTerms) -> float:
    wins = tables.load_tables(game_key(terms)).win_chances(terms.target)
    dealers = wins[scores[dealer]][scores[1 - dealer]]
    return dealers if dealer == 0 else 1 - dealers


def _contradiction_sentence(number: int, count: int) -> Message:
    return format_plural(
        "{n} choice of deal {deal} can't be judged: a card was entered wrong, or twice.",
        "{n} choices of deal {deal} can't be judged: a card was entered wrong, or twice.",
        count,
        deal=number,
    )


def _unknown_sentences(unjudged: int) -> list[Message]:
    if not unjudged:
        return []
    return [
        format_plural(
            "{n} choice can't be judged because the discards are unknown.",
            "{n} choices can't be judged because the discards are unknown.",
            unjudged,
        )
    ]
