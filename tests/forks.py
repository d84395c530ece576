"""Processes that begin at once: each is a fork of one that has loaded what they need, and lives and dies alone.

`python -m tests.forks MODULES` loads these modules, then reads a request a line, forks for each and says how it ended.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import TypedDict

ROOT = Path(__file__).resolve().parents[1]
IDLE: dict[str, list[Forker]] = {}
"""The processes that wait for a request, by what they have loaded."""


class Request(TypedDict):
    """A task for a fork.

    call: "module:function", called without arguments, whose result is the exit status; argv: what
    it finds in `sys.argv`; cwd, environment: its own; out, err: the files that it writes to.
    """

    call: str
    argv: list[str]
    cwd: str
    environment: dict[str, str]
    out: str
    err: str


class Forker:
    """A process that has loaded some modules, and forks; one fork at a time."""

    def __init__(self, key: str, options: Sequence[str], environment: Mapping[str, str]) -> None:
        self.key = key
        self._process = subprocess.Popen(
            [sys.executable, *options, "-m", "tests.forks", key],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        atexit.register(self.close)

    def ask(self, request: Request) -> int:
        """Have a process forked; return its number."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        return self.told()

    def has_told(self) -> bool:
        """Tell whether there is an answer to be read."""
        assert self._process.stdout is not None
        return bool(select.select([self._process.stdout], [], [], 0)[0])

    def told(self) -> int:
        """Return the next number that it says, which is waited for."""
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """End it; what it has forked lives on."""
        atexit.unregister(self.close)
        self._process.communicate()


class Fork:
    """A running fork; as a `subprocess.Popen` it has a number, can be asked for its end, and killed."""

    def __init__(self, forker: Forker, request: Request) -> None:
        self._forker = forker
        self.pid = forker.ask(request)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return its exit status, negative where a signal ended it; None while it runs."""
        if self.returncode is None and self._forker.has_told():
            self.wait()
        return self.returncode

    def wait(self) -> int:
        """Wait for its end; return its exit status."""
        if self.returncode is None:
            self.returncode = self._forker.told()
            IDLE[self._forker.key].append(self._forker)
        return self.returncode

    def kill(self) -> None:
        """End it, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, 9)


def fork(modules: Sequence[str], request: Request, options: Sequence[str], environment: Mapping[str, str]) -> Fork:
    """Begin a process in which these modules are loaded already.

    Python's options and variables are those of the first request for these modules.
    """
    idle = IDLE.setdefault(" ".join(modules), [])
    return Fork(idle.pop() if idle else Forker(" ".join(modules), options, environment), request)


def serve() -> Request:
    """Fork for each request; returns in the forks alone."""
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    for line in requests:
        child = os.fork()
        if child == 0:
            requests.close()
            answers.close()
            request: Request = json.loads(line)
            return request
        print(child, file=answers, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=answers, flush=True)
    sys.exit()


def become(request: Request) -> int:
    """Do what was asked for; return the exit status."""
    with ExitStack() as files:
        for number, path in enumerate((os.devnull, request["out"], request["err"])):
            file = files.enter_context(Path(path).open("r+b"))
            os.dup2(file.fileno(), number)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["cwd"])
    sys.argv[:] = request["argv"]
    module, _, name = request["call"].partition(":")
    status: int | None = getattr(import_module(module), name)()
    return status or 0


if __name__ == "__main__":
    for module in sys.argv[1].split():
        import_module(module)
    sys.exit(become(serve()))
