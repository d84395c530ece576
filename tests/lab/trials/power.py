"""The power cut in mid-game: ext4 on a disk that forgets what wasn't flushed. What was confirmed is there again."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import cv2

from tests.lab.guest.kept import kept
from tests.lab.machine import LabError, Machine, from_state, run_here
from tests.lab.trial import APP, APP_S, TOLD, Lab, devices, ensure, wait_for_app
from tests.lab.volatile_disk import VolatileDisk

RECORDED = Path(__file__).parents[2] / "games" / "whole-tie.jsonl"
GAMES = "/var/lib/gunbai/games"
HOME = "/opt/gunbai/current"
AS_USER = "/usr/bin/setpriv --reuid=gunbai --regid=gunbai --init-groups"
AS_US = f"{AS_USER} env PYTHONPATH={HOME} {HOME}/.venv/bin/python -P"
US = 1_000_000
PLAY_S = 600.0  # at most, on a busy host
CHANGES = 200  # of the game that is cut in many places
MOST_CHANGES = 20  # before the one cut that a machine is started after

Told: TypeAlias = dict[str, tuple[str, int]]
"""What the player says: {"will" or "is": (a game's name, its steps)}."""
Kept: TypeAlias = tuple[int, str]
"""How many steps of a game the disk has, and what is wrong with the rest."""


def cuts(lab: Lab) -> str:
    """Check a game's disk as each of many power cuts would have left it; the game is played once."""
    folder = lab.results / "power"
    rng = random.Random(lab.seed)
    spoiled = torn = 0
    confirmed: list[int] = []
    with _played(lab, lab.seed, CHANGES) as (disk, heard):
        first = next(number for number, mark in enumerate(disk.marks) if mark)
        for number in range(1, lab.cuts + 1):
            moment = rng.randint(first, len(disk.orders) - 1)
            spoiled += disk.after_cut(moment, folder / "cut.raw", rng)
            told = read_told(heard[: disk.marks[moment]])
            torn += check(told, look(folder / "cut.raw", folder / "mounted"), f"cut {number}, before order {moment}")
            confirmed.append(sum("is" in line for line in told))
        orders = len(disk.orders) - first
    (folder / "cut.raw").unlink()
    done = f"{lab.cuts} cuts in a game of {CHANGES} changes and {orders} writes and flushes, {min(confirmed)} to"
    return (
        f"{done} {max(confirmed)} changes confirmed, none lost; {spoiled} writes lost or torn, {torn} lines cut short"
    )


def again(lab: Lab) -> str:
    """After a cut the machine starts again without a hand: its file system, the games, the app."""
    folder = lab.results / "power"
    rng = random.Random(lab.seed)
    with _played(lab, lab.seed, rng.randint(1, MOST_CHANGES)) as (disk, heard):
        disk.after_cut(len(disk.orders), folder / "cut.raw", rng)
    told, words = read_told(heard), f"file={folder / 'cut.raw'},format=raw,cache=unsafe"
    with Machine(lab.image, words, folder / "machine", devices(folder / "machine")) as machine:
        machine.boot()
        check(told, _kept(machine), "after the cut")
        seconds = _check_machine(machine)
        cv2.imwrite(str(folder / "again.png"), machine.picture())
        (folder / "again.journal").write_text(machine.run("journalctl -b --no-pager"), encoding="utf-8")
    (folder / "cut.raw").unlink()
    return f"{sum('is' in line for line in told)} changes confirmed, none lost; READY {seconds:.0f} s after the kernel"


@contextmanager
def _played(lab: Lab, seed: int, changes: int) -> Iterator[tuple[VolatileDisk, bytes]]:
    """Yield a disk whose machine lost its power in mid-game after so many changes, and what was said until then."""
    lab.end()
    lab.make_ready()
    folder = lab.results / "power"
    heard = folder / "machine" / TOLD
    heard.parent.mkdir(parents=True, exist_ok=True)
    heard.write_bytes(b"")
    with VolatileDisk(lab.ready_disk, folder, lambda: heard.stat().st_size) as disk:
        words = (*devices(folder / "machine"), *from_state(lab.ready_state))
        with Machine(lab.image, disk.words, folder / "machine", words) as machine:
            machine.go_on()
            machine.boot()
            _play(machine, heard, seed, changes)
        yield disk, heard.read_bytes()


def look(disk: Path, place: Path) -> dict[str, Kept]:
    """Mount the disk, return what there is of the games, and check that its file system is sound then."""
    place.mkdir(exist_ok=True)
    run_here("mount", "-o", "loop", str(disk), str(place))
    try:
        games = (place / GAMES.lstrip("/")).glob("lab-*.jsonl")
        found = {path.name: kept(RECORDED, path) for path in games}
    finally:
        run_here("umount", str(place))
    run_here("e2fsck", "-fn", str(disk))
    return found


def _play(machine: Machine, heard: Path, seed: int, changes: int) -> None:
    """Begin to play, and wait until so many changes are confirmed."""
    recorded = machine.push("/run/lab/recorded.jsonl", RECORDED.read_bytes())
    player = machine.helper("player")
    machine.run(f"{AS_US} {player} {recorded} {GAMES} {seed} >/dev/virtio-ports/gunbai.{TOLD} 2>/run/lab/player.txt &")
    until_s = time.monotonic() + PLAY_S
    while heard.read_bytes().count(b'"is"') < changes:
        if time.monotonic() > until_s:
            raise LabError(f"nothing is played: {machine.try_run('cat /run/lab/player.txt')[1]}")
        time.sleep(0.05)


def _kept(machine: Machine) -> dict[str, Kept]:
    recorded = machine.push("/run/lab/recorded.jsonl", RECORDED.read_bytes())
    return _read_kept(machine.run(f"{AS_US} {machine.helper('kept')} {recorded} {GAMES}"))


def _read_kept(told: str) -> dict[str, Kept]:
    found = json.loads(told.splitlines()[-1])
    return {name: (steps, words) for name, (steps, words) in found.items()}


def _check_machine(machine: Machine) -> float:
    """Check that the file system and the app come up unaided; return when the app was READY.

    In seconds since the kernel began.
    """
    ensure(" rw," in machine.run("grep ' / ' /proc/mounts"), "the disk is read-only")
    faults = machine.try_run("journalctl -b -k --no-pager | grep -E 'EXT4-fs (error|warning)'")[1]
    ensure(not faults, faults)
    wait_for_app(machine, APP_S)
    ensure(machine.property(APP, "NRestarts") == "0", "the app took more than one start")
    return int(machine.property(APP, "ActiveEnterTimestampMonotonic")) / US


def read_told(data: bytes) -> list[Told]:
    """Return what the player said, except for a line cut short: it was said, but nobody heard it whole."""
    return [json.loads(line) for line in data.split(b"\n")[:-1] if line.strip()]


def check(told: Sequence[Told], kept: dict[str, Kept], when: str) -> int:
    """Every game is as it was confirmed last, or as the change under way would have it: how many lines are torn."""
    confirmed: dict[str, int] = {}
    under_way: tuple[str, int] | None = None
    for line in told:
        for what, (game, steps) in line.items():
            if what == "is":
                confirmed[game] = steps
                under_way = None
            else:
                under_way = game, steps
    for game, steps in confirmed.items():
        there, words = kept.get(game, (-1, "no file"))
        may_be = {steps} | ({under_way[1]} if under_way is not None and under_way[0] == game else set())
        ensure(
            there in may_be, f"{when}: {game} had {steps} steps confirmed, the disk has {there} ({words or 'sound'})"
        )
    return sum(bool(words) for _steps, words in kept.values())
