"""Correcting a recorded step: entered anew on the board of its moment, its consequences shown for both to agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.core.language import _, plural
from companion.games import checksums
from companion.games.journal import object_of
from companion.games.match import Match
from companion.games.undo_log import CORRECT
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.panels import Agree, Close, Offer, Open, Panel, Reply, Why
from companion.scenes.base.reasons import sort_findings
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.disputes.ruling import RulingScene, question_of
from companion.scenes.disputes.whatif import WhatIfScene
from companion.scenes.orders.answers import answer_for
from companion.scenes.orders.turn import AreaPanel, Spaces, TurnPanel
from companion.scenes.review.correct_now import StraightScene
from companion.scenes.review.log import MomentScene
from companion.scenes.story.game_log import visible_number, visible_numbers
from companion.scenes.story.tables import OrdersTable
from companion.text.log import step_and_effects, step_sentence
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Intent,
    Log,
    Odds,
    Screen,
    Slip,
    Text,
    back_button,
    cancel_button,
)
from engine.errors import EngineError, Illegal
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Accept, Deploy, Pass, Step
from engine.orders.turn import ready
from engine.orders.wire import step_from_json


@dataclass(frozen=True, slots=True)
class Recast:
    """The game that a correction would make.

    after: how many steps stay as they are; steps: those that follow instead; position: where they lead; dropped: how
    many recorded steps can no longer follow; taken_out: whether a step is removed without another in its place;
    restored: whether this undoes a correction; kept: the new numbers, from 1, of steps that stay as recorded although
    today's rules forbid them.
    """

    after: int
    steps: tuple[Step, ...]
    position: Position
    dropped: int
    taken_out: bool = False
    restored: bool = False
    kept: tuple[int, ...] = ()


def recast(match: Match, number: int, replaced: Sequence[Step]) -> Recast:
    """Return the game with step `number` (from 1) replaced by these steps, and the later ones as far as still legal.

    A recorded "no card" that is no longer asked about is skipped. If a turn would become the other player's, its
    steps and all later ones are dropped. The match itself is not changed.
    """
    position = game.fold(match.positions[number - 1], replaced)
    steps, rest, kept, dropped = list(replaced), match.steps[number:], list[int](), 0
    for n, step in enumerate(rest):
        play = game.play_recorded if number + n + 1 in match.kept_steps else game.play
        try:
            after = play(position, step)[0]
        except Illegal:
            if isinstance(step, Accept):
                continue
            dropped = len(rest) - n
            break
        if _mover(position, step) != _mover(match.positions[number + n], step):
            dropped = len(rest) - n
            break
        position = after
        steps.append(step)
        kept += [number - 1 + len(steps)] if number + n + 1 in match.kept_steps else []
    return Recast(number - 1, tuple(steps), position, dropped, not replaced, kept=tuple(kept))


class ReviewScene(ConsentScene):
    """Asks both players to agree to a correction, beside the board that it leads to."""

    def __init__(self, table: OrdersTable, found: Recast, back: Scene) -> None:
        asked = _("Correct the game?"), _("The log marks the change and keeps the original.")
        super().__init__(asked, table.people, self._record, back)
        self.table = table
        self.recast = found

    def _screen(self, factions: tuple[str, ...]) -> Screen:
        """Lay out what changes, in sentences, how many later steps still work, and the resulting board."""
        asked = super()._screen(factions)
        now, then = self.table.match.position, self.recast.position
        changed = [area.name for area in now.board.areas if now.units_in(area.name) != then.units_in(area.name)]
        marked = changed if len(changed) <= MOST_MARKED else []  # none if it is a different game altogether
        shown = map_picture(then, Marks(dict.fromkeys(marked, "chosen")), None)
        return replace(asked, blocks=(*self._change(), *self._rest(), *asked.blocks[1:]), map=shown, page=self.page)

    def _change(self) -> tuple[Block, ...]:
        match, found = self.table.match, self.recast
        before = match.positions[found.after]
        old = step_sentence(match.steps[found.after], before, self.table.people) or _("No card was played.")
        was = Text(_("Recorded: {step}").format(step=old))
        if found.taken_out:
            return was, Text(_("Now: this step is removed."), "strong")
        new = step_sentence(found.steps[0], before, self.table.people) or _("No card was played.")
        return was, Text(_("Now: {step}").format(step=new), "strong")

    def _rest(self) -> tuple[Block, ...]:
        """Return how many of the later steps still hold, and the ruling on the first that doesn't."""
        match, found = self.table.match, self.recast
        if found.restored:
            return (Text(_("The game goes back to before the correction."), "warn"),)
        later = [n for n in visible_numbers(self.table.game_log) if n > found.after + 1]
        dropped = [n for n in later if n > len(match.steps) - found.dropped]
        if not later:
            return ()
        if not dropped:
            form = plural("The {n} later step still works.", "All {n} later steps still work.", len(later))
            return (Text(form, "good"),)
        first = dropped[-1] - 1
        step = step_sentence(match.steps[first], match.positions[first], self.table.people)
        kept = len(later) - len(dropped)
        holds = plural("{n} later step still works. ", "{n} later steps still work. ", kept) if kept else ""
        stops = _("This later move is then impossible: {step}").format(step=step)
        goes = plural(
            "It will be removed; enter it again.",
            "It and everything after it ({n} steps) will be removed; enter them again.",
            len(dropped),
        )
        return Text(f"{holds}{stops}", "warn"), self._why(first), Text(goes)

    def _why(self, first: int) -> Block:
        """Return why the first of the dropped steps is no longer possible."""
        match, position = self.table.match, self.recast.position
        step = match.steps[first]
        mover = _mover(position, step)
        if mover != _mover(match.positions[first], step) and ready(position, step).turn is None:
            return Text(_("Then it would be {who}'s turn.").format(who=self.table.people.name(mover)), "strong")
        asked = question_of(self.table, position, step)
        reason = sort_findings(asked.ruling)[0]
        return Slip(self.table.presenter.criterion(reason, asked), "", str(reason.citation), mark="no")

    def _record(self) -> Scene:
        self.table.match.recast(self.recast.after, self.recast.steps, self.recast.kept)
        self.table.refresh()
        return self.table


