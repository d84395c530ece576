"""What scenes share: the games, the camera's verdict, the demo's player, and how they hand over to one another."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from companion.match import Match
from companion.scenes.screen import Intent, Screen
from engine.orders.position import Position

Unit = Mapping[str, Mapping[str, int]]


class Difference(Protocol):
    """What the camera says of one area: see companion.adapters."""

    @property
    def area(self) -> str:
        """The area's name."""
        ...

    @property
    def state(self) -> str:
        """One of "agrees", "differs" and "hidden"."""
        ...

    @property
    def expected(self) -> Unit:
        """{faction: {unit: n}} in the game."""
        ...

    @property
    def seen(self) -> Unit:
        """{faction: {unit: n}} on the table."""
        ...

    @property
    def confidence(self) -> float:
        """0 to 1."""
        ...


class Games(Protocol):
    """Where games are kept."""

    def latest(self, besides: Collection[Path]) -> Path | None:
        """The game written last, but for those."""
        ...

    def open(self, path: Path) -> Match:
        """Go on with a saved game; MatchError where it cannot be opened."""
        ...

    def glance(self, path: Path) -> Position | None:
        """The position that a saved game has come to, the file left as it is; None where it is no game."""
        ...

    def start(self, request: Mapping[str, object]) -> Match:
        """Begin a new game in a new file, as a `new` request asks; EngineError or MatchError where that fails."""
        ...


@dataclass(frozen=True, slots=True)
class House:
    """What a new game starts from at this table: the readings switched to their other answer, {faction: name}."""

    readings: frozenset[str] = frozenset()
    players: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Stage:
    """What outlives a scene."""

    games: Games
    house: House = field(default_factory=House)
    has_demo: bool = False
    can_play: bool = False
    demo_on: bool = False
    differences: tuple[Difference, ...] | None = None
    camera_fault: str | None = None
    quitting: bool = False
    demo_wanted: bool = False


class Scene(Protocol):
    """Who is on stage: shows a Screen, and takes a touch; the scene that follows, or None to stay."""

    def show(self) -> Screen:
        """What to show now."""
        ...

    def touch(self, intent: Intent) -> Scene | None:
        """React to a touch."""
        ...
