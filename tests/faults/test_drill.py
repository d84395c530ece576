"""Every scenario of the fault drill, and that each can fail: tried once on an app in which the cure is switched off."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.cli import main
from companion.core.errors import MatchError
from companion.drill import camera
from companion.drill.place import Place
from companion.drill.player import DrillFailed, Recovery
from companion.drill.scenarios import SCENARIOS, Scenario, ScenarioResult, run_scenario, scenarios_named

pytestmark = pytest.mark.long

PATIENCE_S = 900.0  # for all scenarios before it in its group, too


Outcomes = Mapping[str, Future[ScenarioResult]]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcomes]:
    """All scenarios, group beside group: most of their time they wait for an app to get well."""
    groups: dict[str, list[Scenario]] = {}
    for scenario in SCENARIOS:
        groups.setdefault(scenario.work.__module__, []).append(scenario)
    made: dict[str, Future[ScenarioResult]] = {scenario.name: Future() for scenario in SCENARIOS}

    def work(group: list[Scenario]) -> None:
        place = Place(tmp_path_factory.mktemp("drill") / "place")
        try:
            for scenario in group:
                made[scenario.name].set_result(run_scenario(scenario, place))
        finally:
            place.leave()
            for scenario in group:
                made[scenario.name].cancel()  # what a fault of the drill itself has left out

    with ThreadPoolExecutor(len(groups)) as pool:
        works = [pool.submit(work, group) for group in groups.values()]
        yield made
    for done in works:
        done.result()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_it_gets_well_by_itself_and_loses_no_step(scenario: Scenario, outcomes: Outcomes) -> None:
    seen = outcomes[scenario.name].result(PATIENCE_S)
    assert seen.ok, seen.told


def broken(folder: Path, name: str, how: str) -> ScenarioResult:
    """Run a scenario with an app in which a few lines of Python have switched something off."""
    code = f"{how}\nimport runpy; runpy.run_module('companion.drill', run_name='__main__')"
    place = Place(folder / "drill", [sys.executable, "-P", "-c", code])
    try:
        return run_scenario(scenarios_named((name,))[0], place)
    finally:
        place.leave()


UNWRITTEN = "import companion.core.storage as s; s.write_whole = lambda handle, data, **how: None"
DEAF = """
import os, companion.app.service as s
s.SIGNALS = ()
os.environ['SDL_NO_SIGNAL_HANDLERS'] = '1'
"""
FED = """
import threading, companion.app.service as h
turned = h.Heartbeat.turn_done
def feed(manager):
    while not threading.Event().wait(0.3):
        manager.alive()
def first(self, now_s, status):
    turned(self, now_s, status)
    h.Heartbeat.turn_done = turned
    threading.Thread(target=feed, args=(self._manager,), daemon=True).start()
h.Heartbeat.turn_done = first
"""
SILENT = "from companion.games.match import Match; Match.unsaved = 0"


@pytest.mark.parametrize(
    ("name", "how", "told"),
    [
        ("app-killed", UNWRITTEN, "steps confirmed on the screen: 9, on the disk: 8"),
        ("app-ended", DEAF, "the app ended with -15, not with 0"),
        ("app-hung", FED, "the app hangs, and its watchdog is still being fed"),
        ("disk-full", SILENT, "steps not on the disk: 1, and the app tells of 0"),
    ],
    ids=["app-killed", "app-ended", "app-hung", "disk-full"],
)
def test_it_is_noticed_where_the_cure_is_switched_off(name: str, how: str, told: str, tmp_path: Path) -> None:
    seen = broken(tmp_path, name, how)
    assert not seen.ok
    assert told in seen.told


def test_a_camera_that_is_not_started_again_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera, "NOTICE_S", 1.0)
    seen = broken(tmp_path, "camera-killed", "import companion.perception.camera_process as c; c.MOST_IN_A_ROW = 1")
    assert not seen.ok
    assert "the camera process was not started again" in seen.told


def test_a_game_that_cannot_be_read_is_noticed(tmp_path: Path) -> None:
    def spoilt(_place: Place) -> Recovery:
        raise MatchError("a.jsonl: line 3 is no step")

    seen = run_scenario(Scenario("spoilt", "", "", spoilt), Place(tmp_path / "drill"))
    assert (seen.ok, seen.told) == (False, "a.jsonl: line 3 is no step")


def test_a_traceback_on_the_terminal_is_noticed(tmp_path: Path) -> None:
    seen = broken(tmp_path, "app-ended", "import sys; print('Traceback', file=sys.stderr)")
    assert not seen.ok
    assert "the app wrote to its terminal: Traceback" in seen.told


# ---- the command --------------------------------------------------------------------------------


def test_the_list_tells_what_has_to_come_of_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drill", "--list"]) == 0
    told = capsys.readouterr().out
    assert all(scenario.name in told and scenario.expected in told for scenario in SCENARIOS)


def test_a_name_that_is_none_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drill", "flood"]) == 2
    assert "flood: no such scenario" in capsys.readouterr().err


def test_one_alone_as_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_place: Place) -> Recovery:
        raise DrillFailed("it burns")

    tried = Scenario("well", "", "", lambda _place: Recovery("it left", 1.5)), Scenario("ill", "", "", fails)
    monkeypatch.setattr("companion.drill.scenarios.SCENARIOS", tried)
    for name, status in (("well", 0), ("ill", 1)):
        assert main(["drill", name, "--json"]) == status
        told = json.loads(capsys.readouterr().out)
        assert (told["name"], told["ok"]) == (name, status == 0)
