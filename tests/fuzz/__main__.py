"""`.ci/fuzz`: every reader at length, on two processors; a table at the end, and what was found in a folder."""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.fuzz.child import Job
from tests.fuzz.runner import HOWS, Finding, HarnessError, Tally, cut_down, run
from tests.fuzz.targets import NAMES, target_named

INPUTS = 1_000_000
LEAST = 50
MOST_CUT = 12
HEADINGS = (
    "target",
    "inputs",
    "refused",
    "read",
    "passed",
    "signal",
    "time",
    "memory",
    "foreign",
    "broken",
    "slowest",
    "peak",
)


def shares(names: Sequence[str], inputs: int) -> dict[str, int]:
    """How many inputs each target gets; together at least as many as are wanted."""
    whole = sum(target_named(name).share for name in names)
    return {name: max(LEAST, -int(-inputs * target_named(name).share // whole)) for name in names}


def jobs(names: Sequence[str], inputs: int, seed: int) -> Iterator[Job]:
    """Yield the whole run in pieces, those of slow targets first."""
    for name, count in sorted(shares(names, inputs).items(), key=lambda pair: pair[1]):
        chunk = target_named(name).chunk
        for first in range(0, count, chunk):
            yield Job(name, "", seed, first, min(chunk, count - first), guided=True)


def told(tallies: Iterable[Tally]) -> str:
    """Return the table of tallies as text."""
    rows: list[tuple[str, ...]] = [HEADINGS]
    for tally in tallies:
        counts = [tally.inputs, tally.refused, tally.read, tally.passed, *map(tally.count, HOWS)]
        rows.append(
            (tally.target, *(f"{n}" for n in counts), f"{tally.slowest_s:.2f} s", f"{tally.peak_kb // 1000} MB")
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    return "\n".join("  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows)


def keep(target: str, finding: Finding, folder: Path, cuts: bool) -> str:
    """Put an input that broke a promise into the folder, cut down where `cuts`; a line that tells of it."""
    least = cut_down(target, finding) if cuts else finding
    data = least.data or b""
    place = folder / target
    place.mkdir(parents=True, exist_ok=True)
    path = place / hashlib.sha256(data).hexdigest()[:12]
    path.write_bytes(data)
    return f"{target}: {least.how}: {least.what[:200]!r} {least.place}: {path}, {len(data)} bytes"


def _gathered(done: Iterable[Tally]) -> dict[str, Tally]:
    """Tallies by target, told as they come."""
    found: dict[str, Tally] = {}
    for tally in done:
        found.setdefault(tally.target, Tally(tally.target)).add(tally)
        broken = f", {len(tally.findings)} BROKEN" if tally.findings else ""
        print(f"{tally.target}: {tally.inputs} in {tally.took_s:.0f} s{broken}", file=sys.stderr, flush=True)
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """0 where every promise was kept, 1 where one was broken, 2 where it cannot be run."""
    parser = argparse.ArgumentParser(prog=".ci/fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"some of {', '.join(NAMES)} (default: all)")
    parser.add_argument("--inputs", type=int, default=INPUTS, help="how many in all (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="other inputs (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="processes beside one another (default: %(default)s)")
    parser.add_argument(
        "--keep", type=Path, default=Path("/tmp/gunbai-fuzz"), help="where findings go (default: %(default)s)"
    )
    options = parser.parse_args(argv)
    if unknown := set(options.targets) - set(NAMES):
        parser.error(f"no such target: {', '.join(sorted(unknown))}")
    names = options.targets or list(NAMES)
    try:
        with ThreadPoolExecutor(options.jobs) as pool:
            tallies = _gathered(pool.map(run, jobs(names, options.inputs, options.seed)))
    except HarnessError as error:
        print(f"fuzz: {error}", file=sys.stderr)
        return 2
    return ended([tallies[name] for name in names], options.keep)


def ended(tallies: Sequence[Tally], folder: Path) -> int:
    """Print the table and what was found; 1 where anything was."""
    whole = Tally("all")
    for tally in tallies:
        whole.add(tally)
    print(told([*tallies, whole]))
    found = [(tally.target, finding) for tally in tallies for finding in tally.different]
    for number, (target, finding) in enumerate(found):
        print(keep(target, finding, folder, cuts=number < MOST_CUT), flush=True)
    print("fuzz: FAILED" if whole.findings else f"fuzz: all well, {whole.inputs} inputs")
    return 1 if whole.findings else 0


if __name__ == "__main__":
    sys.exit(main())
