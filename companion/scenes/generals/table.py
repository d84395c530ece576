"""The card game at the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.core.language import _
from companion.games.match import GameSession
from companion.scenes.base.panels import Panel
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.generals.by_hand import SideScene, WhoseScene
from companion.scenes.generals.duel import Duel, on_table, open_card
from companion.scenes.generals.looking import look
from companion.scenes.generals.presenter import GENERALS
from companion.scenes.generals.questions import questions
from companion.scenes.generals.score import DuelScoreScene
from companion.scenes.generals.turn import DuelCardsPanel, DuelTurnPanel, OverPanel, ResolvePanel
from companion.scenes.story.presenter import ArgumentQuestion
from companion.scenes.table.table import TableScene
from companion.ui.screen import Intent
from engine.generals.position import SIDES, Position
from engine.generals.steps import Agreed, Step

LAST = 3  # so many steps are told below the turn, as far as there is room


class DuelTable(TableScene[Position, Step]):
    """Generals Order: one turn after the other, its phases in any order."""

    def __init__(self, stage: Stage, match: GameSession[Position, Step], home: Scene) -> None:
        self._resolved = 0  # how many steps there were when the players said that a card is carried out
        super().__init__(stage, match, home, GENERALS)

    def asked_for(self) -> Panel[Step]:
        """Return the panel for a card that the players have to carry out, else for the turn or the end of the game."""
        duel = Duel(self.position, self.people, look)
        self._resolved = min(self._resolved, len(self.match.steps))  # what was taken back is carried out anew
        if self.position.winner is not None:
            return OverPanel(duel)
        hands = ""  # what they do on the table because of the last step
        if self.match.steps and not isinstance(self.match.steps[-1], Agreed):
            hands = " ".join(on_table(self.match.positions[-2], self.position, self.people))
        return self._open_card(duel) or DuelTurnPanel(duel, self.log()[:LAST], hands)

    def _open_card(self, duel: Duel) -> Panel[Step] | None:
        """Return the panel of the last card played if the players carry it out and have not yet said it is done."""
        number = len(self.match.steps)
        while number and isinstance(self.match.steps[number - 1], Agreed):
            number -= 1
        if number <= self._resolved or not number:
            return None
        found = open_card(self.match.positions[number - 1], self.match.steps[number - 1])
        return ResolvePanel(duel, *found) if found is not None else None

    def straight(self, back: Scene) -> Scene:
        """Return the scene in which a side's numbers and generals are set by hand."""
        return WhoseScene(self, back)

    def details(self, back: Scene) -> Scene:
        """Return the scene with the score, or with the result."""
        return DuelScoreScene(self, back)

    def questions(self, back: Scene, _seat: str) -> tuple[ArgumentQuestion, ...]:
        """Return this game's questions: what a general may do, how strong it is, who wins, what a card costs."""
        return questions(self, back)

    @property
    def waits_for(self) -> frozenset[str]:
        """The sides that may do something now; while one has opened something of its own, that side alone."""
        owner = getattr(self.panel, "owner", None)
        return super().waits_for if owner is None else frozenset({SIDES[owner]})

    def own(self) -> Mapping[str, Callable[[Intent], Scene | None]]:
        """Return the handlers of the touches that panels leave to the table."""
        return {
            **super().own(),
            "search": lambda intent: self._search(),
            "resolved": lambda intent: self._end_card(),
            "by-hand": lambda intent: (
                SideScene(self, SIDES.index(who), self) if (who := intent.what) in SIDES else None
            ),
        }

    def _search(self) -> Scene | None:
        """Ask for a text to filter the list of cards by, or show all cards again if it is already filtered."""
        panel = self.panel
        if not isinstance(panel, DuelCardsPanel):
            return None
        if panel.wanted:
            self.panel, self.page = panel.looking_for(""), 0
            return None

        def found(text: str) -> Scene:
            self.panel, self.page = panel.looking_for(text), 0
            return self

        return TypingScene(Ask(_("Which card?"), hint=_("part of its name or faction")), found, self)

    def _end_card(self) -> None:
        self._resolved = len(self.match.steps)
        self.refresh()
