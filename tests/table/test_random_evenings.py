"""Random evenings at every kind of table: nothing breaks and nothing is lost.

Players move, scan cards, press buttons, answer questions, and move pegs as lit or anywhere; devices are lost and found,
the program restarts. Only a move may be refused, no input may keep the table busy for ever, every state has a snapshot
and a light frame, and restarts and undos lead to the right state.
"""

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Any

import pytest

from companion import rules
from companion.boards.board import holes_of
from companion.common.errors import CompanionError, IllegalMove
from companion.common.snapshot import Snapshot
from companion.display import lights
from companion.display.lights import paint_frame
from companion.protocol.json_codec import dump_json, encode_snapshot, parse_json, read_move
from companion.rules.cards import PACK, parse_card
from companion.rules.moves import Undo
from companion.rules.sackson.grid import COLOURS
from companion.settings import Settings
from companion.table import inputs
from companion.table.setup import create_plan
from companion.table.state import (
    TableCore,
    Transition,
    apply_entry,
    apply_move,
    create_core,
    next_deadline_ms,
    on_tick,
    reread_pegs,
    restore_pegs,
)
from tests.support.table_driver import Hands

KINDS = [(game.key, seats) for game in rules.GAMES for seats in game.seats]
DECK = [str(each) for each in PACK]
STEPS = 150
"""So much happens in an evening."""
STUCK_S = 30
"""An evening takes less than a second of processor time; this limit means an endless loop."""
PAUSES_MS = (0, 1, 50, 200, 450, 1000, 3000, 30_000)
POINTS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 19, 24, 29, 30, 120, -1, -2, -5, -30)


