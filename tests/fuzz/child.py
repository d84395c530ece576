"""The process in which a target reads, started by `runner.py` alone.

It limits itself: a CPU clock for each input ends it by SIGPROF, the size of its address space bounds what it can get.
What goes wrong otherwise is one line of JSON in the job's file of findings. Its counts, and the input that it reads
now, lie in memory that its parent has too: they outlive it, however it ends. With a guide it knows which inputs lead
further: those that reach a line of the project that none before them has reached.
"""

from __future__ import annotations

import base64
import json
import mmap
import os
import resource
import signal
import struct
import sys
import time
import traceback
import zlib
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import IO, Any

from tests.fuzz.spoil import MOST_BYTES, Stock, made
from tests.fuzz.target import Broken, Target, Work, hold, hold_line
from tests.fuzz.targets import target_named

# ---- what it tells its parent -----------------------------------------------------------------

_HEAD = struct.Struct("<qQQQQQdQQ")
HEAD_BYTES = 128
NOBODY = -(2**62)


@dataclass(slots=True)
class Notes:
    """A child's counts, kept where its parent can read them.

    number: of the input that is read now, those of the seeds below 0; length: its bytes; inputs: how many there
    were with it; read, refused, passed: how many ended so; slowest_s: CPU time of the slowest; peak_kb: the most memory
    that the process has had; digest: a check value of all inputs.
    """

    number: int = NOBODY
    length: int = 0
    inputs: int = 0
    read: int = 0
    refused: int = 0
    passed: int = 0
    slowest_s: float = 0.0
    peak_kb: int = 0
    digest: int = 0


class Slate:
    """The shared memory: a file that parent and child have mapped."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            with path.open("wb") as file:
                file.truncate(HEAD_BYTES + MOST_BYTES)
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), HEAD_BYTES + MOST_BYTES)

    def write(self, notes: Notes, data: bytes | None = None) -> None:
        """Put the notes down, and the input that is about to be read."""
        if data is not None:
            self._memory[HEAD_BYTES : HEAD_BYTES + len(data)] = data
        _HEAD.pack_into(self._memory, 0, *astuple(notes))

    def notes(self) -> Notes:
        """Return the counts as they stand now."""
        return Notes(*_HEAD.unpack_from(self._memory, 0))

    def data(self) -> bytes:
        """Return the input that was read last."""
        return self._memory[HEAD_BYTES : HEAD_BYTES + self.notes().length]

    def close(self) -> None:
        """Let go of the memory; the file stays."""
        self._memory.close()


# ---- what leads further -----------------------------------------------------------------------

ROOT = Path(__file__).resolve().parents[2]
ROOMS = tuple(f"{ROOT / room}/" for room in ("intake", "engine", "vision", "hardware", "companion"))
OFTEN = 40
"""So often a function is followed without anything new in it; then it isn't any more, as following takes its time."""


class Guide:
    """Follows functions of the project's rooms, and knows every line that was reached."""

    def __init__(self, rooms: tuple[str, ...] = ROOMS) -> None:
        self._rooms = rooms
        self._lines: set[tuple[CodeType, int]] = set()
        self._patience: dict[int, int] = {}
        self._kept: list[CodeType] = []  # so that no other code gets the number of one that is known
        self._new = False

    def led_further(self, read: Callable[[], object]) -> bool:
        """Do this; whether it reached a line that nothing before it did. What it raises is raised."""
        self._new = False
        before = sys.gettrace()
        sys.settrace(self._called)
        try:
            read()
        finally:
            sys.settrace(before)
        return self._new

    @property
    def new(self) -> bool:
        """Whether the last thing done reached a new line."""
        return self._new

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        left = self._patience.get(id(code))
        if left is None:
            self._kept.append(code)
            left = OFTEN if code.co_filename.startswith(self._rooms) else 0
        self._patience[id(code)] = left - 1
        return self._reached if left > 0 else None

    def _reached(self, frame: FrameType, event: str, argument: Any) -> Any:
        place = (frame.f_code, frame.f_lineno)
        if event == "line" and place not in self._lines:
            self._lines.add(place)
            self._patience[id(frame.f_code)] = OFTEN
            self._new = True
        return self._reached


# ---- reading ----------------------------------------------------------------------------------

FULL = 7
"""The exit status of a child that has taken more memory than an input may: whoever comes next needs a fresh one."""
SPARE_BYTES = 600_000_000
MOST_FILE_BYTES = 400_000_000
EACH_TOLD = 3
KEPT = Path(__file__).with_name("kept")

Input = tuple[int, bytes]


@dataclass(frozen=True, slots=True)
class Job:
    """A child's task: `count` inputs from the number `first` on, by the chance of `seed`, or a folder's files.

    given: the folder; guided: inputs that lead further are spoiled again.
    """

    target: str
    folder: str
    seed: int = 1
    first: int = 0
    count: int = 0
    guided: bool = False
    given: str = ""

    @property
    def slate(self) -> Path:
        """The file of shared memory."""
        return Path(self.folder) / "slate"

    @property
    def findings(self) -> Path:
        """Where each thing that goes wrong is told, a line of JSON each."""
        return Path(self.folder) / "findings"

    @property
    def home(self) -> Path:
        """The user's folder, as the target sees it; another one in each life."""
        return Path(self.folder) / "home"

    @property
    def scratch(self) -> Path:
        """The folder that the target works in."""
        return self.home / "scratch"


