"""Panels of a table without a board: each shows blocks, and answers a touch with a reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, runtime_checkable

from companion.scenes.base.stage import Scene
from companion.ui.screen import Block, Button, Intent, Picture

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Face:
    """What a panel gives to the screen of the table; without a picture of its own the table shows the position's."""

    blocks: tuple[Block, ...]
    actions: tuple[Button, ...] = ()
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Offer(Generic[S]):
    """Take this step: the table says that it happened. An objection leads to its ruling."""

    step: S


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


Reply = Offer[S] | Why[S] | Agree[S] | Open[S] | Close | Lead | None


class Panel(Protocol[S]):
    """One state of what the table asks for."""

    def show(self) -> Face:
        """What it shows now."""

    def touch(self, intent: Intent) -> Reply[S]:
        """React to a touch; None where nothing beyond the panel changes."""


@runtime_checkable
class FacingPanel(Protocol):
    """A panel that asks the two players different things, each in the own half of the screen."""

    def show_to(self, seat: str) -> Face:
        """What it asks in this half."""
