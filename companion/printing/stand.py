"""A stand for the camera, in numbers and on paper: how high it holds the lens so that the whole board is in sight.

A square tube beside a long edge of the board, on a foot that something heavy lies on, with a plate at its top that
reaches towards the board. The paper sheets and the solid (`stand_solid`) are made of these numbers.
Lengths are in mm. In the stand's own frame x runs along the board's edge, y from the tube towards the board, z up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import atan2, ceil, cos, degrees, hypot, radians, tan

from companion.core.errors import UsageError
from companion.core.language import _
from companion.printing.paper import HAIR_MM, INK, MARGIN_MM, SIZES_MM, PaperPage, Point, Words, column, with_foot, wrap

USUAL_VIEW_DEG = 62.0
"""What a common camera sees from the left edge of its picture to the right one."""
LEAST_VIEW_DEG, MOST_VIEW_DEG = 35.0, 110.0
PICTURE_SHAPE = 0.75
"""The height of the picture by its width."""
SPARE_MM = 15.0
"""How much of the table is in the picture around the board."""
MOST_TILT_DEG = 25.0
"""Some way below the steepest view that the eye takes."""
HEIGHTS_MM = range(200, 1000, 5)

WIDE_MM = 40.0
"""The outer width of the tube."""
GAP_MM = 10.0
"""From the tube to the board's edge."""
REACH_MM = 60.0
"""From the middle of the tube to the lens, level."""
LONGEST_PIECE_MM = 180.0
"""Of the tube: what fits a common printer and a sheet of paper."""
FOOT_MM = (110.0, 150.0)
"""The foot: along the board's edge, and away from it. The tube stands at the middle of its front edge."""
PLATE_MM = 3.0
"""How thick foot and plate are."""
BEHIND_LENS_MM = 25.0
"""How far the plate reaches beyond the middle of its window."""
WINDOW_MM = 18.0
"""The side of the window that the lens looks through."""


@dataclass(frozen=True, slots=True)
class Stand:
    """What holds a lens `lens_mm` above the board and leans it towards the board's middle."""

    lens_mm: float
    tilt_deg: float

    @property
    def slope(self) -> float:
        """How much the plate rises towards the board, in mm for each mm."""
        return tan(radians(self.tilt_deg))

    @property
    def tube_mm(self) -> float:
        """The length of the tube, at its middle."""
        return self.lens_mm - REACH_MM * self.slope - PLATE_MM

    @property
    def pieces(self) -> int:
        """The number of pieces of equal length that make up the tube."""
        return ceil(self.tube_mm / LONGEST_PIECE_MM)

    @property
    def piece_mm(self) -> float:
        """The length of each piece; of the highest one, whose end slopes, at its middle."""
        return self.tube_mm / self.pieces

    @property
    def window_mm(self) -> float:
        """Where the middle of the window is, along the plate from the middle of the tube."""
        return REACH_MM / cos(radians(self.tilt_deg))

    @property
    def plate_mm(self) -> tuple[float, float]:
        """Where the plate begins and ends, along itself from the middle of the tube."""
        return -WIDE_MM / 2 / cos(radians(self.tilt_deg)), self.window_mm + BEHIND_LENS_MM


def stand_for(board_mm: tuple[float, float], view_deg: float = USUAL_VIEW_DEG) -> Stand:
    """Return the lowest stand from which a camera sees all of a board; UsageError for a view that no stand helps.

    view_deg: the angle from the left edge of the camera's picture to the right one.
    """
    if not LEAST_VIEW_DEG <= view_deg <= MOST_VIEW_DEG:
        raise UsageError(f"--view: from {LEAST_VIEW_DEG:g} to {MOST_VIEW_DEG:g}, not {view_deg:g}")
    along, away = max(board_mm), min(board_mm)
    level = WIDE_MM / 2 + GAP_MM + away / 2 - REACH_MM
    for lens in HEIGHTS_MM:
        tilt = degrees(atan2(level, lens))
        if tilt <= MOST_TILT_DEG and _sees_all((along / 2 + SPARE_MM, away / 2 + SPARE_MM), level, lens, view_deg):
            return Stand(float(lens), tilt)
    raise UsageError(f"--view: no stand is high enough for a board of {along:g} x {away:g} mm")


