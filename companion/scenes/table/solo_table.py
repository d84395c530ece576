"""The table of one person against the app: it announces what it does, hands do it, and a touch records it.

What it answers inside a turn (losses, that it plays no card) is taken with the step that it answers. Of the other hand
it knows the number of cards, of its own those that it was told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.language import _
from companion.games.match import Match
from companion.games.opponent import NAME
from companion.games.private_hand import load_told_hand
from companion.games.status import Aloud
from companion.perception.dice import rolls_before
from companion.perception.sync.state import AreaCounted, TurnLaid, TurnsRefused
from companion.perception.sync.status import SyncStatus
from companion.scenes.base.panels import Answer, Offer, Panel, Refuse, Reply
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.orders.announced import AnnouncedPanel, AppRollPanel, ThinkingPanel, TurnThought, turn_wanted
from companion.scenes.orders.answers import answer_for
from companion.scenes.orders.cards import ToldHandScene, untold
from companion.scenes.orders.proposal import ProposalPanel, is_alike
from companion.scenes.story.game_log import steps_left_by_undo, take_back
from companion.scenes.table.board_table import BoardTable
from companion.text.orders import log_line, sentence
from companion.text.people import People
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.cards import unseen_copies
from engine.orders.game import Owed
from engine.orders.inference.infer import Explanation
from engine.orders.player import LEVELS, Choice, Reason, answer, view_of
from engine.orders.position import Position
from engine.orders.steps import Accept, Agreed, Deploy, Play, Remove, Reroll, Return, Roll, Step
from engine.ruling import Ruling

LIKELY_ENOUGH = 0.2
"""The least likelihood at which the announced turn counts as seen: low, as hands were asked to do it."""
OWN_ANSWERS = (Remove, Return, Accept)


def orders_table(stage: Stage, match: Match, home: Scene) -> BoardTable:
    """Return the table for a match: of two people, or of one against the app if the match has an opponent."""
    return BoardTable(stage, match, home) if match.opponent is None else SoloTable(stage, match, home)


class SoloTable(BoardTable):
    """The table of one person who plays General Orders against the app."""

    alone = True

    def __init__(self, stage: Stage, match: Match, home: Scene) -> None:
        assert match.opponent is not None
        self.opponent = match.opponent
        self._thought: tuple[object, TurnThought] | None = None
        self._answered: tuple[object, Step | None] | None = None
        self._announced: AnnouncedPanel | None = None
        self._refused: SyncStatus | None = None
        if (told := load_told_hand(match.path, match.board.mode)) is not None:
            stage.services.private.remember(match, self.opponent.side, told)
        super().__init__(stage, match, home)
        self.hints.allowed = True

    # ---- who plays ---------------------------------------------------------------------------------

    @property
    def _app(self) -> str:
        return self.opponent.side

    @property
    def _person(self) -> str:
        return next(side for side in self.sides if side != self._app)

    @property
    def people(self) -> People:
        """Both sides with the players' names; the app's side needs no asking to agree."""
        return replace(super().people, by_app=self._app)

    @property
    def waits_for(self) -> frozenset[str]:
        """The person's side alone: the person moves the pieces of both."""
        return frozenset({self._person})

    @property
    def asked_side(self) -> str:
        """The person's side."""
        return self._person

    @property
    def announcement(self) -> str:
        """The step that the app has announced, in a sentence; "" if none is announced."""
        return sentence(self.panel.deed()) if isinstance(self.panel, AnnouncedPanel) else ""

    def speech(self) -> Aloud:
        """Return what the voice may say, but not whose turn it is while the app is to move: its announcement tells."""
        aloud = super().speech()
        return aloud._replace(acting="", turn="") if aloud.acting == self._app else aloud

    # ---- what the app's side thinks ----------------------------------------------------------------

    def _view(self, position: Position) -> Position:
        """Return the position as the app's side knows it, with the cards of its own hand that it was told."""
        return view_of(self._with_hand(position, self._app), position.board.mode.faction_index[self._app])

    def hint_position(self) -> Position:
        """Return the position to search for a hint, with the cards of the person's hand, if any were noted."""
        position = self.next_position()
        noted = self.stage.services.private.of(self.match, position, self._person)
        return self._with_hand(position, self._person) if noted else position

    def _with_hand(self, position: Position, side: str) -> Position:
        """Return the position with a side's hand replaced by the cards known to be in it."""
        seat = position.board.mode.faction_index[side]
        held = self.stage.services.private.of(self.match, position, side)
        copies = {card: min(n, _copies_left(position, seat, card)) for card, n in held.items()}
        own = tuple(card for card in sorted(copies) for _copy in range(copies[card]))
        return replace(position, hands=(own, position.hands[1]) if seat == 0 else (position.hands[0], own))

    def _answer(self, position: Position) -> Step | None:
        """Return the app's answer within a turn, as a step; None if it has nothing to decide, or dice come first."""
        view = self._view(position)
        about = position, view.hands
        if self._answered is None or self._answered[0] != about:
            self._answered = about, answer(view, self._app, LEVELS[self.opponent.level])
        return self._answered[1]

    def _choice(self) -> Choice | None:
        """Return the app's chosen turn, starting to think if need be; None while it is thinking."""
        view = self._view(self.next_position())
        about = self.match.position, view.hands
        if self._thought is None or self._thought[0] != about:
            if self._thought is not None:
                self._thought[1].stop()
            wanted = turn_wanted(self.opponent, view, len(self.match.steps))
            self._thought = about, TurnThought(self.stage.services.thinking, wanted)
        return self._thought[1].choice()

    def _end_if_hung(self, now_s: float) -> bool:
        """Settle for the best turn so far if thinking takes far too long; return whether it did."""
        if self._thought is None or not self._thought[1].end_if_hung(now_s):
            return False
        self.refresh()
        self.banner = _("{who} took too long and plays the best move it has found.").format(who=NAME)
        return True

    def _at_once(self) -> Step | None:
        """Return the app's answer if it can be recorded without announcing it first, else None."""
        position = self.match.position
        owed = game.owed(position)
        if owed is None:
            return None
        found = self._answer(position)
        if owed.by == self._app and owed.wants in ("remove", "return"):
            return found if isinstance(found, OWN_ANSWERS) else None
        waits = self.owed(position)
        return Accept() if waits is None else None

    # ---- what the game asks for --------------------------------------------------------------------

    def owed(self, position: Position) -> Owed | None:
        """Return what is owed, with only the person's cards; None if nothing is, or only a card the app won't play."""
        owed = game.owed(position)
        if owed is None:
            return None
        cards = tuple(card for card in owed.cards if card[0] == self._person)
        rerolls = owed.may_reroll and owed.by == self._person
        wants = isinstance(self._answer(position), Play | Reroll)
        if owed.wants == "accept" and not (cards or rerolls or wants):
            return None
        return replace(owed, cards=cards, may_reroll=rerolls)

    def cards_to_announce(self, position: Position) -> list[tuple[str, str]]:
        """Return the person's cards of unknown text that may be announced at a position, as (faction, card)."""
        return [card for card in super().cards_to_announce(position) if card[0] == self._person]

    def asked_for(self) -> Panel[Step]:
        """Return the panel for the current position: the app's announcement or roll, or what asks the person."""
        position, owed = self.match.position, game.owed(self.match.position)
        if owed is not None:
            found = self._answer(position)
            if isinstance(found, Play | Reroll):
                return self._announce(found)
            if (own := self._at_once()) is not None:  # the game was taken back to here, or cut short
                return self._announce(own)
        if owed is not None and owed.wants == "roll" and owed.by == self._app:
            shown = self.owed(position)
            assert shown is not None
            return self.set_up(AppRollPanel(position, shown, self.stage.services.chance))
        following = self.next_position()
        if following.winner is not None or following.turn is not None or following.to_move_name != self._app:
            return super().asked_for()
        if owed is not None and self.stage.settings.ask_cards:
            shown = self.owed(position)
            assert shown is not None
            return self.set_up(answer_for(position, shown))
        return self._turn()

    def _turn(self) -> Panel[Step]:
        """Return the panel of the app's turn: thinking, announced, or offered as the camera saw it done."""
        chosen = self._choice()
        if chosen is None:
            return ThinkingPanel(self.next_position())
        reasons = next(candidate.reasons for candidate in chosen.candidates if candidate.turn == chosen.turn)
        panel = self._announce(chosen.turn, reasons)
        panel.may_play = self.owed(self.match.position) is not None
        return self._seen_instead(panel) or panel

    def _announce(self, step: Step, reasons: tuple[Reason, ...] = ()) -> AnnouncedPanel:
        """Return the panel that announces a step, reusing it while the same step is due."""
        known, position = self._announced, self.match.position
        if known is None or known.before is not position or known.step != step:
            self._announced = known = AnnouncedPanel(position, step, self._app, reasons)
        return known

    def _seen_instead(self, panel: AnnouncedPanel) -> Panel[Step] | None:
        """Return the panel for the last turn seen taken back, or the announced one seen done; None if neither."""
        sense = self.stage.sense_at(self.match.position)
        if sense.taken_back is None or sense is self._refused:
            return self._as_seen(panel)
        return self.taken_back_panel(sense.taken_back)

    def _as_seen(self, panel: AnnouncedPanel) -> ProposalPanel | None:
        """Return a panel that offers the announced turn if the camera has seen it done, else None."""
        sense = self.stage.sense_at(self.match.position)
        if sense.sign != "proposal" or sense is self._refused:
            return None
        for turn in sense.explanations:
            done = as_announced(turn, panel.step, self.next_position())
            if done is not None:
                before = rolls_before(done, self.next_position(), self.stage.dice_seen.throws)
                return ProposalPanel(self.next_position(), (done,), before=before)
        return None

    # ---- what it shows -----------------------------------------------------------------------------

    def look(self) -> None:
        """Update the panel from the app's thinking and the camera: announce the turn, and tick what is done of it."""
        super().look()
        panel = self.panel
        if isinstance(panel, ThinkingPanel) and self._choice() is not None:
            self.refresh()
        elif isinstance(panel, AnnouncedPanel):
            panel.heed(
                self.stage.sense,
                self.stage.senses.monitor.state.refined_reading,
                ticks=self.stage.settings.tick_by_camera,
            )
            self.panel = self._seen_instead(panel) or panel

    def say_out_of_sync(self) -> None:
        """Warn that the board doesn't match the game, unless an announcement already lists what is amiss."""
        if not isinstance(self.panel, AnnouncedPanel):
            super().say_out_of_sync()

    def tick(self, now_s: float) -> Scene | None:
        """Return the table once the app has settled on a turn, or a hint arrived; else None."""
        if not isinstance(self.panel, ThinkingPanel):
            return super().tick(now_s)
        if self._choice() is None:
            return self if self._end_if_hung(now_s) else None
        self.refresh()
        return self

    # ---- touches -----------------------------------------------------------------------------------

    def touch_panel(self, intent: Intent) -> Scene | None:
        """Have the app play its best turn so far if it is told to; pass any other touch to the panel."""
        if intent.verb != "play-now" or self._thought is None:
            return super().touch_panel(intent)
        self._thought[1].hurry()
        self.refresh()
        return None

    def follow(self, reply: Reply[Step]) -> Scene | None:
        """Carry out a panel's reply; an announced step counts as done on the board. Return the next scene."""
        match reply:
            case Offer(step) if isinstance(self.panel, AnnouncedPanel) and step == self.panel.step:
                return self._done(step)
            case Offer(Roll() as roll) if isinstance(self.panel, AppRollPanel) and not self.panel.faces:
                told, following = log_line(roll, self.match.position), super().follow(reply)
                self.banner = self.banner or told
                return following
            case Refuse() if self.next_position().to_move_name == self._app:
                self._refused = self.stage.sense  # until the camera has thought again
                self.stage.senses.monitor.advance(TurnsRefused())
                self.refresh()
                return None
            case Answer(area, units) if self.next_position().to_move_name == self._app:
                self.stage.senses.monitor.advance(AreaCounted(area, units))
                self.refresh()
                return None
        return super().follow(reply)

    def _done(self, step: Step) -> Scene | None:
        """Record the announced step, and mark its tasks done: hands have moved the pieces."""
        number = len(self.match.steps)
        following = self.offer(step)
        if len(self.match.steps) > number:
            self.hands.mark_done(number)
            if self.next_position().turn is None:
                self.stage.senses.monitor.advance(TurnLaid())
        return following

    def end(self) -> Scene | None:
        """Return the page for the end of a round or game, or one to enter the cards the app has just drawn; or None."""
        last = next((step for step in reversed(self.match.steps) if not isinstance(step, Accept)), None)
        draws = isinstance(last, Deploy) and last.draw and untold(self.stage, self.match, self._app)
        return super().end() or (ToldHandScene(self.stage, self.match, self._app, self) if draws else None)

    def try_step(self, step: Step) -> Ruling | None:
        """Record a step if it is legal, and the app's immediate answers; return the ruling, None if saving failed."""
        ruling = super().try_step(step)
        if ruling is not None and ruling.legal:
            while (own := self._at_once()) is not None:
                answered = super().try_step(own)
                if answered is None or not answered.legal:
                    break
        return ruling

    def to_take(self, steps: tuple[Step, ...]) -> Iterator[Step]:
        """Yield the steps of a seen turn to record, skipping answers already given; stop where the app plays a card."""
        for step in steps:
            position = self.match.position
            if isinstance(self._answer(position) if game.owed(position) else None, Play | Reroll):
                return
            if not isinstance(step, OWN_ANSWERS) or game.judge(position, step).legal:
                yield step

    def undo(self) -> Scene | None:
        """Undo the last step worth a sentence and the app's answers to it, but never the head start."""
        steps = self.match.steps
        given = int(self.opponent.head_start == "troops" and isinstance(next(iter(steps), None), Agreed))
        if len(steps) <= given:
            self.banner = _("Nothing to undo.")
            return None
        to = steps_left_by_undo(self.game_log)
        while to > given and isinstance(steps[to], OWN_ANSWERS) and getattr(steps[to], "by", "") == self._app:
            to -= 1
        return take_back(self, to, self)


def _copies_left(position: Position, seat: int, card: str) -> int:
    """Return how many copies of a card the side's hand can hold by the public record."""
    hand = position.hands[seat]
    return unseen_copies(position, card) if isinstance(hand, int) else hand.count(card)


def as_announced(turn: Explanation, step: Step, position: Position) -> Explanation | None:
    """Return the turn with the announced step if it looks the same and is likely enough, else None.

    The camera cannot tell which space of the support board an action was taken from.
    """
    if turn.likelihood < LIKELY_ENOUGH or not turn.steps:
        return None
    _first, *rest = turn.steps
    meant = replace(turn, steps=(step, *rest))
    return meant if is_alike(turn, meant, position) else None
