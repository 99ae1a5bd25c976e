"""The companion as the other player: it lays away, plays its seat's cards, and knows them alone until they are played.

It deals for both from a pack of its own: then the person's cards are that phone's own hand
(docs/reference/http.md#a-seat-of-ones-own). Or people deal a real pack, and put its cards to the reader face down: the
reader alone sees them. What the companion decides it decides from what a player in its seat would see. Its pegs are
lit, and moved by the person. The last deal is kept in a file, so that a program started again goes on with its cards.
"""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from companion.coach import skill_levels
from companion.coach.cribbage import tables as book
from companion.coach.cribbage.play import Turn
from companion.coach.questions import Dealt
from companion.common.errors import BadCard, CompanionError, IllegalMove, SettingsError
from companion.opponent import prompts
from companion.opponent.pack import SEAT, Cards, Kept, Pack, dealt_anew
from companion.opponent.private_hands import Hands, corrections
from companion.rules.cards import PACK, Card, card
from companion.rules.moves import Crib, Go, Hand, Move, Next, Play, Starter, Undo
from companion.rules.play import LIMIT
from companion.table.game_switcher import Tables
from companion.table.setup import Plan
from companion.table.state import Core, shown_cards
from companion.table.table import Table

THINK_S = 0.9
"""A card that comes at once is not seen."""
TAKEN_BACK_S = 5.0
"""After something was taken back: perhaps more will be."""
TURN_UP_S = 4.0
"""Of a real pack somebody turns the companion's card up before it plays another."""
LOOK_S = 0.5


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
        self._table, self._hands, self._level, self._kept = table, hands, level, Kept(kept)
        self._chance, self._think_s = chance or SystemRandom(), think_s
        self._packs: dict[tuple[int | None, int], Pack] = {}
        self._closed = threading.Event()
        self._restore()
        hands.dealer = table.guests.guest = self
        self._thread = threading.Thread(target=self._run, args=(table.core.plan,), name="opponent", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Get up."""
        self._closed.set()
        self._thread.join(2)
        self._hands.dealer = self._table.guests.guest = None

    def dealt(self, seat: int) -> Cards | None:
        """What a phone at this seat holds now; None where the companion does not deal, or that seat is its own."""
        with self._table.changed:
            pack = self._pack()
            return None if pack is None or pack.real or seat == SEAT else pack.kept.get(seat, pack.dealt[seat])

    def keep(self, seat: int, cards: Sequence[Card]) -> None:
        """The person lays away what is not among these. Raises IllegalMove."""
        with self._table.changed:
            pack, state = self._pack(), self._table.core.past.state
            if pack is None:
                return
            if seat == SEAT:
                raise IllegalMove("That seat is the companion's: its cards are nobody else's matter.")
            if pack.real:
                return
            size = state.terms.size
            if state.phase != "cut":
                raise IllegalMove("What was laid away stays there: the starter has been cut.")
            if len(set(cards)) != size or not set(cards) <= set(pack.dealt[seat]):
                raise IllegalMove("Keep {size} of the cards that the companion dealt you.", size=size)
            pack.kept[seat] = tuple(cards)
            self._kept.write(pack)

    def takes(self, code: str, *, is_new: bool) -> bool:
        """A reader saw a card: whether it is one of the companion's own. See `Guest`."""
        try:
            found = card(code)
        except BadCard:
            return False
        core = self._table.core
        if core.past.state.phase == "between" and is_new and _is_played(core.plan):
            self._table.submit(Next(), "cards")
            core = self._table.core
        pack, state = self._pack(), core.past.state
        if pack is None or state.phase not in ("cut", "play", "show"):
            return False
        row = _known(pack, core).dealt[SEAT] if pack.real else ()
        if found in row and found not in shown_cards(core):
            if is_new:
                raise IllegalMove("That is one of my cards, and not to be seen yet: it stays face down.")
            return True
        if state.phase != "cut" or len(row) == state.terms.size + 2 or not is_new:
            return False
        self._lies((*row, found))
        return True

    def gives_back(self) -> bool:
        """Undo, while cards lie face down before the cut: the newest is the companion's no more."""
        pack = self._pack()
        if pack is None or not pack.real or self._table.core.past.state.phase != "cut":
            return False
        self._lies(pack.dealt[SEAT][:-1])
        return True

    def _lies(self, row: Cards) -> None:
        """These cards lie face down before the companion; none: it deals from its own pack again."""
        pack = Pack(self._table.journal.game or 0, ((), row), None, real=True)
        self._packs = {self._deal_now(): pack} if row else {}
        self._kept.write(pack)
        self._say()

    def _run(self, plan: Plan) -> None:
        listener = self._table.listen()
        self._ready(plan)
        while not self._closed.is_set() and not self._table.closed:
            listener.newest(LOOK_S)
            with suppress(CompanionError):  # taken back, or another game, while it thought: look again
                move = self._move()
                self._say()
                if move is not None and not self._closed.wait(self._pause_s()) and move == self._move():
                    self._table.submit(move)
                    self._made(move)

    def _ready(self, plan: Plan) -> None:
        """Read the tables while the cards are dealt, not when the first is to be laid away."""
        dealt = PACK[: book.GAMES[plan.game.key]]
        skill_levels.discards(
            Dealt(plan.game.key, dealt, dealer=True, scores=(0, 0), target=plan.target), self._level, 0
        )

    def _say(self) -> None:
        """What the companion has to say now stands on every page."""
        with self._table.changed:
            core, pack = self._table.core, self._pack()
            self._table.guests.remark(prompts.remark(_known(pack, core), core) if pack else "")

    def _pause_s(self) -> float:
        core = self._table.core
        is_back = core.last is not None and core.last["move"]["type"] == Undo.kind
        to_turn_up = any(pack.real for pack in self._packs.values()) and prompts.has_played(core)
        return self._think_s * (TAKEN_BACK_S if is_back else TURN_UP_S if to_turn_up else THINK_S) / THINK_S

    def _made(self, move: Move) -> None:
        with self._table.changed:
            pack = self._pack()
            if pack is not None and isinstance(move, Starter):
                pack.cut = True
                self._kept.write(pack)

    def _move(self) -> Move | None:
        """What the companion does now; None while it waits for the person."""
        with self._table.changed:
            pack, core = self._pack(), self._table.core
        if pack is None:
            return None
        phase = core.past.state.phase
        if phase == "cut":
            return self._cut(core, pack)
        acts: dict[str, Callable[[Core, Pack], Move | None]] = {"play": self._play, "show": _show, "crib": _crib}
        return acts[phase](core, _known(pack, core)) if phase in acts else None

    def _cut(self, core: Core, pack: Pack) -> Move | None:
        state, mine = core.past.state, pack.dealt[SEAT]
        if len(mine) < state.terms.size + 2 or not (pack.real or 1 - SEAT in pack.kept):
            return None
        if SEAT not in pack.kept:
            asked = Dealt(core.plan.game.key, mine, state.dealer == SEAT, _seen(state), state.terms.target)
            pack.kept[SEAT] = skill_levels.discards(asked, self._level, self._seed(pack))[0].kept
            self._kept.write(pack)
        for seat in pack.kept:
            self._hands.remember(seat, pack.dealt[seat])
            self._hands.remember(seat, pack.kept[seat])
        return None if pack.starter is None else Starter(pack.starter)

    def _play(self, core: Core, pack: Pack) -> Move | None:
        state = core.past.state
        laid = state.deal.laid
        if state.turn != SEAT or prompts.amiss(pack, core):
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
        chosen = skill_levels.plays(turn, self._level, self._seed(pack))[0].card
        return Go(SEAT) if chosen is None else Play(SEAT, chosen)

    def _pack(self) -> Pack | None:
        """The cards of the present deal, dealt when they are first asked for; None where the companion cannot play."""
        core, key = self._table.core, self._deal_now()
        state = core.past.state
        if not _is_played(core.plan):
            return None
        if key not in self._packs and state.phase in ("cut", "play"):
            pack = dealt_anew(key[0] or 0, state, self._chance.sample(PACK, len(PACK)))
            self._packs = {key: pack}
            self._kept.write(pack)
        found = self._packs.get(key)
        if found is not None and found.cut and state.phase == "cut":  # taken back: the person may lay others away
            found.kept.pop(1 - SEAT, None)
            found.cut = False
        return found

    def _deal_now(self) -> tuple[int | None, int]:
        """Which deal of which game it is."""
        return self._table.journal.game, self._table.core.deals

    def _seed(self, pack: Pack) -> int:
        return sum(each << n for n, each in enumerate(pack.dealt[SEAT]))

    def _restore(self) -> None:
        """Take up the cards of the deal that lies there, where the file knows them."""
        key = self._deal_now()
        pack = self._kept.read(key[0] or 0, self._table.core.past.state.deal.starter)
        if pack is not None:
            self._packs = {key: pack}


def _is_played(plan: Plan) -> bool:
    """Whether the companion plays this game."""
    with suppress(SettingsError):
        check(plan)
        return True
    return False


def _known(pack: Pack, core: Core) -> Pack:
    """The pack, with what the table has put right of it."""
    return pack.put_right(reversed([*corrections(core)])) if pack.real else pack


def _show(core: Core, pack: Pack) -> Move | None:
    seat = core.past.state.turn
    return Hand(seat, pack.kept[seat]) if seat in pack.kept else None


def _crib(core: Core, pack: Pack) -> Move | None:
    """The crib is turned up; that of a real pack by people."""
    dealer = core.past.state.deal.dealer
    return None if pack.real else Crib((*pack.thrown(dealer), *pack.thrown(1 - dealer)))


def _seen(state: Any) -> tuple[int, int]:
    return state.scores[SEAT], state.scores[1 - SEAT]
