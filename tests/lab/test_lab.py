"""The lab's hands, its fingers and its verdicts: what they do, what they play, and what is made of what was seen."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import time
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.games.journal import OrdersJournal, read_journal
from engine.orders.game import fold, new_game
from tests.lab.__main__ import TRIALS, wanted
from tests.lab.machine import GUEST, LabError, Machine, read_picture, run_here
from tests.lab.trial import Cannot, Lab, Verdict, Verdicts, colours, judge
from tests.lab.trials.power import check, read_told
from tests.lab.trials.touch import shows
from tests.patience import PATIENCE_S
from tests.programs import needs

in_a_shell = needs("bash", "seq", "sleep")


class Wire:
    """The host's end of a line whose other end is the agent's."""

    def __init__(self, handle: int) -> None:
        self._handle, self._heard = handle, b""

    def ask(self, order: dict[str, Any]) -> dict[str, Any]:
        os.write(self._handle, json.dumps(order).encode() + b"\n")
        while b"\n" not in self._heard:
            self._heard += os.read(self._handle, 1 << 16)
        line, _, self._heard = self._heard.partition(b"\n")
        return dict(json.loads(line))


@pytest.fixture
def wire() -> Iterator[Wire]:
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    agent = subprocess.Popen([sys.executable, str(GUEST / "agent.py"), os.ttyname(theirs)])
    yield Wire(ours)
    agent.kill()
    agent.wait()
    os.close(ours)
    os.close(theirs)


@in_a_shell
def test_a_line_of_shell_is_run(wire: Wire) -> None:
    assert wire.ask({"run": "echo here; echo there >&2; exit 3", "limit_s": PATIENCE_S}) == {
        "status": 3,
        "output": "here\nthere\n",
    }
    assert len(wire.ask({"run": "seq 20000", "limit_s": PATIENCE_S})["output"].splitlines()) == 20000


@in_a_shell
def test_what_takes_too_long_is_ended_with_all_that_it_began(wire: Wire) -> None:
    began_s = time.monotonic()
    assert wire.ask({"run": "sleep 1000 & sleep 1000", "limit_s": 0.2})["status"] == 124
    assert time.monotonic() - began_s < PATIENCE_S


@in_a_shell
def test_what_is_left_running_holds_nothing_up(wire: Wire) -> None:
    process = int(wire.ask({"run": "sleep 1000 & echo $!", "limit_s": PATIENCE_S})["output"])
    os.kill(process, signal.SIGKILL)


def test_a_file_is_written(wire: Wire, tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    data = base64.b64encode(b"\0\xff").decode()
    assert wire.ask({"put": str(path), "data": data, "mode": 0o600})["status"] == 0
    assert path.read_bytes() == b"\0\xff"
    assert path.stat().st_mode & 0o777 == 0o600


SIZE_PX = (800, 480)


def play(what: str, settings: str, folder: Path) -> tuple[list[dict[str, Any]], OrdersJournal]:
    """Play one of the lab's plays and return its touches and its saved game."""
    owners, place = folder / "settings.toml", folder / "played"
    owners.write_text(settings)
    run_here(sys.executable, "-m", "tests.lab.plays", what, str(owners), str(place), "{}x{}".format(*SIZE_PX))
    taps = [json.loads(line) for line in (place / "taps.jsonl").read_text().splitlines()]
    for number in (0, len(taps)):
        assert read_picture(place / f"{number}.png").shape == (*SIZE_PX[::-1], 3)
    return taps, read_journal(place / "game.jsonl")


@pytest.mark.long
def test_a_whole_game_is_recorded_with_a_picture_after_each_touch(tmp_path: Path) -> None:
    taps, journal = play("whole", '[screen]\nlayout = "two"\nmotion = false\nrotation = 90\n', tmp_path)
    assert len(journal.steps) == taps[-1]["steps"] > 20
    start = new_game(journal.request["board"], journal.request["initiative"], journal.request["bonuses"])
    assert fold(start, journal.steps).winner_name is not None
    assert sum(len(tap["fingers"]) == 2 for tap in taps) > len(taps) / 2
    assert all(0 < part < 1 for tap in taps for place in tap["fingers"] for part in place)


@pytest.mark.long
def test_gunbai_takes_its_turn_where_it_was_touched_for(tmp_path: Path) -> None:
    taps, journal = play("alone", "[screen]\nmotion = false\n", tmp_path)
    assert journal.request["opponent"]["side"] == "black"
    assert [tap["steps"] for tap in taps][-2:] == [1, 2] == [len(journal.steps) - 1, len(journal.steps)]


