"""The lesson: a first game of six-card cribbage to 61 against the companion, one idea at a time. Pure.

`replay_lesson` plays the lesson from its beginning with the learner's decisions, so a lesson is kept as the list of its
decisions (docs/reference/http.md#lesson). The rules engine decides what is legal and what counts; the texts and the
cards are in `lesson.toml`. The table counts manually (`counting=manual`), so that each hand waits for
its question; whatever the learner answers, the true points are pegged.
"""

import tomllib
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import combinations
from typing import Any, NamedTuple

from companion.coach import skill_levels
from companion.common.constants import MAX_HAND_POINTS
from companion.common.errors import IllegalMove
from companion.i18n import Message, capitalize_message, format_message, format_plural
from companion.rules import begin_game
from companion.rules.cards import Card, parse_card, parse_cards
from companion.rules.claims import AwardGroup, PendingClaim
from companion.rules.cribbage import SIX_CARD
from companion.rules.engine import Setup, apply
from companion.rules.moves import Claim, Crib, Go, Move, Next, Play, Starter
from companion.rules.narration import describe_count
from companion.rules.scoring import is_possible_score

LEARNER, COMPANION = 0, 1
TARGET = 61
NEXT, GO = "next", "go"
"""The decisions that are neither cards nor numbers."""
MAX_DECISIONS = 400
"""More decisions than any lesson takes."""
_MAX_PEG_CHOICES = 8
_PEGGING_QUESTIONS = 2
"""How often the learner is asked where the peg goes. After that the pegs move by themselves."""

_COACH = skill_levels.GameTerms("six-card", 2, TARGET, {}, level=skill_levels.NOVICE)
_SETUP = Setup(seats=2, dealer=COMPANION, options={"target": str(TARGET), "counting": "manual"})


class Idea(NamedTuple):
    """A word of cribbage and its explanation."""

    word: str
    say: str


class Prompt(NamedTuple):
    """What the learner is asked. `again` meets any other legal answer than `wanted`; without `wanted` all are right."""

    say: str
    wanted: str = ""
    again: str = ""


class LessonDeal(NamedTuple):
    """The cards of a deal, and the texts of a prescribed one. `lesson.toml` explains the fields."""

    learner: str
    kept: str
    discarded: str
    starter: str
    openings: Sequence[str] = ()
    discard: Prompt | None = None
    plays: Sequence[Prompt] = ()
    counts: Sequence[str] = ()


class MeaningQuestion(NamedTuple):
    """A question at the end of the lesson: the first of `answers` is right."""

    say: str
    answers: Sequence[str]


class LessonCourse(NamedTuple):
    """The content of `lesson.toml`: ideas by key, deals, questions at the end and texts by key."""

    ideas: Mapping[str, Idea]
    deals: Sequence[LessonDeal]
    free_deals: Sequence[LessonDeal]
    meanings: Sequence[MeaningQuestion]
    texts: Mapping[str, str]


def _load_course() -> LessonCourse:
    data = tomllib.loads(files("companion.coach").joinpath("lesson.toml").read_text("utf-8"))
    deals = [
        LessonDeal(
            **{**deal, "discard": Prompt(**deal["discard"]), "plays": [Prompt(**prompt) for prompt in deal["plays"]]}
        )
        for deal in data["deals"]
    ]
    return LessonCourse(
        ideas={key: Idea(**idea) for key, idea in data["ideas"].items()},
        deals=deals,
        free_deals=[LessonDeal(**deal) for deal in data["free_deals"]],
        meanings=[MeaningQuestion(**question) for question in data["meanings"]],
        texts=data["texts"],
    )


COURSE = _load_course()


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonPage:
    """What the lesson shows until the next decision, which is one of `choices`.

    `kind` is next, discard, play, count, peg, meaning or end. `cards` are being counted, `awards` explain their count,
    `answers` are the texts of the choices of a meaning.
    """

    kind: str = NEXT
    ideas: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    choices: tuple[str, ...] = (NEXT,)
    cards: tuple[Card, ...] = ()
    awards: AwardGroup = ()
    answers: tuple[str, ...] = ()


_Script = Generator[LessonPage, str, None]


