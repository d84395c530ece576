"""The lab's hands inside the machine do what they are told, and hang on nothing."""

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

import pytest

from tests.lab.machine import GUEST
from tests.patience import PATIENCE_S
from tests.programs import needs

pytestmark = needs("bash", "seq", "sleep")


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


def test_a_line_of_shell_is_run(wire: Wire) -> None:
    assert wire.ask({"run": "echo here; echo there >&2; exit 3", "limit_s": PATIENCE_S}) == {
        "status": 3,
        "output": "here\nthere\n",
    }


def test_much_output_arrives_whole(wire: Wire) -> None:
    assert len(wire.ask({"run": "seq 20000", "limit_s": PATIENCE_S})["output"].splitlines()) == 20000


def test_what_takes_too_long_is_ended_with_all_that_it_began(wire: Wire) -> None:
    began_s = time.monotonic()
    assert wire.ask({"run": "sleep 1000 & sleep 1000", "limit_s": 0.2})["status"] == 124
    assert time.monotonic() - began_s < PATIENCE_S


def test_what_is_left_running_holds_nothing_up(wire: Wire) -> None:
    process = int(wire.ask({"run": "sleep 1000 & echo $!", "limit_s": PATIENCE_S})["output"])
    os.kill(process, signal.SIGKILL)


def test_a_file_is_written(wire: Wire, tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    data = base64.b64encode(b"\0\xff").decode()
    assert wire.ask({"put": str(path), "data": data, "mode": 0o600})["status"] == 0
    assert path.read_bytes() == b"\0\xff"
    assert path.stat().st_mode & 0o777 == 0o600
