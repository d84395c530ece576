"""What the book leaves open: each question with both answers, what the other would change, and a switch for both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.language import _
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.story.presenter import SystemPresenter
from companion.scenes.story.tables import AnyTable
from companion.text.orders import sentence
from companion.ui.screen import Block, Intent, Option, Options, Screen, Slip, Text, back_button
from engine.rulebook import Reading


class ReadingsScene(BackScene):
    """All open questions of a game with the answers that are played."""

    def __init__(self, table: AnyTable, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.readings = table.presenter.readings(table.match.position)

    def show(self) -> Screen:
        """Show one slip for each reading, saying which ones have been changed."""
        return self._screen((Text(_("The rulebook doesn't say. You decide together."), "quiet"),), _slip)

    def show_to(self, _seat: str) -> Screen:
        """Show the questions alone, as there is half the room; each leads to its answers."""
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
        """Open one, turn the page, or go back."""
        if intent.verb == "reading" and intent.what in self.readings:
            return ReadingScene(self.table.presenter, intent.what, self.table.match.position, self, self.table)
        return super().touch(intent)


def _slip(reading: Reading, switched: bool) -> Slip:
    """Return a slip with the question and the answer that is played."""
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
    """One open question with its answers. At a table both players can choose the other one, where the system has it."""

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
        """Where the question is asked: in the game as it is now, where there is one."""
        return self._position if self.table is None else self.table.match.position

    def show(self) -> Screen:
        """Show the question, where the book says nothing, both answers, and what the other one would change now."""
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
        """Return what would be different now, worked out only once for each position."""
        position = self.position
        if self._effects[0] is not position:
            self._effects = position, self.presenter.reading_effects(position, self.reading.name)
        return self._effects[1]

    def touch(self, intent: Intent) -> Scene | None:
        """Choose the other answer, turn the page, or go back."""
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
