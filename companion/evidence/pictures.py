"""Pictures kept beside a saved game: for each turn a small one of what it changed, and the last whole frames.

They lie in the folder `GAME.jsonl.evidence` beside `GAME.jsonl`, as `turn-0012-3f9a01c2d4e5.jpg`: the number of the
last step that the picture shows, and the mark of the game up to that step. A picture whose mark is not the game's own
at that step, because the step was taken back, is nobody's evidence and goes. What a picture shows is said in its JPEG
comment, so that each is one file, there whole or not at all. Nothing here opens a picture.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from companion.core import storage
from companion.games.journal import OrdersJournal, mark_of
from companion.games.match import Match
from intake.errors import Unreadable
from intake.files import read_file
from intake.jpeg import comment_of, with_comment
from intake.json_text import parse_object
from intake.pictures import check_picture

Kind = Literal["turn", "frame"]
FOLDER_SUFFIX = ".evidence"
NAME_FORM = re.compile(r"(turn|frame)-(\d{4,6})-([0-9a-f]{12})\.jpg")
VERSION = 1
MOST_FRAMES = 3
"""The most whole frames kept for a game: each is as large as all of its small pictures."""
MOST_BYTES = 64_000_000
"""The most bytes that the pictures of all games take together."""
MOST_PICTURE_BYTES = 16_000_000


@dataclass(frozen=True, slots=True)
class Name:
    """The parts of a kept picture's file name: its kind, the last step it shows, and the game's mark at that step."""

    kind: Kind
    step: int
    mark: str

    @property
    def text(self) -> str:
        """The file's name."""
        return f"{self.kind}-{self.step:04}-{self.mark}.jpg"


@dataclass(frozen=True, slots=True)
class KeptPicture:
    """A kept picture. name: its parsed file name; size_px: (width, height); about: the JSON in its JPEG comment."""

    path: Path
    name: Name
    data: bytes
    size_px: tuple[int, int]
    about: Mapping[str, Any]

    @property
    def first(self) -> int:
        """The number, from 1, of the first step that the picture shows."""
        first = self.about.get("first")
        return first if isinstance(first, int) and 0 < first <= self.name.step else self.name.step

    @property
    def areas(self) -> Mapping[str, str]:
        """{area: "agrees" or "differs"}, whether each area in a turn's picture looked as the game says."""
        areas = self.about.get("areas")
        return {str(area): str(state) for area, state in areas.items()} if isinstance(areas, dict) else {}


def folder_of(game: Path) -> Path:
    """Return the folder of a saved game's pictures, which need not exist."""
    return game.with_name(game.name + FOLDER_SUFFIX)


def name_in(path: Path) -> Name | None:
    """Parse the name of a picture's file; None for a file that is not ours."""
    form = NAME_FORM.fullmatch(path.name)
    if form is None:
        return None
    return Name("turn" if form[1] == "turn" else "frame", int(form[2]), form[3])


def keep(folder: Path, name: Name, jpeg: bytes, about: Mapping[str, object]) -> None:
    """Write a picture into the folder in one go, `about` in its comment; OSError if the disk refuses.

    It isn't synced: a power cut may cost the last pictures.
    """
    folder.mkdir(exist_ok=True)
    comment = json.dumps({"kind": f"gunbai-{name.kind}", "version": VERSION, **about}).encode()
    storage.atomic_write(folder / name.text, with_comment(jpeg, comment), "some time")


def picture_files(folder: Path) -> list[tuple[Path, Name]]:
    """Return (path, parsed name) of the kept pictures in a folder, the latest step first; [] if there is no folder."""
    found = [(path, name) for path in sorted(folder.glob("*.jpg")) if (name := name_in(path)) is not None]
    return sorted(found, key=lambda entry: (-entry[1].step, entry[1].kind))


def frames_beside(game: Path, journal: OrdersJournal) -> tuple[KeptPicture, ...]:
    """Read the whole frames beside a saved game that belong to its course, the newest first, without broken ones."""
    lines = journal.lines
    return tuple(
        found
        for path, name in picture_files(folder_of(game))
        if name.kind == "frame" and name.step < len(lines) and mark_of(lines[: name.step + 1]) == name.mark
        if (found := _read(path, name)) is not None
    )


def _belongs(match: Match, name: Name) -> bool:
    return name.step <= len(match.steps) and match.mark(name.step) == name.mark


def kept_pictures(match: Match, kind: Kind = "turn") -> tuple[KeptPicture, ...]:
    """Read the kept pictures that belong to the game as it is now, the newest first, without broken ones."""
    names = [
        entry for entry in picture_files(folder_of(match.path)) if entry[1].kind == kind and _belongs(match, entry[1])
    ]
    return tuple(found for path, name in names if (found := _read(path, name)) is not None)


def _read(path: Path, name: Name) -> KeptPicture | None:
    try:
        data = read_file(path, MOST_PICTURE_BYTES)
        about = parse_object(comment_of(data) or b"")
        size = check_picture(data)
    except (OSError, Unreadable):
        return None
    if about.get("kind") != f"gunbai-{name.kind}":
        return None
    return KeptPicture(path, name, data, size, about)


def stale(match: Match) -> tuple[Path, ...]:
    """Return the paths of pictures to be deleted: those of undone steps, and whole frames beyond the last few."""
    found = picture_files(folder_of(match.path))
    frames = [path for path, name in found if name.kind == "frame" and _belongs(match, name)]
    return (*(path for path, name in found if not _belongs(match, name)), *frames[MOST_FRAMES:])


def drop(paths: Iterable[Path]) -> None:
    """Delete files; those that don't exist are no error."""
    for path in paths:
        path.unlink(missing_ok=True)


def prune(games: Path, most_bytes: int = MOST_BYTES, played: Sequence[str] = ()) -> None:
    """Delete the pictures of games that are gone, then the oldest ones until all take at most `most_bytes`.

    played: the games' names, the one played last first, as the clock may be wrong by years. OSError if the disk
    refuses.
    """
    folders = [folder for folder in games.glob(f"*{FOLDER_SUFFIX}") if folder.is_dir() and not folder.is_symlink()]
    for folder in folders:
        with suppress(OSError):  # one that can't be removed must not keep the others
            drop(folder.glob("*.jpg.new-*"))  # what a power cut left half written
            if not os.path.lexists(folder.with_name(folder.name.removesuffix(FOLDER_SUFFIX))):
                drop(path for path, _ in picture_files(folder))
                if not any(folder.iterdir()):  # a file that is not ours stays, and the folder with it
                    folder.rmdir()
    rank = {f"{name}{FOLDER_SUFFIX}": n for n, name in enumerate(played)}
    total, left = 0, [folder for folder in folders if folder.is_dir()]
    for folder in sorted(left, key=lambda folder: (rank.get(folder.name, len(rank)), -folder.stat().st_mtime_ns)):
        for path, _name in picture_files(folder):
            total += path.stat().st_size
            if total > most_bytes:
                path.unlink(missing_ok=True)
