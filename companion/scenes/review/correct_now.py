"""Correcting the current position: differences are set by hand, and both players agree to all of them once."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from companion.core.language import _
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.panels import Agree, Close, Panel, Why
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.disputes.ruling import RulingScene, question_of
from companion.scenes.orders.by_hand import RoundPanel, SidePanel, StandsPanel
from companion.scenes.story.tables import OrdersTable
from companion.text.log import step_sentence
from companion.ui.screen import Block, Button, Buttons, Choice, Intent, Screen, Text, back_button, confirm_button
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Agreed, OtherCorrections, Step

T = TypeVar("T")
Pairs = tuple[tuple[str, T], ...]


class StraightScene(BackScene):
    """Gathers corrections, place by place, into one agreed step."""

    shared = True  # it concerns both players

    def __init__(self, table: OrdersTable, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.step = Agreed()
        self.panel: Panel[Step] | None = None

    @property
    def position(self) -> Position:
        """The position with the corrections gathered so far."""
        start = self.table.match.position
        return game.apply(start, self.step) if _has_changes(self.step) else start

    def show(self) -> Screen:
        """Show the open panel, or the corrections gathered so far."""
        if self.panel is not None:
            face = self.panel.show()
            shown = map_picture(self.position, face.marks, None)
            return Screen(blocks=face.blocks, actions=face.actions, map=shown, page=self.page)
        people, note = self.table.people, _("commanders, cards")
        sides = (Button(people.name(faction), Intent("side", faction), note=note) for faction in people.factions)
        rounds = Button(_("Round"), Intent("round"), note=_("and the discards"))
        record = (Button(_("Note"), Intent("note")), confirm_button(_("Record it"), intent=Intent("record")))
        marks = Marks(dict.fromkeys((area for area, _units in self.step.areas), "chosen"))
        return Screen(
            title=_("What's different on the table?"),
            blocks=(Text(_("Touch an area on the map, or:"), "quiet"), Buttons((*sides, rounds), 3), *self._changes()),
            actions=(back_button(), *(record if _has_changes(self.step) else ())),
            map=map_picture(self.position, marks, None),
            page=self.page,
        )

    def _changes(self) -> tuple[Block, ...]:
        """Return the changes as the log will tell them, and whose turn it is."""
        if not _has_changes(self.step):
            return (Text(_("Nothing is changed yet."), "quiet"),)
        people, start = self.table.people, self.table.match.position
        mover = self.step.to_move or start.to_move_name
        buttons = tuple(
            Button(people.name(faction), Intent("mover", faction), "chosen" if faction == mover else "plain")
            for faction in people.factions
        )
        return Text(step_sentence(self.step, start, people), "strong"), Choice(_("Whose turn is it now?"), buttons)

    def touch(self, intent: Intent) -> Scene | None:
        """Pass the touch to the open panel; without one, open a place, set who moves, add a note, or record."""
        if self.panel is not None and intent.verb != "page":
            return self._panel_touch(self.panel, intent)
        match intent.verb:
            case "area":
                self.panel = StandsPanel(self.position, intent.what)
            case "side":
                self.panel = SidePanel(self.position, intent.what)
            case "round":
                self.panel = RoundPanel(self.position)
            case "mover":
                self.step = replace(self.step, to_move=intent.what)
            case "note":
                return self._ask_note()
            case "record" if _has_changes(self.step):
                asked = _("Fix this mistake?"), step_sentence(self.step, self.table.match.position, self.table.people)
                return ConsentScene(asked, self.table.people, self._record, self)
        return super().touch(intent)

    def _panel_touch(self, panel: Panel[Step], intent: Intent) -> Scene | None:
        if intent.verb == "area":
            self.panel = StandsPanel(self.position, intent.what)
            return None
        match panel.touch(intent):
            case Agree(Agreed() as step):
                self._gather(step)
                self.panel, self.page = None, 0
            case Close():
                self.panel, self.page = None, 0
            case Why(step):
                return RulingScene(self.table.presenter, question_of(self.table, self.position, step), self)
        return None

    def _gather(self, step: Agreed) -> None:
        """Merge a panel's correction into the step, unless the result is illegal; later values replace earlier ones."""
        joined = merge(self.step, step)
        if game.judge(self.table.match.position, joined).legal:
            self.step = joined

    def _ask_note(self) -> Scene:
        def take(note: str) -> Scene:
            self.step = replace(self.step, note=note)
            return self

        ask = Ask(prompt=_("A note for the log"), text=self.step.note, most=60, empty=True)
        return TypingScene(ask, take, self)

    def _record(self) -> Scene:
        """Record the changes, naming whose turn it is if they end a turn."""
        step = self.step
        if step.to_move is None and (step.areas or step.spaces):
            step = replace(step, to_move=self.table.match.position.to_move_name)
        self.table.match.offer(replace(step, note=step.note or _("set by hand")))
        self.table.refresh()
        return self.table


def _has_changes(step: Agreed) -> bool:
    """Return whether the step changes more than the note and who moves."""
    return replace(step, note="", to_move=None) != Agreed()


def merge(first: Agreed, second: Agreed) -> Agreed:
    """Return the first correction with what the second sets, which wins; the note and the mover stay the first's."""
    earlier, later = first.other, second.other
    other = OtherCorrections(
        standby=_both(earlier.standby, later.standby),
        left=_both(earlier.left, later.left),
        hands=_both(earlier.hands, later.hands),
        discard=earlier.discard if later.discard is None else later.discard,
        initiative=later.initiative or earlier.initiative,
        round=later.round or earlier.round,
        bonuses=_both(earlier.bonuses, later.bonuses),
        dice=later.dice or earlier.dice,
        winner=later.winner or earlier.winner,
        passed=earlier.passed if later.passed is None else later.passed,
    )
    areas, spaces = _both(first.areas, second.areas), _both(first.spaces, second.spaces)
    return replace(first, areas=areas, spaces=spaces, other=other)


def _both(earlier: Pairs[T], later: Pairs[T]) -> Pairs[T]:
    """Return the pairs of both; the later ones win where both have a key."""
    return tuple({**dict(earlier), **dict(later)}.items())
