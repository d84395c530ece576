"""Boards and fields drawn ahead while nobody touches anything: so the touch that first shows one is answered fast."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from companion.app.split_screen import SeatScreen, SeatScreens
from companion.scenes.base.map_picture import start_picture
from companion.ui.battlefield_picture import FieldPicture
from companion.ui.screen import MapPicture, Screen
from companion.ui.table_pictures import DuelPicture, TablePicture
from companion.view.kit.glass import Glass
from companion.view.page.marks import prepare
from companion.view.window.panes import Shown, Size, divide_glass
from engine.orders.board import Board

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
    """Return the field or the battlefield of cards between two players, if any, without all that changes on it."""
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
        canvas = divide_glass(faces, size_px, on)[-1].draw(on)
        yield from prepare(canvas.ground, canvas.marks)
