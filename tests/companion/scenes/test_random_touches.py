"""Whatever is touched at the tables of the systems without a board: no crash, nothing illegal, and a way home."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.app import App
from companion.games.journal import read_game
from companion.games.match import AnyMatch
from companion.scenes.home.crash import CrashScene
from companion.scenes.home.home import HomeScene
from companion.view.kit.sheet import Target
from companion.view.window.panes import Shown
from tests.companion.fingers import Fingers, NotThere
from tests.companion.other_games import SYSTEMS, begun, demo_of

pytestmark = pytest.mark.long

TOUCHES = 40
AWAY = ("off", "power", "lock")
"""What ends more than a scene, or needs a long press to come back from."""
WAYS_BACK = ("home", "back", "close", "cancel", "leave", "stop", "coach", "menu", "page", "table", "figures")
MOST_BACK = 60


class Monkey:
    """Fingers without sense. The seed decides what they touch."""

    def __init__(self, app: App, seed: int) -> None:
        self.fingers = Fingers(app, (800, 480), looks=False)
        self.fingers.window.refresh()
        self.rng = random.Random(seed)

    def targets(self) -> Iterator[tuple[Shown, Target]]:
        """All that is on the glass."""
        for shown_pane in self.fingers.window.shown:
            for sheet in shown_pane.canvas.sheet.layers():
                yield from ((shown_pane, target) for target in sheet.targets if target.intent.verb not in AWAY)

    def touch(self, among: list[tuple[Shown, Target]]) -> None:
        """One of these, where it is not covered."""
        try:
            self.fingers._touch(*self.rng.choice(among))
        except NotThere:
            return

    def leave(self) -> bool:
        """Go home by what looks like a way back."""
        for _n in range(MOST_BACK):
            if isinstance(self.fingers.app.scene, HomeScene):
                return True
            here = list(self.targets())
            verbs = {target.intent.verb for _one, target in here}
            verb = "home" if "home" in verbs else self.rng.choice([way for way in WAYS_BACK if way in verbs])
            self.touch([pair for pair in here if pair[1].intent.verb == verb])
        return False


def game(system: str, seed: int) -> AnyMatch:
    """Return a game that has gone on for a while."""
    match = begun(Path("game.jsonl"), system, steps=0)
    player = demo_of(system).make_player(seed)
    for _n in range(30 * seed):
        match.offer(player.step(match.position))
    return match


@pytest.mark.usefixtures("app")  # for its folder
@pytest.mark.parametrize(("layout", "seed"), [("one", 1), ("two", 2)])
@pytest.mark.parametrize("system", SYSTEMS)
def test_random_touches(system: str, layout: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))  # nothing of the machine's own is started
    match = game(system, seed)
    app = App(match=match)
    app.stage.settings = replace(app.stage.settings, layout=layout)
    monkey = Monkey(app, seed)
    for _n in range(TOUCHES):
        monkey.touch(list(monkey.targets()))
        assert not isinstance(app.scene, CrashScene)
    assert monkey.leave()
    match.close()
    journal = read_game(match.path)
    assert (journal.fault, len(journal.steps)) == (None, len(match.steps))
    assert journal.last == match.position
