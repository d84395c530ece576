"""The simulated table: pieces that are moved as a game goes on, and a camera over them, also while it is calibrated.

A piece that nobody touched stays where it lies, to the millimetre; what is new in an area is put down
where there is room. When there is none, the pieces of that area are pushed together anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from math import dist, pi
from pathlib import Path
from typing import NamedTuple

import numpy as np

from companion.core.background import Errand
from companion.perception.adapters import plan_of
from companion.perception.calibration import Calibration
from engine.orders.board import Board
from engine.orders.game import new_game
from engine.orders.position import Position
from vision.calibration.calibrate import calibrate
from vision.errors import VisionError
from vision.geometry import Picture
from vision.simulation.board_art import ArtStyle, BoardMarks, Image
from vision.simulation.camera import camera_above
from vision.simulation.dice import GAME_FACES, Body, Lamps, add_bodies
from vision.simulation.placing import Habits, PlacedPiece, Placer
from vision.simulation.props import Hand
from vision.simulation.random_scenes import with_support_board
from vision.simulation.support_board import support_beside
from vision.simulation.table import BOARD_THICKNESS_MM, Moment, Scene, Shot, Studio
from vision.simulation.throws import Make, die_of
from vision.table import Support, Table

Key = tuple[str, str, str]
"""Where a piece belongs and what it is: area or action space, faction, kind."""

COMMANDER = "commander"
ELBOW_ROOM_MM = 14.5  # between the middles of a commander and another piece
SHOTS_OF_A_SEED = 10_000
BLACK = Make(15.0, 1.2, (44.0, 42.0, 40.0), (238.0, 242.0, 242.0), 0.12, 0.24, 0.4, 0.2)
IN_THE_BOX = 4
AWAY_MM = 22.0
APART_MM = 24.0
ROOM_MM = 50.0
FROM_BORDER_PX = 60
TRIES = 200


def marks_of(board: Board) -> BoardMarks:
    """Return what is printed on the drawn board: points, headquarters, piers, slots, zones, forts, signs."""
    return BoardMarks(
        points={area.name: area.vp for area in board.areas if area.vp},
        headquarters={area.name: area.hq for area in board.areas if area.hq},
        ports={area.name: area.ports for area in board.areas if area.ports},
        slots={area.slot: area.centres_mm[0] for area in board.areas if area.slot},
        zones={area.name: area.zone for area in board.areas if area.zone},
        printed={area.name: area.printed for area in board.areas if area.printed},
        forts=tuple(area.name for area in board.areas if area.fort),
        no_drop=tuple(area.name for area in board.areas if area.no_drop),
    )


class OwnersPhotos(NamedTuple):
    """An owner's photos of the empty board and of the start, (H, W, 3) BGR, and what they tap in the first.

    corners_px: the board's corners; support_px: the support board's spaces that it shows.
    """

    empty: Picture
    corners_px: list[tuple[float, float]]
    start: Picture
    support_px: Support


class SimulatedTable:
    """A board with pieces under a camera; the same seed lays the same pieces in the same places.

    support: whether a support board lies beside it, in the camera's sight; scene: the table and its light, None for the
    usual ones; habits: how people put pieces down there.
    """

    def __init__(
        self, board: Board, seed: int, support: bool = False, scene: Scene | None = None, habits: Habits | None = None
    ) -> None:
        self.board = board
        self.plan = self._places = plan_of(board)
        scene = scene or Scene(style=ArtStyle(seed), camera=camera_above(self.plan.size_mm))
        if support:
            names = [space.name for space in board.spaces if space.support is not None]
            beside = support_beside(self.plan, names, np.random.default_rng([seed, 7]))
            scene = with_support_board(scene, self.plan, beside)
            self._places = beside.joined_to(self.plan)
        marks = marks_of(board)
        self.studio = Studio(self.plan, scene, marks)
        self._tokens = tuple(marks.slots.values())
        self._habits = habits or Habits(scene.look)
        self._rng = np.random.default_rng([seed, 1])
        self._seed = seed
        self._shots = 0
        self.dice = SimulatedDice(self.studio, seed)
        self.pieces: tuple[PlacedPiece, ...] = ()

    def lay(self, position: Position) -> None:
        """Move the pieces until the table shows this position; those that fit already stay where they are."""
        wanted = _wanted_pieces(position, [space.name for space in self._places.spaces])
        self.pieces = _staying(self.pieces, wanted)
        self._put({key: n for key, n in self._missing(wanted).items() if key[2] == COMMANDER})
        commanders = [piece.at_mm for piece in self.pieces if piece.kind == COMMANDER]
        self.pieces = tuple(  # people push aside what a commander would stand on
            piece
            for piece in self.pieces
            if piece.kind == COMMANDER or all(dist(spot, piece.at_mm) >= ELBOW_ROOM_MM for spot in commanders)
        )
        missing = self._missing(wanted)
        for area in dict.fromkeys(place for place, _, _ in missing):
            try:
                self._put({key: n for key, n in missing.items() if key[0] == area})
            except VisionError:  # no room left between the pieces that lie there
                self.pieces = tuple(piece for piece in self.pieces if _key(piece)[0] != area)
                self._put({key: n for key, n in wanted.items() if key[0] == area})

    def _missing(self, wanted: Counter[Key]) -> Counter[Key]:
        return wanted - Counter(_key(piece) for piece in self.pieces)

    def _put(self, pieces: Mapping[Key, int]) -> None:
        placer = Placer(self._places, self._rng, self._habits)
        for piece in self.pieces:
            placer.keep(piece)
        for (place, faction, kind), n in pieces.items():
            if kind == COMMANDER:
                placer.commander(place, faction)
            else:
                placer.area(place, [(faction, kind)] * n)
        self.pieces = tuple(placer.pieces)

    def photo(self, hand: Hand | None = None) -> Picture:
        """Return what the camera sees now, (H, W, 3) uint8 BGR."""
        self._shots += 1
        moment = Moment(seed=self._seed * SHOTS_OF_A_SEED + self._shots, tokens=self._tokens, hand=hand)
        picture = self.studio.shoot(self.pieces, moment).picture
        self.dice.draw(picture)
        return picture

    def empty_shot(self) -> Shot:
        """Clear the board and photograph it; the shot knows where the corners are."""
        self.pieces = ()
        return self.studio.shoot((), Moment(seed=self._seed * SHOTS_OF_A_SEED))

    def start_photo(self) -> Picture:
        """Lay the printed start and return a photo of it, (H, W, 3) uint8 BGR."""
        bonuses = dict(zip(self.board.slots, self.board.mode.bonuses, strict=False))  # which is where, the eye ignores
        self.lay(new_game(self.board.name, self.board.factions[0], bonuses))
        return self.photo()

    def owners_photos(self) -> OwnersPhotos:
        """Take the photos from which an owner makes a table, and tap the places in the first."""
        shot = self.empty_shot()
        corners, touched = shot.truth["corners_px"], shot.truth.get("support_px", {})
        support = tuple((name, _tapped(at)) for name, at in touched.items())
        return OwnersPhotos(shot.picture, [_tapped(at) for at in corners], self.start_photo(), support)

    def calibrated(self) -> Table:
        """Return the eye's table for this set-up, calibrated the way an owner does."""
        made = self.owners_photos()
        return calibrate(made.empty, self.plan, made.corners_px, made.start, made.support_px)


