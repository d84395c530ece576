"""The shelf of owners' battles of Sonae: armies and fields as files of their own (form: docs/sonae.md)."""

from __future__ import annotations

from companion.content.own_files import OwnFiles, owners_reader
from engine.sonae.scenario import add_scenario, own_scenario_names, read_scenario, remove_scenario

BATTLES = OwnFiles(
    "scenarios", owners_reader(read_scenario, "battle"), add_scenario, remove_scenario, own_scenario_names
)
