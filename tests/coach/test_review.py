"""A game looked back on: what was planted is found, a perfect game gets no reproach, all numbers are advise's."""

import json
import re
from dataclasses import replace
from random import Random

import pytest
from arena.reviewed import Reviewed, fair

from companion.coach import advise
from companion.coach.cribbage import tables
from companion.coach.review import Whole, deals, review
from companion.common.errors import BadMove
from companion.rules.cards import PACK, card
from companion.rules.engine import History
from companion.rules.moves import Adjust, Claim, Correct, Misdeal, Play, Starter
from companion.rules.scoring import play_items

NAMES = ("Ann", "Bob")


def ranked(question):
    return advise.answer(question)["choices"]


def expert(question, seat=0):
    best = ranked(question)[0]
    if question["ask"] == "discard":
        return [card(text) for text in best["discard"]]
    return best["play"] and card(best["play"])


class Blunderer:
    """Plays fairly, and plants one blunder: the worst of all discards, a fifteen passed by, or a five led."""

    def __init__(self, seed):
        self.kind = ("worst", "fifteen", "five")[seed % 3]
        self.wait = Random(seed).randrange(4)
        self.planted = None

    def __call__(self, question, seat):
        bad = None if self.planted else self._bad(question)
        if bad is None:
            return fair(question)
        if self.wait:
            self.wait -= 1
            return fair(question)
        self.planted = question, bad
        return [card(text) for text in bad] if question["ask"] == "discard" else card(bad)

    def _bad(self, question):
        if question["ask"] == "discard":
            return ranked(question)[-1]["discard"] if self.kind == "worst" else None
        held, count = question["hand"], question["count"]
        if self.kind == "fifteen" and any(card(c).value + count == 15 for c in held):
            choices = ranked(question)
            if card(choices[0]["play"]).value + count == 15 > card(choices[-1]["play"]).value + count:
                return choices[-1]["play"]
        if self.kind == "five" and not count and any(c[0] == "5" for c in held):
            choices = ranked(question)
            costs = [c for c in choices if (c["win"], c["points"]) < (choices[0]["win"], choices[0]["points"])]
            return next((c["play"] for c in costs if c["play"][0] == "5" != choices[0]["play"][0]), None)
        return None


def planted(seed):
    """A game in which the chance to blunder came."""
    while True:
        blunderer = Blunderer(seed)
        game = Reviewed(seed, blunderer, dealer=seed % 2, until=lambda who=blunderer: who.planted)
        if blunderer.planted:
            return game, blunderer
        seed += 30_000


def found(seed):
    """Whether the blunder of a game is among what it is reproached with."""
    game, blunderer = planted(seed)
    question, bad = blunderer.planted
    (n, seat, kind) = next(key for key, each in game.asked.items() if each is question)
    hand = sum(isinstance(each.move, Starter) for each in game.taken[:n])
    told = review(game.taken, NAMES, game.wholes, hand)
    entry = next(each for each in told.choices if (each.n, each.seat, each.kind) == (n, seat, kind))
    assert sorted(entry.made) == sorted(bad)
    cost = (entry.win_lost, entry.points_lost) > (0, 0)  # a game that is decided already costs points alone
    return cost and entry.made != entry.best and NAMES[seat] in entry.say and "the best" not in entry.say


@pytest.mark.parametrize("part", range(1))
def test_a_planted_blunder_is_found_in_every_game(part):
    assert [seed for seed in range(part * 10, part * 10 + 10) if not found(seed)] == []


def test_a_blunder_in_a_game_that_is_decided_is_found_too():
    assert found(706)


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_planted_blunders_are_found_in_a_thousand_games(part):
    assert [seed for seed in range(100 + part * 50, 150 + part * 50) if not found(seed)] == []


@pytest.mark.parametrize(("key", "seed"), [("six-card", 1), ("five-card", 2)])
def test_a_perfect_game_gets_no_reproach(key, seed):
    game = Reviewed(seed, expert, key)
    told = review(game.taken, NAMES, game.wholes)
    assert game.past.state.winner is not None
    assert len(told.choices) == sum(isinstance(each.move, Play) for each in game.taken) + 2 * _deals(game)
    assert {(each.win_lost, each.points_lost) for each in told.choices} == {(0, 0)}
    assert all(each.made == each.best for each in told.choices)
    assert all("the best there was" in each.say or "no other card fitted" in each.say for each in told.choices)
    assert told.skill == [0, 0]


def _deals(game):
    """The deals in which both hands came to be played."""
    return sum(isinstance(each.move, Starter) and each.after.winner is None for each in game.taken)


@pytest.fixture(scope="module")
def fairly():
    game = Reviewed(5)
    return game, review(game.taken, NAMES, game.wholes)


def test_each_choice_is_asked_as_the_player_was(fairly):
    game, told = fairly
    for each in told.choices:
        question = game.asked[each.n, each.seat, each.kind]
        assert _sorted(each.asked) == _sorted(question)


def _sorted(question):
    return question | {name: sorted(question[name] or ()) for name in ("hand", "kept", "discarded") if name in question}


