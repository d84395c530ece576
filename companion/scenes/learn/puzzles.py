"""Puzzles: one turn is far better than every other idea. They are chosen by what they teach, the easiest first."""

from __future__ import annotations

from companion.core.language import _, plural
from companion.games.reviews import Practice
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import StageScene
from companion.scenes.learn.lesson import Aside
from companion.scenes.learn.practice import PracticeScene, Question
from companion.text.percent import chance_percent
from companion.text.review import TurnWords
from companion.ui.screen import Block, Intent, Screen, Slip, Text, Tone, back_button
from engine.orders.board import board_names
from engine.orders.player.choice import Comparison
from engine.orders.player.puzzles import LEVELS_FINDING, THEMES, Puzzle, Theme, opening, puzzles
from engine.orders.player.reasons import reasons_of
from engine.orders.player.review import AS_GOOD, ReviewedTurn, Swing
from engine.orders.player.unfolding import endings


class PuzzleQuestion(Question):
    """A puzzle to be solved on a table aside."""

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
        """Return what is asked for."""
        return _("One move is far better than the rest. Find it.")

    def is_good(self, found: Comparison) -> bool:
        """Return whether the turn that was tried is the one that was sought, or as good."""
        return found.taken.turn == self.puzzle.turn or super().is_good(found)

    def verdict(self, found: Comparison) -> tuple[str, Tone]:
        """Say how good the turn is that was tried."""
        percents = {"percent": chance_percent(found.taken.chance), "other": chance_percent(self.puzzle.other)}
        if self.is_good(found):
            return _("Solved: it wins {percent} of the time, the next best idea {other}.").format(**percents), "good"
        if found.taken.chance > self.puzzle.other + AS_GOOD:
            return _("Close: it wins {percent} of the time. There is better still.").format(**percents), "plain"
        return _("Not this one: it wins {percent} of the time.").format(**percents), "bad"

    def best_words(self) -> tuple[Block, ...]:
        """Tell the turn and why it is the best, in one sentence."""
        return (Text(self.words.better(), "strong"),)


def all_puzzles(board: str) -> tuple[Puzzle, ...]:
    """Return all puzzles, those on a board first, the easiest first on either side."""
    found = [puzzle for name in board_names() for puzzle in puzzles(name)]
    return tuple(sorted(found, key=lambda one: (one.board != board, LEVELS_FINDING.index(one.found_by))))


class PuzzlesScene(StageScene):
    """A slip for each theme: how many puzzles there are to try today, and how many are solved."""

    def __init__(self, stage: Stage, back: Scene) -> None:
        super().__init__(stage, back)
        self.puzzles = all_puzzles(stage.board.name)

    def show(self) -> Screen:
        """List the themes."""
        practice = Practice()
        slips = (self._slip(theme, practice) for theme in THEMES if self._of(theme))
        return Screen(_("Puzzles"), tuple(slips), (back_button(),), page=self.page)

    def _slip(self, theme: Theme, practice: Practice) -> Slip:
        due, solved = len(practice.due_today(self._of(theme))), practice.learnt(self._of(theme))
        words = plural("{n} puzzle to try today.", "{n} puzzles to try today.", due)
        if solved:
            words = " ".join((words, _("Solved: {n}.").format(n=solved)))
        return Slip(theme_title(theme), words, intent=Intent("puzzles", theme) if due else None)

    def _of(self, theme: str) -> tuple[Puzzle, ...]:
        return tuple(puzzle for puzzle in self.puzzles if puzzle.theme == theme)

    def touch(self, intent: Intent) -> Scene | None:
        """Ask the puzzles of a theme, or go back."""
        if intent.verb == "puzzles" and (due := Practice().due_today(self._of(intent.what))):
            return PracticeScene(self.stage, due, self, ask=PuzzleQuestion)
        return super().touch(intent)


def theme_title(theme: Theme) -> str:
    """Say in a few words what the puzzles of a theme teach."""
    return {
        "headquarters": _("Take the headquarters"),
        "supply": _("Cut their supply"),
        "hold": _("Hold what you have"),
        "shot": _("Shoot first"),
        "initiative": _("Take the initiative"),
        "card": _("The card at the right time"),
        "ground": _("Take ground"),
    }[theme]
