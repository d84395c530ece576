"""What the camera means at the table: in sync, a turn seen, a question, or out of sync. No camera, thread or clock.

The watch hands over settled readings; the engine's legal turns are weighed against them by an `Explainer`; what comes
of it is a `SyncState`, which the scenes show. Nothing here changes the game: that takes a touch.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.games.match import Match
from companion.perception.adapters import SURE, Difference, compare, compare_idle
from companion.perception.amiss import is_behind, items_insisted_on, items_of, items_of_fixes
from companion.perception.area_questions import (
    Answers,
    best_in,
    choice,
    insisted_against,
    is_torn,
    question,
    standing_in,
    stubborn_question,
    with_answers,
    with_commanders,
)
from companion.perception.certainty import tempered
from companion.perception.dice import Thrown, pips_of, shows_its_dice, with_dice
from companion.perception.known_areas import KnownAreas
from companion.perception.laid_cards import LaidCards
from companion.perception.mistaken_commanders import commanders_on_board, with_known_commanders
from companion.perception.rerolls import Throws, with_laid_rerolls
from companion.perception.sync_state import Explainer, InferenceRequest, Sign, State, SyncState, TableView
from companion.perception.taken_turns import taken_back, with_disputes
from companion.perception.turn_progress import (
    PAUSE_S,
    THINKING_S,
    clashes,
    has_come,
    in_window,
    may_be_half_done,
    missed_shots,
    pause_s,
    with_clashes,
)
from engine.orders.inference.infer import Explanation, Inference
from engine.orders.inference.repair import Repair
from engine.orders.mode import Mode
from engine.orders.position import Position
from engine.orders.steps import Pass, Step
from engine.orders.turn import ready

if TYPE_CHECKING:
    from vision.reading.count import Combo
    from vision.reading.read import Reading

OUT_AFTER_S = 4.0
"""How long a table that nothing explains is left alone before it is said: people pause between two pieces."""
UNEXPLAINED = 0.5
"""The likelihood from which it counts that no legal turn explains what is seen."""


class SyncMonitor:
    """Follows one game through the watch's glimpses; `sense` is the current conclusion."""

    def __init__(self, explainer: Explainer) -> None:
        self.sense = SyncState()
        self.position: Position | None = None  # of the game that the sense is about
        self.reading: Reading | None = None
        self.ignored = False
        self._explainer = explainer
        self._answers, self._known = Answers(), KnownAreas()
        self._refused: set[tuple[Step, ...]] = set()
        self._stays = False  # the last turn wasn't taken back, whatever it looks like
        self._is_laid = False  # people said that what was taken last is done on the board
        self._against: dict[str, Combo] = {}  # of what the eye was sure, when a turn was taken that has it otherwise
        self._seen: tuple[Position, Reading] | None = None
        self._based: tuple[Position, Position] | None = None
        self._asked: InferenceRequest | None = None
        self._settled = SyncState("waiting")
        self._settled_s: float | None = None  # since when the table has been at rest with this reading
        self._rest_since_s: float | None = None
        self._rested_s = 0.0  # how long it was left alone before hands came
        self._waiting_for: object = None  # the turn that is left alone: units, for how long, how likely
        self._answered: Reading | None = None  # of which people have said what they see: they are done
        self._synced = False
        self._accepted: Reading | None = None  # by which people took the last turn
        self._clashed: frozenset[str] = frozenset()  # the areas in which both sides were seen since the last step
        self._steps = 0  # of the game, when it was last looked at
        self._agreed = 0  # steps after which the board was last as recorded
        self._thrown: Thrown = lambda dice: None
        self._throws: Throws = lambda dice: ()
        self._cards = LaidCards()

    # ---- what people say -----------------------------------------------------------------------

    def answer(self, area: str, units: Combo) -> None:
        """Take people's count of an area as certain, as long as the area looks as it does now."""
        self._answers.take(area, units, self.reading, self.position.board if self.position else None)
        self._asked, self._answered = None, self.reading

    def refuse(self) -> None:
        """Refuse the turns proposed, or the one taken back: none is proposed again from this position."""
        self._refused |= {one.steps for one in self.sense.explanations}
        self._stays |= self.sense.taken_back is not None
        self._asked = None

    def reconsider(self) -> None:
        """Weigh everything again, refused turns and answers included."""
        self._refused.clear()
        self._answers.clear()
        self._known.clear()
        self._asked = self._settled_s = self._rest_since_s = self._waiting_for = None
        self._settled = SyncState("waiting")

    def is_laid(self) -> None:
        """Record that the step just taken is done on the board, as people say.

        What the eye is sure of stands against it.
        """
        self._is_laid = True

    @property
    def told(self) -> Reading | None:
        """The last reading, with what is known of areas and what people said of them."""
        return self.reading if self._asked is None else self._asked.reading

    def take_laid_cards(self, mode: Mode) -> tuple[str, ...]:
        """Return the cards laid face up since the turn began, by name; asked for, they count for no turn any more."""
        laid = self._cards.fresh(mode)
        self._cards.turn_begins()
        return laid

    def ignore(self, ignored: bool) -> None:
        """Leave the camera out of it, or not any more."""
        self.ignored = ignored
        self.reconsider()

    # ---- what is seen ----------------------------------------------------------------------------

    def update(
        self,
        match: Match,
        glimpse: TableView | None,
        now_s: float,
        thrown: Thrown = lambda dice: None,
        throws: Throws = lambda dice: (),
    ) -> bool:
        """Take a glimpse; return whether the sense has changed.

        `now_s` is monotonic; thrown: the dice that lie there; throws: all of this turn.
        """
        before, self._thrown, self._throws = self.sense, thrown, throws
        self.sense, self.position = self._sense(match, glimpse, now_s), match.position
        return self.sense != before

    def _sense(self, match: Match, glimpse: TableView | None, now_s: float) -> SyncState:
        if glimpse is None:
            return SyncState()
        self.reading = glimpse.reading
        self._cards.see(glimpse.cards)
        if self.ignored:
            return SyncState("ignored")
        if glimpse.state == "lost":
            return SyncState("lost", glimpse.fault, blind=glimpse.blind)
        base = self._base(match)
        if base.turn is not None or base.winner is not None:  # people clear the table now
            return SyncState("turn")
        if glimpse.reading is None:
            return SyncState("waiting")
        meant = self._look(match, glimpse.state, glimpse.reading, now_s)
        if base is match.position or meant.sign == "proposal":
            return meant
        return in_window(match.position, base, meant)

    def _base(self, match: Match) -> Position:
        """Return the position that a next turn begins in.

        To play on passes by the windows that only cards hold open.
        """
        if self._based is None or self._based[0] is not match.position:
            self._based = (match.position, ready(match.position, Pass()))
        return self._based[1]

    def _look(self, match: Match, state: State, reading: Reading, now_s: float) -> SyncState:
        if state == "settled":
            if self._settled_s is None or self._seen is None or self._seen[1] is not reading:
                self._settled_s = now_s
            return self._conclude(match, reading, now_s)
        self._interrupt(now_s)  # nothing new is said while hands are at it
        if self._asked is None or self._asked.position is not self._base(match):
            self._conclude(match, reading, now_s)
        sign: Sign = "hand" if state == "hand" else "moving"
        return replace(self._settled, sign=sign, disputed=self.sense.disputed)

    def _interrupt(self, now_s: float) -> None:
        """Stop waiting for the table to rest, as hands have come."""
        if self._rest_since_s is not None:
            self._rested_s = now_s - self._rest_since_s
        self._settled_s = self._rest_since_s = self._answered = None

    def _conclude(self, match: Match, reading: Reading, now_s: float) -> SyncState:
        """Conclude what a settled reading means; return the last conclusion while a new one is worked out."""
        position = self._base(match)
        if self._seen is None or self._seen[0] is not position:
            self._new_position(match)
        laid = self._cards.fresh(position.board.mode)
        if self._seen is None or self._seen[1] is not reading or self._asked is None or self._asked.laid != laid:
            here = position.commanders if self._synced else commanders_on_board(match, position)  # all are home
            told = self._known.told(with_known_commanders(reading, position.board, here), position.board)
            told = with_answers(told, self._answers.held(told, position.board))
            told = with_commanders(told, self._answers.commanders())
            self._asked = InferenceRequest(position, told, laid, bool(self._refused))
        self._seen, asked = (position, reading), self._asked
        clashing = clashes(position, asked.reading)
        self._clashed |= clashing
        inference = self._explainer.explanation(asked)
        if inference is not None:
            if self._against and self._dispute(position, asked.reading, inference):
                self._asked = None
                return self._conclude(match, reading, now_s)  # weighed anew with what is disputed now
            meant = self._judge(match, asked, inference)
            rest_s, meanwhile = self._patience(meant, position, asked.reading, inference.fuller)
            rest_s = 0.0 if self._answered is reading else rest_s
            self._settled = self._after_rest(meant, rest_s, meanwhile, now_s)
            if self._settled.sign == "dice" and not self._settled.explanations:
                self._settled = replace(self._settled, clashing=tuple(sorted(clashing)))
        return with_disputes(self._settled, position, self._answers.disputed)

    def _new_position(self, match: Match) -> None:
        """Settle what was said of the table before, as a step was taken or taken back."""
        position = self._base(match)
        self._answers.next_position(position, undone=len(match.steps) < self._steps)
        self._cards.turn_begins()
        self._accepted, self._against = None, {}
        offered = self._settled.explanations
        if self._is_laid or any(ready(one.position, Pass()) == position for one in offered):
            self._agreed, self._accepted = len(match.steps), self.reading
            if self._asked is not None:
                self._take_turn(position, offered[0].position if offered else position, self._asked.reading)
            if self._seen is not None and not has_come(position, self._seen[1]):  # the next turn was not done already
                but = {**self._against, **self._answers.disputed}
                self._answers.confirm(position, self._seen[1], but)
                if self._asked is not None:
                    self._known.confirm(position, self._asked.reading, commanders_on_board(match, position), but)
        elif self._refused and self._seen is not None and len(match.steps) > self._steps:
            self._take_entered(*self._seen, position)
        self._steps = len(match.steps)
        self._agreed = min(self._agreed, len(match.steps))
        self._asked = self._rest_since_s = self._waiting_for = self._seen = None
        self._refused.clear()
        self._stays = self._is_laid = False
        self._clashed = frozenset()
        self._settled = SyncState("waiting")
        self._synced = False

    def _take_turn(self, position: Position, first: Position, told: Reading) -> None:
        """Take a turn: where it differs from the one proposed first people know better, unless the eye insists."""
        self._against = insisted_against(position, position.board.area_index, told, SURE)
        other = [area for area in position.board.area_index if standing_in(position, area) != standing_in(first, area)]
        self._against |= insisted_against(position, other, told)
        for area in other:
            if area not in self._against:
                self._answers.take(area, standing_in(position, area), told, position.board, by_turn=True)

    def _take_entered(self, before: Position, seen: Reading, position: Position) -> None:
        """Take a turn entered in place of those proposed: people know better what stands where it changed something."""
        if seen is self.reading and before.board is position.board:  # they saw this board
            for area in position.board.area_index:
                units = standing_in(position, area)
                if units not in (standing_in(before, area), best_in(seen, area)):
                    self._answers.take(area, units, seen, position.board, by_turn=True)

    def _dispute(self, position: Position, reading: Reading, inference: Inference) -> bool:
        """Return whether the eye is still sure of something else than the turn taken left, and no turn explains it.

        From then on the game's count is what the next turns are weighed with.
        """
        if inference.none <= UNEXPLAINED and inference.explanations and inference.explanations[0].steps:
            return False
        still = insisted_against(position, self._against, reading)
        disputed = [area for area, units in still.items() if units == self._against[area]]
        for area in disputed:
            self._answers.dispute(position, area, reading)
        self._against = {}
        return bool(disputed)

    def _after_rest(self, meant: SyncState, rest_s: float, meanwhile: Sign, now_s: float) -> SyncState:
        """Hold back a turn in progress, or being out of sync, until it has been so for a while.

        The while begins when the table comes to rest. Hands that change nothing interrupt it.
        """
        if not rest_s or meant.sign == self._settled.sign == "out":
            self._rest_since_s = self._waiting_for = None
            return meant
        first = meant.explanations[0] if meant.explanations else None
        proposed = first and (first.position.units, round(rest_s, 2), round(first.likelihood, 2))
        is_other = proposed is not None and proposed != self._waiting_for
        if self._rest_since_s is None or is_other:
            rested_s = self._rested_s if proposed is not None and not is_other else 0.0
            self._rest_since_s = (now_s if self._settled_s is None else self._settled_s) - rested_s
        self._waiting_for = proposed
        if now_s - self._rest_since_s >= rest_s:
            return meant
        return SyncState(meanwhile, differences=meant.differences)

    def _patience(self, meant: SyncState, position: Position, reading: Reading, fuller: float) -> tuple[float, Sign]:
        """Return how long a state has to last before it is said, in seconds, and the sign until then.

        fuller: the odds of a fuller turn.
        """
        if meant.sign in ("sync", "behind", "dice") and meant.question is None:
            return 0.0, meant.sign
        if meant.taken_back is not None:
            return PAUSE_S, "waiting"
        if clashes(position, reading) and not self._refused:
            return THINKING_S, "dice"
        if meant.explanations:
            first = meant.explanations[0]
            decided = shows_its_dice(first, self._thrown)
            rest_s = 0.0 if decided else pause_s(first, fuller, position)
            return max(rest_s, PAUSE_S if meant.question or meant.choice else 0.0), "playing"
        sure = any(one.state == "differs" for one in meant.differences or ())
        half = may_be_half_done(position, meant.differences or ()) or (meant.sign == "out" and not sure)
        if half and not self._refused:
            return THINKING_S, "playing"
        return (0.0 if meant.sign == "unsure" and meant.question is None else OUT_AFTER_S), "waiting"

    def _judge(self, match: Match, asked: InferenceRequest, inference: Inference) -> SyncState:
        """Judge the table: as recorded where most likely nothing was done; else behind, a turn, or out of sync."""
        position, reading = asked.position, asked.reading
        found = with_dice(inference.explanations, position, self._thrown)
        found = with_clashes(found, position, self._clashed - clashes(position, reading))
        found = with_laid_rerolls(found, position, asked.laid, self._throws)
        done = tuple(one for one in found if one.steps not in self._refused)
        turns = tuple(one for one in done if one.steps)
        fits = inference.none <= UNEXPLAINED
        idle = fits and bool(inference.explanations) and not inference.explanations[0].steps
        differences = compare_idle(position, reading) if idle else compare(position, reading)
        if not self._synced and is_behind(match, differences, reading, self._agreed, self._accepted):
            return SyncState("behind", differences=differences, items=items_of(differences))
        missed = missed_shots(turns, position, reading)
        if missed and shows_its_dice(missed[0], self._thrown) and not pips_of(missed[0]):
            return SyncState("proposal", differences=differences, explanations=missed)
        if missed and (idle or turns[0] in missed):
            return SyncState("dice", differences=differences, explanations=missed)
        if idle:
            if not self._synced:
                self._answers.confirm(position, reading)
                self._known.confirm(position, reading, position.commanders, self._answers.disputed)
            self._synced, self._agreed = True, len(match.steps)
            return _as_recorded(position, reading, differences, done)
        clashing = frozenset[str]() if self._refused else clashes(position, reading)
        if fits and turns:  # what dice may have shown is not to be guessed
            dice = SyncState("dice", differences=differences)
            return dice if clashing else _proposed(position, reading, differences, done, inference.fuller)
        seen = _out_of_sync(position, reading, differences, inference.repair)
        if clashing and all(item.place in clashing for item in seen.items):
            return SyncState("dice", differences=differences)
        return replace(seen, taken_back=None if self._stays else taken_back(match, differences, reading))


