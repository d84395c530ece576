"""What the watch hands over and what comes of it: the words between the camera, the monitor and the scenes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, Protocol

from companion.perception.adapters import Difference
from companion.perception.area_questions import AreaQuestion
from engine.orders.inference.infer import Explanation, Inference
from engine.orders.inference.repair import Fix, Repair
from engine.orders.position import Position
from engine.ruling import Finding
from vision.dice.reader import DiceReading
from vision.live.printed import LaidCard
from vision.reading.read import Reading

Sign = Literal[
    "off",
    "ignored",
    "lost",
    "waiting",
    "hand",
    "moving",
    "turn",
    "sync",
    "unsure",
    "playing",
    "dice",
    "proposal",
    "behind",
    "out",
]
State = Literal["settled", "moving", "hand", "lost", "waiting"]


@dataclass(frozen=True, slots=True, eq=False)
class TableView:
    """What the watch has now.

    reading: the last settled one, the same object until a newer one settles; fault: why the camera is lost, one
    sentence; blind: it gives pictures, but the board is not seen in them; frame: the camera's JPEG of the reading;
    dice: the dice read in it; yes: how often the printed “Yes” was pressed so far; cards: those that lie face up.
    """

    state: State
    reading: Reading | None = None
    fault: str = ""
    frame: bytes | None = None
    dice: DiceReading | None = None
    blind: bool = False
    yes: int = 0
    cards: tuple[LaidCard, ...] = ()


class Explainer(Protocol):
    """Weighs legal turns against a reading, perhaps in a thread of its own."""

    def explanation(self, asked: InferenceRequest) -> Inference | None:
        """Return what explains the reading; None while that is still being worked out."""


@dataclass(frozen=True, slots=True, eq=False)
class InferenceRequest:
    """A reading to be explained from a position. Two requests are equal only if they are the same object.

    laid_cards: those laid face up meanwhile, by name; refused: people have refused proposed turns, so that a
    commander that seems to have come no longer suggests one.
    """

    position: Position
    reading: Reading
    laid_cards: tuple[str, ...] = ()
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A kind of piece that is not on the board as recorded. more: how many too many or, if negative, too few.

    unit: a unit, or "commander"; why, finding: what forbids it, where no legal turn explains it.
    """

    place: str
    faction: str
    unit: str
    more: int
    why: str = field(default="", compare=False)
    finding: Finding | None = field(default=None, compare=False)


def items_of(differences: Iterable[Difference]) -> tuple[Item, ...]:
    """Return what the table has more or less of than the game, one item for each kind of piece and place."""
    return tuple(
        Item(difference.area, faction, unit, more)
        for difference in differences
        if difference.state == "differs"
        for (faction, unit), more in sorted(_surplus(difference).items())
        if more
    )


def _surplus(difference: Difference) -> dict[tuple[str, str], int]:
    more = {(faction, unit): n for faction, units in difference.seen_force.items() for unit, n in units.items()}
    for faction, units in difference.expected_force.items():
        for unit, n in units.items():
            more[faction, unit] = more.get((faction, unit), 0) - n
    return more


def items_of_fixes(fixes: Iterable[Fix]) -> tuple[Item, ...]:
    """Return what has to be taken off or put on the board, one item for each kind of piece, with what forbids it."""
    return tuple(
        Item(fix.place, faction, unit, sign * n, fix.message.partition("; ")[2], fix.finding)
        for fix in sorted(fixes, key=lambda fix: ":" in fix.place)
        for sign, pieces in ((1, fix.take), (-1, fix.put))
        for faction, unit, n in pieces
    )


@dataclass(frozen=True, slots=True)
class SyncStatus:
    """What the camera's picture means now, for the screen to show.

    "playing": a turn seems to be in progress; "dice": it waits for dice. explanations: turns that may have been done,
    the likeliest first ("proposal"), or that have been done if the dice changed nothing ("dice"); items: what is not as
    it has to be, if no turn explains it ("out"), where the board still has to follow the game ("behind"), or beside the
    likeliest turn ("proposal"); choice: how many of the turns to ask about, none of them offered first; 0 if one is
    ("proposal"); nearest: the nearest legal turn that the items lead to, None if they lead to what is recorded;
    disputed: what the eye is sure of, though a turn that was taken leaves something else there; clashing: the areas
    that probably hold both sides ("dice"); taken_back: how many steps remain, as the board stands as before the last
    turn ("out"); fault, blind: as the watch reports them.
    """

    sign: Sign = "off"
    fault: str = ""
    differences: tuple[Difference, ...] | None = None
    explanations: tuple[Explanation, ...] = ()
    question: AreaQuestion | None = None
    choice: int = 0
    items: tuple[Item, ...] = ()
    nearest: Repair | None = field(default=None, compare=False)
    blind: bool = False
    disputed: tuple[Item, ...] = ()
    clashing: tuple[str, ...] = ()
    taken_back: int | None = None
