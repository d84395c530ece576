"""Who sees what where two players sit opposite: the scene that both share, and what each half has opened of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from companion.scenes.base.stage import FacingScene, Scene, SharedScene, Table, WholeScene
from companion.scenes.base.way_back import with_way_back
from companion.scenes.home.home import HomeScene
from companion.ui.screen import MapPicture, Screen
from companion.ui.table_pictures import TablePicture


class SeatScreen(NamedTuple):
    """What one player sees; `seat` is "" if one screen is for both."""

    seat: str
    screen: Screen


class SeatScreens(NamedTuple):
    """What is to be shown: one face for the whole glass, or two, the near player's first.

    middle: the picture of the table between the two players, as the shared scene shows it to the player whom the table
    waits for; None if it has none. Faces of that scene are without it. turned: whether a single face is turned to the
    far player. era: the rulebook of the game at the table, in whose look all is drawn.
    """

    faces: tuple[SeatScreen, ...]
    middle: SeatScreen | None = None
    turned: bool = False
    era: str = ""


class Seats:
    """The scenes that the halves of the screen have opened for themselves; a half without shows the shared one."""

    def __init__(self) -> None:
        self.own: dict[str, Scene] = {}
        self._opener = ""

    def scene_of(self, seat: str, shared: Scene) -> Scene:
        """Return the scene that a half shows and that its touches go to."""
        return shared if _is_shared(shared) else self.own.get(seat, shared)

    def clear(self) -> None:
        """Make both halves show the shared scene again."""
        self.own.clear()
        self._opener = ""

    def follow(self, seat: str, scenes: tuple[Scene, Scene], table: Table | None) -> Scene:
        """Show the second of two scenes in place of the first, in the touched half or both; return the shared one."""
        before, following = scenes
        if not seat or table is None or self._is_for_both(following, table):
            self.clear()
            return following
        if _is_shared(before):
            seat = self._opener or seat
        if _is_shared(following):
            self._opener = seat
            return following
        if following is table:
            self.own.pop(seat, None)
        else:
            self.own[seat] = following
        return table

    @staticmethod
    def _is_for_both(following: Scene, table: Table) -> bool:
        """Return whether a scene leaves the game, or comes at its end, so that it is for both players."""
        if following is table:
            return False
        over = table.winner is not None
        return over or following is table.home or isinstance(following, HomeScene | Table)

    def faces(self, shared: Scene, table: Table | None) -> SeatScreens:
        """Return what each half shows; one face if a scene needs the whole glass, or there is no game at the table."""
        if table is None:
            return SeatScreens((SeatScreen("", shared.show()),))
        seats = table.sides
        for n, seat in enumerate(seats):
            scene = self.scene_of(seat, shared)
            if isinstance(scene, WholeScene) and scene.whole:
                shown = with_way_back(scene.show(), scene, table)
                return SeatScreens((SeatScreen(seat, shown),), turned=n == 1 and scene is not shared)
        asked = table.asked_side
        shows = {
            seat: with_way_back(screen_for(scene, seat), scene, table) for seat, scene in self._scenes(seats, shared)
        }
        same = {seat: shows[seat] for seat, scene in self._scenes(seats, shared) if scene is shared}
        middle = SeatScreen(asked, same[asked] if asked in same else screen_for(shared, asked))
        faces = tuple(SeatScreen(seat, _without_picture(same[seat]) if seat in same else shows[seat]) for seat in seats)
        return SeatScreens(faces, middle if shared_picture(middle.screen) is not None else None)

    def _scenes(self, seats: tuple[str, ...], shared: Scene) -> tuple[tuple[str, Scene], ...]:
        """Return each seat with the scene that its half shows."""
        return tuple((seat, self.scene_of(seat, shared)) for seat in seats)


def shared_picture(screen: Screen) -> MapPicture | TablePicture | None:
    """Return a screen's picture that is drawn between two players; None if it has none."""
    return screen.map or (screen.board if isinstance(screen.board, TablePicture) else None)


def _without_picture(screen: Screen) -> Screen:
    """Return a half's screen without the picture that is drawn between the halves."""
    return screen if shared_picture(screen) is None else replace(screen, map=None, board=None)


def _is_shared(scene: Scene) -> bool:
    """Return whether a scene concerns both players, so that both see it whatever they have opened."""
    return isinstance(scene, SharedScene) and scene.shared


def screen_for(scene: Scene, seat: str) -> Screen:
    """Return what a scene shows this player."""
    return scene.show_to(seat) if isinstance(scene, FacingScene) else scene.show()
