"""Thoughts: work that goes on elsewhere, what has come of it so far, and whether it is over.

Each has a process of its own, that starts with its thought and ends with it; in tests and pictures it is thought in
place. A process is given its work as a file in memory, so that nobody waits until it reads, and answers through a pipe,
which a thread reads as it is filled: not every system can be asked what is in one. It can be killed at any moment.
"""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import IO, Any, Literal, Protocol, TypeVar

from companion.core.log import tell
from companion.core.own_process import memory_file, own_command, own_environment

Found_co = TypeVar("Found_co", covariant=True)
Result = TypeVar("Result")
State = Literal["thinking", "done", "failed"]
Work = Callable[[], Iterable[Result]]
"""What is thought through: yields what it finds, one thing after the other. For another process it must pickle: a
function of a module, or `functools.partial` of one with values."""


class Thought(Protocol[Found_co]):
    """Work under way."""

    @property
    def state(self) -> State:
        """As of the last look at its news; a thought that was stopped is done."""

    def news(self) -> tuple[Found_co, ...]:
        """Return what was found since the last look, in order.

        Takes no time: to be asked once a frame. Never raises.
        """

    def stop(self) -> None:
        """End the work at once, as nobody wants to know any more, and find nothing more."""


class Thinking(Protocol):
    """Where thoughts are begun."""

    def begin(self, work: Work[Result]) -> Thought[Result]:
        """Start the work; where it can't be started, the thought has failed."""


class InlineThought:
    """Thinks it all when it is first asked for news."""

    def __init__(self, work: Work[Any]) -> None:
        self._work: Work[Any] | None = work

    @property
    def state(self) -> State:
        """Done, once its news was asked for."""
        return "done" if self._work is None else "thinking"

    def news(self) -> tuple[Any, ...]:
        """Return all that is found; what the work raises is raised."""
        work, self._work = self._work, None
        return () if work is None else tuple(work())

    def stop(self) -> None:
        """Find nothing."""
        self._work = None


class InlineThinking:
    """Thinks while it is asked: for tests and pictures."""

    def begin(self, work: Work[Result]) -> Thought[Result]:
        """Return a thought that begins only when its news are first asked for."""
        return InlineThought(work)


LENGTH = struct.Struct(">I")
"""Before each result: its bytes. A length of zero says that the work is done."""
CHUNK_BYTES = 1 << 16
END_S = 1.0
LOOK_S = 0.05
WORKER = "companion.thinking.worker"


class ProcessThought:
    """A thought and its process; only the process that made it is believed, so its results may be pickles."""

    def __init__(self, work: Work[Any], module: str) -> None:
        self.state: State = "thinking"
        self._told = bytearray()
        self._heard: SimpleQueue[bytes] = SimpleQueue()
        self._child: subprocess.Popen[bytes] | None = None
        try:
            self._child = _start(work, module)
        except OSError as error:
            tell("error", f"thinking: {error}")
            self.state = "failed"
            return
        listening = (self._child.stdout, self._heard)
        self._listener = threading.Thread(target=_listen, args=listening, name="thinking", daemon=True)
        self._listener.start()

    @property
    def pid(self) -> int | None:
        """Of its process; None once that has ended."""
        return None if self._child is None else self._child.pid

    def news(self) -> tuple[Any, ...]:
        """Return what has come through the pipe since the last look."""
        if self._child is None:
            return ()
        ended = self._read()
        found = []
        while self.state == "thinking" and (result := self._next()) is not None:
            found.append(result)
            if not result:
                self.state = "done"
        if self.state == "thinking" and ended:
            self.state = "failed"
            tell("error", "thinking: the process ended before its work was done")
            with suppress(subprocess.TimeoutExpired):  # it has closed its pipe: let it say why, and end by itself
                self._child.wait(END_S)
        if self.state != "thinking":
            self._end()
        return tuple(pickle.loads(result) for result in found if result)

    def _read(self) -> bool:
        """Take what is in the pipe; whether its other end is closed."""
        while not self._heard.empty():
            chunk = self._heard.get()
            if not chunk:
                return True
            self._told += chunk
        return False

    def _next(self) -> bytes | None:
        """Return the bytes of the next result, b"" where the work is done; None while it has not come whole."""
        if len(self._told) < LENGTH.size:
            return None
        end = LENGTH.size + LENGTH.unpack_from(self._told)[0]
        if len(self._told) < end:
            return None
        result = bytes(self._told[LENGTH.size : end])
        del self._told[:end]
        return result

    def stop(self) -> None:
        """End the process, if it has not ended."""
        if self.state == "thinking":
            self.state = "done"
        self._end()

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            self._listener.join(END_S)
            with suppress(subprocess.TimeoutExpired):
                child.wait(END_S)


def _start(work: Work[Any], module: str) -> subprocess.Popen[bytes]:
    with memory_file("gunbai-work") as given:
        pickle.dump(work, given)
        given.seek(0)
        return subprocess.Popen(own_command(module), stdin=given, stdout=subprocess.PIPE, env=own_environment())


def _listen(pipe: IO[bytes], heard: SimpleQueue[bytes]) -> None:
    """Read a pipe until its other end is closed, and say that by an empty chunk."""
    with pipe:
        while chunk := os.read(pipe.fileno(), CHUNK_BYTES):
            heard.put(chunk)
    heard.put(b"")


class ProcessThinking:
    """Begins thoughts in processes, and ends those that go on."""

    def __init__(self, module: str = WORKER) -> None:
        self._module = module
        self._begun: list[ProcessThought] = []

    def begin(self, work: Work[Result]) -> Thought[Result]:
        """Start a process for it."""
        thought = ProcessThought(work, self._module)
        self._begun = [running for running in self._begun if running.state == "thinking"] + [thought]
        return thought

    def close(self) -> None:
        """End them all."""
        for thought in self._begun:
            thought.stop()


# ---- one answer, for a thread that waits for it ---------------------------------------------------


def answer_elsewhere(work: Callable[[], Result], fault: type[Exception]) -> Result:
    """Do the work in a process of its own, which all that it held goes with; wait for it and return what it found.

    work: picklable, like what it returns. fault: what the work may raise is raised here, and another one where the
    process ended before its work was done.
    """
    thought = ProcessThought(partial(_told, work, fault), WORKER)
    try:
        while not (found := thought.news()):
            if thought.state != "thinking":
                raise fault("the work was cut short: try again")
            time.sleep(LOOK_S)
    finally:
        thought.stop()
    result: Result | Exception = found[0]
    if isinstance(result, Exception):  # nothing else than the fault is caught where the work is done
        raise result
    return result


def _told(work: Callable[[], Result], fault: type[Exception]) -> Iterator[Result | Exception]:
    """Yield what the work returns, or the fault that it raises."""
    try:
        yield work()
    except fault as error:
        yield error
