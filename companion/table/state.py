"""The state of a table as an immutable value, its transitions, and the snapshot made of it. Pure.

`companion.table.inputs` adds the inputs of phones, cards, buttons and devices. `companion.table.table` runs this code
under a lock with a journal, and `companion.table.recording` runs the same code on recordings.

The dice button makes the roll that is due, else just shows two dice. Each press carries two, which the table throws
with the system's random source and a recording stores. Where one die is due, the first one counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, NamedTuple

from companion.common.errors import BadMove, CompanionError, IllegalMove
from companion.common.snapshot import LIGHT_EFFECTS, DeviceStatus, LightEffect, Notice, RolledDice, Snapshot
from companion.common.values import derive, replace
from companion.i18n import format_message
from companion.journal.journal import JournalEntry
from companion.pegs.events import PegEvent
from companion.protocol.json_codec import describe_ruling, to_json_value, write_move
from companion.rules.cards import Card, parse_card
from companion.rules.engine import Award, History, Step, advance
from companion.rules.moves import UNPEGGED_HEELS, Adjust, Correct, Misdeal, Move, Next, Play, Roll, Rule, Starter, Undo
from companion.rules.narration import describe_last_move
from companion.settings import Settings
from companion.table import players
from companion.table.courses import markers, race, unsensed
from companion.table.courses.course import Course, CourseResult, RecentAwards, SnapshotPegs
from companion.table.players import PlayerProfiles
from companion.table.setup import PLAIN_PEGS, READ_PEGS, TablePlan

TUMBLE_MS = 1400
"""How long dice tumble before they stop."""
SHOWN_MS = 20_000
"""How long dice that have stopped stay lit."""

Throw = tuple[int, int]
"""The faces of two dice, 1 to 6."""


def roll_move(view: Mapping[str, Any], throw: Throw) -> Roll | None:
    """Return the move that the button makes now; None if no roll is due."""
    due = view.get("due")
    return None if due is None else Roll(view["turn"], throw[: due["dice"]])


def show_roll(view: Mapping[str, Any], faces: Sequence[int], now_ms: int, *, tumble: bool) -> RolledDice:
    """Return the dice to show after a roll. A die that waits for the other side's stays visible beside it."""
    waiting = tuple(view.get("rolled") or ()) if len(faces) == 1 else ()
    stop_ms = now_ms + (TUMBLE_MS if tumble else 0)
    return RolledDice((*waiting, *faces), len(waiting), stop_ms, stop_ms + SHOWN_MS)


def dice_after_move(
    before: RolledDice | None, view: Mapping[str, Any], move: Move, now_ms: int, *, tumble: bool
) -> RolledDice | None:
    """Return the dice to show after a move; None turns them off. `view` is the game's view before the move."""
    if isinstance(move, Roll):
        return show_roll(view, move.dice, now_ms, tumble=tumble)
    return None if isinstance(move, Starter | Next | Undo) else before


def parse_recorded_dice(given: object, ms: int) -> Throw:
    """Parse the dice of a recorded press; without any, derive them from its time. Raises BadMove."""
    if given is None:
        mixed = (ms + 1) * 2_654_435_761 % 2**32
        return (mixed >> 8) % 6 + 1, (mixed >> 16) % 6 + 1
    if isinstance(given, list) and len(given) == 2 and all(type(die) is int and 1 <= die <= 6 for die in given):
        return given[0], given[1]
    raise BadMove("The dice of a press are two whole numbers from 1 to 6.")


SENSED_COURSES = {
    "race": race.create_race_course,
    "score": race.create_race_course,
    "mark": markers.create_marker_course,
    "none": unsensed.create_lit_score,
}
"""Constructor of the course of a game by the kind of its pegs (`Game.pegs`), on a board with sensors."""
UNSENSED_COURSES = {
    "race": unsensed.create_unsensed_race,
    "score": unsensed.create_unsensed_race,
    "mark": unsensed.create_unsensed_markers,
    "none": unsensed.create_lit_score,
}
"""The same for a plain board without sensors."""

MAX_NOTICES = 5
"""Maximum number of notices in a snapshot."""
MAX_MOVES_REMEMBERED = 64
"""Number of moves whose awards are remembered. It exceeds the moves of a hand, because a side may peg a whole hand
at once."""
MAX_RECONCILE_ROUNDS = 10
"""Maximum number of rounds of `reconcile`, a guard against an endless loop: each round may make further pegs due."""
CORRECT_PEG_LIT_MS = 1500
"""How long a peg that was placed correctly is lit green."""
WIN_LIGHTS_MS = 8000
"""How long the lights celebrate a won game."""


