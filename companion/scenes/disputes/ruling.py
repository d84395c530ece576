"""Rulings, with the verdict and its criteria; and the questions that the rulebook leaves open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from companion.core.language import _, plural
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.reasons import edition_note, sort_findings
from companion.scenes.base.rules import RulesScene
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.story.presenter import RulesQuestion, SystemPresenter, with_picture
from companion.scenes.story.tables import AnyTable, GameTable
from companion.text.orders import sentence
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Check,
    Checks,
    Intent,
    Option,
    Options,
    Screen,
    Slip,
    Text,
    Verdict,
    back_button,
)
from engine.rulebook import Reading
from engine.ruling import Finding, Ruling

P = TypeVar("P")
S = TypeVar("S")


# ---- what the book leaves open --------------------------------------------------------------------


class ReadingsScene(BackScene):
    """The questions that a game's rulebook leaves open, with the answers in play."""

    def __init__(self, table: AnyTable, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.readings = table.presenter.readings(table.match.position)

    def show(self) -> Screen:
        """Show a slip for each question with its answer, and which answers were changed in this game."""
        return self._screen((Text(_("The rulebook doesn't say. You decide together."), "quiet"),), _slip)

    def show_to(self, _seat: str) -> Screen:
        """Show the questions without their answers, as there is half the room; a touch opens them."""
        return self._screen((), _question)

    def _screen(self, head: tuple[Block, ...], slip: Callable[[Reading, bool], Slip]) -> Screen:
        switched = self.table.presenter.switched_readings(self.table.match.position)
        return Screen(
            title=_("Unclear rules"),
            blocks=(*head, *(slip(reading, reading.name in switched) for reading in self.readings.values())),
            actions=(back_button("primary"),),
            page=self.page,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Open a question, turn the page, or go back."""
        if intent.verb == "reading" and intent.what in self.readings:
            return ReadingScene(self.table.presenter, intent.what, self.table.match.position, self, self.table)
        return super().touch(intent)


def _slip(reading: Reading, switched: bool) -> Slip:
    """Return a slip with the question and the answer in play."""
    cite = "" if reading.other else _("one answer only")
    if switched:
        cite = _("changed in this game")
    return Slip(
        _(reading.question),
        sentence(_(reading.other if switched else reading.default)),
        cite,
        Intent("reading", reading.name),
    )


def _question(reading: Reading, switched: bool) -> Slip:
    """Return a slip with the question in small print, or in bold if its answer was changed."""
    intent = Intent("reading", reading.name)
    return Slip(_(reading.question), intent=intent) if switched else Slip("", _(reading.question), intent=intent)


class ReadingScene(BackScene):
    """One question that the rulebook leaves open; at a table, players may agree to switch its answer."""

    def __init__(
        self, presenter: SystemPresenter[Any, Any], name: str, position: Any, back: Scene, table: AnyTable | None = None
    ) -> None:
        super().__init__(back)
        self.presenter = presenter
        self.reading = presenter.readings(position)[name]
        self._position = position
        self.table = table
        self._effects: tuple[Any, tuple[Block, ...]] = (None, ())

    @property
    def position(self) -> Any:
        """The position the question is about: the table's current one, if there is a table."""
        return self._position if self.table is None else self.table.match.position

    def show(self) -> Screen:
        """Show the question, its place in the rulebook, its answers, and what switching would change if possible."""
        reading = self.reading
        only = (
            Text(sentence(_(reading.default)), "strong"),
            Text(_("There's no alternative to choose."), "quiet"),
        )
        place = Text(_("The rulebook leaves this open: {place}.").format(place=reading.citation), "quiet")
        return Screen(
            title=_(reading.question),
            blocks=(place, *(self._answers() if reading.other else only)),
            actions=(back_button("primary"),),
            page=self.page,
        )

    def _played(self) -> str:
        return "other" if self.reading.name in self.presenter.switched_readings(self.position) else "default"

    def _answers(self) -> tuple[Block, ...]:
        """Return both answers as options, how to choose one, and what would change."""
        texts = {"default": self.reading.default, "other": self.reading.other}
        options = tuple(
            Option(sentence(_(text)), Intent("answer", answer), answer == self._played())
            for answer, text in texts.items()
        )
        how = _("To switch, touch the other answer; you both have to agree.")
        if self.presenter.reading_step(self.reading.name, "other") is None:
            how = _("Choose the answer before a game, under house rules.")
        return Options("", options, 16.0), *([Text(how, "quiet")] if self.table is not None else []), *self._changes()

    def _changes(self) -> tuple[Block, ...]:
        """Return what switching would change now, worked out once for each position."""
        position = self.position
        if self._effects[0] is not position:
            self._effects = position, self.presenter.reading_effects(position, self.reading.name)
        return self._effects[1]

    def touch(self, intent: Intent) -> Scene | None:
        """Ask both to switch to the touched answer, turn the page, or go back."""
        if intent.verb == "answer" and intent.what != self._played() and self.table is not None:
            return self._choose(self.table, intent.what)
        return super().touch(intent)

    def _choose(self, table: AnyTable, answer: str) -> Scene | None:
        """Ask both players to switch to the other answer, if this can be done during a game."""
        step = self.presenter.reading_step(self.reading.name, answer)
        if step is None:
            return None
        text = sentence(_(self.reading.other if answer == "other" else self.reading.default))
        effect = _("{answer} Applies from now on, is logged, and can be undone.").format(answer=text)

        def switch() -> Scene:
            table.match.offer(step)
            return self

        return ConsentScene((_("Play it this way?"), effect), table.people, switch, self)


# ---- the ruling -----------------------------------------------------------------------------------


def question_of(table: GameTable[P, S], position: P, step: S) -> RulesQuestion[P, S]:
    """Return the question of whether a step is legal in a position, with the full ruling and the remedies."""
    presenter = table.presenter
    ruling = table.match.system.examine(position, step)
    remedies = () if ruling.legal else presenter.remedies(position, step, ruling)
    return RulesQuestion(presenter.question(step, position), position, ruling, step, remedies=remedies)


def ruling_on(table: GameTable[P, S], step: S, back: Scene) -> Scene:
    """Return the scene with the ruling on whether this step is legal now, and why."""
    return RulingScene(table.presenter, question_of(table, table.match.position, step), back, table)


def step_ruling(table: AnyTable, number: int, back: Scene) -> Scene:
    """Return the scene with the ruling on why a recorded step (counted from 1) was allowed."""
    match = table.match
    question = question_of(table, match.positions[number - 1], match.steps[number - 1])
    return RulingScene(table.presenter, question, back, table, past=True)


class RulingScene(BackScene):
    """A ruling: why something is allowed or not. A touch on a criterion shows its areas, or its open question.

    After a "no", the criteria that are met are folded behind one line until `unfolded`. At a table, players may
    overrule it while the game has not gone on. past: the question is about an earlier moment of the game.
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
        """The verdict with all its criteria."""
        return self.question.ruling

    def may_settle(self) -> bool:
        """Return whether the players may overrule it: it is about the current position, and the game isn't over."""
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
        """Show the same without a picture in the `board` field, as half the screen has no room for it."""
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
        """Return the line behind which the criteria that are met are folded; empty once unfolded, or if none is met."""
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
        """Show a criterion or its reading, unfold the rest, open the rules, overrule it, or go back."""
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
