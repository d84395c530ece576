"""Panels: what a table asks for, one at a time, on the whole screen or in half of it.

Each shows blocks and answers a touch with a reply. In two halves, the other player sees what is done meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar, runtime_checkable

from companion.core.language import _
from companion.scenes.base.map_picture import Marks
from companion.scenes.base.stage import Scene
from companion.ui.screen import Block, Button, Dice, Intent, Log, Look, Picture, Prompt, Text

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Face:
    """What a panel gives to the table's screen: marks on its map, or a picture in place of the position's."""

    blocks: tuple[Block, ...]
    actions: tuple[Button, ...] = ()
    marks: Marks = field(default_factory=Marks)
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Offer(Generic[S]):
    """Take this step: the table says that it happened. An objection leads to its ruling."""

    step: S


@dataclass(frozen=True, slots=True)
class Take(Generic[S]):
    """Take all these steps, one after the other: a turn that was seen on the board, or orders given by one touch."""

    steps: tuple[S, ...]


@dataclass(frozen=True, slots=True)
class Why(Generic[S]):
    """Show the ruling on this step."""

    step: S


@dataclass(frozen=True, slots=True)
class Agree(Generic[S]):
    """Record what both players agree on, once both have said so."""

    step: S


@dataclass(frozen=True, slots=True)
class Open(Generic[S]):
    """Let another panel take over."""

    panel: Panel[S]


@dataclass(frozen=True, slots=True)
class Close:
    """Back to what the position asks for."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Let a scene follow."""

    scene: Scene


@dataclass(frozen=True, slots=True)
class Refuse:
    """None of the turns that the camera proposes was done."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The camera asks what stands in an area, and people say: (faction, unit, number) each."""

    area: str
    units: tuple[tuple[str, str, int], ...]


Reply = Offer[S] | Take[S] | Why[S] | Agree[S] | Open[S] | Close | Lead | Refuse | Answer | None


class Panel(Protocol[S]):
    """One state of what the table asks for."""

    def show(self) -> Face:
        """Return the blocks, buttons and marks to show now."""

    def touch(self, intent: Intent) -> Reply[S]:
        """React to a touch; None where nothing beyond the panel changes."""


@runtime_checkable
class FacingPanel(Protocol):
    """A panel that asks the two players different things, each in the own half of the screen."""

    def show_to(self, seat: str) -> Face:
        """Return what this seat's half of the screen shows."""


def without_log(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Leave out the log blocks."""
    return tuple(block for block in blocks if not isinstance(block, Log))


def in_half(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Fit a panel into half the screen: move its hint into the free room and drop the log, which the other half has."""
    if not blocks or not isinstance(blocks[0], Prompt):
        return without_log(blocks)
    first, rest = blocks[0], without_log(blocks[1:])
    if any(isinstance(block, Dice) for block in rest):  # the dice need the room
        return (Text(first.text, "strong"), *rest, *((Log((first.hint,)),) if first.hint else ()))
    return (replace(first, hint=""), *rest, *((Log((first.hint,)),) if first.hint else ()))


def watcher_blocks(
    blocks: tuple[Block, ...], prompt: Prompt, news: tuple[Block, ...], log: Iterable[str]
) -> tuple[Block, ...]:
    """Return what the waiting player sees: what the other one is doing, what is new, and the log.

    prompt: says what the other player is doing if the panel does not begin with a prompt of its own.
    """
    first = blocks[0] if blocks else prompt
    doing = first if isinstance(first, Prompt) else prompt
    return (replace(doing, hint=""), *news, Log(tuple(log)))


def ask_button() -> Button:
    """Make the button that leads to settling an argument."""
    return Button(_("Ask"), Intent("dispute"), "quiet", "scales", spot="ask")


def undo_button(look: Look = "quiet") -> Button:
    """Take the last step back."""
    return Button(_("Undo"), Intent("undo"), look, "undo", spot="undo")


def redo_button() -> Button:
    """Do again what was taken back."""
    return Button(_("Redo"), Intent("redo"), "quiet", "redo", spot="undo")


def log_button() -> Button:
    """Make the button that opens the log."""
    return Button(_("Log"), Intent("log"), "quiet", "log")
