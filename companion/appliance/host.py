"""The machine that is asked to do things: the one place that starts programs."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from companion.appliance import rights
from companion.appliance.layout import Layout
from companion.core.errors import ApplianceError

LAST_S = 1800  # a program that takes longer is given up: pip on a slow card takes minutes


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a program ended: its exit status (127: it is not there) and all that it printed."""

    status: int
    output: str

    @property
    def well(self) -> bool:
        """Whether it did what it was asked to."""
        return self.status == 0

    @property
    def last(self) -> str:
        """The last line that says something."""
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        return lines[-1] if lines else "no output"


def _try_lock(handle: int) -> bool:
    """Take the lock without waiting. Not `core.storage.lock`: installing runs where our packages are not there yet."""
    import fcntl  # Linux's, as all of the appliance; the command line is there elsewhere too

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def exclusive(layout: Layout) -> Iterator[None]:
    """Keep others from installing or updating below this root meanwhile; ApplianceError where somebody does."""
    # Root's own folder is locked, which nobody else can open; where a mounted tree has none, the tree's.
    own = layout.root / "root"
    handle = os.open(own if own.is_dir() else layout.root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if not _try_lock(handle):
            raise ApplianceError("another install or update is running; try again when it's done")
        yield
    finally:
        os.close(handle)


class Host:
    """Runs programs. For a mounted tree (`layout.here` false) the services of the running system are left alone."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def run(self, *command: str, extra: Mapping[str, str] | None = None, shown: bool = False) -> RunResult:
        """Run a program to its end; `extra` is added to its environment, `shown`: its errors are seen as they come."""
        always = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
        environment = {**rights.handed_on(os.environ), **always, **(extra or {})}
        try:
            done = subprocess.run(
                command,
                env=environment,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=None if shown else subprocess.STDOUT,
                text=True,
                errors="replace",
                timeout=LAST_S,
                check=False,
            )
        except FileNotFoundError:
            return RunResult(127, f"{command[0]}: not found")
        except subprocess.TimeoutExpired:
            return RunResult(124, f"{command[0]}: did not end")
        return RunResult(done.returncode, done.stdout)

    def run_as(self, user: str, *command: str, extra: Mapping[str, str] | None = None) -> RunResult:
        """Run a program as this user and the group of that name, with no way back to root, not by its terminal either.

        Anybody but root runs it as themselves.
        """
        if not self.is_root():
            return self.run(*command, extra=extra)
        lowered = ("setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", "--no-new-privs", "--")
        return self.run("setsid", "--wait", *lowered, *command, extra={"HOME": "/", **(extra or {})})

    def systemctl(self, *words: str) -> RunResult:
        """Ask systemd; nothing is asked for a mounted tree, and all is well there."""
        return self.run("systemctl", *words) if self.layout.here else RunResult(0, "")

    def need(self, *command: str) -> None:
        """Run what has to succeed; ApplianceError with its last line where it does not."""
        ran = self.run(*command)
        if not ran.well:
            raise ApplianceError(f"{' '.join(command[:2])} failed: {ran.last}")

    def sync(self) -> None:
        """Bring everything that was written to the disk."""
        os.sync()

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        time.sleep(seconds)

    def is_root(self) -> bool:
        """Return whether this process may change the machine."""
        return rights.is_root()
