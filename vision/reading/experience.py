"""Readings weighed with what is known beside the frame: what the game expects, and what confirmed turns have taught.

The eye's own beliefs stay free of the game; what the game expects is for those who want the likeliest position and know
what stood there before. What is expected is likely beforehand, not certain: clear sight overrules it.

What stands in an area has several possible answers with probabilities (`CountBelief`). Each time people confirm a turn
the truth is known, and two things are learned of the table: how sharp the probabilities should be, and for each kind of
piece whether it tends to be counted too high or too low. The model is exponential: an answer `c` with probability p(c)
becomes

    p(c) ** sharpness * exp(sum over kinds of lean[kind] * number of that kind in c), made to sum to 1

so that with sharpness 1 and no lean nothing changes (the temperature of Guo et al., 2017, On Calibration of Modern
Neural Networks, with a bias for each kind). Its log likelihood is concave; a Gaussian belief about its parameters is
carried from turn to turn (Laplace's approximation, one turn at a time; see Bishop, Pattern Recognition and Machine
Learning, 2006, 4.5), starting at "nothing changes" and slowly going back to it, as the light of an evening changes.

Five things keep it from doing harm. No answer becomes sure that the eye itself was not sure of, so that an answer that
is sure and wrong afterwards was so before. A share of all confirmations is taken to be mistaken, so that an answer that
the eye held for all but impossible teaches little. The parameters are bounded. A turn that contradicts a sure eye in
many areas is no lesson: the table was not as the game said. And pieces that lie where they lay count little a second
time: only what was moved is new evidence.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from intake.errors import Unreadable
from intake.json_text import parse_object
from vision.errors import TableError
from vision.geometry import Matrix
from vision.reading.count import NOT_SURE, SURE, Combo, CountBelief, combo_of, units_of, with_confidence
from vision.reading.read import Reading

# How likely what the game expects is beforehand, in an area.
TRUST = 0.9
# The chance, as a part of the likeliest answer's, of an expected one that the eye has dropped (`count.KEEP`).
DROPPED = 1e-3
Force = Mapping[str, Mapping[str, int]]


def posterior(count: CountBelief, expected: Combo) -> CountBelief:
    """Weigh a belief with what the game expects (Bayes): a prior of TRUST on that, the rest shared by other options.

    If the eye gave that no chance worth keeping, it gets a small one: it may merely have been left out. Where the
    expectation overrules what the eye took for likelier, the answer is never sure.
    """
    seen = dict(count.options)
    seen.setdefault(expected, DROPPED * count.confidence)
    others = max(len(seen) - 1, 1)
    weights = {combo: p * (TRUST if combo == expected else (1 - TRUST) / others) for combo, p in seen.items()}
    whole = sum(weights.values())
    likely = CountBelief(
        tuple(sorted(((combo, weight / whole) for combo, weight in weights.items()), key=lambda option: -option[1]))
    )
    overruled = likely.best != count.best and likely.confidence > NOT_SURE
    return with_confidence(likely, NOT_SURE) if overruled else likely


def with_expectation(reading: Reading, units: Mapping[str, Force]) -> Reading:
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


Units = Mapping[str, Mapping[str, Mapping[str, int]]]
Key = tuple[str, str]
Count = Mapping[Key, int]
KIND, VERSION = "gunbai-experience", 1
# Standard deviations of the belief before any lesson.
SHARPNESS_SPREAD, LEAN_SPREAD = 0.25, 0.5
# Bounds of (sharpness, lean): a lean of 1 makes a piece more or less 2.7 times as likely, and no more.
LEAST, MOST = (0.5, -1.0), (1.7, 1.0)
# What is left of a lesson a turn later; after 35 turns half of it.
KEPT_A_TURN = 0.98
# The share of confirmations that are mistaken, and how likely a mistaken one then names any given answer.
MISTAKEN = 0.02
BLIND = 0.05
# How much an area counts whose pieces lie as they were confirmed the last time.
STALE = 0.1
# Areas in which a sure eye may be contradicted before the table is taken not to be as the game said.
MOST_WRONG = 3
# Newton's steps. The likelihood is concave, so that there is one top and no step needs to be searched for.
ROUNDS = 5
FLOOR = 1e-12
# Limits for a file that somebody may have changed: more than any table makes.
MOST_KEYS = 32
MOST_COUNTED = 10**9
MOST_FIRM = 1e9
"""Of the precision, which a thousand turns make a thousandth as large."""


class Lesson(NamedTuple):
    """What one area teaches: features (options, 1 + kinds), which option was right, and its weight, 0 to 1."""

    features: Matrix
    right: int
    weight: float


@dataclass(frozen=True, slots=True)
class Experience:
    """What confirmed turns taught of a table; without any, it changes nothing. It is a value: lessons make a new one.

    keys: the kinds of pieces met so far, (faction, unit); mean: (1 + len(keys),) sharpness, then each kind's lean;
    precision: the inverse of the covariance of the belief about them; turns: lessons taken; last: the units that were
    confirmed last.
    """

    keys: tuple[Key, ...] = ()
    mean: tuple[float, ...] = (1.0,)
    precision: tuple[tuple[float, ...], ...] = ((SHARPNESS_SPREAD**-2,),)
    turns: int = 0
    last: Units = field(default_factory=dict)

    def apply_to(self, counts: Mapping[str, CountBelief]) -> dict[str, CountBelief]:
        """Adjust the beliefs by area to what this table has taught; return them unchanged while nothing was learnt."""
        if not self.turns:
            return dict(counts)
        return {area: _refine_belief(belief, self) for area, belief in counts.items()}

    def refined(self, reading: Reading) -> Reading:
        """Return the reading with units, counts and confidence adjusted to what this table has taught."""
        counts = self.apply_to(reading.counts)
        units = {area: units for area, units in units_of(counts).items() if area not in reading.unreadable}
        sure = {area: round(belief.confidence, 4) for area, belief in counts.items() if area not in reading.unreadable}
        return replace(reading, counts=counts, units=units, confidence={**reading.confidence, **sure})

    def learned(self, reading: Reading, confirmed: Units) -> Experience:
        """Return the experience with one more lesson: a settled reading, and what people confirmed for it.

        reading: as the eye gave it, not refined; confirmed: {area: {faction: {unit: n}}}, empty areas may be left out.
        Returns itself if there is nothing to learn: all is covered, or a sure eye saw otherwise in over three areas.
        """
        answers = {area: _count(confirmed.get(area, {})) for area in reading.counts if area not in reading.unreadable}
        beliefs = {area: reading.counts[area] for area in answers}
        denied = [area for area, belief in beliefs.items() if belief.confidence >= SURE]
        if not answers or sum(_tally(beliefs[area].best) != answers[area] for area in denied) > MOST_WRONG:
            return self
        wider = _with_room_for(self, beliefs)
        same = {area for area, answer in answers.items() if self.turns and _count(self.last.get(area, {})) == answer}
        lessons = [
            wider.lesson(beliefs[area], answer, STALE if area in same else 1.0) for area, answer in answers.items()
        ]
        mean, precision = _posterior(_decay(wider), [lesson for lesson in lessons if lesson is not None])
        last = {area: force for area, force in confirmed.items() if force}
        return replace(wider, mean=mean, precision=precision, turns=self.turns + 1, last=last)

    def lesson(self, belief: CountBelief, answer: Count, weight: float) -> Lesson | None:
        """Return what an area's confirmed answer teaches; None if the eye did not consider that answer at all."""
        right = next((i for i, (combo, _) in enumerate(belief.options) if _tally(combo) == answer), None)
        return None if right is None else Lesson(_features(belief, self.keys), right, weight)


