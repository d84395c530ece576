"""The shelf of owners' battles of Sonae: armies and fields as files of their own (form: docs/sonae.md)."""

from __future__ import annotations

from companion.content.own_files import Kind, Known, OwnFiles
from engine.errors import BadTable
from engine.sonae.scenario import Scenario, add_scenario, own_scenario_names, read_scenario, remove_scenario

OWNER = "owner"


def _read(name: str, text: str, where: str) -> Scenario:
    """An owner's battle; BadTable with every fault, and for one that is said to be printed or made up by us."""
    scenario = read_scenario(name, text, where)
    if scenario.known != OWNER:
        raise BadTable(f'{where}: known: a battle of your own is "{OWNER}", not "{scenario.known}"')
    return scenario


SCENARIOS = OwnFiles(Kind("scenarios", _read, add_scenario, remove_scenario, own_scenario_names))
"""The shelf: register, load, import_file, export, share, delete."""


def register() -> Known[Scenario]:
    """Read every battle on the shelf and make it known."""
    return SCENARIOS.register()
