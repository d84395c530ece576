"""Panels: the table's scene shows one at a time, on the whole screen or in half of it, and each asks for one thing.

A panel shows blocks, and answers a touch with a reply that tells the table what to do: take a step, show a ruling,
open another panel. In two halves, the other player sees meanwhile what is being done.
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
    """What a panel adds to the table's screen: blocks, buttons, marks on the map or a picture in the map's place."""

    blocks: tuple[Block, ...]
    actions: tuple[Button, ...] = ()
    marks: Marks = field(default_factory=Marks)
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Offer(Generic[S]):
    """A reply that carries one step: the table judges it, and takes it if it is legal, else shows the ruling on it."""

    step: S


@dataclass(frozen=True, slots=True)
class Take(Generic[S]):
    """A reply that carries several steps, to be judged and taken in turn, up to the first illegal one.

    They are a turn that was seen on the board, or orders given by one touch.
    """

    steps: tuple[S, ...]


@dataclass(frozen=True, slots=True)
class Why(Generic[S]):
    """A reply that asks for the ruling on a step; the step isn't taken."""

    step: S


@dataclass(frozen=True, slots=True)
class Agree(Generic[S]):
    """A reply that carries an agreed step: both players are asked, and it is taken once both have said yes."""

    step: S


@dataclass(frozen=True, slots=True)
class Open(Generic[S]):
    """A reply that puts another panel in this one's place."""

    panel: Panel[S]


@dataclass(frozen=True, slots=True)
class Close:
    """A reply that closes this panel: the table goes back to the one that the position asks for."""


@dataclass(frozen=True, slots=True)
class Lead:
    """A reply that leads from the table to another scene."""

    scene: Scene


@dataclass(frozen=True, slots=True)
class Refuse:
    """A reply that says that none of the turns proposed by the camera was played."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply to the camera's question about an area: the units there, each as (faction, unit, number)."""

    area: str
    units: tuple[tuple[str, str, int], ...]


Reply = Offer[S] | Take[S] | Why[S] | Agree[S] | Open[S] | Close | Lead | Refuse | Answer | None


class Panel(Protocol[S]):
    """A part of the table's scene that asks for one thing."""

    def show(self) -> Face:
        """Return the blocks, buttons and marks to show now."""

    def touch(self, intent: Intent) -> Reply[S]:
        """Handle a touch; return what the table is to do, None if nothing changes outside the panel."""


@runtime_checkable
class FacingPanel(Protocol):
    """A panel that asks the two players different things, each in their own half of the screen."""

    def show_to(self, seat: str) -> Face:
        """Return what this seat's half of the screen shows."""


def without_log(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return the blocks without those that show the log."""
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
    """Make the button that takes the last step back."""
    return Button(_("Undo"), Intent("undo"), look, "undo", spot="undo")


def redo_button() -> Button:
    """Make the button that takes an undone step again."""
    return Button(_("Redo"), Intent("redo"), "quiet", "redo", spot="undo")


def log_button() -> Button:
    """Make the button that opens the log."""
    return Button(_("Log"), Intent("log"), "quiet", "log")
