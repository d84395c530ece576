"""`gunbai play`: the app put together from what was asked for and what the settings say."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.app import App, SavedGames
from companion.app.service import in_service, is_appliance
from companion.appliance.sticks import StickWork
from companion.checks.health import Around, checks
from companion.checks.machine import times
from companion.content.board_choice import board_of, factions, switchable_readings
from companion.content.shelves import BOARDS
from companion.core.errors import CompanionError, SettingsError, UsageError
from companion.core.language import _, language_of, use_language
from companion.core.log import tell
from companion.core.power import Power
from companion.core.storage import games_dir, sweep_data
from companion.evidence.bundle import BugReports
from companion.evidence.recorder import Recorder
from companion.games.match import open_game
from companion.games.saved.shelf import forget, shelf
from companion.measuring.live_markers import CameraFieldEye, CameraPictures, FieldEye
from companion.perception.calibration import run_elsewhere
from companion.perception.camera_watch import CameraWatch
from companion.perception.cameras import (
    AppCameras,
    CameraSession,
    Setup,
    Watching,
    cameras_found,
    own_camera,
    own_table,
)
from companion.perception.learning import LearnerInUse
from companion.perception.photo_reader import PhotoEye
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.status import Explainer
from companion.perception.todays_board import TodaysBoard, prune
from companion.perception.turn_inference import ThreadedExplainer
from companion.scenes.base.ports import Cameras, Demonstration
from companion.scenes.base.stage import Desk, Senses, Services, Stage
from companion.scenes.home.own_boards import OwnBoardsScene
from companion.scenes.home.start import BrokenScene, UpdatedScene, WelcomeScene
from companion.scenes.trace.begin import TraceCornersScene
from companion.settings.layers import Broken, Choices, Settings, chosen_file, load_sound
from companion.settings.marking import Marking, marking_of
from companion.settings.values import size_px
from companion.text.faults import fault_words
from companion.thinking.thought import ProcessThinking, Thinking
from companion.tracing.work import TraceWork
from companion.view.layers.map import use_board_colours
from companion.view.window.display import fonts, parts
from engine.orders.board import Board
from engine.ruling import use_edition
from vision.errors import VisionError
from vision.memory import one_heap

if TYPE_CHECKING:
    from companion.demo.hands import SimulatedWatch
    from companion.perception.board_crops import TableSight
    from vision.geometry import Picture
    from vision.live.preview import Preview
    from vision.table import Table

DEMO_SEED = 1
Show = Callable[[App, tuple[int, int] | None], int]
"""Shows the app on a screen of that size, None for the whole of it, until it is left: the exit status."""


@dataclass(frozen=True, slots=True)
class LaunchOptions:
    """What `gunbai play` is to do; None for what neither command line nor settings say."""

    size_px: tuple[int, int] | None
    game: Path | None
    demo: bool
    table: Path | None
    camera: str | None


def launch_options(options: argparse.Namespace, settings: Settings) -> LaunchOptions:
    """Merge the command line with the settings, which it overrides; UsageError if they don't fit together."""
    table = Path(options.table) if options.table else settings.table or _own_table(board_of(settings))
    camera = options.camera or settings.camera or own_camera()
    if options.demo and (options.table or options.camera):
        raise UsageError("--demo brings its own table and camera: leave out --table and --camera")
    if options.table and camera is None:
        raise UsageError("--table needs a camera: name it with --camera or in the settings")
    if options.camera and table is None:
        raise UsageError("--camera needs a calibrated table: name it with --table or in the settings")
    return LaunchOptions(
        size_px=size_px(options.size) if options.size else settings.screen_size_px,
        game=Path(options.game) if options.game else None,
        demo=options.demo,
        table=table,
        camera=camera,
    )


def _own_table(board: Board) -> Path | None:
    """Return the path of a board's table calibrated in the app; None if there is none."""
    table = own_table(board.name)
    return table if os.path.lexists(table) else None  # one that leads nowhere is told


def start_watch(wished: LaunchOptions) -> Watching | None:
    """Start and return what watches the table: a simulation or the camera; None for nothing."""
    if wished.demo:
        from companion.demo.hands import SimulatedWatch

        return SimulatedWatch(seed=DEMO_SEED)
    if wished.table is None or wished.camera is None:
        return None
    return CameraWatch(wished.camera, wished.table)


def _simulated(watched: CameraSession) -> SimulatedWatch:
    """Return the watch of a demonstration's simulated table."""
    from companion.demo.hands import SimulatedWatch

    assert isinstance(watched.current, SimulatedWatch)
    return watched.current


def cameras_for(wished: LaunchOptions, watched: CameraSession, board: Callable[[], Board]) -> Cameras:
    """Return the cameras to calibrate with: the machine's, for the board then in use, or a demo's simulated one."""
    if wished.demo:
        from companion.demo.table import DemoCameras

        return DemoCameras(board(), DEMO_SEED, own_table("demo"), _simulated(watched).eye.use)
    return AppCameras(board, watched, cameras_found, CameraWatch, run_elsewhere)


