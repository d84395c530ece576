"""Starts the children, watches them, and starts them anew wherever they die; counts what they find and cuts it down."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from tests.forks import Fork, Request, fork
from tests.fuzz.child import FULL, NOBODY, ROOT, Job, Notes, Slate
from tests.fuzz.targets import module_of, target_named

LOOK_S = 0.02
MOST_LIVES = 40
SIGNAL, TIME, MEMORY, FOREIGN, BROKEN = HOWS = (
    "died by signal",
    "over time",
    "over memory",
    "foreign exception",
    "broken promise",
)
IN_MEMORY = Path("/dev/shm")


class HarnessError(Exception):
    """A target that doesn't begin: its seeds or its reader are not what the project has now."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An input that broke a promise.

    how: one of HOWS; what: in words; place: where in the project; data: the input, None where the same was found
    a few times before.
    """

    how: str
    what: str
    place: str
    data: bytes | None

    @property
    def key(self) -> tuple[str, str, str]:
        """What two findings of one fault have in common."""
        return self.how, self.what.partition(":")[0], self.place


@dataclass(slots=True)
class Tally:
    """The outcome of a target's inputs.

    peak_kb: the most memory that any of its processes had; took_s: real time; digest: a check value of the inputs.
    """

    target: str
    inputs: int = 0
    read: int = 0
    refused: int = 0
    passed: int = 0
    slowest_s: float = 0.0
    peak_kb: int = 0
    took_s: float = 0.0
    digest: int = 0
    findings: list[Finding] = field(default_factory=list)

    def count(self, how: str) -> int:
        """How many inputs ended so."""
        return sum(finding.how == how for finding in self.findings)

    @property
    def different(self) -> tuple[Finding, ...]:
        """The first of all findings that have a fault in common."""
        return tuple({finding.key: finding for finding in reversed(self.findings) if finding.data is not None}.values())

    def add(self, other: Notes | Tally) -> None:
        """Add what a child noted, or another tally."""
        for name in ("inputs", "read", "refused", "passed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.digest ^= other.digest
        self.slowest_s, self.peak_kb = max(self.slowest_s, other.slowest_s), max(self.peak_kb, other.peak_kb)
        if isinstance(other, Tally):
            self.took_s += other.took_s
            self.findings += other.findings


@dataclass(frozen=True, slots=True)
class End:
    """How a child ended: its exit status, whether it waited for too long, what it noted, and what it read last."""

    status: int
    waited: bool
    notes: Notes
    data: bytes

    @property
    def finding(self) -> Finding | None:
        """What it died of; None where it ended by itself."""
        if self.status >= 0:
            return None
        if self.waited or self.status == -signal.SIGPROF:
            return Finding(TIME, "waits for ever" if self.waited else "takes too long", "", self.data)
        return Finding(SIGNAL, signal.Signals(-self.status).name, "", self.data)


def run(job: Job) -> Tally:
    """Do a job, in as many children as it takes; HarnessError where the target doesn't begin."""
    began_s, tally = time.monotonic(), Tally(job.target)
    last = job.first + job.count
    with _folder() as folder:
        job = replace(job, folder=str(folder))
        for _life in range(MOST_LIVES):
            end = _lived(job)
            tally.add(end.notes)
            tally.findings += [end.finding] if end.finding else []
            if end.status == 0 or end.notes.number < 0 or end.notes.number + 1 >= last:
                break
            job = _after(job, end.notes.number + 1)
        tally.findings += _told(job.findings)
    tally.took_s = time.monotonic() - began_s
    return tally


def _after(job: Job, number: int) -> Job:
    """Return the rest of a job, from the input of this number on."""
    return replace(job, first=number, count=job.first + job.count - number)


