"""What the camera means at the table: in sync, a turn seen, a question, or out of sync. No camera, thread or clock.

The watch hands over settled readings; the engine's legal turns are weighed against them by an `Explainer`; what comes
of it is a `SyncState`, which the scenes show. Nothing here changes the game: that takes a touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, Protocol

from companion.games.match import Match
from companion.perception.adapters import Difference, compare, sure_of
from engine.orders.game import owed
from engine.orders.inference.infer import Explanation, Inference
from engine.orders.inference.repair import Fix, Repair
from engine.orders.position import Position
from engine.orders.steps import Step
from engine.orders.turn import ready, standing
from engine.ruling import Finding

if TYPE_CHECKING:
    from vision.dice.reader import DiceReading
    from vision.reading.count import Combo
    from vision.reading.read import Reading

Sign = Literal[
    "off", "ignored", "lost", "waiting", "hand", "moving", "turn", "sync", "unsure", "proposal", "behind", "out"
]
State = Literal["settled", "moving", "hand", "lost", "waiting"]

OUT_AFTER_S = 4.0
"""How long a table that nothing explains is left alone before it is said: people pause between two pieces."""
BEHIND_MOST = 12
"""How many steps back the board may be while the game was entered by touch."""
PLAIN = 0.6
"""The likelihood from which a turn is proposed without asking about an area first."""
UNEXPLAINED = 0.5
"""The likelihood from which it counts that no legal turn explains what is seen."""
POSSIBLE = 0.01
"""The probability from which a count is offered as an answer."""
MOST_ANSWERS = 4


@dataclass(frozen=True, slots=True, eq=False)
class TableView:
    """What the watch has now. reading: the last settled one, the same object until a newer one settles; fault: why the
    camera is lost, one sentence; blind: it gives pictures, but the board is not seen in them; frame: the camera's JPEG
    of the reading, dice: what dice were read in it; yes: how often the printed “Yes” was pressed so far.
    """

    state: State
    reading: Reading | None = None
    fault: str = ""
    frame: bytes | None = None
    dice: DiceReading | None = None
    blind: bool = False
    yes: int = 0


class Explainer(Protocol):
    """Weighs legal turns against a reading, perhaps in a thread of its own."""

    def explanation(self, asked: InferenceRequest) -> Inference | None:
        """What explains the reading; None while that is still worked out."""


@dataclass(frozen=True, slots=True, eq=False)
class InferenceRequest:
    """A reading to be explained from a position. Two of them are the same only where they are one object."""

    position: Position
    reading: Reading


@dataclass(frozen=True, slots=True)
class AreaQuestion:
    """An area that the eye is unsure of, and the possible counts there, the likeliest first."""

    area: str
    answers: tuple[Combo, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing on the board that is not as recorded: so many units (or a "commander") too many, or missing below 0.

    why, finding: what forbids it, where no legal turn explains it.
    """

    place: str
    faction: str
    unit: str
    more: int
    why: str = field(default="", compare=False)
    finding: Finding | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SyncState:
    """What the camera means now. explanations: turns that may have been done, the likeliest first; items: what is not
    as it has to be, where nothing explains it ("out"), where the board still has to follow the game ("behind"), or
    beside the likeliest turn ("proposal");
    nearest: the nearest legal thing that the items lead to, None where they lead to what is recorded;
    fault, blind: as the watch has them.
    """

    sign: Sign = "off"
    fault: str = ""
    differences: tuple[Difference, ...] | None = None
    explanations: tuple[Explanation, ...] = ()
    question: AreaQuestion | None = None
    items: tuple[Item, ...] = ()
    nearest: Repair | None = field(default=None, compare=False)
    blind: bool = False