class Evening(Hands):
    """People who do anything at all, at a table that keeps its journal."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.kinds: list[str] = []
        self.stands: object = None
        self.saved: Any = None
        key, seats = KINDS[seed % len(KINDS)]
        values = rules.find_game(key).options
        options = {name: self.chance.choice(some) for name, some in values.items() if self.chance.random() < 0.4}
        self.folded = create_core(create_plan(key, seats, options=options), Settings())
        super().__init__(key, seats=seats, options=options)

    def do_something(self) -> None:
        self.rest(self.chance.choice(PAUSES_MS))
        self.chance.choices(list(WAYS), list(WAYS.values()))[0](self)

    def rest(self, ms: int = 0) -> None:
        """As the table's ticker does it: each conclusion leaves nothing due at its own time."""
        end = self.ms + ms
        while (due := next_deadline_ms(self.core)) is not None and due <= end:
            self.ms = max(due, self.ms)
            self._apply(on_tick(self.core, self.ms))
            later = next_deadline_ms(self.core)
            assert later is None or later > self.ms
        self.ms = end

    def seat(self) -> int:
        turn = self.snapshot.view.get("turn")
        return turn if turn is not None and self.chance.random() < 0.8 else self.chance.randrange(self.seats)

    @property
    def seats(self) -> int:
        return self.core.plan.setup.seats

    def make_move(self, told: object) -> None:
        """Make a move, which may be refused. No other input may be."""
        move = read_move(parse_json(dump_json(told)), self.seats)
        with suppress(CompanionError):
            self.move(move)

    def any_move(self) -> None:
        self.make_move(choose_move(self.chance, self.seat(), self.snapshot.view.get("legal")))

    def do_what_is_awaited(self) -> None:
        """The dice, the next hand or game; else a card that can be anything now, or a go where none can."""
        phase = self.core.past.state.phase
        if phase in ("between", "over"):
            self.make_move({"type": "next"})
        elif phase == "roll":
            self.press("dice", (self.chance.randint(1, 6), self.chance.randint(1, 6)))
        elif not any(self.try_card(code) for code in self.chance.sample(DECK, len(DECK))):
            self.make_move({"type": "go", "seat": self.seat()})

    def try_card(self, code: str) -> bool:
        with suppress(CompanionError):
            self._apply(inputs.on_card_tap(self.core, parse_card(code), self.ms))
            return True
        return False

    def scan_anything(self) -> None:
        self.scan(self.chance.choice((*DECK, "zz", "", "\x00")), self.chance.choice((None, 0, 1)))

    def press_anything(self) -> None:
        button = self.chance.choice(("dice", "undo", "go:0", "go:1", "go:9", "x"))
        self.press(button, (self.chance.randint(1, 6), self.chance.randint(1, 6)))

    def peg_dues(self) -> None:
        if self.snapshot.dues:
            due = self.chance.choice(self.snapshot.dues)
            self.move_peg(due.lift, None)
            self.rest(150)
            self.move_peg(None, due.place)

    def follow_advice(self) -> None:
        if self.snapshot.advice:
            advice = self.chance.choice(self.snapshot.advice)
            self.move_peg(advice.lift or (advice.hole if advice.kind == "take_off" else None), advice.place)

    def move_any_peg(self) -> None:
        if self.holes and self.chance.random() < 0.9:
            self.holes.discard(self.chance.choice(sorted(self.holes)))
        if self.chance.random() < 0.8:
            self.holes.add(self.chance.randrange(len(self.core.plan.board.holes)))
        self._report_levels()

    def move_peg(self, lift: str | None, place: str | None) -> None:
        """As `carry`, by hands that may be wrong: a hole may be empty already, or taken."""
        by_id = self.core.plan.board.by_id
        self.holes -= {by_id[lift].bit} if lift else set()
        self.holes |= {by_id[place].bit} if place else set()
        self._report_levels()

    def restore_pegs(self) -> None:
        """All pegs back to where they were last known."""
        self.holes = set(holes_of(self.core.course.resting_holes()))
        self._report_levels()

    def change_device(self) -> None:
        name, ok = self.chance.choice(("sensors", "cards")), self.chance.random() < 0.6
        self._apply(inputs.on_device(self.core, name, self.ms, ok=ok, say=""))

    def answer_question(self) -> None:
        question = self.snapshot.question
        moves = [choice.move for choice in question.choices if choice.move] if question else []
        if moves:
            self.move(read_move(parse_json(dump_json(self.chance.choice(moves))), self.seats))

    def reread_pegs(self) -> None:
        self._apply(reread_pegs(self.core, self.ms))

    def restart_program(self) -> None:
        """The program ends, and takes up what the journal holds: the same scores, the same pegs."""
        before, again = self.core, restore_pegs(self.folded, self.saved)
        assert again.past == before.past
        assert again.course.placement == before.course.placement
        self._apply(on_tick(again, self.ms))

    def _apply(self, happened: Transition) -> None:
        """Apply a transition, and check that the saved entries and pegs lead to the same state."""
        super()._apply(happened)
        for entry in happened.entries:
            move = read_move(parse_json(dump_json(entry.body)), self.seats) if entry.kind == "move" else None
            self.folded = apply_entry(self.folded, entry, move)
            self.kinds += [] if move is None else [move.kind]
        assert known_state(self.folded) == known_state(self.core)
        stands = self.core.course.placement
        if stands is not None and stands != self.stands:
            self.saved = parse_json(dump_json(self.core.course.dump()))
        self.stands = stands


def known_state(core: TableCore) -> object:
    """What a table knows of its game."""
    return core.past.state, core.pending_cards, core.last_move


def choose_move(chance: Random, seat: int, legal: Any) -> dict[str, Any]:
    """A move of any game, mostly of a seat that is to move; where the page offers pairs of cells, one of those."""
    cards, points = chance.sample(DECK, 17), chance.choice(POINTS)
    a, b = ([chance.randrange(5), chance.randrange(5)] for _ in "ab")
    offered = chance.choice(legal) if legal and isinstance(legal[0], list) else (a, b)
    kinds: list[dict[str, Any]] = [
        {"type": "starter", "card": cards[0]}, {"type": "play", "seat": seat, "card": cards[0]},
        {"type": "go", "seat": seat}, {"type": "go", "seat": seat}, {"type": "crib", "cards": cards[:4]},
        {"type": "hand", "seat": seat, "cards": cards[: chance.choice((3, 4))]},
        {"type": "claim", "seat": seat, "points": points}, {"type": "muggins", "seat": seat, "points": points},
        {"type": "adjust", "seat": seat, "points": points}, {"type": "peg", "seat": seat, "points": abs(points)},
        {"type": "misdeal"}, {"type": "undo"}, {"type": "next"}, {"type": "next"}, {"type": "take_board"},
        {"type": "roll", "seat": seat, "dice": [chance.randint(1, 6) for _ in range(chance.choice((1, 2)))]},
        {"type": "steal", "seat": seat, "base": chance.randint(1, 3)},
        {"type": "take", "seat": seat, "chips": chance.choices(COLOURS, k=chance.choice((1, 2)))},
        {"type": "return", "seat": seat, "chip": chance.choice(COLOURS)},
        {"type": "exchange", "seat": seat, "a": offered[0], "b": offered[1]},
        {"type": "lay", "cards": cards[:16], "starter": cards[16]}, {"type": "swap", "a": a, "b": b},
        {"type": "place", "card": cards[0], "cell": a},
    ]  # fmt: skip
    return chance.choice(kinds)


