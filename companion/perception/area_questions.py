"""Areas that people are asked about: which one, with what answers, and a reading with what they said."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.perception.adapters import Difference, compare, plan_of, sure_of
from engine.orders.board import Board
from engine.orders.inference.infer import Explanation
from engine.orders.position import Position
from vision.geometry import Picture
from vision.reading.crops import Cropper, is_same_sight

if TYPE_CHECKING:
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


@dataclass(frozen=True, slots=True, eq=False)
class _Answer:
    """What people said stands in an area, what the eye deemed likeliest then, and what it saw, where there is that.

    commanders: those on its action spaces, {space: factions}, where the board stood as recorded; turn: in which turn;
    by_turn: it follows from a turn that was taken; disputed: against what the eye was sure of.
    """

    units: Combo
    overruled: Combo
    sight: Picture | None
    commanders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    turn: int = 0
    by_turn: bool = False
    disputed: bool = False


class Answers:
    """What is certain of areas, each as long as its picture stays the same: people said so, or confirmed the turn.

    Without pictures, an answer holds until the eye is sure of something else than then, or a step is taken. A touch on
    a turn is no count: where the eye was sure of something else the area is disputed. Its count then holds to weigh the
    next turns with, and for nothing else.
    """

    def __init__(self) -> None:
        self._of: dict[str, _Answer] = {}
        self._turn = 0
        self._cropper: tuple[Board, Cropper] | None = None
        self._board = ""

    def take(
        self, area: str, units: Combo, reading: Reading | None, board: Board | None, *, by_turn: bool = False
    ) -> None:
        """Take people's count of an area as certain. by_turn: it follows from the turn that they chose or entered."""
        sight = self._sight(area, reading, board)
        self._of[area] = _Answer(tuple(sorted(units)), best_in(reading, area), sight, by_turn=by_turn)

    def dispute(self, position: Position, area: str, told: Reading) -> None:
        """Record that a turn was taken that leads to `position`, but the eye is sure of something else in this area."""
        self.take(area, standing_in(position, area), told, position.board, by_turn=True)
        self._of[area] = replace(self._of[area], disputed=True)

    @property
    def disputed(self) -> dict[str, Combo]:
        """{area: what the eye is sure of} where a turn was taken that leaves something else there."""
        return {area: answer.overruled for area, answer in self._of.items() if answer.disputed}

    def confirm(self, position: Position, reading: Reading, but: Collection[str] = ()) -> None:
        """Record that the board stands as the game has it.

        So it does in every area of which the eye is not sure that it is otherwise. but: the areas of which that is
        disputed.
        """
        for one in compare(position, reading):
            counted = ":" not in one.area and one.area not in but
            sight = self._sight(one.area, reading, position.board) if counted else None
            if sight is not None and one.state != "differs" and one.area not in self._of:
                units, overruled = standing_in(position, one.area), best_in(reading, one.area)
                self._of[one.area] = _Answer(units, overruled, sight, _commanders_in(position, one.area), self._turn)

    def clear(self) -> None:
        """Forget them all."""
        self._of.clear()

    def next_position(self, position: Position, *, undone: bool = False) -> None:
        """Settle the answers that have no picture to hold them against, as a step was taken or taken back.

        What is disputed stays so until the record has it otherwise. undone: taken back, and with it what followed
        from turns.
        """

        def stays(area: str, answer: _Answer) -> bool:
            if answer.disputed:
                here = area in position.board.area_index  # of a game on another board nothing stays
                return here and not undone and answer.units == standing_in(position, area)
            return answer.sight is not None and not (undone and answer.by_turn)

        self._of = {area: answer for area, answer in self._of.items() if stays(area, answer)}
        self._turn += 1

    def commanders(self) -> dict[str, Sequence[str]]:
        """Return {space: factions} of the answers that held last.

        What has not changed since before this turn is no news.
        """
        before = [answer for answer in self._of.values() if answer.turn < self._turn]
        return {space: held for answer in before for space, held in answer.commanders.items()}

    def held(self, reading: Reading, board: Board) -> dict[str, Combo]:
        """Return the answers that hold for a reading; forget the others, and all of a game on another board."""
        if self._board not in ("", board.name):
            self.clear()
        self._board = board.name
        self._of = {area: answer for area, answer in self._of.items() if self._holds(area, answer, reading, board)}
        return {area: answer.units for area, answer in self._of.items()}

    def _holds(self, area: str, answer: _Answer, reading: Reading, board: Board) -> bool:
        if area in reading.unreadable:
            return True
        sure = insists_on(reading, area) if answer.disputed else sure_of(reading, area)
        other = sure and best_in(reading, area) != answer.overruled
        now = self._sight(area, reading, board)
        if answer.sight is not None and now is not None:
            return is_same_sight(answer.sight, now) and not (answer.disputed and other)
        return not other

    def _sight(self, area: str, reading: Reading | None, board: Board | None) -> Picture | None:
        """Return the area's crop; None where there is no picture, or a hand is in it."""
        if board is None or reading is None or reading.board_image is None or area in reading.unreadable:
            return None
        if self._cropper is None or self._cropper[0] is not board:
            self._cropper = board, Cropper(plan_of(board))
        return self._cropper[1].crop(reading.board_image, area)


