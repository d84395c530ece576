"""Thoughts: work done in another process, what it has found so far, and whether it is done.

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
"""Yields what it finds, one result after the other. For another process it must be picklable: a module's function, or
`functools.partial` of one with values."""


class Thought(Protocol[Found_co]):
    """Work under way."""

    @property
    def state(self) -> State:
        """The state as of the last `news`; a thought that was stopped is "done"."""

    def news(self) -> tuple[Found_co, ...]:
        """Return what the work has found since the last call, in order.

        In another process it neither waits nor raises, so it may be called once a frame.
        """

    def stop(self) -> None:
        """End the work at once; nothing more is found."""


class Thinking(Protocol):
    """Starts work and returns it as a thought."""

    def begin(self, work: Work[Result]) -> Thought[Result]:
        """Start the work and return its thought, which is "failed" if it couldn't be started."""


class InlineThought:
    """A thought that does all of its work in the first call of `news`."""

    def __init__(self, work: Work[Any]) -> None:
        self._work: Work[Any] | None = work

    @property
    def state(self) -> State:
        """The state: "done" after the first `news` or `stop`."""
        return "done" if self._work is None else "thinking"

    def news(self) -> tuple[Any, ...]:
        """Do the work and return all it finds, () the second time; what the work raises is raised."""
        work, self._work = self._work, None
        return () if work is None else tuple(work())

    def stop(self) -> None:
        """Drop the work, so that `news` finds nothing."""
        self._work = None


class InlineThinking:
    """Starts thoughts that do their work in the caller's thread: for tests and pictures."""

    def begin(self, work: Work[Result]) -> Thought[Result]:
        """Return a thought that does its work in the first call of `news`."""
        return InlineThought(work)


LENGTH = struct.Struct(">I")
"""Before each result: its length in bytes; zero if the work is done."""
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
        """The process's id; None if it didn't start, or once `news` or `stop` has ended it."""
        return None if self._child is None else self._child.pid

    def news(self) -> tuple[Any, ...]:
        """Return what the process has found since the last call, in order; a failure only changes `state`."""
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
            with suppress(subprocess.TimeoutExpired):  # it has closed its pipe: let it print why and end by itself
                self._child.wait(END_S)
        if self.state != "thinking":
            self._end()
        return tuple(pickle.loads(result) for result in found if result)

    def _read(self) -> bool:
        """Take over the bytes received so far; return whether the process has closed its end of the pipe."""
        while not self._heard.empty():
            chunk = self._heard.get()
            if not chunk:
                return True
            self._told += chunk
        return False

    def _next(self) -> bytes | None:
        """Return the bytes of the next result, b"" if the work is done; None while not all bytes have come."""
        if len(self._told) < LENGTH.size:
            return None
        end = LENGTH.size + LENGTH.unpack_from(self._told)[0]
        if len(self._told) < end:
            return None
        result = bytes(self._told[LENGTH.size : end])
        del self._told[:end]
        return result

    def stop(self) -> None:
        """Kill the process if it still runs."""
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
    """Queue what comes through a pipe, then an empty chunk when its other end is closed."""
    with pipe:
        while chunk := os.read(pipe.fileno(), CHUNK_BYTES):
            heard.put(chunk)
    heard.put(b"")


class ProcessThinking:
    """Starts thoughts in processes of their own, and ends them with `close`."""

    def __init__(self, module: str = WORKER) -> None:
        self._module = module
        self._begun: list[ProcessThought] = []

    def begin(self, work: Work[Result]) -> Thought[Result]:
        """Start the work in a new process and return its thought."""
        thought = ProcessThought(work, self._module)
        self._begun = [running for running in self._begun if running.state == "thinking"] + [thought]
        return thought

    def close(self) -> None:
        """Stop all thoughts begun here."""
        for thought in self._begun:
            thought.stop()


# ---- one answer, for a thread that waits for it ---------------------------------------------------


def answer_elsewhere(work: Callable[[], Result], fault: type[Exception]) -> Result:
    """Do the work in a process of its own, to free all its memory afterwards, and wait for its result.

    work: must be picklable, and so must its result. fault: an exception of this type that the work raises is raised
    here, and a new one if the process ended before its work was done.
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
    if isinstance(result, Exception):  # `_told` catches nothing but the fault
        raise result
    return result


def _told(work: Callable[[], Result], fault: type[Exception]) -> Iterator[Result | Exception]:
    """Yield what the work returns, or the fault that it raises."""
    try:
        yield work()
    except fault as error:
        yield error
