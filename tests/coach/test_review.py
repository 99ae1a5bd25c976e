"""Reviews: planted blunders are found, a perfect game has none, and all numbers are those of advise."""

import json
import re
from random import Random

import pytest

from companion.coach import advise, review_text
from companion.coach.cribbage import tables
from companion.coach.cribbage.play import search_plays
from companion.coach.questions import parse_play_question
from companion.coach.review import PhoneHand, collect_deals, review_game
from companion.coach.review_text import SEARCH_ACCURACIES, ChoiceCost, explain_play, is_about_as_good, measure_cost
from companion.common.errors import BadMove
from companion.plugins.arena.game import DuplicateGame
from companion.rules.cards import PACK, parse_card, parse_cards
from companion.rules.match_terms import PenaltyPolicy
from companion.rules.moves import Correct, Play, Starter
from companion.rules.scoring import itemize_play
from tests.plugins.arena.recorded_game import RecordedGame, quick_choice
from tests.support.play_positions import ask_discard, ask_play

NAMES = ("Ann", "Bob")


def rank_choices(question):
    return advise.answer_question(question)["choices"]


def expert(question, seat=0):
    best = rank_choices(question)[0]
    if question["ask"] == "discard":
        return [parse_card(text) for text in best["discard"]]
    return best["play"] and parse_card(best["play"])


class Blunderer:
    """Plays by the rollout policy with one blunder: the worst discard, a fifteen not taken, or a five led."""

    def __init__(self, seed):
        self.kind = ("worst", "fifteen", "five")[seed % 3]
        self.wait = Random(seed).randrange(4)
        self.planted = None

    def __call__(self, question, seat):
        bad = None if self.planted else self._bad(question)
        if bad is None:
            return quick_choice(question)
        if self.wait:
            self.wait -= 1
            return quick_choice(question)
        self.planted = question, bad
        return [parse_card(text) for text in bad] if question["ask"] == "discard" else parse_card(bad)

    def _bad(self, question):
        if question["ask"] == "discard":
            return rank_choices(question)[-1]["discard"] if self.kind == "worst" else None
        held, count = question["hand"], question["count"]
        if self.kind == "fifteen" and any(parse_card(c).value + count == 15 for c in held):
            choices = rank_choices(question)
            if parse_card(choices[0]["play"]).value + count == 15 > parse_card(choices[-1]["play"]).value + count:
                return choices[-1]["play"]
        if self.kind == "five" and not count and any(c[0] == "5" for c in held):
            choices = rank_choices(question)
            costs = [c for c in choices if not is_about_as_good(question, measure_cost(question, c, choices[0]))]
            return next((c["play"] for c in costs if c["play"][0] == "5" != choices[0]["play"][0]), None)
        return None


def play_blundered_game(seed):
    while True:
        blunderer = Blunderer(seed)
        game = RecordedGame(seed, blunderer, dealer=seed % 2, until=lambda who=blunderer: who.planted)
        if blunderer.planted:
            return game, blunderer
        seed += 30_000


def blunder_is_found(seed):
    game, blunderer = play_blundered_game(seed)
    question, bad = blunderer.planted
    (n, seat, kind) = next(key for key, each in game.asked.items() if each is question)
    hand = sum(isinstance(each.move, Starter) for each in game.taken[:n])
    report = review_game(game.taken, NAMES, game.wholes, hand)
    entry = next(each for each in report.choices if (each.n, each.seat, each.kind) == (n, seat, kind))
    assert sorted(entry.made) == sorted(bad)
    cost = (entry.win_lost, entry.points_lost) > (0, 0)  # a game that is decided already costs points alone
    has_reason = str(entry.say).count(". ") > 0  # in a second sentence
    return cost and has_reason and entry.made != entry.best and NAMES[seat] in entry.say and "the best" not in entry.say


def test_a_planted_blunder_is_found_in_every_game():
    """In the last of them the game is decided already."""
    assert [seed for seed in (*range(10), 706) if not blunder_is_found(seed)] == []


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_planted_blunders_are_found_in_a_thousand_games(part):
    assert [seed for seed in range(100 + part * 50, 150 + part * 50) if not blunder_is_found(seed)] == []


