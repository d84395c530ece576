"""A game whose file goes on beyond what this Gunbai can replay: look at it step by step, or play on in a copy."""

from __future__ import annotations

from companion.core.language import _
from companion.games.journal import MOST_STEPS
from companion.games.match import AnyMatch
from companion.games.saved.shelf import copy, set_label
from companion.games.summary import SYSTEM_RECORDS
from companion.scenes.base.reasons import bare_message, sort_findings
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.review.log import leaf_buttons
from companion.scenes.story.game_log import MatchLog
from companion.scenes.story.tables import PORTRAITS
from companion.scenes.systems import table_of
from companion.systems.game_system import game_system
from companion.text.orders import sentence
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Text


def scene_for_match(stage: Stage, match: AnyMatch, home: Scene) -> Scene:
    """Return the scene of a loaded game: its table, or one just to look at it, if no further step can be recorded."""
    return OnlyLookScene(stage, match, home) if match.look_only else table_of(stage, match, home)


class OnlyLookScene:
    """A game to look at step by step, as far as it can be replayed; nothing here changes its file."""

    def __init__(self, stage: Stage, match: AnyMatch, home: Scene) -> None:
        self.stage = stage
        self.match = match
        self.home = home
        self.number = len(match.steps)  # of the step that was taken last
        self._portrait = PORTRAITS.of(match.system.name)
        self.page = 0

    def show(self) -> Screen:
        """Show why the game cannot go on, and the step that led to this moment."""
        go_on = Button(_("Play on from here in a copy"), Intent("copy"), note=_("this game won't change"))
        return Screen(
            title=self._title(),
            blocks=(
                *self._why(),
                Text(self._where(), "quiet"),
                *self._step_words(),
                leaf_buttons(self.number, len(self.match.steps)),
                Buttons((go_on,), 1),
            ),
            actions=(Button(_("Home"), Intent("home"), "primary"),),
            page=self.page,
            **self._portrait.sight(self.match.positions[self.number]),
        )

    @property
    def log(self) -> MatchLog:
        """The log of the game in words."""
        return self._portrait.log(self.match)

    def _title(self) -> str:
        people = self.log.people
        one, other = map(people.name, people.factions)
        return _("{one} vs {other}").format(one=one, other=other)

    def _why(self) -> tuple[Block, ...]:
        """Say why no further step can be recorded."""
        stopped = self.match.stopped
        if stopped is not None and stopped.step is not None:
            against = sort_findings(self.match.system.judge(self.match.position, stopped.step))[0]
            why = _("The next step breaks the rules: {reason}").format(reason=sentence(bare_message(against)))
            return Text(why, "warn"), Text(_("Rulebook: {place}").format(place=against.citation), "quiet")
        if stopped is None or not stopped.intact:
            why = _("This game was started in a newer Gunbai.")
        elif len(self.match.steps) < MOST_STEPS:
            why = _("The rest of this game was played with a newer Gunbai.")
        else:
            why = _("This game is too long for Gunbai to follow.")
        return (Text(why, "warn"),)

    def _where(self) -> str:
        """Name the moment shown by its round or turn and its step."""
        system = self.match.system.name
        form = _("Turn {n} – step {step} of {all} (nothing is changed)")
        if game_system(system).counts_rounds:
            form = _("Round {n} – step {step} of {all} (nothing is changed)")
        n = SYSTEM_RECORDS.of(system).summary(self.match.positions[self.number]).round
        return form.format(n=n, step=self.number, all=len(self.match.steps))

    def _step_words(self) -> tuple[Block, ...]:
        """Describe the step that led to the moment shown, or the start of the game."""
        if not self.number:
            return (Text(self.log.start_words(), "strong"),)
        text = self.log.recorded_line(self.number)
        return (Text(text, "strong"),) if text else ()

    def touch(self, intent: Intent) -> Scene | None:
        """Go a step back or on, play on in a copy, turn the page, or leave for home."""
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "step":
            self.number, self.page = self._next(intent.n), 0
        elif intent.verb == "copy":
            twin = copy(self.match.path, self.match.file_until(self.number))
            set_label(twin, _("{name}, copy").format(name=self._title()))
            return table_of(self.stage, self.stage.services.games.open(twin), self.home)
        return self.home if intent.verb == "home" else None

    def _next(self, way: int) -> int:
        """Return the number of the next moment worth a sentence.

        way: 1 for later, -1 for earlier. If there is none, return the end or the start of the game.
        """
        steps, positions, number = self.match.steps, self.match.positions, self.number + way
        while 0 < number < len(steps) and not self.log.line(steps[number - 1], positions[number - 1]):
            number += way
        return min(max(number, 0), len(steps))
