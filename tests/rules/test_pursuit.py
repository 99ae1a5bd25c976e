"""Pursuit: who is knocked out by what, what stands then, and who starts the smaller loop."""

import random
from dataclasses import replace
from typing import Any

import pytest

from companion import rules
from companion.errors import IllegalMove, SettingsError
from companion.rules import Award, History, Setup, Step, advance, apply, play, scoring
from companion.rules.cards import PACK, Card, card, cards
from companion.rules.moves import Adjust, Claim, Crib, Go, Hand, Misdeal, Move, Next, Peg, Play, Starter, Undo
from companion.rules.pursuit import GAME, State


def table(seats: int = 4, dealer: int = 0, **options: str) -> State:
    return rules.begin(GAME, Setup(seats, dealer, options)).state


def at(state: State, scores: tuple[int, ...], back: tuple[int, ...] | None = None) -> State:
    """The same table with the pegs there."""
    return replace(state, scores=scores, back=back or scores)


def dealt(state: State, **changes: Any) -> State:
    """The same table in the middle of a deal."""
    return replace(state, deal=replace(state.deal, **{"hands": (None,) * state.terms.seats, **changes}))


def told(state: State, *moves: Move) -> Step[State]:
    for move in moves:
        step = apply(GAME, state, move)
        state = step.state
    return step


FIFTEEN = (Starter(card("2D")), Play(1, card("5H")), Play(2, card("TH")))
"""With dealer 0 seat 2 makes fifteen."""


def test_a_lap_has_thirty_holes_a_player_and_everybody_starts_at_0():
    for seats in (2, 3, 4, 5):
        shown = GAME.view(table(seats))
        assert shown["lap"] == 30 * seats
        assert shown["scores"] == shown["back"] == (0,) * seats
        assert shown["alive"] == tuple(range(seats))


@pytest.mark.parametrize(("back", "out"), [(0, True), (1, False)])
def test_landing_on_the_next_players_back_peg_is_enough_and_one_hole_short_is_not(back: int, out: bool):
    state = at(table(), (0, 0, 28, 9), (0, 0, 20, back))
    step = told(state, *FIFTEEN)
    assert step.state.scores == (0, 0, 30, 9)
    assert step.state.back == (0, 0, 28, back)
    assert (step.notes.get("knocked_out") == [3]) is out
    assert (step.state.phase == "between") is out


def test_the_distance_counts_the_living_seats_clockwise_between():
    three = replace(table(), alive=(0, 2, 3))
    step = told(at(replace(three, dealer=3), (28, 0, 40, 90)), Starter(card("2D")), Play(0, card("5H")))
    assert step.state.turn == 2
    far = told(at(replace(three, dealer=0), (30, 0, 88, 31)), Starter(card("2D")), Play(2, card("5H")))
    step = told(far.state, Play(3, card("TH")))
    assert "knocked_out" not in step.notes  # seat 0 is one side ahead of seat 3: 60 would reach it
    step = told(at(far.state, (30, 0, 88, 58)), Play(3, card("TH")))
    assert step.notes["knocked_out"] == [0]


def test_one_score_may_knock_out_several_and_the_loop_shrinks_by_as_many():
    state = at(table(5), (4, 5, 88, 12, 30), (1, 5, 0, 10, 29))
    step = told(state, *FIFTEEN)
    assert step.notes["knocked_out"] == [3, 4]
    assert step.state.alive == (0, 1, 2)
    assert GAME.view(step.state)["lap"] == 90
    assert step.state.winner is None


def test_knocked_out_are_named_by_seat_and_the_first_clockwise_deals_the_next_match():
    state = at(table(3), (30, 0, 88))
    step = told(state, *FIFTEEN)
    assert step.notes["knocked_out"] == [0, 1]
    assert (step.state.phase, step.state.winner, step.state.dealer) == ("over", 2, 2)
    assert step.state.turn is None
    again = told(step.state, Next()).state
    assert again == replace(table(3, dealer=0), loops=1)


