"""What the checker found, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.core.language import _
from companion.text.orders import action_name, area_name, faction_name, unit_name
from companion.tracing.checker import DraftFault

FAULTS: Mapping[str, Callable[[], str]] = {
    "no-grid": lambda: _("No hexes found yet."),
    "no-areas": lambda: _("There are no areas yet."),
    "too-many": lambda: _("{n} areas and zones are too many: the limit is {most}."),
    "not-one-piece": lambda: _("The hexes of {area} aren't connected, or leave a hole."),
    "unreachable": lambda: _("Nothing leads to {area}."),
    "stretched": lambda: _("The hexes look {percent}% stretched: is the board's size right?"),
    "no-hq": lambda: _("{faction} has no headquarters."),
    "no-slot": lambda: _("No area has a bonus token space."),
    "no-points": lambda: _("No area is worth points."),
    "pier-apart": lambda: _("The pier of {area} leads to {water}, but the two aren't next to each other."),
    "no-piers": lambda: _("There's no pier on the map."),
    "no-zone": lambda: _("{area} isn't below any air zone."),
    "no-section": lambda: _("The aircraft section of the {zone} is missing."),
    "no-land": lambda: _("There's no land below the {zone}."),
    "zone-alone": lambda: _("The {zone} has no neighbouring zone."),
    "wrong-unit": lambda: _("{area}: {units} can't be there."),
    "over-cap": lambda: _("{area} starts with more than {most} units."),
    "over-box": lambda: _("{units}: {n} start on the map, but the box has only {most}."),
    "no-units": lambda: _("{faction} starts without any units."),
    "no-space": lambda: _("{area} has no action space."),
    "no-action": lambda: _("{action} has no space on the map."),
    "space-nowhere": lambda: _("One {action} space isn't in any area."),
    "wrong-space": lambda: _("{area} can't have a space for {action}."),
    "space-outside": lambda: _("The {action} space is outside {area}."),
    "no-twin": lambda: _("{area} has no matching area in the other half."),
    "unlike-kind": lambda: _("{area} and {other} should both be land, or both water."),
    "unlike-points": lambda: _("{area} and {other} are worth different points."),
    "unlike-marks": lambda: _("{area} and {other} have different symbols."),
    "unlike-piers": lambda: _("{area} and {other} have different piers."),
    "unlike-units": lambda: _("{area} and {other} start with different units."),
    "unlike-spaces": lambda: _("{area} and {other} have different action spaces."),
}


def _units(units: str) -> str:
    """Say units of a faction, given as "red/troop"."""
    return unit_name(*units.split("/"))


def fault_sentence(fault: DraftFault) -> str:
    """Say a fault in one sentence, in the language of the table."""
    words: dict[str, Callable[[str], str]] = {
        "faction": faction_name, "units": _units, "action": action_name, "area": area_name, "other": area_name,
        "zone": area_name, "water": area_name,
    }  # fmt: skip
    facts = {key: words[key](value) if isinstance(value, str) else value for key, value in fault.facts.items()}
    text = FAULTS[fault.kind]().format(**facts)
    # a name of an area at its start keeps its small letter
    return text if fault.facts.get("area") else text[:1].upper() + text[1:]