class CardSighting(NamedTuple):
    """The newest code that a reader saw, and when. A card left on the reader counts only once."""

    code: str
    ms: int


@dataclass(frozen=True, kw_only=True)
class TableCore:
    """The complete state of one table, an immutable value.

    `past` is the game, move by move, and `course` its pegs. `pending_cards` are the cards of an unfinished crib, hand
    or layout. `requested_moves` are the moves (`by` and `move`, as JSON) that a remote game's guest table has requested
    from its host. `last_move` is the last move as a snapshot shows it. `recent_awards` holds the awards of the last
    moves, one tuple per move, newest last. `deal_count` counts the deals since the table was opened. `light_effects`
    end by themselves. `dice` are the dice last rolled. `players` are the chosen names and colours: sentences in this
    value use the seat names of the rules, and `create_snapshot` inserts the players' names. `remark` is the computer
    player's current remark (`Table.set_remark`).
    """

    plan: TablePlan
    settings: Settings
    past: History[Any]
    course: Course
    pending_cards: tuple[Card, ...] = ()
    requested_moves: tuple[Mapping[str, Any], ...] = ()
    last_move: Mapping[str, Any] | None = None
    recent_awards: RecentAwards = ()
    sightings: Mapping[int | None, CardSighting] = field(default_factory=dict)
    devices: Mapping[str, DeviceStatus] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    last_notice_id: int = 0
    light_effects: tuple[LightEffect, ...] = ()
    dice: RolledDice | None = None
    deal_count: int = 0
    players: PlayerProfiles = ()
    remark: str = ""

    @property
    def reads_pegs(self) -> bool:
        return self.settings.reads_pegs and not self.plan.is_plain

    def insert_player_names(self, text: str) -> str:
        """Return the sentence with the players' names in place of the seat names."""
        return players.personalize_texts([text], self.players, self.plan.setup.seats, self.plan.sides)[0]


class RefusedInput(NamedTuple):
    """An input that was refused. `say` is the reason, a sentence."""

    say: str


class DeviceEvent(NamedTuple):
    """A device was lost or found: `event` is `lost` or `found`."""

    event: str
    device: str


TableEvent = PegEvent | Award | RefusedInput | DeviceEvent


class Transition(NamedTuple):
    """The result of one input: the new state, the journal entries to write, and the events (for recordings)."""

    core: TableCore
    entries: tuple[JournalEntry, ...] = ()
    events: tuple[TableEvent, ...] = ()

    def and_then(self, later: "Transition") -> "Transition":
        """Return this transition followed by `later`, which started from its state."""
        return Transition(later.core, self.entries + later.entries, self.events + later.events)


def create_core(plan: TablePlan, settings: Settings) -> TableCore:
    """Return the state of a table before its first move. Raises BoardError if the board does not suit the game."""
    past = History(plan.game.start(plan.setup))
    courses = SENSED_COURSES if settings.reads_pegs and not plan.is_plain else UNSENSED_COURSES
    course = courses[plan.game.peg_role](plan, settings, past.state)
    return TableCore(plan=plan, settings=settings, past=past, course=course)


def apply_entry(core: TableCore, entry: JournalEntry, move: Move | None, *, describe: bool = True) -> TableCore:
    """Return the state after a journal entry, without pegs and times. Raises CompanionError.

    `move` is the parsed body of the entry, None if the entry is not a move. Without `describe`, `last_move` is left
    empty, which is faster when further entries follow.
    """
    if entry.kind == "card":
        return replace(core, pending_cards=(*core.pending_cards, parse_card(entry.body)))
    if entry.kind == "uncard":
        return replace(core, pending_cards=core.pending_cards[:-1])
    if entry.kind == "ask":
        return replace(core, requested_moves=tuple(entry.body))
    if move is None:
        raise BadMove("unknown kind of entry: {kind}", kind=str(entry.kind)[:20])
    return _core_after(core, move, entry.by, *_advance_rules(core, move), describe=describe)


