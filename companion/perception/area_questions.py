"""Areas that people are asked about: which one, with what answers, and a reading with what they said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.perception.adapters import Difference, compare, sure_of
from engine.orders.inference.infer import Explanation
from engine.orders.position import Position
from vision.reading.count import Combo
from vision.reading.read import Reading

PLAIN = 0.7
"""The likelihood from which turns that leave the same pieces are proposed without asking about an area first."""
RIVAL = 0.1
"""How likely another turn has to be, against the likeliest, to be worth a question."""
POSSIBLE = 0.01
"""The probability from which a count is offered as an answer."""
TORN = 0.7
"""The same for it to be as good a first proposal."""
INSISTS = 0.89
"""The confidence from which the eye stands by a count against a touch on another turn than the first: nearly sure. What
it is likely to be right in, but isn't called sure of, has 0.8999 (`vision.reading.count`).
"""
MOST_ANSWERS = 4
ENOUGH = 0.85
"""How likely a few turns have to be together to be asked about themselves, one touch, instead of an area."""


@dataclass(frozen=True, slots=True)
class AreaQuestion:
    """An area that the eye is unsure of, and the possible counts there, the likeliest first."""

    area: str
    answers: tuple[Combo, ...]


def force_of(units: Combo) -> dict[str, dict[str, int]]:
    """Return a count as {faction: {unit: n}}."""
    force: dict[str, dict[str, int]] = {}
    for faction, unit, n in units:
        force.setdefault(faction, {})[unit] = n
    return force


def best_in(reading: Reading | None, area: str) -> Combo:
    """Return what the eye takes to be likeliest in an area; nothing without a reading of it."""
    belief = reading.counts.get(area) if reading is not None else None
    return tuple(sorted(belief.best)) if belief is not None else ()


def standing_in(position: Position, area: str) -> Combo:
    """Return what the game has in an area, in the form of the eye's counts."""
    force = position.units_in(area)
    return tuple(sorted((faction, unit, n) for faction, units in force.items() for unit, n in units.items()))


def insists_on(reading: Reading, area: str, least: float = INSISTS) -> bool:
    """Return whether the eye is sure enough of its count of an area to hold it against a turn that people chose."""
    return area not in reading.unreadable and reading.confidence.get(area, 0.0) >= least


def insisted_against(
    position: Position, areas: Iterable[str], reading: Reading, least: float = INSISTS
) -> dict[str, Combo]:
    """Return {area: the eye's count} of those areas where it insists on a count other than the game's."""
    seen = {area: best_in(reading, area) for area in areas if insists_on(reading, area, least)}
    return {area: units for area, units in seen.items() if units != standing_in(position, area)}


def area_question(position: Position, reading: Reading, explanations: Sequence[Explanation]) -> AreaQuestion | None:
    """Return the area to ask about: the least sure one in which likely turns differ.

    None without such an area, or if one outcome is likely enough. explanations: the likeliest first, at least one.
    """
    first = explanations[0]
    plain = sum(
        explanation.likelihood for explanation in explanations if explanation.position.units == first.position.units
    )
    if plain >= PLAIN:
        return None
    ends = [explanation.position for explanation in explanations if explanation.likelihood >= RIVAL * first.likelihood]
    doubtful = [area.name for area in position.board.areas if not sure_of(reading, area.name)]
    for area in sorted(doubtful, key=lambda name: reading.confidence.get(name, 0.0)):
        wanted = dict.fromkeys(standing_in(end, area) for end in ends)
        if len(wanted) > 1:
            return AreaQuestion(area, answers_for(position, reading, area, wanted))
    return None


def is_torn(explanations: Sequence[Explanation]) -> bool:
    """Return whether the second turn is about as likely as the first, so that neither should be offered first."""
    return len(explanations) > 1 and explanations[1].likelihood >= TORN * explanations[0].likelihood


def number_to_offer(explanations: Sequence[Explanation]) -> int:
    """Return how many of the likeliest turns to offer so that one is most likely right; 0 if it would take too many."""
    for number in range(2, MOST_ANSWERS + 1):
        if sum(explanation.likelihood for explanation in explanations[:number]) >= ENOUGH:
            return number
    return 0


def answers_for(position: Position, reading: Reading, area: str, wanted: Iterable[Combo] = ()) -> tuple[Combo, ...]:
    """Return at most `MOST_ANSWERS` counts to offer for an area, likeliest first: of turns, the eye and the game."""
    belief = reading.counts.get(area)
    seen = {tuple(sorted(combo)): chance for combo, chance in belief.options} if belief is not None else {}
    likely = [combo for combo, chance in seen.items() if chance >= POSSIBLE]
    found = dict.fromkeys([*wanted, *likely, standing_in(position, area)])
    return tuple(sorted(found, key=lambda combo: -seen.get(combo, 0.0)))[:MOST_ANSWERS]


def stubborn_question(position: Position, reading: Reading, differences: Iterable[Difference]) -> AreaQuestion | None:
    """Return a question about the first area where the eye is sure of a count other than the game's; else None."""
    insisted = {
        difference.area
        for difference in compare(position, reading)
        if difference.state == "differs" and ":" not in difference.area
    }
    for difference in differences:
        if difference.state != "agrees" and difference.area in insisted:
            return AreaQuestion(difference.area, answers_for(position, reading, difference.area))
    return None
