"""Games of two, played by given functions and recorded move by move, for the review."""

from dataclasses import replace
from random import Random

from companion.coach import heuristics, questions
from companion.coach.cribbage import rollout
from companion.coach.cribbage.ranks import ranks_of, state_after
from companion.coach.review import RecordedMove
from companion.rules import GAMES
from companion.rules.cards import PACK, parse_card
from companion.rules.engine import History, Setup, advance
from companion.rules.moves import Crib, Go, Hand, Next, Play, Starter
from tests.support.move_notation import parse_story


def quick_choice(question):
    """Return the discard or the card of the rollout policy; None for go."""
    if question["ask"] == "discard":
        held = [parse_card(text) for text in question["hand"]]
        kept = heuristics.choose_hand(held, own_crib=question["dealer"], size=len(held) - 2)
        return [each for each in held if each not in kept]
    turn = questions.parse_play_question(question)
    at = state_after(tuple(each.rank for each in turn.series))
    others = 0 if turn.gone[1] else len(turn.kept) - len(turn.played[1])
    chosen = rollout.choose_card(at, ranks_of(turn.held), others)
    if not chosen:
        return None
    return next(each for each in turn.held if each.rank == chosen[3])


class RecordedGame:
    """One game. `ask(question, seat)` answers every question; no further deal begins once `until()` is true."""

    def __init__(
        self, seed, ask=lambda question, _: quick_choice(question), key="six-card", dealer=0, until=lambda: False
    ):
        game = next(each for each in GAMES if each.key == key)
        options = {name: values[0] for name, values in game.options.items()}
        self.game, self.taken, self.wholes, self.asked = game, [], [], {}
        self.phone_hands = []  # the same hands as in `wholes`, with the number of the newest move
        self.past = History(game.start(Setup(2, dealer, options)))
        self._chance, self._ask = Random(seed), ask
        while self.past.state.winner is None and not until():
            self.deal()

    def make(self, move):
        before = self.past.state
        self.past, _ = advance(self.game, self.past, move)
        self.taken.append(RecordedMove(len(self.taken) + 1, move, before, self.past.state))

    def tell(self, moves):
        for move in parse_story(moves):
            self.make(move)

    def change_terms(self, **changes):
        """Change the terms of a game that has not begun."""
        state = self.past.state
        self.past = History(replace(state, terms=replace(state.terms, **changes)))

    def _answer(self, question, seat):
        """Return the answer to a question. The question is stored by the number of the move that shows it."""
        done = self._ask(question, seat)
        if done is not None:
            self.asked[len(self.taken) + 1, seat, question["ask"]] = question
        return done

    def deal(self):
        if self.past.state.phase == "between":
            self.make(Next())
        state = self.past.state
        size, dealer = state.terms.hand_size, state.dealer
        pack = self._chance.sample(PACK, 52)
        starter, kept, thrown = pack.pop(), {}, {}
        for seat in (1 - dealer, dealer):
            held = [pack.pop() for _ in range(size + 2)]
            thrown[seat] = tuple(self._answer({
                "ask": "discard", "game": self.game.key, "hand": [str(c) for c in held], "dealer": seat == dealer,
                "scores": [state.scores[seat], state.scores[1 - seat]], "target": state.terms.target,
            }, seat))  # fmt: skip
            kept[seat] = tuple(c for c in held if c not in thrown[seat])
            self.wholes += [(seat, tuple(held)), (seat, kept[seat])]
            self.phone_hands += [(*whole, len(self.taken)) for whole in self.wholes[-2:]]
        self.make(Starter(starter))
        while self.past.state.phase == "play":
            self._turn(kept, thrown, starter, dealer)
        if self.past.state.phase == "show":
            self._show(kept)
        if self.past.state.phase == "crib":
            self.make(Crib((*thrown[dealer], *thrown[1 - dealer])))

    def _turn(self, kept, thrown, starter, dealer):
        state = self.past.state
        laid, seat = state.deal.play, state.turn
        chosen = self._answer({
            "ask": "play", "game": self.game.key, "hand": [str(c) for c in kept[seat] if c not in laid.played[seat]],
            "kept": [str(c) for c in kept[seat]], "discarded": [str(c) for c in thrown[seat]], "starter": str(starter),
            "dealer": seat == dealer, "series": [str(c) for c in laid.series], "count": laid.count,
            "played": [[str(c) for c in laid.played[each]] for each in (seat, 1 - seat)],
            "gone": [each in laid.gone for each in (seat, 1 - seat)],
            "scores": [state.scores[seat], state.scores[1 - seat]], "target": state.terms.target,
        }, seat)  # fmt: skip
        self.make(Go(seat) if chosen is None else Play(seat, chosen))

    def _show(self, kept):
        while self.past.state.phase == "show":
            seat = self.past.state.turn
            self.make(Hand(seat, kept[seat]))
