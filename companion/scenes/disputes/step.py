"""A step of General Orders: what it was, what the camera saw of it, and why the rules let it be."""

from __future__ import annotations

from companion.core.language import _
from companion.evidence.pictures import kept_pictures
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.rules import EntryScene
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.disputes.reasons import named_areas
from companion.scenes.disputes.ruling import step_ruling
from companion.scenes.story.game_log import line_numbers
from companion.scenes.story.tables import OrdersTable
from companion.text.orders import sentence
from companion.ui.screen import Block, Button, Intent, Photo, Screen, Slip, Text, back_button
from engine.orders import game
from engine.orders.draft import Event, event_text
from engine.orders.position import Position
from engine.orders.steps import Step
from engine.rulebook import load_book

PHOTO_PT = 150.0


class StepScene(BackScene):
    """One step: what it was, what the camera saw of it, and why the rules let it be."""

    def __init__(self, table: OrdersTable, number: int, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.match = table.match
        self.numbers = [*line_numbers(table.game_log)][::-1]
        self.number = number
        self.pictures = kept_pictures(self.match)
        self.book = load_book(self.match.board.mode.rulebook)

    def show(self) -> Screen:
        """Show the step's sentence, question and photo, beside the board as it stood before."""
        step, before = self.match.steps[self.number - 1], self.match.positions[self.number - 1]
        line = self.table.game_log.of_record(self.number)
        why = Slip(_("Why was that allowed?"), "", "", Intent("why"))
        marks = Marks(dict.fromkeys(named_areas(before.board, line), "chosen"))
        return Screen(
            title=_("Step {n}").format(n=self.numbers.index(self.number) + 1),
            blocks=(Text(line, "strong"), *self._picture(), why, *self._consequences(step, before)),
            actions=(back_button("primary"), self._leaf(_("Earlier"), -1), self._leaf(_("Later"), 1)),
            page=self.page,
            map=map_picture(before, marks, None),
        )

    def _consequences(self, step: Step, before: Position) -> tuple[Block, ...]:
        """Return slips for what happened by itself, each with the section that demands it."""
        slips = []
        for event in game.play_recorded(before, step)[1]:
            section = section_of(event, before)
            if section is not None:
                cite = str(self.book[section].citation)
                slips.append(Slip(sentence(event_text(before, event)), "", cite, Intent("section", section)))
        return tuple(dict.fromkeys(slips))

    def _picture(self) -> tuple[Block, ...]:
        """Return the photo that the camera kept of the turn, or a line saying that there is none."""
        found = next((picture for picture in self.pictures if picture.first <= self.number <= picture.name.step), None)
        if found is None:
            return (Text(_("Board before this step. No photo."), "quiet"),)
        caption = _("What the camera saw. Top: before. Bottom: after.")
        return (Photo(found.data, found.size_px, caption, PHOTO_PT),)

    def _next_number(self, by: int) -> int | None:
        """Return the number of the next step in that direction with something to say; None if there is none."""
        beyond = [number for number in self.numbers if (number - self.number) * by > 0]
        return min(beyond, key=lambda number: abs(number - self.number), default=None)

    def _leaf(self, label: str, by: int) -> Button:
        return Button(label, Intent("leaf", "", by), "plain" if self._next_number(by) else "off")

    def touch(self, intent: Intent) -> Scene | None:
        """Open the ruling or a section, show the step before or after, or go back."""
        if intent.verb == "leaf":
            self.number = self._next_number(intent.n) or self.number
        elif intent.verb == "section":
            return EntryScene(self.table.library(), f"section:{intent.what}", self)
        elif intent.verb == "why":
            return step_ruling(self.table, self.number, self)
        return super().touch(intent)


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
    """Return the section that an event of itself follows; None if the step itself announced the event."""
    board, turn = before.board, before.turn
    action = board.spaces[turn.space].action if turn is not None else None
    if event.kind == "lost" and action is not None and action.verb == "shoot":
        return action.name
    section = _SECTIONS.get(event.kind)
    place = board.areas[event.area].kind if event.area >= 0 else ""
    closer = _BY_PLACE.get((section or "", place))
    return closer if closer in load_book(board.mode.rulebook) else section
