"""Areas whose contents are known: as people said, or as they were when a turn was confirmed and have not changed since.

What people said holds as long as an area looks the same; what has changed since a confirmed board tells what it holds
now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from companion.perception.adapters import SURE, compare, plan_of, sure_of
from companion.perception.area_questions import best_in, insists_on, standing_in
from companion.perception.mistaken_commanders import THERE, Commanders
from engine.orders.board import Area, Board
from engine.orders.position import Position
from vision.geometry import Grid, Picture
from vision.reading.count import (
    NOT_SURE,
    SURE_FROM,
    Combo,
    CountBelief,
    UsualForce,
    capped_below_sure,
    commanders_of,
    units_of,
)
from vision.reading.crops import Cropper, is_same_sight
from vision.reading.read import Reading
from vision.reading.since import Changes, belief_since, commander_since


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What an area holds, the factions of the commanders on its spaces, and the last reading that shows it so."""

    units: Combo
    commanders: Mapping[str, Sequence[str]]
    reading: Reading


@dataclass(frozen=True, slots=True, eq=False)
class KnownAreas:
    """The areas of one board whose contents are known, each with the last reading that shows them so."""

    areas: Mapping[str, _Known] = field(default_factory=dict)
    board: str = ""

    def confirm(
        self, position: Position, reading: Reading, commanders: Commanders, but: Collection[str] = ()
    ) -> KnownAreas:
        """Return the known areas once people have confirmed that the board stands as the game has it.

        Every area that can be read counts as confirmed unless the eye is sure of something else. but: areas whose
        contents are disputed. commanders: those on the action spaces, including those that still have to go home and
        may have gone already: they count as there only if they are seen.
        """
        areas = dict(self.areas) if self.board == position.board.name else {}
        on_board = replace(position, commanders=commanders)

        def held(space: str) -> Sequence[str]:
            due, seen = position.commanders_on(space), reading.leaders.get(space, {})
            return tuple(side for side in on_board.commanders_on(space) if side in due or seen.get(side, 0.0) >= THERE)

        for difference in compare(position, reading) if reading.board_image is not None else ():
            area = difference.area
            if area not in reading.counts or area in but or area in reading.unreadable or difference.state == "differs":
                continue
            spaces = [space.name for space in position.board.spaces if space.area == area]
            areas[area] = _Known(standing_in(position, area), {space: held(space) for space in spaces}, reading)
        return KnownAreas(areas, position.board.name)

    def recount(self, reading: Reading, board: Board) -> Reading:
        """Return the reading with known areas counted by what has changed in them since.

        Where a piece has come to stand on a border, the areas on both sides become unsure.
        """
        if reading.board_image is None or board.name != self.board:
            return reading
        known = {area: kept for area, kept in self.areas.items() if area not in reading.unreadable}
        changes = _changes_since({id(kept.reading): kept.reading for kept in known.values()}.values(), reading, board)
        counts: dict[str, CountBelief] = {}
        sure: dict[str, float] = {}
        leaders: dict[str, Mapping[str, float]] = {}
        for name, kept in known.items():
            since = changes[id(kept.reading)]
            if since.comparable:
                belief = _belief(kept, reading, board.area(name), since, board)
                if belief is not None and name in reading.at_a_line and name not in kept.reading.at_a_line:
                    belief = capped_below_sure(belief)
                if belief is not None:
                    counts[name], sure[name] = belief, _confidence(belief, kept, reading.counts[name])
            leaders |= _leaders(kept, reading, since, board)
        return with_leaders(with_counts(reading, counts, sure), leaders)


def _changes_since(before: Iterable[Reading], now: Reading, board: Board) -> dict[int, Changes]:
    """Return {id of an earlier reading: how much has changed since}."""
    grid = Grid(board.size_mm)
    return {
        id(earlier): Changes(earlier.board_image, now.board_image, grid)
        for earlier in before
        if earlier.board_image is not None and now.board_image is not None
    }


def _belief(known: _Known, reading: Reading, area: Area, changes: Changes, board: Board) -> CountBelief | None:
    """Return what an area probably holds now; None if that can't be told."""
    usual = UsualForce(board.mode.caps.get(area.kind), shared=False)
    before, now = ((piece for piece in seen.pieces if piece.place == area.name) for seen in (known.reading, reading))
    return belief_since(known.units, before, now, changes, usual)


def _confidence(belief: CountBelief, known: _Known, own: CountBelief) -> float:
    """Return how sure a count may be called; a changed count is only sure on good grounds.

    These are that the eye by itself is sure of it too, or little doubt is left. own: the eye's own count. How
    often that is right: docs/measurements.md.
    """
    agrees = own.confidence >= SURE and tuple(sorted(own.best)) == belief.best
    sure = belief.best == known.units or belief.confidence >= SURE_FROM or agrees
    return round(belief.confidence if sure else min(belief.confidence, NOT_SURE), 4)


