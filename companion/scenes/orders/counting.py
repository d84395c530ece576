"""What stands in an area, counted by hand where the camera can't tell."""

from __future__ import annotations

from companion.core.language import _
from companion.scenes.base.counts import Counts, key_of
from companion.scenes.base.map_picture import Marks
from companion.scenes.base.panels import Answer, Close, Face, Reply
from companion.text.orders import unit_name, what_stands
from companion.ui.screen import Intent, Stepper, Steppers, Text, cancel_button, confirm_button
from engine.orders.position import Position
from engine.orders.steps import Step


class CountPanel:
    """What stands in an area, counted by hand."""

    def __init__(self, position: Position, area: str) -> None:
        self.position = position
        self.area = position.board.area(area)
        self.counts = Counts()
        for faction, units in position.units_in(area).items():
            self.counts.of.update({(faction, unit): n for unit, n in units.items()})

    def _most(self) -> int:
        return 2 * self.position.board.mode.caps[self.area.kind]

    def _kinds(self) -> list[tuple[str, str]]:
        mode = self.position.board.mode
        units = [mode.units[kind].name for kind in mode.kinds_on[self.area.kind]]
        return [(faction, unit) for faction in self.position.board.factions for unit in units]

    def show(self) -> Face:
        """Show a stepper for each side's units of a kind."""
        steppers = tuple(
            Stepper(
                unit_name(faction, unit),
                self.counts.of.get((faction, unit), 0),
                self._most(),
                "count",
                f"{faction}/{unit}",
            )
            for faction, unit in self._kinds()
        )
        title = Text(what_stands(self.area.name), "title")
        actions = (cancel_button(), confirm_button(_("That's right")))
        return Face((title, Steppers(steppers)), actions, Marks({self.area.name: "target"}))

    def touch(self, intent: Intent) -> Reply[Step]:
        """Count, confirm or cancel."""
        if intent.verb == "count":
            self.counts.change(intent.what, intent.n, self._most())
        if intent.verb == "confirm":
            counted = [(key_of(f"{who}/{unit}"), n) for (who, unit), n in self.counts.of.items() if n]
            return Answer(self.area.name, tuple(sorted((who, unit, n) for (who, unit), n in counted)))
        return Close() if intent.verb == "cancel" else None
