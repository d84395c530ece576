"""A disk that refuses: what stands in the place of a call to the system."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import Any


def refusing(number: int = errno.ENOSPC) -> Callable[..., Any]:
    """Return what fails with this error of the system's, whatever it is called with."""

    def refuse(*_given: object, **_named: object) -> Any:
        raise OSError(number, os.strerror(number))

    return refuse
