"""Faults of the camera: its process is killed, frozen or garbled, its pictures go black, it is unplugged.

One app watches a simulated table for all of them, through a folder of pictures; the eye is the real one, in its own
process. While the camera is away one player passes by touch. Then the other does a turn on the board alone: all is well
once the app has seen it, offered it, and taken it at one touch.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.demo.autoplayer import deployments
from companion.demo.table import SimulatedTable
from companion.drill.place import Place, pass_turn
from companion.drill.player import DrillFailed, Recovery, ensure, until
from companion.games.journal import read_journal
from engine.orders.game import apply, owed
from engine.orders.position import Position
from vision.frame import jpeg_of
from vision.geometry import Picture
from vision.live.messages import Message, write_message

SETTLE_S = 60.0
NOTICE_S = 30.0
JPEG_QUALITY = 95
GARBAGE = 100_000
PROGRAM = b"vision.live.camera_process"
NONSENSE = Message({"told": "state"})  # well formed, and it lacks all that a state has


class PictureFolder:
    """A folder of pictures that stands in for a camera."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._away = path.with_name(f"{path.name}-away")
        self._count = 0
        path.mkdir()

    def take(self, picture: Picture) -> None:
        """Add the camera's next picture to the folder, whole or not at all."""
        self._count += 1
        beside = self.path / "next.part"
        beside.write_bytes(jpeg_of(picture, JPEG_QUALITY))
        beside.rename(self.path / f"{self._count:04}.jpg")

    def unplug(self) -> None:
        """Remove the camera."""
        self.path.rename(self._away)

    def plug_in(self) -> None:
        """Bring the camera back."""
        self._away.rename(self.path)


class Watched:
    """An app at a simulated table that a camera watches."""

    def __init__(self, place: Place) -> None:
        self.camera = PictureFolder(place.folder / f"camera-{time.monotonic_ns()}")
        self._simulated = SimulatedTable(place.board, 1)
        table = place.folder / "kitchen.table"
        self._simulated.calibrated().save(table)
        self._rng = random.Random(1)
        game = place.new_game()
        self.show(read_journal(game).last)
        self.player = place.play(["--game", str(game), "--table", str(table), "--camera", str(self.camera.path)])
        pass_turn(self.player)
        self.play_seen_turn()

    def show(self, position: Position) -> None:
        """Lay this position on the table, under the camera."""
        self._simulated.lay(position)
        self.camera.take(self._simulated.photo())

    def darken(self) -> None:
        """Show the camera a black picture, until the next one."""
        self.camera.take(self._simulated.photo() * 0)

    def play_seen_turn(self) -> float:
        """Do a turn on the board alone and take it once the app offers it; return how long that took, in seconds."""
        position = read_journal(self.player.game).last
        self.show(  # a turn that moves units and owes nothing: a camera can see it whole
            next(
                after
                for step in deployments(position, self._rng)
                if step.moves and owed(after := apply(position, step)) is None
            )
        )
        before = self.player.confirmed
        waited_s = self.player.wait(lambda glass: "take" in glass.touch, SETTLE_S, "a turn on the board was not seen")
        self.player.tap("take")
        ensure(len(self.player.confirmed) == len(before) + 1, "the turn that was seen was not taken")
        self.player.check_kept()
        return waited_s

    def pass_by_touch(self) -> float:
        """Pass by touch, as the camera is away; return how long that took, in seconds."""
        began_s = time.monotonic()
        pass_turn(self.player)
        self.player.check_kept()
        return time.monotonic() - began_s

    def process(self) -> int:
        """Return the id of the camera process that is running now, waiting for one if needed."""
        until(lambda: _children(self.player.pid), NOTICE_S, "there is no camera process")
        return _children(self.player.pid)[0]

    def wait_for_new_process(self, process: int) -> float:
        """Wait until a camera process other than this one runs; return how long that took, in seconds."""
        return until(
            lambda: any(child != process for child in _children(self.player.pid)),
            NOTICE_S,
            "the camera process was not started again",
        )


