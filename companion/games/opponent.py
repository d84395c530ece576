"""The side of General Orders that the app plays, as a saved game's first line names it: which, how well, its seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from zlib import crc32

NAME = "Gunbai"
"""The name of the side that the app plays, in the log, the statistics and wherever players are named."""
KEY = "opponent"
"""The key in a `new` request. Programs that don't know it see a game of two players, one of them called Gunbai."""
LEVELS = ("first", "child", "even", "strong", "best")
"""How well it plays: the names of the engine's levels, repeated here so that the engine's player isn't loaded."""
USUAL = "even"
PACES = ("usual", "long")
"""How long it thinks: as long as its level says, or until it is told to play."""
COMMANDERS = ("falcon", "rice_lord", "gatekeeper", "rider", "surveyor", "quartermaster")
"""The names of the engine's commanders, whose temperaments it can play with, of all eras."""
HEAD_STARTS = ("none", "troops", "initiative")
"""The advantages that the person may be given at the start."""
LOOKING = ("even", "strong", "best")
"""The levels that look ahead, and so play better the longer they may think."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """The app as a player.

    level: one of `LEVELS`; seed: decides its random choices; pace: one of `PACES`; commander: one of `COMMANDERS`, ""
    for none; head_start: one of `HEAD_STARTS`, only noted here, as the game has it as a step or by who begins.
    """

    side: str
    level: str = USUAL
    seed: int = 0
    pace: str = PACES[0]
    commander: str = ""
    head_start: str = HEAD_STARTS[0]

    def seed_at(self, steps: int) -> int:
        """Return the seed for a choice after this many steps: the same moment gets the same choice again."""
        return crc32(f"{self.seed} {steps}".encode())

    def to_request(self) -> dict[str, object]:
        """Return the opponent as a `new` request writes it, without the default pace, commander or head start."""
        usual = {"pace": PACES[0], "commander": "", "head_start": HEAD_STARTS[0]}
        return {name: value for name, value in asdict(self).items() if usual.get(name) != value}


def opponent_of(request: Mapping[str, object], sides: tuple[str, ...]) -> Opponent | None:
    """Read from a `new` request which side the app plays, and how; None if two people play.

    Values that only a newer Gunbai knows become the default.
    """
    told = request.get(KEY)
    side = told.get("side") if isinstance(told, dict) else None
    if not isinstance(told, dict) or side not in sides:
        return None
    seed = told.get("seed")
    return Opponent(
        str(side),
        level=_one_of(LEVELS, told.get("level"), USUAL),
        seed=seed if isinstance(seed, int) else 0,
        pace=_one_of(PACES, told.get("pace"), PACES[0]),
        commander=_one_of(COMMANDERS, told.get("commander"), ""),
        head_start=_one_of(HEAD_STARTS, told.get("head_start"), HEAD_STARTS[0]),
    )


def _one_of(known: tuple[str, ...], told: object, usual: str) -> str:
    return told if isinstance(told, str) and told in known else usual
