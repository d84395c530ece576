"""The first game, played on the screen alone: the table, a coach beside it, one touch at a time; never saved."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from dataclasses import replace
from pathlib import Path

from companion.core.language import _
from companion.games.tutorial import Lesson, begin, lessons
from companion.scenes.base.map_picture import status
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.home.tutorial_guide import fulfils, pointed_intent, screen_with_light
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.ending import EndScene
from companion.ui.screen import Block, Button, Buttons, Coach, Intent, Screen, Text

NEXT, LEAVE, PLAY = (Intent("coach", what) for what in ("next", "leave", "play"))
FREE = frozenset({"page", "hush", "cancel"})  # what may be touched at any time


class TutorialScene:
    """Leads through the lessons. What is not wanted now is answered by a hint; what was played otherwise is undone."""

    whole = True  # both players look at it together
    table = None  # and no camera does

    def __init__(self, stage: Stage, home: Scene) -> None:
        self.home = home
        self.folder = Path(tempfile.mkdtemp(prefix="gunbai-"))
        self._clear = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.stage = _alone(stage)
        self.match = begin(self.folder / "first-game.jsonl")
        self._table = BoardTable(self.stage, self.match, self)
        self.scene: Scene = self._table
        self.lessons = lessons()
        self.number = 0
        self.hint = ""

    @property
    def lesson(self) -> Lesson:
        """The lesson in hand."""
        return self.lessons[self.number]

    # ---- show ----------------------------------------------------------------------------------------

    def show(self) -> Screen:
        """What the table shows, the coach above it, and what is to be touched bright."""
        if isinstance(self.scene, EndScene):
            return self._at_the_end(self.scene.show())
        inner = self.scene.show()
        blocks: tuple[Block, ...] = () if self.lesson.is_for_reading else inner.blocks
        shown = replace(
            inner,
            title="",
            banner="",
            status=status(self.match.position, {}) if self.lesson.status else None,
            blocks=(*self._coach(), *blocks),
            actions=self._actions(inner),
        )
        return self._marked(screen_with_light(shown, self.wanted()))

    def _coach(self) -> tuple[Block, ...]:
        """The lesson on its slip, and the hint for a touch that was not meant."""
        title = f"{self.number + 1}/{len(self.lessons)} · {self.lesson.title}"
        text = self.lesson.text
        if isinstance(self.scene, RulingScene):
            text = _("This is a ruling: what's wrong, and where the rulebook says so. Go back to the table.")
        return (Coach(title, text, self.lesson.is_for_reading), *((Text(self.hint, "warn"),) if self.hint else ()))

    def _actions(self, inner: Screen) -> tuple[Button, ...]:
        """Leave, and of the table's buttons those that belong to the lesson."""
        leave = Button(_("Leave"), LEAVE, "quiet")
        if self.lesson.is_for_reading:
            return leave, Button(_("Next"), NEXT, "primary")
        wanted = self.wanted()
        return (leave, *(one for one in inner.actions if one.intent == wanted or one.intent.verb == "cancel"))

    def _marked(self, screen: Screen) -> Screen:
        """The map with what is only read about marked; that the start was put there by hand is nobody's concern."""
        if screen.map is None:
            return screen
        named = self.lesson.areas if self.lesson.is_for_reading else ()
        areas = tuple(
            replace(one, mark="live" if one.name in named else one.mark, by_hand=False) for one in screen.map.areas
        )
        return replace(screen, map=replace(screen.map, areas=areas))

    def _at_the_end(self, score: Screen) -> Screen:
        """The score, and the way to a game of one's own."""
        text = _("That's it! Red wins the tie by initiative – Gunbai names the rule. A full game has four rounds.")
        done = Button(_("Start your own game"), PLAY, "primary")
        figures = (block for block in score.blocks if not isinstance(block, Buttons))
        return replace(score, title="", blocks=(Coach(_("The end"), text), *figures), actions=(done,))

    def wanted(self) -> Intent | None:
        """The touch that leads on from here."""
        if isinstance(self.scene, RulingScene):
            return Intent("back")
        if self.lesson.is_for_reading:
            return NEXT
        return pointed_intent(self.lesson, self._table.panel, self._table.show())

    # ---- touches -------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Lead on where the touch was meant; else say what is."""
        self.hint = ""
        meant = replace(intent, seat="")
        if meant == LEAVE:
            return self._leave()
        if isinstance(self.scene, EndScene):
            return self._leave().touch(Intent("new")) if meant == PLAY else None
        if self.lesson.is_for_reading:
            self.number += meant == NEXT
        elif meant == self.wanted() or intent.verb in FREE:
            self._play(meant)
        else:
            self.hint = _("Not yet – touch the highlighted spot.")
        return None

    def _play(self, intent: Intent) -> None:
        """Hand the touch to the table; on to the next lesson where this one is done."""
        before = len(self.match.steps)
        asked = isinstance(self.scene, RulingScene) and intent.verb == "back"
        self.scene = self.scene.touch(intent) or self.scene
        after = len(self.match.steps)
        undone = self.lesson.undo and after < before
        wanted = self.lesson.step
        played = wanted is not None and after > before and fulfils(self.match.steps[before], wanted)
        if undone or played or (asked and self.lesson.asks):
            self.number = min(self.number + 1, len(self.lessons) - 1)
            self._table.refresh()

    def _leave(self) -> Scene:
        """Nothing is kept of it."""
        self.match.close()
        self._clear()
        return self.home


def _alone(stage: Stage) -> Stage:
    """A stage of its own: no camera, no hands, nothing to be listed or kept."""
    settings = replace(
        stage.settings,
        ask_cards=True,
        list_hands=False,
        score_at_end=True,
        round_end=False,
        show_changes=False,
        clock_minutes=0,
    )
    return Stage(replace(stage.services, choices=None, export=None), desk=stage.desk, settings=settings)