def with_answers(reading: Reading, answers: Mapping[str, Combo]) -> Reading:
    """Return the reading with what people said of some areas as certain."""
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


def with_commanders(reading: Reading, commanders: Mapping[str, Sequence[str]]) -> Reading:
    """Return the reading with the commanders on some action spaces as certain.

    commanders: {space: factions}.
    """
    if not commanders:
        return reading
    certain = {space: dict.fromkeys(held, 1.0) for space, held in commanders.items()}
    seen = {space: who for space, who in reading.commanders.items() if space not in commanders}
    first = {space: held[0] for space, held in commanders.items() if held}
    return replace(reading, leaders={**reading.leaders, **certain}, commanders=dict(sorted({**seen, **first}.items())))


def _commanders_in(position: Position, area: str) -> dict[str, Sequence[str]]:
    return {space.name: position.commanders_on(space.name) for space in position.board.spaces if space.area == area}


def force_of(units: Combo) -> dict[str, dict[str, int]]:
    """Return a count as {faction: {unit: n}}."""
    force: dict[str, dict[str, int]] = {}
    for faction, unit, n in units:
        force.setdefault(faction, {})[unit] = n
    return force


def best_in(reading: Reading | None, area: str) -> Combo:
    """Return what the eye deems likeliest in an area; nothing without a reading of it."""
    belief = reading.counts.get(area) if reading is not None else None
    return tuple(sorted(belief.best)) if belief is not None else ()


def standing_in(position: Position, area: str) -> Combo:
    """Return what the game has in an area, in the form of the eye's counts."""
    force = position.units_in(area)
    return tuple(sorted((faction, unit, n) for faction, units in force.items() for unit, n in units.items()))


def insists_on(reading: Reading, area: str, least: float = INSISTS) -> bool:
    """Return whether the eye stands by its count of an area against a touch on a turn."""
    return area not in reading.unreadable and reading.confidence.get(area, 0.0) >= least


def insisted_against(
    position: Position, areas: Iterable[str], reading: Reading, least: float = INSISTS
) -> dict[str, Combo]:
    """Return {area: what the eye insists on} of the areas where the game has something else."""
    seen = {area: best_in(reading, area) for area in areas if insists_on(reading, area, least)}
    return {area: units for area, units in seen.items() if units != standing_in(position, area)}


def question(position: Position, reading: Reading, explanations: Sequence[Explanation]) -> AreaQuestion | None:
    """Return the area to ask about: the least sure one in which likely turns differ.

    None without such an area, or where one outcome is plain. explanations: the likeliest first, at least one.
    """
    first = explanations[0]
    plain = sum(one.likelihood for one in explanations if one.position.units == first.position.units)
    if plain >= PLAIN:
        return None
    ends = [one.position for one in explanations if one.likelihood >= RIVAL * first.likelihood]
    doubtful = [area.name for area in position.board.areas if not sure_of(reading, area.name)]
    for area in sorted(doubtful, key=lambda name: reading.confidence.get(name, 0.0)):
        wanted = dict.fromkeys(standing_in(end, area) for end in ends)
        if len(wanted) > 1:
            return AreaQuestion(area, answers_for(position, reading, area, wanted))
    return None


def is_torn(explanations: Sequence[Explanation]) -> bool:
    """Return whether the second turn is about as likely as the first: neither ought to be offered before the other."""
    return len(explanations) > 1 and explanations[1].likelihood >= TORN * explanations[0].likelihood


def choice(explanations: Sequence[Explanation]) -> int:
    """Return how many of the turns, likeliest first, most likely include the one done; 0 where that is too many."""
    for number in range(2, MOST_ANSWERS + 1):
        if sum(one.likelihood for one in explanations[:number]) >= ENOUGH:
            return number
    return 0


def answers_for(position: Position, reading: Reading, area: str, wanted: Iterable[Combo] = ()) -> tuple[Combo, ...]:
    """Return the counts to offer for an area, the likeliest first: what the eye, the turns and the game have there."""
    belief = reading.counts.get(area)
    seen = {tuple(sorted(combo)): chance for combo, chance in belief.options} if belief is not None else {}
    likely = [combo for combo, chance in seen.items() if chance >= POSSIBLE]
    found = dict.fromkeys([*wanted, *likely, standing_in(position, area)])
    return tuple(sorted(found, key=lambda combo: -seen.get(combo, 0.0)))[:MOST_ANSWERS]


def stubborn_question(position: Position, reading: Reading, differences: Iterable[Difference]) -> AreaQuestion | None:
    """Return a question about an area that the eye insists on against all that the game expects; None without one.

    It is better to ask than to doubt either.
    """
    insisted = {one.area for one in compare(position, reading) if one.state == "differs" and ":" not in one.area}
    for one in differences:
        if one.state != "agrees" and one.area in insisted:
            return AreaQuestion(one.area, answers_for(position, reading, one.area))
    return None
