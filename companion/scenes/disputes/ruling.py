"""The ruling: the verdict first, then what it rests on, each criterion with its place in the book and on the map."""

from __future__ import annotations

from dataclasses import replace

from companion.core.language import _
from companion.games.match import Match
from companion.games.rules_search import library_of
from companion.scenes.base.rules import RulesScene
from companion.scenes.base.stage import Scene
from companion.scenes.base.verdict import VerdictScene
from companion.scenes.disputes.reasons import RulesQuestion, about, is_by_chain, named_areas, spoken
from companion.scenes.disputes.remedies import remedies
from companion.text.orders import question
from companion.ui.screen import Screen
from engine.orders.position import Position
from engine.orders.steps import Step
from engine.ruling import Finding, Ruling


class RulingScene(VerdictScene):
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
        plea: RulesQuestion | None = None,
    ) -> None:
        position, step = asked
        self.plea = plea or RulesQuestion(
            question(step, position), position, step, ruling, remedies=remedies(position, step, ruling)
        )
        self.match = match
        self._asked_of = match.position if match is not None and plea is not None else None
        super().__init__(self.plea, back)

    @classmethod
    def of(cls, plea: RulesQuestion, back: Scene, match: Match | None = None) -> RulingScene:
        """The ruling on a question that was put to the rules."""
        return cls(plea.ruling, (plea.position, plea.step), back, match, plea)

    def show(self) -> Screen:
        """The verdict, what would help, and the criteria, beside the map of the one that was touched."""
        return replace(super().show(), map=about(self.findings[self.chosen] if self.findings else None, self.plea))

    def spoken(self, finding: Finding) -> str:
        """A criterion as a sentence, with spaces and cards by the names that are printed."""
        return spoken(finding, self.plea)

    def beside(self, finding: Finding) -> bool:
        """Whether the map has a chain to show of it."""
        return is_by_chain(finding) and bool(named_areas(self.plea.position.board, finding.message))

    def gone_on(self) -> bool:
        """Whether the other player has played on since the question was put."""
        return self.match is not None and self._asked_of not in (None, self.match.position)

    def may_settle(self) -> bool:
        """In a game that goes on."""
        return self.match is not None and self.plea.position.winner_name is None

    def settle(self) -> Scene:
        """The board as the players agree that it stands."""
        from companion.scenes.disputes.settle import SettleScene

        assert self.match is not None
        return SettleScene(self.match, self.plea, self)

    def reading(self, name: str) -> Scene:
        """An open question; with a match both can choose the other answer."""
        from companion.scenes.disputes.readings import ReadingScene

        return ReadingScene(name, self.plea.position, self, self.match)

    def rules(self) -> Scene:
        """The rules that were looked at."""
        library = library_of(self.plea.position.board.mode, _)
        return RulesScene(library, self, about=tuple(one.rule for one in self.findings))