def test_after_a_knock_out_the_scores_stand_until_the_next_deal_begins_at_0():
    step = told(at(table(), (7, 3, 28, 9), (7, 3, 20, 0)), *FIFTEEN)
    out = step.state
    assert (out.scores, out.dealer, out.phase) == ((7, 3, 30, 9), 2, "between")
    shown = GAME.view(out)
    assert (shown["count"], shown["series"], shown["gone"], shown["turn"]) == (0, (), (), None)
    assert shown["played"] == ((), (card("5H"),), (card("TH"),), ())
    assert told(out, Next()).state.scores == (0, 0, 0, 0)
    step = told(out, Starter(card("JD")))
    assert (step.state.scores, step.state.back) == ((0, 0, 2, 0), (0, 0, 0, 0))
    assert step.state.turn == 0
    assert [a.reason for a in step.awards] == ["his heels"]


def test_heels_can_knock_out():
    step = told(at(table(2), (28, 0)), Starter(card("JD")))
    assert step.notes["knocked_out"] == [1]
    assert (step.state.phase, step.state.winner, step.state.scores) == ("over", 0, (30, 0))


def test_the_last_card_and_its_1_are_one_movement_and_the_1_after_a_go_is_its_own():
    start = told(table(2), Starter(card("2D"))).state
    first = [Play(1, card("KH")), Play(0, card("QH")), Play(1, card("9H")), Go(0), Go(1)]
    step = told(at(start, (0, 7), (0, 3)), *first)
    assert step.awards == (Award(1, 1, "last card", (card("9H"),)),)
    assert (step.state.scores, step.state.back) == ((0, 8), (0, 7))

    second = [Play(0, card("8D")), Play(1, card("TC")), Play(0, card("KD")), Go(1), Go(0), Play(1, card("5D"))]
    before = told(step.state, *second).state
    step = told(before, Play(0, card("TH")))
    assert [(a.seat, a.reason) for a in step.awards[:2]] == [(0, "fifteen"), (0, "last card")]
    assert (before.scores[0], step.state.back[0], step.state.scores[0]) == (1, 1, 4)  # its hand is worth nothing


def test_a_hand_that_knocks_out_leaves_the_later_hands_uncounted():
    laid = play.begin(2, 0)
    hands = (cards("2C4D9H"), cards("6C7D7S8H"))
    laid = replace(laid, played=hands, series=cards("8H"), count=8, last=1)
    state = dealt(table(2), phase="play", starter=card("KD"), laid=laid, hands=(None, hands[1]))
    step = told(at(state, (0, 18), (0, 12)), Play(0, card("8S")))
    assert step.notes["knocked_out"] == [0]
    assert (step.state.winner, step.state.scores, step.state.back) == (1, (3, 30), (0, 18))
    assert [a.reason for a in step.awards if a.seat == 0] == ["pair", "last card"]  # and no hand
    assert sum(a.points for a in step.awards if a.seat == 1) == 12


def test_the_crib_can_knock_out_and_the_dealer_who_did_it_deals_again():
    state = dealt(table(3, dealer=2), phase="crib", starter=card("5D"), laid=play.begin(3, 1))
    step = told(at(state, (0, 5, 10)), Crib(cards("5H5S5CJD")))
    assert (step.state.scores, step.state.back) == ((0, 5, 39), (0, 5, 10))
    assert step.notes["knocked_out"] == [0]
    assert (step.state.dealer, step.state.phase, step.state.alive) == (2, "between", (1, 2))
    step = told(at(state, (0, 5, 10), (1, 5, 10)), Crib(cards("2H4S6C8D")))
    assert (step.state.dealer, step.state.phase) == (0, "between")


def test_no_points_move_no_peg():
    state = at(table(2), (9, 14), (4, 8))
    step = told(state, Starter(card("2D")), Play(1, card("KH")))
    assert (step.state.scores, step.state.back, step.awards) == ((9, 14), (4, 8), ())


def test_by_option_it_is_the_front_peg_that_is_caught():
    state = at(table(capture_peg="front"), (0, 0, 28, 9), (0, 0, 20, 0))
    assert told(state, *FIFTEEN).state.phase == "play"
    state = at(table(capture_peg="front"), (0, 0, 37, 9), (0, 0, 20, 0))
    assert told(state, *FIFTEEN).notes["knocked_out"] == [3]


