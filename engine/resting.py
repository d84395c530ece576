"""Which readings a ruling rests on: those by whose other answer it would not be as it is, for any system of rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from engine.ruling import Finding, Ruling
from engine.words import say

Key = tuple[str, int]
"""A rule, and which of its findings it is in a ruling that weighs it several times."""


def resting(ruling: Ruling, others: Mapping[str, Ruling]) -> Ruling:
    """The ruling with the readings named in each finding that rests on them.

    others: the ruling on the same step with one reading switched each, by its name. A finding rests on a reading where
    the other ruling says something else of it, or nothing.
    """
    told = {name: dict(_numbered(other.findings)) for name, other in others.items()}
    findings = [
        _named(finding, [name for name, other in told.items() if _differs(finding, other.get(key))])
        for key, finding in _numbered(ruling.findings)
    ]
    return Ruling(tuple(findings))


def _numbered(findings: Iterable[Finding]) -> Iterator[tuple[Key, Finding]]:
    seen: Counter[str] = Counter()
    for finding in findings:
        yield (finding.rule, seen[finding.rule]), finding
        seen[finding.rule] += 1


def _differs(finding: Finding, other: Finding | None) -> bool:
    return other is None or (finding.holds, finding.message) != (other.holds, other.message)


def _named(finding: Finding, names: list[str]) -> Finding:
    """The finding with these readings in its words, besides the one that its rule always rests on."""
    first, *also = dict.fromkeys((*finding.readings, *names, ""))
    message = finding.message
    for name in names:
        if name not in finding.readings:
            message = say("{message} (reading: {name})", message=message, name=say(name))
    return replace(finding, message=message, reading=first or None, also=tuple(filter(None, also)))
