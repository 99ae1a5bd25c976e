"""Export a game of the journal as JSON lines, which can be replayed, or as CSV for a spreadsheet.

There is one line per entry, including undos and pending cards. The first JSON line has the plan, as in a recording.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from companion.common.errors import BadMove, CompanionError
from companion.common.files import format_csv_row
from companion.common.values import replace
from companion.journal.journal import Journal, JournalEntry, StoredEntry
from companion.protocol.json_codec import dump_json, parse_json, read_move, write_move
from companion.settings import Settings
from companion.table import players
from companion.table.recording import parse_shared_plan
from companion.table.resume import BATCH_ENTRIES, parse_plan
from companion.table.state import TableCore, apply_entry, create_core

INPUT_SOURCES = ("phone", "cards", "board", "buttons")
ENTRY_KINDS = ("move", "card", "uncard")
_CSV_COLUMNS = ("n", "time", "by", "type", "seat", "cards", "points", "scores", "said")


def export_jsonl(journal: Journal, game: int) -> Iterator[str]:
    """Yield the plan and each entry of a game as JSON lines. Raises JournalError for an unknown game."""
    given = dict(journal.load_game(game).plan)
    if str(given.get("board", "")).endswith(".toml"):
        del given["board"]  # a custom board file exists only on this machine
    given.pop("afar", None)  # a replay is a local game
    profiles = players.load_players(journal.read_game_column(game, "players"))
    yield dump_json({"table": given | {"players": players.dump_players(profiles)}}) + "\n"
    for number, stored in _read_entries(journal, game):
        yield dump_json({"n": number, "ms": stored.ms, **_entry_json(stored.entry)}) + "\n"


def export_csv(journal: Journal, game: int) -> Iterator[str]:
    """Yield a CSV row for each entry. Raises CompanionError if the rules cannot replay the game."""
    core = create_core(parse_plan(journal.load_game(game).plan), Settings())
    profiles = players.load_players(journal.read_game_column(game, "players"))
    yield format_csv_row(_CSV_COLUMNS)
    for number, stored in _read_entries(journal, game):
        entry = stored.entry
        move = read_move(entry.body, core.plan.setup.seats) if entry.kind == "move" else None
        core = apply_entry(core, entry, move)
        sentences = core.last_move["said"] if move and core.last_move else ()
        sentences = players.personalize_texts(sentences, profiles, core.plan.setup.seats, core.plan.sides)
        at = datetime.fromtimestamp(stored.ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        body = entry.body if isinstance(entry.body, dict) else {"type": entry.kind, "card": entry.body}
        cards = body.get("cards") or [body[each] for each in ("card", "to") if body.get(each)]
        scores = " ".join(map(str, core.past.state.scores))
        yield format_csv_row((
            number, at, entry.by, body["type"], body.get("seat", ""), " ".join(cards), body.get("points", ""), scores,
            " ".join(sentences),
        ))  # fmt: skip


def replay_export(lines: Iterable[bytes], write: Callable[[str], None]) -> tuple[TableCore, list[JournalEntry]]:
    """Replay an export by the rules, and pass each entry to `write`. Return the final state and the entries.

    Raises CompanionError that names the invalid line.
    """
    core: TableCore | None = None
    entries: list[JournalEntry] = []
    for number, text in enumerate(lines, 1):
        try:
            line = _parse_object(text)
            if core is None:
                core = _parse_table(line)
                continue
            entry = _parse_entry(line, core)
            move = read_move(entry.body, core.plan.setup.seats) if entry.kind == "move" else None
            core = apply_entry(core, entry, move, describe=False)
        except CompanionError as error:
            raise CompanionError(f"Line {number}: {error}") from error
        entries.append(entry)
        write(dump_json({"n": len(entries), **_entry_json(entry)}))
    if core is None:
        raise CompanionError("Line 1: The export is empty. It must begin with its table.")
    return core, entries


def _read_entries(journal: Journal, game: int) -> Iterator[tuple[int, StoredEntry]]:
    number = newest = 0
    while batch := journal.read_entries(game, newest, BATCH_ENTRIES):
        for stored in batch:
            newest = stored.id
            if stored.entry.kind in ENTRY_KINDS:  # requests to a remote host are not part of the game
                number += 1
                yield number, stored


def _entry_json(entry: JournalEntry) -> dict[str, Any]:
    return {"kind": entry.kind, "by": entry.by, "body": entry.body}


def _parse_object(text: bytes) -> Mapping[str, Any]:
    line = parse_json(text)
    if not isinstance(line, dict):
        raise BadMove("A line of an export must be a JSON object.")
    return line


def _parse_table(line: Mapping[str, Any]) -> TableCore:
    given = line.get("table")
    if not isinstance(given, dict):
        raise BadMove('An export must begin with a line that has its "table".')
    if str(given.get("board")).endswith(".toml"):
        del given["board"]  # the file of another machine
    core = create_core(parse_shared_plan(given), Settings())
    return replace(core, players=players.load_players(given.get("players")))


def _parse_entry(line: Mapping[str, Any], core: TableCore) -> JournalEntry:
    """Parse an entry as the journal stores it. Raises BadMove or BadCard if it is invalid."""
    kind, by, body = (line.get(each) for each in ("kind", "by", "body"))
    if kind not in ENTRY_KINDS or by not in INPUT_SOURCES:
        raise BadMove(f"An entry has a kind, of {', '.join(ENTRY_KINDS)}, and is by one of {', '.join(INPUT_SOURCES)}.")
    if kind == "move":
        return JournalEntry(kind, by, write_move(read_move(body, core.plan.setup.seats)))
    if kind == "card" and not isinstance(body, str):
        raise BadMove("The body of a card must be its text, such as 5H.")
    if kind == "uncard" and not core.pending_cards:
        raise BadMove("There is no pending card to take back.")
    return JournalEntry(kind, by, body if kind == "card" else None)
