"""The companion as the other player: it deals for both, lays away, plays its seat's cards, and turns the crib up.

Nobody has a pack in the hand: the person's cards are that phone's own hand (docs/reference/http.md#a-seat-of-ones-own),
and the companion's are known to this module alone until they are played. What the companion decides it decides from
what a player in its seat would see. Its pegs are lit, and moved by the person. The last deal is kept in a file beside
the journal, so that a program started again goes on with the same cards.
"""

import json
import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from companion.coach import book, levels
from companion.coach.asking import Dealt
from companion.coach.playing import Turn
from companion.errors import CompanionError, IllegalMove, SettingsError
from companion.rules.cards import PACK, Card
from companion.rules.moves import Crib, Go, Hand, Move, Play, Starter, Undo
from companion.rules.play import LIMIT
from companion.server.hands import Hands
from companion.table.core import Core
from companion.table.plan import Plan
from companion.table.table import Table
from companion.table.tables import Tables

THINK_S = 0.9
"""A card that comes at once is not seen."""
TAKEN_BACK_S = 5.0
"""After something was taken back: perhaps more will be."""
SEAT = 1
"""Where the companion sits."""
LOOK_S = 0.5

Cards = tuple[Card, ...]


@dataclass
class Pack:
    """One deal: all cards that were dealt, by seat, what each has kept, and the starter to be cut."""

    table: int
    dealt: tuple[Cards, Cards]
    starter: Card
    kept: dict[int, Cards] = field(default_factory=dict)
    cut: bool = False

    def thrown(self, seat: int) -> Cards:
        """What a seat has laid away; nothing before it has."""
        kept = self.kept.get(seat)
        return tuple(each for each in self.dealt[seat] if each not in kept) if kept else ()


def check(plan: Plan) -> None:
    """Raise SettingsError where the companion cannot be the other player."""
    if plan.game.key not in book.GAMES or plan.setup.seats != 2:
        raise SettingsError("The companion plays six-card and five-card cribbage of two: leave out --against.")
    if plan.setup.options.get("counting") == "manual":
        raise SettingsError("The companion plays where the table counts: leave out counting=manual, or --against.")


def sit_down(tables: Tables, hands: Hands, level: str, kept: Path) -> "Opponent":
    """The companion takes its seat, and a name where that seat has none."""
    people = tables.table.core.people
    if len(people) <= SEAT or not people[SEAT].name:
        tables.call(SEAT, "Companion", None)
    return Opponent(tables.table, hands, level, kept)