TOLD = b'{"will": ["g", 0]}\n{"is": ["g", 0]}\n{"will": ["g", 1]}\n{"is": ["g", 1]}\n'


@pytest.mark.parametrize(
    ("told", "there", "fails"),
    [
        (TOLD, 1, False),
        (TOLD, 0, True),
        (TOLD, 2, True),
        (TOLD, -1, True),
        (TOLD + b'{"will": ["g", 2]}\n', 1, False),
        (TOLD + b'{"will": ["g", 2]}\n', 2, False),
        (TOLD + b'{"will": ["g", 2]}\n', 0, True),
        (TOLD + b'{"will": ["g", 0]}\n{"is": ["g"', 0, False),
        (TOLD + b'{"will": ["h", 0]}\n', 1, False),
        (TOLD + b'{"will": ["h", 0]}\n{"is": ["h", 0]}\n', 1, True),
    ],
)
def test_a_confirmed_step_that_is_lost_is_found(told: bytes, there: int, fails: bool) -> None:
    if not fails:
        assert check(read_told(told), {"g": (there, "")}, "cut 1") == 0
        return
    with pytest.raises(LabError, match="cut 1"):
        check(read_told(told), {"g": (there, "")}, "cut 1")


def test_a_line_cut_short_behind_the_confirmed_ones_is_counted() -> None:
    assert check(read_told(TOLD), {"g": (1, "line 3 is cut off")}, "cut 1") == 1


def test_a_picture_is_read(tmp_path: Path) -> None:
    path = tmp_path / "screen.ppm"
    path.write_bytes(b"P6\n2 1\n255\n" + b"\n \t" + b"abc")
    picture = read_picture(path)
    assert picture.shape == (1, 2, 3)
    assert colours(picture) == 2
    assert bytes(picture[0, 1]) == b"cba"
    path.write_bytes(b"P6\n2 1")
    with pytest.raises(LabError, match="no picture"):
        read_picture(path)


def test_a_touch_shows_once_what_it_changes_is_there() -> None:
    before = np.zeros((100, 100, 3), np.uint8)
    after = before.copy()
    after[:3, :3] = 200
    assert not shows(before, before, after)
    assert shows(after, before, after)
    assert shows(before, before, before)
    late = after.copy()
    late[0, 0] = 0
    assert not shows(late, before, after)
    noted = after.copy()
    noted[50, :] = 1
    assert shows(noted, before, after)
    noted[51:60, :] = 1
    assert not shows(noted, before, after)
    assert not shows(after[:50], before, after)


def test_trials_are_asked_for_by_kind_or_by_name() -> None:
    assert wanted("") == list(TRIALS)
    assert wanted("screen") == [name for name in TRIALS if name.startswith("screen.")]
    assert wanted("screen.sandbox,power") == ["screen.sandbox", "power.again", "power.cuts"]
    with pytest.raises(SystemExit, match=r"no trial scr\.een"):
        wanted("scr.een")


def test_what_passed_is_known_the_next_time_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.json"
    first = Verdicts(path, "bookworm-1")
    first.add("a", Verdict("ok", "well", 1.0))
    first.add("b", Verdict("FAIL", "badly", 1.0))
    first.add("c", Verdict("cannot", "no", 1.0))
    again = Verdicts(path, "bookworm-1")
    assert [again.passed(name) for name in "abcd"] == ["well", None, None, None]
    again.forget(["a"])
    assert again.passed("a") is None
    assert Verdicts(path, "bookworm-2").passed("a") is None


@pytest.mark.parametrize(("error", "state"), [(LabError("why"), "FAIL"), (Cannot("why"), "cannot")])
def test_a_trial_ends_in_a_verdict(tmp_path: Path, error: Exception, state: str) -> None:
    def trial(lab: Lab) -> str:
        raise error

    verdict = judge(trial, Lab(tmp_path, tmp_path, 1, 1))
    assert (verdict.state, verdict.told) == (state, "why")


class Powered(Machine):
    """A machine, as far as its lab ends it."""

    def __init__(self) -> None:
        self.changed, self.powered = False, True

    def cut(self) -> None:
        self.powered = False


def test_no_trial_goes_on_with_the_settings_of_another(tmp_path: Path) -> None:
    lab, machine = Lab(tmp_path, tmp_path, 1, 1), Powered()
    lab._machine = machine
    lab.end_changed()
    assert machine.powered
    machine.changed = True
    lab.end_changed()
    assert not machine.powered


def test_parts_lie_beside_the_machines_of_their_kernel(tmp_path: Path) -> None:
    assert Lab(tmp_path / "trixie-1a2b3c4d", tmp_path, 1, 1).parts == tmp_path / "trixie.parts"