def _tapped(at_px: Sequence[float]) -> tuple[float, float]:
    """Return a place rounded to whole pixels, which is as precise as a tap."""
    x, y = at_px
    return float(round(x)), float(round(y))


def _key(piece: PlacedPiece) -> Key:
    return (piece.space or piece.area, piece.faction, piece.kind)


def _wanted_pieces(position: Position, spaces: Collection[str]) -> Counter[Key]:
    """Count the pieces of each kind and faction that belong in each place; a space shows one commander at most."""
    wanted: Counter[Key] = Counter()
    for area in position.board.areas:
        for faction, units in position.units_in(area.name).items():
            wanted.update({(area.name, faction, unit): n for unit, n in units.items()})
    for space in spaces:
        wanted.update({(space, faction, COMMANDER): 1 for faction in position.commanders_on(space)[:1]})
    return wanted


def _staying(pieces: tuple[PlacedPiece, ...], wanted: Counter[Key]) -> tuple[PlacedPiece, ...]:
    """Return the pieces that stay: of each kind in each place the first, up to the number wanted."""
    left = Counter(wanted)
    kept = []
    for piece in pieces:
        if left[_key(piece)] > 0:
            left[_key(piece)] -= 1
            kept.append(piece)
    return tuple(kept)


class SimulatedDice:
    """Up to IN_THE_BOX dice beside a board; those that are not thrown stay where they lie."""

    def __init__(self, studio: Studio, seed: int) -> None:
        self._studio = studio
        self._rng = np.random.default_rng([seed, 6])
        self.lying: tuple[Body, ...] = ()

    def roll(self, faces: Sequence[int], count: int) -> tuple[int, ...]:
        """Throw this many dice with these faces, but no more than the box holds; return what they show."""
        shown = tuple(int(face) for face in self._rng.choice(faces, min(count, IN_THE_BOX)))
        self.throw(shown)
        return shown

    def throw(self, shown: Sequence[int]) -> None:
        """Put dice that show these faces beside the board, where there is room."""
        self.lying = self.lying[len(shown) :][: IN_THE_BOX - len(shown)]
        for face in shown:
            rest = list(GAME_FACES)
            if face in rest:
                rest.remove(face)
            around = [int(other) for other in self._rng.permutation(rest)][:5]
            turn = float(self._rng.uniform(0, 2 * pi))
            self.lying += (die_of(BLACK, self._place(), -BOARD_THICKNESS_MM, (face, *around), turn),)

    def _place(self) -> tuple[float, float]:
        """Return a free place beside the board in the camera's sight; if none is found, the last one tried."""
        width, height = self._studio.scene.camera.size_px
        low, high = (FROM_BORDER_PX, FROM_BORDER_PX), (width - FROM_BORDER_PX, height - FROM_BORDER_PX)
        for _ in range(TRIES):
            x, y = self._studio.scene.camera.board_mm(self._rng.uniform(low, high))
            at = (float(x), float(y))
            if self._free(at):
                break
        return at

    def _free(self, at_mm: tuple[float, float]) -> bool:
        width, height = self._studio.plan.size_mm
        x, y = at_mm
        beside = max(-x, x - width, -y, y - height) > AWAY_MM
        apart = all(dist(at_mm, die.middle_mm[:2]) > APART_MM for die in self.lying)
        return beside and apart and all(dist(at_mm, solid.at_mm) > ROOM_MM for solid in self._studio.clutter)

    def draw(self, picture: Image) -> None:
        """Draw the dice into a picture (H, W, 3) BGR of the table, in place."""
        scene = self._studio.scene
        for die in self.lying:
            add_bodies(picture, scene.camera, [die], Lamps(scene.lights, scene.ambient), -BOARD_THICKNESS_MM)


