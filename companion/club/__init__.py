"""What a club has behind its boards: the archive of all that was played, results, standings, and a page for the room.

Moves come from a broker as docs/reference/reporting.md tells; docs/reference/club.md has what is made of them.
"""
