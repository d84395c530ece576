"""The lab's hands inside the machine: runs what it is told over a port, a line of JSON each way. Standard library only.

{"run": a line for bash, "limit_s": seconds} is answered by {"status": 124 where it took too long, "output"};
{"put": path, "data": base64, "mode": bits} by {"status": 0, "output": ""}.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any


def run(line: str, limit_s: float) -> dict[str, Any]:
    """Run a line of shell; what it leaves running may go on, and does not hold the answer up."""
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(
            ["/bin/bash", "-c", line],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
        try:
            status = child.wait(limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            status = 124
        output.seek(0)
        return {"status": status, "output": output.read().decode(errors="replace")}


def put(path: Path, data: bytes, mode: int) -> dict[str, Any]:
    """Write a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(mode)
    return {"status": 0, "output": ""}


def answer(order: dict[str, Any]) -> dict[str, Any]:
    """Carry out one order and return the reply to it."""
    if "put" in order:
        return put(Path(order["put"]), base64.b64decode(order["data"]), order["mode"])
    return run(order["run"], order["limit_s"])


def say(handle: int, data: bytes) -> None:
    """Write all of it; the port takes a part at a time."""
    while data:
        data = data[os.write(handle, data) :]


def main(port: Path) -> None:
    """Answer orders for ever."""
    while not port.exists():
        time.sleep(0.2)
    with port.open("r+b", buffering=0) as line:
        heard = b""
        while True:
            data = line.read(1 << 16)
            if not data:  # nobody is at the other end
                time.sleep(0.2)
                continue
            *orders, heard = (heard + data).split(b"\n")
            for order in orders:
                say(line.fileno(), json.dumps(answer(json.loads(order))).encode() + b"\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
