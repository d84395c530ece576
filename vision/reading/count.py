"""From pieces with probabilities to counts with probabilities, area by area."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from vision.plan import BoardPlan
from vision.reading.pieces import Piece, log_odds, logistic

Key = tuple[str, str]
Combo = tuple[tuple[str, str, int], ...]
# Totals less likely than this are dropped before all kinds are combined, and at most so many combinations are kept.
KEEP = 1e-4
MOST_OPTIONS = 50
# How likely something unusual is beforehand: a unit more than the area usually holds; units of both factions in it.
ONE_MORE, BOTH = 0.04, 0.3
# Keeps the log of the mean doubt finite where a whole board is certain.
LEAST_DOUBT = 0.002
SURE, SURE_FROM, LEAST_EACH = 0.9, 0.975, 0.75
"""From SURE on others take a count for sure; the eye says so only from SURE_FROM on, as a wrong one costs more, and if
each network by itself holds the count for likelier than LEAST_EACH.

Chosen on the photographs and the development tables of benchmarks/README.md: none of their silent errors is new.
"""
UNHEARD_OF = 1e-3
"""The chance of a count that a network hasn't thought of."""
SUSPECTED = 0.01
"""What both networks give such a chance, that one more stands there, both may have overlooked: a second disc on one."""
NOT_SURE = 0.8999


@dataclass(frozen=True, slots=True)
class CountBelief:
    """What may stand in an area: (combo, probability) pairs, the likeliest first; a combo is (faction, unit, n)s."""

    options: tuple[tuple[Combo, float], ...]

    @property
    def best(self) -> Combo:
        """The most likely combo."""
        return self.options[0][0]

    @property
    def confidence(self) -> float:
        """The probability of the most likely combo."""
        return self.options[0][1]

    def chance(self, combo: Combo) -> float:
        """Return the probability of a combo; UNHEARD_OF if it isn't among the options."""
        return max(dict(self.options).get(combo, 0.0), UNHEARD_OF)

    def chance_of_more(self, combo: Combo) -> float:
        """Return the probability that more pieces stand there than the combo has."""
        many = sum(n for *_, n in combo)
        return sum(chance for other, chance in self.options if sum(n for *_, n in other) > many)


def total_chances(pieces: Sequence[Piece]) -> list[float]:
    """Return the probabilities of 0, 1, 2 ... pieces in all, from independent pieces of one kind.

    The Poisson binomial distribution, a piece at a time.
    """
    chances = [1.0]
    for piece in pieces:
        there, not_there = piece.score, 1 - piece.score
        chances = [n * not_there + less * there for n, less in zip([*chances, 0.0], [0.0, *chances], strict=True)]
    return chances


@dataclass(frozen=True, slots=True)
class UsualForce:
    """What is usual in an area: at most so many units, and of one faction only where it is not shared."""

    most: int | None = None
    shared: bool = True

    def weight(self, combo: Combo) -> float:
        """Return how likely a combo is beforehand, relative to a usual one: 1 if it is usual, much less if not."""
        weight = 1.0
        if self.most is not None:
            weight *= ONE_MORE ** max(0, sum(n for *_, n in combo) - self.most)
        if not self.shared and len({faction for faction, *_ in combo}) > 1:
            weight *= BOTH
        return weight


def belief(pieces: Iterable[Piece], usual: UsualForce = UsualForce()) -> CountBelief:
    """Return the belief about one area, given the pieces that may stand in it and what is usual there."""
    kinds: dict[Key, list[Piece]] = {}
    for piece in pieces:
        kinds.setdefault((piece.faction, piece.kind), []).append(piece)
    spread = [
        [(key, n, p) for n, p in enumerate(total_chances(group)) if p > KEEP] for key, group in sorted(kinds.items())
    ]
    options = []
    for choice in product(*spread):
        combo = tuple((faction, unit, n) for (faction, unit), n, _ in choice if n)
        options.append((combo, usual.weight(combo) * math.prod(p for *_, p in choice)))
    whole = sum(chance for _, chance in options)
    likely = sorted(((combo, chance / whole) for combo, chance in options), key=lambda option: -option[1])
    return CountBelief(tuple(likely[:MOST_OPTIONS]))


def beliefs(pieces: Sequence[Piece], plan: BoardPlan) -> dict[str, CountBelief]:
    """Return the belief about each area, by name; commanders are left out."""
    units = [piece for piece in pieces if piece.kind != "commander"]
    most = dict(plan.most)
    return {
        area.name: belief(
            (piece for piece in units if piece.place == area.name), UsualForce(most.get(area.kind), plan.shared)
        )
        for area in plan.areas
    }