@pytest.mark.parametrize(("key", "seed"), [("six-card", 1), ("five-card", 2)])
def test_a_perfect_game_gets_no_reproach(key, seed):
    game = RecordedGame(seed, expert, key)
    report = review_game(game.taken, NAMES, game.wholes)
    assert game.past.state.winner is not None
    assert len(report.choices) == sum(isinstance(each.move, Play) for each in game.taken) + 2 * _deals(game)
    assert {(each.win_lost, each.points_lost) for each in report.choices} == {(0, 0)}
    assert all(each.made == each.best for each in report.choices)
    assert all("the best choice" in each.say or "no other card was possible" in each.say for each in report.choices)
    assert report.skill == [0, 0]


@pytest.mark.long
def test_none_of_two_thousand_best_choices_is_blamed():
    choices = []
    seeds = iter(range(200, 300))
    while len(choices) < 2000:
        game = RecordedGame(next(seeds), expert)
        choices += review_game(game.taken, NAMES, game.phone_hands).choices
    assert {(each.win_lost, each.points_lost) for each in choices} == {(0, 0)}


def _deals(game):
    return sum(isinstance(each.move, Starter) and each.after.winner is None for each in game.taken)


@pytest.fixture(scope="module")
def fair_game():
    game = RecordedGame(5)
    return game, review_game(game.taken, NAMES, game.wholes)


def test_each_choice_is_asked_as_the_player_was(fair_game):
    game, report = fair_game
    for each in report.choices:
        question = game.asked[each.n, each.seat, each.kind]
        assert _sorted(each.question) == _sorted(question)


def _sorted(question):
    return question | {name: sorted(question[name] or ()) for name in ("hand", "kept", "discarded") if name in question}


def test_every_number_said_is_of_advise(fair_game):
    _, report = fair_game
    for each in report.choices:
        choices = rank_choices(json.loads(json.dumps(each.question)))
        assert each.ranked == (choices if len(choices) > 1 else [])
        field = "discard" if each.kind == "discard" else "play"
        own, best = (next(c for c in choices if sorted(c[field]) == sorted(made)) for made in (each.made, each.best))
        cost = measure_cost(each.question, own, best)
        if own["win"] < best["win"] and is_about_as_good(each.question, cost):
            assert (each.points_lost, each.win_lost) == (0, 0)
            assert "about as good as the best choice" in each.say
            continue
        assert each.points_lost == pytest.approx(best["points"] - own["points"], abs=1e-8)
        assert each.win_lost == pytest.approx(best["win"] - own["win"], abs=1e-8)
        said = str(each.say)
        for one in PACK:
            said = said.replace(one.name, "")
        assert set(re.findall(r"\d+(?:\.\d+)?", said)) <= _numbers(each.question, own, best), each.say


def _numbers(question, own, best):
    """Return every number that a sentence may say: of the answer and the question, and what cards score by rule."""
    report = {f"{abs(best[name] - own[name]):.1f}" for name in own if name not in ("discard", "play", "win")}
    report |= {f"{100 * (best['win'] - own['win']):.1f}", *(str(question["target"] - n) for n in question["scores"])}
    if question["ask"] == "play":
        for choice in (own, best):
            series = [*map(parse_card, question["series"]), parse_card(choice["play"])]
            count = sum(each.value for each in series)
            report |= {str(count), str(sum(item.points for item in itemize_play(series, count)))}
            report |= _numbers_of_answers(question, series, count)
    return report


def _numbers_of_answers(question, series, count):
    """Return the ranks of the opponent's answers, their points, and the points of the player's cards after them."""
    series, count = ([], 0) if count == 31 else (series, count)
    found = {str(n) for n in range(2, 11)}
    for answer in PACK[::4]:
        total = count + answer.value
        if total <= 31:
            found.add(str(sum(item.points for item in itemize_play([*series, answer], total))))
            for text in question["hand"]:
                card = parse_card(text)
                if total + card.value <= 31:
                    items = itemize_play([*series, answer, card], total + card.value)
                    found.add(str(sum(item.points for item in items)))
    return found


def test_the_worst_choices_come_first(fair_game):
    game, report = fair_game
    lost = [each.win_lost for each in report.choices]
    assert lost == sorted(lost, reverse=True)
    assert lost[0] > 0
    for seat in (0, 1):
        assert report.skill[seat] == pytest.approx(-sum(c.win_lost for c in report.choices if c.seat == seat))
    start = tables.load_tables("six-card").win_chances(121)[0][0]
    won = float(game.past.state.winner == 0)
    assert won - start == pytest.approx(report.luck[0] + report.skill[0] - report.skill[1])
    assert report.luck[0] == -report.luck[1]


