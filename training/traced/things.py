"""All that stands on and beside a board, as meshes with patches of one atlas: pieces, tokens, dice, cards, a hand."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from training.traced.atlas import PX_PER_MM, Atlas, wear
from training.traced.looks import Setup
from training.traced.meshes import Mesh, join, move, on_patch
from training.traced.props import Place, Point, Props, Rng
from training.traced.shapes import hand_meshes, piece_mesh
from vision.plan import BoardPlan
from vision.simulation.board_art import Image
from vision.simulation.solids import piece_height
from vision.simulation.table import Moment, PlacedPiece, place_beside_board

TILES = 20
TILE_MM = 26.0
CARD_REACH_MM, DIE_REACH_MM = 50.0, 9.0


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
        """One faction's pieces on the board."""
        return join([self.piece(piece, self._lift(piece.at_mm)) for piece in pieces if piece.faction == faction])

    def standing(self, pieces: Sequence[PlacedPiece], moment: Moment) -> Mesh:
        """Tokens and dice on the board, among the pieces, and what lies beside it."""
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
