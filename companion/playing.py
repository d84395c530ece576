"""`gunbai play`: the app put together from what was asked for and what the settings say."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from companion.app import App, Demonstration
from companion.errors import SettingsError, UsageError
from companion.language import use_language
from companion.match import Match
from companion.scenes.stage import House
from companion.settings import Settings, load, size_px
from companion.storage import games_dir
from companion.view.map_layer import use_board_colours
from companion.watch import Look, Watch
from engine.errors import BadPosition
from engine.orders.board import load_board
from engine.orders.game import switched

BOARD = "sengoku-rivers"


@dataclass(frozen=True, slots=True)
class Wishes:
    """What `gunbai play` shall do; None where nothing was said."""

    size_px: tuple[int, int] | None
    rotation_degrees: int
    game: Path | None
    demo: bool
    table: Path | None
    camera: str | None


def wishes(options: argparse.Namespace, settings: Settings) -> Wishes:
    """The command line over the settings; UsageError where they do not fit together."""
    table = Path(options.table) if options.table else settings.table
    camera = options.camera or settings.camera
    if options.demo and (options.table or options.camera):
        raise UsageError("--demo brings its own table and camera: leave out --table and --camera")
    if options.table and camera is None:
        raise UsageError("--table needs a camera: name it with --camera or in the settings")
    if options.camera and table is None:
        raise UsageError("--camera needs a calibrated table: name it with --table or in the settings")
    return Wishes(
        size_px=size_px(options.size) if options.size else settings.screen_size_px,
        rotation_degrees=settings.rotation_degrees,
        game=Path(options.game) if options.game else None,
        demo=options.demo,
        table=table,
        camera=camera,
    )


def look_of(wished: Wishes) -> Look | None:
    """How the table is looked at: simulated, by the camera, or not at all."""
    if wished.demo:
        from companion.demo.player import SimulatedEye

        return SimulatedEye(seed=1).differences
    if wished.table is None or wished.camera is None:
        return None
    from companion.eye import CameraEye, load_table

    return CameraEye(load_table(str(wished.table)), wished.camera).differences


def house_of(settings: Settings) -> House:
    """What new games start from, checked against the board; SettingsError for an unknown reading or faction."""
    try:
        readings = switched(BOARD, [name for name, answer in settings.readings.items() if answer == "other"])
    except BadPosition as error:
        raise SettingsError(f"the settings: {error}") from error
    factions = load_board(BOARD).factions
    for faction in settings.players:
        if faction not in factions:
            raise SettingsError(f"the settings: players.{faction}: one of {', '.join(factions)} is expected")
    return House(readings, settings.players)


def _demonstration() -> Demonstration:
    """Another game each time one is asked for."""
    from companion.demo.show import demonstration

    played = len(list(games_dir().glob("demo-*")))
    return demonstration(load_board(BOARD), seed=played + 1)


def play(options: argparse.Namespace) -> int:
    """Open the app; the window's exit status."""
    settings = load()
    use_language(settings.language)
    wished, house = wishes(options, settings), house_of(settings)
    match = Match.open(wished.game) if wished.game else None
    look = look_of(wished)
    from companion.view.window import run_window

    use_board_colours(settings.colours)
    watch = Watch(look) if look is not None else None
    app = App(
        live=watch.live if watch else None,
        camera_fault=lambda: watch.fault if watch else None,
        match=match,
        demo=_demonstration,
    )
    app.stage.house = house
    try:
        return run_window(app, wished.size_px, wished.rotation_degrees)
    finally:
        if watch is not None:
            watch.close()
