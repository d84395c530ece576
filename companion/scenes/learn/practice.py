"""Turns to try again: the board before a turn that gave up much, on the table's own scene, to find a better one.

Any legal turn is answered with its chance and the reasons. The turns played here aren't saved; what is saved is which
were solved, so that each comes back some days later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from companion.core.errors import MatchError
from companion.core.language import _
from companion.games.journal import OrdersJournal, read_journal
from companion.games.match import AnyMatch, Match
from companion.games.reviews import Exercise, Practice, Practisable, read_review
from companion.scenes.base.map_picture import Marks, map_picture, turn_traces
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import StageScene
from companion.scenes.learn.lesson import Aside, lesson_stage, without_hand_marks
from companion.scenes.table.board_table import BoardTable
from companion.text.advice import reason_words, risk_words, turn_advice, worth_telling
from companion.text.orders import sentence
from companion.text.people import People
from companion.text.percent import chance_percent
from companion.text.review import NO_REASON, TurnWords
from companion.thinking.player import comparison
from companion.thinking.thought import Thought
from companion.ui.screen import Block, Button, Buttons, Coach, Intent, MapPicture, Screen, Text, Tone, back_button
from engine.orders.game import apply
from engine.orders.player.choice import Comparison
from engine.orders.player.prospects import Turn
from engine.orders.player.review import AS_GOOD, ReviewedTurn
from engine.orders.steps import Deploy, Pass, Step
from engine.orders.turn import ready

LEAVE, SHOW, NEXT, AGAIN = (Intent("practice", what) for what in ("leave", "show", "next", "again"))
ELSEWHERE = frozenset(
    (
        *("menu", "log", "undo", "redo", "undo-list", "home", "score", "hint", "cards", "dispute", "live", "side"),
        *("round", "otherwise", "settle"),
    )
)
"""Verbs of touches on the table that would lead away from the question, or set its board by hand."""
MOST_REASONS = 2


class Question:
    """A turn of a saved game to do better: its board, on a table of its own, and what the review says of it.

    MatchError if the game is gone, or its review is missing or of another game.
    """

    status = False
    """Whether to show the status bar."""

    def __init__(self, exercise: Exercise, stage: Stage, shelf: Aside, home: Scene) -> None:
        self.exercise: Practisable = exercise
        self.game: OrdersJournal = read_journal(exercise.game)
        turns = read_review(exercise.game, exercise.mark, self.game.positions, self.game.steps) or ()
        found = next((turn for turn in turns if turn.first == exercise.first), None)
        if found is None:
            raise MatchError(f"{exercise.game}: its review is of another game")
        self.reviewed_turn: ReviewedTurn = found
        self.begin(shelf.copy(b"".join(self.game.lines[: found.first + 1])), stage, shelf, home)

    def begin(self, match: AnyMatch, stage: Stage, shelf: Aside, home: Scene) -> None:
        """Open the match on the table where the turn is to be found."""
        assert isinstance(match, Match)
        self.match = match
        self.start = self.before = ready(match.position, self.reviewed_turn.turn)
        self.table = BoardTable(lesson_stage(stage, shelf), match, home)

    # ---- in words ----------------------------------------------------------------------------------

    def title(self) -> str:
        """Return the title that follows the question's number: the round."""
        return _("Round {n}").format(n=self.reviewed_turn.round)

    def task(self) -> str:
        """Return the task in a sentence."""
        return _("{who} to move. You gave up {n}%. Find better.").format(
            who=self.people().name(self.reviewed_turn.side), n=round(-100 * self.reviewed_turn.choice)
        )

    def people(self) -> People:
        """Return the sides without players' names."""
        return People(self.start.board.factions)

    def verdict(self, found: Comparison) -> tuple[str, Tone]:
        """Return a sentence on how good the turn that was tried is, and its tone."""
        taken, played = found.taken.chance, self.reviewed_turn.taken_chance
        percents = {"percent": chance_percent(taken), "played": chance_percent(played)}
        if self.is_good(found):
            return _("Well found: it wins {percent} of the time, not {played}.").format(**percents), "good"
        if taken > played + AS_GOOD:
            return _("Better: {percent}, not {played}. There is better still.").format(**percents), "plain"
        return _("No better: it wins {percent} of the time. In the game it was {played}.").format(**percents), "bad"

    def best_blocks(self) -> tuple[Block, ...]:
        """Return blocks that tell the best turn, why it is best, and what was played."""
        words = TurnWords(self.reviewed_turn, self.game.positions, self.game.steps, self.people())
        played = _("In the game: {played}").format(played=words.played_sentence())
        return Text(words.better(), "strong"), Text(played, "quiet")

    # ---- the turn that was tried -------------------------------------------------------------------

    def is_good(self, found: Comparison) -> bool:
        """Return whether the turn that was tried is as likely to win as the best, to within AS_GOOD."""
        return found.taken.chance >= max(found.best.chance, found.taken.chance) - AS_GOOD

    def answer(self) -> Turn | None:
        """Return the turn that was taken on the table; None while there is none.

        Sets `before` to the position in which it was taken, as a card may have been played first.
        """
        for number, step in enumerate(self.match.steps[self.reviewed_turn.first :], self.reviewed_turn.first):
            if isinstance(step, Deploy | Pass):
                self.before = ready(self.match.positions[number], step)
                return step
        return None

    def reset_board(self, home: Scene) -> None:
        """Undo everything since the turn began, and open a new table; home: where leaving the table leads."""
        self.match.undo(len(self.match.steps) - self.reviewed_turn.first)
        self.table = BoardTable(self.table.stage, self.match, home)


