"""The form that a deployment needs, by the verb of its action."""

from __future__ import annotations

from companion.scenes.orders.deploying import DeployForm
from companion.scenes.orders.dropping import DropForm
from companion.scenes.orders.moving import MoveForm
from companion.scenes.orders.placing import PlaceForm, PlanForm
from companion.scenes.orders.shooting import ShotForm
from engine.orders.position import Position

__all__ = ["DeployForm", "DropForm", "MoveForm", "PlaceForm", "PlanForm", "ShotForm", "form_for"]

FORMS: dict[str, type[DeployForm]] = {
    "move": MoveForm, "shoot": ShotForm, "drop": DropForm, "place": PlaceForm, "draw": PlanForm,
}  # fmt: skip


def form_for(position: Position, space: str, cards: tuple[str, ...] = (), area: str = "") -> DeployForm:
    """The form for a deployment to this space, with what is usual filled in; `area` was touched on the way to it."""
    form = FORMS[position.board.space(space).action.verb](position, space, cards)
    form.begin(area)
    return form
