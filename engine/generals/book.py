"""The rules of Generals Order by their ids, what its text leaves open, and its sections in our own words."""

from __future__ import annotations

from functools import cache, partial

from engine.rulebook import load_book, load_readings, load_rules

NAME = "generals"

rules = cache(partial(load_rules, NAME))
"""Every rule of the game by its id."""
readings = cache(partial(load_readings, NAME))
"""What the text leaves open, by name."""
sections = partial(load_book, NAME)
"""What its book says, section by section, by name."""
