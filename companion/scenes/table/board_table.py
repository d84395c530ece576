"""The table of General Orders: what a touch does there, and the scenes that lead on from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from companion.core.errors import MatchError
from companion.core.language import _
from companion.perception.sync.state import AreaCounted, TurnsRefused
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.panels import Answer, Open, Panel, Refuse, Reply, Take
from companion.scenes.base.stage import Scene
from companion.scenes.camera.diagnosis import DiagnosisScene
from companion.scenes.disputes.ask import AskScene
from companion.scenes.disputes.reasons import StepScene
from companion.scenes.disputes.ruling import ruling_on
from companion.scenes.disputes.settle_map import SettleMapScene
from companion.scenes.disputes.whatif import WhatIfScene
from companion.scenes.orders.answers import WindowPanel
from companion.scenes.orders.by_hand import RoundPanel, StandsPanel
from companion.scenes.orders.card_panels import CardsPanel, RerollPanel
from companion.scenes.orders.cards import CardsScene
from companion.scenes.orders.forms import CardOffer, DeployForm
from companion.scenes.orders.hand_tasks import ToDoPanel
from companion.scenes.orders.hints import HintPanel
from companion.scenes.orders.moving import MoveForm
from companion.scenes.orders.notices import CountPanel
from companion.scenes.orders.proposal import ProposalPanel, ThrowPanel, is_same_turn
from companion.scenes.orders.repair import RepairScene
from companion.scenes.orders.turn import AreaPanel, Spaces, TurnPanel
from companion.scenes.review.correct import MapMomentScene
from companion.scenes.review.correct_now import StraightScene
from companion.scenes.review.evidence import EvidenceScene, ExportScene
from companion.scenes.story.game_log import take_back
from companion.scenes.story.presenter import ArgumentQuestion, RulesQuestion, Ways
from companion.scenes.table.map_table import MapTable, SideScene
from companion.scenes.table.round_end import RoundEndScene
from companion.scenes.table.score import PhotoScene, ScoreScene
from companion.text.faults import table_fault_words
from companion.ui.screen import Button, Intent
from engine.orders.position import Position
from engine.orders.steps import Accept, Agreed, Roll, Step
from engine.ruling import Ruling

PANELS = ("todo", "round", "otherwise", "window", "hint", "recount")
"""Verbs that replace the open panel: a half that must wait can't use them."""


