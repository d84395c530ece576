"""A system of rules as the referee and the app have it: what all of them do, and what only one does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.parts import Json
from engine.ruling import Ruling


@dataclass(frozen=True, slots=True)
class System:
    """One system of rules; its positions and steps are its own business.

    new: the position that a `new` request asks for. position, written: a position from JSON and into it. step: a step
    from JSON. judge, examine: the ruling on a step, short and thorough. play: the position after a step with what
    happened on the way; event: that as JSON. pending: what the table owes. requests: what else it answers.
    """

    new: Callable[[Json], Any]
    position: Callable[[object], Any]
    written: Callable[[Any], Json]
    step: Callable[[object], Any]
    judge: Callable[[Any, Any], Ruling]
    examine: Callable[[Any, Any], Ruling]
    play: Callable[[Any, Any], tuple[Any, tuple[Any, ...]]]
    pending: Callable[[Any], Json | None]
    event: Callable[[Any, Any], Any]
    requests: Mapping[str, Callable[[Json], Json]] = field(default_factory=dict)
