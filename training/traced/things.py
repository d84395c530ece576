"""All that stands on and beside a board, as meshes with patches of one atlas: pieces, tokens, dice, cards, a hand.

The atlas is one picture with the colours of all the things on a table, patch by patch, and how rough each patch is.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from training.traced.looks import Setup
from training.traced.meshes import Mesh, disc, join, move, on_patch, turn
from training.traced.shapes import card_mesh, die_mesh, hand_meshes, mug_mesh, piece_mesh
from vision.plan import BoardPlan
from vision.simulation.board_art import Image, add_grain, hexagon, star
from vision.simulation.props import CARD_MM, draw_card
from vision.simulation.solids import piece_height
from vision.simulation.table import Moment, PlacedPiece, place_beside_board

Rng = np.random.Generator
Rough = npt.NDArray[np.float32]
Point = tuple[float, float]
Place = tuple[float, float, float]

SIDE_PX = 2048
PX_PER_MM = 4.0
GAP_PX = 2
PLAIN_MM = 24.0
DIE_TILE_MM = 10.0
CARDS, DICE, TOKENS, COLOURS = 5, 4, 6, 5
SKIN_BGR = np.array([130.0, 165.0, 225.0])
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}
NUMBERS = (1, 6, 2, 5, 3, 4)
QUARTERS = (np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]), np.array([[0, 0, 1.0], [0, 1, 0], [-1, 0, 0]]))
TILES = 20
TILE_MM = 26.0
CARD_REACH_MM, DIE_REACH_MM = 50.0, 9.0


class Atlas:
    """Patches in rows, as they come; (2048, 2048) at 4 px/mm, with a roughness of 0 to 1 each."""

    def __init__(self) -> None:
        self.picture: Image = np.full((SIDE_PX, SIDE_PX, 3), 128, np.uint8)
        self.rough: Rough = np.full((SIDE_PX, SIDE_PX), 0.6, np.float32)
        self._x, self._y, self._row = GAP_PX, GAP_PX, 0

    def add(self, patch: Image, rough: float) -> tuple[float, float]:
        """Lay a picture down; return its middle in mm from the atlas's corner. ValueError if the atlas is full."""
        rows, columns = patch.shape[:2]
        if self._x + columns + GAP_PX > SIDE_PX:
            self._x, self._y, self._row = GAP_PX, self._y + self._row + GAP_PX, 0
        if self._y + rows + GAP_PX > SIDE_PX:
            raise ValueError("the atlas has no room for another patch")
        place = slice(self._y, self._y + rows), slice(self._x, self._x + columns)
        self.picture[place], self.rough[place] = patch, rough
        middle = (self._x + columns / 2) / PX_PER_MM, (self._y + rows / 2) / PX_PER_MM
        self._x, self._row = self._x + columns + GAP_PX, max(self._row, rows)
        return middle

    def plain(self, bgr: npt.ArrayLike, rough: float, grain: tuple[Rng, float]) -> tuple[float, float]:
        """Add a square patch of one colour (0 to 255), with a grain of that strength; return its middle, in mm."""
        rng, amount = grain
        side = round(PLAIN_MM * PX_PER_MM)
        patch = np.full((side, side, 3), np.clip(bgr, 0, 255), np.uint8)
        return self.add(add_grain(patch, rng, amount, 3.0 * PX_PER_MM) if amount else patch, rough)


def wear(image: Image, rng: Rng, share: float) -> Image:
    """Wear the picture: add pale scuffs and dark specks to about that share of it."""
    if share <= 0:
        return image
    noise = rng.standard_normal(image.shape[:2]).astype(np.float32)
    noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), float(rng.uniform(0.6, 3))), np.float32)
    edge = float(np.quantile(noise, 1 - share))
    mask = np.clip((noise - edge) / (noise.std() * 0.3), 0, 1)[..., None] * np.float32(rng.uniform(0.2, 0.7))
    mark = rng.uniform(0, 255, 3).astype(np.float32) * 0.3 + image.mean(axis=(0, 1)) * 0.7
    return np.asarray(np.clip(image * (1 - mask) + mark * mask, 0, 255), np.uint8)


