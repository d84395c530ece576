"""A rulebook as data, for any book: its rules, what it leaves open, its sections, and what people ask of it.

They are in `data/rules/<book>.toml`, `data/readings/<book>.toml`, `data/book/<book>.toml` and, by language,
`data/asked/<book>-<language>.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine.errors import BadPosition, BadTable
from engine.ruling import Citation, Rule, as_printed
from engine.tables import Each, read_table, table_names

Cite = Callable[[str, int | None], Citation]
_READING_FORM = {
    "readings": Each({"question": str, "section": str, "page?": int, "default": str, "other?": str}),
}
_RULE_FORM = {
    "kept?": [str],
    "rules": Each(
        {
            "section": str,
            "page?": int,
            "sections?": Each(str),
            "text": str,
            "holds": str,
            "holds_many?": str,
            "fails?": str,
            "fails_many?": str,
            "fails_none?": str,
            "reading?": str,
            "differs?": str,
        }
    ),
}


@dataclass(frozen=True, slots=True)
class Reading:
    """A question that a book leaves open, the default answer, and the other one: "" if a table can't choose it."""

    name: str
    default: str
    other: str
    question: str
    citation: Citation


def load_rules(book: str, cite: Cite = Citation) -> dict[str, Rule]:
    """Load the rules of a rulebook by id, with their citations and message templates.

    Raises BadTable if the file is broken.
    """
    table = read_table("rules", book, _RULE_FORM)
    rows: dict[str, dict[str, Any]] = table["rules"]
    kept = frozenset(table.get("kept", ()))
    if lost := sorted(kept - rows.keys()):
        raise BadTable(f"rules/{book}.toml: kept: no rule {lost[0]}")
    return {rule: _rule(rule, row, cite, kept) for rule, row in rows.items()}


def _rule(rule: str, row: dict[str, Any], cite: Cite, kept: Collection[str]) -> Rule:
    where = cite(row["section"], row.get("page"))
    places = {topic: cite(section, None) for topic, section in row.get("sections", {}).items()}
    named, many = (row.get("reading"), row.get("differs", "")), (row.get("holds_many", ""), row.get("fails_many", ""))
    none = row.get("fails_none", "")
    return Rule(rule, where, row["text"], row["holds"], row.get("fails", ""), *named, places, *many, none, rule in kept)


def load_readings(book: str, cite: Cite = Citation) -> dict[str, Reading]:
    """Load the readings of a rulebook by name; raise BadTable if the file is broken."""
    rows: dict[str, dict[str, Any]] = read_table("readings", book, _READING_FORM)["readings"]
    return {
        name: Reading(
            name, row["default"], row.get("other", ""), row["question"], cite(row["section"], row.get("page"))
        )
        for name, row in rows.items()
    }


def switched_readings(known: Mapping[str, Reading], switched: Iterable[str]) -> frozenset[str]:
    """Return these readings' names as a set; raise BadPosition for one that is unknown or has no other answer."""
    names = frozenset(switched)
    for name in sorted(names):
        if name not in known or not known[name].other:
            raise BadPosition(f"readings.{name}: no reading of that name with another answer")
    return names


# --- sections, in our own words: what a rule search looks through beside the rules themselves ---------

_SECTION_FORM = {
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
    """A section of the book: its heading and citation, a summary, other words for it (`tags`), and sections to `see`.

    `title` is its English heading, by which rules and readings refer to it. An entry on a mere part of a printed
    section has a title of our own, and is cited as the whole section. If all titles are our own, `place` in the data is
    the heading that is cited. `differs` says which edition is followed if they disagree. `rules` and `readings` name
    those that belong here.
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
    """Load the sections of a rulebook by name, in the book's order; raise BadTable if the file is broken."""
    return book_from(book, read_table("book", book, _SECTION_FORM))


def book_from(book: str, data: Mapping[str, Any]) -> Mapping[str, Section]:
    """Build a book's sections from their data; raise BadTable if one refers to a section that doesn't exist."""
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
    """Return the citation of a book's section, by its English heading, with its place in the other edition.

    `page`, if given, replaces the section's own. A section that the book doesn't have is cited as it is named; "" is
    for what the book doesn't print.
    """
    place = _places(book).get(section, Citation(section))
    return place if page is None or page == place.page else Citation(section, page, place.pt)


# --- what people type when they look a rule up ----------------------------------------------

FOLDER = "asked"
KINDS = ("section", "card", "bonus", "reading", "rule")
_QUESTIONS = {f"{kind}?": Each([str]) for kind in KINDS}
_WORDS = {"common": str, "alike": [str], "forms": Each(str)}


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a language as a search needs them.

    common: words that say little by themselves; alike: groups of synonyms; forms: {word: the word it is a form of},
    where the spelling doesn't show the common stem.
    """

    common: frozenset[str]
    alike: tuple[tuple[str, ...], ...]
    forms: Mapping[str, str]


@cache
def load_questions(book: str, language: str) -> Mapping[str, tuple[str, ...]]:
    """Return the questions that lead to each entry of a book, by its key ("section:supply").

    Empty if the book has no table in this language. Raises BadTable if the file is broken.
    """
    name = f"{book}-{language}"
    table = read_table(FOLDER, name, _QUESTIONS) if name in table_names(FOLDER) else {}
    return {f"{kind}:{entry}": tuple(asked) for kind, rows in table.items() for entry, asked in rows.items()}


@cache
def load_words(language: str) -> Words | None:
    """Return the words of a language, None if it has no table; raise BadTable if the file is broken."""
    name = f"words-{language}"
    if name not in table_names(FOLDER):
        return None
    table = read_table(FOLDER, name, _WORDS)
    alike = tuple(tuple(group.split()) for group in table["alike"])
    return Words(frozenset(table["common"].split()), alike, table["forms"])
