"""The simulated table while the app is played on it: hands that move pieces, and the eye that watches them.

The pieces follow the game, as people move them when they have told the app. Asked to, the hands do a turn on the board
first and tell nobody, now and then with a mistake: then it is the app that has to see what was done. So the camera is
tried without one, too: on the table of `gunbai demo --practice`, played by itself as fast as its turns are taken.
"""

from __future__ import annotations

import random
import threading
import weakref
from dataclasses import dataclass, field
from queue import Queue

from companion.core import storage
from companion.demo.autoplayer import Autoplayer
from companion.demo.player import SimulatedEye, set_up
from companion.games.match import Match
from companion.perception.cameras import Watching
from companion.perception.sync.status import TableView
from companion.scenes.base.ports import Demonstration
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.position import Position
from engine.orders.steps import Agreed
from vision.errors import VisionError
from vision.frame import jpeg_of
from vision.table import Table

TRIES = 12
FRAME_QUALITY = 92
MISTAKE_EVERY = 3


class SimulatedHands:
    """The hands at a simulated board: they lay it as the game has it, or do a turn there first (`is_ahead`)."""

    def __init__(self, seed: int, mistake_every: int = MISTAKE_EVERY) -> None:
        """Make every `mistake_every`-th turn leave pieces too many; 0: none does."""
        self._mistake_every = mistake_every
        self._player = Autoplayer(seed)
        self._rng = random.Random(f"hands {seed}")
        self._laid: Position | None = None
        self.is_ahead = False
        self._turns = 0

    def board_position(self, match: Match) -> Position:
        """Return the position that the board shows; a turn done there stays until the game has caught up."""
        position = match.position
        if (
            self._laid is None
            or self._laid.board is not position.board
            or not self.is_ahead
            or shows_the_same(self._laid, position)
        ):
            self._laid, self.is_ahead = position, False
        return self._laid

    def do_turn(self, match: Match) -> None:
        """Do the next turn on the board alone, now and then with pieces too many, unless in mid-turn or at the end."""
        position = match.position
        if position.winner is not None or position.turn is not None:
            return
        self._turns += 1
        after = self._turn(position)
        errs = self._mistake_every and self._turns % self._mistake_every == 0
        self._laid = self._mistaken(after) if errs else after
        self.is_ahead = True

    def put_right(self, match: Match) -> None:
        """Lay the board as the game has it."""
        self._laid, self.is_ahead = match.position, False

    def _turn(self, position: Position) -> Position:
        """Return the position after a whole turn, one that changes what the map shows if such a turn is found."""
        for _ in range(TRIES):
            after = game.apply(position, self._player.step(position))
            while after.turn is not None:
                after = game.apply(after, self._player.step(after))
            if not shows_the_same(position, after):
                return after
        return after

    def _mistaken(self, position: Position) -> Position:
        """Return the position with one piece too many of each kind in some area; unchanged if that is legal in none."""
        held = [area for area in position.board.areas if position.controller(area.name) is not None]
        for area in self._rng.sample(held, len(held)):
            units = [(who, unit, n) for who, kinds in position.units_in(area.name).items() for unit, n in kinds.items()]
            more = Agreed(areas=((area.name, tuple((who, unit, n + 1) for who, unit, n in units)),))
            if game.judge(position, more).legal:
                return game.apply(position, more)
        return position


