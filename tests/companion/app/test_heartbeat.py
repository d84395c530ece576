"""The watchdog is fed by turns of the window's loop and by a camera that gets on, and by nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.service import CAMERA_S, FEEDS, STUCK, Heartbeat, status_text
from companion.games.match import Match
from companion.perception.sync.status import SyncStatus
from tests.companion.sample_games import game_file
from tests.companion.situations import of

WATCHDOG_S = 20.0


class Manager:
    """A service manager that keeps what it hears."""

    def __init__(self, watchdog_s: float | None = WATCHDOG_S) -> None:
        self.watchdog_s = watchdog_s
        self.told: list[str] = []
        self.fed = 0

    def ready(self, status: str = "") -> None:
        self.told.append(f"ready: {status}")

    def status(self, text: str) -> None:
        self.told.append(text)

    def alive(self) -> None:
        self.fed += 1


class Beating:
    """A heartbeat with a camera of the test's."""

    def __init__(self, watchdog_s: float | None = WATCHDOG_S) -> None:
        self.manager = Manager(watchdog_s)
        self.camera_s: float | None = None
        self.heart = Heartbeat(self.manager, lambda: self.camera_s)

    def turns(self, from_s: float, to_s: float, camera_gets_on: bool = False) -> int:
        """Let the app turn ten times a second; return how often the watchdog was fed."""
        before = self.manager.fed
        for tenth in range(round(from_s * 10), round(to_s * 10)):
            self.camera_s = tenth / 10 if camera_gets_on else self.camera_s
            self.heart.turn_done(tenth / 10, "playing")
        return self.manager.fed - before


@pytest.fixture
def beating() -> Beating:
    return Beating()


def test_the_first_turn_is_ready_and_fed(beating: Beating) -> None:
    beating.heart.turn_done(5.0, "at home")
    beating.heart.turn_done(5.1, "playing")
    assert beating.manager.told == ["ready: at home", "playing"]
    assert beating.manager.fed == 1


def test_turns_feed_a_few_times_within_the_watchdogs_time(beating: Beating) -> None:
    assert beating.turns(0, 10 * WATCHDOG_S) == 10 * FEEDS


def test_a_screen_that_hangs_is_not_fed_for(beating: Beating) -> None:
    beating.turns(0, 30)
    fed = beating.manager.fed
    # no turn ends, so nobody calls: whatever the camera does meanwhile
    beating.camera_s = 900.0
    assert beating.manager.fed == fed


def test_a_camera_that_gets_on_is_fed_for(beating: Beating) -> None:
    assert beating.turns(0, 3 * CAMERA_S, camera_gets_on=True) == 3 * CAMERA_S / WATCHDOG_S * FEEDS


def test_a_camera_that_is_stuck_beyond_its_limit_is_not(beating: Beating) -> None:
    beating.turns(0, 10, camera_gets_on=True)
    assert beating.turns(10, 9.9 + CAMERA_S) > 0, "its keeper has time to put that right"
    assert beating.turns(10 + CAMERA_S, 400) == 0
    assert beating.manager.told[-1] == STUCK
    assert beating.turns(400, 401, camera_gets_on=True) == 1


def test_a_camera_that_never_got_on_or_is_not_wanted_does_not_matter(beating: Beating) -> None:
    assert beating.turns(0, 10 * CAMERA_S) == 10 * CAMERA_S / WATCHDOG_S * FEEDS


def test_without_a_watchdog_nothing_is_fed() -> None:
    beating = Beating(None)
    assert beating.turns(0, 100) == 0
    assert beating.manager.told[0] == "ready: playing"


def test_what_goes_on_is_said_in_a_few_words(tmp_path: Path) -> None:
    match = Match.open(game_file(tmp_path, steps=2))
    assert status_text(None, SyncStatus()) == "at home"
    assert status_text(of(match), SyncStatus("sync")) == f"playing, round {match.position.round}"
    assert (
        status_text(of(match), SyncStatus("lost", "unplugged")) == f"playing, round {match.position.round}, camera lost"
    )
    assert status_text(of(match), SyncStatus(), demo=True).startswith("a demonstration, round ")
    match.close()
    over = Match.open(game_file(tmp_path))
    assert status_text(of(over), SyncStatus("lost")) == "a finished game, camera lost"
    over.close()