class SyncMonitor:
    """Follows one game through the watch's glimpses; `sense` is the current conclusion."""

    def __init__(self, explainer: Explainer) -> None:
        self.sense = SyncState()
        self.position: Position | None = None  # of the game that the sense is about
        self.reading: Reading | None = None
        self.ignored = False
        self._explainer = explainer
        self._answers: dict[str, Combo] = {}
        self._overruled: dict[str, Combo] = {}
        self._refused: set[tuple[Step, ...]] = set()
        self._seen: tuple[Position, Reading] | None = None
        self._asked: InferenceRequest | None = None
        self._settled = SyncState("waiting")
        self._out_since_s: float | None = None
        self._synced = False

    # ---- what people say -----------------------------------------------------------------------

    def answer(self, area: str, units: Combo) -> None:
        """Take people's count of an area as certain, until the eye is sure of something else than what it sees now."""
        self._answers[area] = tuple(sorted(units))
        self._overruled[area] = _best(self.reading, area)
        self._asked = None

    def refuse(self) -> None:
        """None of the turns proposed was done: they are not proposed again from this position."""
        self._refused |= {one.steps for one in self.sense.explanations}
        self._asked = None

    def reconsider(self) -> None:
        """Weigh everything again, refused turns and answers included."""
        self._refused.clear()
        self._answers.clear()
        self._asked = self._out_since_s = None

    def ignore(self, ignored: bool) -> None:
        """Leave the camera out of it, or not any more."""
        self.ignored = ignored
        self.reconsider()

    # ---- what is seen ----------------------------------------------------------------------------

    def update(self, match: Match, glimpse: TableView | None, now_s: float) -> bool:
        """Take a glimpse; whether the sense has changed. `now_s` is monotonic."""
        before = self.sense
        self.sense, self.position = self._sense(match, glimpse, now_s), match.position
        return self.sense != before

    def _sense(self, match: Match, glimpse: TableView | None, now_s: float) -> SyncState:
        if glimpse is None:
            return SyncState()
        self.reading = glimpse.reading
        if self.ignored:
            return SyncState("ignored")
        if glimpse.state == "lost":
            return SyncState("lost", glimpse.fault, blind=glimpse.blind)
        if owed(match.position) is not None or match.position.winner is not None:  # people clear the table now
            return SyncState("turn")
        if glimpse.reading is None:
            return SyncState("waiting")
        settled = self._conclude(match, glimpse.reading, now_s)
        match glimpse.state:
            case "hand" | "moving" as restless:
                return replace(settled, sign=restless)
        return settled

    def _conclude(self, match: Match, reading: Reading, now_s: float) -> SyncState:
        """What a settled reading means; the last conclusion while a new one is worked out."""
        position = match.position
        if self._seen is None or self._seen[0] is not position:
            self._new_position()
        if self._seen is None or self._seen[1] is not reading or self._asked is None:
            self._forget_answers(reading)
            self._asked = InferenceRequest(position, with_answers(reading, self._answers))
        self._seen = (position, reading)
        inference = self._explainer.explanation(self._asked)
        if inference is not None:
            self._settled = self._after_waiting(self._judge(match, self._asked.reading, inference), now_s)
        return self._settled

    def _new_position(self) -> None:
        """A step was taken or taken back: what was said of the table before is settled with it."""
        self._asked = self._out_since_s = self._seen = None
        self._refused.clear()
        self._answers.clear()
        self._settled = SyncState("waiting")
        self._synced = False

    def _forget_answers(self, reading: Reading) -> None:
        """Where the eye is sure of something else than when it was asked, the pieces have changed."""
        self._answers = {
            area: units
            for area, units in self._answers.items()
            if not sure_of(reading, area) or _best(reading, area) == self._overruled[area]
        }

    def _after_waiting(self, sense: SyncState, now_s: float) -> SyncState:
        """Out of sync, or asked about, only once it has been so for a while; until then it is looked at."""
        if sense.sign != "out" and (sense.question is None or sense.explanations):
            self._out_since_s = None
            return sense
        if self._out_since_s is None:
            self._out_since_s = now_s
        waited = now_s - self._out_since_s >= OUT_AFTER_S
        return sense if waited else replace(sense, sign="waiting", items=(), question=None)

    def _judge(self, match: Match, reading: Reading, inference: Inference) -> SyncState:
        """As recorded where most likely nothing was done; else behind, a turn that was seen, or out of sync."""
        done = tuple(one for one in inference.explanations if one.steps not in self._refused)
        turns = tuple(one for one in done if one.steps)
        fits = inference.none <= UNEXPLAINED
        idle = fits and bool(inference.explanations) and not inference.explanations[0].steps
        differences = compare(match.position, expecting(match.position, reading) if idle else reading)
        if not self._synced and is_behind(match, differences, reading):
            return SyncState("behind", differences=differences, items=items_of(differences))
        if idle:
            self._synced = True
            return _as_recorded(match.position, reading, differences, done)
        if fits and turns:
            asked = question(match.position, reading, done) if done[0].likelihood < PLAIN else None
            beside = items_of(compare(turns[0].position, reading))
            return SyncState("proposal", differences=differences, explanations=turns, question=asked, items=beside)
        nearest = inference.repair
        items = items_of(differences)
        if nearest is not None:
            items = items_insisted_on(items_of_fixes(nearest.fixes), nearest.position, reading)
        return SyncState("out", differences=differences, items=items, nearest=nearest)


