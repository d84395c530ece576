"""What a start costs, in instructions and bytes, stage by stage; and what that may come to on a Raspberry Pi.

    python -m benchmarks.startup [--size 800x480] [--only app|referee|camera] [--cold]

Each program is run once for each of its stages, and ended where the next one begins, so that what is counted is the
program as it is. Instructions of user space are counted by the processor (`perf stat`) where it lets itself be asked,
else by valgrind. Bytes are those of all files that are opened (strace), as if each were read whole; with --cold, as
root, the machine's cache is emptied first and what really comes from the disk is told, which is far less. The Pi's
figures are an estimate: clock and card are published, instructions per cycle are assumed (docs/measurements.md).
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import children_cpu_s

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("intake", "engine", "vision", "hardware", "companion")
RUNS = 5
CACHES = Path("/proc/sys/vm/drop_caches")
BLOCK_BYTES = 512
READ_AHEAD_KB = "128"  # what a Pi reads of its card at once where a file is touched
OPENED = re.compile(r'(?:open|openat|execve)\((?:AT_FDCWD, )?"([^"]+)"[^\n]* = \d+$', re.MULTILINE)
REFERENCES = re.compile(r"refs:\s+([\d,]+)")
NEW_GAME = (
    '{"do": "new", "board": "sengoku-rivers", "initiative": "red",'
    ' "bonuses": {"sun": "barracks", "moon": "war_room", "star": "shipyard"}}\n'
)

# The program runs until it calls what its first argument names, "module:function" or "module:Class.method"; "-" is at
# once, and "" is at its own end.
UNTIL = """
import importlib, os, sys
def end(*_arguments, **_named):
    os._exit(0)
def end_at(stop):
    name, _, path = stop.partition(":")
    owner = importlib.import_module(name)
    *outer, last = path.split(".")
    for part in outer:
        owner = getattr(owner, part)
    setattr(owner, last, end)
stop = sys.argv.pop(1)
if stop == "-":
    end()
if stop:
    end_at(stop)
"""
COMMAND = UNTIL + "from companion.cli import main\nsys.exit(main(sys.argv[1:]))\n"
LAUNCHER = UNTIL + "import runpy\nrunpy.run_path(sys.argv.pop(1), run_name='__main__')\n"
# Time is made up, so that the same pictures are looked at however slowly they are counted.
CAMERA = (
    UNTIL
    + """
import vision.live.camera_process as camera
def turns(loop, _clock, _wait):
    now_s = 0.0
    while True:
        now_s += loop.run_once(now_s)
if not stop.endswith(":run"):
    camera.run = turns
from vision.live.messages import shared_file
camera.main([*sys.argv[1:], "--live", str(shared_file())])
"""
)


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a start: what it is called, and what begins after it."""

    name: str
    until: str


@dataclass(frozen=True, slots=True)
class Start:
    """A program's start: its text, arguments and input, and its stages one after the other."""

    name: str
    program: str
    arguments: tuple[str, ...]
    stages: tuple[Stage, ...]
    stdin: str | None = None

    def command(self, stage: Stage) -> list[str]:
        """Return the command line that ends after that stage."""
        return [sys.executable, "-P", "-c", self.program, stage.until, *self.arguments]


@dataclass(frozen=True, slots=True)
class Pi:
    """A Raspberry Pi: its clock in GHz, assumed instructions per cycle (few, many), and its card's MB a second."""

    name: str
    clock_ghz: float
    per_cycle: tuple[float, float]
    card_mb_s: float

    def seconds(self, instructions: float) -> tuple[float, float]:
        """Return the (fewest, most) seconds of work for so many instructions."""
        few, many = self.per_cycle
        return instructions / (1e9 * self.clock_ghz * many), instructions / (1e9 * self.clock_ghz * few)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a program cost until a stage's end: instructions of user space, CPU seconds here, bytes of files."""

    instructions: int
    cpu_s: float
    file_bytes: int


PIS = (
    Pi("Pi Zero 2 W", 1.0, (0.35, 0.6), 20.0),
    Pi("Pi 4", 1.8, (0.7, 1.1), 40.0),
    Pi("Pi 5", 2.4, (1.0, 1.5), 80.0),
)

LAUNCHED = Start("launcher", LAUNCHER, (str(ROOT / "gunbai"), "--version"), (Stage("launcher", "os:execve"),))


