"""A game of a system without a board by itself: watched in the app, or printed step by step and told at the end."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from companion.app.app import App, SavedGames
from companion.content.embedded import with_texts
from companion.core import storage
from companion.core.errors import MatchError, UsageError
from companion.games.match import AnyMatch
from companion.games.session import GameSession
from companion.scenes.base.ports import Demonstration
from companion.scenes.base.stage import Services, Stage
from companion.scenes.systems import telling_of
from companion.settings.choices import Choices
from companion.settings.layers import Settings, chosen_file
from companion.terminal.retold import stands_text, step_text
from engine.parts import Json

GAME = "game.jsonl"
SCENARIO = "maru-shikaku"
PICTURE_EVERY = 5
MOST_TURNS = 200
"""So many turns no game takes; one that does is broken off and said to be."""


class Player(Protocol):
    """Both sides of a game, their dice and their cards."""

    def step(self, position: Any) -> Any:
        """The next step; None once the game is over."""


def player_of(system: str, seed: int) -> Player:
    """Who plays a system."""
    if system == "sonae":
        from companion.demo.sonae_player import SonaePlayer

        return SonaePlayer(seed)
    from companion.demo.generals_player import GeneralsPlayer

    return GeneralsPlayer(seed)


def request_of(system: str, seed: int, board: str = "") -> Json:
    """The `new` request of a demo's game; `board` names a scenario. UsageError where a system has none."""
    if system == "sonae":
        return {"system": system, "scenario": board or SCENARIO}
    if board:
        raise UsageError("--board goes with General Orders and Sonae: a card game is played without one")
    from companion.demo.generals_player import set_up

    return set_up(seed)


class SelfPlayer:
    """Takes one step at a time, `pause_s` apart, for `turns` turns or to the game's end."""

    pause_s = 1.4

    def __init__(self, system: str, seed: int, turns: int | None = None) -> None:
        self.system = system
        self._player = player_of(system, seed)
        self._turns = turns

    def act(self, match: AnyMatch) -> bool:
        """Offer one step to the match; False where nothing is left to do."""
        position = match.position
        step = None if position.turn > (self._turns or MOST_TURNS) else self._player.step(position)
        if step is None:
            return False
        ruling = match.offer(step)
        if not ruling.legal:
            raise MatchError(f"{match.path}: the demo chose {step}, which is refused: {ruling.objections[0].message}")
        return True


def begun(path: Path, request: Json) -> AnyMatch:
    """A fresh match in this file; an earlier demo's game there is replaced."""
    path.unlink(missing_ok=True)
    match: AnyMatch = GameSession.begin(path, with_texts(request))
    return match


def demonstration(system: str, seed: int) -> Demonstration:
    """A game that plays itself, for an app that runs already; it is kept with the other games."""
    match = begun(storage.new_game_path(f"demo-{seed}"), request_of(system, seed))
    return Demonstration(match, SelfPlayer(system, seed))


# ---- without a screen -------------------------------------------------------------------------------


def headless(path: Path, request: Json, player: SelfPlayer, seed: int) -> int:
    """Play it, print each step, and tell how it ended: 0, 1 where it had to be broken off without an end."""
    match = begun(path, request)
    told = telling_of(player.system)
    print(f"{told.start_line(match.position)} Seed {seed}.", flush=True)
    _picture(match, path.parent / "start-screen.png")
    for line in played(match, player):
        print(line, flush=True)
    _picture(match, path.parent / "final-screen.png")
    print(f"\n{shlex.join(['gunbai', 'score', str(path)])}\n{stands_text(player.system, match.position)}")
    print(f"pictures and the game are in {path.parent}")
    match.close()
    return 0 if match.position.turn <= MOST_TURNS else 1


def played(match: AnyMatch, player: SelfPlayer) -> Iterator[str]:
    """Play step by step until the player has done what was asked: a line each, the turn before its first."""
    turn = 0
    while True:
        before = match.position
        if not player.act(match):
            return
        head = f"turn {before.turn:>2}" if before.turn != turn else ""
        if head and before.turn % PICTURE_EVERY == 0:
            _picture(match, match.path.parent / f"turn-{before.turn:02}-screen.png")
        turn = before.turn
        yield f"{head:<7}  {step_text(player.system, match.steps[-1], before)}"


def _picture(match: AnyMatch, path: Path) -> None:
    """The app's screen at this moment."""
    from companion.view.page.pictures import save_screen

    save_screen(App(match=match), path)


# ---- on the screen ----------------------------------------------------------------------------------


def watched(match: AnyMatch, player: SelfPlayer, settings: Settings, size_px: tuple[int, int] | None) -> int:
    """In the window, step by step; a touch takes over, and how it stands then is told."""
    from companion.view.window.window import run_window

    app = App(Stage(Services(SavedGames(), choices=Choices(chosen_file()))), autoplay=player, match=match)
    app.stage.apply(settings)
    status = run_window(app, size_px or settings.screen_size_px)
    print(stands_text(player.system, match.position))
    return status
