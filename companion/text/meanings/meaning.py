"""A meaning: a name, a few sentences, and the section of the rules that they come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.language import _

SENTENCES = 2  # of a section of the rules


class Meaning(NamedTuple):
    """What something is. title: its name, where it has no words of its own; section: its name in the system's book."""

    title: str
    text: str
    section: str = ""


Meanings = Mapping[str, Meaning]
"""{key: meaning}, in English: "undo:" is meant for "undo:" with anything behind it."""


def find(key: str, *books: Meanings) -> Meaning | None:
    """Return the meaning of a key in the language in use, of the first book that has it; None where none has."""
    kind, colon, _what = key.partition(":")
    for book in books:
        found = book.get(key) or book.get(f"{kind}{colon}")
        if found is not None:
            return found._replace(title=_(found.title), text=_(found.text))
    return None


def opening(text: str) -> str:
    """Return the first sentences of a section.

    >>> opening("One. Two. Three.")
    'One. Two.'
    """
    first = text.split(". ")[:SENTENCES]
    return f"{'. '.join(first).rstrip('.')}."
