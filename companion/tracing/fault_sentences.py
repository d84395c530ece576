"""What the checker found, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.core.language import _
from companion.text.orders import action_name, area_name, faction_name, unit_name
from companion.tracing.checker import DraftFault

FAULTS: Mapping[str, Callable[[], str]] = {
    "no-grid": lambda: _("The hexes are not found yet."),
    "no-areas": lambda: _("There are no areas yet."),
    "too-many": lambda: _("{n} areas and zones are more than the {most} that there may be."),
    "not-one-piece": lambda: _("The hexes of {area} do not hang together, or leave a hole."),
    "unreachable": lambda: _("Nothing leads to {area}."),
    "stretched": lambda: _("The hexes come out {percent} % stretched: is the size of the board right?"),
    "no-hq": lambda: _("{faction} has no headquarters."),
    "no-slot": lambda: _("No area has a place for a bonus token."),
    "no-points": lambda: _("No area is worth points."),
    "pier-apart": lambda: _("The pier of {area} leads to {water}, which it does not border."),
    "no-piers": lambda: _("There is no pier on the map."),
    "no-zone": lambda: _("{area} lies beneath no air zone."),
    "no-section": lambda: _("The aircraft section of the {zone} is missing."),
    "no-land": lambda: _("No land lies beneath the {zone}."),
    "zone-alone": lambda: _("The {zone} borders no other."),
    "wrong-unit": lambda: _("{area}: {units} cannot stand there."),
    "over-cap": lambda: _("{area} begins with more than {most} units."),
    "over-box": lambda: _("{units}: {n} begin on the map, the box has {most}."),
    "no-units": lambda: _("{faction} begins without a unit."),
    "no-space": lambda: _("{area} has no action space."),
    "no-action": lambda: _("{action} has no space on the map."),
    "space-nowhere": lambda: _("A space of {action} lies in no area."),
    "wrong-space": lambda: _("{area}: a space of {action} cannot be there."),
    "space-outside": lambda: _("The space of {action} lies outside of {area}."),
    "no-twin": lambda: _("{area} has no like area on the other half."),
    "unlike-kind": lambda: _("{area} and {other} are not both land or both water."),
    "unlike-points": lambda: _("{area} and {other} differ in their points."),
    "unlike-marks": lambda: _("{area} and {other} differ in what is printed on them."),
    "unlike-piers": lambda: _("{area} and {other} differ in their piers."),
    "unlike-units": lambda: _("{area} and {other} begin with different units."),
    "unlike-spaces": lambda: _("{area} and {other} differ in their action spaces."),
}


def _units(units: str) -> str:
    """Units of a faction, said as "red/troop"."""
    return unit_name(*units.split("/"))


def fault_sentence(fault: DraftFault) -> str:
    """A fault in one sentence, in the language of the table."""
    words: dict[str, Callable[[str], str]] = {
        "faction": faction_name, "units": _units, "action": action_name, "area": area_name, "other": area_name,
        "zone": area_name, "water": area_name,
    }  # fmt: skip
    facts = {key: words[key](value) if isinstance(value, str) else value for key, value in fault.facts.items()}
    text = FAULTS[fault.kind]().format(**facts)
    # a name of an area at its start keeps its small letter
    return text if fault.facts.get("area") else text[:1].upper() + text[1:]