def _children(parent: int) -> list[int]:
    """Return the ids of an app's camera processes."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            about = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(about[1]) == parent and about[0] != "Z" and PROGRAM in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


# ---- the faults ---------------------------------------------------------------------------------


def kill_camera(place: Place) -> Recovery:
    """Send SIGKILL to the camera process."""
    return _end_and_replace(place, signal.SIGKILL, "a new process after {again:.1f} s")


def freeze_camera(place: Place) -> Recovery:
    """Send SIGSTOP to the camera process: it exists, but says nothing."""
    return _end_and_replace(place, signal.SIGSTOP, "given up after {again:.1f} s of silence")


def _end_and_replace(place: Place, number: signal.Signals, told: str) -> Recovery:
    """Signal the camera process; check that touches still work and that another process takes its place."""
    watched = place.shared(Watched)
    process = watched.process()
    os.kill(process, number)
    began_s = time.monotonic()
    touch_s = watched.pass_by_touch()
    again_s = watched.wait_for_new_process(process)
    return _well(watched, began_s, f"{told.format(again=again_s)}; a touch meanwhile took {touch_s:.1f} s")


def black_out_camera(place: Place) -> Recovery:
    """Make the camera's pictures black, as with a covered lens or no light."""
    watched = place.shared(Watched)
    watched.darken()
    began_s = time.monotonic()
    lost_s = watched.player.wait(lambda glass: glass.sign == "lost", NOTICE_S, "black pictures were not noticed")
    told = watched.player.glass.fault
    watched.pass_by_touch()
    return _well(watched, began_s, f"after {lost_s:.1f} s the screen said: {told}")


def unplug_camera(place: Place) -> Recovery:
    """Unplug the camera, and plug it in again."""
    watched = place.shared(Watched)
    watched.camera.unplug()
    began_s = time.monotonic()
    lost_s = watched.player.wait(lambda glass: glass.sign == "lost", NOTICE_S, "a camera that is gone was not noticed")
    ensure(watched.player.glass.says("Lost the camera"), "the screen does not say that the camera is lost")
    watched.pass_by_touch()
    watched.camera.plug_in()
    return _well(watched, began_s, f"after {lost_s:.1f} s the screen said that the camera is lost")


def garble_pipe(place: Place) -> Recovery:
    """Write random bytes, then a nonsensical message, on the pipe from the camera process to the app."""
    watched = place.shared(Watched)
    began_s = time.monotonic()
    _garbled_by(watched, lambda pipe: os.write(pipe, random.Random(1).randbytes(GARBAGE)))
    _garbled_by(watched, _tell_nonsense)
    watched.pass_by_touch()
    return _well(watched, began_s, "twice the process was not believed, and another one was started")


def _garbled_by(watched: Watched, write: Callable[[int], object]) -> None:
    process = watched.process()
    pipe = os.open(_pipe_of(process), os.O_WRONLY | os.O_NONBLOCK)
    try:
        with suppress(BrokenPipeError, BlockingIOError):
            write(pipe)
    finally:
        os.close(pipe)
    watched.wait_for_new_process(process)


def _tell_nonsense(pipe: int) -> None:
    with os.fdopen(os.dup(pipe), "wb") as out:
        write_message(out, NONSENSE)


def _pipe_of(process: int) -> Path:
    """Return the pipe on which a camera process reports what it sees, found among its open files."""
    folder = Path(f"/proc/{process}")
    for handle in (folder / "fd").iterdir():
        about = (folder / "fdinfo" / handle.name).read_text()
        flags = int(next(line.split()[1] for line in about.splitlines() if line.startswith("flags")), 8)
        if flags & os.O_ACCMODE == os.O_WRONLY and str(handle.readlink()).startswith("pipe:"):
            return handle
    raise DrillFailed("the camera process has no pipe to the app")


def _well(watched: Watched, began_s: float, told: str) -> Recovery:
    """Take the next turn seen on the board, check that the terminal is clean, and return the recovery."""
    watched.play_seen_turn()
    watched.player.check_quiet()
    return Recovery(told, time.monotonic() - began_s)