def _advance_rules(core: TableCore, move: Move) -> tuple[History[Any], Step[Any]]:
    """Advance the game by the rules. Also accepts adjustments of 0 points, which old journals contain."""
    if isinstance(move, Adjust) and not all(part.points for part in move.parts):
        parts = [part for part in move.parts if part.points]
        if not parts:
            awards = (Award(move.seat, 0, "adjust"),)
            return History(core.past.state, core.past, move, awards), Step(core.past.state, awards)
        move = Adjust(parts[0].seat, parts[0].points, tuple(parts[1:]))
    return advance(core.plan.game, core.past, move)


def restore_pegs(core: TableCore, saved: Mapping[str, Any] | None) -> TableCore:
    """Return the state with its pegs at the positions that `Course.dump` saved. Raises BadMove."""
    return replace(core, course=core.course.restore(core.past, saved))


def apply_move(core: TableCore, move: Move, by: str) -> TableCore:
    """Return the state after a move, by the rules alone. Raises IllegalMove."""
    return _core_after(core, move, by, *advance(core.plan.game, core.past, move))


def _core_after(
    core: TableCore, move: Move, by: str, past: History[Any], step: Step[Any], *, describe: bool = True
) -> TableCore:
    last = None
    if describe:
        last = {"move": write_move(move), "by": by, "awards": to_json_value(step.awards), **to_json_value(step.notes)}
        last |= derive(
            "description of a move",
            lambda: to_json_value(describe_last_move(core.past, past, core.plan.names)),
            {"said": [format_message("The move was made.")], "counts": []},
            last,
        )
    is_kept = isinstance(move, Adjust | Rule) or _keeps_pending_cards(core, past, move)
    pending_cards = core.pending_cards if is_kept else ()
    recent_awards = (
        core.recent_awards[:-1]
        if isinstance(move, Undo)
        else (*core.recent_awards, step.awards)[-MAX_MOVES_REMEMBERED:]
    )
    deal_count = core.deal_count + _is_new_deal(core, past, move)
    is_asked = bool(core.requested_moves) and dict(core.requested_moves[0]) == {"by": by, "move": write_move(move)}
    requested_moves = core.requested_moves[1:] if is_asked else ()  # any other move invalidates the request
    return replace(
        core,
        past=past,
        pending_cards=pending_cards,
        requested_moves=requested_moves,
        last_move=last,
        recent_awards=recent_awards,
        deal_count=deal_count,
    )


def _is_new_deal(core: TableCore, after: History[Any], move: Move) -> bool:
    """Return whether the move begins a new deal: the next hand, a misdeal, or a starter that voids the hand."""
    voids = core.past.state.phase == "between" or after.state.phase == "cut"
    return isinstance(move, Next | Misdeal) or (isinstance(move, Starter) and voids)


def _keeps_pending_cards(core: TableCore, after: History[Any], move: Move) -> bool:
    """Return whether the pending cards stay valid after a correction, which recounts only the finished part."""
    return isinstance(move, Correct) and after.state.phase == core.past.state.phase


def make_move(core: TableCore, move: Move, by: str, now_ms: int) -> Transition:
    """Make a move: new state, journal entry and light effects, but no new dues for the pegs. Raises IllegalMove."""
    after = apply_move(core, move, by)
    before = core.past.state
    rolled = derive(
        "dice",
        lambda: dice_after_move(core.dice, core.plan.game.view(before), move, now_ms, tumble=by == "buttons"),
        None,
        move,
    )
    # lights must not reveal the dice while they tumble
    from_ms = now_ms if rolled is None else max(now_ms, rolled.stop_ms)
    nothing: tuple[LightEffect, ...] = ()
    effects = derive("light effects", lambda: _effects_after_move(core, after, move, from_ms), nothing, move)
    after = replace(after, dice=rolled, light_effects=effects)
    awards = () if isinstance(move, Undo) else tuple(after.recent_awards[-1])
    return Transition(after, (JournalEntry("move", by, write_move(move)),), awards)


def _effects_after_move(core: TableCore, after: TableCore, move: Move, from_ms: int) -> tuple[LightEffect, ...]:
    """Return the light effects after a move: those that go on, those of the move, and the celebration of a won game."""
    state = after.past.state
    new = () if isinstance(move, Undo) else after.course.light_runs(state, from_ms)
    effects = tuple(effect for effect in core.light_effects if _does_effect_continue(effect, move, state, new)) + new
    goal = after.course.winning_hole(state) if state.winner is not None and core.past.state.winner is None else None
    if goal is not None:
        effects += (LightEffect("won", core.plan.board.holes[goal].id, from_ms + WIN_LIGHTS_MS, from_ms),)
    return effects