COMPILED = Start(
    "bytecode of our own, where none is kept",
    "import compileall, sys\nfor room in sys.argv[2:]: compileall.compile_dir(room, quiet=1, force=True)\n",
    tuple(str(ROOT / room) for room in ROOMS),
    (Stage("compiling all modules", ""),),
)


def app(size: str) -> Start:
    """Return the start of `gunbai play` until its first picture is shown."""
    return Start(
        "gunbai play",
        COMMAND,
        ("play", "--size", size),
        (
            Stage("Python itself", "-"),
            Stage("the command line's modules", "companion.cli:main"),
            Stage("the app's modules", "companion.bootstrap:play"),
            Stage("settings, language, board, the app", "companion.view.window.window:run_window"),
            Stage("the screen opened", "companion.view.window.window:Window.__init__"),
            Stage("the first picture, its letters", "pygame.display:flip"),
        ),
    )


def referee() -> Start:
    """Return the start of `gunbai referee` until it has answered its first request."""
    stages = (Stage("Python and modules", "engine.referee:serve"), Stage("board, rules, first answer", ""))
    return Start("gunbai referee", COMMAND, ("referee",), stages, NEW_GAME)


def camera(folder: Path) -> Start:
    """Return the start of the camera process until its first reading has settled, on a demo's pictures in a folder."""
    stages = (
        Stage("Python and modules", "vision.live.camera_process:main"),
        Stage("the table and its weights", "vision.live.camera_process:run"),
        Stage("pictures until the first reading", "vision.live.camera_process:reading_message"),
    )
    frames = folder / "frames"
    frames.mkdir()
    (folder / "final-table.png").rename(frames / "frame.png")
    arguments = ("--camera", str(frames), "--table", str(folder / "demo.table"))
    return Start("the camera's process", CAMERA, arguments, stages)


# ---- counting -----------------------------------------------------------------------------------


def run(command: Sequence[str], stdin: str | None, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, and keep what it says.

    Its input stays open where there is no `stdin`.
    """
    reading, writing = os.pipe()
    try:
        if stdin is not None:
            os.write(writing, stdin.encode())
            os.close(writing)
        return subprocess.run(
            command, stdin=reading, capture_output=True, text=True, check=True, env={**os.environ, **more}
        )
    finally:
        os.close(reading)
        if stdin is None:
            os.close(writing)


def has_counters() -> bool:
    """Return whether this machine's processor lets us count instructions."""
    try:
        counted = run(["perf", "stat", "-x,", "-e", "instructions:u", "true"], "").stderr
    except (OSError, subprocess.CalledProcessError):
        return False
    return counted.partition(",")[0].isdigit()


def count(command: Sequence[str], stdin: str | None, by_processor: bool) -> int:
    """Count the instructions of user space that a program takes."""
    if by_processor:
        return int(run(["perf", "stat", "-x,", "-e", "instructions:u", *command], stdin).stderr.partition(",")[0])
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
    found = REFERENCES.search(run(valgrind, stdin).stderr)
    assert found, "valgrind told no count"
    return int(found[1].replace(",", ""))


def cpu_s(command: Sequence[str], stdin: str | None) -> float:
    """Return the least CPU seconds of several runs."""

    def once() -> float:
        before = children_cpu_s()
        run(command, stdin)
        return children_cpu_s() - before

    return min(once() for _ in range(RUNS))


def opened_bytes(command: Sequence[str], stdin: str | None) -> int:
    """Return the size of all files that a program opens."""
    with tempfile.NamedTemporaryFile("r") as log:
        run(["strace", "-f", "-qq", "-e", "trace=open,openat,execve", "-o", log.name, *command], stdin)
        paths = {Path(path) for path in OPENED.findall(log.read())}
    return sum(path.stat().st_size for path in paths if path.exists() and stat.S_ISREG(path.stat().st_mode))


def disk_bytes(command: Sequence[str], stdin: str | None) -> int:
    """Return what a program reads from the disk if nothing of it is in memory; needs root, to empty the cache."""
    os.sync()
    CACHES.write_text("3")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_inblock
    with reading_ahead():
        run(command, stdin)
    return (resource.getrusage(resource.RUSAGE_CHILDREN).ru_inblock - before) * BLOCK_BYTES


@contextmanager
def reading_ahead() -> Iterator[None]:
    """Let the disk read as far ahead as a Pi does its card, within the context; a server's disk reads megabytes."""
    device = ROOT.stat().st_dev
    block = Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}").resolve()
    setting = next(path for path in (block / "queue", block.parent / "queue") if path.is_dir()) / "read_ahead_kb"
    usual = setting.read_text()
    setting.write_text(READ_AHEAD_KB)
    try:
        yield
    finally:
        setting.write_text(usual)


