"""The side of General Orders that the app plays, as a saved game's first line has it: which, how well, its seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from zlib import crc32

NAME = "Gunbai"
"""The name of the side that the app plays, in the log, the statistics and wherever players are named."""
KEY = "opponent"
"""Where a `new` request says so. Who doesn't know it sees a game of two players, one of them called Gunbai."""
LEVELS = ("first", "child", "even", "strong", "best")
"""How well it plays: the names of the engine's levels. The engine's player itself is loaded only where it plays."""
USUAL = "even"


@dataclass(frozen=True, slots=True)
class Opponent:
    """The app as a player. level: one of `LEVELS`; seed: what its choices follow from."""

    side: str
    level: str = USUAL
    seed: int = 0

    def seed_at(self, steps: int) -> int:
        """Return the seed for a choice after this many steps, so that the same moment brings the same choice again."""
        return crc32(f"{self.seed} {steps}".encode())

    def to_request(self) -> dict[str, object]:
        """Return the opponent in the form that a `new` request has."""
        return asdict(self)


def opponent_of(request: Mapping[str, object], sides: tuple[str, ...]) -> Opponent | None:
    """Return the side that the app plays, as the request names it; None where two people play.

    A level that isn't known here, of a newer Gunbai, is played as the usual one.
    """
    told = request.get(KEY)
    side = told.get("side") if isinstance(told, dict) else None
    if not isinstance(told, dict) or side not in sides:
        return None
    level, seed = told.get("level"), told.get("seed")
    return Opponent(str(side), str(level) if level in LEVELS else USUAL, seed if isinstance(seed, int) else 0)
