"""The ruling on a step, or on a question of a system's own, beside the table that it is about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from companion.scenes.base.reasons import bare
from companion.scenes.base.rules import RulesScene
from companion.scenes.base.stage import Scene
from companion.scenes.base.verdict import VerdictScene
from companion.ui.screen import Picture, Screen, Verdict
from engine.ruling import Finding, Ruling

if TYPE_CHECKING:
    from companion.scenes.story.presenter import BoardlessTable

P = TypeVar("P")
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class BoardlessQuestion(Generic[P, S]):
    """A question to the rules and the answer, in a position; step: what it is about, where it is about one.

    preface: what has to be known first; remedies: what would change a "no"; verdict: what is said at the top where
    the question is not one of yes and no.
    """

    question: str
    position: P
    ruling: Ruling
    picture: Picture
    step: S | None = None
    preface: str = ""
    remedies: tuple[str, ...] = ()
    verdict: Verdict | None = None


def plea_of(table: BoardlessTable[P, S], position: P, step: S) -> BoardlessQuestion[P, S]:
    """May this step be taken there, and why? With every criterion, the picture, and what would help."""
    telling = table.telling
    ruling = table.match.system.examine(position, step)
    remedies = () if ruling.legal else telling.remedies(position, step, ruling)
    asked, picture = telling.question(step, position), telling.picture(position, step)
    return BoardlessQuestion(asked, position, ruling, picture, step, remedies=remedies)


class RulingScene(VerdictScene):
    """The verdict with its criteria, and the picture of what was asked."""

    def __init__(self, table: BoardlessTable[Any, Any], plea: BoardlessQuestion[Any, Any], back: Scene) -> None:
        self.table = table
        self.plea = plea
        self._asked_of = table.position
        super().__init__(plea, back)

    def show(self) -> Screen:
        """The verdict and the criteria beside the picture."""
        return replace(super().show(), board=self.plea.picture)

    def show_to(self, seat: str) -> Screen:
        """In a half the words alone: there is no room for a picture."""
        del seat
        return super().show()

    def verdict(self) -> Verdict:
        """The question's own, or yes or no."""
        return self.plea.verdict or super().verdict()

    def spoken(self, finding: Finding) -> str:
        """A criterion with the names that players know."""
        text = self.table.telling.spoken(bare(finding), self.plea.position)
        return text[:1].upper() + text[1:]

    def gone_on(self) -> bool:
        """Whether the other player has played on since the question was put."""
        return self.table.position is not self._asked_of

    def may_settle(self) -> bool:
        """What was asked about the game as it stands, and not about a moment of the past; and it goes on."""
        return self.plea.position is self.table.position and self.table.winner is None

    def settle(self) -> Scene:
        """What both agree on; then back to where the ruling came from."""
        from companion.scenes.disputes.boardless_settle import SettleScene

        return SettleScene(self.table, self.plea.step, self)

    def reading(self, name: str) -> Scene:
        """An open question with its answers."""
        from companion.scenes.disputes.boardless_readings import reading_of

        return reading_of(self.table, name, self)

    def rules(self) -> Scene:
        """The rules that were looked at."""
        return RulesScene(self.table.library(), self, about=tuple(one.rule for one in self.findings))
