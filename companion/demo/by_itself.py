"""A game of a system without a board by itself: watched in the app, or printed step by step and told at the end."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from companion.app.app import App, SavedGames
from companion.content.shelves import with_texts
from companion.core import storage
from companion.core.errors import MatchError, UsageError
from companion.core.language import _
from companion.demo.game_demo import DemoOptions, GameDemo
from companion.games.match import AnyMatch, GameSession
from companion.scenes.base.ports import Demonstration
from companion.scenes.base.stage import Services, Stage
from companion.scenes.story.tables import PORTRAITS
from companion.settings.layers import Choices, Settings, chosen_file
from companion.terminal.reports import REPORTS
from engine.codec import Json
from engine.orders.board import Board

PICTURE_EVERY = 5
MOST_TURNS = 200
"""So many turns no game takes; one that does is broken off and said to be."""


class StepChooser(Protocol):
    """Plays both sides of a game, with their dice and cards."""

    def step(self, position: Any) -> Any:
        """Choose the next step; None once the game is over."""


class SelfPlayer:
    """Plays a match step by step, `pause_s` apart, for `turns` turns or to its end."""

    pause_s = 1.4

    def __init__(self, system: str, player: StepChooser, turns: int | None = None) -> None:
        self.system = system
        self._player = player
        self._turns = turns

    def act(self, match: AnyMatch) -> bool:
        """Take one step in the match; return False if nothing is left to do. MatchError if it is refused."""
        position = match.position
        step = None if position.turn > (self._turns or MOST_TURNS) else self._player.step(position)
        if step is None:
            return False
        ruling = match.offer(step)
        if not ruling.legal:
            raise MatchError(f"{match.path}: the demo chose {step}, which is refused: {ruling.objections[0].message}")
        return True


def new_match(path: Path, request: Json) -> AnyMatch:
    """Start a new match in this file, replacing the game that an earlier demo left there."""
    path.unlink(missing_ok=True)
    match: AnyMatch = GameSession.begin(path, with_texts(request))
    return match


@dataclass(frozen=True, slots=True)
class BoardlessDemo(GameDemo):
    """The demo of a system without a board.

    make_player: returns the player for a seed. request: returns the `new` request for a seed and a scenario ("" for the
    usual one); UsageError for a scenario if the system has none.
    """

    system: str
    make_player: Callable[[int], StepChooser]
    request: Callable[[int, str], Json]

    def player(self, seed: int, turns: int | None = None) -> SelfPlayer:
        """Return the player for a game with this seed."""
        return SelfPlayer(self.system, self.make_player(seed), turns)

    def run(self, options: DemoOptions, settings: Settings) -> int:
        """Run the demo; return 0, or 1 if the game never came to an end. UsageError for a practice set."""
        if options.practice:
            raise UsageError(f"--practice photographs a board, and --system {options.system} has none")
        request, player = self.request(options.seed, options.board), self.player(options.seed, options.turns)
        if not options.is_watched:
            return play_printed(options.game_path(), request, player, options.seed)
        match = new_match(storage.new_game_path(f"demo-{options.seed}"), request)
        return play_in_window(match, player, settings, options.size)

    def demonstration(self, seed: int, _board: Board) -> Demonstration:
        """Start a game for the running app; no camera watches it."""
        match = new_match(storage.new_game_path(f"demo-{seed}"), self.request(seed, ""))
        return Demonstration(match, self.player(seed))


# ---- without a screen -------------------------------------------------------------------------------


def play_printed(path: Path, request: Json, player: SelfPlayer, seed: int) -> int:
    """Play a game, printing each step and the outcome; return 0, or 1 if it never came to an end."""
    match, report = new_match(path, request), REPORTS.of(player.system)
    start = PORTRAITS.of(player.system).log(match).start_words()
    print(start, _("Seed {n}.").format(n=seed), flush=True)
    _picture(match, path.parent / "start-screen.png")
    for line in play_lines(match, player):
        print(line, flush=True)
    _picture(match, path.parent / "final-screen.png")
    print(f"\n{shlex.join(['gunbai', 'score', str(path)])}\n{report.score_text(match.position)}")
    print(_("pictures and the game are in {place}").format(place=path.parent))
    match.close()
    return 0 if match.position.turn <= MOST_TURNS else 1


def play_lines(match: AnyMatch, player: SelfPlayer) -> Iterator[str]:
    """Play step by step until the player has done what was asked, yielding a line each; a turn's first names it."""
    turn, report = 0, REPORTS.of(player.system)
    while True:
        before = match.position
        if not player.act(match):
            return
        head = _("turn {n}").format(n=f"{before.turn:>2}") if before.turn != turn else ""
        if head and before.turn % PICTURE_EVERY == 0:
            _picture(match, match.path.parent / f"turn-{before.turn:02}-screen.png")
        turn = before.turn
        yield f"{head:<7}  {report.step_text(match.steps[-1], before)}"


def _picture(match: AnyMatch, path: Path) -> None:
    """Save the app's screen for this moment of the match as a picture."""
    from companion.view.page.canvas import save_screen

    save_screen(App(match=match), path)


# ---- on the screen ----------------------------------------------------------------------------------


def play_in_window(match: AnyMatch, player: SelfPlayer, settings: Settings, size_px: tuple[int, int] | None) -> int:
    """Play step by step in the window; a touch takes over. Print the score at the end, and return the exit status."""
    from companion.view.window.window import run_window

    app = App(Stage(Services(SavedGames(), choices=Choices(chosen_file()))), autoplay=player, match=match)
    app.stage.apply(settings)
    status = run_window(app, size_px or settings.screen_size_px)
    print(REPORTS.of(player.system).score_text(match.position))
    return status
