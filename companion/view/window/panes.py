"""The glass divided and painted: one pane for the whole of it, or a panel for each player and what is between them.

Places are pixels of the upright screen. A pane that is turned shows its picture upside down, to the player opposite.
A picture is painted again only where what the panes show has changed. Pages that people turn where the scene itself
has none are remembered for each player. Boards and fields are drawn ahead while nobody touches anything: so the touch
that first shows one is answered fast.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import pygame

from companion.app.split_screen import SeatScreen, SeatScreens, shared_picture
from companion.scenes.base.map_picture import start_picture
from companion.ui.battlefield_picture import FieldPicture
from companion.ui.screen import Intent, MapPicture, Screen
from companion.ui.table_pictures import DuelPicture, TablePicture
from companion.view.kit.glass import Glass, Grain
from companion.view.kit.sheet import Target
from companion.view.layers.map import map_width
from companion.view.page.canvas import Canvas, lay_out_between, lay_out_part
from companion.view.page.marks import Ground, Mark, changed_boxes, paint, prepare
from engine.orders.board import Board

Size = tuple[int, int]
Place = tuple[float, float]

AREA_TOUCHES = 6.62  # the map's height in areas: so many touch targets high, every area is large enough for a finger
MAP_PART = 0.88  # of the glass's breadth, at least
PANEL_PART = 0.295  # of the glass's length, at least, for each player's panel
DEEP_PART = 0.66  # of a portrait glass's breadth: a field is no deeper there, two rows of dice need the rest
HINGE_PX = 2  # half the line between two halves


@dataclass(frozen=True, slots=True)
class FingerPress:
    """A finger on the glass: its pane, what it came down on, where, and what under that follows it as it moves."""

    pane: int
    target: Target | None
    at_px: Place
    under: Target | None = None


@dataclass(frozen=True, slots=True)
class Pane:
    """A part of the glass: whose it is, what it shows, and where.

    between: the map or the field that stands between the panels, its board turned by `turn` degrees. panel_px: how
    wide a panel beside that is, where this is a wider half of the glass: its actions are where the panel's are.
    """

    seat: str
    screen: Screen
    rect_px: pygame.Rect
    turned: bool = False
    between: MapPicture | TablePicture | None = None
    turn: int = 0
    panel_px: int = 0

    def local(self, place_px: Place) -> Place:
        """Return a place of the upright screen in the coordinates of this pane's picture."""
        x, y = place_px[0] - self.rect_px.x, place_px[1] - self.rect_px.y
        return (self.rect_px.w - x, self.rect_px.h - y) if self.turned else (x, y)

    def outer(self, box_px: pygame.Rect) -> pygame.Rect:
        """Return a rectangle of this pane's picture in the coordinates of the upright screen."""
        return on_glass(self.rect_px, box_px, turned=self.turned)

    def lay_out(self, on: tuple[Glass, Grain]) -> Canvas:
        """Lay out what the pane shows."""
        if self.between is not None:
            return lay_out_between(self.between, self.rect_px.size, on, self.turn)
        return lay_out_part(self.screen, self.rect_px.size, on, self.panel_px)

    def intent(self, target: Target) -> Intent:
        """Return what a touch on a target of this pane means, and whose it is."""
        return replace(target.intent, seat=self.seat) if self.seat else target.intent


def on_glass(pane_px: pygame.Rect, box_px: pygame.Rect, *, turned: bool) -> pygame.Rect:
    """Return where a rectangle of a pane's own picture is on the upright screen."""
    x, y = (pane_px.w - box_px.right, pane_px.h - box_px.bottom) if turned else box_px.topleft
    return pygame.Rect(pane_px.x + x, pane_px.y + y, *box_px.size)


@dataclass(frozen=True, slots=True)
class Shown:
    """A pane as it is on the glass."""

    pane: Pane
    canvas: Canvas

    def target_at(self, place_px: tuple[float, float]) -> Target | None:
        """Return what a touch at a place of the upright screen is meant for; None for nothing."""
        return self.canvas.target_at(self.pane.local(place_px))

    def under(self, target: Target | None, place_px: tuple[float, float]) -> Target | None:
        """Return what can be dragged under a target at a place of the upright screen; None for nothing."""
        x, y = (part / self.canvas.px_per_pt for part in self.pane.local(place_px))
        below = self.canvas.sheet.targets if target in self.canvas.sheet.targets else ()
        return next((other for other in below if other.drag and other is not target and other.hit((x, y))), None)

    def box_px(self, target: Target) -> pygame.Rect:
        """Return where a target is on the upright screen."""
        return self.pane.outer(self.canvas.box_px(target))


def divide_glass(faces: SeatScreens, size_px: Size, on: tuple[Glass, Grain]) -> tuple[Pane, ...]:
    """Divide the screen of that size (width, height) into panes, and say what each shows."""
    whole = pygame.Rect((0, 0), size_px)
    if len(faces.faces) == 1:
        face = faces.faces[0]
        return (Pane(face.seat, face.screen, whole, faces.turned),)
    near, far = faces.faces
    if faces.middle is None:
        low, high = _halves(whole)
        panel = _thirds(whole, _middle(whole.w))[0].w if whole.w >= whole.h else 0
        return (
            Pane(near.seat, near.screen, low, panel_px=panel),
            Pane(far.seat, far.screen, high, True, panel_px=panel),
        )
    return _with_map((near, far), faces.middle, (whole, on[1]))


