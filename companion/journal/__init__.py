"""Durable storage: schema, hash chain, recovery, backup."""