def _count(force: Mapping[str, Mapping[str, int]]) -> dict[Key, int]:
    return {(faction, unit): n for faction, units in force.items() for unit, n in units.items() if n}


def _tally(combo: Combo) -> dict[Key, int]:
    return {(faction, unit): n for faction, unit, n in combo}


def _features(belief: CountBelief, keys: Sequence[Key]) -> Matrix:
    """Return the log of each option's probability, then how many of each kind it has, (options, 1 + keys)."""
    rows = [[np.log(max(p, FLOOR)), *(_tally(combo).get(key, 0) for key in keys)] for combo, p in belief.options]
    return np.array(rows, np.float64)


def _chances(mean: Matrix, features: Matrix) -> Matrix:
    """Return the probabilities by the model, (options,)."""
    value = features @ mean
    chance = np.exp(value - value.max())
    return np.asarray(chance / chance.sum(), np.float64)


def _refine_belief(belief: CountBelief, known: Experience) -> CountBelief:
    """Adjust a belief by the model, never to be surer than the eye was where that would make it sure."""
    chances = _chances(np.array(known.mean), _features(belief, known.keys))
    best = int(np.argmax(chances))
    allowed = max(belief.options[best][1], NOT_SURE)
    if chances[best] > allowed:
        chances *= (1 - allowed) / (1 - chances[best] + FLOOR)
        chances[best] = allowed
    pairs = [(combo, float(chance)) for (combo, _), chance in zip(belief.options, chances, strict=True)]
    return CountBelief(tuple(sorted(pairs, key=lambda pair: -pair[1])))


def _prior(kinds: int) -> tuple[Matrix, Matrix]:
    """Mean and precision before any lesson: nothing changes."""
    spread = np.array([SHARPNESS_SPREAD, *[LEAN_SPREAD] * kinds])
    return np.array([1.0, *[0.0] * kinds]), np.diag(spread**-2)