def shows_the_same(one: Position, other: Position) -> bool:
    """Return whether two positions look the same on the map: the same units, and commanders on the map's spaces."""
    seen = sum(1 << space.index for space in one.board.spaces if space.area is not None)
    return one.units == other.units and all(
        (mine ^ theirs) & seen == 0 for mine, theirs in zip(one.commanders, other.commanders, strict=True)
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Looking:
    """The work of a watch's thread: queues of positions to look at and of what was seen. It doesn't hold the watch."""

    eye: SimulatedEye
    asked: Queue[Position | None] = field(default_factory=Queue)
    seen: Queue[tuple[TableView, Table | None]] = field(default_factory=Queue)
    over: threading.Event = field(default_factory=threading.Event)

    def work(self) -> None:
        """Look at the positions in the queue until `end`."""
        try:
            while (position := self.asked.get()) is not None:
                self.seen.put(self._look(position))
        finally:
            self.over.set()

    def _look(self, position: Position) -> tuple[TableView, Table | None]:
        try:
            look = self.eye.look(position)
            frame = jpeg_of(look.picture, FRAME_QUALITY)
            glimpse = TableView("settled", look.reading, frame=frame, dice=look.dice)
            return glimpse, self.eye.table_for(position.board)[1]
        except VisionError as error:
            return TableView("lost", fault=str(error)), None

    def end(self) -> None:
        """End the thread once its present look is over."""
        self.asked.put(None)


def _finish(asked: Queue[Position | None], over: threading.Event) -> None:
    """End a thread and wait for it."""
    asked.put(None)
    over.wait()


class SimulatedWatch(Watching):
    """Watches a simulated table in a thread of its own, which ends with it; `hands` move its pieces."""

    def __init__(self, seed: int, eye: SimulatedEye | None = None, hands: SimulatedHands | None = None) -> None:
        self.hands = hands or SimulatedHands(seed)
        self.eye = eye or SimulatedEye(seed, throws=True)
        self.table: Table | None = None
        self._looking = looking = _Looking(self.eye)
        self._wanted: Position | None = None
        self._busy = 0
        self._last = TableView("waiting")
        self._thread = threading.Thread(target=looking.work, name="simulated watch", daemon=True)
        self._thread.start()
        weakref.finalize(self, looking.end)
        weakref.finalize(
            self._thread, _finish, looking.asked, looking.over
        )  # no program may end in the midst of a look

    def glimpse(self, match: Match) -> TableView:
        """Return the last reading; a settled one is "moving" until the pieces are laid and read as they are to be."""
        while not self._looking.seen.empty():
            self._last, table = self._looking.seen.get()
            self.table = table or self.table
            self._busy -= 1
        laid = self.hands.board_position(match)
        if self._wanted is None or laid is not self._wanted:
            self._wanted = laid
            self._busy += 1
            self._looking.asked.put(laid)
        if self._busy and self._last.state == "settled":
            return TableView("moving", self._last.reading)
        return self._last

    def close(self) -> None:
        """End the thread once its present look is over, without waiting."""
        self._looking.end()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()


# ---- the trial --------------------------------------------------------------------------------

TRIAL_BOARD, TRIAL_SEED = "sengoku-rivers", 1
GLIMPSES = 6
"""For so many looks in a row a picture stays once the game has caught up with it."""


class TrialHands(SimulatedHands):
    """Hands that make no mistakes, and that follow the game if it goes another way than theirs."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, mistake_every=0)
        self._before: Position | None = None

    def board_position(self, match: Match) -> Position:
        """Return what the board shows: the next turn until the game has it, or whatever was played instead."""
        position = match.position
        shown = super().board_position(match)
        if self.is_ahead and position is not self._before and game.owed(position) is None:
            self.put_right(match)
            return position
        return shown

    def do_turn(self, match: Match) -> None:
        """Do the next turn on the board alone."""
        self._before = match.position
        super().do_turn(match)


class TrialWatch(SimulatedWatch):
    """Does the next turn on the board once the last one was taken."""

    def __init__(self, seed: int = TRIAL_SEED, eye: SimulatedEye | None = None) -> None:
        super().__init__(seed, eye, TrialHands(seed))
        self._at_rest = 0

    def glimpse(self, match: Match) -> TableView:
        """Return the last reading; do the next turn on the board once nothing has been left to do for a while."""
        seen = super().glimpse(match)
        waits = seen.state == "settled" and not self.hands.is_ahead and game.owed(match.position) is None
        self._at_rest = self._at_rest + 1 if waits else 0
        if self._at_rest >= GLIMPSES:
            self._at_rest = 0
            self.hands.do_turn(match)
        return seen


def camera_trial() -> Demonstration:
    """Start the game of the practice set with a watch on its table; only people confirm its turns."""
    board = load_board(TRIAL_BOARD)
    initiative, tokens = set_up(board, TRIAL_SEED)
    match = Match.start(storage.new_game_path("demo-camera"), TRIAL_BOARD, initiative, tokens)
    return Demonstration(match, None, TrialWatch().glimpse)