def replay_lesson(decisions: Sequence[str]) -> dict[str, Any]:
    """Return the page after these decisions: the answer of `/api/learn`.

    `done` are the decisions that were possible. The first impossible one ends the list, and `refused` says so.
    """
    lesson = _Lesson()
    script = lesson.run()
    page, done = next(script), 0
    for decision in decisions[:MAX_DECISIONS]:
        if decision not in page.choices:
            break
        lesson.events.clear()
        page, done = script.send(decision), done + 1
    refused = format_message("That is not possible here. Choose again.") if done < len(decisions) else ""
    return {"done": list(decisions[:done]), "refused": refused, **lesson.view(page)}


@dataclass
class _Lesson:
    """The state of a lesson. `events` are sentences on what happened since the learner's last decision."""

    state: Any = field(default_factory=lambda: begin_game(SIX_CARD, _SETUP).state)
    deal_index: int = 0
    hands: list[tuple[Card, ...]] = field(default_factory=lambda: [(), ()])
    crib: tuple[Card, ...] = ()
    pegs: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0), (0, 0)])
    known: list[str] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    peg_questions: int = 0

    def run(self) -> _Script:
        """Yield the pages of the whole lesson; each `send` is the learner's decision."""
        yield from self._explain("race")
        while self.state.winner is None:
            yield from self._play_deal(self._current_deal())
            if self.state.winner is None:
                self.deal_index += 1
                self.state = apply(SIX_CARD, self.state, Next()).state
        own, other = self.state.scores
        result = (
            format_message("You win by {own} to {other}.", own=own, other=other)
            if self.state.winner == LEARNER
            else format_message("The companion wins by {other} to {own}.", own=own, other=other)
        )
        yield self._page(text=(result, format_message("A game ends as soon as somebody reaches the last hole.")))
        yield from self._ask_meanings()
        yield self._page(
            "end", text=(format_message("Now you can play cribbage. A full game goes to 121."),), choices=()
        )

    def view(self, page: LessonPage) -> dict[str, Any]:
        """Return the JSON fields of a page: docs/reference/http.md#lesson."""
        deal = self.state.deal
        play = deal.play
        says = [format_message(COURSE.ideas[key].say) for key in page.ideas]
        return {
            "kind": page.kind,
            "deal": self.deal_index + 1,
            "dealer": deal.dealer,
            "titles": [format_message(COURSE.ideas[key].word) for key in page.ideas],
            "events": list(self.events),
            "text": [*page.text, *says] if page.awards else [*says, *page.text],
            "choices": list(page.choices),
            "answers": list(page.answers),
            "hand": [str(card) for card in self._remaining_hand(LEARNER)],
            "starter": None if deal.starter is None else str(deal.starter),
            "series": [] if play is None else [str(card) for card in play.series],
            "count": 0 if play is None else play.count,
            "is_play": self.state.phase == "play",
            "cards": [str(card) for card in page.cards],
            "items": [
                {"say": capitalize_message(describe_count([award])), "cards": [str(card) for card in award.cards]}
                for award in page.awards
            ],
            "pegs": [list(pair) for pair in self.pegs],
            "words": [
                {"word": format_message(COURSE.ideas[key].word), "say": format_message(COURSE.ideas[key].say)}
                for key in self.known
                if key not in page.ideas
            ],
        }

    def _current_deal(self) -> LessonDeal:
        at, free_at = self.deal_index, self.deal_index - len(COURSE.deals)
        return COURSE.deals[at] if free_at < 0 else COURSE.free_deals[free_at % len(COURSE.free_deals)]

    def _remaining_hand(self, seat: int) -> tuple[Card, ...]:
        play = self.state.deal.play
        played = () if play is None else play.played[seat]
        return tuple(card for card in self.hands[seat] if card not in played)

    def _explain(self, *ideas: str) -> _Script:
        """Explain each idea that is new on a page of its own."""
        for key in ideas:
            if key not in self.known:
                yield self._page(ideas=(key,))

    def _page(self, kind: str = NEXT, ideas: Iterable[str] = (), **fields: Any) -> LessonPage:
        """Return a page; its new ideas are explained on it."""
        new = tuple(key for key in dict.fromkeys(ideas) if key not in self.known)
        self.known += new
        return LessonPage(kind=kind, ideas=new, **fields)

    def _ask(self, page: LessonPage, prompt: Prompt) -> Generator[LessonPage, str, str]:
        """Return the decision: the wanted one, if the prompt has one. Others that are legal are met with its help."""
        answer = yield page
        while prompt.wanted and answer != prompt.wanted:
            answer = yield LessonPage(
                kind=page.kind, text=(format_message(prompt.again), *page.text[-1:]), choices=page.choices,
                answers=page.answers,
            )  # fmt: skip
        return answer

    def _play_deal(self, deal: LessonDeal) -> _Script:
        self.hands[:] = [parse_cards(deal.learner), parse_cards(deal.kept)]
        yield from self._explain(*deal.openings)
        yield from self._discard(deal)
        starter = parse_card(deal.starter)
        step = apply(SIX_CARD, self.state, Starter(starter))
        self.state = step.state
        self.events.append(format_message("The {card} is turned up.", card=starter.name))
        yield from self._explain("starter")
        yield from self._score(step.awards)
        yield from self._play_cards(deal)
        yield from self._count_hands(deal)

    def _discard(self, deal: LessonDeal) -> _Script:
        dealer = "learner" if self.state.dealer == LEARNER else "companion"
        prompt = deal.discard or Prompt(COURSE.texts[f"discard_for_{dealer}"])
        pairs = tuple(f"{a}{b}" for a, b in combinations(self.hands[LEARNER], 2))
        page = self._page("discard", ("crib",), text=(format_message(prompt.say),), choices=pairs)
        chosen = parse_cards((yield from self._ask(page, prompt)))
        self.hands[LEARNER] = tuple(card for card in self.hands[LEARNER] if card not in chosen)
        self.crib = (*chosen, *parse_cards(deal.discarded))

    def _play_cards(self, deal: LessonDeal) -> _Script:
        prompts, replies = iter(deal.plays), iter(parse_cards(deal.kept) if deal.plays else ())
        while self.state.phase == "play":
            seat = self.state.turn
            if seat == LEARNER:
                decision = yield from self._ask_for_card(next(prompts, None))
                move: Move = Go(seat) if decision == GO else Play(seat, parse_card(decision))
            else:
                move = self._choose_reply(replies)
            yield from self._score(self._make(move))

    def _ask_for_card(self, prompt: Prompt | None) -> Generator[LessonPage, str, str]:
        fitting = tuple(str(card) for card in self._remaining_hand(LEARNER) if self._is_legal(Play(LEARNER, card)))
        if prompt is None:
            key = "go" if not fitting else "first_play" if self.deal_index == len(COURSE.deals) else "play"
            prompt = Prompt(COURSE.texts[key])
        ideas = ("count",) if fitting else ("count", GO)
        page = self._page("play", ideas, text=(format_message(prompt.say),), choices=fitting or (GO,))
        return (yield from self._ask(page, prompt))

    def _is_legal(self, move: Move) -> bool:
        try:
            apply(SIX_CARD, self.state, move)
        except IllegalMove:
            return False
        return True

    def _choose_reply(self, replies: Any) -> Move:
        fitting = [card for card in self._remaining_hand(COMPANION) if self._is_legal(Play(COMPANION, card))]
        if not fitting:
            return Go(COMPANION)
        card = next(replies, None)
        if card is None:
            discarded = self.crib[2:]
            card = skill_levels.choose_card(
                _COACH, SIX_CARD.view(self.state), COMPANION, self._remaining_hand(COMPANION), discarded
            )
        return Play(COMPANION, fitting[0] if card is None else card)

    def _make(self, move: Move) -> AwardGroup:
        """Make a move of the play and claim its points. Return the awards."""
        is_learner = move.seat == LEARNER  # type: ignore[attr-defined]
        if isinstance(move, Play):
            count = self.state.deal.play.count + move.card.value
            sentence = (
                format_message("You play the {card}. Count: {count}.", card=move.card.name, count=count)
                if is_learner
                else format_message("The companion plays the {card}. Count: {count}.", card=move.card.name, count=count)
            )
        else:
            sentence = format_message("You say go.") if is_learner else format_message("The companion says go.")
        self.events.append(sentence)
        self.state = apply(SIX_CARD, self.state, move).state
        claims = self.state.deal.claims
        if claims.pending is not None:
            return self._claim(claims.pending.seat, claims.pending.truth)
        earned = next(((seat, group) for seat, group in enumerate(claims.unclaimed) if group), None)
        return self._claim(*earned) if earned else ()

    def _claim(self, seat: int, truth: AwardGroup) -> AwardGroup:
        points = sum(award.points for award in truth)
        self.state = apply(SIX_CARD, self.state, Claim(seat, points)).state
        return truth

    def _score(self, awards: AwardGroup) -> _Script:
        """Report the points, explain new ideas and peg."""
        if awards:
            seat = awards[0].seat
            self.events.append(_describe_points(seat, awards))
            if not self._is_asked_to_peg(seat):
                self._move_pegs(seat)
            yield from self._explain(*(award.reason for award in awards), "peg")
            yield from self._peg(seat)

    def _is_asked_to_peg(self, seat: int) -> bool:
        return seat == LEARNER and self.peg_questions < _PEGGING_QUESTIONS

    def _peg(self, seat: int) -> _Script:
        """Ask the learner for the hole of the first points; later the pegs move by themselves."""
        _, front = self.pegs[seat]
        points = self.state.scores[seat] - front
        if points and self._is_asked_to_peg(seat):
            self.peg_questions += 1
            key = "peg" if front else "first_peg"
            say, again = (_format_text(text, front=front, points=points) for text in (key, f"{key}_again"))
            first = max(1, front + points - _MAX_PEG_CHOICES // 2)
            holes = tuple(str(hole) for hole in range(first, first + _MAX_PEG_CHOICES))
            answer = yield self._page("peg", text=(say,), choices=holes)
            while answer != str(front + points):
                answer = yield self._page("peg", text=(again,), choices=holes)
            if not self._is_asked_to_peg(seat):
                self.events.append(_format_text("pegs_move"))
        self._move_pegs(seat)

    def _move_pegs(self, seat: int) -> None:
        """Let the back peg jump over the front peg to the score."""
        _, front = self.pegs[seat]
        if self.state.scores[seat] != front:
            self.pegs[seat] = (front, self.state.scores[seat])

    def _count_hands(self, deal: LessonDeal) -> _Script:
        if self.state.winner is None:
            yield from self._explain("show")
        while self.state.winner is None and self.state.phase != "between":
            if self.state.phase == "crib":
                self.state = apply(SIX_CARD, self.state, Crib(self.crib)).state
            else:
                yield from self._count_cards(deal, self.state.deal.claims.pending)

    def _count_cards(self, deal: LessonDeal, pending: PendingClaim) -> _Script:
        """Ask what a hand or the crib is worth, then point at the cards that score."""
        is_crib, seat = pending.kind == "crib", pending.seat
        cards = (*(self.crib if is_crib else self.hands[seat]), self.state.deal.starter)
        total = sum(award.points for award in pending.truth)
        if deal.counts or seat == LEARNER:
            key = "count_crib" if is_crib else "count_hand"
            say = deal.counts[2 if is_crib else seat] if deal.counts else COURSE.texts[key]
            numbers = tuple(str(points) for points in range(MAX_HAND_POINTS + 1) if is_possible_score(points))
            answer = yield self._page("count", text=(format_message(say),), choices=numbers, cards=cards)
            verdict = (
                format_message("Right: {total}.", total=total)
                if int(answer) == total
                else format_message("You said {answer}. It is {total}.", answer=answer, total=total)
            )
        else:
            verdict = _format_text("companion_counts_crib" if is_crib else "companion_counts_hand")
        self._claim(seat, pending.truth)
        spoken = format_message("Players say: “{count}”.", count=describe_count(pending.truth))
        if not self._is_asked_to_peg(seat):
            self._move_pegs(seat)
        reasons = [award.reason for award in pending.truth]
        yield self._page(ideas=reasons, text=(verdict, spoken), cards=cards, awards=pending.truth)
        yield from self._peg(seat)

    def _ask_meanings(self) -> _Script:
        for at, question in enumerate(COURSE.meanings, 1):
            turned = (*question.answers[at:], *question.answers[:at])
            right = str(turned.index(question.answers[0]) + 1)
            page = self._page(
                "meaning", text=(format_message(question.say),), choices=("1", "2", "3"),
                answers=tuple(format_message(answer) for answer in turned),
            )  # fmt: skip
            yield from self._ask(page, Prompt(question.say, right, COURSE.texts["meaning_again"]))


def _format_text(key: str, **arguments: int) -> Message:
    return format_message(COURSE.texts[key], **arguments)


def _describe_points(seat: int, awards: AwardGroup) -> str:
    points, count = sum(award.points for award in awards), describe_count(awards)
    if seat == LEARNER:
        return format_plural("You score {n} point: {count}.", "You score {n} points: {count}.", points, count=count)
    return format_plural(
        "The companion scores {n} point: {count}.", "The companion scores {n} points: {count}.", points, count=count
    )
