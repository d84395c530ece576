"""A fourth system of rules with all its rooms: take one or two of seven pebbles, and the last one wins.

It is no part of Gunbai: `test_fourth_system` plugs it in to show what a system needs and what it gets for that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.demo.by_itself import BoardlessDemo
from companion.games.match import AnyMatch
from companion.games.rules_search import Library, book_library
from companion.games.summary import GameSummary, Records
from companion.scenes.base.new_game import GameChoice
from companion.scenes.base.stage import Scene, Stage, Table
from companion.scenes.story.presenter import SystemPresenter
from companion.scenes.story.tables import Portrait
from companion.systems.game_system import GameSystem
from companion.terminal.boardless import BoardlessReport, Standings
from companion.text.people import People
from companion.ui.screen import Button, Intent, Screen, Side, Status
from companion.ui.table_pictures import DuelPicture, PileSight, ZoneSight
from engine.codec import Json, read_count, read_object
from engine.errors import BadPosition, BadRequest, BadStep
from engine.rulebook import Reading, Section
from engine.ruling import Citation, Hearing, Rule
from engine.system import Judge, System
from tests.companion.plain_tables import PlainTable

SIDES = ("red", "black")
PILES = {"heap": 7}
RULES = {"take.few": Rule("take.few", Citation("Taking"), "One or two.", "{n} may go.", "{n} are too many.")}
BOOK = {"taking": Section("taking", "Taking", Citation("Taking"), "Take one or two.", (), (), rules=("take.few",))}

# ---- the rules --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Position:
    """left: the pebbles on the table; moved: how many turns there were."""

    pile: str
    left: int
    moved: int = 0
    readings: frozenset[str] = frozenset()

    @property
    def turn(self) -> int:
        """Counted from 1."""
        return self.moved + 1

    @property
    def to_move(self) -> int:
        """The near side goes first."""
        return self.moved % 2

    @property
    def winner(self) -> int | None:
        """The side that took the last one."""
        return None if self.left else 1 - self.to_move


@dataclass(frozen=True, slots=True)
class Take:
    """Take so many."""

    n: int


def _new(request: Json) -> Position:
    pile = str(request.get("pile"))
    if pile not in PILES:
        raise BadRequest("pile: heap")
    return Position(pile, PILES[pile])


def _position(value: object) -> Position:
    table = read_object(value, "position", BadPosition)
    return Position(str(table["pile"]), int(table["left"]), int(table["moved"]))


def _step(value: object) -> Take:
    return Take(read_count(read_object(value, "step", BadStep).get("take"), "take", BadStep))


def _weigh(hearing: Hearing, position: Position, step: Take) -> None:
    hearing.weigh("take.few", 0 < step.n <= min(2, position.left), n=step.n)


def _perform(position: Position, step: Take) -> Position:
    return replace(position, left=position.left - step.n, moved=position.moved + 1)


_judge: Judge[Position, Take] = Judge(lambda position: RULES, _weigh, _perform)

PEBBLES: System[Position, Take] = System(
    name="pebbles",
    new=_new,
    read_position=_position,
    write_position=lambda position: {
        "system": "pebbles", "pile": position.pile, "left": position.left, "moved": position.moved
    },
    read_step=_step,
    write_step=lambda step: {"take": step.n},
    judge=_judge.judge,
    examine=_judge.examine,
    play=_judge.play,
    play_recorded=_judge.play_recorded,
    pending=lambda position: None,
    event=lambda position, event: event,
)  # fmt: skip

# ---- the app's rooms --------------------------------------------------------------------------------


def _summary(position: Position) -> GameSummary:
    winner = "" if position.winner is None else SIDES[position.winner]
    to_move = SIDES[position.to_move] if position.winner is None else ""
    return GameSummary("pebbles", position.pile, SIDES, position.turn, to_move, winner, "A heap")


RECORDS = Records(_summary, PILES.keys)


class Presenter(SystemPresenter[Position, Take]):
    """What is said and shown of it."""

    def seats(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        return keys

    def keys(self, position: Position) -> tuple[str, str]:
        return SIDES

    def sides(self, position: Position) -> tuple[str, str]:
        return "Near", "Far"

    def title(self, position: Position) -> str:
        return f"{position.left} left"

    def published_as(self, _position: Position) -> tuple[str, str]:
        """Return no name and no edition, as the game has no board."""
        return "", ""

    def waits_for(self, position: Position) -> tuple[int, ...]:
        return () if position.winner is not None else (position.to_move,)

    def winner(self, position: Position) -> int | None:
        return position.winner

    def turn(self, position: Position) -> int:
        return position.turn

    def acting(self, position: Position) -> int | None:
        return position.to_move

    def line(self, step: Take, before: Position, people: People) -> str:
        return f"{people.name(SIDES[before.to_move])} takes {step.n}."

    def start_line(self, position: Position) -> str:
        return f"{position.left} pebbles lie there."

    def question(self, step: Take, position: Position) -> str:
        return f"May {step.n} be taken?"

    def by_chance(self, step: Take, before: Position) -> bool:
        return False

    def is_agreed(self, step: Take) -> bool:
        return False

    def status(self, position: Position, people: People) -> Status:
        sides = tuple(
            Side(seat, people.name(seat), -1, 0, 0, 0, 0, initiative=False, to_move=n == position.to_move)
            for n, seat in enumerate(SIDES)
        )
        return Status(position.turn, 0, 0, sides, title=self.title(position))

    def picture(self, position: Position, step: Take | None = None) -> DuelPicture:
        heap = (PileSight("resources", "Heap", position.left),)
        zones = tuple(ZoneSight(f"{seat}/city", seat, "city", seat, ()) for seat in reversed(SIDES))
        return DuelPicture(zones, (heap, heap))

    def library(self, position: Position | None = None) -> Library:
        return book_library(BOOK, RULES, {})

    def readings(self, position: Position) -> Mapping[str, Reading]:
        return {}

    def switched_readings(self, position: Position) -> frozenset[str]:
        return frozenset()


PRESENTER = Presenter()
PORTRAIT = Portrait(PRESENTER)


class PebbleTable(PlainTable):
    """The plainest table; what its one button does is laid ready by the test."""

    def straight(self, back: Scene) -> Scene:
        return back

    def details(self, back: Scene) -> Scene:
        return self


def table_of(stage: Stage, match: AnyMatch, home: Scene) -> Table:
    """Return the table of a heap."""
    return PebbleTable(stage, match, home, PRESENTER)


class SetupScene:
    """Nothing to choose."""

    def __init__(self, stage: Stage, home: Scene, games: GameChoice) -> None:
        self.stage = stage
        self.home = home
        self.games = games

    def show(self) -> Screen:
        """One button."""
        return Screen("Pebbles", actions=(Button("Another game", Intent("games")), Button("Begin", Intent("begin"))))

    def touch(self, intent: Intent) -> Scene | None:
        """To the table, or to the other games."""
        if intent.verb == "games":
            return self.games("", self)
        request = {"system": "pebbles", "pile": "heap", "players": {"red": "Ana", "black": "Bo"}}
        return table_of(self.stage, self.stage.services.games.start(request), self.home)


def _standings(position: Position) -> Standings:
    winner = "" if position.winner is None else SIDES[position.winner]
    moves = {side: {"turns": (position.moved + 1 - n) // 2} for n, side in enumerate(SIDES)}
    return Standings(position.turn, winner, "the last pebble" if winner else "", moves)


REPORT = BoardlessReport("pebbles", PRESENTER, _standings)


class Player:
    """Takes one pebble after the other."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def step(self, position: Any) -> Take | None:
        """One, while there are any."""
        return Take(1) if position.left else None


DEMO = BoardlessDemo(
    "pebbles",
    Player,
    lambda seed, board: {"do": "new", "system": "pebbles", "pile": "heap"},
)

HERE = "tests.companion.pebbles"
SYSTEM = GameSystem(
    name="pebbles",
    title="Pebbles",
    kind="stones",
    blurb="Take one or two, and the last one wins.",
    needs="pile",
    request=(),
    folder="piles",
    records=f"{HERE}:RECORDS",
    portrait=f"{HERE}:PORTRAIT",
    setup=f"{HERE}:SetupScene",
    table=f"{HERE}:table_of",
    report=f"{HERE}:REPORT",
    demo=f"{HERE}:DEMO",
)
