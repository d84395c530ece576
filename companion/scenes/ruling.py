"""The ruling: the verdict first, then what it rests on, each criterion with its place in the book and on the map."""

from __future__ import annotations

from companion.language import _, plural
from companion.match import Match
from companion.scenes.dispute_reasons import Plea, about, is_by_chain, named_areas, of_editions, ordered, spoken
from companion.scenes.dispute_remedies import remedies
from companion.scenes.rules import RulesScene
from companion.scenes.screen import (
    Block,
    Button,
    Buttons,
    Check,
    Checks,
    Intent,
    MapPicture,
    Screen,
    Slip,
    Text,
    Verdict,
)
from companion.scenes.stage import Scene
from companion.scenes.words import question
from engine.orders.position import Position
from engine.orders.steps import Step
from engine.ruling import Finding, Ruling


class RulingScene:
    """Why, or why not. A touch on a criterion shows on the map what it is about; a reading leads to its answers.

    With a match an open question of the rules can be answered anew from here, and the players can settle it
    otherwise.
    """

    def __init__(
        self,
        ruling: Ruling,
        asked: tuple[Position, Step],
        back: Scene,
        match: Match | None = None,
        plea: Plea | None = None,
    ) -> None:
        position, step = asked
        self.plea = plea or Plea(
            question(step, position), position, step, ruling, remedies=remedies(position, step, ruling)
        )
        self.back = back
        self.match = match
        self.findings = ordered(ruling)
        self._asked_of = match.position if match is not None and plea is not None else None
        self.chosen = next((i for i, one in enumerate(self.findings) if not one.holds or self._on_map(one)), 0)
        self.page = 0

    @classmethod
    def of(cls, plea: Plea, back: Scene, match: Match | None = None) -> RulingScene:
        """The ruling on a question that was put to the rules."""
        return cls(plea.ruling, (plea.position, plea.step), back, match, plea)

    @property
    def ruling(self) -> Ruling:
        """The verdict and all that it rests on."""
        return self.plea.ruling

    def show(self) -> Screen:
        """The verdict, what would help, and the criteria."""
        followed = filter(None, (of_editions(one) for one in self.findings[:1] if not one.holds))
        remedies = tuple(Text(text, "quiet") for text in (*followed, *self.plea.remedies))
        preface = (Text(self.plea.preface, "quiet"),) if self.plea.preface else ()
        return Screen(
            title=self.plea.question,
            blocks=(self._verdict(), *preface, *remedies, *self._criteria(), *self._settle()),
            actions=self._actions(),
            banner=self._gone_on(),
            page=self.page,
            map=self._map(),
        )

    def _gone_on(self) -> str:
        """Said where the other player has played on since the question was put."""
        if self.match is None or self._asked_of in (None, self.match.position):
            return ""
        return _("The game has gone on since you asked: ask again.")

    def _verdict(self) -> Verdict:
        """Yes or no in one sentence: the first objection, or that nothing stands against it."""
        objections = self.ruling.objections
        if not objections:
            return Verdict(True, _("Yes. Nothing stands against it."), self._held())
        first = self.findings[0]
        more = len(objections) - 1
        cite = _("Rulebook: {place}").format(place=first.citation)
        if more:
            cite += " · " + plural("{n} more rule stands against it", "{n} more rules stand against it", more)
        return Verdict(False, _("No. {why}").format(why=spoken(first, self.plea)), cite)

    def _held(self) -> str:
        return plural("{n} rule looked at", "{n} rules looked at", len(self.findings))

    def _criteria(self) -> tuple[Block, ...]:
        """Slips for what objects or is about places, short lines for the rest. The verdict is not said twice."""
        slips, lines = [], []
        for i, one in enumerate(self.findings):
            if not one.holds or one.reading or self._on_map(one):
                slips.append(self._slip(i, one))
            else:
                lines.append(Checks((Check(spoken(one, self.plea), str(one.citation)),)))
        said = not self.ruling.legal and not self.findings[0].reading
        return (*slips[1 if said else 0 :], *lines)

    def _on_map(self, one: Finding) -> bool:
        """Whether the map has a chain to show of it."""
        return is_by_chain(one) and bool(named_areas(self.plea.position.board, one.message))

    def _slip(self, index: int, one: Finding) -> Slip:
        cite = str(one.citation)
        if one.reading:
            cite += " · " + _("an open question: touch to see both answers")
        mark = "yes" if one.holds else "no"
        chosen = index == self.chosen and not one.reading
        return Slip(spoken(one, self.plea), of_editions(one), cite, Intent("criterion", "", index), mark, chosen)

    def _map(self) -> MapPicture:
        return about(self.findings[self.chosen] if self.findings else None, self.plea)

    def _actions(self) -> tuple[Button, ...]:
        back = Button(_("Back"), Intent("back"), "primary")
        return back, Button(_("Rules about this"), Intent("rules"))

    def _settle(self) -> tuple[Block, ...]:
        """What the players can do about a "no": it is their game."""
        if self.match is None or self.ruling.legal or self.plea.position.winner_name is not None:
            return ()
        return (Buttons((Button(_("We play it otherwise"), Intent("settle"), "quiet", "tick"),), 1),)

    def touch(self, intent: Intent) -> Scene | None:
        """Turn the page, choose a criterion, look at its rules or its reading, or go back."""
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "criterion" and 0 <= intent.n < len(self.findings):
            self.chosen = intent.n
            reading = self.findings[intent.n].reading
            return self._reading(reading) if reading else None
        elif intent.verb == "rules":
            rules = tuple(one.rule for one in self.findings)
            return RulesScene(self.plea.position.board.mode, self, about=rules)
        elif intent.verb == "settle" and self.match is not None:
            from companion.scenes.dispute_settle import SettleScene

            return SettleScene(self.match, self.plea, self)
        return self.back if intent.verb == "back" else None

    def _reading(self, name: str) -> Scene:
        from companion.scenes.dispute_readings import ReadingScene

        return ReadingScene(name, self.plea.position, self, self.match)
