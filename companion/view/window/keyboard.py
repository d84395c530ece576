"""Keys instead of fingers: a focus moved over the targets and touched, pages, steppers, typed characters.

The focus is the one target that Enter would touch, moved by Tab and the arrow keys or led by the board's knob. The knob
goes first over what is asked for, in reading order; then over what is live on the map, area by area; then over all the
rest; the buttons along the lower edge come last, so that one click back from the beginning leads to them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

import pygame

from companion.app.app import App
from companion.desk.meaning import is_live, proposed_intent
from companion.ui.screen import Intent, MapPicture
from companion.view.kit.sheet import Target
from companion.view.kit.theme import Theme
from companion.view.page.canvas import Canvas
from companion.view.page.marks import Ring
from companion.view.window.input import InputEvent
from companion.view.window.panes import Shown
from companion.view.window.taps import Taps, plain

ROW_PX = 24  # targets whose middles differ by less are in one row
ASIDE = 2.5  # a gap sideways counts as this many times as far
MIDDLES = 0.01
WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class FocusSpot(NamedTuple):
    """A target, the number of its pane, and where it is on the upright screen."""

    pane: int
    target: Target
    box_px: pygame.Rect


def next_spot(spots: Sequence[FocusSpot], at: FocusSpot | None, key: str) -> FocusSpot | None:
    """Return the spot that a key leads to from where the focus is; None where there is nothing to touch."""
    if not spots:
        return None
    inside = sorted(spots, key=lambda spot: (spot.pane, spot.box_px.centery // ROW_PX, spot.box_px.centerx))
    if at is None:
        return inside[-1] if key == "previous" else inside[0]
    if key in WAYS:
        way = WAYS[key]
        ahead = [spot for spot in spots if _along(at.box_px, spot.box_px, way) > 0]
        return min(ahead, key=lambda spot: _distance(at.box_px, spot.box_px, way), default=at)
    places = [spot.box_px for spot in inside]
    number = places.index(at.box_px) if at.box_px in places else 0
    return inside[(number + (-1 if key == "previous" else 1)) % len(inside)]


def _along(one: pygame.Rect, other: pygame.Rect, way: tuple[int, int]) -> int:
    """Return how far the middle of the other rectangle lies that way, in pixels."""
    return (other.centerx - one.centerx) * way[0] + (other.centery - one.centery) * way[1]


def _distance(one: pygame.Rect, other: pygame.Rect, way: tuple[int, int]) -> float:
    """Return how far the other rectangle is: the gap between both, more for a gap aside; their middles break a tie."""
    across = max(other.left - one.right, one.left - other.right, 0)
    down = max(other.top - one.bottom, one.top - other.bottom, 0)
    along, aside = (across, down) if way[0] else (down, across)
    return along + ASIDE * aside + MIDDLES * _along(one, other, way)


def nearest_spot(spots: Sequence[FocusSpot], at: FocusSpot | None) -> FocusSpot | None:
    """Return the same thing after a redraw, or what is nearest to where it was; None without a focus or a target."""
    if at is None or not spots:
        return None
    same = [spot for spot in spots if spot.pane == at.pane and spot.target.intent == at.target.intent]
    return min(same or spots, key=lambda spot: pygame.Vector2(spot.box_px.center).distance_to(at.box_px.center))


# ---- the order of the knob -----------------------------------------------------------------------

ASKED, ON_MAP, REST, ACTIONS = range(4)
SELDOM = frozenset({"side", "round", "menu", "lock", "clock", "live", "hush", "todo", "undie", "unsaved"})
"""What is seldom wanted: the status, a banner, the list of tasks in large, a die taken back."""
NAME_FORM = re.compile(r"(\D*)(\d*)(.*)")


def ring_order(shown: Sequence[Shown], spots: Sequence[FocusSpot], first: int) -> list[FocusSpot]:
    """Return all spots in the order in which the knob goes through them, beginning in that pane."""
    return sorted(spots, key=lambda spot: _key(shown, spot, first))


def ring_start(shown: Sequence[Shown], spots: Sequence[FocusSpot], first: int) -> FocusSpot | None:
    """Return the spot where the knob begins: what is proposed in that pane, else the first; None if there is none."""
    order, pane = ring_order(shown, spots, first), shown[first].pane
    wanted = proposed_intent(pane.screen, pane.seat)
    bright = (spot for spot in order if spot.pane == first and plain(spot.target.intent) == wanted)
    return next(bright, order[0] if order else None)


def first_pane(shown: Sequence[Shown], busy: str = "") -> int:
    """Return the number of the panel where the ring begins.

    It is that of the player who opened something in the own half (`busy`), else of whom the table waits for, to
    whom the map between the panels faces.
    """
    seat = busy or next((shown_pane.pane.seat for shown_pane in shown if shown_pane.pane.between is not None), "")
    return next(
        (n for n, shown_pane in enumerate(shown) if shown_pane.pane.between is None and shown_pane.pane.seat == seat), 0
    )


def _key(shown: Sequence[Shown], spot: FocusSpot, first: int) -> tuple[int, int, tuple[str, int, str], int, int]:
    """Return the key to sort by: group, pane, place on the board, place on the glass as the pane's player sees it."""
    shown_pane, intent = shown[spot.pane], spot.target.intent
    group = _group(shown_pane, intent)
    if shown_pane.pane.between is None and spot.pane != first:
        group = REST
    box = shown_pane.canvas.box_px(spot.target)
    place = _place(intent) if group == ON_MAP else ("", 0, "")
    return group, spot.pane, place, box.centery // ROW_PX, box.centerx


