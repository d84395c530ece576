"""The rules of Sonae by their ids, and the readings of what its text leaves open."""

from __future__ import annotations

from functools import cache, partial

from engine.rulebook import load_readings, load_rules

NAME = "sonae"

rules = cache(partial(load_rules, NAME))
"""Every rule of the game by its id."""
readings = cache(partial(load_readings, NAME))
"""What the text leaves open, by name."""
