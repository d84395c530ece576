"""A moment of a game, looked back at: what the step was, what came of it, and why it was allowed."""

from __future__ import annotations

from companion.core.errors import MatchError
from companion.core.language import _, plural
from companion.games.match import AnyMatch
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.story.course import Course
from companion.scenes.story.game_log import take_back, visible_count, visible_number
from companion.scenes.story.presenter import with_picture
from companion.scenes.story.tables import AnyTable
from companion.text.faults import fault_words
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Text, back_button


class MomentScene(BackScene):
    """The table after a step, to look at: a step earlier or later, back to now, or to go on from there."""

    shared = True  # both look back, on the picture between them

    def __init__(self, table: AnyTable, number: int, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.number = number  # of the step that the table has just seen; 0 is the start
        self.banner = ""
        self.course = Course(table.game_log)

    # ---- what a system may have otherwise -----------------------------------------------------------

    def facts(self) -> tuple[Block, ...]:
        """Return how the game stood, if no curve shows it."""
        return ()

    def besides(self) -> tuple[Block, ...]:
        """Return more on how the game stood, for the room below the ways on."""
        facts = self.table.presenter.facts(self.match.positions[self.number], self.table.people)
        return (Text(facts, "quiet"),) if facts else ()

    def of_step(self) -> tuple[Button, ...]:
        """Return buttons for what may be asked about the step, or done with it."""
        why = Button(_("Why was that allowed?"), Intent("why"), note=_("the rules behind it"))
        return (why,) if self.number else ()

    def follow_button(self, intent: Intent) -> Scene | None:
        """Open the scene behind one of this moment's own buttons."""
        return self.table.step_scene(self.number, self) if intent.verb == "why" and self.number else None

    # ---- what it shows ------------------------------------------------------------------------------

    @property
    def match(self) -> AnyMatch:
        """The match as it is now; it may have got shorter since this was opened."""
        self.number = min(self.number, len(self.table.match.steps))
        return self.table.match

    def show(self) -> Screen:
        """Show the step that led to the moment, and the ways on."""
        match, log = self.match, self.table.game_log
        where = self.table.presenter.moment_words(
            match.positions[self.number], visible_number(log, self.number), visible_count(log)
        )
        words = Screen(
            title=_("Replay"),
            blocks=(
                Text(where, "quiet"),
                *self._step_blocks(),
                *(self.course.scrubber(self.number) or self.facts()),
                *self._ways(),
                *self.besides(),
            ),
            actions=(back_button("primary"),),
            banner=self.banner,
            page=self.page,
        )
        return with_picture(words, self.table.presenter.moment_picture(match, self.number))

    def _step_blocks(self) -> tuple[Block, ...]:
        """Return the step in words, with its own marks."""
        log = self.table.game_log
        if not self.number:
            return Text(_("The start of the game."), "strong"), Text(log.start())
        step = self.match.steps[self.number - 1]
        text = log.of_record(self.number) or self.table.presenter.silent_words()
        return Text(text, "strong"), *(Text(mark, "warn") for mark in log.marks(step))

    def _ways(self) -> tuple[Block, ...]:
        """Return the buttons to leaf, to resume from here, and to act on the step."""
        gone = visible_count(self.table.game_log) - visible_number(self.table.game_log, self.number)
        note = plural("undoes {n} step", "undoes {n} steps", gone)
        go_on = (Button(_("Resume here"), Intent("go-on"), note=note),) if gone else ()
        others = (*go_on, *self.of_step())
        rest = (Buttons(others, 2 if len(others) < 5 else 3),) if others else ()
        return leaf_buttons(self.number, len(self.match.steps)), *rest

    def touch(self, intent: Intent) -> Scene | None:
        """Show another moment, or act on this one."""
        self.banner = ""
        if intent.verb == "step":
            self.number, self.page = self._next(intent.n), 0
        elif intent.verb == "scrub":
            self.number, self.page = self.course.step_at(intent.at[0]), 0
        elif intent.verb == "go-on":
            return self._go_on()
        return super().touch(intent) or self.follow_button(intent)

    def _next(self, way: int) -> int:
        """Return the next moment in that direction that is worth a sentence, or the start or end of the game."""
        steps, silent = self.match.steps, self.table.game_log.is_silent
        ends, last = (0, len(steps)), self.number
        beyond = range(last + 1, len(steps) + 1) if way > 0 else range(last - 1, -1, -1)
        return next((n for n in beyond if n in ends or not silent(steps[n - 1])), last)

    def _go_on(self) -> Scene | None:
        try:
            return take_back(self.table, self.number, self)
        except MatchError as error:
            self.banner = fault_words(error)
            return None


def leaf_buttons(number: int, last: int) -> Buttons:
    """Return the buttons to the moments before and after this one, of so many."""
    ways = ((_("Earlier"), -1, number > 0), (_("Later"), 1, number < last))
    return Buttons(
        tuple(Button(label, Intent("step", "", n), "plain" if on else "off", repeats=True) for label, n, on in ways), 2
    )
