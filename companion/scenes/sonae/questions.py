"""What is asked in an argument about a battle: the ruler, and what one unit may do, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.disputes.ruling import ruling_on
from companion.scenes.sonae.panels import why_words
from companion.scenes.sonae.picture import Sketch, field_picture
from companion.scenes.sonae.rolls import chances, parts_of
from companion.scenes.sonae.ruler import RulerScene
from companion.scenes.story.presenter import ArgumentQuestion, with_picture
from companion.scenes.story.tables import GameTable
from companion.text.orders import sentence
from companion.text.sonae import brief_question, division_title, kind_words, roll_title, status_words, title
from companion.ui.screen import Block, Intent, Screen, Slip, Text, back_button
from engine.sonae.game import owed
from engine.sonae.options import Option, unit_options
from engine.sonae.position import Position
from engine.sonae.steps import Step

Table = GameTable[Position, Step]


def questions(table: Table, back: Scene) -> tuple[ArgumentQuestion, ...]:
    """Return the questions that can be asked now."""
    asked = [
        ArgumentQuestion(
            _("Ruler"), lambda: RulerScene(table, back), "recon_post", _("in range? in command? which quarter?")
        ),
        ArgumentQuestion(
            _("Can this unit …?"),
            lambda: MayScene(table, back),
            "shell",
            _("charge, fire, move or rally – and why not"),
        ),
    ]
    now = owed(table.position)
    if now is not None and now.pool is not None:
        asked.append(ArgumentQuestion(_("Why so many dice?"), lambda: DiceScene(table, back), "question"))
    return tuple(asked)


class MayScene(SubScene):
    """What a unit may do now, and why not: each answer leads to its ruling."""

    whole = False

    def __init__(self, table: Table, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.name = ""

    def show(self) -> Screen:
        """Show the unit's orders as questions, or what to touch first."""
        return self._screen(self._slip)

    def show_to(self, _seat: str) -> Screen:
        """Show only yes and no, as there is half the room; each answer leads to its reasons."""
        return self._screen(lambda n, option: replace(self._slip(n, option), text="", cite=""))

    def _screen(self, slip: Callable[[int, Option], Slip]) -> Screen:
        position = self.table.position
        unit = position.unit(self.name)
        sketch = Sketch({self.name: "chosen"}, (), (), self.name, self.name, self.name) if unit else Sketch()
        blocks: tuple[Block, ...] = (Text(_("Touch a unit on the field.")),)
        if unit is not None:
            division = division_title(position, position.division(self.name).name)
            facts = f"{division} · {kind_words(position, self.name)}"
            slips = (slip(n, option) for n, option in enumerate(self._options()))
            blocks = (Text(f"{facts} · {status_words(unit)}", "quiet"), *slips)
        heading = title(position, self.name) if unit is not None else _("Can this unit …?")
        back = (back_button("primary"),)
        return Screen(
            title=heading,
            blocks=blocks,
            actions=back,
            page=self.page,
            board=field_picture(position, replace(sketch, touch=True)),
        )

    def _options(self) -> tuple[Option, ...]:
        unit = self.table.position.unit(self.name)
        return unit_options(self.table.position, unit).orders if unit is not None else ()

    def _slip(self, index: int, option: Option) -> Slip:
        position = self.table.position
        why, cite = _("Yes."), ""
        if option.objections:
            first = option.objections[0]
            why, cite = why_words(position, first), str(first.citation)
        mark = "yes" if option.legal else "no"
        return Slip(brief_question(option.step, position), why, cite, Intent("ask", "", index), mark)

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a touch: choose a unit, ask a question, or go back."""
        if intent.verb == "unit":
            self.name, self.page = intent.what, 0
        elif intent.verb == "ask" and 0 <= intent.n < len(self._options()):
            step = self._options()[intent.n].step
            return ruling_on(self.table, step, self)
        return super().touch(intent)


class DiceScene(SubScene):
    """Why the roll that is owed has so many dice, and its chances."""

    whole = False

    def __init__(self, table: Table, back: Scene) -> None:
        super().__init__(back)
        self.table = table

    def show(self) -> Screen:
        """Show the parts of the dice pool, each with its source."""
        now = owed(self.table.position)
        blocks: tuple[Block, ...] = (Text(_("No roll right now."), "quiet"),)
        heading = _("Why so many dice?")
        if now is not None and now.pool is not None:
            heading = sentence(roll_title(self.table.position, now.due)).rstrip(".")
            blocks = (*parts_of(now.pool), chances(now.pool))
        picture = self.table.presenter.picture(self.table.position)
        return with_picture(Screen(heading, blocks, (back_button("primary"),), page=self.page), picture)
