"""The app: the scene on stage, the touches it gets, and what goes on by itself. No pygame."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

from companion.app.board_watch import BoardWatch
from companion.app.desk_events import DeskEvents
from companion.app.split_screen import Seats, SeatScreen, SeatScreens
from companion.core import storage
from companion.core.errors import CompanionError
from companion.core.log import tell
from companion.crash.report import crash_of
from companion.games.journal import system_of
from companion.games.match import SESSIONS, AnyMatch, open_game
from companion.games.saved.shelf import note_change
from companion.games.status import Situation
from companion.scenes.base.map_picture import start_picture
from companion.scenes.base.ports import Autoplay, Watcher
from companion.scenes.base.stage import (
    AtTable,
    Demonstrate,
    Leave,
    LiveScene,
    Scene,
    Services,
    Stage,
    Table,
    TryCamera,
    situation_of,
)
from companion.scenes.base.unsaved import SaveRetry, UnsavedScene, with_unsaved_sign
from companion.scenes.base.way_back import TABLE, with_clock, with_way_back
from companion.scenes.camera.calibration import with_pictures_note
from companion.scenes.home.crash import CrashScene
from companion.scenes.home.home import HomeScene
from companion.scenes.home.only_look import scene_for_match
from companion.scenes.orders.proposal import ProposalPanel
from companion.scenes.settings.lock import LockScene
from companion.scenes.systems import table_of
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.game_menu import MenuScene
from companion.text.faults import table_fault_words
from companion.ui.intents import Tooltip
from companion.ui.screen import Intent, MapPicture, Picture, Screen
from companion.ui.table_pictures import AnyTablePicture
from engine.errors import EngineError
from engine.orders.position import Position
from vision.errors import VisionError
from vision.memory import give_back

FAULTS = (CompanionError, EngineError, VisionError, OSError)  # what a scene may run into


class Serving(Protocol):
    """What runs the app as a service: it feeds the watchdog, and copes with a missing screen."""

    def turn_done(self, now_s: float) -> None:
        """Report that the window's loop has completed one turn."""

    def missing_screen(self, why: str) -> bool:
        """Cope with a screen that could not be opened; return whether to try again, after a wait."""


class SavedGames:
    """The games on the disk, to be opened or started."""

    def open(self, path: Path) -> AnyMatch:
        """Open a saved game to go on with it."""
        return open_game(path)

    def start(self, request: Mapping[str, object]) -> AnyMatch:
        """Start a new game in a new file; it is kept in memory if the disk refuses."""
        rules = system_of(request)
        if rules.brings:
            from companion.content.shelves import with_texts

            request = with_texts(request)
        return SESSIONS.of(rules.name).begin(storage.new_game_path(today()), request, anyway=True)


def today() -> str:
    """Return today's date as the label of a new game's file.

    A Pi may not know the date: the label is a name, nothing more.
    """
    import datetime

    return datetime.date.today().isoformat()


