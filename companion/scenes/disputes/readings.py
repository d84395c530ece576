"""What the book leaves open: each question with both answers, what the other would change, and a switch for both."""

from __future__ import annotations

from companion.core.language import _
from companion.games.match import Match
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.stage import Scene
from companion.scenes.disputes.boardless_readings import OpenQuestion, OpenQuestions
from companion.scenes.disputes.effects import effects
from companion.text.orders import sentence
from companion.text.people import People
from companion.ui.screen import Block, Text
from engine.orders.position import Position
from engine.orders.steps import Agreed

MOST_EFFECTS = 4


class ReadingsScene(OpenQuestions):
    """All open questions with the answer that is played."""

    def __init__(self, match: Match, back: Scene) -> None:
        super().__init__(match.position.board.mode.readings, back)
        self.match = match

    def switched(self) -> frozenset[str]:
        """As the game plays them now."""
        return self.match.position.readings

    def one(self, name: str) -> Scene:
        """One of them, with its switch."""
        return ReadingScene(name, self.match.position, self, self.match)


class ReadingScene(OpenQuestion):
    """One open question. With a match both players can choose the other answer from here on."""

    def __init__(self, name: str, position: Position, back: Scene, match: Match | None = None) -> None:
        super().__init__(position.board.mode.readings[name], back)
        self._position = position
        self.match = match
        self._told: tuple[Position, tuple[str, ...]] | None = None

    @property
    def position(self) -> Position:
        """Where the question is asked: in the game as it is now, where there is one."""
        return self.match.position if self.match is not None else self._position

    def is_switched(self) -> bool:
        """Whether the other answer is played."""
        return self.reading.name in self.position.readings

    def how(self) -> str:
        """By both players' word, in a game."""
        return _("Touch the other answer: both of you have to agree.") if self.match is not None else ""

    def changed(self) -> tuple[Block, ...]:
        """What would be different on this board now."""
        if not self.reading.other:
            return ()
        if self.position.turn is not None:
            return (Text(_("What it changes shows when this turn is over."), "quiet"),)
        told = self._effects()
        if not told:
            return (Text(_("On this board it changes nothing right now."), "quiet"),)
        more = len(told) - MOST_EFFECTS
        last = (Text(_("… and {n} more.").format(n=more), "quiet"),) if more > 0 else ()
        return (Text(_("With the other answer, now:"), "strong"), *map(Text, told[:MOST_EFFECTS]), *last)

    def _effects(self) -> tuple[str, ...]:
        """Worked out once for each position."""
        position = self.position
        if self._told is None or self._told[0] is not position:
            self._told = (position, effects(position, self.reading.name))
        return self._told[1]

    def choose(self, answer: str) -> Scene | None:
        """Ask both for the other answer."""
        return self._ask(self.match, answer) if self.match is not None else None

    def _ask(self, match: Match, answer: str) -> Scene | None:
        text = sentence(_(self.reading.other if answer == "other" else self.reading.default))
        effect = _("{answer} It counts from now on, is marked in the log, and can be undone.").format(answer=text)
        people = People(match.board.factions, match.players)
        return ConsentScene((_("Play it like this?"), effect), people, lambda: self._switch(match, answer), self)

    def _switch(self, match: Match, answer: str) -> Scene | None:
        match.offer(Agreed(readings=((self.reading.name, answer),)))
        return self
