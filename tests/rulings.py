"""What a ruling says and what it rests on, for tests of any system of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from engine.ruling import Ruling


def changed_without_a_name(
    ruling: Ruling, plainly: Callable[[Any, Any], Ruling], position: Any, step: Any, names: Iterable[str]
) -> Iterator[str]:
    """Yield the readings that change the ruling on a step although the ruling doesn't name them.

    plainly: the ruling on a step in a position, whatever it names. It is another one where the verdict is, an
    objection, or what is said of a criterion that both look at.
    """
    here = _told(ruling)
    named = {name for finding in ruling.findings for name in finding.readings}
    for name in names:
        if name in named:
            continue
        other = _told(plainly(replace(position, readings=position.readings ^ {name}), step))
        shared = {rule for rule, _holds, _said in here} & {rule for rule, _holds, _said in other}
        if any(rule in shared or not holds for rule, holds, _said in here ^ other):
            yield name


def _told(ruling: Ruling) -> set[tuple[str, bool, str]]:
    """Each criterion, whether it holds, and what is said of it without the readings."""
    return {(finding.rule, finding.holds, finding.message.partition(" (reading: ")[0]) for finding in ruling.findings}
