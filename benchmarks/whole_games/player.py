"""The only player who presses, at the real table: he takes what the screen proposes where it is true, else he touches.

A recorded game is played through the camera's loop, the watch and the app. The clock is the game's own, and the camera
is in this process; all else is as at a table. What the screen says while hands are at it is noted and left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal

from benchmarks.inference import Played, kinds_of
from benchmarks.whole_games.camera import PlayedCamera, bumped, lamp_lit
from benchmarks.whole_games.hands import with_card
from benchmarks.whole_games.recording import AT_REST, HOME, OVER, Moment, RecordedTurn, Recording, TurnNotes, at_rest
from companion.app.app import App, SavedGames
from companion.demo.telling import turn_words
from companion.games.match import Match
from companion.perception.adapters import compare
from companion.perception.area_questions import standing_in
from companion.perception.camera_process import Told
from companion.perception.camera_watch import CameraWatch, Link
from companion.perception.cameras import CameraSession, Setup
from companion.perception.dice import most_rerolls, with_rerolls
from companion.perception.learning import Learner
from companion.perception.todays_board import TodaysBoard
from companion.scenes.base.stage import Senses, Services, Stage
from companion.scenes.orders.card_panels import MOST_OFFERED, RerolledPanel
from companion.scenes.orders.hand_tasks import AGREES
from companion.scenes.orders.proposal import ChoicePanel, ProposalPanel, QuestionPanel, ThrowPanel
from companion.scenes.table.board_table import BoardTable
from companion.text.columns import force_text
from engine.errors import Illegal
from engine.orders.game import fold, owed
from engine.orders.steps import Accept, Reroll, Step
from tests.companion.desk.presses import Presses
from tests.companion.driver import Driver
from tests.companion.fingers import Fingers, NotThere
from vision.geometry import Picture

Way = Literal["pressed", "desk", "touched", "power-cut", "bumped", "two-turns", "dusk", "old-table", "todays-board"]
WAYS: dict[Way, str] = {
    "pressed": "one touch a turn, where the screen is right",
    "desk": "the screen is far: a button on the desk confirms, and the knob leads to all else",
    "touched": "every other turn is entered by touch before it is done on the board",
    "power-cut": "the machine goes off in the middle of every fifth turn",
    "bumped": "the camera is bumped in the middle of the game",
    "two-turns": "nobody looks before two turns are done",
    "dusk": "a lamp is switched on in the middle of the game",
    "old-table": "the table was calibrated in another light, and today's board is never looked at",
    "todays-board": "the table was calibrated in another light; the board lies empty as the game is begun",
}
OLD: tuple[Way, ...] = ("old-table", "todays-board")
SIZE_PX = (800, 480)
FRAME_S = 0.5
"""The fewest frames with which a reading settles as soon as at the camera's own pace, to a quarter of a second."""
PATIENCE_S, READS_S = 9.0, 1.0
"""How long people wait for the screen, and how long they read it before they touch."""
SURE = 0.9
EMPTY_S = 6.0
"""How long the board lies empty before a game, and then as it is set up."""
MOST_TOUCHES = 10
"""So often the screen is answered in a turn before all of it is entered by touch."""
CUT_EVERY = 5
ASKED = (ChoicePanel, QuestionPanel)
OFFERS = (ProposalPanel, ThrowPanel, *ASKED)
"""What the screen asks about a board, and all that it has to say of one."""


class TrueDriver(Driver):
    """Enters steps of a game that is known to its end."""

    def __init__(self, fingers: Fingers) -> None:
        super().__init__(fingers, seed=0)
        self.following: Step | None = None

    def rolls_again(self) -> bool:
        """Return whether a card is spent on rolling again, as it was played."""
        return isinstance(self.following, Reroll)


