"""Sentences that a person reads or hears: English in the code, every other language in a folder here."""

from companion.i18n.messages import Sentence, capital, dumped, joined, listed, loaded, phrase, say, say_many

__all__ = ["Sentence", "capital", "dumped", "joined", "listed", "loaded", "phrase", "say", "say_many"]