def _halves(whole: pygame.Rect) -> tuple[pygame.Rect, pygame.Rect]:
    """Return the near player's half and the far one's: left and right, or below and above on a portrait screen."""
    if whole.w >= whole.h:
        first, second = whole.w // 2 - HINGE_PX, whole.w // 2 + HINGE_PX
        return pygame.Rect(0, 0, first, whole.h), pygame.Rect(second, 0, whole.w - second, whole.h)
    first, second = whole.h // 2 - HINGE_PX, whole.h // 2 + HINGE_PX
    return pygame.Rect(0, second, whole.w, whole.h - second), pygame.Rect(0, 0, whole.w, first)


def _with_map(
    faces: tuple[SeatScreen, SeatScreen], shared: SeatScreen, place: tuple[pygame.Rect, Grain]
) -> tuple[Pane, ...]:
    """Return a pane for each player and one for the table between them, upright for the one who is asked."""
    (near, far), (whole, grain) = faces, place
    picture = shared_picture(shared.screen)
    assert picture is not None
    turned = shared.seat == far.seat
    wide = whole.w >= whole.h
    long, short = (whole.w, whole.h) if wide else (whole.h, whole.w)
    middle = _middle(long)  # of a wide glass always: what is confirmed is in one place in all games
    if not wide:
        middle = min(round(min(_length(picture, short, grain), long)), middle)
    low, middle_px, high = _thirds(whole, middle)
    turn = (90 if isinstance(picture, MapPicture) and not wide else 0) + (180 if turned else 0)
    return (
        Pane(near.seat, near.screen, low),
        Pane(far.seat, far.screen, high, True),
        Pane(shared.seat, Screen(), middle_px, turned, picture, turn % 360),
    )


def _middle(long: int) -> int:
    """Return how much of a glass's length there is between two panels at most, in pixels."""
    return round(long * (1 - 2 * PANEL_PART))


def _length(picture: MapPicture | TablePicture, short: int, grain: Grain) -> float:
    """Return how much of a high glass's length a table needs, in pixels; all of it for one that takes any shape.

    short: the glass's breadth. Fields are never turned sideways: their near edge stays the near one.
    """
    if isinstance(picture, MapPicture):
        needed = max(AREA_TOUCHES * grain.touch_pt * grain.px_per_pt, MAP_PART * short) + 8 * grain.px_per_pt
        return min(short, needed) * map_width(picture.board, 1.0)
    if isinstance(picture, FieldPicture):
        across, deep = picture.size
        return short * min(deep / across, DEEP_PART)
    return math.inf


def _thirds(whole: pygame.Rect, middle: int) -> tuple[pygame.Rect, pygame.Rect, pygame.Rect]:
    """Return the near player's part, what is between, and the far player's."""
    if whole.w >= whole.h:
        side = (whole.w - middle) // 2
        return (
            pygame.Rect(0, 0, side, whole.h),
            pygame.Rect(side, 0, whole.w - 2 * side, whole.h),
            pygame.Rect(whole.w - side, 0, side, whole.h),
        )
    side = (whole.h - middle) // 2
    return (
        pygame.Rect(0, whole.h - side, whole.w, side),
        pygame.Rect(0, side, whole.w, whole.h - 2 * side),
        pygame.Rect(0, 0, whole.w, side),
    )


def pane_at(shown: Iterable[Shown], place_px: Place) -> int | None:
    """Return the number of the pane at a place of the upright screen; None where there is none."""
    return next((n for n, found in enumerate(shown) if found.pane.rect_px.collidepoint(place_px)), None)


def layer_of(shown: Shown, more: Iterable[Mark] = ()) -> Layer:
    """Return a pane as a layer to be painted, with more marks on top."""
    canvas = shown.canvas
    return Layer(shown.pane.rect_px, shown.pane.turned, canvas.ground, (*canvas.marks, *more))


# ---- the picture ---------------------------------------------------------------------------------


class Layer(NamedTuple):
    """What a pane shows: its place on the upright glass, whether it is turned for the player opposite, its marks."""

    rect_px: pygame.Rect
    turned: bool
    ground: Ground
    marks: tuple[Mark, ...]

    @property
    def whole(self) -> pygame.Rect:
        """The rectangle of the pane's whole picture, in its own pixels."""
        return pygame.Rect((0, 0), self.rect_px.size)