class Props:
    """A table's dice, tokens, cards and plain colours; each call puts one somewhere."""

    def __init__(self, atlas: Atlas, rng: Rng) -> None:
        self.cards = [atlas.add(_card(rng), float(rng.uniform(0.25, 0.7))) for _ in range(CARDS)]
        self.dice = [_die(atlas, rng) for _ in range(DICE)]
        self.tokens = [_token(atlas, rng) for _ in range(TOKENS)]
        self.card_side = atlas.plain(rng.uniform(60, 200, 3), 0.8, (rng, 0.05))
        skins = [(SKIN_BGR * tone + 15, 0.5) for tone in (0.45, 0.7, 0.95)]
        others = [(rng.uniform(15, 235, 3), float(rng.uniform(0.15, 0.95))) for _ in range(COLOURS)]
        self.plain = {atlas.plain(bgr, rough, (rng, 0.04)): bgr for bgr, rough in skins + others}

    def coloured(self, mesh: Mesh, bgr: npt.ArrayLike) -> Mesh:
        """Give the mesh whichever of the plain colours is nearest to this one."""
        middle = min(self.plain, key=lambda place: float(np.abs(self.plain[place] - np.asarray(bgr)).sum()))
        return Mesh(mesh.points, mesh.normals, np.tile(np.array(middle), (len(mesh.points), 1)))

    def token(self, number: int, rng: Rng, at: Place) -> Mesh:
        """Place the bonus token of that number."""
        return move(self.tokens[number % TOKENS], at, float(rng.uniform(0, 6)))

    def card(self, rng: Rng, at: Place) -> Mesh:
        """Place a card lying flat."""
        return move(card_mesh(CARD_MM, self.cards[int(rng.integers(CARDS))]), at, float(rng.uniform(0, 6)))

    def die(self, rng: Rng, at: Place) -> Mesh:
        """Place a thrown die, any face up."""
        mesh, side = self.dice[int(rng.integers(DICE))]
        middle = np.array([0, 0, side / 2])
        rolled = Mesh(mesh.points - middle, mesh.normals, mesh.uv_mm)
        for _ in range(int(rng.integers(0, 3))):
            rolled = turn(rolled, QUARTERS[int(rng.integers(2))])
        return move(rolled, (at[0], at[1], at[2] + side / 2), float(rng.uniform(0, 6)))

    def mug(self, rng: Rng, at: Place) -> list[Mesh]:
        """Place a mug and its dark drink."""
        body, drink = mug_mesh(float(rng.uniform(32, 45)), float(rng.uniform(60, 105)))
        turn = float(rng.uniform(0, 6))
        cup = self.coloured(body, rng.integers(0, 255, 3))
        return [move(cup, at, turn), move(self.coloured(drink, (0, 0, 0)), at, turn)]


def _die(atlas: Atlas, rng: Rng) -> tuple[Mesh, float]:
    side, tile = float(rng.uniform(8, 16)), round(DIE_TILE_MM * PX_PER_MM)
    colours = [np.array([235, 238, 238]), np.array([26, 25, 25]), rng.integers(20, 230, 3)]
    plain = rng.choice(colours, p=[0.45, 0.3, 0.25])
    ink = (25, 25, 25) if plain.sum() > 380 else (230, 230, 230)
    strip = np.full((tile, 6 * tile, 3), plain, np.uint8)
    for face in range(6):
        for x, y in PIPS[NUMBERS[face]]:
            at = (round((face + 0.5 + 0.25 * x) * tile), round((0.5 + 0.25 * y) * tile))
            cv2.circle(strip, at, round(tile * 0.1), ink, -1, cv2.LINE_AA)
    return die_mesh(side, atlas.add(strip, float(rng.uniform(0.1, 0.5))), DIE_TILE_MM), side


