"""What is this? A finger that rests on something has it named and explained on a card beside it.

The card lies in the pane that was touched, and any touch there takes it away and does nothing else. Neither does the
finger that opened it, unless it goes on to drag what it rests on: that takes the card away as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from companion.app.app import App
from companion.app.split_screen import shared_picture
from companion.ui.table_pictures import AnyTablePicture
from companion.view.kit.glass import Glass, Grain
from companion.view.kit.sheet import Sheet
from companion.view.page.canvas import tooltip_marks
from companion.view.page.marks import Mark
from companion.view.window.input import InputEvent
from companion.view.window.panes import FingerPress, Pane, Shown, pane_at
from companion.view.window.taps import Taps

REST_S = 0.5
"""How long a finger rests on something that it asks about."""
STRAY_PART = 0.25  # of a target's least side: a finger that moves farther isn't resting


class AskedWindow(Protocol):
    """The window as tooltips need it. presses: the fingers on the glass, by number."""

    shown: tuple[Shown, ...]
    presses: dict[int, FingerPress]

    def drawn_on(self) -> tuple[Glass, Grain]:
        """Return the glass, and how fine it is."""

    def present(self) -> None:
        """Show the panes again, with what lies over them."""


@dataclass(frozen=True, slots=True)
class Resting:
    """A finger that came down, where, and when."""

    at_px: tuple[float, float]
    since_s: float


@dataclass(frozen=True, slots=True)
class Card:
    """A tooltip's card that is open in a pane."""

    pane: Pane
    marks: tuple[Mark, ...]


class Explaining:
    """Opens tooltips where fingers rest on the glass. cards: those that are open, by the number of the pane."""

    def __init__(self, app: App, taps: Taps, window: AskedWindow) -> None:
        self._app = app
        self._taps = taps
        self._window = window
        self._resting: dict[int, Resting] = {}
        self._asked: dict[int, tuple[int, Resting]] = {}  # fingers that asked and may drag, with the card they opened
        self.cards: dict[int, Card] = {}

    def takes(self, touch: InputEvent, now_s: float) -> bool:
        """Handle an input event; return whether it was consumed, so that nothing else acts on it."""
        if touch.kind in ("key", "char", "wheel"):
            return self._close(tuple(self.cards))
        if touch.kind == "down":
            return self._down(touch, now_s)
        if touch.finger in self._asked:
            return self._asked_moves(touch)
        resting = self._resting.get(touch.finger)
        if touch.kind == "up" or (resting and self._strays(touch, resting)):
            self._resting.pop(touch.finger, None)
        return False

    def _asked_moves(self, touch: InputEvent) -> bool:
        """Follow a finger that asked; return whether the touch means nothing else: one that moves on drags."""
        number, resting = self._asked[touch.finger]
        if touch.kind == "up":
            self._window.presses.pop(touch.finger, None)
        elif self._strays(touch, resting):
            self._close((number,))
        else:
            return True
        del self._asked[touch.finger]
        return touch.kind == "up"

    def _down(self, touch: InputEvent, now_s: float) -> bool:
        number = pane_at(self._window.shown, touch.at_px)
        if number is not None and self._close((number,)):
            self._taps.record_wake(touch.at_px, now_s)  # nobody means what was below the card
            return True
        self._resting[touch.finger] = Resting(touch.at_px, now_s)
        return False

    def _strays(self, touch: InputEvent, resting: Resting) -> bool:
        return strays(self._window.shown[0].canvas.sheet, touch.at_px, resting.at_px)

    def _close(self, numbers: tuple[int, ...]) -> bool:
        gone = [self.cards.pop(number, None) for number in numbers]
        if any(gone):
            self._window.present()
        return any(gone)

    def tick(self, now_s: float) -> None:
        """Explain what fingers have rested on long enough; close the cards of panes that are gone or lie elsewhere."""
        places = [(shown_pane.pane.rect_px, shown_pane.pane.turned) for shown_pane in self._window.shown]
        cards = ((n, (card.pane.rect_px, card.pane.turned)) for n, card in self.cards.items())
        self._close(tuple(n for n, place in cards if n >= len(places) or place != places[n]))
        for finger, resting in tuple(self._resting.items()):
            if now_s - resting.since_s >= REST_S:
                del self._resting[finger]
                self._explain(finger, resting)

    def _explain(self, finger: int, resting: Resting) -> None:
        """Open the card of what is there; the finger that asked means nothing else any more."""
        window = self._window
        number = pane_at(window.shown, resting.at_px)
        if number is None:
            return
        shown_pane = window.shown[number]
        x, y = shown_pane.pane.local(resting.at_px)
        k = shown_pane.canvas.px_per_pt
        about = shown_pane.canvas.sheet.about_at((x / k, y / k))
        found = self._app.explain(about.key, self._picture(shown_pane.pane)) if about is not None else None
        if about is None or found is None:
            return
        press = window.presses.get(finger)
        if press is not None and press.target is not None and (press.target.drag or press.under):
            self._asked[finger] = number, resting
        else:
            window.presses.pop(finger, None)
        told = replace(found, title=about.name or found.title)
        marks = tooltip_marks(told, about.rect, shown_pane.canvas.size_px, window.drawn_on())
        self.cards[number] = Card(shown_pane.pane, marks)
        window.present()

    def _picture(self, pane: Pane) -> AnyTablePicture | None:
        """Return the picture of the table in this pane, or else in another one; None where no pane has one."""
        panes = (pane, *(shown_pane.pane for shown_pane in self._window.shown))
        pictures = (half.between or shared_picture(half.screen) for half in panes)
        return next((picture for picture in pictures if picture is not None), None)

    def marks(self, number: int) -> tuple[Mark, ...]:
        """Return the marks of the card that is open over a pane; none if there is none."""
        card = self.cards.get(number)
        return () if card is None else card.marks


def strays(sheet: Sheet, place_px: tuple[float, float], from_px: tuple[float, float]) -> bool:
    """Return whether a finger has moved too far from where it came down to be resting."""
    most = STRAY_PART * sheet.touch * sheet.px_per_pt
    return max(abs(a - b) for a, b in zip(place_px, from_px, strict=True)) > most