def board_doubt(counts: Mapping[str, CountBelief]) -> float:
    """Return how doubtful a whole board is: the log of the mean probability that an area's count is wrong."""
    return float(np.log(np.mean([1 - count.confidence for count in counts.values()]) + LEAST_DOUBT))


def calibrate_beliefs(
    counts: Mapping[str, CountBelief], model: Sequence[float], doubts: Mapping[str, Sequence[float]]
) -> dict[str, CountBelief]:
    """Change each confidence to how often counts as sure as that proved to be right (Platt, 1999).

    model: bias, slope of the log odds, what the doubt of the whole board changes (where much is doubtful, what seems
    sure is so less often), then what each of the area's `doubts` (`vision.reading.doubt`) does. Fitted on tables apart
    (`training/fit_scores.py`). The order of the options stays.
    """
    whole = board_doubt(counts) if counts else 0.0
    said: dict[str, CountBelief] = {}
    for area, count in counts.items():
        measures = (1.0, log_odds(count.confidence), whole, *doubts[area])
        sure = logistic(sum(weight * value for weight, value in zip(model, measures, strict=True)))
        said[area] = with_confidence(count, sure)
    return said


def combine_beliefs(counts: Sequence[CountBelief]) -> CountBelief:
    """Combine several beliefs about one area into one: their probabilities are multiplied, combo by combo.

    The result is sure only if each belief by itself gives the best combo LEAST_EACH and all together give it SURE_FROM;
    and where pieces stand, only if not all of them suspect one more: crowds and stacks are where networks err alike.
    """
    combos = dict.fromkeys(combo for count in counts for combo, _ in count.options)
    products = {combo: math.prod(count.chance(combo) for count in counts) for combo in combos}
    whole = sum(products.values())
    likely = sorted(((combo, product / whole) for combo, product in products.items()), key=lambda option: -option[1])
    count = CountBelief(tuple(likely[:MOST_OPTIONS]))
    best = count.best
    is_likely = count.confidence >= SURE_FROM and all(each.chance(best) >= LEAST_EACH for each in counts)
    is_suspect = bool(best) and all(each.chance_of_more(best) >= SUSPECTED for each in counts)
    return count if is_likely and not is_suspect else capped_below_sure(count)


def capped_below_sure(count: CountBelief) -> CountBelief:
    """Return the belief with its confidence capped just below what counts as sure."""
    return with_confidence(count, min(count.confidence, NOT_SURE))


def with_confidence(count: CountBelief, sure: float) -> CountBelief:
    """Return the belief with the likeliest combo at this probability, the others scaled to the rest, none above it."""
    rest = 1 - count.confidence
    # Nothing to share what is left among: the belief then no longer sums to 1, which nobody downstream relies on.
    if rest <= 0 or len(count.options) < 2:
        return CountBelief(((count.best, sure), *count.options[1:]))
    left = min((1 - sure) / rest, sure / count.options[1][1])  # the likeliest stays the likeliest
    return CountBelief(((count.best, sure), *((combo, share * left) for combo, share in count.options[1:])))


def combo_of(units: Mapping[str, Mapping[str, int]]) -> Combo:
    """Return the combo of one area's units, {faction: {unit: n}}."""
    return tuple(
        (faction, unit, n) for faction, kinds in sorted(units.items()) for unit, n in sorted(kinds.items()) if n
    )


def units_of(counts: Mapping[str, CountBelief]) -> dict[str, dict[str, dict[str, int]]]:
    """Return the likeliest units, {area: {faction: {unit: n}}}; empty areas are left out."""
    units: dict[str, dict[str, dict[str, int]]] = {}
    for area, count in counts.items():
        for faction, unit, n in count.best:
            units.setdefault(area, {}).setdefault(faction, {})[unit] = n
    return units


def leaders_of(pieces: Sequence[Piece]) -> dict[str, dict[str, float]]:
    """Return the probability that each side's commander stands on an action space, {space: {faction: probability}}."""
    found: dict[str, dict[str, float]] = {}
    for piece in pieces:
        if piece.kind == "commander":
            chances = found.setdefault(piece.place, {})
            chances[piece.faction] = max(chances.get(piece.faction, 0.0), piece.score)
    return dict(sorted(found.items()))


def commanders_of(leaders: Mapping[str, Mapping[str, float]]) -> dict[str, str]:
    """Return the faction of the commander on each action space that more likely than not has one, {space: faction}."""
    best = {space: max(chances, key=lambda faction: chances[faction]) for space, chances in leaders.items()}
    return {space: faction for space, faction in best.items() if leaders[space][faction] > 0.5}
