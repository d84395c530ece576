"""The note that a running app leaves for programs that follow it: which game is on the table, what the camera does.

It lies in memory (/run), not on the card, is replaced whole, and goes with the app. Where there is no such folder, no
note is written, and whoever follows goes by the saved games alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.core.storage import is_running, is_there
from intake.errors import Unreadable
from intake.files import read_file
from intake.json_text import parse_object

VARIABLE = "GUNBAI_LIVE"
NAME = "live.json"
MOST_BYTES = 10_000


@dataclass(frozen=True, slots=True)
class LiveNote:
    """What a running app notes of itself.

    game: the file of the game at the table, None at home; camera: its `sync.status.Sign`; pid: the app's process.
    """

    game: Path | None = None
    camera: str = "off"
    pid: int = 0

    @property
    def is_alive(self) -> bool:
        """Whether the app that wrote the note still runs: a killed app leaves its note behind."""
        return is_running(self.pid)


def place(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return the note's path: in $GUNBAI_LIVE, else in the user's folder below /run; None if there is neither."""
    named, own = environment.get(VARIABLE, ""), environment.get("XDG_RUNTIME_DIR", "")
    folder = Path(named) if named else Path(own) / "gunbai" if own else None
    return folder / NAME if folder else None


class LiveNoteWriter:
    """Writes the app's note and keeps it current; without a writable folder there is no note."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._last: LiveNote | None = None

    def tell(self, game: Path | None, camera: str) -> None:
        """Write the note anew if anything in it has changed."""
        note = LiveNote(game, camera, os.getpid())
        if self.path is None or note == self._last:
            return
        self._last = note
        text = json.dumps({"game": str(game) if game else None, "camera": camera, "pid": note.pid})
        with suppress(OSError, ValueError):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            part = self.path.with_name(f"{NAME}.new")
            part.write_text(text + "\n", encoding="utf-8")
            part.replace(self.path)

    def forget(self) -> None:
        """Delete the note; call it as the app ends."""
        if self.path is not None:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)


def read_note(path: Path | None) -> LiveNote | None:
    """Read the note of a running app; None if it is missing or invalid, or the app has ended."""
    if path is None or not is_there(path):
        return None
    try:
        told = parse_object(read_file(path, MOST_BYTES).decode())
    except (OSError, Unreadable, UnicodeDecodeError):
        return None
    game, camera, pid = told.get("game"), told.get("camera"), told.get("pid")
    if not isinstance(camera, str) or not isinstance(pid, int) or pid <= 0 or pid > 2**31 - 1:
        return None
    note = LiveNote(Path(game) if isinstance(game, str) and "\0" not in game else None, camera[:40], pid)
    return note if note.is_alive else None
