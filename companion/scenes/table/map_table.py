"""The table of General Orders as it is shown: what is asked for, the map, the camera's doubts, and each side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.language import _, plural
from companion.games.match import Match
from companion.games.position_facts import hand_size, reserve
from companion.perception.sync.status import SyncStatus
from companion.scenes.base.map_picture import map_picture, overlay_of, status, verdict
from companion.scenes.base.panels import Face, Panel, ask_button, in_half, watcher_blocks, without_log
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.orders.announced import AnnouncedPanel
from companion.scenes.orders.answers import LossPanel, RollPanel, WindowPanel, answer_for
from companion.scenes.orders.by_hand import SidePanel, StillByHand, marked_map, marked_status
from companion.scenes.orders.card_panels import ONE_CARD, RerolledPanel, cards_to_announce
from companion.scenes.orders.cards import CardsScene
from companion.scenes.orders.forms import DeployForm
from companion.scenes.orders.hand_tasks import ToDo
from companion.scenes.orders.hints import HintPanel, Hints
from companion.scenes.orders.notices import TakenBackPanel, notice
from companion.scenes.orders.placing import PlaceForm, placed_last
from companion.scenes.orders.proposal import AlternativesPanel, ProposalPanel, QuestionPanel, ThrowPanel, camera_panel
from companion.scenes.orders.turn import AreaPanel, Spaces, TurnPanel
from companion.scenes.review import follow
from companion.scenes.table.orders_presenter import ORDERS
from companion.scenes.table.table import MOST_BESIDE, TableScene
from companion.text.orders import card_count, join_words, unit_count
from companion.ui.screen import Block, Button, Intent, Log, Prompt, Screen, Steppers, Text, back_button
from engine.orders import game
from engine.orders.game import Owed
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.steps import Pass, Step
from engine.orders.turn import ready

BEGINS = (TurnPanel, HintPanel, AreaPanel, DeployForm)  # a turn: the windows of the last one are passed by
OFFERS = (ProposalPanel, AlternativesPanel, ThrowPanel, RerolledPanel)  # what the camera saw done, for a touch
FOLLOWS = (TurnPanel, HintPanel, WindowPanel, QuestionPanel, TakenBackPanel, *OFFERS)  # they give way to what it sees


class MapTable(TableScene[Position, Step]):
    """The table of General Orders as far as it is shown: its panels, its map, and which side it waits for."""

    match: Match

    def __init__(self, stage: Stage, match: Match, home: Scene) -> None:
        self.hands = follow.HandTasks(match)
        self.hints = Hints(stage.services.thinking)
        self._by_hand = StillByHand(match)
        self._last_sense = stage.sense
        super().__init__(stage, match, home, ORDERS)

    # ---- what the game asks for ------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The current position; if the settings say not to ask about cards, the one after all chances to play one."""
        return self.match.position if self.stage.settings.ask_cards else self.next_position()

    def owed(self, position: Position) -> Owed | None:
        """Return the step that players owe, or the cards they may play, at a position; None if neither."""
        return game.owed(position)

    def cards_to_announce(self, position: Position) -> list[tuple[str, str]]:
        """Return the cards of unknown text that players may announce at a position, as (faction, card)."""
        return cards_to_announce(position)

    def asked_for(self) -> Panel[Step]:
        """Return the panel for the current position: for the step owed, a turn the camera saw, or a new turn."""
        owed, sense = self.owed(self.position), self.stage.sense_at(self.match.position)
        if sense.taken_back is not None:
            return self.taken_back_panel(sense.taken_back)
        if owed is None or sense.sign == "proposal":  # where a card was asked for, the board shows that they played on
            return camera_panel(self.next_position(), sense, self.stage.dice_seen.throws) or self.turn_panel()
        return self.set_up(answer_for(self.position, owed))

    def set_up(self, panel: Panel[Step]) -> Panel[Step]:
        """Set the panel's options from the settings, and its last placement from the game; return the same panel."""
        if isinstance(panel, RollPanel | DeployForm):
            panel.asks = self.stage.settings.ask_cards
        if isinstance(panel, DeployForm):
            panel.foretells = self.stage.settings.forecast
        if isinstance(panel, PlaceForm):
            panel.earlier = placed_last(panel, self.match.steps, self.match.positions)
        return panel

    def turn_panel(self) -> TurnPanel:
        """Return the panel that starts a turn, with the last step's news and the camera's doubts."""
        position = self.next_position()
        sense = self.stage.sense
        panel = TurnPanel(Spaces(position, sense.differences), self.log(), notice(sense, position.board))
        panel.news = self.hands.news
        panel.may_play = self.owed(self.match.position) is not None or bool(self.cards_to_announce(position))
        return panel

    def taken_back_panel(self, left: int) -> TakenBackPanel:
        """Return the panel that asks whether to undo the last turn, which would leave this many steps."""
        return TakenBackPanel(self.next_position(), self.match.steps[left:], self.match.positions[left])

    @property
    def waits_for(self) -> frozenset[str]:
        """The factions whose touch the table waits for: both, if each may play a card before a roll."""
        owed = game.owed(self.position)
        if isinstance(self.panel, ONE_CARD):  # whoever holds it
            return frozenset({self.panel.faction})
        if owed is None or isinstance(self.panel, (*BEGINS, QuestionPanel, *OFFERS)):
            return frozenset({self.next_position().to_move_name})
        return frozenset({owed.by, *(faction for faction, _card in owed.cards)})

    @property
    def asked_side(self) -> str:
        """The faction that owes a step, else the one to move; after the game, the last of these."""
        owed = game.owed(self.match.position)
        return self.match.position.to_move_name if owed is None else owed.by

    def next_position(self) -> Position:
        """Return the position with pending chances to play a card skipped, from which the next turn starts."""
        return ready(self.match.position, Pass())

    def _may_go_on(self, faction: str) -> bool:
        """Return whether this player may start a turn while the table still waits for the other's card."""
        settled = self.next_position()
        waiting = isinstance(self.panel, WindowPanel) and settled.turn is None
        return waiting and settled.to_move_name == faction and faction not in self.waits_for

    # ---- what it shows -----------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the whole table for both players."""
        face = self.face()
        blocks = _with_tasks(self.panel, face, self._todo() or ToDo())
        first, *rest = face.actions
        if self.stage.demo_on or isinstance(self.panel, TurnPanel) or len(rest) > MOST_BESIDE:
            return self.screen(face, blocks, (*face.actions, *self.ways_on()))
        return self.screen(face, blocks, (first, ask_button(), *rest))  # what confirms stays at the end

    def show_to(self, seat: str) -> Screen:
        """Show one half: the panel if this side must act, else whose turn it is, the log and the pieces to move."""
        face = self.face()
        if self._may_go_on(seat):
            face = self.turn_panel().show()
        elif seat not in self.waits_for and self.winner is None:
            prompt, todo = self.turn_panel().prompt(), self._todo()
            return self.screen(
                face,
                watcher_blocks(face.blocks, prompt, todo.block() if todo is not None else (), self.log()),
                (ask_button(), _cards_button()),
            )
        return self.screen(face, _half_blocks(self.panel, face, self.hands.news), (*face.actions, *self.ways_on()))

    def _todo(self) -> ToDo | None:
        """Return the list of pieces to move, or None if the settings hide it or a demo runs."""
        wanted = self.stage.settings.list_hands and not self.stage.demo_on
        return self.hands.todo if wanted else None

    def screen(self, face: Face, blocks: tuple[Block, ...], actions: tuple[Button, ...]) -> Screen:
        """Lay out blocks and buttons beside the map, with the camera's doubts and traces of the last turn."""
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
        """Update the panel from the camera: replace an idle turn by what it offers or asks, and fill in seen dice."""
        self._heed(self.stage.sense)
        if isinstance(self.panel, RollPanel):
            self.panel.fill_from_camera(self.stage.dice)

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
        """Warn in the banner that the board doesn't match the game, unless the panel asks about a turn taken back."""
        sense = self.stage.sense
        if sense.taken_back is not None:
            return
        if isinstance(self.panel, FOLLOWS):
            self.banner = _("The board doesn't match the game. “Fix it” walks you through, or play on.")
        else:  # no way to it beside what is open now
            self.banner = f"{verdict(sense)[1]}."

    def ways_on(self) -> tuple[Button, ...]:
        """Return the buttons beside an idle turn: hint, cards and "Ask"; in a demo, "Take over"; else none."""
        if self.stage.demo_on:
            return self.take_over_button()
        if not isinstance(self.panel, TurnPanel):
            return ()
        if self.winner is not None:
            return (ask_button(),)
        hint = (Button(_("Hint"), Intent("hint"), "quiet", "question"),) if self.hints.may_ask(self.panel) else ()
        held = any(hand_size(self.position, who) for who in self.sides)
        window = game.owed(self.match.position) is not None  # then a card can be played by a button of its own
        cards = (_cards_button(),) if held and not window else ()
        hands = (
            (Button(_("Play on the board"), Intent("hands"), "quiet"),) if self.stage.senses.hands is not None else ()
        )
        return (*hint, *cards, ask_button(), *hands)

    def refresh(self) -> None:
        """Update the list of pieces to move, then replace the panel by the one that the position asks for."""
        self.hands.follow(self.match)
        super().refresh()


