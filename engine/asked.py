"""What people type when they look a rule up: questions for each entry, and words that mean the same, by language.

`data/asked/<book>-<language>.toml` has the questions of one book, `words-<language>.toml` the words of the language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from engine.tables import Each, read_table, table_names

FOLDER = "asked"
KINDS = ("section", "card", "bonus", "reading", "rule")
_QUESTIONS = {f"{kind}?": Each([str]) for kind in KINDS}
_WORDS = {"common": str, "alike": [str], "forms": Each(str)}


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a language as a search needs them.

    common: words that say little by themselves; alike: groups of words that stand for one another; forms: words whose
    stem their spelling doesn't show, with the word that they are a form of.
    """

    common: frozenset[str]
    alike: tuple[tuple[str, ...], ...]
    forms: Mapping[str, str]


@cache
def load_questions(book: str, language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the questions that lead to each entry of a book, by its key ("section:supply"); raise BadTable.

    A language that has none for the book has an empty table.
    """
    name = f"{book}-{language}"
    table = read_table(FOLDER, name, _QUESTIONS) if name in table_names(FOLDER) else {}
    return {f"{kind}:{entry}": tuple(asked) for kind, rows in table.items() for entry, asked in rows.items()}


@cache
def load_words(language: str) -> Words | None:
    """Return the words of a language, None for one that has no table; raise BadTable."""
    name = f"words-{language}"
    if name not in table_names(FOLDER):
        return None
    table = read_table(FOLDER, name, _WORDS)
    alike = tuple(tuple(group.split()) for group in table["alike"])
    return Words(frozenset(table["common"].split()), alike, table["forms"])
