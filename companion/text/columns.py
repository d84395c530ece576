"""Words and columns for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.ruling import Ruling
from engine.words import count_words, say

BOX = ("troop", "ship", "siege", "aircraft")


def count_text(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> count_text(1, "area"), count_text(2, "area")
    ('1 area', '2 areas')
    """
    return f"{number} {noun if number == 1 else noun + 's'}"


def sorted_units(units: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the units that are there, in the order of the box: troops, ships, siege weapons."""
    order = {unit: place for place, unit in enumerate(BOX)}
    return sorted(((unit, n) for unit, n in units.items() if n), key=lambda pair: order.get(pair[0], len(order)))


def force_text(factions: Mapping[str, Mapping[str, int]]) -> str:
    """Return what stands in an area, in words.

    >>> force_text({"red": {"troop": 1}}), force_text({})
    ('1 red troop', 'nothing')
    """
    parts = [count_words(n, unit, faction) for faction, units in factions.items() for unit, n in sorted_units(units)]
    return ", ".join(parts) or say("nothing")


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells as aligned lines; cells that are numbers stand to the right.

    >>> print(columns([["area", "vp"], ["c4", "12"]]))
      area  vp
      c4    12
    """
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            text.rjust(width) if text.removesuffix("%").isdigit() else text.ljust(width)
            for text, width in zip(row, widths, strict=True)
        ]
        lines.append(("  " + "  ".join(cells)).rstrip())
    return "\n".join(lines)


def ruling_text(ruling: Ruling) -> str:
    """Return every criterion of a ruling on a line, what objects first: mark, rule id, where it is written, facts."""
    findings = sorted(ruling.findings, key=lambda finding: finding.holds)
    marked = (("✓" if finding.holds else "✗", finding) for finding in findings)
    return "\n".join(f"  {mark} {found.rule} [{found.citation}] {found.message}" for mark, found in marked)
