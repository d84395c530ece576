"""Boards and fields drawn ahead while nobody touches anything: so the touch that first shows one is answered fast."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.app.split_screen import SeatScreen, SeatScreens
from companion.scenes.base.map_picture import start_picture
from companion.ui.battlefield_picture import FieldPicture
from companion.ui.screen import Screen
from companion.view.kit.glass import Glass
from companion.view.page.marks import prepare
from companion.view.window.panes import Shown, Size, divide_glass
from engine.orders.board import Board

SEATS = "near", "far"
AT_ONCE = 8  # marks in one go: a few milliseconds on a small Pi


class DrawingAhead:
    """Draws a board as it will be on the glass, or the ground of a field between two players, a little at a time."""

    def __init__(self) -> None:
        self._wanted: object = None
        self._work: Iterator[None] = iter(())

    def go_on(self, what: Board | FieldPicture, glass: Glass, size_px: Size, halved: bool) -> bool:
        """Draw a little more; whether there was something left to draw."""
        wanted = what, glass, size_px, halved
        if wanted != self._wanted:
            self._wanted, self._work = wanted, _draw(what, glass, size_px, halved)
        return sum(1 for _mark, _n in zip(self._work, range(AT_ONCE), strict=False)) > 0


def field_between(shown: Iterable[Shown]) -> FieldPicture | None:
    """The field that stands between two players, without all that changes on it."""
    fields = (one.pane.between for one in shown if isinstance(one.pane.between, FieldPicture))
    return next((FieldPicture(one.size, one.grounds, ()) for one in fields), None)


def _draw(what: Board | FieldPicture, glass: Glass, size_px: Size, halved: bool) -> Iterator[None]:
    """Mark by mark; halved: between two players, facing the one and then the other."""
    on = glass, glass.grain(size_px, halved)
    picture = Screen(board=what) if isinstance(what, FieldPicture) else Screen(map=start_picture(what))
    one, other = (SeatScreen(seat, Screen()) for seat in SEATS)
    both = [SeatScreens((one, other), SeatScreen(seat, picture)) for seat in SEATS]
    for faces in both if halved else [SeatScreens((SeatScreen("", picture),))]:
        canvas = divide_glass(faces, size_px, on)[-1].draw(on)
        yield from prepare(canvas.ground, canvas.marks)