MOST_MARKED = 8  # areas on the map


def _mover(position: Position, step: Step) -> str:
    """Return the faction whose turn a step begins; "" for a step within a turn."""
    return ready(position, step).to_move_name if isinstance(step, Deploy | Pass) else ""


def former_game(match: Match, number: int) -> Recast | None:
    """Return the game before the last correction of step `number` (from 1); None if there is none to restore."""
    found = [record for record in match.taken_back if record.why == CORRECT and record.after == number - 1]
    if not found:
        return None
    try:
        steps = tuple(step_from_json(checksums.plain(object_of(line))) for line in found[-1].lines)
        position, kept = match.positions[number - 1], list[int]()
        for n, step in enumerate(steps, number):
            kept += [] if game.judge(position, step).legal else [n]
            position = game.play_recorded(position, step)[0]
    except (ValueError, EngineError):
        return None
    if steps == match.steps[number - 1 :]:
        return None
    return Recast(number - 1, steps, position, 0, restored=True, kept=tuple(kept))


class CorrectScene(BackScene):
    """Asks what was wrong with a recorded step."""

    shared = True  # it concerns both players

    def __init__(self, table: OrdersTable, number: int, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.number = number

    def show(self) -> Screen:
        """Show the step as recorded, and the three things that may be wrong with it."""
        match = self.table.match
        before = match.positions[self.number - 1]
        recorded = step_and_effects(match.steps[self.number - 1], before, self.table.people) or _("No card was played.")
        choices = (
            Button(_("Different move"), Intent("replace"), note=_("enter what really happened")),
            Button(_("Didn't happen"), Intent("remove"), note=_("remove this one step")),
            Button(_("Just fix the board"), Intent("straight"), note=_("correct the present, keep the past")),
        )
        return Screen(
            title=_("What was wrong?"),
            blocks=(
                Text(_("Recorded as step {n}:").format(n=visible_number(self.table.game_log, self.number)), "quiet"),
                Text(recorded, "strong"),
                Buttons(choices, 1),
            ),
            actions=(back_button(),),
            map=map_picture(before, Marks(), None),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Open the scene of the touched correction, or go back."""
        if intent.verb == "replace":
            return ReplaceScene(self.table, self.number, self)
        if intent.verb == "remove":
            return ReviewScene(self.table, recast(self.table.match, self.number, ()), self)
        if intent.verb == "straight":
            return StraightScene(self.table, self)
        return super().touch(intent)


OWN = frozenset({"undo", "undo-list", "window", "otherwise", "menu", "log", "dice"})  # what goes with a running game


class ReplaceScene:
    """Takes another step on the board of that moment, to replace a recorded one. Nothing is recorded here."""

    shared = True  # it concerns both players

    def __init__(self, table: OrdersTable, number: int, back: Scene) -> None:
        self.table = table
        self.number = number
        self.back = back
        match = table.match
        self.recorded = match.steps[number - 1]
        before = match.positions[number - 1]
        # a commander's turn begins after the windows for cards before it
        self.position = ready(before, self.recorded) if isinstance(self.recorded, Deploy | Pass) else before
        self.panel = self._first()
        self.page = 0

    def _first(self) -> Panel[Step]:
        owed = game.owed(self.position)
        return TurnPanel(Spaces(self.position), ()) if owed is None else answer_for(self.position, owed)

    def show(self) -> Screen:
        """Show the recorded step, and the panel to enter another below it."""
        face = self.panel.show()
        step = step_sentence(self.recorded, self.position, self.table.people) or _("No card was played.")
        head: tuple[Block, ...] = (Text(_("Recorded: {step}").format(step=step), "quiet"),)
        asked = tuple(block for block in face.blocks if not isinstance(block, Log | Odds))
        shown = tuple(action for action in face.actions if action.intent.verb not in OWN)
        leaves = any(action.intent.verb in ("cancel", "back") for action in shown)
        if isinstance(self.panel, TurnPanel) or not leaves:
            shown = (cancel_button("stop"), *shown)
        return Screen(
            title=_("What really happened?"),
            blocks=(*head, *asked),
            actions=shown,
            map=map_picture(self.position, face.marks, None),
            page=self.page,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Stop, turn the page, or pass the touch to the panel and open what its reply asks for."""
        if intent.verb == "stop":
            return self.back
        if intent.verb == "page":
            self.page += intent.n
            return None
        if intent.verb in OWN:
            return None
        if intent.verb == "area" and isinstance(self.panel, AreaPanel) and intent.what == self.panel.area.name:
            return self._follow(Close())
        return self._follow(self.panel.touch(intent))

    def _follow(self, reply: Reply[Step]) -> Scene | None:
        match reply:
            case Offer(step) | Agree(step):
                return self._review(step)
            case Why(step):
                return self._explain(step)
            case Open(panel):
                self.panel, self.page = panel, 0
            case Close():
                self.panel, self.page = self._first(), 0
        return None

    def _explain(self, step: Step) -> Scene:
        return RulingScene(self.table.presenter, question_of(self.table, self.position, step), self)

    def _review(self, step: Step) -> Scene | None:
        """Open the review of the game with this step; the recorded step itself changes nothing."""
        if not game.judge(self.position, step).legal:
            return self._explain(step)
        if step == self.recorded:
            return self.back
        return ReviewScene(self.table, recast(self.table.match, self.number, (step,)), self)


class MapMomentScene(MomentScene):
    """The board after a step, with buttons to correct the step or to try others from there."""

    table: OrdersTable

    def facts(self) -> tuple[Block, ...]:
        """Return a line with both sides' points."""
        return (Text(self.table.presenter.facts(self.match.positions[self.number], self.table.people)),)

    def more_blocks(self) -> tuple[Block, ...]:
        """Return nothing, as `facts` has the points."""
        return ()

    def step_buttons(self) -> tuple[Button, ...]:
        """Return the buttons to correct the step, ask about it, try from here, or undo its correction."""
        what_if = Button(_("What if?"), Intent("what-if"), note=_("try from here"))
        if not self.number:
            return (what_if,)
        why = Button(_("Why?"), Intent("why"), note=_("the rules behind it"))
        wrong = Button(_("This is wrong"), Intent("wrong"), note=_("correct it"))
        if former_game(self.table.match, self.number) is None:
            return wrong, why, what_if
        return wrong, why, what_if, Button(_("Undo the correction"), Intent("uncorrect"))

    def follow_button(self, intent: Intent) -> Scene | None:
        """Open the step's rules, a what-if from here, a correction, or the way back from one."""
        match = self.table.match
        if intent.verb == "what-if":
            return WhatIfScene(self.table.presenter, match.positions[self.number], match.players, self)
        if intent.verb == "wrong" and self.number:
            return CorrectScene(self.table, self.number, self)
        if intent.verb == "uncorrect" and self.number and (found := former_game(match, self.number)):
            return ReviewScene(self.table, found, self)
        return super().follow_button(intent)