def _does_effect_continue(effect: LightEffect, move: Move, state: Any, new: tuple[LightEffect, ...]) -> bool:
    match LIGHT_EFFECTS[effect.kind].ended_by:
        case "undo":
            return not isinstance(move, Undo)
        case "run":
            return not (new or isinstance(move, Undo))
        case "no winner":
            return state.winner is not None
        case "":
            return True


def on_levels(core: TableCore, bits: int, now_ms: int) -> Transition:
    """Apply a sensor report: the level of every hole as a bit."""
    return _apply_course_result(core, core.course.on_levels(bits, now_ms), now_ms)


def on_tick(core: TableCore, now_ms: int) -> Transition:
    """Draw all conclusions that are due by `now_ms`."""
    return _apply_course_result(core, core.course.on_tick(now_ms), now_ms)


def on_input(core: TableCore, now_ms: int) -> Transition:
    """Accept pegs that have rested long enough, before a scan or a button press is applied."""
    return _apply_course_result(core, core.course.on_input(now_ms), now_ms)


def next_deadline_ms(core: TableCore) -> int | None:
    """Return when `on_tick` will next draw a conclusion; None for never, also while the sensors are lost."""
    sensors = core.devices.get("sensors")
    return core.course.next_deadline_ms() if sensors is None or sensors.ok else None


def reread_pegs(core: TableCore, now_ms: int) -> Transition:
    """Read the pegs again from their last known positions, as after a restart."""
    return reconcile(restore_pegs(core, core.course.dump()), now_ms)


def apply_settings(core: TableCore, settings: Settings, now_ms: int) -> Transition:
    """Apply new settings and read the pegs again with them."""
    course = create_core(core.plan, settings).course.restore(core.past, core.course.dump())
    return reconcile(replace(core, settings=settings, course=course), now_ms)


def apply_peg_events(core: TableCore, result: CourseResult, now_ms: int) -> Transition:
    """Turn peg events into moves, and light each hole where a peg was placed correctly."""
    right = tuple(
        LightEffect("right", core.plan.board.holes[hole].id, now_ms + CORRECT_PEG_LIT_MS)
        for hole in result.correct_holes
    )
    done = Transition(replace(core, course=result.course, light_effects=core.light_effects + right))
    for number, event in enumerate(result.events, 1):
        before = done.core
        done = done.and_then(Transition(before, (), (event,)))
        for move in before.course.derive_moves(event, before.past, result.events[number:]):
            done = done.and_then(_make_peg_move(done.core, move, now_ms))
    return done


def _make_peg_move(core: TableCore, move: Move, now_ms: int) -> Transition:
    """Make a move that the pegs imply. A refusal by the rules becomes a notice."""
    try:
        return make_move(core, move, "board", now_ms)
    except IllegalMove as error:
        return add_refusal(core, "board", error)


def reconcile(core: TableCore, now_ms: int) -> Transition:
    """Compare scores with pegs until nothing changes any more, and drop light effects that have ended."""
    done = Transition(core)
    for _ in range(MAX_RECONCILE_ROUNDS):
        following = derive("dues of the pegs", partial(_expect_state, done.core, now_ms), None, done.core.last_move)
        if following is None:  # read the pegs again from their last known positions, rather than refuse a legal move
            following = derive(
                "pegs from their last positions", partial(_restored_course, done.core), Transition(done.core)
            )
        if following.core.course is done.core.course:
            break
        done = done.and_then(following)
    effects = tuple(effect for effect in done.core.light_effects if effect.until_ms > now_ms)
    if len(effects) < len(done.core.light_effects):
        done = done._replace(core=replace(done.core, light_effects=effects))
    return done


def _expect_state(core: TableCore, now_ms: int) -> Transition:
    """Give the course the state of the game, and apply what it concludes; the same state if nothing changed."""
    result = core.course.expect_state(core.past, core.recent_awards, now_ms)
    return Transition(core) if result.course is core.course else apply_peg_events(core, result, now_ms)


def _restored_course(core: TableCore) -> Transition:
    return Transition(restore_pegs(core, core.course.dump()))


