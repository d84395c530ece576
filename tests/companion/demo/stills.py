"""Pictures for the docs: of the app (a table, a ruling, the score, a turn that was seen), and how to photograph.

The photographs are of simulated tables: what to photograph, and which light and camera do for it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.app.app import App, SavedGames
from companion.app.board_watch import LOOK_EVERY_S
from companion.demo.by_itself import new_match
from companion.demo.game_demo import GAME
from companion.demo.hands import SimulatedHands
from companion.demo.player import DemoPlayer, SimulatedEye, set_up, turns_of
from companion.demo.table import marks_of
from companion.games.match import Match
from companion.grounds.store import NO_GROUNDS, Grounds
from companion.perception.adapters import plan_of
from companion.perception.board_crops import TableSight
from companion.perception.sync.status import TableView
from companion.scenes.base.stage import Senses, Services, Stage
from companion.scenes.camera.diagnosis import DiagnosisScene
from companion.ui.screen import Intent
from companion.view.page.canvas import save_screen
from engine.orders.board import load_board
from engine.orders.game import legal, owed
from tests.companion.other_games import demo_of
from vision.frame import jpeg_of
from vision.geometry import Picture
from vision.plan import BoardPlan
from vision.simulation.camera import SimulatedCamera, fit_in_picture
from vision.simulation.draw import Light
from vision.simulation.placing import Habits, place_pieces
from vision.simulation.props import Cloth, reach_in
from vision.simulation.table import Moment, Scene, Studio
from vision.simulation.tables import random_pieces

BOARD = "sengoku-rivers"
SEED = 4
TURNS = 9
AREA = "c5"
MOMENTS = {"sonae": (1, 325, "battle.png"), "generals": (4, 38, "duel.png")}
"""Of the systems without a board: the demo's seed, after how many steps, and the picture's name."""


class StillCamera:
    """The real eye over the simulated table, looking while it is asked."""

    def __init__(self, eye: SimulatedEye) -> None:
        self.eye = eye
        self.hands = SimulatedHands(SEED)
        self._last: tuple[object, TableView] | None = None

    def glimpse(self, match: Match) -> TableView:
        """Return the eye's look at what the hands have laid, taken anew only when that changes."""
        laid = self.hands.board_position(match)
        if self._last is None or self._last[0] is not laid:
            self._last = (laid, TableView("settled", self.eye.look(laid).reading))
        return self._last[1]


