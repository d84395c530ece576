"""`gunbai backup`: the saved games, owners' boards, decks, battles, tables, tags and choices in one file, read again.

Games may be played meanwhile: a journal only grows by whole lines or is replaced in one go, so a file that has not
changed while it and what lies beside it were read is one moment of its game.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

from companion import settings, storage
from companion.appliance import copies
from companion.appliance.owners import as_owner
from companion.errors import ApplianceError

KEPT = 14
SPARE_BYTES = 100_000_000
MOST_FILE_BYTES = 50_000_000
TRIES = 20
NAME = re.compile(r"gunbai-(\d{6})-\d{4}-\d\d-\d\d\.tar\.gz")
LEFT_OUT = re.compile(r".*\.new-\d+|index\.json")
PICTURES = ".evidence"


@dataclass(frozen=True, slots=True)
class Copied:
    """What came of it. path: the copy, or the last one where nothing has changed since; files: how many it holds; made:
    whether it is new; gone: copies that were thinned out.
    """

    path: Path
    files: int
    made: bool
    gone: tuple[str, ...] = ()


def default_folder() -> Path:
    """Where copies go when nobody says where."""
    return storage.data_dir() / "backups"


def back_up(folder: Path, kept: int = KEPT, today: date | None = None) -> Copied | None:
    """Copy what there is into this folder; None where there is nothing to copy. ApplianceError: no room.

    Root reads as the owner of the games, and writes as the owner of the folder.
    """
    with as_owner(storage.data_dir()):
        files = collect()
    if not files:
        return None
    with as_owner(storage.data_dir() if folder == default_folder() else folder):
        return _kept_in(folder, files, kept, today or date.today())


def _kept_in(folder: Path, files: dict[str, bytes], kept: int, today: date) -> Copied:
    last = newest(folder)
    if last is not None and _same(last, files):
        return Copied(last, len(files), made=False)
    data = copies.to_bytes(files)
    folder.mkdir(parents=True, exist_ok=True)
    gone = _make_room(folder, len(data))
    path = folder / f"gunbai-{_number(last) + 1:06}-{today}.tar.gz"
    _write(path, data)
    return Copied(path, len(files), made=True, gone=(*gone, *_thin(folder, kept)))


def found(folder: Path) -> list[Path]:
    """The copies in a folder, the oldest first."""
    return sorted(path for path in folder.glob("gunbai-*.tar.gz") if NAME.fullmatch(path.name))


def newest(folder: Path) -> Path | None:
    """The last copy in a folder."""
    return next(reversed(found(folder)), None)


def _number(path: Path | None) -> int:
    """A copy's number; the clock of a Pi without network is no good for an order."""
    match = NAME.fullmatch(path.name) if path else None
    return int(match[1]) if match else 0


def _same(path: Path, files: dict[str, bytes]) -> bool:
    """Whether a copy is sound and holds just these files."""
    try:
        return copies.read(path) == files
    except ApplianceError:
        return False


def _write(path: Path, data: bytes) -> None:
    """Write it beside, read it again from the disk, and give it its name; ApplianceError where it reads otherwise."""
    beside = path.with_name(f".{path.name}.part")
    beside.unlink(missing_ok=True)
    try:
        storage.create(beside, data)
        _forget(beside)
        copies.read(beside)
        beside.rename(path)
    finally:
        beside.unlink(missing_ok=True)
    storage.sync_folder(path.parent)


def _forget(path: Path) -> None:
    """Let the system forget what it holds of a file in memory, so that reading it asks the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(handle)


def _make_room(folder: Path, size: int) -> list[str]:
    """Remove the oldest copies, but never the last one, until this many bytes leave enough free."""
    old, gone = found(folder), []
    while shutil.disk_usage(folder).free < size + SPARE_BYTES and len(old) > 1:
        gone.append(old[0].name)
        old.pop(0).unlink()
    free = shutil.disk_usage(folder).free
    if free < size + SPARE_BYTES:
        raise ApplianceError(f"{folder}: the disk is nearly full ({free // 1_000_000} MB free): no copy was made")
    return gone


def _thin(folder: Path, kept: int) -> list[str]:
    old = found(folder)[:-kept]
    for path in old:
        path.unlink()
    return [path.name for path in old]


# ---- what is copied --------------------------------------------------------------------------------------------


def collect() -> dict[str, bytes]:
    """{name in the copy: bytes} of all that is copied; pictures are not, nor what can be worked out anew."""
    data = storage.data_dir()
    found = [path for folder in copies.FOLDERS for path in sorted((data / folder).rglob("*")) if _is_copied(data, path)]
    games = [path for path in found if path.suffix == storage.GAME_SUFFIX]
    with_game = {beside for game in games for beside in _with(game)}
    taken: dict[str, bytes] = {}
    for game in games:
        taken.update(_at_one_moment(data, partial(_with, game)))
    for path in (path for path in found if path not in with_game):
        taken.update(_at_one_moment(data, partial(_alone, path)))
    chosen = settings.chosen_file()
    if chosen.is_file():
        taken[copies.CHOSEN] = _bytes(chosen)
    return taken


def _with(game: Path) -> list[Path]:
    """A game and what lies beside it under its name."""
    return [game, *sorted(game.parent.glob(f"{game.name}.*"))]


def _alone(path: Path) -> list[Path]:
    return [path]


def _is_copied(data: Path, path: Path) -> bool:
    hidden = any(part.startswith(".") or part.endswith(PICTURES) for part in path.relative_to(data).parts)
    return not hidden and not LEFT_OUT.fullmatch(path.name) and path.is_file() and not path.is_symlink()


def _at_one_moment(data: Path, listed: Callable[[], list[Path]]) -> dict[str, bytes]:
    """Read files that belong together until none has changed, come or gone meanwhile; ApplianceError: no rest."""
    for _try in range(TRIES):
        paths = [path for path in listed() if _is_copied(data, path)]
        with suppress(FileNotFoundError):
            before = _states(paths)
            taken = {str(path.relative_to(data)): _bytes(path) for path in paths}
            if _states([path for path in listed() if _is_copied(data, path)]) == before:
                return {name: text for name, text in taken.items() if len(text) <= MOST_FILE_BYTES}
    raise ApplianceError(f"{data}: changes all the time: no copy was made")


def _states(paths: list[Path]) -> list[tuple[Path, int, int, int]]:
    found = [(path, path.stat()) for path in paths]
    return [(path, about.st_ino, about.st_mtime_ns, about.st_size) for path, about in found]


def _bytes(path: Path) -> bytes:
    """A file's bytes, not through a link; of a journal whole lines only."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    with os.fdopen(handle, "rb") as file:
        data = file.read()
    return data[: data.rfind(b"\n") + 1] if path.suffix == storage.GAME_SUFFIX else data