def place_of(error: BaseException) -> str:
    """Where in the project an exception comes from: file, line and function."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(ROOMS)] or frames[-1:]
    return f"{os.path.relpath(ours[-1].filename, ROOT)}:{ours[-1].lineno} {ours[-1].name}" if ours else "?"


class Reading:
    """One target, reading inputs one after the other."""

    def __init__(self, target: Target, job: Job, findings: IO[str]) -> None:
        self.target, self._findings = target, findings
        self._slate, self._notes = Slate(job.slate), Notes()
        self._told: dict[tuple[str, str, str], int] = {}
        self._status = os.open("/proc/self/status", os.O_RDONLY)
        self._guide = Guide() if job.guided else None
        self._honest = False
        self.work: Work = target.begin(job.scratch)

    def take(self, number: int, data: bytes, honest: bool = False) -> bool:
        """Read one input, whatever comes of it; whether it led further than those before it."""
        self._notes.number, self._notes.length, self._honest = number, len(data), honest
        self._notes.inputs += 1
        self._notes.digest = zlib.crc32(data, self._notes.digest)
        self._slate.write(self._notes, data)
        begin_s = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, self.target.cpu_s)
        try:
            self._read(data)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self._notes.slowest_s = max(self._notes.slowest_s, time.process_time() - begin_s)
            self._weigh(data)
            self._slate.write(self._notes)
        return self._guide is not None and self._guide.new

    def _read(self, data: bytes) -> None:
        try:
            self._sort(data)
        except Broken as error:
            self._find("broken promise", error, data)
        except MemoryError as error:
            self._find("over memory", error, data)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a reader lets through is what we are after
            self._find("foreign exception", error, data)

    def _sort(self, data: bytes) -> None:
        """Read, and count how it ended."""
        found: list[bool] = []
        try:
            if self._guide is None:
                found.append(self.work.read(data))
            else:
                self._guide.led_further(lambda: found.append(self.work.read(data)))
        except self.target.refusals as error:
            self._notes.refused += 1
            hold(not self._honest, f"an honest input is refused: {error}")
            hold_line(str(error))
            return
        self._notes.read += found[0]
        self._notes.passed += not found[0]
        hold(found[0] or not self._honest, "an honest input is passed over")

    def _weigh(self, data: bytes) -> None:
        """Look at the most memory there was; a child that had too much ends here, as what it has says no more."""
        told = os.pread(self._status, 4096, 0)
        self._notes.peak_kb = int(told[told.index(b"VmHWM:") + 6 :].split(None, 1)[0])
        if self._notes.peak_kb > self.target.memory_mb * 1000:
            self._find("over memory", MemoryError(f"{self._notes.peak_kb // 1000} MB"), data)
            self._slate.write(self._notes)
            self._findings.close()
            os._exit(FULL)

    def _find(self, how: str, error: BaseException, data: bytes) -> None:
        """Tell what went wrong; of the same thing in the same place only the first inputs."""
        what = f"{type(error).__name__}: {error}"[:500]
        key = (how, type(error).__name__ if how != "broken promise" else what[:60], place_of(error))
        self._told[key] = self._told.get(key, 0) + 1
        told: dict[str, Any] = {"how": how, "what": what, "place": key[2]}
        if self._told[key] <= EACH_TOLD:
            told["data"] = base64.b64encode(data).decode()
        self._findings.write(json.dumps(told) + "\n")
        self._findings.flush()


def inputs_of(job: Job, target: Target, stock: Stock) -> Iterator[Input]:
    """Yield the job's inputs with their numbers."""
    if job.given:
        paths = sorted(Path(job.given).iterdir())
        yield from ((number, paths[number].read_bytes()) for number in range(job.first, job.first + job.count))
        return
    rng = Random(f"{job.seed} {job.target} {job.first}")
    for number in range(job.first, job.first + job.count):
        yield number, made(target.spoil, rng, stock)


def limit() -> None:
    """Bound what this process can take: memory beyond what it has, the length of files, no core dumps."""
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + SPARE_BYTES, size + SPARE_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE_BYTES, MOST_FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)


def kept(target: str) -> tuple[Path, ...]:
    """Return the inputs that once broke a promise of this target, which are read in every run since."""
    return tuple(sorted((KEPT / target).glob("*")))


def work(job: Job) -> None:
    """Do the job: the seeds first, which have to be read, and what is kept, then its inputs."""
    job.scratch.mkdir(parents=True, exist_ok=True)
    os.chdir(job.scratch)
    with job.findings.open("a", encoding="utf-8") as findings:
        reading = Reading(target_named(job.target), job, findings)
        limit()
        stock = Stock(list(reading.work.seeds))
        if not job.given:
            _begin(reading, stock)
        for number, data in inputs_of(job, reading.target, stock):
            if reading.take(number, data):
                stock.add(data)


def _begin(reading: Reading, stock: Stock) -> None:
    """Read what is known; their numbers are below 0."""
    known = [path.read_bytes() for path in kept(reading.target.name)]
    for number, data in enumerate(reading.work.seeds, -len(known) - len(reading.work.seeds)):
        reading.take(number, data, honest=True)
    for number, data in enumerate(known, -len(known)):
        reading.take(number, data)
        stock.add(data)


def main() -> None:
    """Do the job that the only argument tells of."""
    work(Job(**json.loads(sys.argv[1])))