def _sees_all(half_mm: tuple[float, float], level_mm: float, lens_mm: float, view_deg: float) -> bool:
    """Return whether the corners at (x, -y) and (x, y) are in the picture.

    The lens is `lens_mm` above the table, `level_mm` before the middle, and looks at the middle.
    """
    x, y = half_mm
    far = hypot(level_mm, lens_mm)
    reach = tan(radians(view_deg / 2))
    for side in (-y, y):
        depth = far + side * level_mm / far
        if x / depth > reach or abs(side) * lens_mm / far / depth > reach * PICTURE_SHAPE:
            return False
    return True


# ---- on paper: outlines to glue onto card, cut out and fold, in true size ------------------------


FLAP_MM = 12.0
"""What is glued under the next side."""
CARD_MM = 0.5
"""How thick the card is."""
SLEEVE_MM = 60.0
"""How long what joins two pieces of the tube is: half of it in each."""
BACK, FRONT = 0, 2
"""Faces of the tube, in the order of their net."""
TOP_MM = MARGIN_MM + 14.0
FOLD = 'stroke-dasharray="2 1.5"'
TEXT_MM = 3.6


def stand_sheets(stand: Stand, paper: str) -> list[PaperPage]:
    """Lay out the sheets: foot and plate with instructions, the tube's pieces from the lowest up, and the sleeves."""
    size = SIZES_MM[paper]
    pieces = [_piece(stand, number, size) for number in range(stand.pieces)]
    sleeves = [_sleeves(stand.pieces - 1, size)] if stand.pieces > 1 else []
    return [with_foot(page) for page in (_foot_and_plate(stand, size), *pieces, *sleeves)]


def _foot_and_plate(stand: Stand, size_mm: Point) -> PaperPage:
    left, top, (wide, deep) = MARGIN_MM, TOP_MM, FOOT_MM
    half = WIDE_MM / 2
    seat = ((left + wide / 2 - half, top), (left + wide / 2 + half, top + WIDE_MM))
    begins, ends = stand.plate_mm
    beside = left + wide + 15.0
    middle, pane = top + ends - stand.window_mm, WINDOW_MM / 2
    shapes = [
        _outline(_rectangle((left, top), (left + wide, top + deep))),
        _outline(_rectangle(*seat), fold=True),
        _outline(_rectangle((beside, top), (beside + WIDE_MM, top + ends - begins))),
        _outline(_rectangle((beside + half - pane, middle - pane), (beside + half + pane, middle + pane))),
    ]
    words = [
        _name(_("Foot"), (left + wide / 2, top + deep - 12.0)),
        Words(_("The tube stands here"), (left + wide / 2, top + half), 3.0),
        _name(_("Plate for the camera"), (beside + half, top + ends - begins + 6.0), size=3.6),
        Words(_("the lens looks through here"), (beside + half, middle + pane + 5.0), 2.6),
        Words(_("towards the board"), (beside + half, top - 2.0), 2.6),
    ]
    lines = [part for line in _steps(stand) for part in wrap(line, size_mm[0] - 2 * MARGIN_MM, TEXT_MM)]
    first = Words("", (left, top + deep + 12.0), TEXT_MM, "start")
    return _page(_("A stand for the camera"), size_mm, shapes, [*words, *column(lines, first, 1.35)])


def _steps(stand: Stand) -> Sequence[str]:
    weigh = _(
        "4. Put something heavy on the foot, such as the game's box. The board's long edge lies {n} mm before it."
    )
    fasten = _("5. Lay the camera on the plate and fasten it with a rubber band. Its lens is {n} mm above the table.")
    return (
        _("1. Glue the sheets onto card, such as a cereal box. Cut along the full lines, fold along the dashed ones."),
        _("2. Close each piece of the tube with its flap. Join the pieces in order, with the sleeves inside them."),
        _("3. Glue the lowest piece onto the foot, its front to the front edge; glue the plate onto the highest one."),
        weigh.format(n=round(GAP_MM)),
        fasten.format(n=round(stand.lens_mm)),
    )


