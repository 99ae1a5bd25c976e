"""Sentences that a person reads or hears: English in the code, every other language in a folder here."""

from companion.words.sentence import Sentence, capital, joined, listed, phrase, say, say_many

__all__ = ["Sentence", "capital", "joined", "listed", "phrase", "say", "say_many"]
