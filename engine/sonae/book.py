"""The rules of Sonae by their ids, and the readings of what its text leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from engine.rulebook import Reading, load_readings, load_rules
from engine.ruling import Rule

NAME = "sonae"


@cache
def rules() -> Mapping[str, Rule]:
    """Every rule of the game by its id."""
    return load_rules(NAME)


@cache
def readings() -> Mapping[str, Reading]:
    """What the text leaves open, by name."""
    return load_readings(NAME)
