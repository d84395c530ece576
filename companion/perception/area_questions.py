"""Areas that people are asked about: which one, with what answers, and a reading with what they said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.perception.adapters import Difference, compare, sure_of
from engine.orders.inference.infer import Explanation
from engine.orders.position import Position

if TYPE_CHECKING:
    from vision.reading.count import Combo
    from vision.reading.read import Reading

POSSIBLE = 0.01
"""The probability from which a count is offered as an answer."""
MOST_ANSWERS = 4


@dataclass(frozen=True, slots=True)
class AreaQuestion:
    """An area that the eye is unsure of, and the possible counts there, the likeliest first."""

    area: str
    answers: tuple[Combo, ...]


def with_answers(reading: Reading, answers: Mapping[str, Combo]) -> Reading:
    """The reading with what people said of some areas as certain."""
    if not answers:
        return reading
    from vision.reading.count import CountBelief

    units = {area: dict(force) for area, force in reading.units.items() if area not in answers}
    for area, combo in answers.items():
        for faction, unit, n in combo:
            units.setdefault(area, {})[faction] = {**units.get(area, {}).get(faction, {}), unit: n}
    return replace(
        reading,
        units=units,
        confidence={**reading.confidence, **dict.fromkeys(answers, 1.0)},
        unreadable=tuple(area for area in reading.unreadable if area not in answers),
        counts={**reading.counts, **{area: CountBelief(((combo, 1.0),)) for area, combo in answers.items()}},
    )


def best_in(reading: Reading | None, area: str) -> Combo:
    """What the eye deems likeliest in an area."""
    belief = reading.counts.get(area) if reading is not None else None
    return tuple(sorted(belief.best)) if belief is not None else ()


def standing_in(position: Position, area: str) -> Combo:
    """What the game has in an area, in the form of the eye's counts."""
    force = position.units_in(area)
    return tuple(sorted((faction, unit, n) for faction, units in force.items() for unit, n in units.items()))


def question(position: Position, reading: Reading, explanations: Iterable[Explanation]) -> AreaQuestion | None:
    """The area to ask about: the least sure one in which the turns that may have been done differ; None without one."""
    ends = [one.position for one in explanations]
    doubtful = [area.name for area in position.board.areas if not sure_of(reading, area.name)]
    for area in sorted(doubtful, key=lambda name: reading.confidence.get(name, 0.0)):
        wanted = dict.fromkeys(standing_in(end, area) for end in ends)
        if len(wanted) > 1:
            return AreaQuestion(area, answers_for(position, reading, area, wanted))
    return None


def answers_for(position: Position, reading: Reading, area: str, wanted: Iterable[Combo] = ()) -> tuple[Combo, ...]:
    """The counts to offer for an area: those the eye and the turns deem possible, and the game's; likeliest first."""
    belief = reading.counts.get(area)
    seen = {tuple(sorted(combo)): chance for combo, chance in belief.options} if belief is not None else {}
    likely = [combo for combo, chance in seen.items() if chance >= POSSIBLE]
    found = dict.fromkeys([*wanted, *likely, standing_in(position, area)])
    return tuple(sorted(found, key=lambda combo: -seen.get(combo, 0.0)))[:MOST_ANSWERS]


def stubborn_question(position: Position, reading: Reading, differences: Iterable[Difference]) -> AreaQuestion | None:
    """An area that the eye insists on against all that the game expects: better to ask than to doubt either."""
    insisted = {one.area for one in compare(position, reading) if one.state == "differs" and ":" not in one.area}
    for one in differences:
        if one.state != "agrees" and one.area in insisted:
            return AreaQuestion(one.area, answers_for(position, reading, one.area))
    return None