def _proposed(
    position: Position,
    reading: Reading,
    differences: tuple[Difference, ...],
    done: tuple[Explanation, ...],
    fuller: float,
) -> SyncState:
    """Return the state with the likeliest turn, what is odd beside it, and what to ask where it isn't plain.

    fuller: the odds of a fuller turn.
    """
    turns = tuple(one for one in done if one.steps)
    doubt = question(position, reading, done)
    after = compare(turns[0].position, reading)
    doubtful = any(one.state != "agrees" for one in after if one.area in reading.counts)
    said = tempered(turns, position, fuller, doubtful)
    seen = SyncState("proposal", differences=differences, explanations=said, question=doubt, items=items_of(after))
    few = choice(turns) if doubt is not None or is_torn(turns) else 0
    return replace(seen, question=None, choice=few) if few else seen


def _out_of_sync(
    position: Position, reading: Reading, differences: tuple[Difference, ...], nearest: Repair | None
) -> SyncState:
    """Return the state that names what is not as recorded, or as the nearest legal turn would leave it."""
    items = items_of(differences)
    if nearest is not None:
        items = items_insisted_on(items_of_fixes(nearest.fixes), nearest.position, reading)
    return SyncState("out", differences=differences, items=items, nearest=nearest)


def _as_recorded(
    position: Position, reading: Reading, differences: tuple[Difference, ...], done: tuple[Explanation, ...]
) -> SyncState:
    """Return the state where nothing was done, with a question where a turn may have been."""
    doubtful = any(one.state != "agrees" for one in differences)
    asked = question(position, reading, done) or stubborn_question(position, reading, differences)
    return SyncState("unsure" if doubtful else "sync", differences=differences, question=asked)
