"""Tests of the companion, in the same tree as the code."""