def test_scores_go_on_over_the_laps():
    state = at(table(2), (250, 240), (245, 236))
    step = told(state, Starter(card("JD")))
    assert step.state.scores == (252, 240)
    assert told(at(table(2), (264, 240), (245, 236)), Starter(card("JD"))).state.winner == 0


def test_an_adjustment_moves_no_back_peg_and_knocks_nobody_out():
    state = at(table(2), (9, 14), (4, 8))
    step = told(state, Adjust(0, 100))
    assert (step.state.scores, step.state.back, step.state.phase) == ((109, 14), (4, 8), "cut")
    assert step.awards == (Award(0, 100, "adjust"),)
    assert told(step.state, Starter(card("JD"))).state.winner == 0  # the next score is a pursuit again
    with pytest.raises(IllegalMove, match="Blue has only 14"):
        apply(GAME, state, Adjust(1, -15))


def test_a_misdeal_takes_the_pegs_back_and_leaves_adjustments():
    state = at(table(2), (9, 14), (4, 8))
    step = told(state, Starter(card("JD")), Play(1, card("5H")), Adjust(1, 3), Play(0, card("TH")), Misdeal())
    assert (step.state.scores, step.state.back) == ((9, 17), (4, 8))
    assert (step.state.phase, step.state.dealer, step.state.starter) == ("cut", 0, None)


def test_who_is_out_is_asked_nothing_and_refused_in_words():
    out = told(at(table(), (7, 3, 28, 9), (7, 3, 20, 0)), *FIFTEEN).state
    after = told(out, Starter(card("2D"))).state
    for move in (Play(3, card("5H")), Go(3), Adjust(3, 1)):
        with pytest.raises(IllegalMove, match="Yellow has been knocked out"):
            apply(GAME, after, move)
    with pytest.raises(IllegalMove, match="no such seat"):
        apply(GAME, after, Go(4))
    turns = [after.turn]
    for seat, code in ((0, "AC"), (1, "AD"), (2, "AH")):
        after = told(after, Play(seat, card(code))).state
        turns.append(after.turn)
    assert turns == [0, 1, 2, 0]
    # While the scores of the last loop still stand, they can all be put right.
    assert told(out, Adjust(3, -2)).state.scores == (7, 3, 30, 7)


def test_the_deal_passes_among_the_living():
    state = table(5)
    for alive, dealer, following in (((0, 2, 4), 4, 0), ((0, 2, 4), 0, 2), ((1, 3), 1, 3), ((1, 3), 3, 1)):
        state = dealt(replace(state, alive=alive, dealer=dealer), dealer=dealer, phase="crib", starter=card("KD"))
        step = told(state, Crib(cards("2H4S6C8D")))
        assert step.state.dealer == following
        assert told(step.state, Starter(card("2D"))).state.turn == next(
            seat % 5 for seat in range(following + 1, following + 6) if seat % 5 in alive
        )


def test_a_renege_is_named_and_in_a_tournament_given_to_the_next_of_the_living():
    for policy, gained in (("friendly", 0), ("tournament", 2)):
        state = replace(table(3, policy=policy), alive=(0, 2), dealer=0)
        played = [Play(seat, card(code)) for seat, code in ((2, "TH"), (0, "9H"), (2, "4S"), (0, "3C"))]
        said = told(state, Starter(card("2D")), *played, Go(2), Go(0)).state
        step = told(said, Play(2, card("KC")), Play(0, card("QC")), Play(2, card("5C")))
        assert [(r.seat, r.count, r.card) for r in step.notes["reneges"]] == [(2, 26, card("5C"))]
        assert sum(a.points for a in step.awards if a.reason == "renege" and a.seat == 0) == gained


@pytest.mark.parametrize("option", ["target", "first_deal", "game_points"])
def test_what_pursuit_does_not_ask_is_no_option(option: str):
    with pytest.raises(SettingsError, match=f"has no option {option}"):
        rules.settle_options(GAME, {option: "61"})


