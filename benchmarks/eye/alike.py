"""Whether two machines read the same pictures alike: two outputs of `gunbai read --json`, compared.

    python -m benchmarks.eye.alike HERE.jsonl THERE.jsonl

Prints the areas that were counted differently, and by how much the confidence of an area differs at most. Exit status 1
where any count, any commander or the list of unreadable areas differs, or where the pictures are not the same ones.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Reading = Mapping[str, Any]
TOLD = ("units", "commanders", "unreadable")


def readings(path: Path) -> list[Reading]:
    """Read the readings of a file, one a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def differences(here: Reading, there: Reading) -> list[str]:
    """Return what the two readings of a picture do not agree in, a line each."""
    if here["frame"] != there["frame"]:
        return [f"{here['frame']} against {there['frame']}: not the same picture"]
    return [f"{here['frame']}: {key}: {here[key]} against {there[key]}" for key in TOLD if here[key] != there[key]]


def apart(here: Reading, there: Reading) -> float:
    """Return the largest difference of an area's confidence, 0 to 1."""
    areas = here["confidence"].keys() | there["confidence"].keys()
    return max((abs(here["confidence"].get(area, 0) - there["confidence"].get(area, 0)) for area in areas), default=0.0)


def report(here: Sequence[Reading], there: Sequence[Reading]) -> int:
    """Print the comparison; 0 where both agree in everything that counts."""
    if len(here) != len(there) or not here:
        print(f"{len(here)} pictures against {len(there)}")
        return 1
    pairs = list(zip(here, there, strict=True))
    found = [line for pair in pairs for line in differences(*pair)]
    print(*found, sep="\n", end="\n" if found else "")
    areas = sum(len(reading["confidence"]) for reading in here)
    print(
        f"{len(pairs)} pictures, {areas} areas, {len(found)} differences; "
        f"confidences differ by {max(apart(*pair) for pair in pairs):.2g} at most"
    )
    return 1 if found else 0


def main() -> int:
    """Compare the two files named on the command line; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.eye.alike", description="two machines' readings compared"
    )
    parser.add_argument("here", type=Path)
    parser.add_argument("there", type=Path)
    options = parser.parse_args()
    return report(readings(options.here), readings(options.there))


if __name__ == "__main__":
    sys.exit(main())
