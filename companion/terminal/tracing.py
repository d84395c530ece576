"""`gunbai trace`: opens the tracer on a photo, or without a screen writes a draft of what the eye finds in it."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from companion.core.errors import UsageError
from companion.core.language import _, plural
from companion.core.outputs import write_output
from companion.core.printable import progress
from companion.perception.adapters import plan_of
from companion.terminal.eye import parse_corners
from companion.tracing import eye
from companion.tracing.checker import fault_sentence
from companion.tracing.draft import Corner, Draft
from companion.tracing.draft_file import draft_path, draft_text, photo_path
from companion.tracing.work import TraceWork, free_name, new_draft
from engine.orders.board import load_board
from engine.orders.mode import mode_names
from engine.words import decimal
from intake.files import read_file_or_pipe
from intake.text import one_line
from vision.errors import CornersError
from vision.frame import load_picture
from vision.geometry import Picture

SIZE = re.compile(r"(\d{2,4}(?:\.\d+)?)x(\d{2,4}(?:\.\d+)?)")
WORD = re.compile(r"[a-z0-9]{1,14}")
Show = Callable[[TraceWork, str | None, Path | None], int]
"""Opens the tracer on a screen of this size, copies the board to this file, and returns the exit status."""


def trace(options: argparse.Namespace, show: Show) -> int:
    """Run `gunbai trace`, on a screen opened by `show` unless it is headless, and return the exit status."""
    photo = load_picture(options.photo, read_file_or_pipe)
    if options.headless:
        with progress(options.photo):
            work = TraceWork(begin_draft(options, photo), photo)
            propose(work)
        return tell_proposal(work, options.output)
    draft = begin_draft(options, photo)
    return show(TraceWork(draft, photo), options.size, Path(options.output) if options.output else None)


def begin_draft(options: argparse.Namespace, photo_bgr: Picture) -> Draft:
    """Start a draft as the command line asks; without given corners, with the eye's if headless, else the photo's.

    UsageError for a faulty option, CornersError for corners that make no sense.
    photo_bgr: (H, W, 3); the corners are shares of its width and height.
    """
    if options.board not in mode_names():
        raise UsageError(f"--board: expected one of {', '.join(mode_names())}, not {options.board!r}")
    check_word(options.name)
    draft = new_draft(options.board, free_name(options.board, options.name))
    size = SIZE.fullmatch(options.mm) if options.mm else None
    if options.mm and not size:
        raise UsageError(f"--mm: expected WIDTHxHEIGHT in mm, not {options.mm!r}")
    height, width = photo_bgr.shape[:2]
    plan = plan_of(load_board(options.board))
    corners: tuple[Corner, ...] = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    if options.corners is None and options.headless:
        corners, size_mm = eye.find_board(photo_bgr, plan)
    else:  # on a screen a finger drags the corners where they belong
        if options.corners is not None:
            corners = tuple((x / width, y / height) for x, y in parse_corners(options.corners))
        size_mm = eye.size_of(photo_bgr, corners, plan.size_mm)
    return replace(draft, corners=corners, size_mm=(float(size[1]), float(size[2])) if size else size_mm)


def check_word(word: str) -> None:
    """Raise UsageError unless a word can be the end of a board's name."""
    if not WORD.fullmatch(word):
        raise UsageError(f"--name: expected a short word in lower-case letters, not {word!r}")


def propose(work: TraceWork) -> None:
    """Put the grid, areas and spaces that the eye finds into the draft; CornersError if it can't look for them."""
    work.find_grid(work.draft.corners)
    work.wait()
    work.fetch()
    if work.fault:
        raise CornersError(work.fault)
    work.take_proposal()
    work.close()


def tell_proposal(work: TraceWork, output: str | None) -> int:
    """Write the draft and print what is missing; return the exit status, 0 if it is complete enough to be a board."""
    where = _write(work.draft, output)
    faults = work.faults()
    grave = [fault for fault in faults if fault.grave]
    print(f"{one_line(str(where))}: {_counts(work)}")
    for fault in faults:
        form = _("missing: {what}") if fault.grave else _("look at: {what}")
        print("  " + form.format(what=fault_sentence(fault)))
    return 1 if grave else 0


def _counts(work: TraceWork) -> str:
    """Return in a phrase how large the hexes are, and how many areas and spaces were found."""
    draft = work.draft
    if draft.grid is None:
        return _("no hexes were seen: give the corners with --corners, or trace it in the app")
    form = _("hexes of {n} mm (not sure)")
    if work.look is not None and work.look.is_sure:
        form = _("hexes of {n} mm (sure)")
    hexes = form.format(n=decimal(draft.grid.side_mm, 1))
    areas = plural("{n} area", "{n} areas", len(draft.patches))
    spots = plural("{n} action space", "{n} action spaces", len(draft.spots))
    return f"{hexes}, {areas}, {spots}"


def _write(draft: Draft, output: str | None) -> Path:
    """Write the draft to a file, or leave it among the app's drafts if none is named; return the path."""
    if output is None:
        return draft_path(draft.name)
    path = Path(output)
    write_output(path, draft_text(draft).encode(), (draft_path(draft.name), photo_path(draft.name)))
    return path
