"""Whole random matches on one shared lane, with every peg moved as it is lit."""

import random

import pytest

from companion.rules.cards import PACK, parse_card
from companion.rules.moves import Go, Next, Play, Starter
from companion.table.courses.pursuit_loops import routes_for_seats
from tests.support.table_driver import Hands


class Players(Hands):
    """Who play a match and do only what the table shows. `waited` counts the deals' moments with a hole taken."""

    def __init__(self, seats: int, seed: int, key: str = "pursuit", board: str | None = None, **options: str) -> None:
        super().__init__(key, seats=seats, board=board, options=options)
        self.chance = random.Random(seed)
        self.held: dict[int, list[str]] = {}
        self.crib: list[str] = []
        self.laps = self.waited = 0

    @property
    def active_seats(self) -> list[int]:
        """Who plays; of four in an ordinary game each, though two share their pegs."""
        return self.snapshot.view.get("alive") or list(range(self.core.plan.setup.seats))

    def deal(self) -> None:
        """Keep any four, lay away the rest; the starter is cut."""
        alive = self.active_seats
        pack = [str(c) for c in self.chance.sample(PACK, 4 * len(alive) + 5)]
        self.crib = [pack.pop() for _ in range(4)]
        self.move(Starter(parse_card(pack.pop())))
        self.held = {seat: [pack.pop() for _ in range(4)] for seat in alive}

    def act(self) -> None:
        """The next thing that somebody does."""
        now = self.snapshot.view
        if now["phase"] in ("cut", "between"):
            self.deal()
        elif now["phase"] == "play":
            self.lay(now["turn"], now["count"])
        else:
            for code in self.crib:
                self.scan(code)

    def lay(self, seat: int, count: int) -> None:
        fits = [c for c in self.held[seat] if parse_card(c).value + count <= 31]
        if not fits:
            self.move(Go(seat))
            return
        self.held[seat].remove(fits[0])
        self.move(Play(seat, parse_card(fits[0])))

    def follow_lights(self) -> None:
        """Every peg that is lit: off the board, to the next loop's start, to its due."""
        for _ in range(40):
            asked = [a for a in self.snapshot.advice if a.kind in ("take_off", "set_up")]
            todo = asked or list(self.snapshot.dues)
            if not todo:
                return
            self.carry(todo[0].lift, todo[0].place)
            self.rest()
        raise AssertionError(f"there is no end: {todo}")

    def play_match(self) -> None:
        """To the end, and what everybody can see is right all the time."""
        for _ in range(4000):
            if self.snapshot.view["phase"] == "over":
                return
            self.act()
            self.follow_lights()
            self.check()
        raise AssertionError("nobody wins")

    def check(self) -> None:
        shown, board, plan = self.snapshot, self.core.plan.board, self.core.plan
        assert (shown.question, shown.notices, shown.dues) == (None, (), ())
        view, racing = shown.view, tuple(self.active_seats[: plan.sides])
        if "alive" in view and view["winner"] is not None:
            return
        fresh = bool(shown.last and shown.last.get("knocked_out"))
        assert [p.seat for p in shown.pegs] == list(racing)
        for pegs, way in zip(shown.pegs, routes_for_seats(plan, racing), strict=True):
            score = 0 if fresh else view["scores"][pegs.seat]
            if pegs.front != board.holes[way.hole_at(score, plan.target)].id:
                assert board.by_id[pegs.front].bit in way.start
                self.waited += 1
            self.laps = max(self.laps, score // len(way.way))
        assert self.holes == {board.by_id[hole].bit for p in shown.pegs for hole in (p.front, p.back)}


def play_a_match(seats: int, seed: int, **options: str) -> Players:
    """To the end; then all set up for the next one."""
    players = Players(seats, seed, **options)
    players.play_match()
    assert players.snapshot.view["alive"] == [players.snapshot.view["winner"]]
    players.follow_lights()
    players.move(Next())
    players.follow_lights()
    assert [p.seat for p in players.snapshot.pegs] == list(range(seats))
    assert not players.snapshot.advice
    return players


@pytest.mark.parametrize(("seats", "capture"), [(2, "back"), (3, "front"), (4, "back"), (5, "front")])
def test_a_match_is_played_to_the_last_player_and_the_next_begins(seats: int, capture: str):
    play_a_match(seats, seed=0, capture_peg=capture)


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("capture", ["back", "front"])
def test_many_matches_are_played_and_every_peg_is_known_all_the_time(seats: int, capture: str):
    laps = [play_a_match(seats, seed, capture_peg=capture).laps for seed in range(10)]
    assert max(laps) >= 2


@pytest.mark.parametrize(
    ("board", "seats", "target", "laps", "seed"),
    [
        ("pursuit", 2, "61", 1, 2),
        ("pursuit", 2, "121", 2, 1),
        ("pursuit-square", 2, "121", 1, 2),
        ("pursuit-square", 3, "121", 1, 0),
        ("pursuit-square", 4, "61", 0, 6),
    ],
)
def test_an_ordinary_game_on_one_lane_ends_where_it_began_and_a_taken_hole_is_waited_for(
    board: str, seats: int, target: str, laps: int, seed: int
):
    players = Players(seats, seed, "six-card", board, target=target)
    players.play_match()
    assert players.waited
    assert players.laps == laps
    winner = players.snapshot.view["winner"]
    start = {players.core.plan.board.holes[hole].id for hole in players.core.plan.routes[winner].start}
    assert laps == 0 or players.snapshot.pegs[winner].front in start
    players.move(Next())
    players.follow_lights()
    assert (players.snapshot.advice, players.snapshot.view["scores"]) == ((), [0] * players.core.plan.sides)
    assert players.holes == {hole for way in players.core.plan.routes for hole in way.start}