class LonePlayer:
    """Plays a recorded game. `notes` has a line for each look at the screen."""

    def __init__(self, recording: Recording, folder: Path, way: Way = "pressed") -> None:
        """Sit down at the table.

        folder: for the record, and the table's file; empty.
        """
        self.recording, self.way = recording, way
        self.notes: list[TurnNotes] = []
        self.path, self._table_path = folder / "played.jsonl", folder / "kitchen.table"
        recording.calibrated(long_ago=way in OLD).save(str(self._table_path))
        self.path.write_bytes(recording.game.lines[0])
        self.truth = [at_rest(position) for position in recording.game.positions]
        self._now_s = 0.0
        self._done = 0  # steps of the true game that are recorded
        self._turns = recording.turns
        self._ends = {turn.done.steps for turn in self._turns}
        self._is_out = self._is_bumped = self._is_dusk = False
        self._sit_down()

    def _sit_down(self) -> None:
        """Open the app as it is after a start of the machine."""
        self._match = Match.open(self.path)
        self._watch = CameraWatch("recorded", self._table_path, link=self._connect)
        session = CameraSession(lambda _setup: self._watch, Setup(self._table_path, "recorded"))
        self._today = None if self.way == "old-table" else TodaysBoard(session)
        stage = Stage(Services(SavedGames()), Senses(learner=Learner(self._table_path), today=self._today))
        self._app = App(stage, watcher=self._watch.glimpse, match=self._match)
        self._fingers = (Presses if self.way == "desk" else Fingers)(self._app, SIZE_PX, looks=False)
        self._driver = TrueDriver(self._fingers)

    def _connect(self, _camera: str, table: Path | None, tell: Told) -> Link:
        self._camera = PlayedCamera(table, tell)
        return self._camera

    def _stand_up(self) -> None:
        self._watch.close()
        self._match.close()

    def play(self) -> list[TurnNotes]:
        """Play the whole game, and return the notes of its turns."""
        start, *_ = self.recording.moments
        if self.way == "todays-board" and self._today is not None:
            self._today.await_board()
            self._wait(self.recording.empty, EMPTY_S)
        self._wait(self._picture(start), max(start.for_s, EMPTY_S if self.way in OLD else 0.0))
        for turn in self._turns:
            self._is_bumped = self.way == "bumped" and turn.number > len(self._turns) // 2
            self._is_dusk = self.way == "dusk" and turn.number > len(self._turns) // 2
            self._play_turn(turn)
        self._stand_up()
        return self.notes

    @property
    def is_record_true(self) -> bool:
        """Whether the record has come to the position that was played."""
        return at_rest(self._match.position) == self.truth[-1]

    def _play_turn(self, turn: RecordedTurn) -> None:
        notes = self._begun(turn)
        if self.way == "touched" and turn.number % 2 == 0:
            notes.meant = True
            self._enter(turn.done.steps, notes)
        cut = len(turn.between) // 2 if self.way == "power-cut" and turn.number % CUT_EVERY == 0 else None
        for number, moment in enumerate(turn.between):
            if number == cut:
                self._stand_up()
                self._sit_down()
            self._watch_hands(moment, turn.done.steps, notes)
        if self.way == "two-turns" and turn.number % 2 and turn is not self._turns[-1] and not turn.after:
            self._wait(self._picture(turn.done), turn.done.for_s)
            return
        self._look(turn.done, notes)
        for moment in turn.after:
            self._watch_hands(moment, turn.done.steps, notes)
        self.notes.append(notes)

    def _begun(self, turn: RecordedTurn) -> TurnNotes:
        """Begin the notes of a turn, and of one before it that nobody looked at."""
        end, steps = turn.done.steps, self.recording.game.steps
        marks = [self._done, *sorted(n for n in self._ends if self._done < n <= end)]
        played = [Played(self.truth[first], steps[first:last], self.truth[last]) for first, last in pairwise(marks)]
        words = "; then ".join(turn_words(*turn_played) for turn_played in played)
        kinds = dict.fromkeys(kind for turn_played in played for kind in kinds_of(turn_played))
        return TurnNotes(turn.number, len(played), turn.done.picture, words, list(kinds))

    # ---- to see -----------------------------------------------------------------------------------

    def _picture(self, moment: Moment) -> Picture:
        picture = self.recording.picture(moment)
        picture = lamp_lit(picture) if self._is_dusk else picture
        return bumped(picture) if self._is_bumped else picture

    def _frames(self, picture: Picture, for_s: float) -> Iterator[float]:
        """Show the camera this picture for so long, yielding the seconds so far after each frame."""
        began_s = self._now_s
        while self._now_s - began_s < for_s:
            self._now_s += FRAME_S
            self._camera.show(picture, self._now_s)
            self._app.tick(self._now_s)
            if self._today is not None:
                self._today.wait()
            self._app.screen()  # what is to be shown follows the camera only where it is asked for
            yield self._now_s - began_s

    def _wait(self, picture: Picture, for_s: float) -> None:
        for _so_far_s in self._frames(picture, for_s):
            pass

    @property
    def _panel(self) -> object:
        assert isinstance(self._app.table, BoardTable)
        return self._app.table.panel

    def _heard_alarm(self) -> bool:
        """Return whether the screen has begun to say that the board is different; once until they agree again."""
        was, sign = self._is_out, self._app.stage.sense.sign
        self._is_out = sign == "out" or (was and sign not in AGREES)
        return self._is_out and not was

    def _right_ones(self, panel: ProposalPanel | ThrowPanel | ChoicePanel, end: int) -> list[int]:
        """Return the numbers of the proposals that were played: whole turns, or up to what the table owes in one."""
        truth = [
            self.truth[n] for n in range(self._done + 1, end + 1) if n in self._ends or self.truth[n].turn is not None
        ]
        return [number for number, proposal in enumerate(panel.turns) if at_rest(proposal.position) in truth]

    def _watch_hands(self, moment: Moment, end: int, notes: TurnNotes) -> None:
        """Note what the screen says of a board that hands are at, or that is being put right after a round."""
        monitor, said = self._app.stage.senses.monitor, set[str]()
        before, is_half = monitor.state.reading, moment.hands not in (AT_REST, HOME)
        for _so_far_s in self._frames(self._picture(moment), moment.for_s):
            notes.alarms += self._heard_alarm() and not is_half
            if is_half and self._app.stage.sense.sign == "out":
                said.add("out of sync")
            if monitor.state.reading is not before and isinstance(self._panel, ProposalPanel):
                said.add("right" if 0 in self._right_ones(self._panel, end) else "wrong turn")
            if monitor.state.reading is not before and isinstance(self._panel, ASKED):
                said.add("asked")
        if moment.hands not in (AT_REST, OVER):
            order = ("wrong turn", "out of sync", "asked", "right")
            notes.half.append(next((what for what in order if what in said), ""))

    # ---- to touch ---------------------------------------------------------------------------------

    def _tap(self, verb: str, what: str = "", n: int = 0) -> None:
        if isinstance(self._fingers, Presses) and isinstance(self._app.table, BoardTable):
            self._fingers.seat = self._app.table.asked_side  # each side has buttons of its own
        self._fingers.window.refresh()
        self._fingers.tap(verb, what, n)

    def _look(self, moment: Moment, notes: TurnNotes) -> None:
        """Look at the screen after a turn: take a proposal that is true, answer it, or enter the turn by touch."""
        picture, end, touched = self._picture(moment), moment.steps, self._fingers.touches
        while self._done < end and self._fingers.touches - touched < MOST_TOUCHES:
            for waited_s in self._frames(picture, PATIENCE_S):
                if self._watch.state == "settled" and isinstance(self._panel, OFFERS):
                    notes.sentence_s = notes.sentence_s or waited_s
                    break
            self._wait(picture, READS_S)
            notes.alarms += self._heard_alarm()
            if not self._answer(end, notes):
                break
        notes.misread = list(self._misread(end))
        if self._done < end:
            notes.by_hand = True
            self._enter(end, notes)
        self._wait(picture, moment.for_s)
        notes.unsure_after = self._app.stage.sense.sign != "sync"
        notes.alarms += self._heard_alarm()
        while isinstance(self._panel, QuestionPanel) and self._fingers.touches - touched < MOST_TOUCHES:
            self._answer(end, notes)
            self._wait(picture, READS_S)
        notes.touches += self._fingers.touches - touched

    def _answer(self, end: int, notes: TurnNotes) -> bool:
        """Answer what is on the screen; return False if it offers nothing that was so."""
        panel = self._panel
        if isinstance(panel, QuestionPanel):
            self._answer_question(panel, end, notes)
            return True
        if isinstance(panel, ChoicePanel):
            return self._choose(panel, end, notes)
        if not isinstance(panel, ProposalPanel | ThrowPanel):
            return False
        right, cards = self._right_ones(panel, end), self._spent_on(panel, end)
        asked = (
            isinstance(panel, ProposalPanel)
            and panel.reroll_panel is not None
            and len(cards) == panel.reroll_panel.number
        )
        if isinstance(panel, ProposalPanel) and 0 not in right and not asked and not notes.wrong_first:
            first = panel.turns[0]
            notes.wrong_first = turn_words(panel.position, first.steps, first.position)
            notes.surely_wrong = first.likelihood >= SURE
        if not right and not cards:
            self._tap("none")
            return False
        if cards and (asked or not right):
            self._name_cards(panel, cards)
        else:
            if right[0] > 1 and isinstance(panel, ProposalPanel):
                self._tap("more")
            self._tap("take", "", right[0])
        self._note_progress(end)
        return True

    def _choose(self, panel: ChoicePanel, end: int, notes: TurnNotes) -> bool:
        """Say which of the turns it was; return False if it was none of them."""
        notes.questions.append("which turn")
        right = self._right_ones(panel, end)
        if not right:
            self._tap("none")
            return False
        if right[0] >= panel.few:
            self._tap("more")
        self._tap("take", "", right[0])
        self._note_progress(end)
        return True

    def _name_cards(self, panel: ProposalPanel | ThrowPanel, cards: tuple[str, ...]) -> None:
        """Say which cards were spent to roll again."""
        asked = panel.reroll_panel if isinstance(panel, ProposalPanel) else None
        if asked is None or asked.number != len(cards):
            self._tap("rerolled", "", min(len(cards), MOST_OFFERED))
            for _more in range(MOST_OFFERED, len(cards)):
                self._tap("one-more")
        for card in cards:
            self._tap("spend", card)
        if isinstance(self._panel, RerolledPanel):
            self._tap("take")  # any target: nothing was hit

    def _spent_on(self, panel: ProposalPanel | ThrowPanel, end: int) -> tuple[str, ...]:
        """Return the cards that were spent to roll again, if with them the first turn proposed is the one played."""
        first = panel.turns[0]
        cards = tuple(step.card for step in self.recording.game.steps[self._done : end] if isinstance(step, Reroll))
        if not 0 < len(cards) <= most_rerolls(first, panel.position):
            return ()
        try:
            after = fold(panel.position, with_rerolls(first, panel.position, cards))
        except Illegal:
            return ()
        return cards if at_rest(after) == self.truth[end] else ()

    def _answer_question(self, panel: QuestionPanel, end: int, notes: TurnNotes) -> None:
        area, true = panel.asked.area, standing_in(self.truth[end], panel.asked.area)
        notes.questions.append(area)
        answers = [tuple(sorted(units)) for units in panel.asked.answers]
        if true in answers:
            self._tap("answer", "", answers.index(true))
        else:
            self._tap("skip")

    def _note_progress(self, end: int) -> None:
        """Note how much of the true game is recorded now."""
        now = at_rest(self._match.position)
        self._done = max((n for n in range(self._done, end + 1) if self.truth[n] == now), default=self._done)

    def _enter(self, end: int, notes: TurnNotes) -> None:
        """Enter the rest of the turn by touch."""
        self._fingers.window.refresh()
        if isinstance(self._panel, QuestionPanel):
            self._tap("skip")
        if isinstance(self._panel, ProposalPanel | ChoicePanel):
            self._tap("none")
        steps, recorded = self.recording.game.steps[: end + 1], len(self._match.steps)
        try:
            number = self._done
            while number < end:
                both = with_card(self._match.position, *steps[number : number + 2])  # its form asks about the card
                number += 2 if both else 1
                self._driver.following = steps[number] if number < len(steps) else None
                self._enter_step(both or steps[number - 1])
            self._close_windows()
        except (NotThere, AssertionError) as error:
            notes.faults.append(f"cannot be entered: {error}")
            self._enter_unseen(recorded, steps[self._done : end])
        self._done = end

    def _enter_step(self, step: Step) -> None:
        due = owed(self._match.position)
        if not isinstance(step, Accept) or (due is not None and due.wants == "accept"):
            self._driver.enter(step)

    def _close_windows(self) -> None:
        """Say that no card is played."""
        while (due := owed(self._match.position)) is not None and due.wants == "accept":
            self._tap("accept")

    def _enter_unseen(self, recorded: int, steps: Sequence[Step]) -> None:
        """Have the record go on as it was played, without the screen."""
        self._match.undo(len(self._match.steps) - recorded)
        for step in steps:
            self._match.offer(step)
        while (due := owed(self._match.position)) is not None and due.wants == "accept":
            self._match.offer(Accept())
        assert isinstance(self._app.table, BoardTable)
        self._app.table.refresh()

    # ---- what the eye saw -------------------------------------------------------------------------

    def _misread(self, end: int) -> Iterator[str]:
        """Yield the areas that were not read as they are, for the causes."""
        reading, position = self._app.stage.senses.monitor.state.reading, self.truth[end]
        assert reading is not None
        for area in compare(position, reading):
            if ":" not in area.area and area.seen_force != area.expected_force:
                how = "surely" if area.state == "differs" else "perhaps"
                yield f"{area.area}: {how} {force_text(area.seen_force)} for {force_text(area.expected_force)}"
