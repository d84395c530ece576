"""A screen laid out but not yet drawn: shapes, labels and targets in points. No pygame.

Shapes are SVG, so that edges are smooth at every size; labels are kept apart because letters are set by the font.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

from companion.drawing.polygons import Point, distance_to_side, inside, path, sides
from companion.grounds.store import NO_GROUNDS, Grounds
from companion.ui.intents import Intent, Place
from companion.view.kit.theme import GAP_PT, TOUCH_PT, Style, Theme, theme
from companion.view.kit.wrapping import Measure, cut_to, fitting_size, line_height, wrap_text

Align = Literal["left", "centre", "right"]
LINE_PT = 9.0
"""A finger so near to a line rests on it."""


class Rect(NamedTuple):
    """Left, top, width and height in points."""

    x: float
    y: float
    w: float
    h: float

    @classmethod
    def around(cls, centre: Point, half: float) -> Rect:
        """Return the square around a point, given half its side."""
        return cls(centre[0] - half, centre[1] - half, 2 * half, 2 * half)

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.h

    @property
    def centre(self) -> Point:
        """The middle."""
        return self.x + self.w / 2, self.y + self.h / 2

    @property
    def corners(self) -> tuple[Point, ...]:
        """The four corners, clockwise from the top left."""
        return (self.x, self.y), (self.right, self.y), (self.right, self.bottom), (self.x, self.bottom)

    def shrunk(self, by: float) -> Rect:
        """Return the rectangle smaller by so much on every side."""
        return Rect(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)

    def cell(self, number: int, across: int, apart: tuple[float, float]) -> Rect:
        """Return a cell of the grid whose cell 0 this is: `across` in a row, so far apart (right, down)."""
        row, column = divmod(number, across)
        return self._replace(x=self.x + column * (self.w + apart[0]), y=self.y + row * (self.h + apart[1]))

    def cut_by(self, other: Rect) -> Rect:
        """Return the part of the rectangle inside another one; of no width or height where there is none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Rect(x, y, max(0.0, min(self.right, other.right) - x), max(0.0, min(self.bottom, other.bottom) - y))

    def at(self, place: Place) -> Point:
        """Return the point at a place given as parts (0 to 1) of the width and height."""
        return self.x + place[0] * self.w, self.y + place[1] * self.h

    def holds(self, point: Point) -> bool:
        """Return whether the point lies inside."""
        return self.x <= point[0] < self.right and self.y <= point[1] < self.bottom

    def overlaps(self, other: Rect) -> bool:
        """Return whether both rectangles share any area."""
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom


@dataclass(frozen=True, slots=True)
class Label:
    """One line of text in its rectangle, set in the middle of its height."""

    rect: Rect
    text: str
    size: float
    bold: bool
    colour: str
    align: Align


class Backdrop(NamedTuple):
    """A kept picture's file and where it lies, under all shapes and over the page's own ground."""

    rect: Rect
    path: Path


class PlacedPhoto(NamedTuple):
    """A picture file's bytes (JPEG or PNG) and where it is shown."""

    rect: Rect
    data: bytes


@dataclass(frozen=True, slots=True)
class Target:
    """Where a touch means something: a rectangle, or the outline inside it where one is given.

    drag: it gets every move of a finger from down to up; keyed: the arrow keys move it, too.
    repeats: it is made to be touched fast, one touch after the other, each of which counts.
    """

    rect: Rect
    intent: Intent
    outline: tuple[Point, ...] = ()
    drag: bool = False
    repeats: bool = False
    keyed: bool = True

    def hit(self, point: Point) -> bool:
        """Return whether a touch at the point is meant for this target."""
        return self.rect.holds(point) and (not self.outline or inside(self.outline, point))

    def distance(self, point: Point) -> float:
        """Return the distance from this target to a point outside it."""
        if self.outline:
            return min(distance_to_side(point, side) for side in sides(self.outline))
        x, y, right, bottom = self.rect.x, self.rect.y, self.rect.right, self.rect.bottom
        return math.hypot(max(x - point[0], 0.0, point[0] - right), max(y - point[1], 0.0, point[1] - bottom))

    @property
    def key(self) -> str:
        """The key of its tooltip, where no `About` gives another one."""
        return f"{self.intent.verb}:{self.intent.what}"

    def dragged(self, point: Point, phase: int) -> Intent:
        """Return the intent of a finger at this point of a drag. phase: 0 down, 1 moved, 2 up."""
        x, y = (point[0] - self.rect.x) / self.rect.w, (point[1] - self.rect.y) / self.rect.h
        return replace(self.intent, n=phase, at=(min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)))


