"""The table: the map, the status, and one panel after another as the game asks for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice

from companion.errors import MatchError
from companion.language import _
from companion.match import Match
from companion.scenes.answers import answer_for
from companion.scenes.menu import MenuScene
from companion.scenes.panels import Close, Offer, Open, Panel, Reply, Why
from companion.scenes.picture import map_picture, of_area, status, verdict
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

    def _asked_for(self) -> Panel:
        """The panel that the position asks for."""
        self.page = 0
        position = self.match.position
        owed = game.owed(position)
        if owed is not None:
            return answer_for(position, owed)
        return TurnPanel(position, self.log(), can_undo=bool(self.match.steps))

    def log(self) -> list[str]:
        """The last steps in words, the newest first."""
        told = zip(reversed(self.match.steps), reversed(self.match.positions[:-1]), strict=True)
        lines = (log_line(step, before) for step, before in told)
        return list(islice(filter(None, lines), LOG_LINES))

    def show(self) -> Screen:
        """The whole table."""
        if self._shown is not self.match.position:  # the demo's player moved
            self.refresh()
        face = self.panel.show()
        position, seen = self.match.position, self.stage.differences
        return Screen(
            blocks=face.blocks,
            actions=(*face.actions, *self._demo_button()),
            banner=self.banner,
            status=status(position, self.match.players, verdict(seen, self.stage.camera_fault)),
            map=map_picture(position, face.marks, seen),
            page=self.page,
        )

    def _demo_button(self) -> tuple[Button, ...]:
        return (Button(_("Take over"), Intent("take-over"), "primary"),) if self.stage.demo_on else ()

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
        if intent.verb == "area" and isinstance(self.panel, TurnPanel | AreaPanel):
            return self._follow(self._touched_area(intent.what))
        return self._follow(self.panel.touch(intent))

    def _own(self) -> Mapping[str, Callable[[Intent], Scene | None]]:
        return {
            "undo": self._undo,
            "menu": self._menu,
            "page": self._turn_page,
            "take-over": self._take_over,
            "live": self._look_at,
            "hush": self._hush,
        }

    def _touched_area(self, area: str) -> Reply:
        """An area's panel; a second touch on the same area puts it away."""
        if isinstance(self.panel, AreaPanel) and self.panel.area.name == area:
            return Close()
        return Open(AreaPanel(self.match.position, area, self.stage.differences))

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
        return None

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

    def _look_at(self, intent: Intent) -> None:
        """The first area that the camera doubts."""
        del intent
        if self.stage.camera_fault:
            self.banner = self.stage.camera_fault
        doubts = [of_area(one) for one in self.stage.differences or () if one.state != "agrees"]
        if doubts and game.owed(self.match.position) is None:
            self.panel = AreaPanel(self.match.position, doubts[0], self.stage.differences)

    def _hush(self, intent: Intent) -> None:
        del intent
