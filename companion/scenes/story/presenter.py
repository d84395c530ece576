"""What the scenes that systems share must know of one of them to tell of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

from companion.games.session import GameSession
from companion.scenes.base.boardless_panels import Reply
from companion.scenes.base.stage import Scene
from companion.scenes.story.menu import MenuTable
from companion.text.orders import sentence
from companion.text.people import People
from companion.ui.screen import Picture, Status
from engine.rulebook import Reading
from engine.ruling import Rule, Ruling

P = TypeVar("P")
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Question:
    """Something that may be asked in an argument: the button, and the scene that answers."""

    label: str
    lead: Callable[[], Scene]
    sign: str = "question"
    note: str = ""


class BoardlessTable(MenuTable, Protocol[P, S]):
    """The table of a game without a board, as its panels and arguments need it."""

    @property
    def match(self) -> GameSession[P, S]:
        """The game."""

    @property
    def position(self) -> P:
        """The position the game has come to."""

    @property
    def telling(self) -> SystemPresenter[P, S]:
        """How the screen tells of its system."""

    def offer(self, step: S) -> Scene | None:
        """Take the step; an objection leads to its ruling."""

    def explain(self, step: S) -> Scene:
        """The ruling on a step, with every criterion."""

    def follow(self, reply: Reply[S]) -> Scene | None:
        """Do what a panel replies; the scene that follows, None to stay."""


class SystemPresenter(Protocol[P, S]):
    """One system as the screen tells of it. A side is an index, 0 or 1; its seat is a colour of the theme.

    What has a body here is right for most systems: one that inherits from this gives only what it has more.
    """

    @property
    def seats(self) -> tuple[str, str]:
        """The colours of both sides, the near one's first."""

    def keys(self, position: P) -> tuple[str, str]:
        """The sides' names in a saved game."""

    def sides(self, position: P) -> tuple[str, str]:
        """The sides' names as players read them."""

    def title(self, position: P) -> str:
        """What is played."""

    def waits_for(self, position: P) -> tuple[int, ...]:
        """The sides that the table waits for, the one that is asked first in front; none once it is over."""

    def winner(self, position: P) -> int | None:
        """The side that has won."""

    def turn(self, position: P) -> int:
        """The number of the turn: the log is read turn by turn."""

    def acting(self, position: P) -> int | None:
        """The side whose steps these are; None where they are nobody's."""

    def line(self, step: S, before: P, people: People) -> str:
        """A step in a sentence; "" for one that nobody wants to read of."""

    def start_line(self, position: P) -> str:
        """How the game began, in a sentence."""

    def question(self, step: S, position: P) -> str:
        """What somebody who asks about a step wants to know: "May Maru-ni's shock unit charge?"."""

    def by_chance(self, step: S) -> bool:
        """Whether chance spoke in it: then both players are asked before it is taken back."""

    def is_agreed(self, step: S) -> bool:
        """Whether it is what the players agreed on."""

    def status(self, position: P, people: People) -> Status:
        """What is always seen."""

    def picture(self, position: P, step: S | None = None) -> Picture:
        """The table as it stands, with what a step would do on it."""

    def rules(self) -> Mapping[str, Rule]:
        """The rules by id."""

    def readings(self) -> Mapping[str, Reading]:
        """What the book leaves open."""

    def switched(self, position: P) -> frozenset[str]:
        """The readings that this game plays by their other answer."""

    def by_hand(self, table: BoardlessTable[P, S], back: Scene) -> Scene:
        """The scene in which players set right by hand what the record has wrong."""

    def score(self, table: BoardlessTable[P, S]) -> Scene:
        """How it stands, or ended, and why."""

    # ---- what a system may have more to say of ------------------------------------------------------

    def spoken(self, message: str, position: P) -> str:
        """A message of the engine as players read it, with the names that they know."""
        del position
        return sentence(message)

    def remedies(self, position: P, step: S, ruling: Ruling) -> tuple[str, ...]:
        """What would make a refused step legal, in sentences."""
        del position, step, ruling
        return ()

    def changes(self, before: P, after: P) -> tuple[str, ...]:
        """What came of a step by itself, in sentences."""
        del before, after
        return ()

    def begins(self, step: S) -> bool:
        """Whether a part of a turn begins with it: the log tells parts apart."""
        del step
        return False

    def facts(self, position: P, people: People) -> str:
        """How it stands, in a line."""
        del position, people
        return ""

    def settled(self, position: P, step: S | None, note: str) -> S | None:
        """The agreed step with this note; of a refused step, what hands alone would have brought about by it.

        None where there is no such step.
        """
        del position, step, note
        return None

    def questions(self, table: BoardlessTable[P, S], back: Scene, seat: str) -> tuple[Question, ...]:
        """What may be asked in an argument, besides why a step was allowed. seat: the half that asks, "" for one."""
        del table, back, seat
        return ()


def people_of(telling: SystemPresenter[P, S], position: P, players: Mapping[str, str]) -> People:
    """Who plays: seats with the players' names, or the sides' own where none was given."""
    seats, keys, sides = telling.seats, telling.keys(position), telling.sides(position)
    names = {seat: players.get(key, "") for seat, key in zip(seats, keys, strict=True)}
    return People(seats, {seat: name for seat, name in names.items() if name}, dict(zip(seats, sides, strict=True)))
