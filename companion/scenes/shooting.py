"""The form of Bombard, Shell and Siege: the target."""

from __future__ import annotations

from companion.language import _
from companion.scenes.deploying import DeployForm
from companion.scenes.panels import Face, Reply
from companion.scenes.picture import Marks
from companion.scenes.screen import Block, Button, Buttons, Intent
from companion.scenes.words import unit_count
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Deploy


class ShotForm(DeployForm):
    """Bombard, Shell, Siege: the target."""

    def __init__(self, position: Position, space: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(position, space, cards)
        self.target: str | None = None

    def begin(self, area: str = "") -> None:
        """The area touched, or where the shot is worth most: points first, then units."""
        targets = self.targets()
        held = [one for one in targets if self._enemies(one)]
        worth = max(held, key=lambda one: (self.board.area(one).vp, self._enemies(one)), default=None)
        self.target = area if area in targets else worth

    def targets(self) -> tuple[str, ...]:
        """The areas that may be shot at."""
        areas = self.board.area(self.space.area or "").adjacent
        steps = {area: Deploy(self.space.name, target=area) for area in areas}
        return tuple(area for area, step in steps.items() if game.judge(self.position, step).legal)

    def _enemies(self, area: str) -> int:
        return enemies(self.position, self.mover, area)

    def step(self) -> Deploy:
        """The deployment as filled in."""
        return Deploy(self.space.name, target=self.target, cards=self.cards)

    def ready(self) -> bool:
        """A target is chosen."""
        return self.target is not None

    def touch(self, intent: Intent) -> Reply:
        """As every form; an area that is no target says why."""
        if intent.verb == "area" and intent.what not in self.targets():
            return self.why(Deploy(self.space.name, target=intent.what, cards=self.cards))
        return super().touch(intent)

    def change(self, intent: Intent) -> None:
        """A target, on the map or by its button."""
        if intent.verb in ("area", "target", "drag"):
            self.target = intent.what.rpartition("/")[2]

    def show(self) -> Face:
        """A button for each target, those with somebody to hit first, and what the shot may do."""
        targets = self.targets()
        buttons = tuple(
            Button(
                area,
                Intent("target", area),
                "chosen" if area == self.target else "plain",
                note=standing_there(self.position, self.mover, area),
            )
            for area in sorted(targets, key=lambda one: not self._enemies(one))
        )
        blocks: tuple[Block, ...] = (
            self.title(_("Touch the target.")),
            Buttons(buttons, 3),
            *self.forecast(),
            *self.objection(),
        )
        areas = dict.fromkeys(targets, "live")
        if self.target:
            areas[self.target] = "target"
        return Face(blocks, self.actions(_("Deploy")), Marks(areas, {}, self.space.name, supply=self.supply()))


def enemies(position: Position, mover: str, area: str) -> int:
    """How many units in an area are not the mover's."""
    here = position.units_in(area)
    return sum(sum(units.values()) for faction, units in here.items() if faction != mover)


def standing_there(position: Position, mover: str, area: str) -> str:
    """Whom a shot at an area may hit, in words."""
    board, n = position.board, enemies(position, mover, area)
    unit = next(kind.name for kind in board.mode.units if kind.place == board.area(area).kind)
    return _("{units} there").format(units=unit_count(unit, n)) if n else _("no enemy there")
