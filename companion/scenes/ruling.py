"""The ruling: every criterion that was looked at, the objections first, each with its citation."""

from __future__ import annotations

import re

from companion.language import _
from companion.scenes.picture import Marks, map_picture
from companion.scenes.screen import Button, FindingLine, Findings, Intent, Screen, Text
from companion.scenes.stage import Scene
from companion.scenes.words import question, sentence
from engine.orders.position import Position
from engine.orders.steps import Deploy, Step
from engine.ruling import Ruling

PLAIN = frozenset({"game", "turn", "commander", "space", "deploy", "area"})  # what goes without saying comes last


class RulingScene:
    """Why, or why not: in words on the right, and on the map the areas that they speak of."""

    def __init__(self, ruling: Ruling, asked: tuple[Position, Step], back: Scene) -> None:
        self.ruling = ruling
        self.position, self.step = asked
        self.back = back
        self.page = 0

    def show(self) -> Screen:
        """The question, the verdict, and the findings."""
        objections = self.ruling.objections
        form = _("{n} rule stands against it.") if len(objections) == 1 else _("{n} rules stand against it.")
        verdict = form.format(n=len(objections)) if objections else _("Nothing stands against it.")
        ordered = sorted(self.ruling.findings, key=lambda one: (one.holds, one.rule.partition(".")[0] in PLAIN))
        lines = tuple(
            FindingLine(one.holds, sentence(one.message), str(one.citation), one.rule, one.reading) for one in ordered
        )
        return Screen(
            title=question(self.step, self.position),
            blocks=(Text(verdict, "bad" if objections else "good"), Findings(lines)),
            actions=(Button(_("Back to the table"), Intent("back"), "primary"),),
            page=self.page,
            map=map_picture(self.position, self._marks(), None),
        )

    def _marks(self) -> Marks:
        """The areas that the objections name, and the space in question."""
        told = " ".join(one.message for one in self.ruling.objections)
        named = set(re.findall(r"\b[a-z]\d\b", told)) & self.position.board.area_index.keys()
        space = self.step.space if isinstance(self.step, Deploy) else ""
        areas = dict.fromkeys(sorted(named), "chosen")
        if ":" in space and space.partition(":")[2] in self.position.board.area_index:
            areas[space.partition(":")[2]] = "target"
        return Marks(areas, {}, space)

    def touch(self, intent: Intent) -> Scene | None:
        """Turn the page, or go back."""
        if intent.verb == "page":
            self.page += intent.n
        return self.back if intent.verb == "back" else None