def test_the_deals_add_up_to_the_game(fair_game):
    game, report = fair_game
    cuts = len(_cut_moves(game))
    whole = [review_game(game.taken, NAMES, game.wholes, hand) for hand in range(1, cuts + 1)]
    assert sum(each.luck[0] for each in whole) == pytest.approx(report.luck[0])
    assert sum(len(each.choices) for each in whole) == len(report.choices)
    with pytest.raises(BadMove, match=rf"there is no deal {cuts + 1}\."):
        review_game(game.taken, NAMES, game.wholes, cuts + 1)


def test_who_threw_what_is_not_guessed(fair_game):
    """The crib does not show whose its cards were, so both players must not get the same two."""
    game, known = fair_game
    report = review_game(game.taken, NAMES)
    assert not [each for each in report.choices if each.kind == "discard"]
    assert len(report.choices) + int(report.unknown[0].split()[0]) == len(known.choices)
    assert all(each.question["discarded"] is None for each in report.choices)


@pytest.mark.parametrize("seed", [1, 2])
def test_an_expert_with_unknown_discards_is_blameless(seed):
    game = RecordedGame(seed, expert)
    report = review_game(game.taken, NAMES)
    assert {each.win_lost for each in report.choices} == {0}
    other = [each for each in report.choices if each.made != each.best]
    assert other
    assert all("about as good as the best choice" in each.say for each in other)


@pytest.mark.long
def test_no_expert_is_blamed_in_fifteen_games():
    reports = [review_game(RecordedGame(seed, expert).taken, NAMES) for seed in range(15)]
    assert max(each.win_lost for report in reports for each in report.choices) <= 0.0005


def play_worst(question, seat=0):
    if question["ask"] == "discard":
        return quick_choice(question)
    worst = rank_choices(question)[-1]["play"]
    return worst and parse_card(worst)


@pytest.mark.parametrize("has_discards", [True, False])
def test_every_bad_play_gets_a_reason(has_discards):
    game = RecordedGame(4, play_worst)
    report = review_game(game.taken, NAMES, game.wholes if has_discards else ())
    bad = [str(each.say) for each in report.choices if each.kind == "play" and each.win_lost > 0.0005]
    assert len(bad) > 20
    assert [said for said in bad if said.count(". ") == 0] == []


@pytest.mark.parametrize(
    ("own", "best", "said"),
    [
        ("9D", "4C", "Cards that score on the 9 of diamonds: 6 for 2, 9 for 2."),
        ("5H", "4C",
         "games. With the 5 of hearts, the count was 5: any card worth ten would score for the opponent."),
        ("4C", "KD", "After the king of diamonds, Ann would score more in the rest of the play."),
    ],
)  # fmt: skip
def test_the_sentence_names_the_cards_that_score(own, best, said):
    """On a 5 led, tens and a pair score; on a 4 only a pair does."""
    question = ask_play("5H 4C 9D KD", discarded="2C 2D", starter="TS", dealer=False)
    choices = {"play": own, "points": 0.0, "win": 0.5}, {"play": best, "points": 1.0, "win": 0.52}
    assert str(review_text.choice_sentence(question, *choices, "Ann", is_only=False)).endswith(said)


ON_A_TEN = ask_play("TD 4H 9H 8C", "TC", other="TC", starter="6C", scores=(75, 64))
AFTER_A_KING = ask_play("2H 2D 9S", "TC KC", own="KC", other="TC", discarded="3S KD", starter="8C")


@pytest.mark.parametrize(
    ("question", "own", "best", "points", "said"),
    [
        # another ten would score 6 on the pair; an ace on the 4 only 2
        (ON_A_TEN, "TD", "4H", 1.8, "Cards that score on the 10 of diamonds: 10 for 6."),
        (ON_A_TEN, "4H", "TD", 1.0, "It would have scored 2 at once."),
        (AFTER_A_KING, "2H", "9S", 1.0, "After the 9 of spades and a go, the 2 of hearts would score 2 points."),
        (AFTER_A_KING, "9S", "2H", 1.0, "After the 2 of hearts, Bob would score more in the rest of the play."),
    ],
)
def test_the_reason_is_the_likeliest_or_the_dearest(question, own, best, points, said):
    assert explain_play(question, own, best, points, "Bob") == said


