"""What the lab makes of what it saw: games after a cut, pictures, verdicts kept from before."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.lab.__main__ import TRIALS, wanted
from tests.lab.machine import LabError, Machine, read_picture
from tests.lab.trial import Cannot, Lab, Verdict, Verdicts, colours, judge
from tests.lab.trials.power import check, read_told
from tests.lab.trials.touch import shows

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
