"""Gives a stage other parts than it was made with."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from companion.scenes.base.stage import Stage


def equip(stage: Stage, **parts: Any) -> None:
    """Put these fields into whichever of the stage's records has them."""
    for name in ("services", "senses", "desk"):
        record = getattr(stage, name)
        fitting = {one.name: parts.pop(one.name) for one in fields(record) if one.name in parts}
        setattr(stage, name, replace(record, **fitting))
    assert not parts, parts
