"""Render training tables to a folder: `python -m training.render OUT --first 0 --tables 900 [--frames 6]`.

Each table is one .npz: the empty board and the frames as board images on the network's grid (PNG bytes), what hands and
cards cover, the pieces' bases in grid pixels, and where the camera stood. The empty board is photographed in several
lights, its own first, and the frames take turns in them: frame n was taken in light n % LIGHTS. Everything follows from
the table's number. Training reads them again by frames.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from training.boards import GAMES, Game, random_board
from vision.geometry import Grid, board_from_image
from vision.reading.piece_sets import SETS, PieceSet, set_of
from vision.simulation.random_scenes import in_other_light, random_scene
from vision.simulation.table import Moment, PlacedPiece, Shot, Studio
from vision.simulation.tables import Photographer, TableShots, random_manner

Floats = npt.NDArray[np.float64]

GAME_SEEDS = 1_000_000
"""A table's number decides its set of pieces: from 0 ships, from 1,000,000 siege weapons, from 2,000,000 aircraft."""
HANDS, CARDS, THINGS, STACKS = 0.2, 0.12, 0.25, 0.25
LIGHTS = 3
"""In how many lights a table is photographed."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A frame on the grid: pictures and cover (quarter size) as uint8, pieces (N, 5), camera (x, y, z) in mm.

    sides: whose piece each pixel shows, as `colours` order them: 1 and 2; 3 what covers the board, 0 the rest.
    reference: the empty board in the frame's light; empties: the same in each light that the table was seen in, of
    which the frame's is the one numbered `light`.
    """

    board: npt.NDArray[np.uint8]
    reference: npt.NDArray[np.uint8]
    cover: npt.NDArray[np.uint8]
    pieces: Floats
    camera: Floats
    sides: npt.NDArray[np.uint8]
    colours: tuple[str, str]
    empties: tuple[npt.NDArray[np.uint8], ...] = ()
    light: int = 0