def save_board_stills(
    folder: Path, eye: SimulatedEye, size_px: tuple[int, int] = (1280, 720), grounds: Grounds = NO_GROUNDS
) -> None:
    """Write table.png, ruling.png, score.png, proposal.png and diagnosis.png into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as games:
        board = load_board(BOARD)
        initiative, tokens = set_up(board, SEED)
        match = Match.start(Path(games) / "game.jsonl", BOARD, initiative, tokens)
        player = DemoPlayer(SEED)
        while turns_of(match) < TURNS or owed(match.position) is not None:
            player.act(match)
        camera = StillCamera(eye)
        stage = Stage(Services(SavedGames()), Senses(sight=TableSight(eye.table_for(board)[1])))
        app = App(stage, watcher=camera.glimpse, match=match)
        app.tick(0.0)
        save_screen(app, folder / "table.png", size_px, grounds)
        spaces, usable = match.board.spaces, legal(match.position).spaces
        app.touch(Intent("space", next(space.name for space in spaces if space.area and space.name not in usable)))
        save_screen(app, folder / "ruling.png", size_px, grounds)
        app.touch(Intent("back"))
        app.touch(Intent("score"))
        save_screen(app, folder / "score.png", size_px, grounds)
        app.touch(Intent("back"))
        camera.hands.do_turn(match)
        app.tick(LOOK_EVERY_S)
        save_screen(app, folder / "proposal.png", size_px, grounds)
        app.touch(Intent("live"))
        app.touch(Intent("area", AREA))
        if isinstance(app.scene, DiagnosisScene):
            app.scene.wait()
        app.tick(2 * LOOK_EVERY_S)
        save_screen(app, folder / "diagnosis.png", size_px, grounds)
        match.close()


def save_other_stills(folder: Path, size_px: tuple[int, int] = (1280, 720)) -> None:
    """Write a picture of each system without a board into the folder."""
    with tempfile.TemporaryDirectory() as games:
        for system, (seed, steps, file) in MOMENTS.items():
            demo = demo_of(system)
            match, player = new_match(Path(games) / GAME, demo.request(seed, "")), demo.player(seed)
            while len(match.steps) < steps:
                player.act(match)
            save_screen(App(match=match), folder / file, size_px)
            match.close()


# ---- how to photograph ------------------------------------------------------------------------

PHOTO_SEED = 11
SIZE_PX = (1280, 960)
PANEL_PX = (424, 318)
GAP_PX, CAPTION_PX = 6, 26
PAPER, INK, FONT = (250, 250, 250), (50, 45, 40), cv2.FONT_HERSHEY_SIMPLEX
QUALITY = 76

WINDOW = (Light((-600.0, -300.0, 900.0), 350.0, (0.62, 0.6, 0.58)),)
LOW_LAMP = (Light((-330.0, 60.0, 170.0), 12.0, (0.62, 0.85, 1.05)),)
MIRRORED = (Light((130.0, 40.0, 560.0), 70.0, (0.66, 0.7, 0.72)),)
PLAIN = Scene(camera=SimulatedCamera(tilt_deg=12.0), lights=WINDOW, cloth=Cloth(5, "wood", (62, 92, 128), 0.2))


def save_photo_stills(folder: Path, size_px: tuple[int, int] = SIZE_PX) -> None:
    """Write photos-what.jpg (the three kinds of photos) and photos-how.jpg (a good one and five bad) to the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    plan, marks = plan_of(load_board(BOARD)), marks_of(load_board(BOARD))
    tokens = tuple(marks.slots.values())
    pieces = random_pieces(plan, np.random.default_rng(PHOTO_SEED), Habits(PLAIN.look))
    good = replace(PLAIN, camera=_fitting(plan, replace(PLAIN.camera, size_px=size_px)))
    studio = Studio(plan, good, marks)
    start = place_pieces(
        plan, plan.start_units(), {}, np.random.default_rng(PHOTO_SEED), Habits(good.look, together=0.2)
    )
    what = {
        "reference.jpg: the empty board": studio.shoot((), Moment(seed=1)).picture,
        "start.jpg: as printed, with tokens": studio.shoot(start, Moment(seed=2, tokens=tokens)).picture,
        "frame-01.jpg ...: any positions": (shown := studio.shoot(pieces, Moment(seed=3, tokens=tokens)).picture),
    }
    how = {"good": shown}
    for caption, scene in _bad_scenes(plan, good).items():
        how[caption] = Studio(plan, scene, marks).shoot(pieces, Moment(seed=4, tokens=tokens)).picture
    hand = reach_in(np.random.default_rng(PHOTO_SEED), (150.0, 190.0), 1.2)
    how["bad: a hand over the board"] = studio.shoot(pieces, Moment(seed=5, tokens=tokens, hand=hand)).picture
    for name, panels in (("photos-what", what), ("photos-how", how)):
        (folder / f"{name}.jpg").write_bytes(jpeg_of(_sheet(panels), QUALITY))


def _bad_scenes(plan: BoardPlan, good: Scene) -> Mapping[str, Scene]:
    low = _fitting(plan, replace(good.camera, tilt_deg=58.0))
    beside = replace(good.camera, target_mm=(good.camera.target_mm[0] + 90.0, good.camera.target_mm[1] + 60.0))
    dark = (0.16, 0.18, 0.2)
    return {
        "bad: one low lamp, hard shadows": replace(good, lights=LOW_LAMP, ambient=dark, shadow_samples=2),
        "bad: the lamp mirrored in the board": replace(good, lights=MIRRORED, gloss=1.0),
        "bad: from too far aside": replace(good, camera=low),
        "bad: a part is cut off": replace(good, camera=beside),
    }


def _fitting(plan: BoardPlan, camera: SimulatedCamera) -> SimulatedCamera:
    across, down = plan.size_mm
    return fit_in_picture(camera, [(0.0, 0.0), (across, 0.0), (across, down), (0.0, down)], 0.92)


def _sheet(panels: Mapping[str, Picture]) -> Picture:
    """Arrange the pictures, captions below, three in a row."""
    cells = [_cell(caption, picture) for caption, picture in panels.items()]
    rows = [np.hstack(cells[at : at + 3]) for at in range(0, len(cells), 3)]
    return np.asarray(np.vstack(rows)[:, :-GAP_PX], np.uint8)


def _cell(caption: str, picture: Picture) -> Picture:
    width, height = PANEL_PX
    cell = np.full((height + CAPTION_PX, width + GAP_PX, 3), PAPER, np.uint8)
    cell[:height, :width] = cv2.resize(picture, PANEL_PX, interpolation=cv2.INTER_AREA)
    cv2.putText(cell, caption, (4, height + 18), FONT, 0.52, INK, 1, cv2.LINE_AA)
    return cell