# ---- its camera while it is calibrated ------------------------------------------------------------


FRAMES = 3
GRAIN = 1.5


class SimulatedPictures:
    """Live pictures of a simulated table, drawn in a thread of their own, as that takes a moment."""

    fault: str | None = None

    def __init__(self, board: Board, seed: int) -> None:
        table = SimulatedTable(board, seed)
        self._shows: Mapping[str, Callable[[], Picture]] = {
            "empty": lambda: table.empty_shot().picture,
            "start": table.start_photo,
        }
        self._drawing: Errand[list[Picture]] = Errand("simulated-camera")
        self._frames: list[Picture] = []
        self._given = 0

    def ask(self, what: str) -> None:
        """Show the "empty" table or its "start" from now on."""
        self._frames = []
        show = self._shows[what]
        self._drawing.begin(lambda: _frames(show()))

    def latest(self) -> Picture | None:
        """Return the next frame; None while the table is being drawn."""
        self._frames = self._drawing.fetch() or self._frames
        self._given += 1
        return self._frames[self._given % FRAMES] if self._frames else None

    def close(self) -> None:
        """Stop drawing."""
        self._drawing.close()


class DemoCameras:
    """The single camera over a simulated table."""

    def __init__(self, board: Board, seed: int, path: Path, on_saved: Callable[[Table], None]) -> None:
        self._board, self._seed = board, seed
        self._path = path
        self._on_saved = on_saved

    @property
    def ready(self) -> bool:
        """Whether the table has been calibrated."""
        return self._path.exists()

    def names(self) -> Mapping[str, str]:
        """Return {camera: its name for people}."""
        return {"simulated": "simulated"}

    def begin(self, _camera: str) -> Calibration:
        """Return a new calibration of the simulated table."""
        return Calibration(self._board, SimulatedPictures(self._board, self._seed), self._path, self._on_saved)


def _frames(picture: Picture) -> list[Picture]:
    """Return a few frames of one view, each with its own grain."""
    rng = np.random.default_rng(5)
    grains = [rng.normal(0, GRAIN, picture.shape).astype(np.float32) for _ in range(FRAMES)]
    return [np.clip(picture + grain, 0, 255).astype(np.uint8) for grain in grains]
