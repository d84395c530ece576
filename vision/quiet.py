"""Keeping off the terminal what OpenCV and the libraries under it print: our own words say what matters."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import cv2

STANDARD_ERROR = 2


@contextmanager
def quiet() -> Iterator[None]:
    """OpenCV logs nothing, and no library prints on standard error.

    Where other threads run, which may print as well, the libraries are let talk: nobody else's words get lost.
    """
    before = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        if threading.active_count() > 1:
            yield
        else:
            with _without_stderr():
                yield
    finally:
        cv2.utils.logging.setLogLevel(before)


@contextmanager
def _without_stderr() -> Iterator[None]:
    """Standard error leads nowhere."""
    kept, nowhere = os.dup(STANDARD_ERROR), os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.dup2(nowhere, STANDARD_ERROR)
        yield
    finally:
        os.dup2(kept, STANDARD_ERROR)
        os.close(kept)
        os.close(nowhere)