class Ring:
    """The board as wood: pegs walk hole by hole round the loop of the living, and hit what stands there."""

    def __init__(self, state: State) -> None:
        self.alive, self.by_front = list(state.alive), state.by_front
        self.front = dict.fromkeys(range(state.terms.seats), 0)
        self.back = dict(self.front)

    def walk(self, seat: int, points: int) -> list[int]:
        """Peg so many holes; who was met."""
        if not points:
            return []
        lap = 30 * len(self.alive)
        marks = self.front if self.by_front else self.back
        standing = {(30 * n + marks[each] - 1) % lap: each for n, each in enumerate(self.alive) if each != seat}
        start = 30 * self.alive.index(seat) + self.front[seat] - 1
        met = [standing[hole] for step in range(1, points + 1) if (hole := (start + step) % lap) in standing]
        self.back[seat], self.front[seat] = self.front[seat], self.front[seat] + points
        return sorted(met)


def tried(series: list[Card]) -> int:
    """The play's points for the last card, looked for without cleverness."""
    points = 2 * (sum(c.value for c in series) in (15, 31))
    alike = next((n for n, c in enumerate(reversed(series)) if c.rank != series[-1].rank), len(series))
    points += alike * (alike - 1)
    for size in range(len(series), 2, -1):
        ranks = sorted(c.rank for c in series[-size:])
        if ranks == list(range(ranks[0], ranks[0] + size)):
            return points + size
    return points


