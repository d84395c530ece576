"""The engine's errors.

EngineError
├── UnknownBoard     no board of that name
├── BadTable         a data file that does not follow its form
├── BadPosition      a position that the box cannot hold, or that is not written as one
├── BadStep          a step that is not written as one
├── BadRequest       a request the protocol does not know
└── Illegal          a step that the rules refuse; carries the ruling
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from intake.text import one_line

if TYPE_CHECKING:
    from engine.ruling import Ruling


class EngineError(Exception):
    """Any fault that the engine reports; its text is one line for the person at the table."""

    def __str__(self) -> str:
        return one_line(super().__str__())


class UnknownBoard(EngineError):
    """There is no board of that name."""


class BadTable(EngineError):
    """A data file breaks its form; the text lists every fault with file and key."""


class BadPosition(EngineError):
    """A position is badly written or impossible with the contents of the box."""


class BadStep(EngineError):
    """A step is badly written."""


class BadRequest(EngineError):
    """A request is badly written or unknown."""


class Illegal(EngineError):
    """The rules refuse a step; `ruling` says why."""

    def __init__(self, ruling: Ruling) -> None:
        super().__init__(ruling.objections[0].message)
        self.ruling = ruling