class App:
    """The running app: its scenes, and the game at the table. `version` grows whenever the picture may have changed."""

    def __init__(
        self,
        stage: Stage | None = None,
        *,
        watcher: Watcher | None = None,
        autoplay: Autoplay | None = None,
        match: AnyMatch | None = None,
    ) -> None:
        self.stage = stage or Stage(Services(SavedGames()))
        self.stage.can_play = autoplay is not None
        self.stage.demo_on = autoplay is not None and match is not None
        self.running = True
        self.version = 0
        self.fault = ""
        self.seats = Seats()
        self._touched = ""
        self._pictured: tuple[object, MapPicture | Picture] | None = None
        self.hearing = DeskEvents(self)
        self._own = (autoplay, watcher)
        self._autoplay, self._watcher = self._own
        self._acted_s: float | None = None
        self._board_watch = BoardWatch(self.stage)
        self._keeper = SaveRetry()
        self.service: Serving | None = None
        self.after_first_picture: list[Callable[[], None]] = []  # what can wait until the first picture is shown
        self.home = HomeScene(self.stage)
        self.scene: Scene = self.home if match is None else scene_for_match(self.stage, match, self.home)
        self.table: Table | None = self.scene if isinstance(self.scene, Table) else None

    @property
    def situation(self) -> Situation | None:
        """The state of the game at the table; None without one."""
        return situation_of(self.table) if self.table is not None else None

    def on_stage(self) -> tuple[Scene, ...]:
        """Return the scene that both players share, then those that each half has opened for itself."""
        return (self.scene, *self.seats.own.values())

    def screen(self) -> Screen:
        """Return what to show now on a single screen for both players."""
        shown = self._with_signs(self._with_fault(with_way_back(self.scene.show(), self.scene, self.table)))
        return self._with_picture(shown)

    def _with_picture(self, shown: Screen) -> Screen:
        """Return a screen for the whole glass with the picture that may stand beside its words."""
        if shown.map or shown.photo or shown.board or shown.status:
            return shown
        return replace(shown, beside=self._beside())

    def _beside(self) -> MapPicture | Picture:
        """Return the picture to put beside pages of words: of the game at the table, or else of the board set up."""
        what = self.table.match.position if self.table is not None else self.stage.board
        if self._pictured is None or self._pictured[0] is not what:
            if self.table is None:
                self._pictured = what, start_picture(self.stage.board)
            else:
                self._pictured = what, self.table.picture
        return self._pictured[1]

    @property
    def _in_halves(self) -> bool:
        """Whether two people sit opposite each other, each with a half of the screen."""
        return self.stage.settings.layout == "two" and not (self.table is not None and self.table.alone)

    def faces(self) -> SeatScreens:
        """Return what to show now: one screen or, during a game of two in the two-sided layout, one for each player."""
        if not self._in_halves:
            return SeatScreens((SeatScreen("", self.screen()),), era=self._era)
        shown = self.seats.faces(self.scene, self.table)
        return shown._replace(faces=tuple(self._with_notices(face) for face in shown.faces), era=self._era)

    @property
    def _era(self) -> str:
        """The rulebook of the game at the table, "" if it has none; without a game, that of the board of new games."""
        if self.table is None:
            return self.stage.board.mode.rulebook
        position = self.table.match.position
        return position.board.mode.rulebook if isinstance(position, Position) else ""

    def _with_notices(self, face: SeatScreen) -> SeatScreen:
        """Return a face with the clock and notices, and with the fault that its player has run into."""
        screen = self._with_fault(face.screen) if face.seat == self._touched else face.screen
        shown = self._with_signs(screen, face.seat)
        return SeatScreen(face.seat, shown if face.seat else self._with_picture(shown))

    def _with_signs(self, screen: Screen, seat: str = "") -> Screen:
        """Return the screen with the clock, the sign that the game is not saved, and a notice."""
        match = self.table.match if self.table is not None else None
        noted = with_pictures_note(screen) if self.stage.says_pictures else screen
        return self.hearing.with_notice(with_unsaved_sign(with_clock(noted, self.stage.services.clock), match), seat)

    def _with_fault(self, screen: Screen) -> Screen:
        return replace(screen, banner=self.fault, banner_tone="bad") if self.fault else screen

    def show_scene(self, seat: str, following: Scene) -> None:
        """Show a scene that no touch asked for, such as after a card was laid or a lock was opened."""
        self._navigate(seat, self.seats.scene_of(seat, self.scene), following)
        self._settle()
        self.version += 1

    def touch(self, intent: Intent) -> None:
        """Hand a touch to its scene; a fault becomes a sentence on the screen, and the game stays as it was saved."""
        self.fault = ""
        self.stage.says_pictures &= intent.verb != "hush"
        self.hearing.hush()
        self._touched = intent.seat
        if intent.verb == "clock":
            self.stage.services.clock.toggle()
            self.version += 1
            return
        scene = self.seats.scene_of(intent.seat, self.scene)
        try:
            following = self._touch_status(intent, scene) or scene.touch(intent)
            if isinstance(following, Demonstrate | TryCamera):
                following = self._begin_demo(following)
        except FAULTS as error:
            self.fault = table_fault_words(error)
        else:
            if isinstance(following, Leave):
                self.running = False
            else:
                self._navigate(intent.seat, scene, following or scene)
        self._settle()
        self.version += 1

    def explain(self, key: str, picture: AnyTablePicture | None) -> Tooltip | None:
        """Return the tooltip for a long touch on what has this key in the picture; None if none, or without a table."""
        return None if self.table is None else self.table.explain(key, picture)

    def _touch_status(self, intent: Intent, scene: Scene) -> Scene | None:
        """Return the scene that a touch on a table's status opens: the table, unsaved steps or lock; None if none."""
        if self.table is None or isinstance(scene, LockScene):
            return None
        if intent.verb == TABLE.verb:
            return self.table
        if intent.verb == "unsaved":
            return UnsavedScene(self.table, self.scene)
        if intent.verb != "lock":
            return None
        return LockScene(self.stage, self.table, self.table if isinstance(scene, MenuScene) else self.scene)

    def _navigate(self, seat: str, before: Scene, following: Scene) -> None:
        """Show the following scene in the half where it was asked for, or on the whole screen if it has no halves."""
        if following is not before:
            self.scene = self.seats.follow(seat, (before, following), self.table)
        if not self._in_halves:
            self.scene = self.seats.scene_of(seat, self.scene)
            self.seats.clear()

    def show_crash(self, error: Exception) -> None:
        """Replace the scene with a calm screen after an internal error; re-raise it if that screen itself has failed.

        The game is closed: its journal has every step, and the table is rebuilt from it. A game that the disk has
        refused is kept in memory.
        """
        if isinstance(self.scene, CrashScene):
            raise error
        names = " ".join(type(scene).__name__ for scene in self.on_stage())
        match = self.table.match if self.table is not None else None
        game = match.path if match is not None else None
        kept = match if match is not None and not (match.is_saved or match.save()) else None
        if match is not None and kept is None:
            match.close()
        self.seats.clear()
        self._leave_table()
        self.fault = ""
        crash = crash_of(error, names, game)
        tell("error", f"internal error: {crash.kind} at {crash.place}, on stage: {crash.scene}")
        self.scene = CrashScene(self.stage, crash, kept)
        self.version += 1

    def _settle(self) -> None:
        """Set the table to that of the scene on stage, none at home; a scene without a table leaves it as it is."""
        if isinstance(self.scene, HomeScene):
            self._leave_table()
        elif isinstance(self.scene, Table):
            self._set_table(self.scene)
        elif isinstance(self.scene, AtTable):
            self._set_table(self.scene.table)

    def _set_table(self, table: Table | None) -> None:
        """Make this the game at the table, or none."""
        if table is not self.table:
            system = table.match.system.name if table is not None else ""
            self.stage.can_play = self._autoplay is not None and self._autoplay.system == system
            if table is not None:
                note_change(table.match.path, played=True)
        self.table = table

    def _leave_table(self) -> None:
        """Leave the table and its game; after a demonstration the app's own camera watches again."""
        self._autoplay, self._watcher = self._own
        self._board_watch.leave()
        self.stage.can_play = self.stage.demo_on = self.stage.says_pictures = False
        self.stage.learns = True
        left, self.table = self.table, None
        self.stage.services.clock.leave()
        if left is not None:
            note_change(left.match.path)
            give_back()

    def _begin_demo(self, wanted: Demonstrate | TryCamera) -> Scene | None:
        """Start a demonstration, or the camera's trial, and return its table; None if this machine has none."""
        services = self.stage.services
        if isinstance(wanted, TryCamera):
            begin = services.trial
        else:
            begin = services.demonstration and partial(services.demonstration, wanted.system)
        if begin is None:
            return None
        match, self._autoplay, self._watcher = begin()
        self.stage.demo_on, self.stage.says_pictures = self._autoplay is not None, self._autoplay is None
        self.stage.learns = False
        return table_of(self.stage, match, self.home)

    def tick(self, now_s: float) -> None:
        """Do what is due: the demo's next step, the clock, the camera, live scenes. now_s: monotonic."""
        while self.after_first_picture:
            self.after_first_picture.pop()()
        if self.table is not None:
            if self.scene is self.table:
                self._tick_demo(self.table, now_s)
            told = self._keeper.tick(self.table.match, now_s)
            if told:
                self.table.banner = told if self.table.match.is_saved else f"{self.table.banner} {told}".strip()
                self.version += 1
            if isinstance(self.table, BoardTable):
                self._watch_board(self.table, now_s)
            self.version += self.stage.services.clock.tick(situation_of(self.table), now_s)
        self.hearing.tick(now_s)
        for seat, scene in (("", self.scene), *tuple(self.seats.own.items())):
            if isinstance(scene, LiveScene):
                self._tick_scene(seat, scene, now_s)

    def _tick_scene(self, seat: str, scene: LiveScene, now_s: float) -> None:
        """Let a scene whose picture changes by itself look again, and show what follows."""
        try:
            following = scene.tick(now_s)
        except FAULTS as error:
            self.fault = table_fault_words(error)
            self.version += 1
            return
        if following is not None:
            self._navigate(seat, scene, following)
            self.version += 1

    def _watch_board(self, table: BoardTable, now_s: float) -> None:
        """Follow the camera; a hand on the printed "Yes" takes the turn that is proposed."""
        self.version += self._board_watch.look(table, self._watcher, now_s)
        if self._board_watch.is_yes and self.scene is table and isinstance(table.panel, ProposalPanel):
            self.touch(Intent("take", seat=table.asked_side if self._in_halves else ""))

    def _tick_demo(self, table: Table, now_s: float) -> None:
        if not self.stage.demo_on or self._autoplay is None:
            return
        if self._acted_s is None:
            self._acted_s = now_s
        if now_s - self._acted_s < self._autoplay.pause_s:
            return
        self._acted_s = now_s
        try:
            self.stage.demo_on = self._autoplay.act(table.match)
        except FAULTS as error:
            self.stage.demo_on = False
            self.fault = table_fault_words(error)
        if table.winner is not None:
            self.stage.demo_on = False
            self.scene = table.score() if self.stage.settings.score_at_end else table
        self.version += 1