def _group(shown: Shown, intent: Intent) -> int:
    between = shown.pane.between
    screen, picture = shown.pane.screen, between if isinstance(between, MapPicture) else shown.pane.screen.map
    spaces = {space.name for space in picture.spaces} if picture is not None else set()
    if picture is not None and (intent.verb == "area" or (intent.verb == "space" and intent.what in spaces)):
        # on a large enough screen the spaces on the map are touched by themselves
        by_space = any(target.intent.what in spaces for target in shown.canvas.sheet.targets)
        return ON_MAP if _is_open(picture, intent, by_space) else REST
    if intent.verb in SELDOM or (intent.verb == "page" and intent.n < 0):
        return REST
    if plain(intent) in {action.intent for action in screen.actions}:
        return ACTIONS
    return ASKED if is_live(screen, plain(intent)) else REST


def _is_open(picture: MapPicture, intent: Intent, by_space: bool) -> bool:
    """Return whether a space may be deployed to, or an area leads to one or plays a part in what is open."""
    live = {space.name for space in picture.spaces if space.live}
    if intent.verb == "space":
        return intent.what in live
    marked = any(area.mark for area in picture.areas if area.name == intent.what)
    return marked or (not by_space and intent.what in {name.partition(":")[2] for name in live})


def _place(intent: Intent) -> tuple[str, int, str]:
    """Return the key that sorts areas by name, column by column, each followed by its spaces.

    >>> _place(Intent("space", "advance:b10"))
    ('b', 10, 'advance')
    """
    action, _colon, area = intent.what.rpartition(":")
    form = NAME_FORM.fullmatch(area)
    assert form
    return form[1], int(form[2] or 0), action


# ---- keys ----------------------------------------------------------------------------------------


BACK = ("hush", "back", "cancel", "close")  # verbs that Escape touches, the first one there is
TYPED = {"backspace": "\b", "enter": "\n"}
MORE = {"+": 1, "=": 1, "-": -1, "−": -1}
RING_PX = 4
RING_APART_PX = 3


class Leader(Protocol):
    """Whoever moves the focus along as screens change."""

    def place_after_redraw(self, at: FocusSpot | None) -> FocusSpot | None:
        """Return where the focus is after a redraw; None for nowhere."""


class KeyedWindow(Protocol):
    """The window as the keyboard needs it."""

    shown: tuple[Shown, ...]
    now_s: float

    def present(self) -> None:
        """Show what is drawn."""

    def act(self, number: int, target: Target) -> None:
        """Touch a target of a pane."""

    def turn(self, number: int | None, n: int) -> bool:
        """Turn the page of a pane; return whether it has more than one."""


class Keyboard:
    """Turns keys into touches at the focus. leader: who leads the focus; None for nobody."""

    def __init__(self, app: App, taps: Taps, window: KeyedWindow) -> None:
        self._app = app
        self._taps = taps
        self.window = window
        self.at: FocusSpot | None = None
        self.leader: Leader | None = None

    def spots(self) -> list[FocusSpot]:
        """Return every target that keys can touch: all but those to drag."""
        return [
            FocusSpot(number, target, shown_pane.box_px(target))
            for number, shown_pane in enumerate(self.window.shown)
            for layer in shown_pane.canvas.sheet.layers()
            for target in layer.targets
            if not target.drag
        ]

    def renew(self) -> None:
        """Put the focus where the leader says after a redraw; without one, on the same thing or the nearest."""
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
    """Return the ring around the focus, along its outline if it has one, in two colours to be seen on any ground."""
    lines = ((look.page, RING_PX + 2 * RING_APART_PX), (look.accent_text, RING_PX))
    box = canvas.box_px(target).inflate(2 * RING_APART_PX, 2 * RING_APART_PX)
    wide = box.inflate(2 * RING_APART_PX, 2 * RING_APART_PX)
    outline = tuple(
        (round(x * canvas.px_per_pt) - wide.x, round(y * canvas.px_per_pt) - wide.y) for x, y in target.outline
    )
    return Ring((wide.x, wide.y, wide.w, wide.h), outline, lines, 2 * RING_PX)