class Table:
    """People who deal, play by the rules, and now and then try what is not allowed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        options = {key: self.chance.choice(values) for key, values in GAME.options.items()}
        options["counting"] = "auto"
        self.setup = Setup(self.chance.choice(GAME.seats), 0, options)
        self.hands: list[list[Card]] = []
        self.crib: tuple[Card, ...] = ()

    def honest(self, state: State) -> Move:
        """A move that the rules allow."""
        if state.phase == "cut" or (state.phase == "between" and self.chance.random() < 0.5):
            pack = self.chance.sample(PACK, 52)
            self.hands = [pack[4 * seat : 4 * seat + 4] for seat in range(self.setup.seats)]
            self.crib = tuple(pack[24:28])
            return Starter(pack[30])
        if state.phase in ("play", "crib") and self.chance.random() < 0.01:
            return Misdeal()
        if state.phase == "play":
            laid = state.laid
            assert laid
            assert laid.turn is not None
            left = [c for c in self.hands[laid.turn] if not laid.knows(c)]
            fitting = [c for c in left if laid.count + c.value <= 31]
            return Play(laid.turn, self.chance.choice(fitting)) if fitting else Go(laid.turn)
        return Crib(self.crib) if state.phase == "crib" else Next()

    def forbidden(self, state: State) -> Move:
        """A move that no state allows, or not this one."""
        seat, some = self.chance.randint(-1, 6), self.chance.sample(PACK, 4)
        wrong: list[Move] = [Go(9), Peg(0, 2), Hand(0, tuple(some)), Claim(0, 2), Play(-1, some[0]), Adjust(7, 1)]
        wrong += [Crib((some[0], *some[:3])), Adjust(state.alive[0], -2000)]
        wrong += [Adjust(s, 1) for s in range(self.setup.seats) if s not in state.alive + state.fallen]
        if state.phase not in ("cut", "between"):
            wrong.append(Starter(some[0]))
        if state.phase not in ("between", "over"):
            wrong.append(Next())
        if state.phase not in ("play", "crib"):
            wrong.append(Misdeal())
        if state.phase != "play" or seat != state.turn:
            wrong += [Play(seat, some[0]), Go(seat)]
        if state.turn is not None and state.laid:
            wrong += [Play(state.turn, c) for hand in state.laid.played for c in hand]
            wrong += [Play(state.turn, c) for c in some if c.value + state.laid.count > 31]
        return self.chance.choice(wrong)


def movements(before: State, move: Move) -> list[tuple[int, int]]:
    """Seat and points of each peg movement that a move may make, by the tables and by looking."""
    if isinstance(move, Starter):
        return [(before.dealer, 2 * (move.card.rank == card("JC").rank))]
    if isinstance(move, Crib):
        assert before.starter is not None
        return [(before.dealer, scoring.points(move.cards, before.starter, crib=True))]
    laid = before.laid
    assert laid is not None
    held = {seat: 4 - len(laid.played[seat]) for seat in before.alive}
    if isinstance(move, Go):
        able = [seat for seat in before.alive if held[seat] and seat not in (*laid.gone, move.seat)]
        return [] if able or laid.last is None else [(laid.last, 1)]
    assert isinstance(move, Play)
    series = [*laid.series, move.card]
    held[move.seat] -= 1
    able = [seat for seat in before.alive if held[seat] and seat not in laid.gone]
    ends = not able and sum(c.value for c in series) < 31
    found = [(move.seat, tried(series) + ends)]
    if not any(held.values()):
        clockwise = [
            seat for n in range(1, 6) for seat in before.alive if seat == (before.dealer + n) % before.terms.seats
        ]
        hands = {seat: (*laid.played[seat], *((move.card,) if seat == move.seat else ())) for seat in before.alive}
        assert before.starter is not None
        found += [(seat, scoring.points(hands[seat], before.starter)) for seat in dict.fromkeys(clockwise)]
    return found


def check(before: State, move: Move, step: Step[State], ring: Ring, kept: dict[str, Any]) -> None:
    """What must hold of every step; the ring walks along."""
    state, out = step.state, []
    if before.fallen and isinstance(move, Next | Starter):
        ring.alive = list(before.alive)
        ring.front = dict.fromkeys(ring.front, 0)
        ring.back = dict(ring.front)
    if isinstance(move, Starter):
        kept.update(front=dict(ring.front), back=dict(ring.back))
    if isinstance(move, Misdeal):
        ring.front, ring.back = dict(kept["front"]), dict(kept["back"])
    elif not isinstance(move, Next):
        for seat, points in movements(before, move):
            out = ring.walk(seat, points)
            if out:
                break
    assert step.notes.get("knocked_out", []) == out
    assert state.scores == tuple(ring.front.values())
    assert state.back == tuple(ring.back.values())
    assert all(a <= b for a, b in zip(state.back, state.scores, strict=True))
    assert set(state.alive) == set(before.alive) - set(out)
    assert all(award.points > 0 and award.seat in before.alive for award in step.awards)
    shown = GAME.view(state)
    assert 0 <= shown["count"] <= 31
    assert shown["lap"] == 30 * len(state.alive)
    assert shown["turn"] is None or (shown["turn"] in state.alive and state.phase == "play")
    if out:
        assert (state.phase, shown["turn"], shown["count"]) == ("between" if len(state.alive) > 1 else "over", None, 0)
        assert state.dealer in state.alive
    assert (state.winner is None) is (len(state.alive) > 1)
    assert state.winner is None or (state.alive, state.phase) == ((state.winner,), "over")


def played(seed: int) -> tuple[Setup, list[Move], History[Any]]:
    """A whole match, each step of it checked; the moves and the history."""
    table = Table(seed)
    past, moves = rules.begin(GAME, table.setup), []
    ring, kept = Ring(past.state), dict[str, Any]()
    while past.state.winner is None:
        before = past
        for _ in range(table.chance.randint(0, 2)):
            with pytest.raises(IllegalMove) as refusal:
                advance(GAME, past, table.forbidden(past.state))
            assert str(refusal.value).endswith(".")
        move = table.honest(past.state)
        past, step = advance(GAME, past, move)
        assert past.before == before
        check(before.state, move, step, ring, kept)
        moves.append(move)
    return table.setup, moves, past


def whole_match(seed: int) -> None:
    setup, moves, end = played(seed)

    again = rules.begin(GAME, setup)
    for move in moves:
        again, _ = advance(GAME, again, move)
    assert again.state == end.state

    anew = apply(GAME, end.state, Next()).state
    assert anew.alive == tuple(range(setup.seats))
    assert anew.dealer not in end.state.alive

    past: History[Any] = end
    while past.before is not None:
        earlier = past.before.state
        past, step = advance(GAME, past, Undo())
        assert (past.state, step.state, step.awards) == (earlier, earlier, ())
    assert past.state == GAME.start(setup)


@pytest.mark.parametrize("seed", range(200))
def test_a_random_match_keeps_the_rules_and_can_be_undone_and_replayed(seed: int):
    whole_match(seed)


@pytest.mark.long
def test_ten_thousand_random_matches():
    for seed in range(200, 10_200):
        whole_match(seed)
