"""A ruling on a page: the verdict first, then what it rests on, each criterion with its place in the book.

What it is about is shown by the picture beside it, which a system's own ruling chooses.
"""

from __future__ import annotations

from typing import Protocol

from companion.core.language import _, plural
from companion.scenes.base.reasons import of_editions, ordered
from companion.scenes.base.stage import Scene
from companion.ui.screen import Block, Button, Buttons, Check, Checks, Intent, Screen, Slip, Text, Verdict
from engine.ruling import Finding, Ruling


class Asked(Protocol):
    """A question that was put to the rules, and the answer.

    preface: what has to be known first ("It is Black's turn."); remedies: what would change a "no".
    """

    @property
    def question(self) -> str:
        """The question as players read it."""

    @property
    def ruling(self) -> Ruling:
        """The answer, with every criterion."""

    @property
    def preface(self) -> str:
        """What has to be known first."""

    @property
    def remedies(self) -> tuple[str, ...]:
        """What would change a "no"."""


class VerdictScene:
    """Why, or why not. A touch on a criterion shows what it is about; one of an open question leads to its answers."""

    def __init__(self, asked: Asked, back: Scene) -> None:
        self.asked = asked
        self.back = back
        self.findings = ordered(asked.ruling)
        self.chosen = next((i for i, one in enumerate(self.findings) if not one.holds or self.beside(one)), 0)
        self.page = 0

    # ---- what a system says of it -------------------------------------------------------------------

    def spoken(self, finding: Finding) -> str:
        """A criterion as a sentence."""
        raise NotImplementedError

    def beside(self, finding: Finding) -> bool:
        """Whether the picture has something to show of it, though it holds."""
        del finding
        return False

    def may_settle(self) -> bool:
        """Whether the players may settle it otherwise from here."""
        return False

    def gone_on(self) -> bool:
        """Whether the other player has played on since the question was put."""
        return False

    def settle(self) -> Scene:
        """Where they do."""
        raise NotImplementedError

    def reading(self, name: str) -> Scene:
        """An open question with its answers."""
        raise NotImplementedError

    def rules(self) -> Scene:
        """The rules that were looked at."""
        raise NotImplementedError

    # ---- what it shows ------------------------------------------------------------------------------

    @property
    def ruling(self) -> Ruling:
        """The verdict and all that it rests on."""
        return self.asked.ruling

    def show(self) -> Screen:
        """The verdict, what would help, and the criteria."""
        followed = filter(None, (of_editions(one) for one in self.findings[:1] if not one.holds))
        remedies = tuple(Text(text, "quiet") for text in (*followed, *self.asked.remedies))
        preface = (Text(self.asked.preface, "quiet"),) if self.asked.preface else ()
        return Screen(
            title=self.asked.question,
            blocks=(self.verdict(), *preface, *remedies, *self._criteria(), *self._settle()),
            actions=(Button(_("Back"), Intent("back"), "primary"), Button(_("Rules about this"), Intent("rules"))),
            banner=_("The game has gone on since you asked: ask again.") if self.gone_on() else "",
            page=self.page,
        )

    def verdict(self) -> Verdict:
        """Yes or no in one sentence: the first objection, or that nothing stands against it."""
        objections = self.ruling.objections
        if not objections:
            held = plural("{n} rule looked at", "{n} rules looked at", len(self.findings))
            return Verdict(True, _("Yes. Nothing stands against it."), held)
        first = self.findings[0]
        more = len(objections) - 1
        cite = _("Rulebook: {place}").format(place=first.citation)
        if more:
            cite += " · " + plural("{n} more rule stands against it", "{n} more rules stand against it", more)
        return Verdict(False, _("No. {why}").format(why=self.spoken(first)), cite)

    def _criteria(self) -> tuple[Block, ...]:
        """Slips for what objects or is about places, short lines for the rest. The verdict is not said twice."""
        slips, lines = [], []
        for i, one in enumerate(self.findings):
            if not one.holds or one.reading or self.beside(one):
                slips.append(self._slip(i, one))
            else:
                lines.append(Checks((Check(self.spoken(one), str(one.citation)),)))
        said = not self.ruling.legal and not self.findings[0].reading
        return (*slips[1 if said else 0 :], *lines)

    def _slip(self, index: int, one: Finding) -> Slip:
        cite = str(one.citation)
        if one.reading:
            cite += " · " + _("an open question: touch to see both answers")
        mark = "yes" if one.holds else "no"
        chosen = index == self.chosen and not one.reading
        return Slip(self.spoken(one), of_editions(one), cite, Intent("criterion", "", index), mark, chosen)

    def _settle(self) -> tuple[Block, ...]:
        """What the players can do about a "no": it is their game."""
        if self.ruling.legal or not self.may_settle():
            return ()
        return (Buttons((Button(_("We play it otherwise"), Intent("settle"), "quiet", "tick"),), 1),)

    def touch(self, intent: Intent) -> Scene | None:
        """Turn the page, choose a criterion, look at its rules or its reading, or go back."""
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "criterion" and 0 <= intent.n < len(self.findings):
            self.chosen = intent.n
            one = self.findings[intent.n]
            return self.reading((*one.also, *one.readings)[0]) if one.readings else None
        elif intent.verb == "rules":
            return self.rules()
        elif intent.verb == "settle" and self.may_settle():
            return self.settle()
        return self.back if intent.verb == "back" else None
