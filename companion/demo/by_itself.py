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
    """Both sides of a game, their dice and their cards."""

    def step(self, position: Any) -> Any:
        """Choose the next step; None once the game is over."""


class SelfPlayer:
    """Takes one step at a time, `pause_s` apart, for `turns` turns or to the game's end."""

    pause_s = 1.4

    def __init__(self, system: str, player: StepChooser, turns: int | None = None) -> None:
        self.system = system
        self._player = player
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


def new_match(path: Path, request: Json) -> AnyMatch:
    """Begin a fresh match in this file, replacing an earlier demo's game there."""
    path.unlink(missing_ok=True)
    match: AnyMatch = GameSession.begin(path, with_texts(request))
    return match


@dataclass(frozen=True, slots=True)
class BoardlessDemo(GameDemo):
    """The demo of a system without a board.

    make_player: both sides' player, from a seed. request: the `new` request from a seed and a scenario, "" for the
    usual one; UsageError for a name where the system has none.
    """

    system: str
    make_player: Callable[[int], StepChooser]
    request: Callable[[int, str], Json]

    def player(self, seed: int, turns: int | None = None) -> SelfPlayer:
        """Make the player for a game of this seed."""
        return SelfPlayer(self.system, self.make_player(seed), turns)

    def run(self, options: DemoOptions, settings: Settings) -> int:
        """Run the demo and return 0; 1 if it had to be broken off without an end. UsageError for a practice set."""
        if options.practice:
            raise UsageError(f"--practice photographs a board, and --system {options.system} has none")
        request, player = self.request(options.seed, options.board), self.player(options.seed, options.turns)
        if not options.is_watched:
            return play_printed(options.game_path(), request, player, options.seed)
        match = new_match(storage.new_game_path(f"demo-{options.seed}"), request)
        return play_in_window(match, player, settings, options.size)

    def demonstration(self, seed: int, _board: Board) -> Demonstration:
        """Begin a game without a watch: no camera follows it."""
        match = new_match(storage.new_game_path(f"demo-{seed}"), self.request(seed, ""))
        return Demonstration(match, self.player(seed))


# ---- without a screen -------------------------------------------------------------------------------


def play_printed(path: Path, request: Json, player: SelfPlayer, seed: int) -> int:
    """Play it, print each step, and tell how it ended: 0, 1 where it had to be broken off without an end."""
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
    """Play step by step until the player has done what was asked: a line each, the turn before its first."""
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
    """Save the app's screen at this moment as a picture."""
    from companion.view.page.canvas import save_screen

    save_screen(App(match=match), path)


# ---- on the screen ----------------------------------------------------------------------------------


def play_in_window(match: AnyMatch, player: SelfPlayer, settings: Settings, size_px: tuple[int, int] | None) -> int:
    """Play in the window, step by step; a touch takes over, and how the game stands then is printed."""
    from companion.view.window.window import run_window

    app = App(Stage(Services(SavedGames(), choices=Choices(chosen_file()))), autoplay=player, match=match)
    app.stage.apply(settings)
    status = run_window(app, size_px or settings.screen_size_px)
    print(REPORTS.of(player.system).score_text(match.position))
    return status
