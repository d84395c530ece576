"""The sections of a rulebook in our own words: what a rule search looks through beside the rules themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine.errors import BadTable
from engine.ruling import Citation
from engine.tables import Each, read_table

_FORM = {"sections": Each({"title": str, "text": str, "page?": int, "tags": [str], "see": [str]})}


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the book: its heading and page, what it says in short, other words for it, and what goes with it."""

    name: str
    citation: Citation
    text: str
    tags: tuple[str, ...]
    see: tuple[str, ...]

    @property
    def title(self) -> str:
        """The heading."""
        return self.citation.section


@cache
def load_book(book: str) -> Mapping[str, Section]:
    """The sections of a rulebook by name, in its order. Raises BadTable."""
    return book_from(book, read_table("book", book, _FORM))


def book_from(book: str, data: Mapping[str, Any]) -> Mapping[str, Section]:
    """Sections from their data. Raises BadTable where one points to another that is not there."""
    rows: dict[str, dict[str, Any]] = data["sections"]
    lost = [
        f"sections.{name}.see: no section {other}" for name in rows for other in rows[name]["see"] if other not in rows
    ]
    if lost:
        raise BadTable("; ".join(f"book/{book}.toml: {fault}" for fault in lost))
    return {
        name: Section(name, Citation(row["title"], row.get("page")), row["text"], tuple(row["tags"]), tuple(row["see"]))
        for name, row in rows.items()
    }