class SightInUse:
    """The empty board of the table in use, and what the eye takes for pieces in its pictures."""

    def __init__(self, watched: CameraSession) -> None:
        self._watched = watched
        self._made: tuple[Table, TableSight] | None = None

    @property
    def empty(self) -> Picture | None:
        """The board image (H, W, 3) BGR of the empty board; None without a table."""
        sight = self._sight()
        return None if sight is None else sight.empty

    def evidence(self, board_bgr: Picture) -> Picture | None:
        """Return a board image with what is taken for pieces painted in; None without a table."""
        sight = self._sight()
        return None if sight is None else sight.evidence(board_bgr)

    def _sight(self) -> TableSight | None:
        from companion.perception.board_crops import TableSight

        table = self._watched.table
        if table is None:
            return None
        if self._made is None or self._made[0] is not table:
            self._made = (table, TableSight(table))
        return self._made[1]


def live_view(watched: CameraSession) -> Preview | None:
    """Return the newest picture of the watching camera; None if nothing watches, or it gives none."""
    from vision.live.preview import preview_of

    picture = watched.latest()
    return None if picture is None else preview_of(picture)


def check_game_defaults(settings: Settings) -> None:
    """Check that new games can start from these settings; SettingsError for an unknown reading or faction.

    All boards are looked at only if there is something to check: reading them takes a tenth of a start.
    """
    for name, answer in sorted(settings.readings.items()):
        if answer == "other" and name not in switchable_readings():
            raise SettingsError(f"the settings: readings.{name}: no reading of that name with another answer")
    for faction in settings.players:
        if faction not in factions():
            raise SettingsError(f"the settings: players.{faction}: expected one of {', '.join(factions())}")


def _demonstration(system: str, board: Board) -> Demonstration:
    """Start a new demo game of this system, on this board if it is played on one."""
    from companion.demo.game_demo import DEMOS

    seed = len(list(games_dir().glob("demo-*"))) + 1
    return DEMOS.of(system).demonstration(seed, board)


def _trial() -> Demonstration:
    """Start the camera's trial on pictures."""
    from companion.demo.hands import camera_trial

    return camera_trial()


def _tidy(recorder: Recorder) -> None:
    """Delete what a power cut left half written, old saved boards, and the pictures of games that are gone."""
    with suppress(OSError):  # the disk is told of where it matters: when a game is saved
        folder = games_dir()
        sweep_data()
        prune(folder)
        recorder.tidy(folder, [game.path.name for game in shelf().look().games])


def usable_settings() -> tuple[Settings, tuple[Broken, ...]]:
    """Return the settings less what is broken, and what that was: an app beside a table has to start anyway."""
    settings, broken = load_sound()
    try:
        check_game_defaults(settings)
    except SettingsError as error:
        return replace(settings, readings={}, players={}), (*broken, Broken(None, str(error)))
    return settings, broken


def is_first_start(settings: Settings, broken: Sequence[Broken]) -> bool:
    """Return whether nobody has chosen a setting yet, in the app or by hand, or played a game, as far as is known."""
    if broken or settings != Settings() or os.path.lexists(chosen_file()):
        return False
    with suppress(OSError):
        return not any(games_dir().glob("*.jsonl"))
    return False


def _watched(wished: LaunchOptions, asked: bool) -> tuple[CameraSession, str]:
    """Start what watches the table; return it and why that failed, "" if it didn't. asked: raise the fault instead."""

    def start(used: Setup) -> Watching | None:
        return start_watch(replace(wished, table=used.table, camera=used.camera))

    setup = Setup(wished.table, wished.camera)
    try:
        return CameraSession(start, setup), ""
    except (CompanionError, VisionError, OSError) as error:
        if asked:
            raise
        told = _("Can't use the camera's table: {fault}. Play by touch, or set up the camera again.")
        return CameraSession(start, Setup(None, wished.camera)), told.format(fault=fault_words(error))


def _missing_letters() -> str:
    """Return what is wrong if the fonts that come with Gunbai can't be read; "" if they can."""
    state, fault, remedy = fonts()
    return "" if state == "ok" else f"{fault}. {remedy}"


