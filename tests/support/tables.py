"""Running tables whose journal lies in a folder of the test."""

from companion.journal.journal import Journal
from companion.settings import Settings
from companion.table.setup import create_plan
from companion.table.state import create_core
from companion.table.table import Table
from tests.support.received import clock as system_clock


def open_table(folder, plan="six-card", *, settings=None, clock=system_clock, run="test", record_line=None, **options):
    """Return a table that has begun a game: a plan, or the key of a game with these options."""
    if isinstance(plan, str):
        plan = create_plan(plan, options=options)
    core = create_core(plan, settings or Settings())
    journal = Journal(folder / "journal.sqlite3")
    journal.begin_game(core.plan.journal_json)
    return Table(core, journal, clock, run=run, record_line=record_line)
