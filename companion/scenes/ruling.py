"""The ruling: every criterion that was looked at, the objections first, each with its citation."""

from __future__ import annotations

from companion.language import _
from companion.scenes.screen import Button, FindingLine, Findings, Intent, Screen, Text
from companion.scenes.stage import Scene
from companion.scenes.words import sentence
from engine.ruling import Ruling

PLAIN = frozenset({"game", "turn", "commander", "space", "deploy", "area"})  # what goes without saying comes last


class RulingScene:
    """Why, or why not."""

    def __init__(self, ruling: Ruling, asked: str, back: Scene) -> None:
        self.ruling = ruling
        self.asked = asked
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
            title=self.asked,
            blocks=(Text(verdict, "bad" if objections else "good"), Findings(lines)),
            actions=(Button(_("Back to the table"), Intent("back"), "primary"),),
            page=self.page,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Turn the page, or go back."""
        if intent.verb == "page":
            self.page += intent.n
        return self.back if intent.verb == "back" else None
