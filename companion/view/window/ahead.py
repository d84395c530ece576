"""Boards drawn ahead while nobody touches anything: the touch that shows one first need not wait for it."""

from __future__ import annotations

from collections.abc import Iterator

from companion.app.split_screen import SeatScreen, SeatScreens
from companion.scenes.base.map_picture import start_picture
from companion.ui.screen import Screen
from companion.view.kit.glass import Glass
from companion.view.page.marks import prepare
from companion.view.window.panes import Size, divide_glass
from engine.orders.board import Board

AT_ONCE = 8  # marks in one go: a few milliseconds on a small Pi


class DrawingAhead:
    """Draws a board as it will be on the glass, a little at a time."""

    def __init__(self) -> None:
        self._wanted: object = None
        self._work: Iterator[None] = iter(())

    def go_on(self, board: Board, glass: Glass, size_px: Size, halved: bool) -> bool:
        """Draw a little more; whether there was something left to draw."""
        wanted = board, glass, size_px, halved
        if wanted != self._wanted:
            self._wanted, self._work = wanted, _draw(board, glass, size_px, halved)
        return sum(1 for _mark, _n in zip(self._work, range(AT_ONCE), strict=False)) > 0


def _draw(board: Board, glass: Glass, size_px: Size, halved: bool) -> Iterator[None]:
    """Mark by mark; halved: between two players, facing the one and then the other."""
    on = glass, glass.grain(size_px, halved)
    shown = Screen(map=start_picture(board))
    one, other = (SeatScreen(seat, Screen()) for seat in board.factions)
    both = [SeatScreens((one, other), SeatScreen(seat, shown)) for seat in board.factions]
    for faces in both if halved else [SeatScreens((SeatScreen("", shown),))]:
        canvas = divide_glass(faces, size_px, on)[-1].draw(on)
        yield from prepare(canvas.ground, canvas.marks)
