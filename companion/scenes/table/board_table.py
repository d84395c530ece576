"""The table of General Orders: the map, the camera's proposals, what hands have to do, and windows for cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from companion.core.errors import MatchError
from companion.core.language import _
from companion.games.match import Match
from companion.games.position_facts import hand_size
from companion.perception.sync.state import AreaCounted, TurnsRefused
from companion.perception.sync.status import SyncStatus
from companion.scenes.base.halves import ask_button, watcher_blocks
from companion.scenes.base.map_picture import map_picture, overlay_of, status, verdict
from companion.scenes.base.panels import Answer, Face, Open, Panel, Refuse, Reply, Take
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.camera.diagnosis import DiagnosisScene
from companion.scenes.disputes.ask import AskScene
from companion.scenes.disputes.ruling import ruling_on
from companion.scenes.disputes.settle_map import SettleMapScene
from companion.scenes.disputes.step import StepScene
from companion.scenes.disputes.whatif import WhatIfScene
from companion.scenes.orders.answers import RollPanel, WindowPanel, answer_for
from companion.scenes.orders.by_hand import RoundPanel, StandsPanel, StillByHand, marked_map, marked_status
from companion.scenes.orders.card_panels import ONE_CARD, CardsPanel, RerollPanel, may_announce
from companion.scenes.orders.cards import CardsScene
from companion.scenes.orders.forms import CardOffer, DeployForm
from companion.scenes.orders.halves import asks_about, cards_button, half_blocks, is_elsewhere, with_tasks
from companion.scenes.orders.hand_tasks import ToDo, ToDoPanel
from companion.scenes.orders.hints import HintPanel, Hints
from companion.scenes.orders.notices import CountPanel, TakenBackPanel, notice
from companion.scenes.orders.placing import PlaceForm, placed_last
from companion.scenes.orders.proposal import (
    AlternativesPanel,
    ProposalPanel,
    QuestionPanel,
    ThrowPanel,
    idle_panel,
    is_same_turn,
)
from companion.scenes.orders.repair import RepairScene
from companion.scenes.orders.rerolled import RerolledPanel
from companion.scenes.orders.turn import AreaPanel, Spaces, TurnPanel
from companion.scenes.review import follow
from companion.scenes.review.correct import MapMomentScene
from companion.scenes.review.correct_now import StraightScene
from companion.scenes.story.game_log import take_back
from companion.scenes.story.presenter import ArgumentQuestion, RulesQuestion, Ways
from companion.scenes.table.more_ways import hints_way, more_ways
from companion.scenes.table.orders_presenter import ORDERS
from companion.scenes.table.round_end import RoundEndScene
from companion.scenes.table.score import score_of
from companion.scenes.table.side import SideScene
from companion.scenes.table.table import MOST_BESIDE, TableScene
from companion.text.faults import table_fault_words
from companion.ui.screen import Block, Button, Intent, Screen
from engine.orders import game
from engine.orders.game import Owed
from engine.orders.position import Position
from engine.orders.steps import Accept, Agreed, Pass, Roll, Step
from engine.orders.turn import ready
from engine.ruling import Ruling

BEGINS = (TurnPanel, HintPanel, AreaPanel, DeployForm)  # a turn: the windows of the last one are passed by
OFFERS = (ProposalPanel, AlternativesPanel, ThrowPanel, RerolledPanel)  # what the camera saw done, for a touch
FOLLOWS = (TurnPanel, HintPanel, WindowPanel, QuestionPanel, TakenBackPanel, *OFFERS)  # they give way to what it sees
PANELS = (
    "todo",
    "round",
    "otherwise",
    "window",
    "hint",
    "recount",
)  # what would take the place of the other player's panel


class BoardTable(TableScene[Position, Step]):
    """A game of General Orders at the table."""

    match: Match

    def __init__(self, stage: Stage, match: Match, home: Scene) -> None:
        self.hands = follow.HandTasks(match)
        self.hints = Hints(stage.services.thinking)
        self._by_hand = StillByHand(match)
        self._last_sense = stage.sense
        self._round_ended = False
        super().__init__(stage, match, home, ORDERS)

    # ---- what leads on from it -------------------------------------------------------------------

    def straight(self, back: Scene) -> Scene:
        """Open the scene in which players correct the recorded position by hand."""
        return StraightScene(self, back)

    def details(self, back: Scene) -> Scene:
        """Open the score as it is now."""
        return score_of(self, back)

    def questions(self, back: Scene, seat: str) -> tuple[ArgumentQuestion, ...]:
        """Offer the questions "May I …?" and "What if …?"."""
        position, players = self.match.position, self.match.players
        return (
            ArgumentQuestion(_("May I …?"), lambda: AskScene(self, back, seat)),
            ArgumentQuestion(_("What if …?"), lambda: WhatIfScene(self.presenter, position, players, back), "redo"),
        )

    def ways(self, back: Scene) -> Ways:
        """Return the menu's buttons for hints, photos of the turns, the score from a photo and a bug report.

        Only what can be done here and now is offered.
        """
        return (hints_way(self, back), *more_ways(self.stage, self.match, back))

    def moment(self, number: int, back: Scene) -> Scene:
        """Open a look at the board after this many steps."""
        return MapMomentScene(self, number, back)

    def step_scene(self, number: int, back: Scene) -> Scene:
        """Open a step (counted from 1) with what the camera saw of it."""
        return StepScene(self, number, back)

    def settle(self, question: RulesQuestion[Position, Step] | None, back: Scene) -> Scene:
        """Let the players settle how the board stands, whatever the rules say of the question."""
        return SettleMapScene(self, question, back)

    # ---- what the game asks for ------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position to go on from: where nobody is asked about cards, the windows for them are passed by."""
        return self.match.position if self.stage.settings.ask_cards else self.next_position()

    def owed(self, position: Position) -> Owed | None:
        """Return what the people at the table owe or may play at a position; None if nothing."""
        return game.owed(position)

    def may_announce(self, position: Position) -> list[tuple[str, str]]:
        """List the cards of unknown text that the people at the table may play now, as (faction, card)."""
        return may_announce(position)

    def asked_for(self) -> Panel[Step]:
        """Return the panel for the current position: a step owed, a turn the camera saw, or the idle turn."""
        owed, sense = self.owed(self.position), self.stage.sense_at(self.match.position)
        if sense.taken_back is not None:
            return self.taken_back_panel(sense.taken_back)
        if owed is None or sense.sign == "proposal":  # where a card was asked for, the board shows that they played on
            return idle_panel(self.next_position(), sense, self.stage.dice_seen.throws) or self.turn_panel()
        return self.set_up(answer_for(self.position, owed))

    def set_up(self, panel: Panel[Step]) -> Panel[Step]:
        """Adjust a panel to the settings and return it: questions about cards, forecasts, units as placed last."""
        if isinstance(panel, RollPanel | DeployForm):
            panel.asks = self.stage.settings.ask_cards
        if isinstance(panel, DeployForm):
            panel.foretells = self.stage.settings.forecast
        if isinstance(panel, PlaceForm):
            panel.earlier = placed_last(panel, self.match.steps, self.match.positions)
        return panel

    def turn_panel(self) -> TurnPanel:
        """Return the panel of an idle turn, with news of the pieces to move and the camera's doubts."""
        position = self.next_position()
        sense = self.stage.sense
        panel = TurnPanel(Spaces(position, sense.differences), self.log(), notice(sense, position.board))
        panel.news = self.hands.news
        panel.may_play = self.owed(self.match.position) is not None or bool(self.may_announce(position))
        return panel

    def taken_back_panel(self, left: int) -> TakenBackPanel:
        """Return the panel that asks whether to undo the last turn, which would leave this many steps."""
        return TakenBackPanel(self.next_position(), self.match.steps[left:], self.match.positions[left])

    @property
    def waits_for(self) -> frozenset[str]:
        """The factions that the table waits for: both where each of them may play a card before a roll."""
        owed = game.owed(self.position)
        if isinstance(self.panel, ONE_CARD):  # whoever holds it
            return frozenset({self.panel.faction})
        if owed is None or isinstance(self.panel, (*BEGINS, QuestionPanel, *OFFERS)):
            return frozenset({self.next_position().to_move_name})
        return frozenset({owed.by, *(faction for faction, _card in owed.cards)})

    @property
    def asked_side(self) -> str:
        """The faction whose answer is asked for first; the map stays turned to it when the game is over."""
        owed = game.owed(self.match.position)
        return self.match.position.to_move_name if owed is None else owed.by

    def next_position(self) -> Position:
        """Return the position from which the next turn starts, skipping chances to play a card."""
        return ready(self.match.position, Pass())

    def _may_go_on(self, faction: str) -> bool:
        """Return whether this player may begin the next turn while the other may still play a card."""
        settled = self.next_position()
        waiting = isinstance(self.panel, WindowPanel) and settled.turn is None
        return waiting and settled.to_move_name == faction and faction not in self.waits_for

    # ---- what it shows -----------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the whole table for both players."""
        face = self.face()
        blocks = with_tasks(self.panel, face, self._todo() or ToDo())
        first, *rest = face.actions
        if self.stage.demo_on or isinstance(self.panel, TurnPanel) or len(rest) > MOST_BESIDE:
            return self.screen(face, blocks, (*face.actions, *self.ways_on()))
        return self.screen(face, blocks, (first, ask_button(), *rest))  # what confirms stays at the end

    def show_to(self, seat: str) -> Screen:
        """Show one half: the panel for whoever must answer, the course of play and the task list for the other."""
        face = self.face()
        if self._may_go_on(seat):
            face = self.turn_panel().show()
        elif seat not in self.waits_for and self.winner is None:
            prompt, todo = self.turn_panel().prompt(), self._todo()
            return self.screen(
                face,
                watcher_blocks(face.blocks, prompt, todo.block() if todo is not None else (), self.log()),
                (ask_button(), cards_button()),
            )
        return self.screen(face, half_blocks(self.panel, face, self.hands.news), (*face.actions, *self.ways_on()))

    def _todo(self) -> ToDo | None:
        """Return the list of pieces to move, or None if the settings hide it or a demo runs."""
        wanted = self.stage.settings.list_hands and not self.stage.demo_on
        return self.hands.todo if wanted else None

    def screen(self, face: Face, blocks: tuple[Block, ...], actions: tuple[Button, ...]) -> Screen:
        """Lay these blocks and buttons beside the map, with the camera's doubts and what the last turn changed."""
        panel = self.panel
        position = panel.position if isinstance(panel, BEGINS) else self.position
        # the map shows no doubts where a turn that was seen is offered, or one seems to be in progress
        sense = self.stage.sense
        busy = isinstance(panel, OFFERS) or sense.sign in ("playing", "dice")
        by_hand, doubts = self._by_hand.names(), None if busy else sense.differences
        overlay = overlay_of(self.stage.settings, self.match)
        if not isinstance(panel, TurnPanel):
            overlay = replace(overlay, traces=())  # what is being done now has the room
        elif self.stage.settings.show_changes and self._todo() is not None:
            overlay = replace(overlay, traces=self.hands.going_back or overlay.traces)
        return Screen(
            blocks=blocks,
            actions=self.with_redo(actions),
            banner=self.banner,
            status=marked_status(status(position, self.match.players, verdict(sense)), by_hand),
            map=marked_map(map_picture(position, face.marks, doubts, overlay), by_hand),
            page=self.page,
        )

    def look(self) -> None:
        """Let the camera's offer or question take the place of the idle turn; what people fill in is left alone."""
        self._heed(self.stage.sense)
        if isinstance(self.panel, RollPanel):
            self.panel.offered(self.stage.dice)

    def _heed(self, sense: SyncStatus) -> None:
        if self.stage.settings.tick_by_camera:
            self.hands.todo.heed(sense)
        if sense == self._last_sense:
            return
        offered, before = _offered(sense), _offered(self._last_sense)
        self._last_sense = sense
        if isinstance(self.panel, TurnPanel):
            self.panel.spaces.differences = sense.differences
        if offered != before and isinstance(self.panel, FOLLOWS):
            self.refresh()

    def say_out_of_sync(self) -> None:
        """Say it over the map, unless what is asked says it; a touch puts it away, and so does a board put right."""
        sense = self.stage.sense
        if sense.taken_back is not None:
            return
        if isinstance(self.panel, FOLLOWS):
            self.banner = _("The board doesn't match the game. “Fix it” walks you through, or play on.")
        else:  # no way to it beside what is open now
            self.banner = f"{verdict(sense)[1]}."

    def ways_on(self) -> tuple[Button, ...]:
        """Return the buttons beside an idle turn: cards, hint and argument; in a demo, taking over."""
        if self.stage.demo_on:
            return self.take_over_button()
        if not isinstance(self.panel, TurnPanel):
            return ()
        if self.winner is not None:
            return (ask_button(),)
        hint = (Button(_("Hint"), Intent("hint"), "quiet", "question"),) if self.hints.may_ask(self.panel) else ()
        held = any(hand_size(self.position, who) for who in self.sides)
        window = game.owed(self.match.position) is not None  # then a card can be played by a button of its own
        cards = (cards_button(),) if held and not window else ()
        hands = (
            (Button(_("Play on the board"), Intent("hands"), "quiet"),) if self.stage.senses.hands is not None else ()
        )
        return (*hint, *cards, ask_button(), *hands)

    def refresh(self) -> None:
        """Show what the position asks for now, and what hands have to do for it."""
        self.hands.follow(self.match)
        super().refresh()

    # ---- touches -----------------------------------------------------------------------------------

    def listens(self, intent: Intent) -> bool:
        """Return whether a touch from this half counts now.

        What is always offered can be touched even while the half waits.
        """
        always = intent.verb == "side" or (intent.verb in self.own() and intent.verb not in PANELS)
        return always or not self._waits(intent.seat)

    def _waits(self, seat: str) -> bool:
        """Return whether a half must wait for the other one."""
        return bool(seat) and seat not in self.waits_for and not self._may_go_on(seat)

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
        """Pass a touch to the panel, unless it begins the next turn or asks about an area."""
        aside = isinstance(self.panel, ToDoPanel | WindowPanel | HintPanel)
        goes_on = aside and intent.verb in ("area", "drag", "space", "pass")
        if goes_on and self.next_position().turn is None:
            self.panel = self.turn_panel()
        spaces = Spaces(self.next_position(), self.stage.sense.differences)
        if intent.verb == "area" and is_elsewhere(self.panel, intent.what):
            return self.follow(spaces.area(intent.what))
        if intent.verb == "area" and asks_about(self.panel, intent.what):
            return self.follow(Open(AreaPanel(spaces, intent.what)))
        return super().touch_panel(intent)

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a touch, and stop looking for a hint that nobody waits for any more."""
        following = super().touch(intent)
        self.hints.mind(self.panel, away=following not in (None, self))
        return following

    def tick(self, now_s: float) -> Scene | None:
        """Return the table once a hint has arrived, else None."""
        self.hints.mind(self.panel)
        return self if isinstance(self.panel, HintPanel) and self.panel.think(now_s) else None

    def _hint(self) -> None:
        if self.hints.may_ask(self.panel):
            self.open(self.hints.at(self.next_position(), self.hint_position()))

    def _recount(self, intent: Intent) -> None:
        if intent.what in self.match.board.area_index:
            self.open(CountPanel(self.next_position(), intent.what))

    def _undo_turn(self) -> Scene | None:
        """Undo the last turn, as it was taken back on the board."""
        left = self.stage.sense_at(self.match.position).taken_back
        return None if left is None else take_back(self, left, self)

    def hint_position(self) -> Position:
        """Return the position that a hint may look at: open information only, as both players see the hint."""
        return self.next_position()

    def open(self, panel: Panel[Step]) -> None:
        """Let another panel take over, as the settings want it."""
        super().open(self.set_up(panel))

    def _did(self) -> None:
        self.hands.todo.finish()
        if isinstance(self.panel, ToDoPanel):
            self.refresh()

    def _window(self, intent: Intent) -> Scene | None:
        """Open the cards that may be played now, if the panel has not asked about them already."""
        owed = self.owed(self.match.position)
        if owed is not None and owed.wants == "accept":
            self.panel = WindowPanel(self.match.position, owed)
        elif owed is None and (cards := self.may_announce(self.match.position)) and isinstance(self.panel, TurnPanel):
            self.panel = CardsPanel(self.match.position, cards)
        else:
            return self.follow(self.panel.touch(intent))
        return None

    def follow(self, reply: Reply[Step]) -> Scene | None:
        """Do what a panel replies; besides what every table does, what concerns cards and the camera."""
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
        """Take it, and mind whether it ended a round."""
        before, ruling = self.match.position.round, super().try_step(step)
        self._round_ended |= self.match.position.round > before and not isinstance(step, Agreed)
        return ruling

    def redo(self) -> Scene | None:
        """Do again what was taken back; a round that ends by it has its card again."""
        before = self.match.position.round
        following = super().redo()
        self._round_ended = self.match.position.round > before and not isinstance(self.match.steps[-1], Agreed)
        return self.end() or following

    def end(self) -> Scene | None:
        """Show the end of a round on a page of its own, if the settings want it; else end as every table does."""
        ended, self._round_ended = self._round_ended, False
        return RoundEndScene(self) if ended and self.stage.settings.round_end else super().end()

    def _offer_with_cards(self, offer: CardOffer) -> Scene | None:
        """Take the step, and close the window for the cards that its form has just asked about."""
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
        """Take the turn that was seen on the board, step by step, as far as the rules go along."""
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
        """Return the steps to record of a turn seen on the board; each is taken before the next is asked for."""
        return steps

    def _play_on_board(self) -> None:
        """Let the simulated table's players do a turn without a word to the app."""
        if self.stage.senses.hands is not None:
            self.stage.senses.hands.do_turn(self.match)


def _offered(sense: SyncStatus) -> tuple[object, ...]:
    """Pick what the camera has to ask or offer, to notice when the panel must change."""
    return sense.explanations, sense.question, sense.sign == "out", sense.disputed, sense.clashing, sense.taken_back