def _offered(sense: SyncStatus) -> tuple[object, ...]:
    """Return the parts of the camera's status that decide the panel, to compare with the last ones."""
    return sense.explanations, sense.question, sense.sign == "out", sense.disputed, sense.clashing, sense.taken_back


def _with_tasks(panel: Panel[Step], face: Face, todo: ToDo) -> tuple[Block, ...]:
    """Return the panel's blocks with the pieces to move: below an idle turn's prompt, else where there is room."""
    first, *rest = face.blocks
    if not todo.open:
        return face.blocks
    if isinstance(panel, AnnouncedPanel):
        return (first, *todo.block(), *rest)
    if isinstance(panel, RollPanel | LossPanel | WindowPanel):
        return (first, *rest, Log((todo.line(),)))
    if not isinstance(panel, TurnPanel):
        return face.blocks
    if not isinstance(first, Prompt):
        return (first, *todo.block(), *without_log(rest))
    return (*todo.block(replace(first, hint="")), *without_log(rest))


def _half_blocks(panel: Panel[Step], face: Face, news: str) -> tuple[Block, ...]:
    """Return the panel's blocks fitted into half the screen. news: the heading of an idle turn, or ""."""
    first, *rest = face.blocks
    if not isinstance(first, Prompt):
        return without_log(face.blocks)
    if Intent("pass") in {action.intent for action in face.actions}:
        return (Text(news or _("Your turn"), "strong"), *without_log(rest))
    if isinstance(panel, DeployForm):  # the map counts as well as the steppers
        rest = sorted(rest, key=lambda block: isinstance(block, Steppers))
    if isinstance(panel, RollPanel):  # the dice need the room
        return (Text(first.text, "strong"), *rest, Log((panel.reasons(),)))
    return in_half((first, *rest))


