"""The last net of the command line: an unforeseen exception becomes one line, and a report if there is room for it.

Neither holds anything private: no message of the exception, no value, no folder of the user.
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from companion.core.log import tell
from companion.crash.traces import place_of, trace_of

TRACEBACKS = "GUNBAI_TRACEBACKS"
"""An environment variable for developers: if set, the whole traceback is printed as well."""
MOST_REPORTS = 50
Hook = Callable[[Any], object]


def report_line(error: BaseException, where: str) -> str:
    """Write a report of an uncaught exception and return one line on both. where: what was running, for the report."""
    if os.environ.get(TRACEBACKS):
        traceback.print_exception(error)
    line = f"internal error: {type(error).__name__} at {place_of(error)}"
    report = "" if sys.is_finalizing() else _reported(error, where)
    return f"{line}; {report}" if report else line


def _reported(error: BaseException, where: str) -> str:
    """Write the report; return a phrase on where it is, or that there are too many, "" if it could not be written."""
    trace = trace_of(error)
    traceback.clear_frames(error.__traceback__)  # in case memory ran short
    try:
        return _written(error, trace, where)
    except Exception:  # noqa: BLE001 - whatever keeps the report from being written, the line still comes
        return ""


def _written(error: BaseException, trace: str, where: str) -> str:
    from companion.core import storage
    from companion.crash import report as crash

    folder = storage.data_dir() / crash.REPORTS
    if not _is_own(folder):
        return ""
    if len(list(folder.glob("report-*.txt"))) >= MOST_REPORTS:
        return f"no report is added to the {MOST_REPORTS} in {folder}"
    fault = crash.Crash(type(error).__name__, place_of(error), trace, where, bare=trace)
    return f"the report is {crash.write_report(fault, None, folder)}"


def _is_own(folder: Path) -> bool:
    """Return whether this user owns the folder, or the nearest existing one above it.

    So root writes nothing into others' folders. Windows has no root, and keeps others out of a user's folders.
    """
    if not hasattr(os, "geteuid"):
        return True
    there = next(path for path in (folder, *folder.parents) if path.exists())
    return there.stat().st_uid == os.geteuid()


# ---- what nobody catches -------------------------------------------------------------------------


def _of_process(kind: type[BaseException], error: BaseException | None, _trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        tell("error", report_line(_raised(kind, error), "outside the command"))


def _of_thread(args: threading.ExceptHookArgs) -> None:
    if not issubclass(args.exc_type, SystemExit):
        where = f"thread {args.thread.name if args.thread else '?'}"
        tell("error", report_line(_raised(args.exc_type, args.exc_value), where))


def _of_object(args: sys.UnraisableHookArgs) -> None:
    tell("error", report_line(_raised(args.exc_type, args.exc_value), "where nothing can be raised"))


def _raised(kind: type[BaseException], error: BaseException | None) -> BaseException:
    """Return the exception, or a new one of its kind if the interpreter gave none for lack of memory."""
    return kind.__new__(kind) if error is None else error


def install_hooks() -> None:
    """Report uncaught exceptions of all threads, and unraisable ones, as one line each from now on."""
    sys.excepthook, threading.excepthook, sys.unraisablehook = _of_process, _of_thread, _of_object


@contextmanager
def hooks_for_now() -> Iterator[None]:
    """Report uncaught exceptions of threads, and unraisable ones, as one line each inside the block.

    Hooks that were set before are called, too, and restored at the end.
    """
    before = threading.excepthook, sys.unraisablehook
    threading.excepthook = _after(_of_thread, before[0], threading.__excepthook__)
    sys.unraisablehook = _after(_of_object, before[1], sys.__unraisablehook__)
    try:
        yield
    finally:
        threading.excepthook, sys.unraisablehook = before


def _after(ours: Hook, before: Hook, default: Hook) -> Hook:
    """Return a hook that calls ours, then the one set before unless that is ours or the default."""
    if before in (ours, default):
        return ours

    def both(args: Any) -> None:
        ours(args)
        before(args)

    return both
