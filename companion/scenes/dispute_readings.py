"""What the book leaves open: each question with both answers, what the other would change, and a switch for both."""

from __future__ import annotations

from companion.language import _
from companion.match import Match
from companion.scenes.consent import ConsentScene, People
from companion.scenes.dispute_effects import effects
from companion.scenes.screen import Block, Button, Intent, Option, Options, Screen, Slip, Text
from companion.scenes.stage import Scene
from companion.scenes.words import sentence
from engine.orders.position import Position
from engine.orders.steps import Agreed
from engine.rulebook import Reading

MOST_EFFECTS = 4


class ReadingsScene:
    """All open questions with the answer that is played."""

    def __init__(self, match: Match, back: Scene) -> None:
        self.match = match
        self.back = back
        self.page = 0

    def show(self) -> Screen:
        """A slip for each; those that are switched say so."""
        position = self.match.position
        slips = tuple(self._slip(one, position) for one in position.board.mode.readings.values())
        return Screen(
            title=_("Open questions"),
            blocks=(Text(_("Here the book is silent. You decide, together."), "quiet"), *slips),
            actions=(Button(_("Back"), Intent("back"), "primary"),),
            page=self.page,
        )

    def _slip(self, one: Reading, position: Position) -> Slip:
        cite = "" if one.other else _("one answer only")
        if one.name in position.readings:
            cite = _("switched in this game")
        return Slip(_(one.question), sentence(_(played(one, position))), cite, Intent("reading", one.name))

    def touch(self, intent: Intent) -> Scene | None:
        """Open one, turn the page, or go back."""
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "reading" and intent.what in self.match.position.board.mode.readings:
            return ReadingScene(intent.what, self.match.position, self, self.match)
        return self.back if intent.verb == "back" else None


def played(one: Reading, position: Position) -> str:
    """The answer that is played in a position."""
    return one.other if one.name in position.readings else one.default


class ReadingScene:
    """One open question. With a match both players can choose the other answer from here on."""

    def __init__(self, name: str, position: Position, back: Scene, match: Match | None = None) -> None:
        self.name = name
        self._position = position
        self.back = back
        self.match = match
        self.page = 0
        self._told: tuple[Position, tuple[str, ...]] | None = None

    @property
    def position(self) -> Position:
        """Where the question is asked: in the game as it is now, where there is one."""
        return self.match.position if self.match is not None else self._position

    @property
    def reading(self) -> Reading:
        """The question with its answers."""
        return self.position.board.mode.readings[self.name]

    def show(self) -> Screen:
        """The question, where the book falls silent, both answers, and what the other one would change now."""
        one = self.reading
        place = Text(_("Not settled in the rulebook: {place}.").format(place=one.citation), "quiet")
        return Screen(
            title=_(one.question),
            blocks=(place, *(self._answers() if one.other else self._only()), *self._changed()),
            actions=(Button(_("Back"), Intent("back"), "primary"),),
            page=self.page,
        )

    def _answers(self) -> tuple[Block, ...]:
        """Both answers as options; how to choose."""
        how = _("Touch the other answer: both of you have to agree.") if self.match is not None else ""
        options = (self._option("default", self.reading.default), self._option("other", self.reading.other))
        return (Options("", options, 16.0), *((Text(how, "quiet"),) if how else ()))

    def _option(self, answer: str, text: str) -> Option:
        return Option(sentence(_(text)), Intent("answer", answer), answer == self._answer())

    def _only(self) -> tuple[Block, ...]:
        return (
            Text(sentence(_(self.reading.default)), "strong"),
            Text(_("There is no other answer to choose."), "quiet"),
        )

    def _answer(self) -> str:
        return "other" if self.name in self.position.readings else "default"

    def _changed(self) -> tuple[Block, ...]:
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
            self._told = (position, effects(position, self.name))
        return self._told[1]

    def touch(self, intent: Intent) -> Scene | None:
        """Ask both for the other answer, turn the page, or go back."""
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "answer" and self.match is not None and intent.what != self._answer():
            return self._ask(self.match, intent.what)
        return self.back if intent.verb == "back" else None

    def _ask(self, match: Match, answer: str) -> Scene | None:
        text = sentence(_(self.reading.other if answer == "other" else self.reading.default))
        effect = _("{answer} It counts from now on, is marked in the log, and can be undone.").format(answer=text)
        people = People(match.board.factions, match.players)
        return ConsentScene((_("Play it like this?"), effect), people, lambda: self._switch(match, answer), self)

    def _switch(self, match: Match, answer: str) -> Scene | None:
        match.offer(Agreed(readings=((self.name, answer),)))
        return self