def _cards_button() -> Button:
    """Return the button that opens the cards."""
    return Button(_("Cards"), Intent("cards"), "quiet", "hand")


# ---- a side in words ------------------------------------------------------------------------------


class SideScene(BackScene):
    """One side's figures in sentences, beside the map; touches that it has no use for go to the table."""

    def __init__(self, table: MapTable, faction: str) -> None:
        super().__init__(table)
        self.table = table
        self.faction = faction

    def show(self) -> Screen:
        """Show the side's figures in sentences, and the buttons for its cards and a correction."""
        return self._screen((self._correct(),))

    def show_to(self, seat: str) -> Screen:
        """Show the figures in a half without the map; "Correct" only if the table waits for this side."""
        actions = (self._correct(),) if seat in self.table.waits_for else ()
        return replace(self._screen(actions), map=None)

    def _correct(self) -> Button:
        return Button(_("Correct"), Intent("correct"), "quiet", "pencil")

    def _screen(self, more: tuple[Button, ...]) -> Screen:
        blocks = (
            Text(self.table.people.name(self.faction), "title"),
            *map(Text, side_facts(self.table.position, self.faction)),
        )
        actions = (back_button("primary"), Button(_("Cards"), Intent("cards"), sign="hand"), *more)
        return replace(self.table.screen(Face(blocks, actions), blocks, actions), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Change to the other side, or open the cards or the correction; pass any other touch to the table."""
        match intent.verb:
            case "side":
                self.faction, self.page = intent.what, 0
            case "cards":
                return CardsScene(self.table.stage, self.table.match, self)
            case "correct" if not intent.seat or intent.seat in self.table.waits_for:
                self.table.open(SidePanel(self.table.position, self.faction))
                return self.back
            case "page" | "back" | "correct" | "hush":
                return super().touch(intent)
            case _:
                return self.table.touch(intent) or self.back
        return None


def side_facts(position: Position, faction: str) -> Iterator[str]:
    """Yield sentences on a side: points, supply, commanders, cards, reserve and initiative."""
    left, waiting, mode = position.left(faction), position.standing_by(faction), position.board.mode
    supply = position.survey.supply[mode.faction_index[faction]].bit_count()
    yield plural("{n} point if the game ended now.", "{n} points if the game ended now.", score(position).vp[faction])
    yield plural("{n} area in supply; only those count.", "{n} areas in supply; only those count.", supply)
    yield _("{n} of {all} commanders left to deploy.").format(n=left, all=mode.commanders)
    if waiting:
        yield _("On standby until the round ends: {n}.").format(n=waiting)
    yield _("{cards} in hand.").format(cards=card_count(hand_size(position, faction)))
    units = [unit_count(kind.name, n) for kind in mode.units if (n := reserve(position, faction, kind.name))]
    yield _("In reserve: {units}.").format(units=join_words(units)) if units else _("Nothing left in reserve.")
    if position.initiative_name == faction:
        yield _("Has the initiative: starts the next round and wins a tie.")
