"""What copies of the saved games cost: time and memory of `gunbai backup` and `gunbai restore` with many games.

    python -m benchmarks.copies [--games 1000 10000]

Each command runs in a process of its own, on a shelf of games of some 20 kB, what lies beside them, and a few tables.
Its processor time is also told as a ratio to what packing the same bytes alone takes in the same run.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LINES_A_GAME = 200
TABLES, TABLE_BYTES = 4, 3_000_000
PNG_HEAD = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\7\x80\0\0\5\xa0\x08\2\0\0\0"
MOVES = ("advance:c4", "advance:b3", "siege:d5", "reinforce:1", "bombard:e2")
AREAS = ("a1", "b3", "b5", "c4", "d5", "e2", "f6")


@dataclass(frozen=True)
class Cost:
    """What a command took: seconds on the clock, of the processor, and the most memory in MB."""

    wall_s: float
    cpu_s: float
    peak_mb: float


def furnish(data: Path, games: int) -> int:
    """Fill a shelf with so many games; return how many bytes lie there."""
    chance = random.Random(games)
    folder = data / "games"
    folder.mkdir(parents=True)
    size = 0
    for number in range(games):
        path = folder / f"2026-{number:06}.jsonl"
        size += path.write_bytes(game(chance, LINES_A_GAME))
        size += path.with_name(f"{path.name}.undone").write_bytes(game(chance, 3))
        size += path.with_name(f"{path.name}.clock.json").write_bytes(b'{"spent_s": {"red": 812.5, "black": 903.0}}\n')
    (data / "tables").mkdir()
    for number in range(TABLES):
        size += (data / f"tables/board-{number}.table").write_bytes(table(chance))
    return size


def game(chance: random.Random, count: int) -> bytes:
    """Return the lines of a made-up game, each with a check value."""
    lines = [b'{"do": "new", "board": "sengoku-rivers", "initiative": "red", "sum": "9c5d38ab"}\n']
    for _line in range(count):
        moves = {chance.choice(AREAS): {"troop": chance.randint(1, 6)}, chance.choice(AREAS): {"ship": 1}}
        step = {"deploy": chance.choice(MOVES), "moves": moves, "sum": f"{chance.getrandbits(32):08x}"}
        lines.append(json.dumps(step).encode() + b"\n")
    return b"".join(lines)


def table(chance: random.Random) -> bytes:
    """Return a file as large as a table's, and as hard to compress; of its pictures only the heads are real."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as pack:
        pack.writestr("table.json", '{"kind": "gunbai-table"}')
        pack.writestr("reference.png", PNG_HEAD + chance.randbytes(TABLE_BYTES))
    return out.getvalue()


def run(words: Sequence[str], place: Path, data: Path) -> Cost:
    """Run a command to its end in a process of its own."""
    environment = {**os.environ, "GUNBAI_DATA": str(data), "XDG_CONFIG_HOME": str(place / "config")}
    began_s = time.monotonic()
    pid = os.posix_spawn(
        sys.executable,
        (sys.executable, "-m", "companion", *words),
        environment,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )
    _pid, status, used = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"{' '.join(words)}: status {os.waitstatus_to_exitcode(status)}")
    return Cost(time.monotonic() - began_s, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def packing_s(data: Path) -> float:
    """Return the processor time, in seconds, that packing all of it takes by itself."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    began_s = time.process_time()
    for path in sorted(data.rglob("*")):
        if path.is_file():
            packer.compress(path.read_bytes())
    packer.flush()
    return time.process_time() - began_s


def tell(what: str, cost: Cost, alone_s: float) -> None:
    """Print a line of the table."""
    ratio = cost.cpu_s / alone_s
    print(f"  {what:34}{cost.wall_s:8.1f}{cost.cpu_s:8.1f}{ratio:8.1f}{cost.peak_mb:8.0f}", flush=True)


def measure(place: Path, games: int) -> None:
    """Print all that is measured of a shelf of so many games."""
    data, stick, other = place / "data", place / "stick", place / "other"
    size = furnish(data, games)
    pack_s = packing_s(data)
    first = run(["backup", "--to", str(stick)], place, data)
    (copy,) = stick.glob("gunbai-*.tar.gz")
    print(f"{games} games, {size / 1e6:.0f} MB, in a copy of {copy.stat().st_size / 1e6:.0f} MB")
    print(f"  {'':34}{'s':>8}{'cpu s':>8}{'ratio':>8}{'MB':>8}")
    tell("backup", first, pack_s)
    tell("backup, nothing has changed", run(["backup", "--to", str(stick)], place, data), pack_s)
    tell("restore --dry-run", run(["restore", "--dry-run", str(copy)], place, other), pack_s)
    tell("restore, all is new", run(["restore", str(copy)], place, other), pack_s)
    tell("restore, all is there", run(["restore", str(copy)], place, other), pack_s)
    compared = subprocess.run(["diff", "-r", str(data), str(other)], stdout=subprocess.DEVNULL, check=False)
    if compared.returncode:
        raise SystemExit("what was restored is not what was copied")


def main() -> int:
    """Run this benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.copies", description="what copies of many games cost")
    parser.add_argument("--games", type=int, nargs="+", default=[1000, 10_000])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for games in parser.parse_args().games:
        place = Path(tempfile.mkdtemp(prefix="gunbai-copies-"))
        try:
            measure(place, games)
        finally:
            shutil.rmtree(place)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