class BoardTable(MapTable):
    """The table of a game of General Orders: what a touch does, and the scenes that it opens."""

    _round_ended = False

    # ---- what leads on from it -------------------------------------------------------------------

    def straight(self, back: Scene) -> Scene:
        """Open the scene in which players correct the recorded position by hand."""
        return StraightScene(self, back)

    def details(self, back: Scene) -> Scene:
        """Open the final score, or the score as if the game ended now."""
        return ScoreScene(self, back)

    def questions(self, back: Scene, seat: str) -> tuple[ArgumentQuestion, ...]:
        """Return the questions "May I …?" and "What if …?", each with the scene that answers it."""
        position, players = self.match.position, self.match.players
        return (
            ArgumentQuestion(_("May I …?"), lambda: AskScene(self, back, seat)),
            ArgumentQuestion(_("What if …?"), lambda: WhatIfScene(self.presenter, position, players, back), "redo"),
        )

    def ways(self, back: Scene) -> Ways:
        """Return the menu's buttons for hints and photos, and, if available, a photo's score and a bug report."""
        ways: Ways = (self._hints_way(back),)
        pictures = Button(_("Photos of the last turns"), Intent("evidence"), sign="camera")
        ways = (*ways, (pictures, lambda: EvidenceScene(self.match, back)))
        if (eye := self.stage.senses.eye) is not None:
            photo = Button(_("Score from a photo"), Intent("photo"), sign="points")
            ways = (*ways, (photo, lambda: PhotoScene(eye, (self.match.board, self.match), back)))
        if (export := self.stage.services.export) is not None:
            report = Button(_("Export for a bug report"), Intent("export"), sign="log")
            ways = (*ways, (report, lambda: ExportScene(partial(export, self.match), back)))
        return ways

    def _hints_way(self, back: Scene) -> tuple[Button, Callable[[], Scene]]:
        """Return the button that switches hints on, once both players agree, or off at once, and what it does."""
        allowed = self.hints.allowed

        def turn_over() -> Scene:
            self.hints.allowed = not allowed
            self.refresh()
            return self

        def ask() -> Scene:
            what = _("The player to move can see three good moves, until you leave the game.")
            return ConsentScene((_("Hints in this game?"), what), self.people, turn_over, back)

        note = _("on in this game") if allowed else _("off unless both agree")
        button = Button(_("Hints"), Intent("hints"), "chosen" if allowed else "plain", "question", note)
        return button, turn_over if allowed else ask

    def moment(self, number: int, back: Scene) -> Scene:
        """Open the board as it was after this many steps."""
        return MapMomentScene(self, number, back)

    def step_scene(self, number: int, back: Scene) -> Scene:
        """Open the scene of a step (counted from 1), with any photo the camera kept of it."""
        return StepScene(self, number, back)

    def settle(self, question: RulesQuestion[Position, Step] | None, back: Scene) -> Scene:
        """Open the map on which the players agree how the board stands. question: what was asked before, or None."""
        return SettleMapScene(self, question, back)

    # ---- touches -----------------------------------------------------------------------------------

    def listens(self, intent: Intent) -> bool:
        """Return whether to act on a touch: a half that must wait, and can't go on, has to leave the panel alone."""
        always = intent.verb == "side" or (intent.verb in self.own() and intent.verb not in PANELS)
        return always or not intent.seat or intent.seat in self.waits_for or self._may_go_on(intent.seat)

    def own(self) -> Mapping[str, Callable[[Intent], Scene | None]]:
        """Return the table's own actions by the verb that triggers them, whatever panel is open."""
        more: Mapping[str, Callable[[Intent], Scene | None]] = {
            "cards": lambda intent: CardsScene(self.stage, self.match, self),
            "live": lambda intent: DiagnosisScene(self.stage, self),
            "repair": lambda intent: RepairScene(self.stage, self),
            "hands": lambda intent: self._play_on_board(),
            "todo": lambda intent: self.open(ToDoPanel(self.hands.todo)),
            "did": lambda intent: self._did(),
            "side": lambda intent: SideScene(self, intent.what) if intent.what in self.sides else None,
            "round": lambda intent: self.open(RoundPanel(self.position)),
            "otherwise": lambda intent: self.open(StandsPanel(self.position, intent.what)),
            "window": self._window,
            "hint": lambda intent: self._hint(),
            "recount": self._recount,
            "undo-turn": lambda intent: self._undo_turn(),
        }
        return {**super().own(), **more}

    def touch_panel(self, intent: Intent) -> Scene | None:
        """Open the touched area's panel, or pass a touch to the panel, or to the next turn's; return the next scene."""
        aside = isinstance(self.panel, ToDoPanel | WindowPanel | HintPanel)
        goes_on = aside and intent.verb in ("area", "drag", "space", "pass")
        if goes_on and self.next_position().turn is None:
            self.panel = self.turn_panel()
        spaces = Spaces(self.next_position(), self.stage.sense.differences)
        if intent.verb == "area" and _is_elsewhere(self.panel, intent.what):
            return self.follow(spaces.touch_area(intent.what))
        if intent.verb == "area" and _asks_about(self.panel, intent.what):
            return self.follow(Open(AreaPanel(spaces, intent.what)))
        return super().touch_panel(intent)

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a touch, and stop the search for a hint if it is no longer on screen; return the next scene."""
        following = super().touch(intent)
        self.hints.stop_unless_shown(self.panel, away=following not in (None, self))
        return following

    def tick(self, now_s: float) -> Scene | None:
        """Advance the search for a hint; return the table if there is a new one to show, else None."""
        self.hints.stop_unless_shown(self.panel)
        return self if isinstance(self.panel, HintPanel) and self.panel.think(now_s) else None

    def _hint(self) -> None:
        if self.hints.may_ask(self.panel):
            self.open(self.hints.panel_for(self.next_position(), self.hint_position()))

    def _recount(self, intent: Intent) -> None:
        if intent.what in self.match.board.area_index:
            self.open(CountPanel(self.next_position(), intent.what))

    def _undo_turn(self) -> Scene | None:
        """Undo the turn that the camera saw taken back on the board; do nothing if there is none."""
        left = self.stage.sense_at(self.match.position).taken_back
        return None if left is None else take_back(self, left, self)

    def hint_position(self) -> Position:
        """Return the position to search for a hint: one without hidden cards, as both players see the hint."""
        return self.next_position()

    def open(self, panel: Panel[Step]) -> None:
        """Replace the panel, adjusting the new one to the settings."""
        super().open(self.set_up(panel))

    def _did(self) -> None:
        self.hands.todo.finish()
        if isinstance(self.panel, ToDoPanel):
            self.refresh()

    def _window(self, intent: Intent) -> Scene | None:
        """Open the cards that may be played now; if none are to be asked about, pass the touch to the panel."""
        owed = self.owed(self.match.position)
        if owed is not None and owed.wants == "accept":
            self.panel = WindowPanel(self.match.position, owed)
        elif (
            owed is None
            and (cards := self.cards_to_announce(self.match.position))
            and isinstance(self.panel, TurnPanel)
        ):
            self.panel = CardsPanel(self.match.position, cards)
        else:
            return self.follow(self.panel.touch(intent))
        return None

    def follow(self, reply: Reply[Step]) -> Scene | None:
        """Carry out a panel's reply, including those on cards and the camera; return the next scene, None to stay."""
        match reply:
            case CardOffer():
                return self._offer_with_cards(reply)
            case Take(steps):
                return self._take(steps)
            case Refuse():
                self.stage.senses.monitor.advance(TurnsRefused())
                self.panel = self.turn_panel()
            case Answer(area, units):
                self.stage.senses.monitor.advance(AreaCounted(area, units))
                self.panel = self.turn_panel()
            case _:
                return super().follow(reply)
        return None

    def try_step(self, step: Step) -> Ruling | None:
        """Record the step if it is legal, noting if it ended a round; return the ruling, None if saving failed."""
        before, ruling = self.match.position.round, super().try_step(step)
        self._round_ended |= self.match.position.round > before and not isinstance(step, Agreed)
        return ruling

    def redo(self) -> Scene | None:
        """Redo the step undone last; if that ends a round, show the end of the round again."""
        before = self.match.position.round
        following = super().redo()
        self._round_ended = self.match.position.round > before and not isinstance(self.match.steps[-1], Agreed)
        return self.end() or following

    def end(self) -> Scene | None:
        """Return the page for the end of a round, if one just ended and the settings want it, or that of the game."""
        ended, self._round_ended = self._round_ended, False
        return RoundEndScene(self) if ended and self.stage.settings.round_end else super().end()

    def _offer_with_cards(self, offer: CardOffer) -> Scene | None:
        """Record the step, and decline the cards owed if its form has already asked about all of them."""
        ruling = self.try_step(offer.step)
        if ruling is None:
            return None
        if not ruling.legal:
            return ruling_on(self, offer.step, self)
        try:
            if offer.has_asked_all(self.owed(self.match.position)):
                self.match.offer(Accept())
        except MatchError as error:
            self.banner = table_fault_words(error)
        self.refresh()
        if offer.rerolled and isinstance(offer.step, Roll):
            self.panel = RerollPanel(self.match.position, offer.step.by)
        return self.end()

    def _take(self, steps: tuple[Step, ...]) -> Scene | None:
        """Record the steps of a turn seen on the board; open the ruling on the first that is illegal."""
        round_, number = self.match.position.round, len(self.match.steps)
        for step in self.to_take(steps):
            ruling = self.try_step(step)
            if ruling is None:
                break
            if not ruling.legal:
                self.refresh()
                return ruling_on(self, step, self)
        as_seen = is_same_turn(self.match.steps[number:], steps)
        if as_seen:
            self.stage.confirm(self.match.position)
        self.refresh()
        if as_seen and self.match.position.round == round_:  # at its end the commanders still go home
            self.hands.todo.finish()
        return self.end()

    def to_take(self, steps: tuple[Step, ...]) -> Iterable[Step]:
        """Return the steps to record of a turn seen on the board; each is recorded before the next is drawn."""
        return steps

    def _play_on_board(self) -> None:
        """Have the simulated table's players make a turn on the board, without telling the app."""
        if self.stage.senses.hands is not None:
            self.stage.senses.hands.do_turn(self.match)


def _is_elsewhere(panel: Panel[Step], area: str) -> bool:
    """Return whether a touch abandons the open move form: the area isn't its target and has no units of the mover."""
    if not isinstance(panel, MoveForm) or area == panel.space.area:
        return False
    return panel.position.to_move_name not in panel.position.units_in(area)


def _asks_about(panel: Panel[Step], area: str) -> bool:
    """Return whether a touch opens the area's panel: a turn seen is on offer, or it is the open form's target."""
    return isinstance(panel, ProposalPanel | ThrowPanel) or (isinstance(panel, DeployForm) and panel.space.area == area)