def _with_room_for(known: Experience, beliefs: Mapping[str, CountBelief]) -> Experience:
    """With room for kinds of pieces that were not met before."""
    met = {key for belief in beliefs.values() for combo, _ in belief.options for key in _tally(combo)}
    fresh = sorted(met - set(known.keys))[: MOST_KEYS - len(known.keys)]
    if not fresh:
        return known
    keys = (*known.keys, *fresh)
    _, precision = _prior(len(keys))
    old = len(known.mean)
    precision[:old, :old] = known.precision
    return replace(known, keys=keys, mean=(*known.mean, *[0.0] * len(fresh)), precision=_rows(precision))


def _rows(matrix: Matrix) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(value) for value in row) for row in matrix)


def _decay(known: Experience) -> tuple[Matrix, Matrix]:
    """Return the mean and precision of the weights a turn later, when a little of what was learned is forgotten."""
    mean, precision = np.array(known.mean), np.array(known.precision)
    start, first = _prior(len(known.keys))
    mixed = KEPT_A_TURN * precision + (1 - KEPT_A_TURN) * first
    pull = KEPT_A_TURN * precision @ mean + (1 - KEPT_A_TURN) * first @ start
    return np.linalg.solve(mixed, pull), mixed


def _posterior(
    belief: tuple[Matrix, Matrix], lessons: Sequence[Lesson]
) -> tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]:
    """Mean and precision after the lessons, by Newton's method from the belief before them."""
    before, firm = belief
    mean, precision = before.copy(), firm
    low, high = (np.array([ends[0], *[ends[1]] * (len(before) - 1)]) for ends in (LEAST, MOST))
    for _ in range(ROUNDS):
        slope, precision = firm @ (mean - before), firm.copy()
        for lesson in lessons:
            pull, bend = _gradient_and_hessian(mean, lesson)
            slope -= pull
            precision += bend
        mean = np.clip(mean - np.linalg.solve(precision, slope), low, high)
    return tuple(float(value) for value in mean), _rows(precision)


def _gradient_and_hessian(mean: Matrix, lesson: Lesson) -> tuple[Matrix, Matrix]:
    """Slope and curvature of a lesson's log likelihood, weighed by how likely its confirmation was meant as it is."""
    features, right, weight = lesson
    chances = _chances(mean, features)
    # The chance that this confirmation was meant as it is, by Bayes: one that the eye held for all but impossible is
    # likelier a slip of the finger, and pulls hardly at all (a redescending weight, as of robust regression).
    meant = (1 - MISTAKEN) * chances[right]
    weight *= meant / (meant + MISTAKEN * BLIND)
    middle = chances @ features
    spread = (features * chances[:, None]).T @ features - np.outer(middle, middle)
    return weight * (features[right] - middle), weight * spread


# ---- as text --------------------------------------------------------------------------------------


def experience_text(known: Experience) -> str:
    """Return the experience as JSON text."""
    return json.dumps({"kind": KIND, "version": VERSION, **asdict(known)})


def experience_of(text: str) -> Experience:
    """Read an experience from the text of `experience_text`; TableError if it is broken or of another version."""
    try:
        data = parse_object(text)
    except Unreadable as error:
        raise TableError(f"a table's experience is damaged ({error})") from error
    if (data.get("kind"), data.get("version")) != (KIND, VERSION):
        raise TableError("not a table's experience, or a different version")
    try:
        return _experience_from(data)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, np.linalg.LinAlgError) as error:
        raise TableError(f"a table's experience is damaged ({error})") from error


def _experience_from(data: Mapping[str, Any]) -> Experience:
    keys = tuple((str(faction), str(unit)) for faction, unit in data["keys"])
    mean, precision = np.array(data["mean"], np.float64), np.array(data["precision"], np.float64)
    size = 1 + len(keys)
    if mean.shape != (size,) or precision.shape != (size, size) or len(set(keys)) < len(keys) or size > MOST_KEYS + 1:
        raise ValueError("its numbers don't match its kinds")
    low, high = np.array([LEAST[0], *[LEAST[1]] * len(keys)]), np.array([MOST[0], *[MOST[1]] * len(keys)])
    if not ((mean >= low) & (mean <= high)).all():
        raise ValueError("a number out of range")
    if not (np.abs(precision) <= MOST_FIRM).all():
        raise ValueError("more certainty than any table gives")
    np.linalg.cholesky(precision)  # refuses what is no precision
    last = {
        str(area): {str(f): {str(u): _count_of(n) for u, n in us.items()} for f, us in force.items()}
        for area, force in data["last"].items()
    }
    return Experience(keys, tuple(map(float, mean)), _rows(precision), _count_of(data["turns"]), last)


def _count_of(value: Any) -> int:
    count = int(value)
    if not 0 <= count <= MOST_COUNTED:
        raise ValueError("a number of things that no table sees")
    return count
