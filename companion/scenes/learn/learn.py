"""What can be learned by playing: first games of each system, setting up a box, and puzzles by theme."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.language import _, plural
from companion.core.storage import games_dir
from companion.games.reviews import Practice, kept_exercises
from companion.scenes.base.map_picture import Marks, map_picture, small_map, start_picture
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import StageScene
from companion.scenes.camera.calibration import TrialScene
from companion.scenes.learn.lesson import SYSTEM_TUTORIALS, Aside, Box, LessonScene, Tutorials
from companion.scenes.learn.practice import PracticeScene, Question
from companion.text.percent import chance_percent
from companion.text.review import TurnWords
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Slip, Text, Tone, back_button
from engine.orders.board import board_names
from engine.orders.player.choice import Comparison
from engine.orders.player.puzzles import LEVELS_FINDING, THEMES, Puzzle, Theme, opening, puzzles
from engine.orders.player.reasons import reasons_of
from engine.orders.player.review import AS_GOOD, ReviewedTurn, Swing
from engine.orders.player.unfolding import endings
from engine.systems import SYSTEMS


def tutorials() -> Mapping[str, Tutorials]:
    """Return the lessons of each system that has any."""
    return {name: SYSTEM_TUTORIALS.of(name) for name in SYSTEMS if SYSTEM_TUTORIALS.is_filled(name)}


class LearnScene(StageScene):
    """The list of tutorials, puzzles, and players' own turns to try again."""

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
        if solved := Practice().count_learnt(found):
            words = " ".join((words, _("Solved: {n}.").format(n=solved)))
        picture = small_map(map_picture(found[0].start(), Marks(), None)) if found else None
        return Slip(_("Puzzles"), words, intent=Intent("puzzles"), picture=picture)

    def _practice(self) -> Slip:
        """Return the slip of the own turns to try again, with how many there are today and how many are learnt."""
        practice = Practice()
        due, learnt = len(practice.due_today(self._kept)), practice.count_learnt(self._kept)
        if not self._kept:
            return Slip(_("Your own turns"), _("Review a finished game: turns worth trying again are kept here."))
        words = plural("{n} turn to try again today.", "{n} turns to try again today.", due)
        if learnt:
            words = " ".join((words, _("Learnt: {n}.").format(n=learnt)))
        return Slip(_("Your own turns"), words, intent=Intent("practice") if due else None)

    def touch(self, intent: Intent) -> Scene | None:
        """Begin a first game, open puzzles, own turns, boxes or the camera's trial, or go back."""
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
    """The choice of the box to set up: a button for each board, and for each game without one."""

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


class PuzzleQuestion(Question):
    """A puzzle, to be solved on a table of its own."""

    status = True

    def __init__(self, puzzle: Puzzle, stage: Stage, shelf: Aside, home: Scene) -> None:
        self.puzzle = puzzle
        self.exercise = puzzle
        before, start = opening(puzzle.board), puzzle.start()
        match = shelf.start({"board": puzzle.board, "initiative": before.initiative_name, "bonuses": {}})
        match.offer(puzzle.agreed)
        side = start.to_move_name
        self.reviewed_turn = ReviewedTurn(
            first=1,
            end=2,
            round=start.round,
            side=side,
            turn=puzzle.turn,
            before=puzzle.other,
            expected=puzzle.chance,
            after=puzzle.chance,
            taken_chance=puzzle.other,
            best=puzzle.turn,
            best_chance=puzzle.chance,
            reasons=reasons_of(start, puzzle.turn, endings(start, puzzle.turn)),
            swings=(Swing(1, "choice", side, puzzle.other - puzzle.chance),),
        )
        self.begin(match, stage, shelf, home)
        self.words = TurnWords(self.reviewed_turn, (before, start), (puzzle.agreed, puzzle.turn), self.people())

    def title(self) -> str:
        """Return how hard it is."""
        return {"child": _("Easy"), "even": _("Not so easy")}.get(self.puzzle.found_by, _("Hard"))

    def task(self) -> str:
        """Return the task in a sentence."""
        return _("One move is far better than the rest. Find it.")

    def is_good(self, found: Comparison) -> bool:
        """Return whether the turn that was tried is the solution, or as good."""
        return found.taken.turn == self.puzzle.turn or super().is_good(found)

    def verdict(self, found: Comparison) -> tuple[str, Tone]:
        """Return a sentence on how good the turn that was tried is, and its tone."""
        percents = {"percent": chance_percent(found.taken.chance), "other": chance_percent(self.puzzle.other)}
        if self.is_good(found):
            return _("Solved: it wins {percent} of the time, the next best idea {other}.").format(**percents), "good"
        if found.taken.chance > self.puzzle.other + AS_GOOD:
            return _("Close: it wins {percent} of the time. There is better still.").format(**percents), "plain"
        return _("Not this one: it wins {percent} of the time.").format(**percents), "bad"

    def best_blocks(self) -> tuple[Block, ...]:
        """Return a block with a sentence on the solution and why it is best."""
        return (Text(self.words.better(), "strong"),)


def all_puzzles(board: str) -> tuple[Puzzle, ...]:
    """Return all puzzles: those on this board first, then the others; in both groups, the easiest first."""
    found = [puzzle for name in board_names() for puzzle in puzzles(name)]
    return tuple(sorted(found, key=lambda one: (one.board != board, LEVELS_FINDING.index(one.found_by))))


class PuzzlesScene(StageScene):
    """The list of themes of puzzles, each with how many there are to try today, and how many are solved."""

    def __init__(self, stage: Stage, back: Scene) -> None:
        super().__init__(stage, back)
        self.puzzles = all_puzzles(stage.board.name)

    def show(self) -> Screen:
        """List the themes."""
        practice = Practice()
        slips = (self._slip(theme, practice) for theme in THEMES if self._of(theme))
        return Screen(_("Puzzles"), tuple(slips), (back_button(),), page=self.page)

    def _slip(self, theme: Theme, practice: Practice) -> Slip:
        due, solved = len(practice.due_today(self._of(theme))), practice.count_learnt(self._of(theme))
        words = plural("{n} puzzle to try today.", "{n} puzzles to try today.", due)
        if solved:
            words = " ".join((words, _("Solved: {n}.").format(n=solved)))
        return Slip(theme_title(theme), words, intent=Intent("puzzles", theme) if due else None)

    def _of(self, theme: str) -> tuple[Puzzle, ...]:
        return tuple(puzzle for puzzle in self.puzzles if puzzle.theme == theme)

    def touch(self, intent: Intent) -> Scene | None:
        """Begin the puzzles of a theme that are due today, or go back."""
        if intent.verb == "puzzles" and (due := Practice().due_today(self._of(intent.what))):
            return PracticeScene(self.stage, due, self, ask=PuzzleQuestion)
        return super().touch(intent)


def theme_title(theme: Theme) -> str:
    """Return a few words on what the puzzles of a theme teach."""
    return {
        "headquarters": _("Take the headquarters"),
        "supply": _("Cut their supply"),
        "hold": _("Hold what you have"),
        "shot": _("Shoot first"),
        "initiative": _("Take the initiative"),
        "card": _("The card at the right time"),
        "ground": _("Take ground"),
    }[theme]
