"""The machine that is changed: the one place that starts programs, and lists of actions that can be undone.

An action undoes itself where it fails halfway. A power cut undoes nothing: so each action leaves the machine as usable
as it was, and the one that counts is a single rename.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from companion.appliance import rights
from companion.appliance.layout import Layout
from companion.core.errors import ApplianceError

LAST_S = 1800  # a program that takes longer is given up: pip on a slow card takes minutes


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a program ended: its exit status (124: it took too long, 127: not found) and all that it printed."""

    status: int
    output: str

    @property
    def well(self) -> bool:
        """Whether the program succeeded."""
        return self.status == 0

    @property
    def last(self) -> str:
        """The last line it printed that isn't blank; "no output" if there is none."""
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        return lines[-1] if lines else "no output"


def _try_lock(handle: int) -> bool:
    """Lock a file without waiting; return whether that worked.

    Not `core.storage.lock`, which needs a package: installing runs before there are any.
    """
    import fcntl  # exists on Linux only, unlike the command line

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def exclusive(layout: Layout) -> Iterator[None]:
    """Lock out other installs and updates below this root meanwhile; ApplianceError if one is running."""
    # Lock root's own folder, which nobody else can open; the tree's if a mounted tree has none.
    own = layout.root / "root"
    handle = os.open(own if own.is_dir() else layout.root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if not _try_lock(handle):
            raise ApplianceError("another install or update is running; try again when it's done")
        yield
    finally:
        os.close(handle)


class Host:
    """The machine, to run programs on. For a mounted tree (`layout.here` false), services are left alone."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def run(self, *command: str, extra: Mapping[str, str] | None = None, shown: bool = False) -> RunResult:
        """Run a program and return how it ended; one that is missing or takes too long doesn't raise.

        extra: added to its environment; shown: its stderr goes to ours instead of into the result.
        """
        always = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
        environment = {**rights.tool_environment(os.environ), **always, **(extra or {})}
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
        """Run a program as this user and the group of that name, without any way back to root.

        If we aren't root, run it as ourselves.
        """
        if not self.is_root():
            return self.run(*command, extra=extra)
        lowered = ("setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", "--no-new-privs", "--")
        return self.run("setsid", "--wait", *lowered, *command, extra={"HOME": "/", **(extra or {})})

    def systemctl(self, *words: str) -> RunResult:
        """Run `systemctl` with these words; for a mounted tree do nothing and report success."""
        return self.run("systemctl", *words) if self.layout.here else RunResult(0, "")

    def run_or_raise(self, *command: str) -> None:
        """Run a program that has to succeed; ApplianceError with its last line if it fails."""
        ran = self.run(*command)
        if not ran.well:
            raise ApplianceError(f"{' '.join(command[:2])} failed: {ran.last}")

    def sync(self) -> None:
        """Flush everything written so far to the disks."""
        os.sync()

    def wait(self, seconds: float) -> None:
        """Sleep for this many seconds."""
        time.sleep(seconds)

    def is_root(self) -> bool:
        """Return whether this process runs as root."""
        return rights.is_root()


# ---- things done one after the other; where one fails, those before it are undone --------------------------------


Undo = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Action:
    """One change to the machine, with its line in the list that is shown first.

    told: its line, "" for none; do: carries it out and returns how to undo it, None if it can't or needn't be.
    """

    told: str
    do: Callable[[], Undo | None]


def without_undo(do: Callable[..., object], *arguments: object) -> None:
    """Call `do` and return None, so that `carry_out` has nothing to undo."""
    do(*arguments)


def carry_out(actions: Iterable[Action], watched: Callable[[int], object] = lambda _done: None) -> None:
    """Do all actions in order; if one fails, undo those done, the last first, and let its exception through.

    `watched` is called after each with the number done so far.
    """
    with plain_rights(), ExitStack() as undone:
        for done, action in enumerate(actions, 1):
            undo = action.do()
            if undo is not None:
                undone.callback(undo)
            watched(done)
        undone.pop_all()


@contextmanager
def plain_rights() -> Iterator[None]:
    """Set the umask to 022 meanwhile: everybody may read new files, only their owner write them."""
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)
