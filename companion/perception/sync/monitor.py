"""Follows one game through the watch's glimpses: how each event changes what is remembered, and what the screen says.

It is a fold, like the game itself. Most events are only remembered; `Clock` draws the conclusion. Which of
them overrules which is said in `advance`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.games.match import Match
from companion.perception.adapters import SURE, GameRecord, record_of
from companion.perception.area_questions import best_in, insisted_against, standing_in
from companion.perception.dice import DiceWatch
from companion.perception.known_areas import Answers, KnownAreas
from companion.perception.mistaken_commanders import commanders_on_board, with_known_commanders
from companion.perception.sync.judgement import fits_a_turn, hold_back, judge_table, patience, with_disputes
from companion.perception.sync.state import (
    AreaCounted,
    CameraIgnored,
    CardsTaken,
    Clock,
    Event,
    GameChanged,
    Glimpse,
    Rest,
    SyncState,
    TurnLaid,
    TurnMemory,
    TurnsRefused,
    TurnsWeighed,
)
from companion.perception.sync.status import Explainer, InferenceRequest, Sign, SyncStatus, TableView
from companion.perception.sync.turn_progress import clashes, has_come, status_in_window
from engine.orders.inference.infer import Inference
from engine.orders.steps import Pass
from engine.orders.turn import ready
from vision.reading.count import Combo
from vision.reading.read import Reading


def advance(state: SyncState, event: Event) -> SyncState:
    """Return the state after an event."""
    turn = state.turn
    match event:
        case GameChanged(game):
            return replace(state, game=game)
        case Glimpse(view, dice):
            return _with_glimpse(state, view, dice)
        case TurnsWeighed(request, inference):  # the camera's sure answer overrules a touch on a turn
            return _with_inference(state, request, inference)
        case Clock(now_s):
            return _conclude(state, now_s)
        case AreaCounted(area, units):  # a person's count overrules the camera, as long as the area looks the same
            board = None if state.game is None else state.game.position.board
            answers = state.answers.take(area, units, state.reading, board)
            rest = replace(state.rest, counted=state.reading)
            return replace(state, answers=answers, rest=rest, turn=turn.reopen())
        case TurnsRefused():  # a refusal overrules every turn that it was shown, until the game moves on
            refused = turn.refused_turns | {explanation.steps for explanation in state.status.explanations}
            is_kept = turn.is_kept or state.status.taken_back is not None
            turn = replace(turn.reopen(), refused_turns=refused, is_kept=is_kept)
        case TurnLaid():
            turn = replace(turn, is_laid=True)
        case CardsTaken():
            return replace(state, cards=state.cards.begin_turn())
        case CameraIgnored(is_ignored):  # and all is weighed again: answers and refusals are forgotten
            turn = replace(turn.reopen(), refused_turns=frozenset(), status=SyncStatus("waiting"))
            state = replace(state, is_ignored=is_ignored, answers=Answers(), known_areas=KnownAreas(), rest=Rest())
    return replace(state, turn=turn)


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A game and a reading of its table, to be compared.

    is_at_rest: no hands are there; is_open: conclusions may be drawn, at rest or because this turn has none yet.
    """

    game: GameRecord
    reading: Reading
    is_at_rest: bool
    is_open: bool


def look_of(state: SyncState) -> Look | SyncStatus:
    """Return the table to be compared with the game, or the status that says why it can't be."""
    view, game = state.view, state.game
    if view is None or game is None:
        return SyncStatus()
    if state.is_ignored:
        return SyncStatus("ignored")
    if view.state == "lost":
        return SyncStatus("lost", view.fault, blind=view.blind)
    if game.turn_start.turn is not None or game.turn_start.winner is not None:  # people clear the table now
        return SyncStatus("turn")
    if view.reading is None:
        return SyncStatus("waiting")
    is_at_rest = view.state == "settled"
    return Look(game, view.reading, is_at_rest, is_at_rest or not state.turn.is_concluded)


# ---- what is seen ------------------------------------------------------------------------------------