def _senses(
    wished: LaunchOptions,
    watched: CameraSession,
    explainer: Explainer,
    recorder: Recorder,
    settings: Callable[[], Settings],
) -> Senses:
    """Return all that a watched table brings to the app; settings: returns those in force at the time."""

    def board() -> Board:
        return board_of(settings())

    def marking() -> Marking:
        return marking_of(settings().base_marking, settings().base_height)

    eye = PhotoEye(watched, board)
    return Senses(
        monitor=SyncMonitor(explainer),
        sight=SightInUse(watched),
        view=lambda: live_view(watched),
        eye=eye if eye.ready else None,
        field_eye=_field_eye(wished, watched, marking),
        cameras=cameras_for(wished, watched, board),
        hands=_simulated(watched).hands if wished.demo else None,
        learner=LearnerInUse(watched, kept=not wished.demo),
        today=TodaysBoard(watched),
        recorder=recorder,
    )


def _services(
    watched: CameraSession, recorder: Recorder, desk: Desk, thinking: Thinking, settings: Callable[[], Settings]
) -> Services:
    """Return what this machine does for the scenes; settings: returns those in force at the time."""
    from companion.view.page.canvas import save_card

    def own_camera_now() -> CameraWatch | None:
        return watched.current if isinstance(watched.current, CameraWatch) else None

    around = Around(desk=desk.devices.health, live=own_camera_now, began=times())
    return Services(
        SavedGames(),
        choices=Choices(chosen_file()),
        thinking=thinking,
        draw=save_card,
        replays={"html": _write_page, "gif": _write_gif},
        export=BugReports(watched, recorder),
        doctor=lambda: checks(parts(settings()), around),
        power=Power() if is_appliance() else None,
        sticks=StickWork(),
        demonstration=lambda system: _demonstration(system, board_of(settings())),
        trial=_trial,
    )


def _write_page(game: Path, to: Path) -> None:
    from companion.replays.page import write_page  # what draws replays is loaded only where somebody wants one

    write_page(game, to)


def _write_gif(game: Path, to: Path) -> None:
    from companion.replays.animation import write_gif

    write_gif(game, to)


def _field_eye(wished: LaunchOptions, watched: CameraSession, marking: Callable[[], Marking]) -> FieldEye | None:
    """Return what measures battles: the simulated table or a camera; None on a machine without one."""
    if wished.demo:
        from companion.demo.field_eye import SimulatedFieldEye

        return SimulatedFieldEye(DEMO_SEED)
    if wished.camera is None and not cameras_found():
        return None

    def camera() -> str | None:
        return watched.setup.camera or next(iter(cameras_found()), None)

    return CameraFieldEye(CameraPictures(lambda: watched.current, camera, CameraWatch), marking)


def play(options: argparse.Namespace, show: Show | None = None) -> int:
    """Open the app and return the exit status of its window."""
    one_heap()
    settings, broken = usable_settings()
    is_first = is_first_start(settings, broken)
    if is_first:
        settings = replace(settings, language=language_of(os.environ))
    use_language(settings.language)
    use_edition(settings.edition)
    wished = launch_options(options, settings)
    match = open_game(wished.game) if wished.game else None
    watched, fault = _watched(wished, asked=bool(options.table))
    from companion.view.window.window import run_window

    use_board_colours(settings.colours)
    explainer, thinking, recorder, desk = ThreadedExplainer(), ProcessThinking(), Recorder(), Desk()
    stage: Stage | None = None

    def current() -> Settings:
        return stage.settings if stage is not None else settings

    services = _services(watched, recorder, desk, thinking, current)
    senses = _senses(wished, watched, explainer, recorder, current)
    stage = Stage(services, senses, desk)
    stage.apply(settings)
    app = App(stage, watcher=watched.glimpse, match=match)
    app.after_first_picture.append(lambda: _tidy(recorder))
    app.fault = fault or _missing_letters()
    if broken:
        app.scene = BrokenScene(broken, app.scene)
    elif services.sticks is not None and (updated := services.sticks.outcome()) is not None:
        app.scene = UpdatedScene(updated, services.sticks.version, app.scene)
    elif is_first and match is None and not wished.demo:
        app.scene = WelcomeScene(stage, app.home)
    try:
        with in_service(app, lambda: watched.progress_s):
            return (show or run_window)(app, wished.size_px)
    finally:
        _last_try(app)
        thinking.close()
        explainer.close()
        watched.stop()
        recorder.close()
        forget()


def _last_try(app: App) -> None:
    """Save the steps that the disk has refused, if it takes them now; if not, report how many are lost."""
    match = app.table.match if app.table is not None else None
    if match is not None and not match.is_saved and not match.save():
        tell("error", f"{match.path}: not saved, {match.unsaved} steps are lost ({match.fault})")


def show_tracer(work: TraceWork, size: str | None, output: Path | None) -> int:
    """Open the tracer until it is left, copy a saved board to `output` if given, and return the exit status."""
    from companion.view.window.window import run_window

    app = App()
    app.scene = TraceCornersScene(work, OwnBoardsScene(None, app.home))
    status = run_window(app, size_px(size) if size else None)
    if output is not None and BOARDS.path_of(work.draft.name).exists():
        BOARDS.export(work.draft.name, output)
    return status