def _token(atlas: Atlas, rng: Rng) -> Mesh:
    radius, side = float(rng.uniform(6, 8.5)), round(19 * PX_PER_MM)
    colour = rng.integers(25, 235, 3)
    ink = (235, 240, 240) if colour.sum() < 380 else (35, 32, 32)
    patch = np.full((side, side, 3), colour, np.uint8)
    tips = int(rng.integers(3, 7))
    sign = star((0, 0), radius * 0.62, tips) if rng.random() < 0.6 else hexagon((0, 0), radius * 0.55)
    corners = np.round((np.array(sign) * PX_PER_MM + side / 2) * 16).astype(np.int32)
    cv2.fillPoly(patch, [corners], ink, cv2.LINE_AA, 4)
    cv2.circle(patch, (side // 2, side // 2), round(radius * 0.86 * PX_PER_MM), ink, 2, cv2.LINE_AA)
    mesh = disc(radius, float(rng.uniform(1.0, 2.4)), 0.25)
    flat = Mesh(mesh.points, mesh.normals, mesh.points[:, :2].copy())
    return on_patch(flat, atlas.add(patch, float(rng.uniform(0.35, 0.9))))


def _card(rng: Rng) -> Image:
    size = (round(CARD_MM[0] * PX_PER_MM), round(CARD_MM[1] * PX_PER_MM))
    return np.asarray(cv2.resize(draw_card(rng), size, interpolation=cv2.INTER_CUBIC), np.uint8)


class Things:
    """The box of a table's things; the same pieces look the same in all its pictures."""

    def __init__(self, setup: Setup, plan: BoardPlan) -> None:
        self.setup, self.plan, self.atlas = setup, plan, Atlas()
        rng = np.random.default_rng([setup.seed, 42])
        look = setup.scene.look
        units = [unit for _, names in plan.units for unit in names if unit != "troop"]
        self.kinds = ("troop", *(units[:1] or ["troop"]), "commander")
        self.forms = {kind: piece_mesh(kind, look, setup.forms) for kind in (*self.kinds, *units)}
        factions = [faction for faction, _ in look.bgr if faction in plan.factions]
        self.patches = {faction: self._piece_patches(rng, faction) for faction in factions}
        self.props = Props(self.atlas, rng)
        self.beside = self._clutter(rng)

    def _piece_patches(self, rng: Rng, faction: str) -> list[Point]:
        setup, side = self.setup, round(TILE_MM * PX_PER_MM)
        colour, rough = np.array(dict(setup.scene.look.bgr)[faction]), dict(setup.finish.rough)[faction]
        found = []
        for _ in range(TILES):
            own = colour * rng.normal(1, setup.finish.varied) + rng.normal(0, 20 * setup.finish.varied, 3)
            patch = np.full((side, side, 3), np.clip(own, 2, 255), np.uint8)
            patch = wear(fibrous(patch, rng, setup.scene.look.grain), rng, setup.finish.wear)
            found.append(self.atlas.add(patch, float(np.clip(rough + rng.normal(0, 0.06), 0.06, 0.95))))
        return found

    def piece(self, piece: PlacedPiece, lift_mm: float) -> Mesh:
        """Place a piece where it stands, on a board that is `lift_mm` high there."""
        spot = abs(round(piece.at_mm[0] * 97)) + abs(round(piece.at_mm[1] * 89)) + piece.level
        patches = self.patches[piece.faction]
        height = lift_mm + piece.level * piece_height(piece.kind, self.setup.scene.look)
        mesh = on_patch(self.forms[piece.kind], patches[spot % len(patches)])
        return move(mesh, (*piece.at_mm, height), piece.turn_rad)

    def pieces_of(self, faction: str, pieces: Sequence[PlacedPiece]) -> Mesh:
        """Place one faction's pieces on the board."""
        return join([self.piece(piece, self._lift(piece.at_mm)) for piece in pieces if piece.faction == faction])

    def standing(self, pieces: Sequence[PlacedPiece], moment: Moment) -> Mesh:
        """Place tokens and dice on the board, among the pieces, and what lies beside it."""
        rng = np.random.default_rng([moment.seed, 43])
        tokens = [self.props.token(n, rng, (*at, self._lift(at))) for n, at in enumerate(moment.tokens)]
        dice = [self.props.die(rng, self._over(at, pieces, DIE_REACH_MM)) for at in moment.dice]
        return join([*tokens, *dice, *self.beside])

    def covering(self, pieces: Sequence[PlacedPiece], moment: Moment) -> Mesh:
        """Build the hand and the cards over the board."""
        rng = np.random.default_rng([moment.seed, 44])
        found = [self.props.card(rng, self._over(at, pieces, CARD_REACH_MM)) for at in moment.cards]
        if moment.hand is not None:
            skin, sleeve = hand_meshes(moment.hand)
            found.append(self.props.coloured(skin, moment.hand.skin_bgr))
            found.append(self.props.coloured(sleeve, moment.hand.sleeve_bgr))
        return join(found)

    def _lift(self, at: Point) -> float:
        return float(self.setup.slab.height(at))

    def _over(self, at: Point, pieces: Sequence[PlacedPiece], reach_mm: float) -> Place:
        """Return a place on top of what stands within reach of this point."""
        look = self.setup.scene.look
        near = [p for p in pieces if np.hypot(p.at_mm[0] - at[0], p.at_mm[1] - at[1]) < reach_mm]
        top = max((piece_height(p.kind, look) * (1 + p.level) for p in near), default=0.0)
        return (*at, self._lift(at) + top + 0.2)

    def _clutter(self, rng: Rng) -> list[Mesh]:
        size, table, props = self.plan.size_mm, self.setup.slab.table_mm, self.props
        found = [props.card(rng, (*place_beside_board(size, rng, 62), table)) for _ in range(int(rng.integers(0, 5)))]
        found += [props.die(rng, (*place_beside_board(size, rng, 20), table)) for _ in range(int(rng.integers(0, 4)))]
        if rng.random() < 0.5:
            found += props.mug(rng, (*place_beside_board(size, rng, 70), table))
        for faction in self.patches:
            found += self._unused(rng, faction, table)
        return found

    def _unused(self, rng: Rng, faction: str, table_mm: float) -> list[Mesh]:
        spot, found = np.array(place_beside_board(self.plan.size_mm, rng, 28)), []
        for _ in range(int(rng.integers(0, 8))):
            x, y = (float(v) for v in spot + rng.normal(0, 16, 2))
            if not -12 < x < self.plan.size_mm[0] + 12 or not -12 < y < self.plan.size_mm[1] + 12:
                kind = str(rng.choice(self.kinds, p=[0.7, 0.2, 0.1]))
                found.append(self.piece(PlacedPiece(kind, faction, "", (x, y), float(rng.uniform(0, 6))), table_mm))
        return found


def fibrous(patch: Image, rng: Rng, amount: float) -> Image:
    """Run fibres of wood along one way of the patch; `amount` is how dark and pale they are."""
    if amount <= 0:
        return patch
    rows, columns = patch.shape[:2]
    noise = rng.standard_normal((rows, max(2, columns // 16))).astype(np.float32)
    fibres = cv2.resize(cv2.GaussianBlur(noise, (0, 0), 0.8), (columns, rows), interpolation=cv2.INTER_CUBIC)
    gain = 1 + np.float32(amount * 2) * (fibres if rng.random() < 0.5 else fibres.T)
    return np.asarray(np.clip(patch * gain[..., None], 0, 255), np.uint8)
