"""Pictures of the app for the docs.

They show the table, a ruling, the score, a turn that was seen, what the camera sees, and the other games.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from companion.app.app import App, SavedGames
from companion.app.board_watch import LOOK_EVERY_S
from companion.demo.by_itself import BoardlessDemo, new_match
from companion.demo.game_demo import DEMOS, GAME
from companion.demo.hands import SimulatedHands
from companion.demo.player import DemoPlayer, SimulatedEye, set_up, turns_of
from companion.games.match import Match
from companion.grounds.store import NO_GROUNDS, Grounds
from companion.perception.board_crops import TableSight
from companion.perception.sync.status import TableView
from companion.scenes.base.stage import Senses, Services, Stage
from companion.scenes.camera.diagnosis import DiagnosisScene
from companion.ui.screen import Intent
from companion.view.page.pictures import save_screen
from engine.orders.board import load_board
from engine.orders.game import legal, owed
from engine.systems import SYSTEMS

BOARD = "sengoku-rivers"
SEED = 4
TURNS = 9
AREA = "c5"


class StillCamera:
    """The real eye over the simulated table, looking while it is asked."""

    def __init__(self, eye: SimulatedEye) -> None:
        self.eye = eye
        self.hands = SimulatedHands(SEED)
        self._last: tuple[object, TableView] | None = None

    def glimpse(self, match: Match) -> TableView:
        """Return the eye's look at what the hands have laid, taken anew only when that changes."""
        laid = self.hands.board_position(match)
        if self._last is None or self._last[0] is not laid:
            self._last = (laid, TableView("settled", self.eye.look(laid).reading))
        return self._last[1]


def closed_space(match: Match) -> str:
    """Return the name of a space on the map that may not be deployed to now."""
    position = match.position
    return next(
        space.name for space in position.board.spaces if space.area and space.name not in legal(position).spaces
    )


def save_board_stills(
    folder: Path, eye: SimulatedEye, size_px: tuple[int, int] = (1280, 720), grounds: Grounds = NO_GROUNDS
) -> None:
    """Write table.png, ruling.png, score.png, proposal.png and diagnosis.png into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as games:
        board = load_board(BOARD)
        initiative, tokens = set_up(board, SEED)
        match = Match.start(Path(games) / "game.jsonl", BOARD, initiative, tokens)
        player = DemoPlayer(SEED)
        while turns_of(match) < TURNS or owed(match.position) is not None:
            player.act(match)
        camera = StillCamera(eye)
        stage = Stage(Services(SavedGames()), Senses(sight=TableSight(eye.table_for(board)[1])))
        app = App(stage, watcher=camera.glimpse, match=match)
        app.tick(0.0)
        save_screen(app, folder / "table.png", size_px, grounds)
        app.touch(Intent("space", closed_space(match)))
        save_screen(app, folder / "ruling.png", size_px, grounds)
        app.touch(Intent("back"))
        app.touch(Intent("score"))
        save_screen(app, folder / "score.png", size_px, grounds)
        app.touch(Intent("back"))
        camera.hands.do_turn(match)
        app.tick(LOOK_EVERY_S)
        save_screen(app, folder / "proposal.png", size_px, grounds)
        app.touch(Intent("live"))
        app.touch(Intent("area", AREA))
        if isinstance(app.scene, DiagnosisScene):
            app.scene.wait()
        app.tick(2 * LOOK_EVERY_S)
        save_screen(app, folder / "diagnosis.png", size_px, grounds)
        match.close()


def save_other_stills(folder: Path, size_px: tuple[int, int] = (1280, 720)) -> None:
    """Write a picture of each system without a board into the folder."""
    with tempfile.TemporaryDirectory() as games:
        for demo in map(DEMOS.of, SYSTEMS):
            if isinstance(demo, BoardlessDemo):
                still = demo.still
                match, player = new_match(Path(games) / GAME, demo.request(still.seed, "")), demo.player(still.seed)
                while len(match.steps) < still.steps:
                    player.act(match)
                save_screen(App(match=match), folder / still.file, size_px)
                match.close()
