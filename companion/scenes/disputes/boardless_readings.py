"""What a book leaves open: each question with both answers, for any system; and a system's own in a game of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.text.orders import sentence
from companion.ui.screen import Block, Button, Intent, Option, Options, Screen, Slip, Text
from engine.rulebook import Reading

if TYPE_CHECKING:
    from companion.scenes.story.presenter import BoardlessTable


class OpenQuestions:
    """All open questions of a book with the answer that is played."""

    def __init__(self, readings: Mapping[str, Reading], back: Scene) -> None:
        self.readings = readings
        self.back = back
        self.page = 0

    def switched(self) -> frozenset[str]:
        """Those that are played by their other answer."""
        raise NotImplementedError

    def one(self, name: str) -> Scene:
        """The scene of one of them."""
        raise NotImplementedError

    def show(self) -> Screen:
        """A slip for each; those that are switched say so."""
        switched = self.switched()
        return Screen(
            title=_("Open questions"),
            blocks=(
                Text(_("Here the book is silent. You decide, together."), "quiet"),
                *(_slip(one, one.name in switched) for one in self.readings.values()),
            ),
            actions=(Button(_("Back"), Intent("back"), "primary"),),
            page=self.page,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Open one, turn the page, or go back."""
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "reading" and intent.what in self.readings:
            return self.one(intent.what)
        return self.back if intent.verb == "back" else None


def _slip(one: Reading, switched: bool) -> Slip:
    """The question and the answer that is played."""
    cite = "" if one.other else _("one answer only")
    if switched:
        cite = _("switched in this game")
    return Slip(_(one.question), sentence(_(one.other if switched else one.default)), cite, Intent("reading", one.name))


class OpenQuestion:
    """One open question with its answers."""

    def __init__(self, reading: Reading, back: Scene) -> None:
        self.reading = reading
        self.back = back
        self.page = 0

    def is_switched(self) -> bool:
        """Whether the other answer is played."""
        raise NotImplementedError

    def how(self) -> str:
        """How the other answer is chosen; "" where it cannot be."""
        return ""

    def choose(self, answer: str) -> Scene | None:
        """The "default" or the "other" answer was touched, which is not the one that is played."""
        raise NotImplementedError

    def changed(self) -> tuple[Block, ...]:
        """What the other answer would change now."""
        return ()

    def show(self) -> Screen:
        """The question, where the book falls silent, both answers, and what the other one would change now."""
        one = self.reading
        place = Text(_("Not settled in the rulebook: {place}.").format(place=one.citation), "quiet")
        return Screen(
            title=_(one.question),
            blocks=(place, *(self._answers() if one.other else self._only()), *self.changed()),
            actions=(Button(_("Back"), Intent("back"), "primary"),),
            page=self.page,
        )

    def _answers(self) -> tuple[Block, ...]:
        """Both answers as options; how to choose."""
        options = (self._option("default", self.reading.default), self._option("other", self.reading.other))
        how = self.how()
        return (Options("", options, 16.0), *((Text(how, "quiet"),) if how else ()))

    def _option(self, answer: str, text: str) -> Option:
        return Option(sentence(_(text)), Intent("answer", answer), answer == self._played())

    def _played(self) -> str:
        return "other" if self.is_switched() else "default"

    def _only(self) -> tuple[Block, ...]:
        return (
            Text(sentence(_(self.reading.default)), "strong"),
            Text(_("There is no other answer to choose."), "quiet"),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Choose the other answer, turn the page, or go back."""
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "answer" and intent.what != self._played():
            return self.choose(intent.what)
        return self.back if intent.verb == "back" else None


# ---- of a game at a table ------------------------------------------------------------------------


class ReadingsScene(OpenQuestions):
    """The open questions of a game's system."""

    def __init__(self, table: BoardlessTable[Any, Any], back: Scene) -> None:
        super().__init__(table.telling.readings(), back)
        self.table = table

    def switched(self) -> frozenset[str]:
        """As this game plays them."""
        return self.table.telling.switched(self.table.position)

    def one(self, name: str) -> Scene:
        """One of them."""
        return reading_of(self.table, name, self)


class ReadingScene(OpenQuestion):
    """One of them; which answer holds was chosen before the game began."""

    def __init__(self, table: BoardlessTable[Any, Any], reading: Reading, back: Scene) -> None:
        super().__init__(reading, back)
        self.table = table

    def is_switched(self) -> bool:
        """As this game plays it."""
        return self.reading.name in self.table.telling.switched(self.table.position)

    def how(self) -> str:
        """By the house rules of a new game."""
        return _("The answer is chosen before a game begins, among its house rules.")

    def choose(self, answer: str) -> Scene | None:
        """Nothing changes in a game that is played."""
        del answer
        return None


def reading_of(table: BoardlessTable[Any, Any], name: str, back: Scene) -> Scene:
    """One open question of a game's system."""
    return ReadingScene(table, table.telling.readings()[name], back)
