"""Panels: what a table asks for, one at a time. Each shows blocks and answers a touch with a reply."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar, runtime_checkable

from companion.scenes.base.map_picture import Marks
from companion.scenes.base.stage import Scene
from companion.ui.screen import Block, Button, Intent, Picture

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
