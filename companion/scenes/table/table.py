"""The table: the map, the status, and one panel after another as the game asks for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice

from companion.core.errors import MatchError
from companion.core.language import _, language_in_use
from companion.games.match import Match
from companion.games.position_facts import hand_size
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.halves import ask_button, watched
from companion.scenes.base.map_picture import map_picture, overlay_of, status, verdict
from companion.scenes.base.panels import (
    Agree,
    Answer,
    Close,
    Face,
    Offer,
    Open,
    Panel,
    Refuse,
    Reply,
    Take,
    Why,
    answered,
)
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.camera.diagnosis import DiagnosisScene
from companion.scenes.disputes.dispute import DisputeScene
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.orders.answers import RollPanel, WindowPanel, answer_for
from companion.scenes.orders.by_hand import RoundPanel, SidePanel, StandsPanel, StillByHand, marked_map, marked_status
from companion.scenes.orders.card_panels import ONE_CARD, AnnouncePanel, RerollPanel, may_announce
from companion.scenes.orders.cards import CardsScene
from companion.scenes.orders.deploying import DeployForm
from companion.scenes.orders.halves import (
    asks_about,
    cards_button,
    is_elsewhere,
    shortened,
    with_tasks,
)
from companion.scenes.orders.proposal import AlternativesPanel, ProposalPanel, QuestionPanel, idle_panel, notice
from companion.scenes.orders.repair import RepairScene
from companion.scenes.orders.task_list import ToDo, ToDoPanel
from companion.scenes.orders.turn import AreaPanel, Spaces, TurnPanel
from companion.scenes.review import follow
from companion.scenes.review.log import LogScene, UndoScene
from companion.scenes.story.entries import last_lines
from companion.scenes.story.game_log import last_told
from companion.scenes.story.taking_back import take_back
from companion.scenes.table.game_menu import MenuScene
from companion.scenes.table.match_table import MatchTable
from companion.scenes.table.score import score_of
from companion.text.orders import step_line
from companion.text.table_faults import table_fault_words
from companion.ui.screen import Block, Button, Intent, Screen
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Accept, Agreed, Pass, Roll, Step
from engine.orders.turn import ready

LOG_LINES = 14
PANELS = ("todo", "round", "otherwise", "window")  # what would take the place of the other player's panel
MOST_BESIDE = 2  # buttons beside the first that leave room for one more


class TableScene(MatchTable):
    """A match at the table. What it shows is `match.position`, which changes only after the step is on the disk."""

    def __init__(self, stage: Stage, match: Match, home: Scene) -> None:
        super().__init__(stage, match, home)
        self.page = 0
        self.hands = follow.Hands(match)
        self._by_hand = StillByHand(match)
        self._log: tuple[object, object, tuple[str, ...]] = (None, None, ())
        self.panel: Panel = self._asked_for()
        self._shown: Position = match.position
        self._sensed = stage.sense

    # ---- what the game asks for ------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position to go on from: where nobody is asked about cards, the windows for them are passed by."""
        return self.match.position if self.stage.settings.ask_cards else self._settled()

    def _asked_for(self) -> Panel:
        """The panel that the position asks for."""
        self.page = 0
        owed = game.owed(self.position)
        if owed is not None:
            return self._set_up(answer_for(self.position, owed))
        return idle_panel(self.position, self.stage.sense_at(self.match.position)) or self._turn_panel()

    def _set_up(self, panel: Panel) -> Panel:
        """A panel as the settings want it: with or without questions about cards."""
        if isinstance(panel, RollPanel | DeployForm):
            panel.asks = self.stage.settings.ask_cards
        if isinstance(panel, DeployForm):
            panel.foretells = self.stage.settings.forecast
        return panel

    def _turn_panel(self) -> TurnPanel:
        position = self._settled()
        panel = TurnPanel(Spaces(position, self.stage.sense.differences), self.log(), notice(self.stage.sense))
        panel.news = self.hands.news
        panel.may_play = game.owed(self.match.position) is not None or bool(may_announce(position))
        return panel

    def log(self) -> list[str]:
        """The last steps in words, the newest first; told anew once the game has moved."""
        position, language = self.match.position, language_in_use()
        if self._log[0] is not position or self._log[1] is not language:
            self._log = position, language, tuple(islice(last_lines(self.tale), LOG_LINES))
        return list(self._log[2])

    @property
    def waits_for(self) -> frozenset[str]:
        """The factions that the table waits for: both where each of them may play a card before a roll."""
        owed = game.owed(self.position)
        if isinstance(self.panel, ONE_CARD):  # whoever holds it
            return frozenset({self.panel.faction})
        if owed is None or isinstance(self.panel, TurnPanel | AreaPanel | DeployForm):
            return frozenset({self._settled().to_move_name})
        return frozenset({owed.by, *(faction for faction, _card in owed.cards)})

    def _settled(self) -> Position:
        """The position for the next turn: the windows that only cards hold open are passed by."""
        return ready(self.match.position, Pass())

    def _may_go_on(self, faction: str) -> bool:
        """Whether this player may begin the next turn while the other one may still play a card."""
        settled = self._settled()
        waiting = isinstance(self.panel, WindowPanel) and settled.turn is None
        return waiting and settled.to_move_name == faction and faction not in self.waits_for

    # ---- what it shows -----------------------------------------------------------------------------

    def show(self) -> Screen:
        """The whole table."""
        face = self._face()
        blocks = with_tasks(self.panel, face, self._todo() or ToDo())
        return self._screen(face, blocks, self._actions(face))

    def _actions(self, face: Face) -> tuple[Button, ...]:
        """The panel's buttons, the way to settle an argument among them; what confirms stays at the end."""
        first, *rest = face.actions
        if self.stage.demo_on or isinstance(self.panel, TurnPanel) or len(rest) > MOST_BESIDE:
            return (*face.actions, *self._ways_on())
        return (first, ask_button(), *rest)

    def show_to(self, faction: str) -> Screen:
        """A half: whoever has to answer gets the panel, the other one sees what is going on and what hands do."""
        face = self._face()
        if self._may_go_on(faction):
            face = self._turn_panel().show()
        elif faction not in self.waits_for and self.position.winner_name is None:
            prompt, todo = self._turn_panel().prompt(), self._todo()
            return self._screen(
                face,
                watched(face.blocks, prompt, todo.block() if todo is not None else (), self.log()),
                (ask_button(), cards_button()),
            )
        return self._screen(face, shortened(self.panel, face, self.hands.news), (*face.actions, *self._ways_on()))

    def _todo(self) -> ToDo | None:
        """The hands' list, where it is wanted."""
        wanted = self.stage.settings.list_hands and not self.stage.demo_on
        return self.hands.todo if wanted else None

    def _face(self) -> Face:
        """The panel's face, after a look at the game and at the camera."""
        if self._shown is not self.match.position:  # the demo's player moved
            self.refresh()
        self._heed()
        if isinstance(self.panel, RollPanel):
            self.panel.offered(self.stage.dice)
        return self.panel.show()

    def _screen(self, face: Face, blocks: tuple[Block, ...], actions: tuple[Button, ...]) -> Screen:
        position, sense = self._seen_from(), self.stage.sense
        by_hand, doubts = self._by_hand.names(), None if self._offers() else sense.differences
        overlay = overlay_of(self.stage.settings, self.match)
        if not isinstance(self.panel, TurnPanel):
            overlay = replace(overlay, traces=())  # what is being done now has the room
        elif self.stage.settings.show_changes and self._todo() is not None:
            overlay = replace(overlay, traces=self.hands.going_back or overlay.traces)
        return Screen(
            blocks=blocks,
            actions=actions,
            banner=self.banner,
            status=marked_status(status(position, self.match.players, verdict(sense)), by_hand),
            map=marked_map(map_picture(position, face.marks, doubts, overlay), by_hand),
            page=self.page,
        )

    def _seen_from(self) -> Position:
        """The position that the panel is about: a new turn passes the windows of the last one by."""
        panel = self.panel
        return panel.position if isinstance(panel, TurnPanel | AreaPanel | DeployForm) else self.position

    def _offers(self) -> bool:
        """Whether a turn that was seen is offered: then the map shows what it changes, and no doubts."""
        return isinstance(self.panel, ProposalPanel | AlternativesPanel)

    def _heed(self) -> None:
        """Let the camera's offer or question take the place of the idle turn; what people fill in is left alone."""
        sense = self.stage.sense
        if self.stage.settings.tick_by_camera:
            self.hands.todo.heed(sense)
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

    def _ways_on(self) -> tuple[Button, ...]:
        if self.stage.demo_on:
            return (Button(_("Take over"), Intent("take-over"), "primary"),)
        idle = isinstance(self.panel, TurnPanel)
        playing = self.stage.senses.hands is not None and self.position.winner_name is None
        hands = (Button(_("Play on the board"), Intent("hands"), "quiet"),) if idle and playing else ()
        if idle and self.position.winner_name is not None:
            return (ask_button(),)
        held = any(hand_size(self.position, who) for who in self.match.board.factions)
        window = game.owed(self.match.position) is not None  # then a card can be played by a button of its own
        return (*((cards_button(),) if held and not window else ()), ask_button(), *hands) if idle else ()

    def refresh(self) -> None:
        """Show what the position asks for now, and what hands have to do for it."""
        self.hands.follow(self.match)
        self.tale.follow()
        self.panel, self.page = self._asked_for(), 0
        self._shown = self.match.position

    # ---- touches -----------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """The table's own buttons first, then the panel's, where it is the toucher's to answer."""
        self.banner = ""
        own = self._own()
        if not self.listens(intent):
            return None
        if intent.verb == "side" and self._waits(intent.seat):
            return CardsScene(self.stage, self.match, self)
        if intent.verb in own:
            return own[intent.verb](intent)
        goes_on = intent.verb in ("area", "drag", "space", "pass") and isinstance(self.panel, ToDoPanel | WindowPanel)
        if goes_on and self._settled().turn is None:
            self.panel = self._turn_panel()
        if intent.verb == "area" and is_elsewhere(self.panel, intent.what):
            return self.follow(Spaces(self._settled(), self.stage.sense.differences).area(intent.what))
        if intent.verb == "area" and asks_about(self.panel, intent.what):
            spaces = Spaces(self._settled(), self.stage.sense.differences)
            return self.follow(Open(AreaPanel(spaces, intent.what)))
        return self.follow(self.panel.touch(intent))

    def _waits(self, seat: str) -> bool:
        """Whether a half has to wait for the other one."""
        return bool(seat) and seat not in self.waits_for and not self._may_go_on(seat)

    def listens(self, intent: Intent) -> bool:
        """Whether this half's touch counts now; what is always there can be touched while it waits, too."""
        always = intent.verb == "side" or (intent.verb in self._own() and intent.verb not in PANELS)
        return always or not self._waits(intent.seat)

    def _own(self) -> Mapping[str, Callable[[Intent], Scene | None]]:
        """What can be touched whatever panel is open."""
        return {
            "undo": lambda intent: take_back(self, last_told(self.tale), self) if self.match.steps else self._nothing(),
            "undo-list": lambda intent: UndoScene(self, self),
            "menu": lambda intent: MenuScene(self.stage, self),
            "log": lambda intent: LogScene(self, self),
            "score": lambda intent: self.score(),
            "cards": lambda intent: CardsScene(self.stage, self.match, self),
            "dispute": lambda intent: DisputeScene(self.stage, self, seat=intent.seat),
            "live": lambda intent: DiagnosisScene(self.stage, self),
            "repair": lambda intent: RepairScene(self.stage, self),
            "page": self._turn_page,
            "take-over": lambda intent: self._take_over(),
            "hands": lambda intent: self._hands(),
            "hush": lambda intent: None,
            "todo": lambda intent: self._open(ToDoPanel(self.hands.todo)),
            "did": lambda intent: self._did(),
            "side": lambda intent: self._open(SidePanel(self.position, intent.what)),
            "round": lambda intent: self._open(RoundPanel(self.position)),
            "otherwise": lambda intent: self._open(StandsPanel(self.position, intent.what)),
            "window": self._window,
        }

    def _open(self, panel: Panel) -> None:
        self.panel = self._set_up(panel)
        self.page = 0

    def _did(self) -> None:
        self.hands.todo.finish()
        if isinstance(self.panel, ToDoPanel):
            self.refresh()

    def _nothing(self) -> None:
        self.banner = _("There is nothing to take back.")

    def _window(self, intent: Intent) -> Scene | None:
        """The cards that may be played now, where they are not asked about by themselves."""
        owed = game.owed(self.match.position)
        if owed is not None and owed.wants == "accept":
            self.panel = WindowPanel(self.match.position, owed)
        elif owed is None and may_announce(self.match.position) and isinstance(self.panel, TurnPanel):
            self.panel = AnnouncePanel(self.match.position)
        else:
            return self.follow(self.panel.touch(intent))
        return None

    def follow(self, reply: Reply) -> Scene | None:
        """Do what a panel replies; the scene that follows, None to stay."""
        match reply:
            case Offer():
                return self._offer(reply)
            case Why(step):
                return self._explain(step)
            case Open(panel):
                self._open(panel)
            case Close():
                self.refresh()
            case Take(steps):
                return self._take(steps)
            case Agree(step):
                return self._agree(step)
            case Refuse():
                self.stage.senses.monitor.refuse()
                self.panel = self._turn_panel()
            case Answer(area, units):
                self.stage.senses.monitor.answer(area, units)
                self.panel = self._turn_panel()
        return None

    def _take(self, steps: tuple[Step, ...]) -> Scene | None:
        """Take the turn that was seen on the board, step by step, as far as the rules go along."""
        self.stage.demo_on = False
        for step in steps:
            try:
                ruling = self.match.offer(step)
            except MatchError as error:
                self.banner = table_fault_words(error)
                break
            if not ruling.legal:
                self.refresh()
                return self._explain(step)
        else:
            self.stage.confirm(self.match.position)
        self.refresh()
        self.hands.todo.finish()  # it was seen on the board
        return self._end()

    def _offer(self, offer: Offer) -> Scene | None:
        """Take the step; an objection leads to its ruling."""
        self.stage.demo_on = False
        try:
            ruling = self.match.offer(offer.step)
        except MatchError as error:
            self.banner = table_fault_words(error)
            return None
        if not ruling.legal:
            return self._explain(offer.step)
        self._pass_by(offer)
        self.refresh()
        if offer.rerolled and isinstance(offer.step, Roll):
            self.panel = RerollPanel(self.match.position, offer.step.by)
        return self._end()

    def _pass_by(self, offer: Offer) -> None:
        """Close the window for the cards that were just asked about."""
        try:
            if answered(self.match.position, offer):
                self.match.offer(Accept())
        except MatchError as error:
            self.banner = table_fault_words(error)

    def _agree(self, step: Agreed) -> Scene:
        """Ask both, then record it."""
        asked = _("Set by hand?"), step_line(step, self.match.position) + "."
        return ConsentScene(asked, self.people, lambda: self.follow(Offer(step)), self)

    def _explain(self, step: Step) -> Scene:
        ruling = game.examine(self.match.position, step)
        return RulingScene(ruling, (self.match.position, step), self, self.match)

    def _end(self) -> Scene | None:
        """The score by itself once the game is over, where the table wants it."""
        over = self.match.position.winner_name is not None
        return self.score() if over and self.stage.settings.score_at_end else None

    def score(self) -> Scene:
        """The score of this moment."""
        return score_of(self)

    def _turn_page(self, intent: Intent) -> None:
        self.page += intent.n

    def _take_over(self) -> None:
        self.stage.demo_on = False
        self.refresh()

    def _hands(self) -> None:
        """Let the simulated table's players do a turn without a word to the app."""
        if self.stage.senses.hands is not None:
            self.stage.senses.hands.do_turn(self.match)
