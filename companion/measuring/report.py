"""What was measured of a battle, for the command line: in words, and as JSON."""

from __future__ import annotations

from typing import Any

from companion.core.language import _
from companion.measuring.field import MovedUnit, Sighting, misplaced_words
from companion.text.columns import columns
from engine.sonae.position import Position
from engine.sonae.ranges import Ruler
from engine.sonae.wire import step_to_json
from engine.words import decimal
from intake.text import one_line


def sighting_text(photo: str, position: Position, seen: Sighting, judged: bool) -> str:
    """Return lines on where each unit stands and what was not seen; if `judged`, on what moved since the last step."""
    marked = sum(1 for unit in position.units if position.scenario.units[unit.name].marker >= 0)
    rows = [[_("unit"), "x", "y", _("facing"), _("within")]]
    for name, place in seen.places.items():
        doubt = " ?" if name in seen.doubtful else ""
        cell = ""
        if name in seen.grid:
            square = seen.grid[name]
            cell = "  " + _("cell {name}").format(name=square.cell) + ("" if square.clear else " ?")
        numbers = [f"{place.x:.2f}", f"{place.y:.2f}", f"{place.facing_deg:.0f}"]
        rows.append([name, *numbers, f"{seen.errors[name]:.2f}{doubt}{cell}"])
    form = _("{place}: measured {found} of {most}, in Movements from the near left corner")
    head = form.format(place=one_line(photo), found=len(seen.places), most=marked)
    lines = [head, columns(rows), *_remarks(seen)]
    return "\n".join([*lines, *_moves(seen)] if judged else lines)


def _remarks(seen: Sighting) -> list[str]:
    """List what was not seen, or seen where it should not be."""
    remarks = {
        _("not seen: {names}"): seen.unseen,
        _("doubtful: {names}"): seen.doubtful,
        _("left the battle, and still on the table: {names}"): seen.left,
        _("markers of no unit: {names}"): tuple(map(str, seen.strangers)),
        _("markers seen twice: {names}"): tuple(map(str, seen.twice)),
        _("corner markers not seen: {names}"): tuple(map(str, seen.missing)),
    }
    without = _("Measured without it.")
    wrong = [f"  {misplaced_words(number, how)} {without}" for number, how in seen.misplaced.items()]
    return [*("  " + form.format(names=", ".join(names)) for form, names in remarks.items() if names), *wrong]


def _moves(seen: Sighting) -> list[str]:
    """List each unit that was moved, with what explains the move or stands against it."""
    lines = []
    for moved_unit in seen.moved:
        form = _("{unit} moved {n} Movements: {verdict}")
        if moved_unit.turned_deg >= 1:
            form = _("{unit} moved {n} Movements, turned by {degrees} degrees: {verdict}")
        told = form.format(
            unit=moved_unit.unit,
            n=decimal(moved_unit.gone, 1),
            degrees=f"{moved_unit.turned_deg:.0f}",
            verdict=_verdict(moved_unit),
        )
        lines += [told, *(f"  {why}" for why in moved_unit.why_not)]
    return lines or [_("nothing was moved since the game's last step")]


def _verdict(moved: MovedUnit) -> str:
    """Say how the rules judge a move."""
    if moved.legal:
        return _("as one order allows")
    return _("as two orders allow") if moved.orders else _("against the rules")


def sighting_json(photo: str, position: Position, seen: Sighting, judged: bool) -> dict[str, Any]:
    """Return a sighting as a JSON object."""
    out: dict[str, Any] = {
        "photo": photo,
        "scenario": position.scenario.name,
        "units": {name: _unit_json(seen, name) for name in seen.places},
        "unseen": list(seen.unseen),
        "left": list(seen.left),
        "strangers": list(seen.strangers),
        "twice": list(seen.twice),
        "missing": list(seen.missing),
        "misplaced": {str(number): round(how.off, 3) for number, how in seen.misplaced.items()},
    }
    return out | {"moved": [_moved_json(moved_unit) for moved_unit in seen.moved]} if judged else out


def _unit_json(seen: Sighting, name: str) -> dict[str, Any]:
    place = seen.places[name]
    out = {"x": round(place.x, 3), "y": round(place.y, 3), "facing": round(place.facing_deg, 1)}
    out |= {"within": round(seen.errors[name], 3)}
    if name not in seen.grid:
        return out
    on_grid = seen.grid[name]
    return out | {"cell": list(on_grid.cell), "clear": on_grid.clear, "others": [list(cell) for cell in on_grid.others]}


def _moved_json(moved: MovedUnit) -> dict[str, Any]:
    return {
        "unit": moved.unit,
        "distance": round(moved.gone, 2),
        "turned": round(moved.turned_deg, 1),
        "step": step_to_json(moved.step),
        "legal": moved.legal,
        "orders": [step_to_json(step) for step in moved.orders],
        "rulings": [
            {"rule": objection.rule, "cite": str(objection.citation), "message": objection.message}
            for objection in moved.ruling.objections
        ],
    }


def ruler_json(laid: Ruler) -> dict[str, Any]:
    """Return what was measured between two units, or of one, as a JSON object."""
    out: dict[str, Any] = {"unit": laid.unit, "in_command": laid.is_in_command, "general_near": laid.is_general_near}
    if laid.apart is not None:
        apart = laid.apart
        out |= {"to": apart.other, "distance": round(apart.distance, 2), "in_range": apart.is_in_range}
        out |= {"in_contact": apart.is_in_contact, "quarter": apart.quarter, "seen_from": apart.seen_from}
    facts = [
        {"name": fact.name, "holds": fact.holds, "text": fact.text, "cite": str(fact.citation)} for fact in laid.facts
    ]
    return out | {"facts": facts}
