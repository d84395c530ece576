"""A reading weighed with what the game expects to stand in each area.

The eye's own beliefs stay free of the game; this is the last step, for those who want the likeliest position and know
what stood there before. What is expected is likely beforehand, not certain: clear sight overrules it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from vision.reading.count import NOT_SURE, Combo, CountBelief, units_of, with_confidence
from vision.reading.read import Reading

# How likely what the game expects is beforehand, in an area.
TRUST = 0.9
# The chance, as a part of the likeliest answer's, of an expected one that the eye has dropped (`count.KEEP`).
FLOOR = 1e-3
Units = Mapping[str, Mapping[str, int]]


def combo_of(units: Units) -> Combo:
    """Return the combo of an area's units, {faction: {unit: n}}."""
    return tuple(
        (faction, unit, n) for faction, kinds in sorted(units.items()) for unit, n in sorted(kinds.items()) if n
    )


def posterior(count: CountBelief, expected: Combo) -> CountBelief:
    """Apply Bayes to the belief: a prior of TRUST on what is expected, the rest shared by the other options.

    What the eye gave no chance worth keeping gets a small one: it cannot be told from what was left out. Where the
    expectation overrules what the eye took for likelier, the answer is never sure.
    """
    seen = dict(count.options)
    seen.setdefault(expected, FLOOR * count.confidence)
    others = max(len(seen) - 1, 1)
    weights = {combo: p * (TRUST if combo == expected else (1 - TRUST) / others) for combo, p in seen.items()}
    whole = sum(weights.values())
    likely = CountBelief(
        tuple(sorted(((combo, weight / whole) for combo, weight in weights.items()), key=lambda option: -option[1]))
    )
    overruled = likely.best != count.best and likely.confidence > NOT_SURE
    return with_confidence(likely, NOT_SURE) if overruled else likely


def with_expectation(reading: Reading, units: Mapping[str, Units]) -> Reading:
    """Return the reading with the game's expectation, {area: {faction: {unit: n}}}, as its prior.

    Unreadable areas stay unreadable.
    """
    hidden = set(reading.unreadable)
    counts = {
        area: count if area in hidden else posterior(count, combo_of(units.get(area, {})))
        for area, count in reading.counts.items()
    }
    told = {area: count for area, count in counts.items() if area not in hidden}
    kept = {area: seen for area, seen in reading.units.items() if area not in told}
    sure = {area: round(count.confidence, 4) for area, count in told.items()}
    return replace(reading, units={**kept, **units_of(told)}, confidence={**reading.confidence, **sure}, counts=counts)
