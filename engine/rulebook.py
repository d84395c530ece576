"""The rules and readings of a rulebook as data, for any: `data/rules/<book>.toml`, `data/readings/<book>.toml`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import BadPosition, BadTable
from engine.ruling import Citation, Rule
from engine.tables import Each, read_table

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
    """What a book leaves open: the answer by default, the other one if a table may choose it, and the question."""

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
    """Return the names of the readings switched to their other answer, once checked; raise BadPosition."""
    names = frozenset(switched)
    for name in sorted(names):
        if name not in known or not known[name].other:
            raise BadPosition(f"readings.{name}: no reading of that name with another answer")
    return names
