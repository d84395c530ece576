"""The table: the map, the status, and one panel after another as the game asks for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice

from companion.errors import MatchError
from companion.language import _
from companion.match import Match
from companion.scenes.answers import RollPanel, answer_for
from companion.scenes.diagnosis import DiagnosisScene
from companion.scenes.menu import MenuScene
from companion.scenes.panels import Answer, Close, Offer, Open, Panel, Refuse, Reply, Take, Why
from companion.scenes.picture import map_picture, status, verdict
from companion.scenes.proposal import AlternativesPanel, ProposalPanel, QuestionPanel, idle_panel, notice
from companion.scenes.repair import RepairScene
from companion.scenes.ruling import RulingScene
from companion.scenes.score import ScoreScene
from companion.scenes.screen import Button, Intent, Screen
from companion.scenes.stage import Scene, Stage
from companion.scenes.turn import AreaPanel, TurnPanel
from companion.scenes.words import log_line
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Accept, Step

LOG_LINES = 14


class TableScene:
    """A match at the table. What it shows is `match.position`, which changes only after the step is on the disk."""

    def __init__(self, stage: Stage, match: Match, home: Scene) -> None:
        self.stage = stage
        self.match = match
        self.home = home
        self.page = 0
        self.banner = match.notice or ""
        self.panel: Panel = self._asked_for()
        self._shown: Position = match.position
        self._sensed = stage.sense

    def _asked_for(self) -> Panel:
        """The panel that the position asks for."""
        self.page = 0
        position = self.match.position
        owed = game.owed(position)
        if owed is not None:
            return answer_for(position, owed)
        return idle_panel(position, self.stage.sense) or self._turn_panel()

    def _turn_panel(self) -> TurnPanel:
        return TurnPanel(self.match.position, self.log(), bool(self.match.steps), notice(self.stage.sense))

    def log(self) -> list[str]:
        """The last steps in words, the newest first."""
        told = zip(reversed(self.match.steps), reversed(self.match.positions[:-1]), strict=True)
        lines = (log_line(step, before) for step, before in told)
        return list(islice(filter(None, lines), LOG_LINES))

    def show(self) -> Screen:
        """The whole table."""
        if self._shown is not self.match.position:  # the demo's player moved
            self.refresh()
        self._heed()
        if isinstance(self.panel, RollPanel):
            self.panel.offered(self.stage.dice)
        face = self.panel.show()
        position, sense = self.match.position, self.stage.sense
        return Screen(
            blocks=face.blocks,
            actions=(*face.actions, *self._demo_button()),
            banner=self.banner,
            status=status(position, self.match.players, verdict(sense)),
            map=map_picture(position, face.marks, None if self._offers() else sense.differences),
            page=self.page,
        )

    def _offers(self) -> bool:
        """Whether a turn that was seen is offered: then the map shows what it changes, and no doubts."""
        return isinstance(self.panel, ProposalPanel | AlternativesPanel)

    def _heed(self) -> None:
        """Let the camera's offer or question take the place of the idle turn; what people fill in is left alone."""
        sense = self.stage.sense
        if sense == self._sensed:
            return
        offered = (sense.explanations, sense.question, sense.sign == "out")
        before = (self._sensed.explanations, self._sensed.question, self._sensed.sign == "out")
        self._sensed = sense
        if offered != before and isinstance(self.panel, TurnPanel | ProposalPanel | AlternativesPanel | QuestionPanel):
            self.refresh()

    def say_out_of_sync(self) -> None:
        """Say it in one sentence, over the map; a touch puts it away."""
        self.banner = _("The board is not as recorded. “Put it right” leads through it, or play on.")

    def _demo_button(self) -> tuple[Button, ...]:
        if self.stage.demo_on:
            return (Button(_("Take over"), Intent("take-over"), "primary"),)
        idle = self.stage.hands is not None and isinstance(self.panel, TurnPanel)
        if not idle or self.match.position.winner_name is not None:
            return ()
        return (Button(_("Play on the board"), Intent("hands"), "quiet"),)

    def refresh(self) -> None:
        """Show what the position asks for now."""
        self.panel = self._asked_for()
        self._shown = self.match.position

    def touch(self, intent: Intent) -> Scene | None:
        """The table's own buttons first, then the panel's."""
        self.banner = ""
        own = self._own()
        if intent.verb in own:
            return own[intent.verb](intent)
        if intent.verb == "area" and isinstance(self.panel, TurnPanel | AreaPanel | ProposalPanel):
            return self._follow(self._touched_area(intent.what))
        return self._follow(self.panel.touch(intent))

    def _own(self) -> Mapping[str, Callable[[Intent], Scene | None]]:
        return {
            "undo": self._undo,
            "menu": self._menu,
            "page": self._turn_page,
            "take-over": self._take_over,
            "live": self._look_at,
            "repair": self._repair,
            "hands": self._hands,
            "hush": self._hush,
        }

    def _touched_area(self, area: str) -> Reply:
        """An area's panel; a second touch on the same area puts it away."""
        if isinstance(self.panel, AreaPanel) and self.panel.area.name == area:
            return Close()
        return Open(AreaPanel(self.match.position, area, self.stage.sense.differences))

    def _follow(self, reply: Reply) -> Scene | None:
        match reply:
            case Offer(step, asked):
                return self._offer(step, asked)
            case Why(step):
                return self._explain(step)
            case Open(panel):
                self.panel = panel
                self.page = 0
            case Close():
                self.refresh()
            case Take(steps):
                return self._take(steps)
            case Refuse() if self.stage.understanding is not None:
                self.stage.understanding.refuse()
                self.panel = self._turn_panel()
            case Answer(area, units) if self.stage.understanding is not None:
                self.stage.understanding.answer(area, units)
                self.panel = self._turn_panel()
        return None

    def _take(self, steps: tuple[Step, ...]) -> Scene | None:
        """Take the turn that was seen on the board, step by step, as far as the rules and the disk go along."""
        self.stage.demo_on = False
        for step in steps:
            try:
                ruling = self.match.offer(step)
            except MatchError as error:
                self.banner = _("Not saved, so not played: {fault}").format(fault=error)
                break
            if not ruling.legal:
                self.refresh()
                return self._explain(step)
        else:
            self.stage.confirmed(self.match.position)
        self.refresh()
        return self.score() if self.match.position.winner_name else None

    def _offer(self, step: Step, asked: frozenset[str]) -> Scene | None:
        """Take the step; an objection leads to its ruling, a fault of the disk to a sentence."""
        self.stage.demo_on = False
        try:
            ruling = self.match.offer(step)
            if self._answered(asked):
                self.match.offer(Accept())
        except MatchError as error:
            self.banner = _("Not saved, so not played: {fault}").format(fault=error)
            return None
        if not ruling.legal:
            return self._explain(step)
        self.refresh()
        return self.score() if self.match.position.winner_name else None

    def _answered(self, asked: frozenset[str]) -> bool:
        """Whether only cards are open that the form has just asked about."""
        owed = game.owed(self.match.position)
        if owed is None or owed.wants != "accept" or owed.may_reroll:
            return False
        return {card for _faction, card in owed.cards} <= asked

    def _explain(self, step: Step) -> Scene:
        ruling = game.examine(self.match.position, step)
        return RulingScene(ruling, (self.match.position, step), self)

    def score(self) -> Scene:
        """The score of this moment."""
        return ScoreScene((self.match.position, self.match.players), self, self.home)

    def _undo(self, intent: Intent) -> None:
        """Take the last step back; the log says which, as the pieces on the table have to go back too."""
        del intent
        self.stage.demo_on = False
        last = self._last_line()
        try:
            undone = self.match.undo()
        except MatchError as error:
            self.banner = str(error)
            return
        if not undone:
            self.banner = _("There is nothing to take back.")
        self.refresh()
        if last and isinstance(self.panel, TurnPanel):
            self.panel.log = (_("Taken back: {step}").format(step=last), *self.panel.log)

    def _last_line(self) -> str:
        """The last step in words, "" for none and for one that goes without saying."""
        match = self.match
        return log_line(match.steps[-1], match.positions[-2]) if match.steps else ""

    def _menu(self, intent: Intent) -> Scene:
        del intent
        return MenuScene(self.stage, self)

    def _turn_page(self, intent: Intent) -> None:
        self.page += intent.n

    def _take_over(self, intent: Intent) -> None:
        del intent
        self.stage.demo_on = False
        self.refresh()

    def _look_at(self, intent: Intent) -> Scene:
        """What the camera sees, and why it thinks so."""
        del intent
        return DiagnosisScene(self.stage, self)

    def _repair(self, intent: Intent) -> Scene:
        del intent
        return RepairScene(self.stage, self)

    def _hands(self, intent: Intent) -> None:
        """Let the simulated table's players do a turn without a word to the app."""
        del intent
        if self.stage.hands is not None:
            self.stage.hands.do_turn(self.match)

    def _hush(self, intent: Intent) -> None:
        del intent