class PracticeScene(StageScene):
    """Asks one question after the other. ask: makes the question of an exercise."""

    table = None  # the camera watches nothing

    def __init__(
        self,
        stage: Stage,
        exercises: Sequence[Practisable],
        back: Scene,
        practice: Practice | None = None,
        ask: Callable[[Any, Stage, Aside, Scene], Question] = Question,
    ) -> None:
        super().__init__(stage, back)
        self.exercises = tuple(exercises)
        self.number = 0
        self.practice = practice or Practice()
        self.ask = ask
        self.shelf = Aside()
        self.answer: Turn | None = None
        self.comparison: Comparison | None = None
        self.shown = False
        self._noted = False  # whether the first try has been noted
        self._thought: Thought[Comparison] | None = None
        self.question: Question | None = None
        self.scene: Scene = self
        self._ask()

    @property
    def name(self) -> str:
        """The title of this practice."""
        return _("Try again") if self.ask is Question else _("Puzzles")

    # ---- which question ----------------------------------------------------------------------------

    def _ask(self) -> None:
        """Open the next question, skipping those whose game can't be opened any more."""
        self._forget()
        self.question, self._noted = None, False
        while self.question is None and self.number < len(self.exercises):
            try:
                self.question = self.ask(self.exercises[self.number], self.stage, self.shelf, self)
            except MatchError:
                self.number += 1
            else:
                self.scene = self.question.table

    def _forget(self) -> None:
        """Forget the last answer."""
        if self._thought is not None:
            self._thought.stop()
        self.answer, self.comparison, self.shown, self._thought, self.page = None, None, False, None, 0

    def _note(self, solved: bool) -> None:
        """Note how the first try went."""
        if not self._noted and self.question is not None:
            self._noted = True
            self.practice.note_answer(self.question.exercise, solved)

    def tick(self, _now_s: float) -> Scene | None:
        """Collect the answer's evaluation; return this scene if it has come or has failed, else None."""
        if self._thought is None or self.comparison is not None:
            return None
        for found in self._thought.news():
            self.comparison = found
            self._note(self.question is not None and self.question.is_good(found))
        return self if self.comparison is not None or self._thought.state == "failed" else None

    # ---- what it shows -----------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the question on the table's scene, how good the answer is, the best turn, or that all are done."""
        question = self.question
        if question is None:
            leave = replace(back_button("primary"), intent=LEAVE)
            return Screen(self.name, (Text(_("All done for today.")),), (leave,))
        if self.answer is None and not self.shown:
            return self._asking(question)
        words = question.best_blocks() if self.shown else tuple(self._words(question))
        return Screen(
            title=self._title(question),
            blocks=words,
            actions=self._ways(question),
            page=self.page,
            map=self._picture(question),
        )

    def _asking(self, question: Question) -> Screen:
        inner = without_hand_marks(self.scene.show())
        kept = _of_question(inner.actions)
        back = tuple(button for button in kept if button.spot == "leave") or (replace(back_button(), intent=LEAVE),)
        ways = (*back, Button(_("Show me"), SHOW, "plain"), *(button for button in kept if button not in back))
        coach = Coach(self._title(question), question.task())
        status = replace(inner.status, menu=False) if question.status and inner.status is not None else None
        asked = (
            replace(block, buttons=_of_question(block.buttons)) if isinstance(block, Buttons) else block
            for block in inner.blocks
        )
        blocks = (coach, *asked)
        return replace(inner, title="", banner="", status=status, blocks=blocks, actions=ways)

    def _title(self, question: Question) -> str:
        return f"{self.number + 1}/{len(self.exercises)} · {question.title()}"

    def _words(self, question: Question) -> Iterator[Block]:
        """Yield the turn that was tried, what it is worth, the reasons beyond what it says itself, and its odds."""
        assert self.answer is not None
        yield Text(sentence(turn_advice(self.answer, question.before)), "strong")
        if self.comparison is None:
            failed = self._thought is not None and self._thought.state == "failed"
            yield Text(_("No answer this time. Try again.") if failed else _("Looking at your move …"))
            return
        text, tone = question.verdict(self.comparison)
        yield Text(text, tone)
        taken = self.comparison.taken
        told = [reason for reason in worth_telling(taken.reasons) if reason.code not in NO_REASON]
        yield from (Text(sentence(reason_words(reason))) for reason in told[:MOST_REASONS])
        yield from (Text(risk_words(odds, question.before)) for odds in taken.odds)

    def _ways(self, question: Question) -> tuple[Button, ...]:
        leave = replace(back_button(), intent=LEAVE)
        more = self.number + 1 < len(self.exercises)
        on = Button(_("Next") if more else _("Done"), NEXT, "primary")
        if self.shown:
            return leave, on
        again = Button(_("Try again"), AGAIN, sign="redo")
        good = self.comparison is not None and question.is_good(self.comparison)
        return (leave, Button(_("Show me"), SHOW), on if good else again)

    def _picture(self, question: Question) -> MapPicture:
        """Return the map before the turn, with arrows for the turn that was tried, or for the best."""
        turn: Step | None = question.reviewed_turn.best if self.shown else self.answer
        start = question.start if self.shown else question.before
        if not isinstance(turn, Deploy):
            return map_picture(start, Marks(), None)
        traces = turn_traces((start, apply(start, turn)), (turn,))
        return map_picture(start, Marks(space=turn.space, traces=traces), None)

    # ---- touches -----------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Pass a touch to the table, show the best turn, go on to the next question, or leave."""
        meant = replace(intent, seat="")
        if meant == LEAVE or (intent.verb == "back" and self.question is None):
            self._forget()
            self.shelf.discard()
            return self.back
        if meant == SHOW:
            self._note(solved=False)
            self.shown, self.page = True, 0
        elif meant == NEXT:
            self.number += 1
            self._ask()
        elif meant == AGAIN and self.question is not None:
            self._forget()
            self.question.reset_board(self)
            self.scene = self.question.table
        elif self.question is not None and self.answer is None and not self.shown:
            self._play(self.question, meant)
        elif intent.verb == "page":
            self.page += intent.n
        return None

    def _play(self, question: Question, meant: Intent) -> None:
        """Let the table handle a touch, and take the turn that comes of it as the answer."""
        if meant.verb in ELSEWHERE:
            return
        following = self.scene.touch(meant)
        if following is not None and following is not self:
            self.scene = following
        self.answer = question.answer()
        if self.answer is not None:
            work = partial(comparison, question.before, self.answer)
            self._thought = self.stage.services.thinking.begin(work)


def _of_question(buttons: Sequence[Button]) -> tuple[Button, ...]:
    """Return the buttons that don't lead away from the question."""
    return tuple(button for button in buttons if button.intent.verb not in ELSEWHERE)
