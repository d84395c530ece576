"""What the screen says before the dice: all pieces of a turn are moved in, and nothing has been rolled yet.

    python -m benchmarks.whole_games.before_dice [--moments 41] [--seed 401] [--size 1280x960]

Games are played on simulated tables of any kind, on the four boards in turn. Each turn that rolls is shown to the real
eye as it stands before the roll, and left alone for as long as people take to throw. A sentence that names a roll is
premature: it says more than the board shows.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import cv2

from benchmarks.measuring import BOARDS, size_px
from benchmarks.whole_games.camera import PlayedCamera
from benchmarks.whole_games.hands import SEEDS_FROM, Deed, played_turns
from benchmarks.whole_games.player import FRAME_S
from benchmarks.window import separate_place
from companion.app.app import App, SavedGames
from companion.demo.player import set_up
from companion.demo.table import SimulatedTable
from companion.games.match import Match
from companion.perception.adapters import plan_of
from companion.perception.camera_process import Told
from companion.perception.camera_watch import CameraWatch, Link
from companion.perception.sync.turn_progress import clashes
from companion.scenes.base.stage import Senses, Services, Stage
from companion.scenes.orders.proposal import ChoicePanel, ProposalPanel
from companion.scenes.table.board_table import BoardTable
from engine.orders.board import Board, load_board
from engine.orders.steps import Roll
from tests.companion.gallery.gallery import unpainted
from vision.geometry import Picture
from vision.simulation.random_scenes import random_scene
from vision.simulation.tables import random_manner

SETTLE_S, THROW_S = 3.0, 12.0
MOST_OF_A_GAME = 11
"""So many moments of one game, then the next table is laid."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The table before a roll: whether the eye sees both sides in one area, and what was said meanwhile."""

    game: str
    turn: int
    clashing: bool
    said: str
    sentence: str = ""

    @property
    def is_premature(self) -> bool:
        """Whether the screen named a roll that nobody had made."""
        return self.said == "a roll"


class Watched:
    """A game on a simulated table under the real eye, whose record follows the true one."""

    def __init__(self, folder: Path, board: Board, seed: int, size: tuple[int, int]) -> None:
        scene = random_scene(SEEDS_FROM + seed, plan_of(board), size)
        habits = random_manner(SEEDS_FROM + seed, scene.look).habits
        self.name = f"{board.name}-{seed}"
        self._table = SimulatedTable(board, SEEDS_FROM + seed, False, scene, habits)
        table = folder / "kitchen.table"
        self._table.calibrated().save(str(table))
        initiative, bonuses = set_up(board, seed)
        self._true = Match.start(folder / "true.jsonl", board.name, initiative, bonuses)
        self._match = Match.start(folder / "record.jsonl", board.name, initiative, bonuses)
        self._table.lay(self._true.position)
        self._turns = played_turns(self._true, seed)
        self._now_s = 0.0
        self._watch = CameraWatch("played", table, link=self._connect)
        self._app = App(Stage(Services(SavedGames()), Senses()), watcher=self._watch.glimpse, match=self._match)

    def _connect(self, _camera: str, table: Path | None, tell: Told) -> Link:
        self._camera = PlayedCamera(table, tell)
        return self._camera

    def close(self) -> None:
        """Put all away."""
        self._watch.close()
        for match in (self._match, self._true):
            match.close()

    def moments(self) -> Iterator[Moment]:
        """Yield what is said before each roll of the game."""
        for number, deeds in enumerate(self._turns, 1):
            rolls = [place for place, deed in enumerate(deeds) if isinstance(deed.step, Roll)]
            if rolls and rolls[0] > 0:
                yield self._before_roll(number, deeds[rolls[0] - 1])
            self._table.lay(deeds[-1].after)
            for step in self._true.steps[len(self._match.steps) :]:
                self._match.offer(step)
            assert isinstance(self._app.table, BoardTable)
            self._app.table.refresh()

    def _before_roll(self, number: int, deed: Deed) -> Moment:
        for _panel in self._panels(self._table.photo(), SETTLE_S):
            pass
        self._table.lay(deed.shown)
        said, sentence = "", ""
        for panel in self._panels(self._table.photo(), THROW_S):
            offered = panel.turns[:1] if isinstance(panel, ProposalPanel | ChoicePanel) else ()
            if offered and said != "a roll":
                said = "a roll" if any(isinstance(step, Roll) for step in offered[0].steps) else "a move"
                sentence = ", ".join(map(str, offered[0].steps))
        reading = self._app.stage.senses.monitor.state.refined_reading
        clashing = reading is not None and bool(clashes(self._match.position, reading))
        return Moment(self.name, number, clashing, said or self._app.stage.sense.sign, sentence)

    def _panels(self, picture: Picture, for_s: float) -> Iterator[object]:
        """Show the camera this picture for so long, yielding what the screen has after each frame."""
        began_s = self._now_s
        while self._now_s - began_s < for_s:
            self._now_s += FRAME_S
            self._camera.show(picture, self._now_s)
            self._app.tick(self._now_s)
            self._app.screen()
            assert isinstance(self._app.table, BoardTable)
            yield self._app.table.panel


def moments_of(wanted: int, seed: int, size: tuple[int, int], place: Path) -> Iterator[Moment]:
    """Yield so many moments, of as many games as they take."""
    for number in count(seed):
        with tempfile.TemporaryDirectory(dir=place) as folder, unpainted():
            watched = Watched(Path(folder), load_board(BOARDS[(number - 1) % len(BOARDS)]), number, size)
            for taken, moment in enumerate(watched.moments(), 1):
                yield moment
                wanted -= 1
                if not wanted or taken == MOST_OF_A_GAME:
                    break
            watched.close()
        if not wanted:
            return


def main() -> int:
    """Run this benchmark from the command line, and return 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moments", type=int, default=41)
    parser.add_argument("--seed", type=int, default=401)
    parser.add_argument("--size", default="1280x960")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    seen = list[Moment]()
    with separate_place() as place:
        for moment in moments_of(options.moments, options.seed, size_px(options.size), place):
            seen.append(moment)
            clash = "both sides seen" if moment.clashing else "not seen as a fight"
            print(f"{moment.game:24} turn {moment.turn:3}  {clash:20} {moment.said:10} {moment.sentence}", flush=True)
    said = Counter(moment.said for moment in seen)
    print(f"\n{len(seen)} moments before a roll, {sum(moment.clashing for moment in seen)} with both sides seen")
    print(", ".join(f"{name}: {n}" for name, n in said.most_common()))
    print(f"premature: {sum(moment.is_premature for moment in seen)} of {len(seen)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
