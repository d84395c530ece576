"""A fault, how the app has to recover from it, and the result of trying it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError
from companion.core.language import _
from companion.text.faults import fault_words

if TYPE_CHECKING:
    from companion.drill.place import Place


@dataclass(frozen=True, slots=True)
class Well:
    """The app recovered. told: what was seen, in one sentence; after_s: from the fault until all was well again."""

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
class ScenarioResult:
    """How a scenario went: what was seen, or what failed; until all was well; all of it, in seconds."""

    name: str
    ok: bool
    told: str
    after_s: float
    took_s: float


def run_scenario(scenario: Scenario, place: Place) -> ScenarioResult:
    """Try one scenario.

    A game that cannot be read any more and an app that is gone have failed, too; any other exception is a fault of the
    drill itself, and is raised.
    """
    began_s = time.monotonic()
    try:
        well = scenario.work(place)
    except (CompanionError, OSError) as error:
        place.leave()
        return ScenarioResult(scenario.name, False, str(error), 0.0, time.monotonic() - began_s)
    return ScenarioResult(scenario.name, True, well.told, well.after_s, time.monotonic() - began_s)


def run_scenarios(scenarios: Iterable[Scenario], place: Place) -> Iterator[ScenarioResult]:
    """Try them one after the other."""
    for scenario in scenarios:
        yield run_scenario(scenario, place)


def as_line(result: ScenarioResult) -> str:
    """Write an outcome on a line: how it went, its name, the times until all was well and in all, what was seen."""
    well = _("well after {seconds} s").format(seconds=f"{result.after_s:4.1f}") if result.after_s else ""
    went = _("OK") if result.ok else _("failed")
    return f"{went:<7}{result.name:<18}{result.took_s:5.1f} s  {well:<17}  {fault_words(result.told)}"


def as_object(result: ScenarioResult) -> dict[str, object]:
    """Return an outcome as a JSON object."""
    return asdict(result)