def test_blame_begins_beyond_the_search_accuracy():
    """A hundred hands are tried for the first cards away from the end, and all for the last two and near the end."""
    asked = {"ask": "play", "kept": ["TD", "4H", "9H", "8C"], "played": [[], ["TC"]], "target": 121}
    early = asked | {"hand": asked["kept"], "scores": [75, 64]}
    cost = ChoiceCost(points=0.2, games=0.004)
    assert is_about_as_good(early, cost)
    assert not is_about_as_good(early, cost._replace(games=0.01))
    assert not is_about_as_good(early, cost._replace(points=0.5))
    assert not is_about_as_good(early | {"hand": ["9H", "8C"]}, cost)
    assert not is_about_as_good(early | {"scores": [75, 107]}, cost)
    assert is_about_as_good(early | {"scores": [75, 107], "played": [[], []]}, cost)
    assert not is_about_as_good({"ask": "discard"}, cost)


@pytest.mark.long
def test_most_differences_are_within_the_accuracy():
    """A hundred hands of the opponent are compared with all."""
    errors = {4: [], 3: []}
    random = Random(5)

    def ask(question):
        choices = rank_choices(question)
        held = len(question["hand"])
        is_early = question["ask"] == "play" and held in errors and max(question["scores"]) < 101
        if is_early and random.random() < 0.3:
            errors[held] += compare_searches(parse_play_question(question))
        return {"choices": [random.choice(choices[:2])]}

    for seed in range(900, 930):
        DuplicateGame((ask, ask), seed).play()
    for held, limits in SEARCH_ACCURACIES.items():
        assert len(errors[held]) > 200
        for found, limit in zip(zip(*errors[held], strict=True), limits, strict=True):
            assert sorted(found)[int(0.9 * len(found))] < 1.2 * limit


def compare_searches(turn):
    """Return the errors of the difference between each card and the best one, in points and in games."""
    few, all_hands = ({each.card: each for each in search_plays(turn, hands)} for hands in (100, 3000))
    best = max(few, key=lambda card: few[card].win)
    return [
        tuple(abs(getattr(few[best], name) - getattr(few[card], name)
                  - getattr(all_hands[best], name) + getattr(all_hands[card], name)) for name in ("points", "win"))
        for card in few if card != best
    ]  # fmt: skip


def test_in_a_match_a_skunk_costs():
    """Bob had 90 points, and needed one to avoid the skunk."""
    question = ask_discard("2H 8S KD KS QD QH", scores=(90, 115)) | {"for": "match", "game_points": "2,3,3"}
    best = {"discard": ["8S", "KD"], "points": 10.6, "win": 0.0, "game_points": -2.75}
    own = {"discard": ["2H", "8S"], "points": 13.3, "win": 0.0, "game_points": -2.78}
    cost = measure_cost(question, own, best)
    assert cost.games == pytest.approx(0.0075)
    assert not is_about_as_good(question, cost)
    said = str(review_text.choice_sentence(question, own, best, "Bob", is_only=False))
    assert "2.7 points less, but would win 3.0 more game points in 100 games" in said
    assert said.endswith("Bob was 1 short of the skunk line.")


def test_a_hand_belongs_to_its_deal(fair_game):
    """Cards of a deal that ended early are dealt again later; a hand entered then belongs to that deal only."""
    game, _ = fair_game
    first, second = [each.n for each in game.taken if isinstance(each.move, Starter)][:2]
    held = next(cards for seat, cards in game.wholes[4:] if seat == 0 and len(cards) == 6)
    dealt = [collect_deals(game.taken, [PhoneHand(0, held, at, cut)])[1].dealt
             for at, cut in ((first - 1, False), (first, True), (second - 1, False), (second, True))]  # fmt: skip
    assert dealt == [{}, {}, {0: held}, {0: held}]


def test_the_hand_of_one_phone_reveals_both_discards(fair_game):
    game, known = fair_game
    report = review_game(game.taken, NAMES, [whole for whole in game.wholes if whole[0] == 0])
    ours = {each.n: each.win_lost for each in report.choices if (each.seat, each.kind) == (1, "discard")}
    theirs = {each.n: each.win_lost for each in known.choices if (each.seat, each.kind) == (1, "discard")}
    assert len(ours) >= len(theirs) - 1
    assert all(theirs[n] == lost for n, lost in ours.items())