def read_table(path: Path) -> list[Sample]:
    """Read the samples of one rendered table."""
    data = np.load(path)
    empties = tuple(_image(data[name]) for name in data.files if name.startswith("reference"))
    colours = SETS[int(path.stem) // GAME_SEEDS % len(SETS)].sides
    # Masks count factions as the plan does; aircraft boards have blue first, the network has yellow first.
    order = np.array([0, 1, 2, 3] if colours[0] == "red" else [0, 2, 1, 3], np.uint8)
    return [
        Sample(
            _image(data[f"frame{i}"]),
            empties[i % len(empties)],
            _image(data[f"cover{i}"])[..., 0],
            data[f"pieces{i}"],
            data[f"camera{i}"],
            order[_image(data[f"sides{i}"])[..., 0]],
            colours,
            empties,
            i % len(empties),
        )
        for i in range(sum(name.startswith("frame") for name in data.files))
    ]


def _image(data: Any) -> npt.NDArray[np.uint8]:
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def game_of(seed: int) -> Game:
    """Return whose pieces a training table has, by the millions of its number: 0 ships, 1 siege, 2 aircraft."""
    return list(GAMES.values())[seed // GAME_SEEDS % len(GAMES)]


def render_table(seed: int, frames: int) -> dict[str, Any]:
    """Render one training table; return its arrays by name."""
    plan, marks = random_board(seed, game_of(seed))
    scene = random_scene(seed, plan)
    studio = Studio(plan, scene, marks)
    shots = TableShots(studio, random_manner(seed, scene.look), seed, tuple(marks.slots.values()))
    shots = replace(shots, manner=replace(shots.manner, hands=HANDS, cards=CARDS, things=THINGS))
    if seed % 2:
        habits = replace(shots.manner.habits, stacks=STACKS)
        shots = replace(shots, manner=replace(shots.manner, habits=habits))
    rng = np.random.default_rng([seed, 51])
    others = [studio.in_light_of(in_other_light(scene, plan, rng)) for _ in range(LIGHTS - 1)]
    return photograph(shots, others, seed, frames)


def photograph(shots: TableShots, others: Sequence[Photographer], seed: int, frames: int) -> dict[str, Any]:
    """Photograph a table; return its pictures as board images, a little misregistered, and what is true of them.

    others: the same table in other lights; the frames are taken by turns in its own light and in theirs.
    """
    grid = Grid(shots.studio.plan.size_mm)
    rng = np.random.default_rng([seed, 22])
    lit = [shots, *(replace(shots, studio=studio) for studio in others)]
    bias = rng.normal(0, float(rng.choice([0.3, 1.0, 2.0])), (4, 2))
    known = set_of(shots.studio.plan)
    empty = {f"reference{number or ''}": table.reference() for number, table in enumerate(lit)}
    data: dict[str, Any] = {name: _png(_board_image(shot, bias, grid)) for name, shot in empty.items()}
    for number, (pieces, drifting) in enumerate(shots.positions(frames)):
        # Another light has lamps of its own, so that gains for each of the table's lamps mean nothing there.
        light = lit[number % len(lit)]
        moment = drifting if light is shots else replace(drifting, light_gains=())
        shot = light.studio.shoot(pieces, moment)
        slip = bias + rng.normal(0, float(rng.choice([0.2, 0.6, 1.6], p=[0.5, 0.35, 0.15])), (4, 2))
        data[f"frame{number}"] = _png(_board_image(shot, slip, grid))
        data[f"cover{number}"] = _png(_cover(shot, slip, grid))
        data[f"sides{number}"] = _png(_sides(shots, shot, (pieces, moment), _from_image(shot, slip, grid)))
        data[f"pieces{number}"] = _rows(shot, pieces, known, _from_image(shot, slip, grid))
        data[f"camera{number}"] = shots.studio.camera_at(moment).centre_mm
    return data


def _from_image(shot: Shot, slip_px: Floats, grid: Grid) -> Floats:
    corners = np.array(shot.truth["corners_px"]) + slip_px
    return grid.grid_from_board @ board_from_image(corners, grid.size_mm)


def _board_image(shot: Shot, slip_px: Floats, grid: Grid) -> npt.NDArray[np.uint8]:
    rows, columns = grid.shape
    warp = _from_image(shot, slip_px, grid)
    seen = cv2.warpPerspective(shot.picture, warp, (columns, rows), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def _cover(shot: Shot, slip_px: Floats, grid: Grid) -> npt.NDArray[np.uint8]:
    rows, columns = grid.shape
    seen = cv2.warpPerspective(shot.covered, _from_image(shot, slip_px, grid), (columns, rows))
    return np.asarray(cv2.resize(seen, (columns // 4, rows // 4), interpolation=cv2.INTER_AREA), np.uint8)


def _sides(
    shots: TableShots, shot: Shot, moment: tuple[tuple[PlacedPiece, ...], Moment], grid_from_image: Floats
) -> npt.NDArray[np.uint8]:
    """Whose piece each pixel of the board image shows, 1 or 2; 3 a hand or a card, 0 neither."""
    sides = shots.studio.sides(*moment)
    sides[shot.covered > 127] = 3
    rows, columns = Grid(shots.studio.plan.size_mm).shape
    return np.asarray(cv2.warpPerspective(sides, grid_from_image, (columns, rows), flags=cv2.INTER_NEAREST), np.uint8)


def _rows(shot: Shot, pieces: tuple[PlacedPiece, ...], known: PieceSet, grid_from_image: Floats) -> Floats:
    """Return a row for each piece, (N, 5): x and y in grid pixels, class, level, hidden."""
    if not pieces:
        return np.zeros((0, 5))
    seen = np.array([row["px"] for row in shot.truth["pieces"]], float)
    bases = {piece.at_mm: row for row, piece in enumerate(pieces) if piece.level == 0}
    seen = seen[[bases.get(piece.on_mm or piece.at_mm, row) for row, piece in enumerate(pieces)]]
    places = cv2.perspectiveTransform(seen[None], grid_from_image)[0]
    kinds = [known.index_of(piece.faction, piece.kind) for piece in pieces]
    hidden = [bool(row.get("hidden")) for row in shot.truth["pieces"]]
    return np.column_stack([places, kinds, [piece.level for piece in pieces], hidden])


def _png(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    return np.asarray(cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1], np.uint8)


def main(maker: Callable[[int, int], Mapping[str, Any]] = render_table, about: str | None = __doc__) -> None:
    """Render the tables that are not there yet; `maker` makes one from its seed and the number of frames."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("out", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--tables", type=int, default=900)
    parser.add_argument("--frames", type=int, default=6)
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    wanted.out.mkdir(parents=True, exist_ok=True)
    for seed in range(wanted.first, wanted.first + wanted.tables):
        path = wanted.out / f"{seed:06}.npz"
        if not path.exists():
            partial = path.with_suffix(".part")
            with partial.open("wb") as out:
                np.savez(out, **maker(seed, wanted.frames))
            partial.replace(path)


if __name__ == "__main__":
    main()
