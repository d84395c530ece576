"""The camera process as the app keeps it: started, heard, ended where it hangs, started again, given up, closed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.perception import camera_process
from companion.perception.camera_process import (
    LONGEST_PAUSE_S,
    MOST_IN_A_ROW,
    SILENT_S,
    STARTING_S,
    WELL_S,
    CameraProcess,
    Restarts,
    SilenceTimer,
    camera_command,
)
from tests.patience import until
from vision.live.messages import Message

ROOT = Path(__file__).resolve().parents[3]
TALK = """
import json, struct, sys, time

def tell(**told):
    text = json.dumps(told).encode()
    sys.stdout.buffer.write(struct.pack(">II", len(text), 0) + text)
    sys.stdout.flush()

"""


def test_pauses_grow_and_end() -> None:
    restarts = Restarts()
    pauses = [restarts.pause_s(0.1) for _ in range(MOST_IN_A_ROW)]
    assert pauses[:3] == [0.25, 0.5, 1.0]
    assert pauses[-1] is None
    assert max(pause for pause in pauses if pause) <= LONGEST_PAUSE_S


def test_a_process_that_ran_well_starts_the_count_anew() -> None:
    restarts = Restarts()
    for _ in range(50):
        assert restarts.pause_s(WELL_S) == 0.25


def test_silence_is_a_hang_later_while_it_starts() -> None:
    now = [100.0]
    hearing = SilenceTimer(lambda: now[0])
    hearing.restart(starting=True)
    now[0] += STARTING_S
    assert not hearing.hangs
    hearing.restart(starting=False)
    now[0] += SILENT_S
    assert not hearing.hangs
    now[0] += 0.1
    assert hearing.hangs
    assert hearing.ran_s == pytest.approx(STARTING_S + SILENT_S + 0.1)
    hearing.began()
    assert not hearing.hangs
    assert hearing.ran_s == 0


def test_a_process_that_gets_ready_again_has_as_long_as_at_its_start() -> None:
    now = [0.0]
    hearing = SilenceTimer(lambda: now[0])
    hearing.restart(starting=False)
    hearing.restart(starting=True)
    now[0] = STARTING_S
    assert not hearing.hangs
    hearing.restart(starting=True)
    now[0] += 0.1
    assert hearing.hangs, "it says so once"


def test_the_command_names_the_table_wherever_it_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert camera_command("0", 7, Path("kitchen.table"))[-2:] == ["--table", str(tmp_path / "kitchen.table")]
    assert camera_command("0", 7, None)[-2:] == ["--live", "7"]


class Kept:
    """A camera process that is a few lines of Python, and what it told."""

    def __init__(self, lines: str) -> None:
        self.now_s = 0.0
        self.told: list[Message] = []
        self.process = CameraProcess(
            [sys.executable, "-S", "-c", TALK + lines], (), self.told.append, lambda: self.now_s
        )

    def states(self) -> list[str]:
        return [str(message.told["state"]) for message in self.told if "state" in message.told]


Keep = Callable[[str], Kept]


@pytest.fixture
def keep(monkeypatch: pytest.MonkeyPatch) -> Iterator[Keep]:
    monkeypatch.setattr(camera_process, "GUARD_EVERY_S", 0.01)
    monkeypatch.setattr(camera_process, "FIRST_PAUSE_S", 0.0)
    monkeypatch.setattr(camera_process, "MOST_IN_A_ROW", 3)
    kept: list[Kept] = []

    def begin(lines: str) -> Kept:
        kept.append(Kept(lines))
        return kept[-1]

    yield begin
    for keeper in kept:
        keeper.process.close()


def live(keep: Keep, lines: str) -> tuple[Kept, int]:
    """Return one that has told that it is live, and then does this; and its process."""
    kept = keep(f"tell(told='state', state='live', fault='')\n{lines}")
    assert until(lambda: kept.states() == ["live"])
    assert kept.process.pid is not None
    return kept, kept.process.pid


@pytest.mark.parametrize("lines", ["sys.stdin.read()", "time.sleep(600)"], ids=["it listens", "it doesn't listen"])
def test_what_it_tells_is_heard_until_it_is_closed(keep: Keep, monkeypatch: pytest.MonkeyPatch, lines: str) -> None:
    monkeypatch.setattr(camera_process, "END_S", 0.2)
    kept, pid = live(keep, lines)
    kept.process.close()
    assert until(lambda: ended(pid))
    assert kept.states() == ["live"], "closing is no failure"


def test_its_driver_is_not_waited_for_longer_than_it_is_itself(keep: Keep) -> None:
    patience = "__import__('os').environ['OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT']"
    kept = keep(f"tell(told='state', state={patience}, fault='')\nsys.stdin.read()")
    assert until(kept.states)
    assert 0 < float(kept.states()[0]) < SILENT_S


def test_one_that_is_killed_is_started_again(keep: Keep) -> None:
    kept, first = live(keep, "sys.stdin.read()")
    os.kill(first, signal.SIGKILL)
    assert until(lambda: kept.states() == ["live", "restarting", "live"])
    assert kept.process.pid != first


def test_one_that_hangs_is_ended_and_started_again(keep: Keep) -> None:
    kept, _pid = live(keep, "time.sleep(600)")
    kept.now_s += SILENT_S + 1
    assert until(lambda: kept.states() == ["live", "restarting", "live"])


def test_one_that_always_dies_is_given_up(keep: Keep) -> None:
    kept = keep("sys.exit(1)")
    assert until(lambda: "failed" in kept.states())
    assert kept.states() == ["restarting", "restarting", "failed"]


def test_one_that_tells_nonsense_is_not_believed(keep: Keep) -> None:
    kept = keep("sys.stdout.buffer.write(b'x' * 400)\nsys.stdout.flush()\nsys.stdin.read()")
    assert until(lambda: "failed" in kept.states())


def ended(pid: int) -> bool:
    """Whether a process is over, perhaps not yet buried by whoever inherited it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_it_ends_with_the_app_however_that_ends(tmp_path: Path) -> None:
    app = (
        "import sys, time; from companion.perception.camera_watch import CameraWatch\n"
        f"watch = CameraWatch({str(tmp_path)!r})\n"
        "while watch.state != 'no-camera': time.sleep(0.01)\n"
        "print(watch.pid, flush=True); time.sleep(600)"
    )
    command = [sys.executable, "-c", app]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert not ended(pid)
        parent.kill()
    assert until(lambda: ended(pid))
