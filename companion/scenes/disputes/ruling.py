"""The ruling: the verdict first, then what it rests on, each criterion with its place in the book."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from companion.core.language import _, plural
from companion.scenes.base.reasons import edition_note, sort_findings
from companion.scenes.base.rules import RulesScene
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.disputes.readings import ReadingScene
from companion.scenes.story.presenter import RulesQuestion, SystemPresenter, with_picture
from companion.scenes.story.tables import AnyTable, GameTable
from companion.ui.screen import Block, Button, Buttons, Check, Checks, Intent, Screen, Slip, Text, Verdict, back_button
from engine.ruling import Finding, Ruling

P = TypeVar("P")
S = TypeVar("S")


def question_of(table: GameTable[P, S], position: P, step: S) -> RulesQuestion[P, S]:
    """Return the question whether a step may be taken there, with every criterion and the remedies."""
    presenter = table.presenter
    ruling = table.match.system.examine(position, step)
    remedies = () if ruling.legal else presenter.remedies(position, step, ruling)
    return RulesQuestion(presenter.question(step, position), position, ruling, step, remedies=remedies)


def ruling_on(table: GameTable[P, S], step: S, back: Scene) -> Scene:
    """Open the ruling on whether this step may be taken now, and why."""
    return RulingScene(table.presenter, question_of(table, table.match.position, step), back, table)


def step_ruling(table: AnyTable, number: int, back: Scene) -> Scene:
    """Open the ruling on why a step (counted from 1) was allowed when it was taken."""
    match = table.match
    question = question_of(table, match.positions[number - 1], match.steps[number - 1])
    return RulingScene(table.presenter, question, back, table, past=True)


class RulingScene(BackScene):
    """Why, or why not. A touch on a criterion shows what it is about; one of an open question leads to its answers.

    Where something objects, what holds is folded away behind one line (`unfolded`).
    At a table open questions of the rules can be answered anew from here, and the players can settle it otherwise,
    as long as the game has not gone on. past: the question is about a moment of the past.
    """

    def __init__(
        self,
        presenter: SystemPresenter[Any, Any],
        question: RulesQuestion[Any, Any],
        back: Scene,
        table: AnyTable | None = None,
        *,
        past: bool = False,
    ) -> None:
        super().__init__(back)
        self.presenter = presenter
        self.question = question
        self.table = table
        self._asked_of = table.match.position if table is not None and not past else None
        self.findings = sort_findings(question.ruling)
        deciding = (i for i, finding in enumerate(self.findings) if not finding.holds or self._is_pictured(finding))
        self.chosen = next(deciding, 0)
        self.unfolded = question.ruling.legal

    @property
    def ruling(self) -> Ruling:
        """The verdict and all that it rests on."""
        return self.question.ruling

    def may_settle(self) -> bool:
        """Return whether the players may settle it otherwise: it is about the game as it stands, which isn't over."""
        if self.table is None or self._asked_of is not self.table.match.position:
            return False
        return self.table.winner is None

    def _criterion(self, finding: Finding) -> str:
        return self.presenter.criterion(finding, self.question)

    def _is_pictured(self, finding: Finding) -> bool:
        return self.presenter.is_pictured(finding, self.question)

    # ---- what it shows ------------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the verdict, the remedies and the criteria, beside a picture of the criterion that was touched."""
        asked = self.question
        followed = filter(None, (edition_note(finding) for finding in self.findings[:1] if not finding.holds))
        remedies = tuple(Text(text, "quiet") for text in (*followed, *asked.remedies))
        preface = (Text(asked.preface, "quiet"),) if asked.preface else ()
        otherwise = Button(_("We play it differently"), Intent("settle"), "quiet", "tick")  # it is the players' game
        settle = () if self.ruling.legal or not self.may_settle() else (Buttons((otherwise,), 1),)
        has_gone_on = self.table is not None and self._asked_of not in (None, self.table.match.position)
        words = Screen(
            title=asked.question,
            blocks=(self.verdict(), *preface, *remedies, *self._criteria(), *settle),
            actions=(back_button("primary"), Button(_("Rules"), Intent("rules"))),
            banner=_("The game has moved on. Ask again.") if has_gone_on else "",
            page=self.page,
        )
        chosen = self.findings[self.chosen] if self.findings else None
        return with_picture(words, self.presenter.picture_of(asked, chosen))

    def show_to(self, _seat: str) -> Screen:
        """Show the words alone, as there is half the room and the table stands between the players."""
        return replace(self.show(), board=None)

    def verdict(self) -> Verdict:
        """Return the question's own verdict, else yes, or no with the first objection."""
        if self.question.verdict is not None:
            return self.question.verdict
        objections = self.ruling.objections
        if not objections:
            held = plural("{n} rule checked", "{n} rules checked", len(self.findings))
            return Verdict(True, _("Yes, that's allowed."), held)
        first = self.findings[0]
        more = len(objections) - 1
        cite = _("Rulebook: {place}").format(place=first.citation)
        if more:
            cite += " · " + plural("{n} more rule forbids it", "{n} more rules forbid it", more)
        return Verdict(False, _("No. {why}").format(why=self._criterion(first)), cite)

    def _criteria(self) -> tuple[Block, ...]:
        """Return slips for objections and for criteria about places, and short lines for the rest.

        The verdict is not repeated.
        """
        slips, lines = [], []
        for i, finding in enumerate(self.findings):
            if finding.holds and not self.unfolded:
                continue
            if not finding.holds or finding.reading or self._is_pictured(finding):
                slips.append(self._slip(i, finding))
            else:
                lines.append(Checks((Check(self._criterion(finding), str(finding.citation)),)))
        said = not self.ruling.legal and not self.findings[0].reading
        return (*slips[1 if said else 0 :], *lines, *self._fold())

    def _fold(self) -> tuple[Block, ...]:
        """Return the line behind which all the rules that are met are folded away."""
        n = sum(finding.holds for finding in self.findings)
        if self.unfolded or not n:
            return ()
        met = plural("{n} other rule is met", "{n} other rules are met", n)
        return (Slip(met, intent=Intent("unfold"), mark="yes"),)

    def _slip(self, index: int, finding: Finding) -> Slip:
        cite = str(finding.citation)
        if finding.reading:
            cite += " · " + _("unclear rule: touch to see both answers")
        mark = "yes" if finding.holds else "no"
        chosen = index == self.chosen and not finding.reading
        return Slip(self._criterion(finding), edition_note(finding), cite, Intent("criterion", "", index), mark, chosen)

    # ---- touches ------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Turn the page, choose a criterion, look at its rules or its reading, or go back."""
        match intent.verb:
            case "criterion" if 0 <= intent.n < len(self.findings):
                self.chosen = intent.n
                finding = self.findings[intent.n]
                if not finding.readings:
                    return None
                name = (*finding.also, *finding.readings)[0]
                return ReadingScene(self.presenter, name, self.question.position, self, self.table)
            case "unfold":
                self.unfolded = True
                return None
            case "rules":
                library = self.presenter.library(self.question.position)
                return RulesScene(library, self, about=tuple(finding.rule for finding in self.findings))
            case "settle" if self.table is not None and self.may_settle():
                return self.table.settle(self.question, self)
        return super().touch(intent)