def test_every_number_in_a_sentence_is_one_of_advise(fairly):
    _, told = fairly
    for each in told.choices:
        choices = ranked(json.loads(json.dumps(each.asked)))
        assert each.ranked == (choices if len(choices) > 1 else [])
        field = "discard" if each.kind == "discard" else "play"
        own, best = (
            next(c for c in choices if sorted(c[field]) == sorted(wanted)) for wanted in (each.made, each.best)
        )
        assert each.points_lost == pytest.approx(best["points"] - own["points"], abs=1e-8)
        assert each.win_lost == pytest.approx(best["win"] - own["win"], abs=1e-8)
        said = str(each.say)
        for one in PACK:
            said = said.replace(one.name, "")
        assert set(re.findall(r"\d+(?:\.\d+)?", said)) <= _numbers(each.asked, own, best), each.say


def _numbers(question, own, best):
    told = {f"{abs(best[name] - own[name]):.1f}" for name in own if name not in ("discard", "play", "win")}
    told |= {f"{100 * (best['win'] - own['win']):.1f}", *(str(question["target"] - n) for n in question["scores"])}
    if question["ask"] == "play":
        for choice in (own, best):
            series = [*map(card, question["series"]), card(choice["play"])]
            count = sum(each.value for each in series)
            told |= {str(count), str(sum(item.points for item in play_items(series, count)))}
    return told


def test_the_worst_come_first_and_luck_is_what_skill_is_not(fairly):
    game, told = fairly
    lost = [each.win_lost for each in told.choices]
    assert lost == sorted(lost, reverse=True)
    assert lost[0] > 0
    for seat in (0, 1):
        assert told.skill[seat] == pytest.approx(-sum(c.win_lost for c in told.choices if c.seat == seat))
    start = tables.of("six-card").wins(121)[0][0]
    won = float(game.past.state.winner == 0)
    assert won - start == pytest.approx(told.luck[0] + told.skill[0] - told.skill[1])
    assert told.luck[0] == -told.luck[1]


def test_the_deals_of_a_game_add_up_to_it(fairly):
    game, told = fairly
    whole = [review(game.taken, NAMES, game.wholes, hand) for hand in range(1, _cuts(game) + 1)]
    assert sum(each.luck[0] for each in whole) == pytest.approx(told.luck[0])
    assert sum(len(each.choices) for each in whole) == len(told.choices)
    with pytest.raises(BadMove, match=rf"there is no deal {_cuts(game) + 1}\."):
        review(game.taken, NAMES, game.wholes, _cuts(game) + 1)


def _cuts(game):
    return sum(isinstance(each.move, Starter) for each in game.taken)


def test_who_threw_what_is_not_guessed(fairly):
    """The crib's four cards do not say whose they were: both players must not be told of the same two."""
    game, known = fairly
    told = review(game.taken, NAMES)
    assert not [each for each in told.choices if each.kind == "discard"]
    assert len(told.choices) + int(told.unknown[0].split()[0]) == len(known.choices)
    assert all(each.asked["discarded"] is None for each in told.choices)


def test_a_hand_is_taken_for_the_deal_in_which_it_was_known(fairly):
    """A card of a deal that ended early lies in hands of other deals too: what was entered then is none of its."""
    game, _ = fairly
    first, second = [each.n for each in game.taken if isinstance(each.move, Starter)][:2]
    held = next(cards for seat, cards in game.wholes[4:] if seat == 0 and len(cards) == 6)
    dealt = [deals(game.taken, [Whole(0, held, at, cut)])[1].dealt
             for at, cut in ((first - 1, False), (first, True), (second - 1, False), (second, True))]  # fmt: skip
    assert dealt == [{}, {}, {0: held}, {0: held}]


def test_one_phone_that_knows_tells_both_discards(fairly):
    game, known = fairly
    told = review(game.taken, NAMES, [whole for whole in game.wholes if whole[0] == 0])
    ours = {each.n: each.win_lost for each in told.choices if (each.seat, each.kind) == (1, "discard")}
    theirs = {each.n: each.win_lost for each in known.choices if (each.seat, each.kind) == (1, "discard")}
    assert len(ours) >= len(theirs) - 1
    assert all(theirs[n] == lost for n, lost in ours.items())


def test_a_misdeal_is_no_deal_and_a_card_read_wrong_is_put_right():
    game = Reviewed(8, until=lambda: True)
    game.make(Starter(card("2C")))
    game.make(Misdeal())
    game.make(Adjust(1, 3))
    game.deal()
    plain = review(game.taken, NAMES, game.wholes)
    assert {each.hand for each in plain.choices} == {1}
    wrong = next(each.move.card for each in game.taken if isinstance(each.move, Play))
    seen = {c for _, whole in game.wholes for c in whole} | {game.past.state.deal.starter}
    right = next(c for c in PACK if c not in seen and c.rank == wrong.rank) if len(seen) < 52 else wrong
    game.make(Correct(wrong, right))
    told = review(game.taken, NAMES)
    played = [each for each in told.choices if each.kind == "play"]
    assert str(right) in {each.made for each in played}
    assert str(wrong) not in {each.made for each in played}
    assert all(str(wrong) not in each.asked["kept"] for each in played)


def test_what_was_not_claimed_is_told():
    game = Reviewed(3, until=lambda: True)
    state = game.past.state
    game.past = History(replace(state, terms=replace(state.terms, manual=True)))
    for move in (Starter(card("2C")), Play(1, card("5H")), Play(0, card("TS")), Claim(0, 0)):
        game.make(move)
    assert review(game.taken, NAMES).missed == [2, 0]


def test_nothing_played_is_nothing_to_review():
    told = review((), NAMES)
    assert (told.choices, told.luck, told.skill) == ([], [0, 0], [0, 0])