def _leaders(known: _Known, reading: Reading, changes: Changes, board: Board) -> dict[str, Mapping[str, float]]:
    """Return {space: {faction: probability of its commander there}} of an area's spaces."""
    found: dict[str, Mapping[str, float]] = {}
    for name, held in known.commanders.items():
        seen, was = (source.leaders.get(name, {}) for source in (reading, known.reading))
        at_mm = board.space(name).at_mm
        if at_mm is not None and (seen or held):
            change = changes.at(at_mm)
            who = dict.fromkeys((*seen, *held))
            found[name] = {
                faction: commander_since(seen.get(faction, 0.0), was.get(faction, 0.0), faction in held, change)
                for faction in who
            }
    return found


def with_counts(reading: Reading, counts: Mapping[str, CountBelief], confidence: Mapping[str, float]) -> Reading:
    """Return the reading with these counts and confidences in place of its own."""
    rest = {area: units for area, units in reading.units.items() if area not in counts}
    return replace(
        reading,
        units={**rest, **units_of(counts)},
        confidence={**reading.confidence, **confidence},
        counts={**reading.counts, **counts},
    )


def with_leaders(reading: Reading, leaders: Mapping[str, Mapping[str, float]]) -> Reading:
    """Return the reading with the commanders on these spaces replaced by {space: {faction: probability}}."""
    if not leaders:
        return reading
    rest = {space: who for space, who in reading.commanders.items() if space not in leaders}
    there = commanders_of({space: chances for space, chances in leaders.items() if chances})
    return replace(
        reading,
        leaders=dict(sorted({**reading.leaders, **leaders}.items())),
        commanders=dict(sorted({**rest, **there}.items())),
    )


# ---- what people said -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What people said stands in an area, what the eye took to be likeliest then, and its picture, if there was one.

    commanders: those on its action spaces, {space: factions}, where the board stood as recorded; turn: in which turn;
    by_turn: it follows from a turn that was taken; disputed: the eye was sure of something else.
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
    """The areas that are certain, as people counted them or confirmed a turn, while their pictures stay the same.

    Without a picture, an answer holds until a step is taken, or the eye is sure of other pieces than it saw then.
    Choosing a turn is no count: where the eye was sure of something else the area is disputed. Its count then serves to
    weigh the next turns, and for nothing else.
    """

    areas: Mapping[str, Answer] = field(default_factory=dict)
    turn: int = 0
    board: str = ""

    def take(self, area: str, units: Combo, reading: Reading | None, board: Board | None) -> Answers:
        """Return the answers with people's count of an area, taken as certain."""
        return self._with({area: Answer(tuple(sorted(units)), best_in(reading, area), _sight(area, reading, board))})

    def take_turn(
        self, areas: Collection[str], position: Position, reading: Reading, *, disputed: bool = False
    ) -> Answers:
        """Return the answers with what a turn that people chose or entered leaves in these areas, taken as certain.

        position: where the turn leads; disputed: the eye is sure of something else there.
        """
        taken = self
        for area in areas:
            taken = taken.take(area, standing_in(position, area), reading, position.board)
        by_turn = {area: replace(taken.areas[area], by_turn=True, disputed=disputed) for area in areas}
        return replace(self, areas={**taken.areas, **by_turn})

    @property
    def disputed(self) -> dict[str, Combo]:
        """{area: what the eye is sure of} where people took a turn that leaves something else there."""
        return {area: answer.overruled for area, answer in self.areas.items() if answer.disputed}

    def confirm(self, position: Position, reading: Reading, but: Collection[str] = ()) -> Answers:
        """Return the answers once people have confirmed that the board stands as the game has it.

        Every area that can be read and has no answer yet counts as confirmed unless the eye is sure of something else.
        but: areas whose contents are disputed.
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
        """Return the answers that remain once a step is taken or taken back: those with a picture to compare with.

        Disputed ones stay while the record has the same there. undone: the step was taken back, and with it the
        answers that followed from turns.
        """

        def stays(area: str, answer: Answer) -> bool:
            if answer.disputed:
                here = area in position.board.area_index  # of a game on another board nothing stays
                return here and not undone and answer.units == standing_in(position, area)
            return answer.sight is not None and not (undone and answer.by_turn)

        areas = {area: answer for area, answer in self.areas.items() if stays(area, answer)}
        return replace(self, areas=areas, turn=self.turn + 1)

    def holding(self, reading: Reading, board: Board) -> Answers:
        """Return the answers that still hold for a reading; none if it is of another board."""
        areas = self.areas if self.board in ("", board.name) else {}
        held = {area: answer for area, answer in areas.items() if _holds(area, answer, reading, board)}
        return replace(self, areas=held, board=board.name)

    def apply_to(self, reading: Reading) -> Reading:
        """Return the reading with the answers as certain, and with the commanders confirmed in earlier turns."""
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
    """Return the area's crop; None without a picture, or while a hand covers it."""
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