def costs(start: Start, by_processor: bool, cold: bool) -> list[Cost]:
    """Return what the start has cost by the end of each of its stages."""
    weigh = disk_bytes if cold else opened_bytes
    found = []
    for stage in start.stages:
        command = start.command(stage)
        used_s = cpu_s(command, start.stdin)  # first, so that all bytecode is there
        found.append(Cost(count(command, start.stdin, by_processor), used_s, weigh(command, start.stdin)))
    return found


# ---- the table ----------------------------------------------------------------------------------


def range_text(low: float, high: float) -> str:
    """Format a range of seconds to few digits."""
    digits = 1 if high >= 1 else 2
    return f"{low:.{digits}f} to {high:.{digits}f}"


def report(start: Start, found: Sequence[Cost]) -> None:
    """Print a start: a line a stage, then the whole."""
    print(f"\n{start.name:36} {'M instr.':>9} {'CPU s':>6} {'MB':>7}" + "".join(f" {pi.name:>13}" for pi in PIS))
    before = Cost(0, 0.0, 0)
    for stage, cost in zip(start.stages, found, strict=True):
        part = Cost(
            cost.instructions - before.instructions, cost.cpu_s - before.cpu_s, cost.file_bytes - before.file_bytes
        )
        row(stage.name, part)
        before = cost
    row("in all", before)
    cards = "".join(f" {before.file_bytes / 1e6 / pi.card_mb_s:>11.1f} s" for pi in PIS)
    print(f"{'  and from the card, at most':60}{cards}")
    rate = before.instructions / before.cpu_s
    print(f"  here {rate / 1e9:.2f} thousand million instructions a CPU second")


def row(name: str, cost: Cost) -> None:
    """Print a line of the table."""
    estimates = "".join(f" {range_text(*pi.seconds(cost.instructions)):>11} s" for pi in PIS)
    figures = f"{cost.instructions / 1e6:>9.0f} {cost.cpu_s:>6.2f} {cost.file_bytes / 1e6:>7.1f}"
    print(f"  {name:34} {figures}{estimates}")


def own_places(folder: Path) -> None:
    """Set the environment for a start: no screen, no sound, none of the user's own files.

    All bytecode is kept from a first run.
    """
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYTHONPATH=str(ROOT), PYTHONNOUSERSITE="1")
    os.environ.update(GUNBAI_DATA=str(folder / "data"), PYTHONPYCACHEPREFIX=str(folder / "bytecode"))
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for name in ("DATA", "STATE", "CONFIG", "CACHE"):
        os.environ[f"XDG_{name}_HOME"] = str(folder / name.lower())


def starts(wanted: str, size: str, folder: Path) -> list[Start]:
    """Return the starts that are asked for."""
    found = [LAUNCHED, COMPILED]
    if wanted in ("", "app"):
        found.append(app(size))
    if wanted in ("", "referee"):
        found.append(referee())
    if wanted in ("", "camera"):
        shots = folder / "shots"
        demo = ["demo", "--headless", "--turns", "1", "--pictures", str(shots)]
        run([sys.executable, "-P", "-m", "companion", *demo], "")
        found.append(camera(shots))
    return found


def main() -> None:
    """Run this benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup", description="what a start costs")
    parser.add_argument("--size", default="800x480")
    parser.add_argument("--only", default="", choices=("app", "referee", "camera"))
    parser.add_argument("--cold", action="store_true", help="as root: what really comes from the disk")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        own_places(Path(name))
        by_processor = has_counters()
        print(f"counted by {'the processor' if by_processor else 'valgrind'}, Python {sys.version.split()[0]}")
        for start in starts(options.only, options.size, Path(name)):
            report(start, costs(start, by_processor, options.cold))


if __name__ == "__main__":
    main()
