"""Gives a stage other parts than it was made with."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from companion.scenes.base.stage import Stage


def equip(stage: Stage, **parts: Any) -> None:
    """Put these fields into whichever of the stage's records has them."""
    for name in ("services", "senses", "desk"):
        record = getattr(stage, name)
        fitting = {field.name: parts.pop(field.name) for field in fields(record) if field.name in parts}
        setattr(stage, name, replace(record, **fitting))
    assert not parts, parts