class Opponent:
    """A thread that plays a seat. Raises SettingsError where it cannot."""

    def __init__(
        self, table: Table, hands: Hands, level: str, kept: Path | None = None, *, chance: Random | None = None,
        think_s: float = THINK_S,
    ) -> None:  # fmt: skip
        check(table.core.plan)
        self._table, self._hands, self._level, self._kept = table, hands, level, kept
        self._chance, self._think_s = chance or SystemRandom(), think_s
        self._one = threading.RLock()
        self._packs: dict[tuple[int | None, int], Pack] = {}
        self._closed = threading.Event()
        self._restore()
        hands.dealer = self
        self._thread = threading.Thread(target=self._run, name="opponent", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Get up."""
        self._closed.set()
        self._thread.join(2)

    def dealt(self, seat: int) -> Cards | None:
        """What a phone at this seat holds now; None where the companion does not deal, or that seat is its own."""
        with self._one:
            pack = self._pack()
            return None if pack is None or seat == SEAT else pack.kept.get(seat, pack.dealt[seat])

    def keep(self, seat: int, cards: Sequence[Card]) -> None:
        """The person lays away what is not among these. Raises IllegalMove."""
        with self._one:
            pack, state = self._pack(), self._table.core.past.state
            if pack is None:
                return
            if seat == SEAT:
                raise IllegalMove("That seat is the companion's: its cards are nobody else's matter.")
            size = state.terms.size
            if state.phase != "cut":
                raise IllegalMove("What was laid away stays there: the starter has been cut.")
            if len(set(cards)) != size or not set(cards) <= set(pack.dealt[seat]):
                raise IllegalMove("Keep {size} of the cards that the companion dealt you.", size=size)
            pack.kept[seat] = tuple(cards)
            self._write(pack)

    def _run(self) -> None:
        listener = self._table.listen()
        while not self._closed.is_set() and not self._table.closed:
            listener.newest(LOOK_S)
            with suppress(CompanionError):  # taken back, or another game, while it thought: look again
                move = self._move()
                if move is not None and not self._closed.wait(self._pause_s()) and move == self._move():
                    self._table.submit(move)
                    self._made(move)

    def _pause_s(self) -> float:
        last = self._table.core.last
        is_back = last is not None and last["move"]["type"] == Undo.kind
        return self._think_s * (TAKEN_BACK_S / THINK_S if is_back else 1)

    def _made(self, move: Move) -> None:
        with self._one:
            pack = self._pack()
            if pack is not None and isinstance(move, Starter):
                pack.cut = True
                self._write(pack)

    def _move(self) -> Move | None:
        """What the companion does now; None while it waits for the person."""
        with self._one:
            pack, core = self._pack(), self._table.core
        if pack is None:
            return None
        state = core.past.state
        acts: dict[str, Callable[[Core, Pack], Move | None]] = {
            "cut": self._cut, "play": self._play, "show": _show, "crib": _crib,
        }  # fmt: skip
        act = acts.get(state.phase)
        return act(core, pack) if act else None

    def _cut(self, core: Core, pack: Pack) -> Move | None:
        if 1 - SEAT not in pack.kept:
            return None
        if SEAT not in pack.kept:
            state = core.past.state
            asked = Dealt(core.plan.game.key, pack.dealt[SEAT], state.dealer == SEAT, _seen(state), state.terms.target)
            pack.kept[SEAT] = levels.discards(asked, self._level, self._seed(pack))[0].kept
            self._write(pack)
        for seat in (0, 1):
            self._hands.remember(seat, pack.dealt[seat])
            self._hands.remember(seat, pack.kept[seat])
        return Starter(pack.starter)

    def _play(self, core: Core, pack: Pack) -> Move | None:
        state = core.past.state
        laid = state.deal.laid
        if state.turn != SEAT or not _fits(pack, state):
            return None
        held = tuple(each for each in pack.kept[SEAT] if each not in laid.played[SEAT])
        if not any(each.value + laid.count <= LIMIT for each in held):
            return Go(SEAT)
        turn = Turn(
            game=core.plan.game.key, held=held, kept=pack.kept[SEAT], discarded=pack.thrown(SEAT),
            starter=state.deal.starter, dealer=state.dealer == SEAT, series=laid.series,
            played=(laid.played[SEAT], laid.played[1 - SEAT]), gone=(SEAT in laid.gone, 1 - SEAT in laid.gone),
            scores=_seen(state), target=state.terms.target,
        )  # fmt: skip
        chosen = levels.plays(turn, self._level, self._seed(pack))[0].card
        return Go(SEAT) if chosen is None else Play(SEAT, chosen)

    def _pack(self) -> Pack | None:
        """The cards of the present deal, dealt when they are first asked for; None where the companion cannot play."""
        core, table = self._table.core, self._table.journal.game
        state = core.past.state
        try:
            check(core.plan)
        except SettingsError:
            return None
        key = (table, core.deals)
        if key not in self._packs and state.phase in ("cut", "play"):
            self._packs = {key: self._deal(table or 0, core)}
        pack = self._packs.get(key)
        if pack is not None and pack.cut and state.phase == "cut":  # taken back: the person may lay others away
            pack.kept.pop(1 - SEAT, None)
            pack.cut = False
        return pack

    def _deal(self, table: int, core: Core) -> Pack:
        """Cards for both. Where a deal lies open whose cards are forgotten, what was seen of it and others."""
        state = core.past.state
        laid, size = state.deal.laid, state.terms.size
        played = laid.played if laid else ((), ())
        seen = {*played[0], *played[1], *((state.deal.starter,) if state.deal.starter is not None else ())}
        left = [each for each in PACK if each not in seen]
        self._chance.shuffle(left)
        dealt = tuple((*row, *(left.pop() for _ in range(size + 2 - len(row)))) for row in played)
        pack = Pack(table, (dealt[0], dealt[1]), state.deal.starter if laid else left.pop())
        if laid:
            pack.kept = {seat: dealt[seat][:size] for seat in (0, 1)}
        self._write(pack)
        return pack

    def _seed(self, pack: Pack) -> int:
        return sum(each << n for n, each in enumerate(pack.dealt[SEAT]))

    def _write(self, pack: Pack) -> None:
        """Kept for its owner alone; where the disk refuses, the deal is in memory only."""
        if self._kept is None:
            return
        with suppress(OSError):
            made = self._kept.with_suffix(".pack.new")
            with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
                json.dump(asdict(pack), out)
            made.replace(self._kept)

    def _restore(self) -> None:
        """Take up the cards of the deal that lies there, where the file knows them."""
        if self._kept is None:
            return
        core, table = self._table.core, self._table.journal.game
        with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
            pack = _read(json.loads(self._kept.read_text("utf-8")))
            deal = core.past.state.deal
            if pack.table == table and deal.starter in (None, pack.starter) and (deal.starter is None or pack.kept):
                self._packs = {(table, core.deals): pack}


def _read(told: dict[str, Any]) -> Pack:
    one, other = ([Card(each) for each in row] for row in told["dealt"])
    kept = {int(seat): tuple(Card(each) for each in row) for seat, row in told["kept"].items()}
    return Pack(int(told["table"]), (tuple(one), tuple(other)), Card(told["starter"]), kept, bool(told["cut"]))


def _fits(pack: Pack, state: Any) -> bool:
    """Whether what was played is what was dealt: a person may have played from another pack."""
    return all(set(state.deal.laid.played[seat]) <= set(pack.kept.get(seat, ())) for seat in (0, 1))


def _show(core: Core, pack: Pack) -> Move | None:
    seat = core.past.state.turn
    return Hand(seat, pack.kept[seat]) if seat in pack.kept else None


def _crib(core: Core, pack: Pack) -> Move | None:
    dealer = core.past.state.deal.dealer
    return Crib((*pack.thrown(dealer), *pack.thrown(1 - dealer)))


def _seen(state: Any) -> tuple[int, int]:
    return state.scores[SEAT], state.scores[1 - SEAT]