def _with_glimpse(state: SyncState, view: TableView | None, dice: DiceWatch) -> SyncState:
    """Remember what is seen; begin a turn if the game has moved on, and request an inference for a new reading.

    While hands are there, nothing new is requested once the turn has a request and a verdict.
    """
    state = replace(state, view=view, dice=dice)
    if view is not None:
        state = replace(state, reading=view.reading, cards=state.cards.see(view.cards))
    look = look_of(state)
    if isinstance(look, SyncStatus):
        return state
    if state.turn.start is not look.game.turn_start:
        state = _with_turn_begun(state, look)
    return _with_request(state, look) if look.is_open or state.turn.request is None else state


def _with_request(state: SyncState, look: Look) -> SyncState:
    """Request an inference for the reading, with what is known and was said of areas, if any of that has changed."""
    turn, position, reading = state.turn, look.game.turn_start, look.reading
    board, laid = position.board, state.cards.fresh(position.board.mode)
    if turn.reading is reading and turn.request is not None and turn.request.laid_cards == laid:
        return state
    here = position.commanders if turn.is_agreed else commanders_on_board(look.game)  # once it agrees all are home
    refined = state.known_areas.recount(with_known_commanders(reading, board, here), board)
    answers = state.answers.holding(refined, board)
    request = InferenceRequest(position, answers.apply_to(refined), laid, bool(turn.refused_turns))
    clashed = turn.clash_areas | clashes(position, request.reading)
    turn = replace(turn, reading=reading, request=request, inference=None, clash_areas=clashed)
    return replace(state, answers=answers, turn=turn)


def _with_inference(state: SyncState, request: InferenceRequest, inference: Inference) -> SyncState:
    """Remember what explains a reading; where no turn does, dispute what it insists on against the last turn.

    From then on, the game's count there is what the next turns are weighed with.
    """
    turn, look = state.turn, look_of(state)
    if request is not turn.request or isinstance(look, SyncStatus) or not look.is_open:
        return state
    if not turn.contradictions or fits_a_turn(inference):
        return replace(state, turn=replace(turn, inference=inference))
    still = insisted_against(request.position, turn.contradictions, request.reading)
    disputed = [area for area, units in still.items() if units == turn.contradictions[area]]
    if not disputed:
        return replace(state, turn=replace(turn, inference=inference, contradictions={}))
    answers = state.answers.take_turn(disputed, request.position, request.reading, disputed=True)
    return _with_request(replace(state, answers=answers, turn=replace(turn.reopen(), contradictions={})), look)


# ---- a turn is over ----------------------------------------------------------------------------------


def _with_turn_begun(state: SyncState, look: Look) -> SyncState:
    """Settle what was said of the table before, as a step was taken or taken back."""
    before, start, steps = state.turn, look.game.turn_start, len(look.game.steps)
    fresh = replace(
        state,
        answers=state.answers.next_turn(start, undone=steps < before.steps),
        cards=state.cards.begin_turn(),
        rest=state.rest.release(),
        turn=TurnMemory(start, steps),
        agreed=min(state.agreed, steps),
    )
    offered = before.status.explanations
    if before.is_laid or any(ready(explanation.position, Pass()) == start for explanation in offered):
        return _with_turn_taken(fresh, look, before)
    if before.refused_turns and steps > before.steps:
        return replace(fresh, answers=_with_turn_entered(fresh.answers, before, look))
    return fresh


def _with_turn_taken(state: SyncState, look: Look, before: TurnMemory) -> SyncState:
    """Take the board to stand as left by the turn that people chose, or laid out themselves.

    Where it differs from the turn proposed first, people know better, unless the eye insists.
    """
    start, answers, known = look.game.turn_start, state.answers, state.known_areas
    against: dict[str, Combo] = {}
    request = before.request
    if request is not None:
        offered = before.status.explanations
        first = offered[0].position if offered else start
        areas = start.board.area_index
        other = [area for area in areas if standing_in(start, area) != standing_in(first, area)]
        against = insisted_against(start, areas, request.reading, SURE)
        against |= insisted_against(start, other, request.reading)
        answers = answers.take_turn([area for area in other if area not in against], start, request.reading)
    if before.reading is not None and not has_come(start, before.reading):  # the next turn was not done already
        but = {**against, **answers.disputed}
        answers = answers.confirm(start, before.reading, but)
        if request is not None:
            known = known.confirm(start, request.reading, commanders_on_board(look.game), but)
    turn = replace(state.turn, accepted_reading=look.reading, contradictions=against)
    return replace(state, answers=answers, known_areas=known, turn=turn, agreed=len(look.game.steps))