@contextmanager
def _folder() -> Iterator[Path]:
    """Yield a scratch folder, in memory where possible: this spares disks, and syncing costs nothing there."""
    with tempfile.TemporaryDirectory(prefix="gunbai-fuzz-", dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as name:
        yield Path(name)


def _environment(home: Path) -> dict[str, str]:
    """Nothing of the user's, no screen, one thread, the same hashes each time, and nobody who measures coverage."""
    others = ("COV", "GUNBAI", "XDG", "PYTEST", "PYTHON")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(others)}
    own = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("DATA", "STATE", "CONFIG", "CACHE")}
    plain = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    single = {"OPENCV_FOR_THREADS_NUM": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    python = {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"}
    return {**kept, **own, **plain, **single, **python, "HOME": str(home), "GUNBAI_DATA": str(home / "data")}


def _lived(job: Job) -> End:
    """One child from its beginning to its end."""
    shutil.rmtree(job.home, ignore_errors=True)
    slate, said = Slate(job.slate), Path(job.folder) / "said"
    slate.write(Notes(), b"")
    said.write_bytes(b"")
    environment = _environment(job.home)
    request = Request(
        call="tests.fuzz.child:main",
        argv=["fuzz", json.dumps(asdict(job))],
        cwd=job.folder,
        environment=environment,
        out=os.devnull,
        err=str(said),
    )
    child = fork(_loaded(job.target), request, ("-W", "error"), environment)
    waited = _watched(child, slate, target_named(job.target).wait_s)
    status = child.wait()
    if status not in (0, FULL) and (status > 0 or slate.notes().number == NOBODY):
        raise HarnessError(f"{job.target}: {said.read_text(errors='replace')[-3000:]}")
    end = End(status, waited, slate.notes(), slate.data())
    slate.close()
    return end


def _loaded(target: str) -> tuple[str, ...]:
    """Return what a child needs, all targets of a module alike: it holds no more than that."""
    module, names = module_of(target)
    return "tests.fuzz.child", module, *sorted({read for name in names for read in target_named(name).reads})


def _watched(child: Fork, slate: Slate, most_s: float) -> bool:
    """Wait for its end; whether it was ended, as one input took too long without taking the processor's time.

    On a busy machine a child may wait long for the processor or for a disk: only one that sleeps has stopped.
    """
    before, since_s = slate.notes().number, time.monotonic()
    while child.poll() is None:
        now, now_s = slate.notes().number, time.monotonic()
        if now != before or now == NOBODY or not _sleeps(child.pid):
            before, since_s = now, now_s
        if now_s - since_s > most_s:
            child.kill()
            child.wait()
            return True
        time.sleep(LOOK_S)
    return False


def _sleeps(pid: int) -> bool:
    """Whether the kernel says so; of one that has ended, no."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return told.rpartition(")")[2].split()[0] not in "RD"


def _told(findings: Path) -> list[Finding]:
    """Return the findings that children wrote down."""
    told = [json.loads(line) for line in findings.read_text(encoding="utf-8").splitlines()]
    return [Finding(record["how"], record["what"], record["place"], _data(record.get("data"))) for record in told]


def _data(told: str | None) -> bytes | None:
    return None if told is None else base64.b64decode(told)


# ---- single inputs ----------------------------------------------------------------------------


def tried(target: str, inputs: Sequence[bytes]) -> Tally:
    """Have a target read these inputs, one after the other."""
    with _folder() as folder:
        for number, data in enumerate(inputs):
            (folder / f"{number:05}").write_bytes(data)
        return run(Job(target, "", count=len(inputs), given=str(folder)))


# ---- cutting down, in a few rounds ------------------------------------------------------------

PARTS = 8
MOST_ROUNDS = 12
MOST_TRIED = 24


def cut_down(target: str, finding: Finding) -> Finding:
    """Return the finding with the shortest input found; unchanged if the finding can't be reproduced."""
    best = _same(target, finding, [finding.data or b""]) if finding.how != TIME else None
    if best is None:
        return finding
    parts = PARTS
    for _round in range(MOST_ROUNDS):
        data = best.data or b""
        shorter = _same(target, finding, _without(data, parts))
        if shorter is not None:
            best = shorter
        elif parts >= len(data):
            break
        else:
            parts *= 4
    return best


def _without(data: bytes, parts: int) -> list[bytes]:
    """Return the data without each of its parts, and each half by itself."""
    size = max(1, len(data) // parts)
    begins = range(0, len(data), size)
    chosen = begins if len(begins) <= MOST_TRIED else [begins[n * len(begins) // MOST_TRIED] for n in range(MOST_TRIED)]
    return [data[: len(data) // 2], data[len(data) // 2 :], *(data[:at] + data[at + size :] for at in chosen)]


def _same(target: str, finding: Finding, inputs: list[bytes]) -> Finding | None:
    """Return the finding of the shortest input that breaks the same promise in the same place, or None."""
    found = [other for other in tried(target, inputs).findings if other.key == finding.key and other.data is not None]
    return min(found, key=lambda other: len(other.data or b""), default=None)
