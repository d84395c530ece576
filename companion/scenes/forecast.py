"""What a deployment may come to, before it is confirmed."""

from __future__ import annotations

from companion.language import _
from companion.scenes.screen import Text
from companion.scenes.words import faction_name
from engine.orders.position import Position
from engine.orders.steps import Deploy


def conflict(position: Position, step: Deploy) -> tuple[Text, ...]:
    """The sides of the conflict that this Advance or Sail would start; nothing where nobody defends."""
    space = position.board.space(step.space)
    defender = next((f for f in position.units_in(space.area or "") if f != position.to_move_name), None)
    attackers = sum(n for _area, _unit, n in step.moves)
    if defender is None or not attackers:
        return ()
    defenders = sum(position.units_in(space.area or "")[defender].values())
    text = _("A conflict: {attackers} against {defenders} of {who}.")
    return (Text(text.format(attackers=attackers, defenders=defenders, who=faction_name(defender)), "warn"),)


def shot(position: Position, step: Deploy) -> tuple[Text, ...]:
    """How many dice this shot rolls."""
    del position, step
    return ()