@dataclass(frozen=True, slots=True)
class About:
    """The place of something that a tooltip explains, by a key of `companion.text.meanings`; name: its own words.

    line: it is no more than this line, which a finger meets somewhere along it.
    """

    rect: Rect
    key: str
    name: str = ""
    line: tuple[Point, ...] = ()

    def hit(self, point: Point) -> bool:
        """Return whether a finger at the point rests on this thing."""
        if not self.line:
            return self.rect.holds(point)
        return min(distance_to_side(point, side) for side in pairwise(self.line)) <= LINE_PT


def bounds(points: Sequence[Point]) -> Rect:
    """Return the smallest rectangle around the points."""
    xs, ys = zip(*points, strict=True)
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


@dataclass(slots=True)
class Sheet:
    """A growing drawing: later things lie over earlier ones, all shapes over all photos, all labels over all shapes.

    touch: the least side of anything to touch, 12 mm in points of this screen. tight: there is so little height that
    a button's letters are made smaller rather than put in another row. gap: between things one below the other. dense:
    whether buttons may stand in one column more than asked for, where that saves a row. letters: the factor that words
    are enlarged by. bar: it is so low and wide that buttons stand in twice as many columns. panel: the width of a panel
    at the left edge that holds the confirming button, if that is not the whole sheet.
    """

    measure: Measure
    px_per_pt: float = 1.0
    look: Theme = field(default_factory=theme)
    touch: float = TOUCH_PT
    tight: bool = False
    gap: float = GAP_PT
    dense: bool = False
    panel: float = 0.0
    letters: float = 1.0
    bar: bool = False
    grounds: Grounds = NO_GROUNDS
    cloth: str = ""  # the page's own ground, under everything
    backdrops: list[Backdrop] = field(default_factory=list)
    stills: list[str] = field(default_factory=list)  # shapes under all else that seldom change: kept as pixels
    photos: list[PlacedPhoto] = field(default_factory=list)
    shapes: list[str] = field(default_factory=list)
    groups: list[tuple[int, Rect | None]] = field(default_factory=list)  # the shapes up to here, and where
    labels: list[Label] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    bright: list[Rect] = field(default_factory=list)  # what a veil leaves bright
    abouts: list[About] = field(default_factory=list)
    pieces: dict[str, tuple[Point, ...]] = field(default_factory=dict)  # outlines of what moves from sheet to sheet
    over: Sheet | None = None  # what lies over all of this, letters included

    def scratch(self) -> Sheet:
        """Return an empty sheet for the same screen: to measure on, or to lie over this one."""
        return Sheet(self.measure, self.px_per_pt, self.look, self.touch, self.tight, self.gap, self.dense, self.panel,
                     self.letters, self.bar, self.grounds)  # fmt: skip

    @property
    def style(self) -> tuple[object, ...]:
        """What decides how things are drawn on it, all but `panel` and `grounds`."""
        return (self.measure, self.px_per_pt, self.look, self.touch, self.tight, self.gap, self.dense, self.letters,
                self.bar)  # fmt: skip

    def larger(self, style: Style) -> Style:
        """Return a style with its letters enlarged as this page's are."""
        colour, size, bold = style
        return colour, size * self.letters, bold

    def add(self, part: Sheet) -> None:
        """Add what is on another sheet of the same style, but not its cloth nor what lies over it."""
        start = len(self.shapes)
        if part.groups and start > (self.groups[-1][0] if self.groups else 0):
            self.groups.append((start, None))  # shapes drawn before don't belong to its groups
        self.backdrops += part.backdrops
        self.stills += part.stills
        self.photos += part.photos
        self.shapes += part.shapes
        self.groups += [(start + end, rect) for end, rect in part.groups]
        self.labels += part.labels
        self.targets += part.targets
        self.bright += part.bright
        self.abouts += part.abouts
        self.pieces |= part.pieces

    def box(self, rect: Rect, fill: str, line: str = "none", radius: float = 7, width: float = 1.2) -> None:
        """Draw a rectangle with round corners."""
        self.shapes.append(
            f'<rect x="{rect.x:.2f}" y="{rect.y:.2f}" width="{rect.w:.2f}" height="{rect.h:.2f}" rx="{radius:g}" '
            f'fill="{fill}" stroke="{line}" stroke-width="{width:g}"/>'
        )

    def disc(self, centre: Point, radius: float, fill: str, line: str = "none", width: float = 1.2) -> None:
        """Draw a circle."""
        self.shapes.append(
            f'<circle cx="{centre[0]:.2f}" cy="{centre[1]:.2f}" r="{radius:.2f}" '
            f'fill="{fill}" stroke="{line}" stroke-width="{width:g}"/>'
        )

    def polygon(self, points: Sequence[Point], fill: str, line: str = "none", width: float = 1.2) -> None:
        """Draw a closed shape with round joins."""
        self.shapes.append(
            f'<path d="{path(points)}" fill="{fill}" stroke="{line}" stroke-width="{width:g}" stroke-linejoin="round"/>'
        )

    def line(self, points: Sequence[Point], colour: str, width: float, dash: str = "") -> None:
        """Draw an open line with round ends, dashed where `dash` gives lengths."""
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.shapes.append(
            f'<path d="{path(points, closed=False)}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
            f'stroke-linecap="round" stroke-linejoin="round"{dashes}/>'
        )

    def cross(self, centre: Point, reach: float, colour: str, width: float) -> None:
        """Draw two slanted lines that cross."""
        x, y = centre
        self.line([(x - reach, y - reach), (x + reach, y + reach)], colour, width)
        self.line([(x - reach, y + reach), (x + reach, y - reach)], colour, width)

    def photo(self, rect: Rect, data: bytes) -> None:
        """Place a picture file (JPEG or PNG), stretched to the rectangle, under the shapes, which can mark it."""
        self.photos.append(PlacedPhoto(rect, data))

    def fit_photo(self, most: Rect, data: bytes, size_px: tuple[int, int]) -> Rect:
        """Place a picture file of that size at the top left of a rectangle, as large as it fits; return where it is."""
        scale = min(most.w / size_px[0], most.h / size_px[1])
        rect = Rect(most.x, most.y, size_px[0] * scale, size_px[1] * scale)
        self.photo(rect, data)
        return rect

    def still(self, shapes: str) -> None:
        """Add SVG that is the same on many screens: it lies under all that changes, and is drawn only once for them."""
        self.stills.append(shapes)

    def close_group(self, rect: Rect) -> None:
        """Close a group: all shapes since the last one lie in this place, and are drawn only when they change."""
        self.groups.append((len(self.shapes), rect))

    def join_groups(self) -> None:
        """Join the shapes of each group into one; those added since the last group stay as they are."""
        joined: list[str] = []
        groups: list[tuple[int, Rect | None]] = []
        start = 0
        for end, rect in self.groups:
            if end > start:
                joined.append("".join(self.shapes[start:end]))
                groups.append((len(joined), rect))
            start = end
        self.shapes, self.groups = [*joined, *self.shapes[start:]], groups

    def grouped(self) -> Iterator[tuple[str, Rect | None]]:
        """Yield the shapes group by group with their place; None for the whole sheet."""
        start = 0
        for end, rect in (*self.groups, (len(self.shapes), None)):
            if end > start:
                yield "".join(self.shapes[start:end]), rect
            start = end

    def raw(self, shape: str) -> None:
        """Draw the given SVG as it is."""
        self.shapes.append(shape)

    def label(self, rect: Rect, text: str, style: Style, align: Align = "left") -> None:
        """Write a line of text (style: colour, size, bold), made smaller if it is too wide, and cut if it still is."""
        if not text:
            return
        colour, size, bold = style
        size = fitting_size(self.measure, text, (size, bold), rect.w)
        text = cut_to(self.measure, text, (size, bold), rect.w)
        self.labels.append(Label(rect, text, size, bold, colour, align))

    def target(self, rect: Rect, intent: Intent, outline: tuple[Point, ...] = (), *, repeats: bool = False) -> None:
        """Make a place touchable; where two overlap, the later one gets the touch."""
        self.targets.append(Target(rect, intent, outline, repeats=repeats))

    def piece(self, name: str, place: Rect | Sequence[Point]) -> None:
        """Name something that motion follows from one sheet to the next: a base, a card, a die, the board."""
        self.pieces[name] = place.corners if isinstance(place, Rect) else tuple(place)

    def drag_target(self, rect: Rect, intent: Intent, *, keyed: bool = True) -> None:
        """Make a place draggable: it gets every move of a finger from down to up. keyed: arrow keys move it, too."""
        self.targets.append(Target(rect, intent, drag=True, keyed=keyed))

    def about(self, rect: Rect, key: str, name: str = "") -> None:
        """Record what a tooltip explains at this place; of several things at a point, the smallest is meant."""
        self.abouts.append(About(rect, key, name))

    def about_line(self, line: Sequence[Point], key: str) -> None:
        """Record what a tooltip explains along a line; anything else at a point is meant before it."""
        self.abouts.append(About(bounds(line), key, line=tuple(line)))

    def about_at(self, point: Point) -> About | None:
        """Return what a tooltip at this point is about, in the topmost layer there; None for nothing.

        A target without an `About` is explained by its own key, unless it is one to drag.
        """
        for layer in reversed(list(self.layers())):
            touched = [target for target in layer.targets if target.hit(point)]
            found = [about for about in layer.abouts if about.hit(point)]
            found += [About(target.rect, target.key) for target in touched[-1:] if not target.drag]
            if found:
                return min(found, key=lambda about: (bool(about.line), about.rect.w * about.rect.h))
            if touched:
                return None
        return None

    def hit(self, point: Point) -> Target | None:
        """Return what a touch at this point is meant for: what lies there, else the nearest thing within 6 mm."""
        layers = list(reversed(list(self.layers())))
        for layer in layers:
            for target in reversed(layer.targets):
                if target.hit(point):
                    return target
        near = [(target.distance(point), target) for layer in layers for target in layer.targets if not target.drag]
        distance, nearest = min(near, key=lambda pair: pair[0], default=(math.inf, None))
        return nearest if distance <= self.touch / 2 else None

    def layers(self) -> Iterator[Sheet]:
        """Yield this sheet, then what lies over it."""
        yield self
        if self.over:
            yield from self.over.layers()


def paragraph(sheet: Sheet, text: str, style: Style, place: Rect) -> float:
    """Write wrapped lines of one style (colour, size, bold) at the top of the place; return their height."""
    high = line_height(style[1])
    lines = wrap_text(sheet.measure, text, style[1:], place.w) if text else ()
    for i, line in enumerate(lines):
        sheet.label(Rect(place.x, place.y + i * high, place.w, high), line, style)
    return len(lines) * high


def paragraphs(sheet: Sheet, parts: Iterable[tuple[str, Style]], place: Rect) -> float:
    """Write paragraphs of several styles one under the other; return their height."""
    used = 0.0
    for text, style in parts:
        used += paragraph(sheet, text, style, place._replace(y=place.y + used))
    return used
