"""An argument: the clock stands still, the last steps are looked at, questions put, and the players settle it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.language import _
from companion.evidence.pictures import KeptPicture, kept_pictures
from companion.games.rules_search import library_of
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.rules import EntryScene
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.disputes.ask import AskScene
from companion.scenes.disputes.reasons import named_areas
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.disputes.settle import SettleScene
from companion.scenes.disputes.whatif import WhatIfScene
from companion.scenes.story.argument import Argument
from companion.scenes.story.entries import OrdersTale
from companion.scenes.story.game_log import told_numbers
from companion.scenes.story.menu import Ways
from companion.text.log import step_and_effects
from companion.text.orders import sentence
from companion.text.people import People
from companion.ui.screen import Block, Button, Intent, Photo, Screen, Slip, Text
from engine.orders import game
from engine.orders.book import load_book
from engine.orders.draft import Event
from engine.orders.draft import event_text as told_event
from engine.orders.position import Position
from engine.orders.steps import Step

if TYPE_CHECKING:
    from companion.games.match import Match
    from companion.scenes.story.entries import OrdersTable

PHOTO_PT = 150.0


class DisputeScene(Argument):
    """What helps to settle an argument over a match, beside its map."""

    def __init__(self, stage: Stage, table: OrdersTable, seat: str = "") -> None:
        super().__init__(stage, table, seat)
        self.table = table

    @property
    def match(self) -> Match:
        """The game that is argued about."""
        return self.table.match

    def show(self) -> Screen:
        """The last steps and what can be asked, beside the map."""
        return replace(super().show(), map=map_picture(self.match.position, Marks(), None))

    def asks(self) -> Ways:
        """May I, and what if."""
        match = self.match
        return (
            (Button(_("May I …?"), Intent("ask"), "primary", "question"), lambda: AskScene(match, self, self.seat)),
            (
                Button(_("What if …?"), Intent("whatif"), sign="redo"),
                lambda: WhatIfScene(match.position, match.players, self),
            ),
        )

    def settle(self) -> Scene:
        """The board as the players agree that it stands."""
        return SettleScene(self.match, None, self)

    def step(self, number: int) -> Scene:
        """One of the steps."""
        return StepScene(self.match, number, self)


class StepScene:
    """One step: what it was, what the camera saw of it, and why the rules let it be."""

    def __init__(self, match: Match, number: int, back: Scene) -> None:
        self.match = match
        self.numbers = [*told_numbers(OrdersTale(match))][::-1]
        self.number = number
        self.back = back
        self.page = 0
        self.pictures = kept_pictures(match)
        self.book = load_book(match.board.mode.rulebook)

    def show(self) -> Screen:
        """The sentence, the question, the picture; the board as it stood before."""
        step, before = self.match.steps[self.number - 1], self.match.positions[self.number - 1]
        line = step_and_effects(step, before, People(self.match.board.factions, self.match.players))
        why = Slip(_("Why was that allowed?"), "", "", Intent("why"))
        marks = Marks(dict.fromkeys(named_areas(before.board, line), "chosen"))
        return Screen(
            title=_("Step {n}").format(n=self.numbers.index(self.number) + 1),
            blocks=(Text(line, "strong"), *self._picture(), why, *self._followed(step, before)),
            actions=(
                Button(_("Back"), Intent("back"), "primary"),
                self._leaf(_("Earlier"), -1),
                self._leaf(_("Later"), 1),
            ),
            page=self.page,
            map=map_picture(before, marks, None),
        )

    def _followed(self, step: Step, before: Position) -> tuple[Block, ...]:
        """What happened by itself, each with the section that has it so."""
        slips = []
        for event in game.play(before, step)[1]:
            section = section_of(event, before)
            if section is not None:
                cite = str(self.book[section].citation)
                slips.append(Slip(sentence(told_event(before, event)), "", cite, Intent("section", section)))
        return tuple(dict.fromkeys(slips))

    def _picture(self) -> tuple[Block, ...]:
        """What the camera kept of the turn; nothing where it kept nothing."""
        found = self._kept()
        if found is None:
            return (Text(_("The map shows the board before it. The camera kept no picture of it."), "quiet"),)
        caption = _("What the camera saw. Above: before. Below: after.")
        return (Photo(found.data, found.size_px, caption, PHOTO_PT),)

    def _kept(self) -> KeptPicture | None:
        return next((one for one in self.pictures if one.first <= self.number <= one.name.step), None)

    def _beside(self, by: int) -> int | None:
        """The number of the next step there is something to say of, that way."""
        beyond = [one for one in self.numbers if (one - self.number) * by > 0]
        return min(beyond, key=lambda one: abs(one - self.number), default=None)

    def _leaf(self, label: str, by: int) -> Button:
        return Button(label, Intent("leaf", "", by), "plain" if self._beside(by) else "off")

    def touch(self, intent: Intent) -> Scene | None:
        """Its ruling, the step beside it, or back."""
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "leaf":
            self.number = self._beside(intent.n) or self.number
        elif intent.verb == "section":
            return EntryScene(library_of(self.match.board.mode, _), f"section:{intent.what}", self)
        elif intent.verb == "why":
            step, before = self.match.steps[self.number - 1], self.match.positions[self.number - 1]
            return RulingScene(game.examine(before, step), (before, step), self, self.match)
        return self.back if intent.verb == "back" else None


_SECTIONS = {
    "conflict": "conflicts",
    "lost": "conflicts",
    "surplus": "unit-restrictions",
    "bonus": "area-bonuses",
    "joined": "operation-cards",
    "recalled": "insufficient-units",
    "initiative": "plan",
    "round": "advance-the-round-marker",
    "won": "game-end",
    "out": "passing",
    "commander": "area-bonuses",
    "returned": "area-bonuses",
}
_BY_PLACE = {
    ("conflicts", "land"): "land-conflicts",
    ("conflicts", "air"): "air-conflicts",
    ("insufficient-units", "air"): "insufficient-aircraft",
}
"""The sections of a book that has one for each kind of area."""


def section_of(event: Event, before: Position) -> str | None:
    """The section that something which happened by itself follows; None for what the step itself said."""
    board, turn = before.board, before.turn
    action = board.spaces[turn.space].action if turn is not None else None
    if event.kind == "lost" and action is not None and action.verb == "shoot":
        return action.name
    section = _SECTIONS.get(event.kind)
    place = board.areas[event.area].kind if event.area >= 0 else ""
    closer = _BY_PLACE.get((section or "", place))
    return closer if closer in load_book(board.mode.rulebook) else section
