"""Sets of pieces that the eye has learnt: which colours and kinds of units, and how to weigh what a network says.

A network has six answers: for each of two sides a disc, a figure (a ship, a siege weapon, an aircraft: the place tells
which) and a commander. A set says which colours those sides are. Which set a board needs follows from the factions and
units of its plan, never from its name.

Three networks have learnt each set. One learnt it from boards and pieces as they are printed, another from any colours
on any ground: the photo of the start tells which of the two sees this table better. The third is larger, begins with
what photographs teach, and saw boards in another light than on the photo of the empty board: it is the second eye.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from vision.errors import UnknownPieces
from vision.onnx_model import weights_file
from vision.plan import BoardPlan

DISC, LEADER = "troop", "commander"
KINDS_OF_A_SIDE = 3


@dataclass(frozen=True, slots=True)
class PieceSet:
    """Pieces that one network knows. sides: its two colours in order; figures: the units that are no discs.

    network: the folder of the network in `vision/weights`; scores: the file of this set's logistic models there.
    """

    sides: tuple[str, str]
    figures: tuple[str, ...]
    scores: str
    network: str = ""

    @property
    def classes(self) -> tuple[tuple[str, str], ...]:
        """The network's answers as (faction, kind), a figure by the first of its names."""
        return tuple((side, kind) for side in self.sides for kind in (DISC, self.figures[0], LEADER))

    def index_of(self, faction: str, kind: str) -> int:
        """Return the index of the answer for this faction's `kind` of piece; ValueError for a strange faction."""
        place = {DISC: 0, LEADER: 2}.get(kind, 1)
        return self.sides.index(faction) * KINDS_OF_A_SIDE + place

    def knows(self, plan: BoardPlan) -> bool:
        """Return whether the plan's factions and units all belong to this set."""
        units = {unit for _, names in plan.units for unit in names}
        return set(plan.factions) <= set(self.sides) and units <= {DISC, *self.figures}


SHIPS = PieceSet(("red", "black"), ("ship",), "ships.json", "ships")
SIEGE = PieceSet(("red", "black"), ("siege", "ship"), "siege.json", "common")
AIRCRAFT = PieceSet(("yellow", "blue"), ("aircraft",), "aircraft.json", "common")
SETS = (SHIPS, SIEGE, AIRCRAFT)
VARIED, SECOND = "varied", "second"
"""The folders of the network that has learnt all sets from any colours on any ground, and of the second eye's."""


def set_of(plan: BoardPlan) -> PieceSet:
    """Return the set of pieces that a board needs; UnknownPieces if the eye has learnt none that fits."""
    for known in SETS:
        if known.knows(plan):
            return known
    raise _unknown(plan)


def learnt_sets(plan: BoardPlan) -> tuple[PieceSet, PieceSet, PieceSet]:
    """Return the board's set of pieces for each network: as printed, of any colours, the second eye.

    UnknownPieces if the eye has learnt no set that fits, or the package lacks the weights of one.
    """
    known = set_of(plan)
    sets = known, replace(known, network=VARIED), replace(known, network=SECOND)
    if not all(weights_file(piece_set.network, piece_set.scores).is_file() for piece_set in sets):
        raise _unknown(plan)
    return sets


def _unknown(plan: BoardPlan) -> UnknownPieces:
    units = ", ".join(sorted({unit for _, names in plan.units for unit in names}))
    colours = " and ".join(plan.factions)
    return UnknownPieces(f"the eye cannot read the board {plan.board}: it has not learnt pieces of {colours} ({units})")