def test_a_starter_cut_again_is_not_reviewed():
    game = RecordedGame(8, until=lambda: True)
    game.change_terms(policy=PenaltyPolicy(is_tournament=True))
    game.tell("cut 2C; judge 0 starter-early; accept")
    game.deal()
    assert {each.hand for each in review_game(game.taken, NAMES, game.wholes).choices} == {1}


@pytest.mark.parametrize("what", ["renege", "renege-dead"])
def test_cards_taken_back_are_not_reviewed(what):
    game = RecordedGame(8, until=lambda: True)
    game.change_terms(policy=PenaltyPolicy(is_tournament=True))
    game.tell(f"cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 0 2C; judge 0 {what} 2; accept")
    (deal,) = collect_deals(game.taken)
    assert [str(turn.card) for turn in deal.turns] == ["KH", "QD", "5C"]


def test_misdeals_go_and_misread_cards_are_corrected():
    game = RecordedGame(8, until=lambda: True)
    game.tell("cut 2C; misdeal; 1 adjusts 3")
    game.deal()
    plain = review_game(game.taken, NAMES, game.wholes)
    assert {each.hand for each in plain.choices} == {1}
    wrong = next(each.move.card for each in game.taken if isinstance(each.move, Play))
    seen = {c for _, whole in game.wholes for c in whole} | {game.past.state.deal.starter}
    right = next(c for c in PACK if c not in seen and c.rank == wrong.rank) if len(seen) < 52 else wrong
    game.make(Correct(wrong, right))
    report = review_game(game.taken, NAMES)
    played = [each for each in report.choices if each.kind == "play"]
    assert str(right) in {each.made for each in played}
    assert str(wrong) not in {each.made for each in played}
    assert all(str(wrong) not in each.question["kept"] for each in played)


def test_a_misread_card_may_come_again():
    """Ann's 2 was read as a card of Bob, and corrected at once; Bob's own card is not changed by that."""
    game = RecordedGame(8, until=lambda: True)
    game.tell("cut JC; 1 3H; 0 6S; correct 6S 2D; 1 6S; 0 7C; 1 KD")
    report = review_game(game.taken, NAMES, [(0, parse_cards("2D7C8C9C")), (1, parse_cards("KD3H4H6S"))])
    made = {(each.seat, each.made) for each in report.choices if each.kind == "play"}
    assert made == {(1, "3H"), (0, "2D"), (1, "6S"), (0, "7C"), (1, "KD")}
    assert not [said for said in report.unknown if "entered wrong" in said]


def test_a_double_card_costs_its_choices_only():
    """The phone of seat 0 has a card of the opponent as a discard. The game ended before the crib was shown."""
    game = RecordedGame(5)
    number, cut = max((n, each.n) for n, each in enumerate(_cut_moves(game), 1))
    theirs = next(each.move.card for each in game.taken[cut:] if isinstance(each.move, Play) and each.move.seat == 1)
    rows = dict(row for row in game.wholes[-4:] if len(row[1]) == 4)
    dealt = [(seat, cards) for seat, cards in game.wholes[-4:] if len(cards) == 6]
    thrown = next(card for seat, cards in dealt if seat == 0 for card in cards if card not in rows[0])
    others = [row for row in game.wholes if row not in dealt]
    wrong = review_game(game.taken, NAMES, [*others, (0, (*rows[0], thrown, theirs)), dealt[1 - dealt[0][0]]])
    right = review_game(game.taken, NAMES, game.wholes)
    assert str(wrong.unknown[0]).startswith(f"1 choice of deal {number} can't be judged")
    assert len(wrong.choices) == len(right.choices) - 1
    plays = [sorted(each.n for each in report.choices if each.kind == "play") for report in (wrong, right)]
    assert plays[0] == plays[1]


def _cut_moves(game):
    return [each for each in game.taken if isinstance(each.move, Starter)]


def test_unclaimed_points_are_reported():
    game = RecordedGame(3, until=lambda: True)
    game.change_terms(is_manual=True)
    game.tell("cut 2C; 1 5H; 0 TS; 0 claims 0")
    assert review_game(game.taken, NAMES).missed == [2, 0]


def test_nothing_played_is_nothing_to_review():
    report = review_game((), NAMES)
    assert (report.choices, report.luck, report.skill) == ([], [0, 0], [0, 0])
