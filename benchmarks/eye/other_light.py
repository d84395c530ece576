"""Boards photographed in one light and read in another: `python -m benchmarks.eye.other_light FOLDER LIGHT`.

FOLDER holds tables as `gunbai bench` reads them. LIGHT has a folder of the same name for each, with the empty board
(reference.jpg) and the start (start.jpg) as the same camera saw them in another light; tables without one are left out.
Prints the figures of all tables calibrated in four ways: in the light that they are read in, with the empty board of
the other light, with both photos of it, and with its empty board and no start. Then those of the table of both photos
of the other light once today's board was seen: lying empty, empty and set up, and only set up. `--way N` measures one
of these ways, `--list` names every wrong area.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2

from companion.core.errors import CompanionError, InputError
from companion.terminal.bench import (
    HEAD,
    KnownTable,
    miss_text,
    object_in,
    open_source,
    sources_in,
    tally_of,
    tally_text,
)
from companion.terminal.eye import TablePhotos, table_of_photos
from engine.errors import EngineError
from vision.calibration.calibrate import areas_unlike_start, with_new_empty_board, with_start
from vision.errors import VisionError
from vision.frame import load_picture
from vision.reading.read import read
from vision.scoring import Tally, corners_of

REFERENCE, START = "reference.jpg", "start.jpg"
MARK = "measured"
WAYS = ("the same light", "the empty board of the other light", "both of it", "its empty board, no start")
TODAY = ("today's board seen empty", "seen empty and set up", "seen set up only")


def calibrated(known: KnownTable, folder: Path, light: Path, way: str) -> KnownTable:
    """Return the table of a folder calibrated in one of the WAYS with the photos in `light`."""
    if way == WAYS[0]:
        return known
    start = {WAYS[1]: folder / START, WAYS[2]: light / START}.get(way)
    corners = object_in(folder / HEAD).get("corners_px")
    photos = TablePhotos(
        str(light / REFERENCE),
        None if start is None else str(start),
        None if corners is None else corners_of(corners),
    )
    return replace(known, table=table_of_photos(known.table.plan, photos).table)


def seen_today(known: KnownTable, folder: Path, way: str) -> KnownTable:
    """Return a table calibrated in another light, after the app has seen today's board in one of the ways of TODAY."""
    empty, start = (load_picture(folder / name) for name in (REFERENCE, START))
    first = start if way == TODAY[2] else empty
    seen = read(known.table, first)
    but = areas_unlike_start(known.table.plan, seen) if first is start else ()
    today = with_new_empty_board(known.table, first, seen, MARK, but)
    if today is None:
        raise InputError(f"{folder}: today's board isn't found")
    return replace(known, table=today if way == TODAY[0] else with_start(today, start))


def pairs_in(folder: Path, light: Path) -> list[tuple[Path, Path]]:
    """Return the tables' folders with those of their photos in another light; InputError where there are none."""
    inside = light.resolve()
    tables = [table for table in sources_in(folder) if table.is_dir() and not table.resolve().is_relative_to(inside)]
    pairs = [(table, light / table.name) for table in tables if (light / table.name / REFERENCE).exists()]
    if not pairs:
        raise InputError(f"{light}: no folder of a table's name with a {REFERENCE} in it")
    return pairs


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; return 0, or 2 on bad input."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.eye.other_light", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("light", type=Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--way", type=int, choices=range(1, len(WAYS + TODAY) + 1), action="append")
    wanted = parser.parse_args(argv)
    cv2.setNumThreads(1)
    every = (*WAYS, *TODAY)
    totals = {every[n - 1]: Tally() for n in wanted.way or range(1, len(every) + 1)}
    try:
        for folder, light in pairs_in(wanted.folder, wanted.light):
            known = open_source(folder)
            for way, total in totals.items():
                made = calibrated(known, folder, light, WAYS[2] if way in TODAY else way)
                tally = tally_of(seen_today(made, folder, way) if way in TODAY else made)
                if wanted.list:
                    print(*(miss_text(f"{folder.name}, {way}", miss) for miss in tally.wrong), sep="\n", flush=True)
                total.add(tally)
    except (OSError, CompanionError, EngineError, VisionError) as error:
        print(f"other_light: {error}", file=sys.stderr)
        return 2
    for way, total in totals.items():
        print(tally_text(way, total))
    return 0


if __name__ == "__main__":
    sys.exit(main())