def _piece(stand: Stand, number: int, size_mm: Point) -> PaperPage:
    """Lay out the net of a piece: its four faces and a flap; tabs where something is glued on.

    The foot's front edge is flush with the tube, so there is no tab there.
    """
    left, long = MARGIN_MM, stand.piece_mm
    is_top, is_bottom = number == stand.pieces - 1, number == 0
    rise = WIDE_MM / 2 * stand.slope if is_top else 0.0
    base = TOP_MM + FLAP_MM + rise + long
    edges = [left + WIDE_MM * n for n in range(5)]
    heights = [long + rise * side for side in (-1, -1, 1, 1, -1)]
    tops = [base - height for height in heights]
    flap = edges[-1] + FLAP_MM
    outline = [*zip(edges, tops, strict=True), (flap, tops[-1] + 5.0), (flap, base - 5.0), (edges[-1], base)]
    folds = [((x, base), (x, top)) for x, top in zip(edges[1:], tops[1:], strict=True)]
    shapes = [_outline(outline, closed=False), *(_outline(fold, closed=False, fold=True) for fold in folds)]
    for face in range(4):
        a, b = edges[face], edges[face + 1]
        if is_bottom and face != FRONT:
            shapes.append(_tab((a, base), (b, base), FLAP_MM))
        if is_top and face in (BACK, FRONT):
            shapes.append(_tab((a, tops[face]), (b, tops[face + 1]), -FLAP_MM))
    untabbed = (edges[FRONT], edges[FRONT + 1]) if is_bottom else (edges[0], edges[-1])
    shapes.append(_outline([(x, base) for x in untabbed], closed=False))
    shapes.append(_outline([(left, base), (left, tops[0])], closed=False))
    names = (_("back"), _("side"), _("front: towards the board"), _("side"))
    words = [Words(name, (edges[n] + WIDE_MM / 2, base - long / 2), 3.0) for n, name in enumerate(names)]
    title = _("Piece {n} of {all} of the tube, from below").format(n=number + 1, all=stand.pieces)
    return _page(title, size_mm, shapes, words)


def _sleeves(count: int, size_mm: Point) -> PaperPage:
    """Lay out what joins the pieces: narrower by three times the card's thickness."""
    wide = WIDE_MM - 3 * CARD_MM
    shapes = []
    for number in range(count):
        top = TOP_MM + number * (SLEEVE_MM + 8.0)
        edges = [MARGIN_MM + wide * n for n in range(5)]
        shapes.append(_outline(_rectangle((edges[0], top), (edges[-1] + FLAP_MM, top + SLEEVE_MM))))
        shapes += [_outline([(x, top), (x, top + SLEEVE_MM)], closed=False, fold=True) for x in edges[1:]]
    return _page(_("Sleeves that join the pieces, inside them"), size_mm, shapes, [])


# ---- lines ---------------------------------------------------------------------------------------


def _page(title: str, size_mm: Point, shapes: Iterable[str], words: Iterable[Words]) -> PaperPage:
    head = Words(title, (MARGIN_MM, MARGIN_MM + 5.0), 5.0, "start", bold=True)
    return PaperPage(title, size_mm, tuple(shapes), (head, *words))


def _name(text: str, at_mm: Point, size: float = 4.4) -> Words:
    return Words(text, at_mm, size, bold=True)


def _rectangle(corner: Point, other: Point) -> list[Point]:
    (x0, y0), (x1, y1) = corner, other
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _tab(start: Point, end: Point, out_mm: float) -> str:
    """Draw a flap along an edge, which is folded, narrower at its outer end."""
    (x0, y0), (x1, y1) = start, end
    outer = [start, (x0 + 4.0, y0 + out_mm), (x1 - 4.0, y1 + out_mm), end]
    return _outline(outer, closed=False) + _outline([start, end], closed=False, fold=True)


def _outline(points: Iterable[Point], *, closed: bool = True, fold: bool = False) -> str:
    """Draw a line to cut along, or to fold along."""
    data = "M" + "L".join(f"{x:.3f} {y:.3f}" for x, y in points) + ("Z" if closed else "")
    return f'<path d="{data}" fill="none" stroke="{INK}" stroke-width="{HAIR_MM}"{" " + FOLD if fold else ""}/>'
