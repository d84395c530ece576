"""A fault and what has to come of it, tried and told."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError
from companion.drill.ensuring import DrillFailed

if TYPE_CHECKING:
    from companion.drill.place import Place

LOOK_S = 0.02


@dataclass(frozen=True, slots=True)
class Well:
    """All went as it has to. told: what was seen, one sentence; after_s: from the fault until all was well again."""

    told: str
    after_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Scenario:
    """fault: what is done to the app; expected: what has to come of it; work: does it, or raises DrillFailed."""

    name: str
    fault: str
    expected: str
    work: Callable[[Place], Well]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a scenario went: what was seen, or what failed; until all was well; all of it, in seconds."""

    name: str
    ok: bool
    told: str
    after_s: float
    took_s: float


def until(true: Callable[[], object], limit_s: float, otherwise: str) -> float:
    """Wait until something is so, looking again and again: how long that took. DrillFailed after `limit_s` seconds."""
    began_s = time.monotonic()
    while not true():
        if time.monotonic() - began_s > limit_s:
            raise DrillFailed(f"{otherwise} (waited {limit_s:g} s)")
        time.sleep(LOOK_S)
    return time.monotonic() - began_s


def outcome(scenario: Scenario, place: Place) -> Outcome:
    """Try one scenario. A game that cannot be read any more and an app that is gone have failed, too; any other
    exception is a fault of the drill itself, and is raised.
    """
    began_s = time.monotonic()
    try:
        well = scenario.work(place)
    except (CompanionError, OSError) as error:
        place.leave()
        return Outcome(scenario.name, False, str(error), 0.0, time.monotonic() - began_s)
    return Outcome(scenario.name, True, well.told, well.after_s, time.monotonic() - began_s)


def outcomes(scenarios: Iterable[Scenario], place: Place) -> Iterator[Outcome]:
    """Try them one after the other."""
    for scenario in scenarios:
        yield outcome(scenario, place)


def as_line(one: Outcome) -> str:
    """An outcome on a line: how it went, its name, how long until all was well and in all, what was seen."""
    well = f"well after {one.after_s:4.1f} s" if one.after_s else f"{'':17}"
    return f"{'OK' if one.ok else 'failed':<7}{one.name:<18}{one.took_s:5.1f} s  {well}  {one.told}"


def as_object(one: Outcome) -> dict[str, object]:
    """An outcome as a JSON object."""
    return asdict(one)