def expecting(position: Position, reading: Reading) -> Reading:
    """The reading where most likely nothing was done: what is doubtful is weighed with what the game has there."""
    from vision.reading.prior import with_expectation

    return with_expectation(reading, {area.name: position.units_in(area.name) for area in position.board.areas})


def _as_recorded(
    position: Position, reading: Reading, differences: tuple[Difference, ...], done: tuple[Explanation, ...]
) -> SyncState:
    """Nothing was done; asked about where a turn may be."""
    doubtful = any(one.state != "agrees" for one in differences)
    asked = question(position, reading, done) if done[0].likelihood < PLAIN else None
    asked = asked or _stubborn_question(position, reading, differences)
    return SyncState("unsure" if doubtful else "sync", differences=differences, question=asked)


def _stubborn_question(position: Position, reading: Reading, differences: Iterable[Difference]) -> AreaQuestion | None:
    """An area that the eye insists on against all that the game expects: better to ask than to doubt either."""
    insisted = {one.area for one in compare(position, reading) if one.state == "differs" and ":" not in one.area}
    for one in differences:
        if one.state != "agrees" and one.area in insisted:
            return AreaQuestion(one.area, answers_for(position, reading, one.area))
    return None


# ---- readings and answers -----------------------------------------------------------------------


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


def _best(reading: Reading | None, area: str) -> Combo:
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


# ---- what is not as recorded --------------------------------------------------------------------


def items_of(differences: Iterable[Difference]) -> tuple[Item, ...]:
    """What the table has more or less than the game, one item for each kind of piece."""
    return tuple(
        Item(one.area, faction, unit, more)
        for one in differences
        if one.state == "differs"
        for (faction, unit), more in sorted(_more(one).items())
        if more
    )


def _more(one: Difference) -> dict[tuple[str, str], int]:
    more = {(faction, unit): n for faction, units in one.seen.items() for unit, n in units.items()}
    for faction, units in one.expected.items():
        for unit, n in units.items():
            more[faction, unit] = more.get((faction, unit), 0) - n
    return more


def items_of_fixes(fixes: Iterable[Fix]) -> tuple[Item, ...]:
    """What has to be taken off or put on the board, one item for each kind of piece, with what forbids it."""
    return tuple(
        Item(fix.place, faction, unit, sign * n, fix.message.partition("; ")[2], fix.finding)
        for fix in sorted(fixes, key=lambda fix: ":" in fix.place)
        for sign, pieces in ((1, fix.take), (-1, fix.put))
        for faction, unit, n in pieces
    )


def items_insisted_on(items: tuple[Item, ...], position: Position, reading: Reading) -> tuple[Item, ...]:
    """Those that the eye insists on against all that the game expects there; all of them where it insists on none.

    position: what the table has to show.
    """
    seen = expecting(position, reading)
    firm = (
        _is_leader_sure(item, reading) if item.unit == "commander" else _is_count_other(item, position, seen)
        for item in items
    )
    return tuple(item for item, insists in zip(items, firm, strict=True) if insists) or items


def _is_leader_sure(item: Item, reading: Reading) -> bool:
    from vision.reading.prior import TRUST

    chance = reading.leaders.get(item.place, {}).get(item.faction, 0.0)
    return chance > TRUST if item.more > 0 else chance < 1 - TRUST


def _is_count_other(item: Item, position: Position, seen: Reading) -> bool:
    belief = seen.counts.get(item.place)
    return belief is None or tuple(sorted(belief.best)) != standing_in(position, item.place)


def is_behind(match: Match, differences: Iterable[Difference], reading: Reading) -> bool:
    """Whether hands are only following the game: what is not as recorded is as one of the last steps left it.

    Each place is looked at by itself, as hands move one piece after the other.
    """
    left = amiss = {one.area for one in differences if one.state == "differs"}
    for moment in _passed(match):
        left = left & _amiss(moment, reading)
    return bool(amiss) and not left


def _amiss(position: Position, reading: Reading) -> set[str]:
    return {one.area for one in compare(position, reading) if one.state == "differs"}


def _passed(match: Match) -> Iterator[Position]:
    """The positions before the last steps, and where a round ended the board before its commanders went home."""
    before, after = match.positions[-2::-1], match.positions[::-1]
    for was, step, now in zip(before[:BEHIND_MOST], match.steps[::-1], after, strict=False):
        yield was
        if was.round != now.round:
            yield replace(now, commanders=standing(ready(was, step), step))
