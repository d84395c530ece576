"""What a stranger, a bad card or a slip may leave in a file's place."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable, Mapping
from pathlib import Path

FAR = 50_000_000


def _socket(path: Path) -> None:
    """Make a socket, bound from its own folder because its name may be no longer than a hundred bytes."""
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(path.name)
    finally:
        os.chdir(here)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(FAR)


STRANGE: Mapping[str, Callable[[Path], object]] = {
    "nothing": lambda path: None,
    "an empty file": lambda path: path.write_bytes(b""),
    "a folder": lambda path: path.mkdir(),
    "a pipe": os.mkfifo,
    "a socket": _socket,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a link to itself": lambda path: path.symlink_to(path.name),  # which root cannot open either
    "a link to nowhere": lambda path: path.symlink_to("nowhere"),
    "noise": lambda path: path.write_bytes(bytes(n * n % 251 for n in range(5000))),
    "no UTF-8": lambda path: path.write_bytes(b'language = "caf\xe9"\n'),
    "zeros": lambda path: path.write_bytes(bytes(4096)),
    "digits in TOML": lambda path: path.write_text("a = " + "9" * 5000),
    "digits in JSON": lambda path: path.write_text('{"spent_s": {"red": ' + "9" * 5000 + "}}\n"),
    "infinity in JSON": lambda path: path.write_text('{"spent_s": {"red": 1e400}, "table": NaN}\n'),
    "deep TOML": lambda path: path.write_text("a = " + "[" * 3000),
    "deep JSON": lambda path: path.write_text('{"a":' * 3000),
    "50 MB": _sparse,
}


def put(kind: str, path: Path) -> None:
    """Put something strange in a file's place."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    STRANGE[kind](path)
