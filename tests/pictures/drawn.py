"""What is drawn besides the screen: simulated tables, things and throws; painted grounds; printed sheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pygame

from companion.demo.table import marks_of
from companion.grounds.painter import paint
from companion.grounds.store import STYLES
from companion.perception.adapters import plan_of
from companion.printing.marker_sheets import Bases, marker_sheets
from companion.printing.paper import PaperPage, page_svg
from companion.printing.prints import PARTS, board_sheets
from companion.printing.stand import stand_for, stand_sheets
from companion.settings.marking import MARKINGS
from engine.orders.board import load_board
from engine.sonae.scenario import load_scenario, scenario_names
from tests.companion.grounds.test_grounds import small_job
from tests.pictures.sheets import Pixels
from vision.simulation.board_art import ArtStyle, draw_board, random_style
from vision.simulation.marked.draw import Surface
from vision.simulation.marked.scenes import GRADES, HELD_BACK, TUNING, Cast, Grade, random_table
from vision.simulation.marked.shots import camera_over, shoot
from vision.simulation.random_scenes import random_scene, with_support_board
from vision.simulation.support_board import support_beside
from vision.simulation.table import Studio
from vision.simulation.tables import TableShots, random_manner
from vision.simulation.throws import GROUPS, ThrowStudio, random_group

KEPT = Path(__file__).parent / "kept"
BOARDS = ("sengoku-rivers", "sengoku-fortress", "wwii-alpine", "wwii-island")
SHOT_PX, SMALL_SHOT_PX = (480, 360), (160, 120)
GROUND_PX, PAGE_PX = (64, 48), (120, 120)
SUPPORT_SEED = 3
SURFACES = ("wood", "felt", "weave", "plain", "grass", "paving", "printed", "snow")
STAND_MM = (295.0, 210.0)

Draw = Callable[[], Pixels]


def rgb(picture_bgr: Pixels) -> Pixels:
    """Return a picture of OpenCV's as others have it."""
    return np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2RGB), np.uint8)


# ---- the simulation -------------------------------------------------------------------------------


def table(board: str, seed: int) -> Pixels:
    """Return a frame of a random table in which the camera sees all there is: pieces, things, hands."""
    plan, marks = plan_of(load_board(board)), marks_of(load_board(board))
    scene = random_scene(seed, plan, SHOT_PX)
    if seed == SUPPORT_SEED and board == BOARDS[0]:
        names = sorted(space.name for space in load_board(board).spaces if space.support is not None)
        scene = with_support_board(scene, plan, support_beside(plan, names, np.random.default_rng(seed)))
    manner = replace(random_manner(seed, scene.look), hands=1.0, things=1.0, cards=1.0)
    shots = TableShots(Studio(plan, scene, marks), manner, seed, tuple(marks.slots.values()))
    ((shot, _pieces, _moment),) = shots.frames(1)
    return rgb(shot.picture)


def art(board: str, seed: int) -> Pixels:
    """Return a board as the simulation prints it, in a style at random or in the plain one."""
    style = random_style(seed) if seed else ArtStyle(3)
    return rgb(draw_board(plan_of(load_board(board)), style, marks_of(load_board(board)), 2.0))


@cache
def near_table(seed: int) -> tuple[ThrowStudio, Pixels]:
    """Return a table before a camera that is near it, and its picture with nothing on it."""
    plan = plan_of(load_board(BOARDS[0]))
    scene = random_scene(seed, plan, SHOT_PX)
    near = replace(scene.camera, target_mm=(60.0, 60.0), distance_mm=160.0)
    studio = ThrowStudio(seed, plan, scene=replace(scene, camera=near))
    return studio, studio.bare()


def throw(kind: str, seed: int) -> Pixels:
    """Return a table with a group of things of a kind on it."""
    studio, bare = near_table(seed)
    group = random_group(np.random.default_rng(seed), (60.0, 60.0), 0.0, kind)
    return rgb(studio.seen(bare, [group]))


def marked(cast: Cast, grade: Grade, kind: str) -> Pixels:
    """Return a marked table on a kind of surface, with bases, decoys and hands."""
    scene, bases = random_table(cast, grade, 5)
    camera = camera_over(scene.table, replace(scene.camera, size_px=SHOT_PX), 0.95)
    patch = (((2.0, 2.0), (4.0, 2.0), (4.0, 4.0), (2.0, 4.0)), (40, 90, 160))
    ground = Surface(kind, scene.surface.bgr, 2, patches=(patch,))
    return rgb(shoot(replace(scene, camera=camera, surface=ground, decoys=3), bases).picture)


# ---- what is painted and printed ------------------------------------------------------------------


def ground(style: str, scenery: str) -> Pixels:
    """Return a map's painted ground."""
    return np.asarray(paint(small_job(style, scenery)), np.uint8)


def page(pages: Callable[[], list[PaperPage]]) -> Pixels:
    """Return the first of some sheets as it is printed, without its words."""
    lines = [line for line in page_svg(pages()[0]).split("<") if not line.startswith(("text", "/text", "style"))]
    surface = pygame.image.load_sized_svg(BytesIO("<".join(lines).encode()), (480, 480))
    on_white = pygame.Surface((480, 480))
    on_white.fill("white")
    on_white.blit(surface, (0, 0))
    return np.ascontiguousarray(pygame.surfarray.array3d(on_white).swapaxes(0, 1))


def printed(board: str, part: str) -> list[PaperPage]:
    """Return the sheets of a part of a board."""
    return board_sheets(load_board(board), [part], "a4").parts[part]


def markers(marking: str, part: str) -> list[PaperPage]:
    """Return the sheets of markers of a battle."""
    return marker_sheets(Bases(load_scenario(scenario_names()[0]), 40.0, MARKINGS[marking]))[part]


def stand(number: int) -> list[PaperPage]:
    """Return a stand's sheets from one on."""
    return stand_sheets(stand_for(STAND_MM), "a4")[number:]


def _all() -> dict[str, Draw]:
    kinds = [((TUNING, HELD_BACK)[n % 2], GRADES[n % len(GRADES)], kind) for n, kind in enumerate(SURFACES)]
    bases = [(marking, part) for marking in MARKINGS for part in ("corners", "bases")]
    return {
        **{f"tables {board} {seed}": partial(table, board, seed) for board in BOARDS for seed in (1, 2, SUPPORT_SEED)},
        **{f"boards {board} {seed}": partial(art, board, seed) for board in BOARDS for seed in range(2)},
        **{f"throws {kind} {seed}": partial(throw, kind, seed) for kind in GROUPS for seed in range(3)},
        **{f"marked {cast.name} {kind}": partial(marked, cast, grade, kind) for cast, grade, kind in kinds},
        **{
            f"grounds {style} {what}": partial(ground, style, what) for style in STYLES for what in ("", "woods", "sea")
        },
        **{
            f"prints {board} {part}": partial(page, partial(printed, board, part)) for board in BOARDS for part in PARTS
        },
        **{f"prints {marking} {part}": partial(page, partial(markers, marking, part)) for marking, part in bases},
        **{f"prints stand {number}": partial(page, partial(stand, number)) for number in range(2)},
    }


DRAWN: Mapping[str, Draw] = _all()
"""{sheet and name of a picture: what draws it}."""
SIZES_PX = {"grounds": GROUND_PX, "prints": PAGE_PX}


def sheet_and_size(name: str) -> tuple[Path, tuple[int, int]]:
    """Return on which sheet a picture is kept, and how large."""
    sheet = name.partition(" ")[0]
    return KEPT / f"{sheet}.png", SIZES_PX.get(sheet, SMALL_SHOT_PX)
