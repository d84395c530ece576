"""What people said of areas, or confirmed with a turn, and a reading with it: as long as an area looks the same."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from companion.perception.adapters import compare, plan_of, sure_of
from companion.perception.area_questions import best_in, insists_on, standing_in
from companion.perception.known_areas import with_counts, with_leaders
from engine.orders.board import Board
from engine.orders.position import Position
from vision.geometry import Picture
from vision.reading.count import Combo, CountBelief
from vision.reading.crops import Cropper, is_same_sight
from vision.reading.read import Reading


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
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


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What is certain of areas, each as long as its picture stays the same: people said so, or confirmed the turn.

    Without pictures, an answer holds until the eye is sure of something else than then, or a step is taken. A touch on
    a turn is no count: where the eye was sure of something else the area is disputed. Its count then holds to weigh the
    next turns with, and for nothing else.
    """

    areas: Mapping[str, Answer] = field(default_factory=dict)
    turn: int = 0
    board: str = ""

    def take(self, area: str, units: Combo, reading: Reading | None, board: Board | None) -> Answers:
        """Take people's count of an area as certain."""
        return self._with({area: Answer(tuple(sorted(units)), best_in(reading, area), _sight(area, reading, board))})

    def take_turn(
        self, areas: Collection[str], position: Position, reading: Reading, *, disputed: bool = False
    ) -> Answers:
        """Take as certain what a turn that people chose or entered leaves in these areas.

        position: where it leads; disputed: the eye is sure of something else there.
        """
        taken = self
        for area in areas:
            taken = taken.take(area, standing_in(position, area), reading, position.board)
        by_turn = {area: replace(taken.areas[area], by_turn=True, disputed=disputed) for area in areas}
        return replace(self, areas={**taken.areas, **by_turn})

    @property
    def disputed(self) -> dict[str, Combo]:
        """{area: what the eye is sure of} where a turn was taken that leaves something else there."""
        return {area: answer.overruled for area, answer in self.areas.items() if answer.disputed}

    def confirm(self, position: Position, reading: Reading, but: Collection[str] = ()) -> Answers:
        """Record that the board stands as the game has it.

        So it does in every area of which the eye is not sure that it is otherwise. but: the areas of which that is
        disputed.
        """
        confirmed = {}
        for difference in compare(position, reading):
            area = difference.area
            if ":" in area or area in but or area in self.areas or difference.state == "differs":
                continue
            sight = _sight(area, reading, position.board)
            if sight is not None:
                units, overruled = standing_in(position, area), best_in(reading, area)
                spaces = (space.name for space in position.board.spaces if space.area == area)
                commanders = {space: position.commanders_on(space) for space in spaces}
                confirmed[area] = Answer(units, overruled, sight, commanders, self.turn)
        return self._with(confirmed)

    def next_turn(self, position: Position, *, undone: bool = False) -> Answers:
        """Settle the answers that have no picture to hold them against, as a step was taken or taken back.

        What is disputed stays so until the record has it otherwise. undone: taken back, and with it what followed
        from turns.
        """

        def stays(area: str, answer: Answer) -> bool:
            if answer.disputed:
                here = area in position.board.area_index  # of a game on another board nothing stays
                return here and not undone and answer.units == standing_in(position, area)
            return answer.sight is not None and not (undone and answer.by_turn)

        areas = {area: answer for area, answer in self.areas.items() if stays(area, answer)}
        return replace(self, areas=areas, turn=self.turn + 1)

    def holding(self, reading: Reading, board: Board) -> Answers:
        """Return the answers that hold for a reading: none of the others, and none of a game on another board."""
        areas = self.areas if self.board in ("", board.name) else {}
        held = {area: answer for area, answer in areas.items() if _holds(area, answer, reading, board)}
        return replace(self, areas=held, board=board.name)

    def apply_to(self, reading: Reading) -> Reading:
        """Return the reading with the answers as certain, and the commanders of the turns before, who are no news."""
        before = [answer for answer in self.areas.values() if answer.turn < self.turn]
        commanders = {space: held for answer in before for space, held in answer.commanders.items()}
        counted = with_answers(reading, {area: answer.units for area, answer in self.areas.items()})
        return with_leaders(counted, {space: dict.fromkeys(held, 1.0) for space, held in commanders.items()})

    def _with(self, answers: Mapping[str, Answer]) -> Answers:
        return replace(self, areas={**self.areas, **answers})


def _holds(area: str, answer: Answer, reading: Reading, board: Board) -> bool:
    if area in reading.unreadable:
        return True
    sure = insists_on(reading, area) if answer.disputed else sure_of(reading, area)
    other = sure and best_in(reading, area) != answer.overruled
    now = _sight(area, reading, board)
    if answer.sight is not None and now is not None:
        return is_same_sight(answer.sight, now) and not (answer.disputed and other)
    return not other


def _sight(area: str, reading: Reading | None, board: Board | None) -> Picture | None:
    """Return the area's crop; None where there is no picture, or a hand is in it."""
    if board is None or reading is None or reading.board_image is None or area in reading.unreadable:
        return None
    return _cropper(board).crop(reading.board_image, area)


@lru_cache(maxsize=1)
def _cropper(board: Board) -> Cropper:
    return Cropper(plan_of(board))


def with_answers(reading: Reading, answers: Mapping[str, Combo]) -> Reading:
    """Return the reading with what people said of some areas as certain."""
    if not answers:
        return reading
    counts = {area: CountBelief(((combo, 1.0),)) for area, combo in answers.items()}
    hidden = tuple(area for area in reading.unreadable if area not in answers)
    return with_counts(replace(reading, unreadable=hidden), counts, dict.fromkeys(answers, 1.0))
