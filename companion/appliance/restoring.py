"""`gunbai restore`: games out of a copy, beside what is there. Nothing that is there is lost.

A copy is read through twice: first each file is read and what becomes of it is planned, then it is written. Files come
to their names whole, so that a power cut amid it leaves each of them there or not; restored again, the rest follows.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO, Literal

from companion.appliance import copies
from companion.appliance.backing_up import SPARE_BYTES
from companion.appliance.collecting import game_of
from companion.appliance.copies import Content
from companion.appliance.kinds import kind_of
from companion.core import storage
from companion.core.errors import ApplianceError
from companion.core.storage import GAME_SUFFIX
from companion.settings import layers
from intake.errors import Unreadable
from intake.files import read_file
from intake.text import one_line

Fate = Literal["new", "same", "newer here", "longer in the copy", "both", "kept"]
TOLD: Mapping[Fate, str] = {
    "new": "put back",
    "same": "is there already, the same",
    "newer here": "has more steps here than in the copy: stays as it is",
    "longer in the copy": "has fewer steps here than in the copy: the copy's takes its place, this one is kept beside",
    "both": "goes on otherwise here: the copy's is put beside it under another name",
    "kept": "differs here: stays as it is",
}
WRITTEN = ("new", "both", "longer in the copy")
MOST_JUDGED = 200_000_000
"""The most bytes, times their kind's weight, that are read to check files, so that nobody has to wait too long."""
MOST_SHOWN = 240
AT_ONCE = 8
"""How many files are written at the same time: the disk syncs them together."""
BATCH_FILES, BATCH_BYTES = 256, 16_000_000


@dataclass(frozen=True, slots=True)
class Plan:
    """What restoring does with one file of the copy.

    name: the file's name in the copy; digest: its check value; size: in bytes; target: the name under which it is
    written, or is here already; fate: how the copy's and ours compare; game: the name of the game that it lies beside
    in the copy, "" if none.
    """

    name: str
    digest: str
    size: int
    target: str
    fate: Fate
    game: str = ""

    @property
    def path(self) -> Path:
        """The path here where the file will be written, or is already."""
        return path_of(self.target)


def path_of(name: str) -> Path:
    """Return the path here of the file that has this name in a copy."""
    return layers.chosen_file() if name == copies.CHOSEN else storage.data_dir() / name


@dataclass(frozen=True, slots=True)
class Survey:
    """What restoring a copy would do: a plan for each file; left_out: (name, why) of those that stay out."""

    plans: tuple[Plan, ...]
    left_out: tuple[tuple[str, str], ...]

    @property
    def lines(self) -> Iterator[str]:
        """A line for each file in the copy, except for those that only go with their game."""
        yield from (f"{one_line(plan.name)}: {TOLD[plan.fate]}" for plan in self.plans if not plan.game)
        yield from (f"left out: {one_line(name)} ({one_line(why)})" for name, why in self.left_out)


# ---- planning -----------------------------------------------------------------------------------------------------


def survey(file: BinaryIO) -> Survey:
    """Read all of a copy and return what restoring it would do; Unreadable if it is no copy, or damaged."""
    surveyed = _Surveyor()
    for content in copies.contents(file):
        surveyed.take(content)
    plans = tuple(_with_their_games(surveyed))
    return Survey(plans, tuple(surveyed.left_out))


@dataclass(slots=True)
class _Surveyor:
    """The plans made while a copy is read."""

    plans: dict[str, Plan] = field(default_factory=dict)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    no_games: set[str] = field(default_factory=set)
    judged: int = 0

    def take(self, content: Content) -> None:
        """Read the next file of the copy and plan what to do with it."""
        kind = kind_of(content.name)
        if kind is None or content.odd:
            name = content.name if len(content.name) <= MOST_SHOWN else f"{content.name[:MOST_SHOWN]}…"
            self.left_out.append((name, content.odd or "no file that Gunbai has there"))
            return
        fault, data = "too large", b""
        if content.size <= kind.most_bytes:
            data = content.read()
            part = kind.part(data)
            self.judged += kind.weight * len(part)
            fault = "too much to read in one copy" if self.judged > MOST_JUDGED else kind.fault(content.name, part)
        if not fault:
            name, fate = content.name, _fate(content.name, data)
            self.plans[name] = Plan(name, content.digest, content.size, name, fate)
            return
        self.left_out.append((content.name, fault))
        if content.name.endswith(GAME_SUFFIX):
            self.no_games.add(content.name)


