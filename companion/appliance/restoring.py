"""`gunbai restore`: games out of a copy, beside what is there. Nothing that is there is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from companion import settings, storage
from companion.appliance import copies
from companion.errors import ApplianceError

Fate = Literal["new", "same", "newer here", "longer in the copy", "both", "kept"]
TOLD: Mapping[Fate, str] = {
    "new": "put back",
    "same": "is there already, the same",
    "newer here": "has more steps here than in the copy: stays as it is",
    "longer in the copy": "has fewer steps here than in the copy: the copy's takes its place, this one is kept beside",
    "both": "goes on otherwise here: the copy's is put beside it under another name",
    "kept": "differs here: stays as it is",
}


@dataclass(frozen=True, slots=True)
class Plan:
    """What becomes of one file of the copy: its name there, the file it is about here, and how the two stand."""

    name: str
    path: Path
    fate: Fate


def plans(files: Mapping[str, bytes]) -> tuple[Plan, ...]:
    """What restoring these files would do, without doing it."""
    return tuple(_plan(name, data) for name, data in files.items() if _is_main(name, files))


def _is_main(name: str, files: Mapping[str, bytes]) -> bool:
    """Whether a file stands for itself; what lies beside a game goes with it."""
    return name.endswith(storage.GAME_SUFFIX) or not any(name.startswith(game + ".") for game in _games(files))


def _games(files: Mapping[str, bytes]) -> Iterator[str]:
    return (name for name in files if name.endswith(storage.GAME_SUFFIX))


def _plan(name: str, data: bytes) -> Plan:
    path = settings.chosen_file() if name == copies.CHOSEN else storage.data_dir() / name
    if not path.exists():
        return Plan(name, path, "new")
    here = path.read_bytes()
    if here == data:
        return Plan(name, path, "same")
    if not name.endswith(storage.GAME_SUFFIX):
        return Plan(name, path, "kept")
    if here.startswith(data):
        return Plan(name, path, "newer here")
    return Plan(name, path, "longer in the copy" if data.startswith(here) else "both")


def restore(files: Mapping[str, bytes], planned: tuple[Plan, ...]) -> None:
    """Do it; ApplianceError for a game that is being played and would be replaced."""
    for plan in planned:
        if plan.fate == "new":
            _put(files, plan.name, plan.path)
        elif plan.fate == "both":
            _put(files, plan.name, storage.free_path(plan.path))
        elif plan.fate == "longer in the copy":
            _replace(plan.path, files[plan.name])


def _put(files: Mapping[str, bytes], name: str, path: Path) -> None:
    """Write a file, and for a game what lies beside it in the copy; the game itself last."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for beside in (one for one in files if one.startswith(name + ".")):
        place = path.with_name(path.name + beside.removeprefix(name))
        if not place.exists():
            storage.create(place, files[beside])
    storage.create(path, files[name])


def _replace(path: Path, data: bytes) -> None:
    with path.open("rb") as file:
        if not storage.lock(file.fileno()):
            raise ApplianceError(f"{path}: this game is being played; leave it and try again")
        storage.keep_aside(path, file.read())
        storage.atomic_write(path, data)