def _with_turn_entered(answers: Answers, before: TurnMemory, look: Look) -> Answers:
    """Return the answers with what an entered turn leaves in the areas that it changed and the eye sees otherwise."""
    was, start, seen = before.start, look.game.turn_start, before.reading
    if was is None or seen is not look.reading or was.board is not start.board:  # they saw another board
        return answers
    told = [
        area
        for area in start.board.area_index
        if standing_in(start, area) not in (standing_in(was, area), best_in(seen, area))
    ]
    return answers.take_turn(told, start, seen)


# ---- what is said ------------------------------------------------------------------------------------


def _conclude(state: SyncState, now_s: float) -> SyncState:
    """Work out the status: the verdict stays while turns are weighed; while the table moves, only its sign changes."""
    look = look_of(state)
    if isinstance(look, SyncStatus):
        return replace(state, status=look)
    if state.turn.start is not look.game.turn_start:  # nobody has looked since the game moved on
        return replace(state, status=SyncStatus("turn"))
    rest = state.rest.settle(look.reading, now_s) if look.is_at_rest else state.rest.interrupt(now_s)
    state = replace(state, rest=rest)
    if look.is_open:
        state = _judged(state, look, now_s)
    if look.is_at_rest:
        status = with_disputes(state.turn.status, look.game.turn_start, state.answers.disputed)
    else:
        sign: Sign = "hand" if state.view is not None and state.view.state == "hand" else "moving"
        status = replace(state.turn.status, sign=sign, disputed=state.status.disputed)
    if look.game.turn_start is not look.game.position and status.sign != "proposal":
        status = status_in_window(look.game.position, look.game.turn_start, status)  # and nobody has played on yet
    return replace(state, status=status)


def _judged(state: SyncState, look: Look, now_s: float) -> SyncState:
    """Judge the table by the turns that were weighed; hold the verdict back while people may still be at it."""
    turn, request, inference = state.turn, state.turn.request, state.turn.inference
    if request is None or inference is None:
        return state
    meant = judge_table(state, look.game, request, inference)
    if meant.sign in ("sync", "unsure"):  # the board stands as recorded
        state = replace(state, agreed=len(look.game.steps))
        if not turn.is_agreed:
            answers = state.answers.confirm(request.position, request.reading)
            disputed, home = answers.disputed, request.position.commanders
            known = state.known_areas.confirm(request.position, request.reading, home, disputed)
            state = replace(state, answers=answers, known_areas=known, turn=replace(turn, is_agreed=True))
    status, rest = hold_back(state.rest, turn.status, meant, patience(state, request, inference, meant), now_s)
    if status.sign == "dice" and not status.explanations:
        status = replace(status, clashing=tuple(sorted(clashes(request.position, request.reading))))
    return replace(state, rest=rest, turn=replace(state.turn, status=status, is_concluded=True))


# ---- one game followed ----------------------------------------------------------------------------


NO_DICE = DiceWatch()


class SyncMonitor:
    """Follows one game's table; `sense` is what the screen says of it."""

    def __init__(self, explainer: Explainer) -> None:
        self.state = SyncState()
        self._explainer = explainer

    @property
    def sense(self) -> SyncStatus:
        """What the screen says of the table."""
        return self.state.status

    def advance(self, event: Event) -> None:
        """Take in an event."""
        self.state = advance(self.state, event)

    def update(self, match: Match, glimpse: TableView | None, now_s: float, dice: DiceWatch = NO_DICE) -> bool:
        """Take in a glimpse at a monotonic time, with this turn's dice; return whether `sense` has changed."""
        before, game = self.sense, self.state.game
        if game is None or game.position is not match.position:
            self.advance(GameChanged(record_of(match)))
        self.advance(Glimpse(glimpse, dice))
        self._weigh()
        self.advance(Clock(now_s))
        return self.sense != before

    def _weigh(self) -> None:
        """Have the turns weighed for the present request, and for the one that a dispute then makes."""
        asked = None
        while asked is not self.state.turn.request:
            asked = self.state.turn.request
            inference = None if asked is None else self._explainer.explanation(asked)
            if asked is not None and inference is not None:
                self.advance(TurnsWeighed(asked, inference))
