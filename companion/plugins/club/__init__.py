"""The club: an archive of the moves that boards publish, tournaments, standings, and its web application.

The messages are those of docs/reference/reporting.md; docs/reference/club.md describes the API.
"""

from companion.plugin import Plugin

PLUGIN = Plugin(name="club", commands={"club": "companion.plugins.club.club_command:club"})
