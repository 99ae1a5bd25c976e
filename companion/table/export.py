"""A table of the journal as text: JSON lines that replay to the same journal, or CSV for a spreadsheet. And the replay.

A line for each entry, undos and cards that lay included. The first JSON line tells what is played, as in `trace`.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from companion.common.errors import BadMove, CompanionError
from companion.journal.journal import Entry, Journal, Written
from companion.protocol.json_codec import dumps, parse, read_move, write_move
from companion.settings import Settings
from companion.table import players
from companion.table.resume import BATCH, planned
from companion.table.setup import plan
from companion.table.state import Core, begin, fold

BY = ("phone", "cards", "board", "buttons")
KINDS = ("move", "card", "uncard")
_HEAD = ("n", "time", "by", "type", "seat", "cards", "points", "scores", "said")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def jsonl(journal: Journal, game: int) -> Iterator[str]:
    """The table and each of its entries, a line each. Raises JournalError where there is no such game."""
    given = dict(journal.kept(game).plan)
    if str(given.get("board", "")).endswith(".toml"):
        del given["board"]  # a file of its owner's: nobody else has it there
    given.pop("afar", None)  # whoever reads it plays it alone
    told = {"table": given | {"players": players.dump(players.load(journal.noted(game, "players")))}}
    yield dumps(told) + "\n"
    for number, written in _written(journal, game):
        yield dumps({"n": number, "ms": written.ms, **_line(written.entry)}) + "\n"


def as_csv(journal: Journal, game: int) -> Iterator[str]:
    """A row for each entry, with what was said of it. Raises CompanionError where these rules cannot play the game."""
    core = begin(planned(journal.kept(game).plan), Settings())
    who = players.load(journal.noted(game, "players"))
    yield _row(_HEAD)
    for number, written in _written(journal, game):
        entry = written.entry
        move = read_move(entry.body, core.plan.setup.seats) if entry.kind == "move" else None
        core = fold(core, entry, move)
        said = core.last["said"] if move and core.last else ()
        said = players.sentences(said, who, core.plan.setup.seats, core.plan.sides)
        at = datetime.fromtimestamp(written.ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        body = entry.body if isinstance(entry.body, dict) else {"type": entry.kind, "card": entry.body}
        cards = body.get("cards") or [body[each] for each in ("card", "to") if body.get(each)]
        scores = " ".join(map(str, core.past.state.scores))
        yield _row((
            number, at, entry.by, body["type"], body.get("seat", ""), " ".join(cards), body.get("points", ""), scores,
            _safe(" ".join(said)),
        ))  # fmt: skip


def replay(lines: Iterable[bytes], say: Callable[[str], None]) -> tuple[Core, list[Entry]]:
    """Play an export again, by the rules: each entry is said as it is taken.

    Gives the table at its end and its entries. Raises CompanionError that names the line which cannot be.
    """
    core: Core | None = None
    entries: list[Entry] = []
    for number, text in enumerate(lines, 1):
        try:
            line = _object(text)
            if core is None:
                core = _begun(line)
                continue
            entry = _entry(line, core)
            move = read_move(entry.body, core.plan.setup.seats) if entry.kind == "move" else None
            core = fold(core, entry, move, telling=False)
        except CompanionError as error:
            raise CompanionError(f"Line {number}: {error}") from error
        entries.append(entry)
        say(dumps({"n": len(entries), **_line(entry)}))
    if core is None:
        raise CompanionError("Line 1: There is nothing: an export begins with its table.")
    return core, entries


def _written(journal: Journal, game: int) -> Iterator[tuple[int, Written]]:
    number = newest = 0
    while batch := journal.written(game, newest, BATCH):
        for written in batch:
            newest = written.id
            if written.entry.kind in KINDS:  # what was only asked for is no part of the game
                number += 1
                yield number, written


def _line(entry: Entry) -> dict[str, Any]:
    return {"kind": entry.kind, "by": entry.by, "body": entry.body}


def _row(cells: Iterable[object]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow(cells)
    return out.getvalue()


def _safe(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _object(text: bytes) -> Mapping[str, Any]:
    line = parse(text)
    if not isinstance(line, dict):
        raise BadMove("A line of an export is a JSON object.")
    return line


def _begun(line: Mapping[str, Any]) -> Core:
    given = line.get("table")
    if not isinstance(given, dict):
        raise BadMove('An export begins with a line that has its "table".')
    key, seats, dealer, board = (given.get(each) for each in ("game", "seats", "dealer", "board"))
    options = given.get("options") or {}
    kinds = ((key, str), (seats, int), (dealer, int), (board, str))
    if not all(value is None or type(value) is kind for value, kind in kinds) or not isinstance(options, dict):
        raise BadMove("A table has texts for game and board, whole numbers for seats and dealer, and options.")
    texts = {str(name): str(value) for name, value in options.items()}
    made = plan(key or "six-card", seats, dealer, texts, None if board is None or board.endswith(".toml") else board)
    core = begin(made, Settings())
    return Core(
        plan=made, settings=core.settings, past=core.past, course=core.course, people=players.load(given.get("players"))
    )


def _entry(line: Mapping[str, Any], core: Core) -> Entry:
    """An entry as the journal would have it. Raises BadMove or BadCard for what is none."""
    kind, by, body = (line.get(each) for each in ("kind", "by", "body"))
    if kind not in KINDS or by not in BY:
        raise BadMove(f"An entry has a kind, of {', '.join(KINDS)}, and is by one of {', '.join(BY)}.")
    if kind == "move":
        return Entry(kind, by, write_move(read_move(body, core.plan.setup.seats)))
    if kind == "card" and not isinstance(body, str):
        raise BadMove("The body of a card is its text, such as 5H.")
    if kind == "uncard" and not core.lying:
        raise BadMove("No card lies that could be taken up.")
    return Entry(kind, by, body if kind == "card" else None)