def _fate(name: str, data: bytes) -> Fate:
    """Return how a file of the copy compares with the file of that name here."""
    path = path_of(name)
    if not os.path.lexists(path):
        return "new"
    try:
        here = read_file(path, copies.MOST_FILE_BYTES)
    except (OSError, Unreadable):
        return "kept"
    if here == data:
        return "same"
    if not name.endswith(GAME_SUFFIX):
        return "kept"
    if here.startswith(data):
        return "newer here"
    return "longer in the copy" if data.startswith(here) else "both"


def _with_their_games(surveyed: _Surveyor) -> Iterator[Plan]:
    """Yield the plans, those for files beside a game adapted to its plan; leave out files whose game is left out."""
    taken = set(surveyed.plans)
    games = {name: _with_free_name(plan, taken) for name, plan in surveyed.plans.items() if name.endswith(GAME_SUFFIX)}
    for name, plan in surveyed.plans.items():
        if game_of(name, surveyed.no_games):
            surveyed.left_out.append((name, "so is its game"))
        elif name in games:
            yield games[name]
        else:
            game = game_of(name, games)
            yield _plan_with_game(plan, games[game]) if game else plan


def _with_free_name(game: Plan, taken: set[str]) -> Plan:
    """Return the plan, with a target that is free here and in the copy if its fate is "both"."""
    target, number = game.target, 2
    while game.fate == "both" and (target in taken or storage.is_there(path_of(target))):
        target = f"{game.name.removesuffix(GAME_SUFFIX)}-{number}{GAME_SUFFIX}"
        number += 1
    taken.add(target)
    return replace(game, target=target)


def _plan_with_game(plan: Plan, game: Plan) -> Plan:
    """Return the plan for a file beside a game, adapted to the plan for the game.

    A file missing here is written if the game is new, the same, or put beside ours; else it stays out.
    """
    if game.fate == "both":
        return replace(plan, target=game.target + plan.name.removeprefix(game.name), fate="new", game=game.name)
    stays = plan.fate == "new" and game.fate not in ("new", "same")
    return replace(plan, fate="kept" if stays else plan.fate, game=game.name)


# ---- writing ------------------------------------------------------------------------------------------------------


def restore(file: BinaryIO, surveyed: Survey) -> None:
    """Write the files that a survey planned to restore.

    ApplianceError, before anything is written, if a game to be replaced is being played, or there is too little
    room.
    """
    plans = {plan.name: plan for plan in surveyed.plans if plan.fate in WRITTEN}
    size = sum(plan.size for plan in plans.values())
    place = storage.data_dir().absolute()
    free = shutil.disk_usage(next(folder for folder in (place, *place.parents) if folder.exists())).free
    if free < size + SPARE_BYTES:
        told = f"the disk has {free // 1_000_000} MB free, and what is to be put back takes {size // 1_000_000} MB"
        raise ApplianceError(f"{place}: {told}: nothing was restored")
    for plan in plans.values():
        if plan.fate == "longer in the copy":
            with plan.path.open("rb") as game:
                _refuse_played(plan.path, game)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for batch in _batches(file, plans):
            for _done in pool.map(_put, batch, batch.values()):
                pass
            for folder in {plan.path.parent for plan in batch}:
                storage.sync_folder(folder)


def _batches(file: BinaryIO, plans: Mapping[str, Plan]) -> Iterator[dict[Plan, bytes]]:
    """Yield batches of the files to be written, as {plan: bytes}."""
    batch: dict[Plan, bytes] = {}
    size = 0
    for content in copies.contents(file):
        plan = plans.get(content.name)
        if plan is None or content.odd:
            continue
        content.compare(plan.digest)
        batch[plan] = content.read()
        size += content.size
        if size > BATCH_BYTES or len(batch) == BATCH_FILES:
            yield batch
            batch, size = {}, 0
    yield batch


def _put(plan: Plan, data: bytes) -> None:
    """Write a restored file, keeping a shorter game beside it; leave a file that has appeared there meanwhile."""
    path = plan.path
    path.parent.mkdir(parents=True, exist_ok=True)
    if plan.fate == "longer in the copy":
        with path.open("rb") as file:
            _refuse_played(path, file)
            here = file.read()
            if data.startswith(here):
                storage.keep_aside(path, here)
                storage.atomic_write(path, data)
    elif not os.path.lexists(path):
        storage.atomic_write(path, data, "soon")


def _refuse_played(path: Path, file: BinaryIO) -> None:
    if not storage.lock(file.fileno()):
        raise ApplianceError(f"{path}: this game is being played; leave it and try again")
