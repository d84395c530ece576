"""What would make a refused order legal, in sentences: how far the unit may go, who is in range, what comes first."""

from __future__ import annotations

from companion.core.language import _
from companion.text.sonae import movements, title
from engine.ruling import Ruling
from engine.sonae.options import UnitOptions, options
from engine.sonae.position import Position
from engine.sonae.steps import Advance, FallBack, Fire, Step, Wheel


def remedies(position: Position, step: Step, ruling: Ruling) -> tuple[str, ...]:
    """What this unit may do instead, where it is about how far or whom."""
    name = getattr(step, "unit", "")
    known = next((one for one in options(position).units if one.unit == name), None)
    if known is None:
        return ()
    against = {one.rule for one in ruling.objections}
    told = [_distance(known, step)] if "move.distance" in against else []
    if isinstance(step, Fire) and "fire.range" in against:
        told.append(_targets(position, known))
    return tuple(filter(None, told))


def _distance(known: UnitOptions, step: Step) -> str:
    """How far it may go that way, straight."""
    most = known.ahead if isinstance(step, Advance) else known.back if isinstance(step, FallBack) else 0.0
    most = known.aside if isinstance(step, Wheel) else most
    return _("Straight that way it may go {far}.").format(far=movements(most)) if most else ""


def _targets(position: Position, known: UnitOptions) -> str:
    """Whom it has in range."""
    if not known.targets:
        return _("It has no enemy in range.")
    return _("In its range: {enemies}.").format(enemies=", ".join(title(position, name) for name in known.targets))
