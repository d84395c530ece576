"""Hands at the buttons beside the board: they never touch the glass, and send the events of a desk."""

from __future__ import annotations

import random
from dataclasses import replace

import pygame

from companion.app.app import App
from companion.desk.meaning import proposed_intent
from companion.games.match import Match
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from companion.view.kit.sheet import Target
from companion.view.window.input import DESK
from companion.view.window.keyboard import ring_order
from companion.view.window.panes import Shown
from companion.view.window.taps import plain
from engine.orders import game
from engine.orders.steps import Accept, Step
from hardware.events import SIDES, Chord, Event, Press, Turned
from tests.companion.driver import WHOLE, Driver, check_kept
from tests.companion.fingers import Fingers, NotThere

LATER_S = 1.0  # nobody presses faster than that
LOOKS = 3  # the screen may change while the knob turns


class Presses(Fingers):
    """A person at the desk of a window: targets are reached by the knob, and touched by a side's buttons."""

    def __init__(self, app: App, size_px: tuple[int, int], *, looks: bool = True, seed: int = 1) -> None:
        super().__init__(app, size_px, looks=looks)
        self.rng = random.Random(seed)
        self.at_s = 0.0
        self.clicks = 0
        self.longest = 0

    # ---- what is there ------------------------------------------------------------------------

    @property
    def table(self) -> BoardTable:
        """The table of General Orders that they sit at."""
        assert isinstance(self.app.table, BoardTable)
        return self.app.table

    @property
    def ringed(self) -> Intent | None:
        """What the ring is on."""
        spot = self.window.keyboard.at
        return plain(spot.target.intent) if spot else None

    @property
    def banner(self) -> str:
        """What is said at the upper edge."""
        return self.screens()[0].banner

    def redraw(self) -> None:
        """Draw what a test has changed by itself."""
        self.app.version += 1
        self.window.refresh()

    def two_sided(self) -> None:
        """Give each player a half of the screen."""
        self.app.stage.apply(replace(self.app.stage.settings, layout="two"))
        self.redraw()

    # ---- events -------------------------------------------------------------------------------

    def send(self, event: Event) -> None:
        """Send an event of the desk through the queue of touches."""
        touch = self.window.reader.read(pygame.event.Event(DESK, told=event))
        assert touch is not None
        self.window.handle(touch)
        self.window.refresh()
        if self.looks:
            self.look()

    def button(self, control: str, kind: str = "short") -> None:
        """Press a control: "confirm-one", "choose"."""
        self.at_s += LATER_S
        self.touches += 1
        self.send(Press(control, "long" if kind == "long" else "short", self.at_s))

    def chord(self, *controls: str) -> None:
        """Press controls together."""
        self.at_s += LATER_S
        self.touches += 1
        self.send(Chord(frozenset(controls), self.at_s))

    def turn(self, steps: int) -> None:
        """Turn the knob."""
        self.at_s += LATER_S
        self.clicks += abs(steps)
        self.send(Turned(steps, self.at_s))

    # ---- what a person does with them ---------------------------------------------------------

    @property
    def side(self) -> str:
        """Which side this person is; the near one where nobody's turn it is."""
        board = self.app.hearing.board
        return SIDES[board.factions.index(self.seat)] if self.seat in board.factions else "one"

    @property
    def faction(self) -> str:
        """Whose buttons they are."""
        return self.app.hearing.faction_of(self.side)

    def _touch(self, shown_pane: Shown, target: Target) -> None:
        """Press what means this target: its own button, or the knob and then confirm or the push of the knob."""
        intent = plain(target.intent)
        if intent.verb == "pass":
            self.button(f"pass-{self.side}")
            self.button(f"pass-{self.side}")
        elif self.window.keyboard.at is None and intent == proposed_intent(shown_pane.pane.screen, self.faction):
            self.button(f"confirm-{self.side}")
        else:
            self._lead_to(shown_pane, target)
            self.button(self.rng.choice((f"confirm-{self.side}", "choose")))

    def _lead_to(self, shown_pane: Shown, target: Target) -> None:
        """Turn the knob until the ring is on the target, the shorter way; again where the screen changed meanwhile."""
        if self.window.keyboard.at is None:
            self.turn(1)
        for _look in range(LOOKS):
            way = self._way_to(shown_pane.pane.seat, target)
            if not way:
                return
            self.longest = max(self.longest, abs(way))
            self.turn(way)
        raise NotThere(f"the knob does not come to {target.intent}")

    def _way_to(self, seat: str, target: Target) -> int:
        """How many clicks the ring is from the target, by what is on the screen now."""
        order = ring_order(self.window.shown, self.window.keyboard.spots(), self.window.desk_presses.first())
        intents = [(self.window.shown[spot.pane].pane.seat, plain(spot.target.intent)) for spot in order]
        wanted = seat, plain(target.intent)
        if wanted not in intents or self.window.keyboard.at not in order:
            raise NotThere(f"the knob does not lead to {target.intent}")
        at = order.index(self.window.keyboard.at)
        if intents[at] == wanted:
            return 0
        way = (intents.index(wanted) - at) % len(order)
        return way if way <= len(order) // 2 else way - len(order)


class Pressing(Driver):
    """Both players at their buttons: nobody acts for the other, on one screen either."""

    fingers: Presses

    def _who(self, step: Step) -> str:
        owed = game.owed(self.match.position)
        by = getattr(step, "by", None)
        return by or (owed.by if owed is not None and isinstance(step, Accept) else self.match.position.to_move_name)


def pressed(board: str, layout: str, seed: int, *, looks: bool = False, most: int = WHOLE) -> Pressing:
    """Play a game by the desk alone; check that the app's game is what the engine makes of what was entered."""
    app = App()
    app.stage.apply(replace(app.stage.settings, layout=layout))
    hands = Presses(app, (800, 480), looks=looks, seed=seed)
    driver = Pressing(hands, seed)
    driver.begin(board)
    match: Match = driver.match
    driver.play(most)
    check_kept(match, driver)
    return driver
