"""A tournament as the American Cribbage Congress plays it: qualifying round, scorecards, cross-check and bracket.

`draw` and `scorecards` are pure: values in, values out.
"""
