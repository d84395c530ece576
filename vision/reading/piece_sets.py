"""Sets of pieces that the eye has learnt: which colours and kinds of units, and how to weigh what the network says.

The network has six answers: for each of two sides a disc, a figure (a ship, a siege weapon, an aircraft: the place
tells which) and a commander. A set says which colours those sides are. Which set a board needs follows from the
factions and units of its plan, never from its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

from vision.errors import UnknownPieces
from vision.plan import BoardPlan

DISC, LEADER = "troop", "commander"
KINDS_OF_A_SIDE = 3


@dataclass(frozen=True, slots=True)
class PieceSet:
    """Pieces that one network knows. sides: its two colours in order; figures: the units that are no discs.

    scores: the file of its logistic models in `vision/weights`; network: the folder of its networks there.
    """

    sides: tuple[str, str]
    figures: tuple[str, ...]
    scores: str
    network: str = ""

    @property
    def classes(self) -> tuple[tuple[str, str], ...]:
        """The network's answers as (faction, kind), a figure by the first of its names."""
        return tuple((side, kind) for side in self.sides for kind in (DISC, self.figures[0], LEADER))

    def which(self, faction: str, kind: str) -> int:
        """The number of the answer that means this faction's `kind` of piece; ValueError for a strange faction."""
        place = {DISC: 0, LEADER: 2}.get(kind, 1)
        return self.sides.index(faction) * KINDS_OF_A_SIDE + place

    def knows(self, plan: BoardPlan) -> bool:
        """Are the plan's factions and units all of this set?"""
        units = {unit for _, names in plan.units for unit in names}
        return set(plan.factions) <= set(self.sides) and units <= {DISC, *self.figures}


SHIPS = PieceSet(("red", "black"), ("ship",), "ships.json")
SIEGE = PieceSet(("red", "black"), ("siege", "ship"), "common/siege.json", "common/")
AIRCRAFT = PieceSet(("yellow", "blue"), ("aircraft",), "common/aircraft.json", "common/")
SETS = (SHIPS, SIEGE, AIRCRAFT)


def set_of(plan: BoardPlan) -> PieceSet:
    """The set of pieces of a board; UnknownPieces where the eye has learnt none that fits."""
    for known in SETS:
        if known.knows(plan):
            return known
    raise _unknown(plan)


def learnt_set(plan: BoardPlan) -> PieceSet:
    """The set of pieces of a board, if its weights are in the package; UnknownPieces where they are not."""
    known = set_of(plan)
    if not resources.files("vision").joinpath("weights", *known.scores.split("/")).is_file():
        raise _unknown(plan)
    return known


def _unknown(plan: BoardPlan) -> UnknownPieces:
    units = ", ".join(sorted({unit for _, names in plan.units for unit in names}))
    colours = " and ".join(plan.factions)
    return UnknownPieces(f"the eye cannot read the board {plan.board}: it has not learnt pieces of {colours} ({units})")
