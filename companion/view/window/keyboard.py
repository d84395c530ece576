"""Keys instead of fingers: a focus moved over the targets and touched, pages, steppers, typed characters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from companion.app.app import App
from companion.ui.screen import Intent
from companion.view.kit.sheet import Target
from companion.view.kit.theme import Theme
from companion.view.page.canvas import Canvas
from companion.view.page.marks import Ring
from companion.view.window.focus import WAYS, FocusSpot, nearest_spot, next_spot
from companion.view.window.input import InputEvent
from companion.view.window.panes import Shown
from companion.view.window.taps import Taps

BACK = ("hush", "back", "cancel", "close")  # verbs that Escape touches, the first one there is
TYPED = {"backspace": "\b", "enter": "\n"}
MORE = {"+": 1, "=": 1, "-": -1, "−": -1}
RING_PX = 4
RING_APART_PX = 3


class Leader(Protocol):
    """Whoever leads the focus along with the screens."""

    def place_after_redraw(self, at: FocusSpot | None) -> FocusSpot | None:
        """Return where the focus is after a redraw; None for nowhere."""


class KeyedWindow(Protocol):
    """What keys work on."""

    shown: tuple[Shown, ...]
    now_s: float

    def present(self) -> None:
        """Show what is drawn."""

    def act(self, number: int, target: Target) -> None:
        """Touch a target of a pane."""

    def turn(self, number: int | None, n: int) -> bool:
        """Turn the page of a pane; return whether it has more than one."""


class Keyboard:
    """What the keys of a window do. leader: None while nobody leads the focus."""

    def __init__(self, app: App, taps: Taps, window: KeyedWindow) -> None:
        self._app = app
        self._taps = taps
        self.window = window
        self.at: FocusSpot | None = None
        self.leader: Leader | None = None

    def spots(self) -> list[FocusSpot]:
        """Return everything that can be touched; what a finger drags is moved by the arrow keys instead."""
        return [
            FocusSpot(number, target, shown_pane.box_px(target))
            for number, shown_pane in enumerate(self.window.shown)
            for layer in shown_pane.canvas.sheet.layers()
            for target in layer.targets
            if not target.drag
        ]

    def renew(self) -> None:
        """Keep the focus on the same thing after a redraw, or on what is nearest; when led, it follows."""
        self.at = self.leader.place_after_redraw(self.at) if self.leader else nearest_spot(self.spots(), self.at)

    def forget(self) -> None:
        """Drop the focus, as fingers are at work."""
        self.at = None
        self.leader = None

    def handle(self, touch: InputEvent) -> None:
        """Do what a key or a character means."""
        self.leader = None
        if touch.kind == "char":
            self._type(touch.key)
        elif touch.key in (*WAYS, "next") and any(
            target.drag and target.keyed
            for shown_pane in self.window.shown
            for target in shown_pane.canvas.sheet.targets
        ):
            self._app.touch(Intent("key", touch.key, seat=self._seat()))
        elif self._is_typing() and touch.key in TYPED and (touch.key != "enter" or self.at is None):
            self._app.touch(Intent("type", TYPED[touch.key], seat=self._seat()))
        elif touch.key in (*WAYS, "next", "previous"):
            self.at = next_spot(self.spots(), self.at, touch.key)
            self.window.present()
        else:
            self._actions().get(touch.key, lambda: None)()

    def _actions(self) -> Mapping[str, Callable[[], None]]:
        return {
            "enter": self._touch,
            "space": lambda: None if self._is_typing() else self._touch(),
            "escape": self.back,
            "page-up": lambda: self._page(-1),
            "page-down": lambda: self._page(1),
        }

    def _targets(self) -> list[tuple[int, Target]]:
        """Return everything that can be touched, that in the pane with the focus first."""
        here = self.at.pane if self.at else 0
        return sorted(((spot.pane, spot.target) for spot in self.spots()), key=lambda pair: pair[0] != here)

    def _is_typing(self) -> bool:
        return any(target.intent.verb == "type" for _pane, target in self._targets())

    def _seat(self) -> str:
        """Return whose keys these are: those of the half with the focus."""
        return self.window.shown[self.at.pane if self.at else 0].pane.seat

    def _type(self, text: str) -> None:
        """Type a character where something is typed; else take more or less of the stepper in focus."""
        if self._is_typing():
            seat = next(
                self.window.shown[pane].pane.seat for pane, target in self._targets() if target.intent.verb == "type"
            )
            self._app.touch(Intent("type", text, seat=seat))
        elif self.at and text in MORE:
            wanted = self.at.target.intent
            for pane, target in self._targets():
                intent = target.intent
                if (intent.verb, intent.what, intent.n) == (wanted.verb, wanted.what, MORE[text]):
                    self.window.act(pane, target)
                    return

    def _touch(self) -> None:
        if self.at:
            self._act(self.at.pane, self.at.target)

    def _act(self, pane: int, target: Target) -> None:
        """Touch a target, but not twice by a key that is struck twice."""
        if not self._taps.is_second(pane, target, self.window.now_s):
            self.window.act(pane, target)

    def back(self) -> None:
        """Touch the way back, where there is one."""
        for verb in BACK:
            for pane, target in self._targets():
                if target.intent.verb == verb:
                    self._act(pane, target)
                    return

    def _page(self, n: int) -> None:
        """Turn the page where the focus is, or else where there are pages."""
        for pane in [self.at.pane] if self.at else range(len(self.window.shown)):
            if self.window.turn(pane, n):
                return


def focus_ring(canvas: Canvas, target: Target, look: Theme) -> Ring:
    """Draw the ring around the focus, along its outline if it has one, in two colours to be seen on every ground."""
    lines = ((look.page, RING_PX + 2 * RING_APART_PX), (look.accent_text, RING_PX))
    box = canvas.box_px(target).inflate(2 * RING_APART_PX, 2 * RING_APART_PX)
    wide = box.inflate(2 * RING_APART_PX, 2 * RING_APART_PX)
    outline = tuple(
        (round(x * canvas.px_per_pt) - wide.x, round(y * canvas.px_per_pt) - wide.y) for x, y in target.outline
    )
    return Ring((wide.x, wide.y, wide.w, wide.h), outline, lines, 2 * RING_PX)
