"""The journal, told to a broker: what is played at this table, for a club's archive and for the house.

docs/reference/reporting.md has the topics. Nothing here is imported unless a broker is named.
"""