def _apply_course_result(core: TableCore, result: CourseResult, now_ms: int) -> Transition:
    done = Transition(core) if result.course is core.course else apply_peg_events(core, result, now_ms)
    return done.and_then(reconcile(done.core, now_ms))


def add_refusal(core: TableCore, source: str, error: CompanionError) -> Transition:
    """Add a notice that an input from `source` was refused. Nothing else changes."""
    notice = Notice(core.last_notice_id + 1, "refused", source, str(error))
    notices = (*core.notices, notice)[-MAX_NOTICES:]
    return Transition(replace(core, notices=notices, last_notice_id=notice.id), (), (RefusedInput(notice.say),))


def create_snapshot(core: TableCore, *, number: int, run: str, moves: int) -> Snapshot:
    """Return the public snapshot of the state. `moves` is the number of moves in the journal."""
    snapshot = Snapshot(
        number=number,
        run=run,
        moves=moves,
        settings=core.settings.public_values(),
        view=build_view(core),
        last=core.last_move,
        advice=derive("advice", core.course.advice, (), core.last_move),
        devices=core.devices,
        notices=core.notices,
        light_effects=core.light_effects,
        dice=core.dice,
        remark=core.remark,
        **{**core.plan.snapshot_fields, "game": _describe_game(core)},
        **derive("pegs", core.course.describe_pegs, SnapshotPegs(), core.last_move)._asdict(),
    )
    if not core.players:
        return snapshot
    return derive("names", lambda: players.personalize_snapshot(snapshot, core.players), snapshot, core.players)


def _describe_game(core: TableCore) -> Mapping[str, Any]:
    """Return the game of the plan, with whether its pegs are read and the companion's seat."""
    against = core.plan.against
    return {
        **core.plan.snapshot_fields["game"],
        "pegs": READ_PEGS if core.reads_pegs else PLAIN_PEGS,
        "against": against and asdict(against),
    }


def build_view(core: TableCore) -> dict[str, object]:
    """Return the game's own fields of a snapshot.

    `turn` is the dealer in the phases `cut`, `crib` and `between`, and None in `over`.
    """
    state = core.past.state
    view: dict[str, object] = derive(
        "view", lambda: to_json_value(core.plan.game.view(state)), _plain_view(state), state
    )
    if "turn" in view and state.phase in ("cut", "crib", "between", "over"):
        view["turn"] = None if state.phase == "over" else view.get("dealer")
    if fallen := core.plan.game.race_status(state).knocked_out:
        view["knocked_out"] = sorted(fallen)
    view["ruling"] = derive("ruling", lambda: _describe_present_ruling(core), None, core.last_move)
    if core.pending_cards:
        view["crib" if state.phase == "crib" else "lying"] = to_json_value(core.pending_cards)
    return view


def _plain_view(state: Any) -> dict[str, object]:
    """Return the fields that every state has, in place of a game's own view."""
    return {"phase": state.phase, "scores": list(state.scores), "winner": state.winner}


def _describe_present_ruling(core: TableCore) -> Any:
    ruling = core.plan.game.judge(core.plan.game, core.past, find_evidence(core))
    return ruling and to_json_value(describe_ruling(ruling))


def find_evidence(core: TableCore) -> str:
    """Return what the pegs show of the last move, as in `Rule`: "heels" if the dealer has yet to peg them."""
    if core.plan.setup.options.get("policy") != "tournament":
        return ""  # nothing is ruled on
    past = core.past
    is_alone = core.plan.remote_table is None  # two tables would see different pegs
    if not (core.reads_pegs and is_alone and core.plan.setup.seats == 2 and isinstance(past.move, Play)):
        return ""
    points = 2 + sum(award.points for award in past.awards if award.seat == past.move.seat)
    dues = core.course.describe_pegs().dues
    return UNPEGGED_HEELS if any(due.seat == past.move.seat and due.points >= points for due in dues) else ""


def visible_cards(core: TableCore) -> frozenset[Card]:
    """Return all face-up cards of the present deal, including those of an unfinished crib or hand."""
    view = core.plan.game.view(core.past.state)
    crib, starter = view.get("crib", ()), view.get("starter")
    rows = (view.get("played", ()), view.get("hands", ()), (crib, core.pending_cards, (starter,)))
    return frozenset(card for some in rows for row in some for card in row if card is not None)
