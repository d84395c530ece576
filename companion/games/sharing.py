"""Files that people take away from the app: a result as a picture and as a text, on a stick or in the user's folder."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

from companion.core.errors import MatchError
from companion.core.sticks import out_of_here
from companion.core.storage import atomic_write, data_dir

FOLDER = "shared"

Draw = Callable[[Path], None]
"""Draws a picture into a PNG file of that name; OSError where it cannot be written."""


def day_of(path: Path) -> str:
    """Return the day on which a file was last written, as far as the machine knew the time: "2026-11-21"."""
    return date.fromtimestamp(path.stat().st_mtime).isoformat()


def shared_dir() -> Path:
    """Return the folder for such files: a memory stick, or one created if missing; OSError if it can't be."""
    folder = out_of_here(data_dir() / FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def share(name: str, text: str, draw: Draw | None) -> tuple[Path, ...]:
    """Write `name.txt`, and `name.png` where it can be drawn; the files. An earlier pair of that name is replaced.

    MatchError where the disk refuses.
    """
    folder = out_of_here(data_dir() / FOLDER)
    written = [folder / f"{name}.txt"]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        atomic_write(written[0], text.encode())
        if draw is not None:
            written.insert(0, folder / f"{name}.png")
            draw(written[0])
    except OSError as error:
        raise MatchError(f"{folder}: can't be written ({error.strerror})") from error
    return tuple(written)