WAYS: dict[Callable[[Evening], None], float] = {
    Evening.any_move: 20, Evening.do_what_is_awaited: 20, Evening.scan_anything: 5, Evening.press_anything: 6,
    Evening.peg_dues: 16, Evening.follow_advice: 8, Evening.move_any_peg: 6, Evening.restore_pegs: 6,
    Evening.answer_question: 8, Evening.change_device: 3, Evening.restart_program: 2, Evening.reread_pegs: 2,
}  # fmt: skip
"""What may happen, and how often."""


def check_snapshot(evening: Evening) -> None:
    """Check that the state has a snapshot and a light frame."""
    shown = evening.snapshot
    told = dump_json(encode_snapshot(shown))
    assert dump_json(parse_json(told)) == told
    frame = paint_frame(evening.core.plan.board, shown, evening.ms)
    assert all(0 <= part <= 255 for colour in frame for part in colour)
    lights.is_roll_due(shown, evening.ms)
    if shown.game["key"] == "pursuit":
        assert not [say for say in peg_sentences(shown) if NUMBERED.search(say)]


NUMBERED = re.compile(r"\b(to|in|on) (\w+ )*\d")
"""A hole called by a number: on a loop two lanes have it."""


def peg_sentences(shown: Snapshot) -> list[str]:
    """Every sentence about pegs."""
    asked = [shown.question.why, *(choice.say for choice in shown.question.choices)] if shown.question else []
    return [*asked, *(advice.say for advice in shown.advice)]


def check_undo_to_start(evening: Evening) -> None:
    """Undone as often as there were moves, the game is where it began."""
    core = evening.core
    while core.pending_cards:
        core = inputs.on_move(core, Undo(), "phone", evening.ms).core
    for _ in range(len(evening.kinds) - 2 * evening.kinds.count("undo")):
        core = apply_move(core, Undo(), "phone")
    assert core.past == create_core(core.plan, Settings()).past
    with pytest.raises(IllegalMove, match="nothing left"):
        apply_move(core, Undo(), "phone")


@contextmanager
def time_limit() -> Iterator[None]:
    """What goes on for ever is stopped, and is a failure."""

    def stop(*_: object) -> None:
        raise AssertionError("This never ends.")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, STUCK_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def play(seed: int) -> None:
    with time_limit():
        evening = Evening(seed)
        for _ in range(STEPS):
            evening.do_something()
            check_snapshot(evening)
        evening.restart_program()
        check_undo_to_start(evening)


@pytest.mark.parametrize("seed", range(3 * len(KINDS)))
def test_nothing_breaks_and_nothing_is_lost_whatever_happens(seed: int):
    play(seed)


@pytest.mark.parametrize(
    "seed",
    [
        147,  # points are taken back to a hole where a peg has rested for minutes, while the sensor of its home sticks
        469,  # an answer in pursuit names a hole of a shared lane
    ],
)
def test_an_evening_that_failed_once_is_played_again(seed: int):
    play(seed)


@pytest.mark.long
@pytest.mark.parametrize("hundred", range(1, 21))
def test_nothing_breaks_in_two_thousand_evenings(hundred: int):
    for seed in range(100 * hundred, 100 * hundred + 100):
        play(seed)
