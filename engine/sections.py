"""The sections of a rulebook in our own words: what a rule search looks through beside the rules themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine.errors import BadTable
from engine.ruling import Citation, as_printed
from engine.tables import Each, read_table

_FORM = {
    "sections": Each(
        {
            "title": str,
            "title_pt?": str,
            "part_of?": str,
            "place?": str,
            "text": str,
            "page?": int,
            "page_pt?": int,
            "tags": [str],
            "see": [str],
            "differs?": str,
            "rules?": [str],
            "readings?": [str],
        }
    )
}


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the book: its heading and page, what it says in short, other words for it, and what goes with it.

    `title` is its English heading, by which rules and readings name it. A part of a printed section that is told by
    itself has a title of ours, and is cited as the section that it is a part of. Where all titles are ours, `place` in
    the data is the heading that is cited. `differs` says which edition is followed where they do not say the same.
    `rules` and `readings` name what is judged there and what is left open.
    """

    name: str
    title: str
    citation: Citation
    text: str
    tags: tuple[str, ...]
    see: tuple[str, ...]
    differs: str = ""
    title_pt: str = ""
    rules: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """The title in the edition in use."""
        return as_printed(self.title, self.title_pt)


@cache
def load_book(book: str) -> Mapping[str, Section]:
    """Load the sections of a rulebook by name, in the book's order; raise BadTable."""
    return book_from(book, read_table("book", book, _FORM))


def book_from(book: str, data: Mapping[str, Any]) -> Mapping[str, Section]:
    """Return the sections from their data; raise BadTable if one points to another that is not there."""
    rows: dict[str, dict[str, Any]] = data["sections"]
    lost = [
        f"sections.{name}.see: no section {other}" for name in rows for other in rows[name]["see"] if other not in rows
    ]
    parts = ((name, row["part_of"]) for name, row in rows.items() if "part_of" in row)
    lost += [f"sections.{name}.part_of: no section {whole}" for name, whole in parts if whole not in rows]
    if lost:
        raise BadTable("; ".join(f"book/{book}.toml: {fault}" for fault in lost))
    found = {}
    for name, row in rows.items():
        printed = rows[row.get("part_of", name)]
        pt = Citation(printed["title_pt"], printed.get("page_pt")) if printed.get("title_pt") else None
        found[name] = Section(
            name,
            row["title"],
            Citation(printed.get("place", printed["title"]), printed.get("page"), pt),
            row["text"],
            tuple(row["tags"]),
            tuple(row["see"]),
            row.get("differs", ""),
            row.get("title_pt", ""),
            tuple(row.get("rules", ())),
            tuple(row.get("readings", ())),
        )
    return found


@cache
def _places(book: str) -> Mapping[str, Citation]:
    return {section.citation.section: section.citation for section in load_book(book).values()}


def cite(book: str, section: str, page: int | None = None) -> Citation:
    """Return where a rule of a book is printed, by its English heading, with the other edition's place.

    A `page`, if given, replaces the heading's own.

    A section that the book does not have is cited as it is named; "" is none, for what the book does not print.
    """
    place = _places(book).get(section, Citation(section))
    return place if page is None or page == place.page else Citation(section, page, place.pt)
