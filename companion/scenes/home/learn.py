"""What can be learned by playing: a first game of each system, and how its box is set up."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.language import _, plural
from companion.core.storage import games_dir
from companion.games.reviews import Practice, kept_exercises
from companion.scenes.base.map_picture import Marks, map_picture, small_map, start_picture
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import StageScene
from companion.scenes.camera.calibration import TrialScene
from companion.scenes.learn.lesson import SYSTEM_TUTORIALS, Box, LessonScene, Tutorials
from companion.scenes.learn.practice import PracticeScene
from companion.scenes.learn.puzzles import PuzzlesScene, all_puzzles
from companion.ui.screen import Button, Buttons, Intent, Screen, Slip, Text, back_button
from engine.systems import SYSTEMS


def tutorials() -> Mapping[str, Tutorials]:
    """Return the lessons of each system that has any."""
    return {name: SYSTEM_TUTORIALS.of(name) for name in SYSTEMS if SYSTEM_TUTORIALS.is_filled(name)}


class LearnScene(StageScene):
    """A slip for each tutorial, one for the puzzles, and one for the own turns to try again."""

    def __init__(self, stage: Stage, back: Scene) -> None:
        super().__init__(stage, back)
        self._kept = tuple(kept_exercises(games_dir()))

    def show(self) -> Screen:
        """List every system's lessons, the puzzles, the turns to try again, and the guide to setting up the box."""
        slips = tuple(
            Slip(tutorial.title(), tutorial.text(), intent=Intent("first", name), picture=tutorial.picture())
            for name, tutorial in tutorials().items()
        )
        box = Slip(
            _("Set up the box"),
            _("What goes where, for the game on your table."),
            intent=Intent("boxes"),
            picture=small_map(start_picture(self.stage.board)),
        )
        camera = Slip(_("Try the camera"), _("On pictures: no camera and no board."), intent=Intent("try-camera"))
        trial = (camera,) if self.stage.services.trial is not None else ()
        rest = (self._puzzles(), self._practice(), box, *trial)
        return Screen(_("Learn by playing"), (*slips, *rest), (back_button(),), page=self.page)

    def _puzzles(self) -> Slip:
        """Return the slip of the puzzles, with how many there are and how many are solved."""
        found = all_puzzles(self.stage.board.name)
        words = plural("{n} position: find the one great move.", "{n} positions: find the one great move.", len(found))
        if solved := Practice().learnt(found):
            words = " ".join((words, _("Solved: {n}.").format(n=solved)))
        picture = small_map(map_picture(found[0].start(), Marks(), None)) if found else None
        return Slip(_("Puzzles"), words, intent=Intent("puzzles"), picture=picture)

    def _practice(self) -> Slip:
        """Return the slip of the own turns to try again, with how many there are today and how many are learnt."""
        practice = Practice()
        due, learnt = len(practice.due_today(self._kept)), practice.learnt(self._kept)
        if not self._kept:
            return Slip(_("Your own turns"), _("Review a finished game: turns worth trying again are kept here."))
        words = plural("{n} turn to try again today.", "{n} turns to try again today.", due)
        if learnt:
            words = " ".join((words, _("Learnt: {n}.").format(n=learnt)))
        return Slip(_("Your own turns"), words, intent=Intent("practice") if due else None)

    def touch(self, intent: Intent) -> Scene | None:
        """Start a first game, open the boxes, or go back."""
        match intent.verb:
            case "first" if intent.what in tutorials():
                return LessonScene(self.stage, tutorials()[intent.what].first, self.back)
            case "practice" if due := Practice().due_today(self._kept):
                return PracticeScene(self.stage, due, self)
            case "try-camera":
                return TrialScene(self)
            case "puzzles":
                return PuzzlesScene(self.stage, self)
        return BoxesScene(self.stage, self) if intent.verb == "boxes" else super().touch(intent)


class BoxesScene(StageScene):
    """Which box is on the table: a button for each board, and for each game without one."""

    def __init__(self, stage: Stage, before: LearnScene) -> None:
        super().__init__(stage, before)
        self.home = before.back

    def boxes(self) -> tuple[Box, ...]:
        """List the boxes of all systems, that of the board in use first."""
        found = (box for tutorial in tutorials().values() for box in tutorial.boxes())
        return tuple(sorted(found, key=lambda box: box.name != self.stage.board.name))

    def show(self) -> Screen:
        """Show a button for each board's box."""
        buttons = tuple(Button(box.title, Intent("box", box.name), note=box.note) for box in self.boxes())
        hint = Text(_("Take the pieces out: we'll put them in place together."))
        picture = start_picture(self.stage.board)
        return Screen(_("Which box?"), (hint, Buttons(buttons, 2)), (back_button(),), map=picture, page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Open the guide to a box, or go back."""
        box = next((box for box in self.boxes() if intent == Intent("box", box.name)), None)
        return super().touch(intent) if box is None else LessonScene(self.stage, box.tutorial, self.home)
