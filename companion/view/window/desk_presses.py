"""What the buttons beside the board do in a window: they touch what a side's screen proposes, or what the ring is on.

The ring is the keyboard's focus, led by the knob or the arrows. It begins on what is proposed, goes with the screens,
and is gone as soon as a finger is on the glass; without it a button means what is bright.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from companion.app.app import App
from companion.core.language import _
from companion.desk.meaning import pledges, proposed_intent, refusal, way_back
from companion.scenes.base.stage import Scene, Table
from companion.scenes.settings.lock import LockScene
from companion.text.orders import join_words
from companion.ui.screen import Intent, Screen
from companion.view.window.keyboard import FocusSpot, Keyboard, first_pane, ring, start
from companion.view.window.panes import Shown
from companion.view.window.taps import OnStage, is_same_stage, plain
from hardware.events import SIDES, Chord, Event, Press, Turned

GUARD_S = 0.4
"""The same button again so soon after it did something is one press: it is easily struck twice."""
ARROWS = {"previous": -1, "next": 1}
BOTH = {action: frozenset(f"{action}-{side}" for side in SIDES) for action in ("confirm", "pass", "undo")}
AS_CHOOSE = frozenset(ARROWS)

NOBODY: tuple[str, OnStage] = ("", ())


class PressedWindow(Protocol):
    """What presses beside the board work on."""

    shown: tuple[Shown, ...]

    def present(self) -> None:
        """Show what is drawn."""

    def refresh(self) -> None:
        """Redraw what has changed."""

    def hand(self, intent: Intent) -> None:
        """Hand an intent to the app."""

    def turn(self, number: int | None, n: int) -> bool:
        """Turn the page of a pane; return whether it has more than one."""


class DeskPresses:
    """What the desk's presses do."""

    def __init__(self, app: App, keyboard: Keyboard, window: PressedWindow) -> None:
        self._app = app
        self._keyboard = keyboard
        self.window = window
        self._led_on: OnStage = ()
        self._bright: Intent | None = None
        self._passing = self._passed = NOBODY  # who was asked whether to pass just now, and before this press
        self._actor = ""  # whose button was pressed last
        self._struck = "", float("-inf")  # by which button something was done, and when
        self._did = False  # whether this press has done something that is not made to be done fast

    @property
    def leads(self) -> bool:
        """Whether the ring goes with the screens."""
        return self._keyboard.leader is self

    # ---- the ring -----------------------------------------------------------------------------

    def place_after_redraw(self, at: FocusSpot | None) -> FocusSpot | None:
        """Return where the ring is after a redraw: at its beginning, if another scene or panel is on stage."""
        spots, shown = self._keyboard.spots(), self.window.shown
        before, self._bright = self._bright, proposed_intent(shown[self.first()].pane.screen)
        same = _the_same(spots, at)
        newly = self._bright is not None and self._bright != before
        if same is not None and not newly and is_same_stage(self._led_on, self._on_stage()):
            return same
        self._led_on = self._on_stage()
        return start(shown, spots, self.first())

    def first(self) -> int:
        """Return the number of the pane where the ring begins."""
        return first_pane(self.window.shown, self._actor if self._actor in self._app.seats.own else "")

    def _lead(self) -> None:
        """Let the ring be seen, and go with the screens from now on."""
        if not self.leads or self._keyboard.at is None:
            self._keyboard.leader = self
            self._keyboard.at = self.place_after_redraw(None)
        self.window.present()

    def _move(self, steps: int) -> None:
        """Lead the ring on; the first click only shows where it is."""
        keyboard = self._keyboard
        if keyboard.at is None or not self.leads:
            self._lead()
            return
        order = ring(self.window.shown, keyboard.spots(), self.first())
        here = next((n for n, spot in enumerate(order) if spot == keyboard.at), 0)
        if order:
            keyboard.at = order[(here + steps) % len(order)]
        self.window.present()

    def _on_stage(self) -> OnStage:
        """Return what the ring was put on the screen for: the scenes on stage, and the panels of tables."""
        app = self._app
        return tuple(part for scene in app.on_stage() for part in (scene, getattr(scene, "panel", None)))

    # ---- presses ------------------------------------------------------------------------------

    def handle(self, event: Event) -> None:
        """Do what an event of the desk means; what is not a press is for the app itself."""
        if self._app.hearing.hear(event) or self._is_struck_twice(event):
            return
        self._passed, self._passing = self._passing, NOBODY
        self._app.hearing.hush()
        self.window.refresh()
        if isinstance(self._app.scene, LockScene):
            if isinstance(event, Chord) and event.controls == BOTH["confirm"]:
                self._app.show_scene("", self._app.scene.back)
                self.window.refresh()
            else:
                self._say_no(_("Locked: both Confirm buttons together unlock."), "")
        elif isinstance(event, Turned):
            self._move(event.steps)
        elif isinstance(event, Chord):
            self._chord(event.controls)
        elif isinstance(event, Press):
            self._press(event)

    def _is_struck_twice(self, event: Event) -> bool:
        control, at_s = self._struck
        return isinstance(event, Press) and event.control == control and event.at_s - at_s < GUARD_S

    def _press(self, press: Press) -> None:
        before = self._on_stage()
        self._did = False
        action, _dash, side = press.control.partition("-")
        is_long = press.kind == "long"
        if side:
            actions = {"confirm": self._confirm, "pass": self._pass, "undo": self._undo}
            actions[action](self._app.hearing.faction_of(side), is_long)
        elif action in ARROWS:
            if is_long:
                at = self._keyboard.at
                self.window.turn(at.pane if at else self.first(), ARROWS[action])
            else:
                self._move(ARROWS[action])
        else:
            self._keyboard.back() if is_long else self._choose()
        if self._did or not is_same_stage(before, self._on_stage()):
            self._struck = press.control, press.at_s

    def _chord(self, controls: frozenset[str]) -> None:
        """Do what two buttons together mean."""
        if controls == AS_CHOOSE:
            self._choose()
        elif controls == BOTH["confirm"]:
            self._both_agree()
        elif controls == BOTH["undo"]:
            self._at_table(Intent("menu"))
        elif controls == BOTH["pass"]:
            self._at_table(Intent("dispute"))
        else:
            self._say_no(_("Those buttons do nothing together."), "")

    def _choose(self) -> None:
        """Touch what the ring is on, as the player whose panel it is in."""
        at = self._keyboard.at
        if at is None:
            self._lead()
        else:
            self._act(replace(plain(at.target.intent), seat=self.window.shown[at.pane].pane.seat))

    def _confirm(self, faction: str, _is_long: bool) -> None:
        """Touch what the ring is on, where that is this side's to touch; else what its screen proposes."""
        at = self._keyboard.at
        wanted = proposed_intent(self._screen(faction), faction)
        if at is not None and self.window.shown[at.pane].pane.seat in ("", self._seat(faction)):
            intent = plain(at.target.intent)
            mine = {pledge.faction: pledge.intent for pledge in pledges(self._screen(faction))}
            wanted = mine.get(faction, intent) if intent in mine.values() else intent
        if wanted is not None:
            self._act(replace(wanted, seat=self._seat(faction)))
        elif not self._is_refused(Intent("confirm", seat=faction)):
            self._lead()
            first, finger = _("Choose with the knob or the arrows first."), _("Use the touchscreen here.")
            self._say(first if self._keyboard.at is not None else finger, faction)

    def _pass(self, faction: str, is_long: bool) -> None:
        """Say no; to pass, which is a turn of its own, is asked once more, unless the button is held."""
        button = refusal(self._screen(faction))
        if button is None:
            self._say_no(_("You can't pass here."), faction)
            return
        intent = replace(button.intent, seat=self._seat(faction))
        again = self._passed[0] == faction and is_same_stage(self._passed[1], self._on_stage())
        if intent.verb != "pass" or button.look == "off" or is_long or again:
            self._act(intent)
        elif not self._is_refused(intent):
            # Put the ring there, and wait for a second press.
            self._did = True
            self._lead()
            self._passing = faction, self._on_stage()
            self._keyboard.at = _the_same(self._keyboard.spots(), intent) or self._keyboard.at
            self._say(_("Pass? Press again."), faction)

    def _undo(self, faction: str, is_long: bool) -> None:
        """Go one back; held, show all that can be taken back."""
        intent = way_back(self._screen(faction))
        if is_long and isinstance(self._app.scene, Table):
            intent = Intent("undo-list")
        if intent is None:
            self._say_no(_("You can't go back from here."), faction)
        else:
            self._act(replace(intent, seat=self._seat(faction)))

    def _both_agree(self) -> None:
        """Let both sides agree, as both confirmed at once; if nothing asks for that, say so."""
        for faction in self._app.hearing.sides:
            asked = (pledge for pledge in pledges(self._screen(faction)) if pledge.faction == faction)
            mine = [pledge for pledge in asked if not pledge.is_given]
            for pledge in mine:
                self._act(replace(pledge.intent, seat=faction))
            if not mine:
                self._say_no(_("Press both together only to agree on something."), "")
                return

    def _at_table(self, intent: Intent) -> None:
        if isinstance(self._app.scene, Table):
            self._act(intent)
        else:
            self._say_no(_("That only works during a game."), "")

    # ---- what comes of it ---------------------------------------------------------------------

    def _act(self, intent: Intent) -> None:
        """Touch a target, unless the table waits for the other side; say so where nothing comes of it."""
        if self._is_refused(intent):
            return
        self._keyboard.leader, self._actor = self, intent.seat
        touched, before = _the_same(self._keyboard.spots(), intent), self._state_seen()
        self._did = touched is None or not touched.target.repeats
        self.window.hand(intent)
        self.window.refresh()
        if self._app.running and before == self._state_seen():
            self._say_no(_("That does nothing here."), intent.seat)

    def _is_refused(self, intent: Intent) -> bool:
        """Return whether the table waits for the other side, and say so if it does."""
        app = self._app
        why = refusal_text(app.seats.scene_of(intent.seat, app.scene), intent)
        if why:
            self._say_no(why, intent.seat)
        return bool(why)

    def _state_seen(self) -> object:
        """Return everything on the glass, and who is on stage, to tell later whether any of it changed."""
        return tuple(shown_pane.pane for shown_pane in self.window.shown), self._on_stage()

    def _say(self, text: str, faction: str) -> None:
        self._app.hearing.say(text, faction)
        self.window.refresh()

    def _say_no(self, text: str, faction: str) -> None:
        """Say it, with a low buzz for players who aren't looking."""
        self._app.stage.desk.devices.buzz("no")
        self._say(text, faction)

    def _screen(self, faction: str) -> Screen:
        """Return the screen that a side sees: its own panel, or all of the glass."""
        panes = [shown_pane.pane for shown_pane in self.window.shown if shown_pane.pane.between is None]
        return next((pane.screen for pane in panes if pane.seat == faction), panes[0].screen)

    def _seat(self, faction: str) -> str:
        """Return whose touch a press is: on a scene that takes the whole glass, its opener's."""
        alone = self.window.shown[0].pane.seat if len(self.window.shown) == 1 else ""
        return alone or faction


def _the_same(spots: list[FocusSpot], wanted: FocusSpot | Intent | None) -> FocusSpot | None:
    """Return the spot that means the same, in the same pane where a spot is given; None where no spot does."""
    if wanted is None:
        return None
    intent = plain(wanted if isinstance(wanted, Intent) else wanted.target.intent)
    panes = {wanted.pane} if isinstance(wanted, FocusSpot) else {spot.pane for spot in spots}
    return next((spot for spot in spots if spot.pane in panes and plain(spot.target.intent) == intent), None)


def refusal_text(scene: Scene, intent: Intent) -> str:
    """Return why the scene will not hear an intent from the side that it is from; "" where it will."""
    if not isinstance(scene, Table) or scene.listens(intent):
        return ""
    waited = [scene.people.name(waiting) for waiting in scene.sides if waiting in scene.waits_for]
    return _("Waiting for {who}.").format(who=join_words(waited))