class Painting:
    """The picture, and the layers that it shows."""

    def __init__(self, size_px: tuple[int, int]) -> None:
        self.picture = pygame.Surface(size_px)
        self._edge = ""
        self._layers: tuple[Layer, ...] = ()

    def show(self, layers: tuple[Layer, ...], edge: str) -> Sequence[pygame.Rect]:
        """Paint what has changed in these layers, the colour `edge` between them; return the rectangles painted."""
        before, self._layers = self._layers, layers
        if edge == self._edge and [layer.rect_px for layer in before] == [layer.rect_px for layer in layers]:
            pairs = zip(before, layers, strict=True)
            return [painted for old, new in pairs for painted in self._paint(new, _changed(old, new))]
        self._edge = edge
        self.picture.fill(edge)
        for layer in layers:
            self._paint(layer, [layer.whole])
        return [self.picture.get_rect()]

    def _paint(self, layer: Layer, parts: Sequence[pygame.Rect]) -> Sequence[pygame.Rect]:
        """Paint parts of a layer; return where they are on the glass."""
        whole = self.picture.get_rect()
        places = [on_glass(layer.rect_px, part, turned=layer.turned).clip(whole) for part in parts]
        for part, place in zip(parts, places, strict=True):
            if not place:
                continue  # beside the glass
            if layer.turned:
                upright = pygame.Surface(part.size)
                paint(upright, layer.ground, layer.marks, part)
                self.picture.blit(pygame.transform.rotate(upright, 180), place)
            else:
                paint(self.picture.subsurface(place), layer.ground, layer.marks, part)
        return places


def _changed(before: Layer, after: Layer) -> Sequence[pygame.Rect]:
    """Return the parts in which two layers may differ."""
    if before._replace(marks=()) != after._replace(marks=()):
        return [after.whole]
    return changed_boxes(before.marks, after.marks, after.whole)


# ---- turned pages --------------------------------------------------------------------------------


class TurnedPages:
    """How many pages of what is shown each player has turned."""

    def __init__(self) -> None:
        self._pages: dict[str, tuple[object, int]] = {}

    def at_page(self, face: SeatScreen) -> SeatScreen:
        """Return the face at the page that its player has turned to."""
        key, turned = self._pages.get(face.seat, (None, 0))
        if key != _kind_of(face.screen):
            turned = 0
            self._pages.pop(face.seat, None)
        return SeatScreen(face.seat, replace(face.screen, page=face.screen.page + turned)) if turned else face

    def turn(self, seat: str, screens: tuple[Screen, Screen], n: int) -> None:
        """Turn a player's page, unless the scene has turned its own. screens: the ones before and after it could."""
        before, after = screens
        key = _kind_of(after)
        if before.page == after.page and key == _kind_of(before):
            old, turned = self._pages.get(seat, (key, 0))
            self._pages[seat] = (key, (turned if old == key else 0) + n)


def _kind_of(screen: Screen) -> tuple[object, ...]:
    """Return what stays the same while people turn the pages of one thing."""
    return screen.title, tuple((action.intent.verb, action.intent.what) for action in screen.actions)


# ---- drawn ahead ---------------------------------------------------------------------------------


Bare = FieldPicture | DuelPicture
SEATS = "near", "far"
AT_ONCE = 8  # marks in one go: a few milliseconds on a small Pi


class DrawingAhead:
    """Draws a board as it will be on the glass, or the ground between two players, a little at a time."""

    def __init__(self) -> None:
        self._wanted: object = None
        self._work: Iterator[None] = iter(())

    def go_on(self, what: Board | Bare, glass: Glass, size_px: Size, halved: bool) -> bool:
        """Draw a little more; return whether there was something left to draw."""
        wanted = what, glass, size_px, halved
        if wanted != self._wanted:
            self._wanted, self._work = wanted, _draw(what, glass, size_px, halved)
        return sum(1 for _mark, _n in zip(self._work, range(AT_ONCE), strict=False)) > 0


def bare_table(shown: Iterable[Shown]) -> Bare | None:
    """Return the field or the cards' battlefield between two players without anything on it; None for none."""
    return next((bare for shown_pane in shown if (bare := _bare(shown_pane.pane.between)) is not None), None)


def _bare(picture: MapPicture | TablePicture | None) -> Bare | None:
    match picture:
        case FieldPicture():
            return FieldPicture(picture.size, picture.grounds, ())
        case DuelPicture():
            zones = tuple(replace(zone, cards=(), mark="") for zone in picture.zones)
            return replace(picture, zones=zones, piles=((), ()), to_move="")
    return None


def _draw(what: Board | Bare, glass: Glass, size_px: Size, halved: bool) -> Iterator[None]:
    """Draw mark by mark; halved: between two players, facing the one and then the other."""
    on = glass, glass.grain(size_px, halved)
    picture = Screen(board=what) if isinstance(what, FieldPicture | DuelPicture) else Screen(map=start_picture(what))
    one, other = (SeatScreen(seat, Screen()) for seat in SEATS)
    both = [SeatScreens((one, other), SeatScreen(seat, picture)) for seat in SEATS]
    for faces in both if halved else [SeatScreens((SeatScreen("", picture),))]:
        canvas = divide_glass(faces, size_px, on)[-1].lay_out(on)
        yield from prepare(canvas.ground, canvas.marks)
