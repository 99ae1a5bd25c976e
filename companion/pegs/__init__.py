"""Reads pegs: levels -> sensor trust -> assignment -> interpretation -> timing -> problems. Pure."""
