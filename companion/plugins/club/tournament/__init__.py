"""A tournament as the American Cribbage Congress plays it: qualifying round, scorecards, cross-check and bracket.

`draw`, `scorecards`, `bracket` and `duplicate` are pure: values in, values out.
"""
