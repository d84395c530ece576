"""The form of shots: the target, and what is spent on it."""

from __future__ import annotations

from companion.core.language import _
from companion.scenes.base.map_picture import Marks
from companion.scenes.base.panels import Face, Reply
from companion.scenes.orders.deploying import DeployForm
from companion.text.orders import unit_count, units_name
from companion.ui.screen import Block, Button, Buttons, Intent, Stepper, Steppers
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Deploy, Step


class ShotForm(DeployForm):
    """Bombard, Shell, Siege, Barrage, Bomb: the target; of Bomb also how many aircraft are spent."""

    def __init__(self, position: Position, space: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(position, space, cards)
        self.target: str | None = None
        self.spent = 1 if self.space.action.payload else 0
        self._targets: tuple[str, ...] | None = None

    def begin(self, area: str = "") -> None:
        """The area touched, or where the shot is worth most: points first, then units."""
        targets = self.targets()
        held = [one for one in targets if self._enemies(one)]
        worth = max(held, key=lambda one: (self.board.area(one).vp, self._enemies(one)), default=None)
        self._aim(area if area in targets else worth)

    def _aim(self, target: str | None) -> None:
        """Choose a target; as much is spent as there is to hit."""
        self.target = target
        if self.space.action.payload and target is not None:
            self.spent = max(1, min(self.most(), self._enemies(target)))

    def most(self) -> int:
        """How many units may be spent at most."""
        offer = game.legal(self.position).spaces.get(self.space.name)
        return offer.payload if offer else 0

    def targets(self) -> tuple[str, ...]:
        """The areas that may be chosen, by asking the rules for each."""
        if self._targets is None:
            names = (area.name for area in self.board.areas)
            self._targets = tuple(name for name in names if game.judge(self.position, self._at(name)).legal)
        return self._targets

    def _at(self, target: str | None) -> Deploy:
        """The deployment with that target and as little else as may be."""
        payload = 1 if self.space.action.payload else None
        return Deploy(self.space.name, target=target, cards=self.cards, payload=payload)

    def _enemies(self, area: str) -> int:
        return enemies(self.position, self.mover, area)

    def step(self) -> Deploy:
        """The deployment as filled in."""
        payload = self.spent if self.space.action.payload else None
        return Deploy(self.space.name, target=self.target, cards=self.cards, payload=payload)

    def ready(self) -> bool:
        """A target is chosen."""
        return self.target is not None

    def touch(self, intent: Intent) -> Reply[Step]:
        """As every form; an area that is no target says why."""
        if intent.verb == "area" and intent.what not in self.targets():
            return self.why(self._at(intent.what))
        return super().touch(intent)

    def change(self, intent: Intent) -> None:
        """A target, on the map or by its button; more or less spent; a card."""
        if intent.verb in ("area", "target", "drag"):
            self._aim(intent.what.rpartition("/")[2])
        elif intent.verb == "spend":
            self.spent = min(max(self.spent + intent.n, 1), self.most())
        elif intent.verb == "card":
            self.toggle(intent.what)
            self._targets = None

    def show(self) -> Face:
        """A button for each target, those with somebody to hit first, and what the shot may do."""
        targets = self.targets()
        buttons = tuple(
            target_button(self.position, self.mover, area, area == self.target)
            for area in sorted(targets, key=lambda one: not self._enemies(one))
        )
        blocks: tuple[Block, ...] = (
            self.title(_("Touch the target. A die for each spent.") if self.spent else _("Touch the target.")),
            *self._payload(),
            Buttons(buttons, 3),
            *self.forecast(),
            *self.objection(),
        )
        return Face(blocks, self.actions(_("Deploy")), self._marks(targets))

    def _payload(self) -> tuple[Block, ...]:
        """How many units are spent, a die each."""
        unit = self.space.action.payload
        if not unit:
            return ()
        label = _("{units} spent").format(units=units_name(unit))
        return (Steppers((Stepper(label, self.spent, self.most(), "spend", unit),)),)

    def _marks(self, targets: tuple[str, ...]) -> Marks:
        areas = dict.fromkeys(targets, "live")
        if self.target:
            areas[self.target] = "target"
        changes = {(self.space.area or "", self.space.action.payload): -self.spent} if self.spent else {}
        return Marks(areas, changes, self.space.name, supply=self.supply())


def enemies(position: Position, mover: str, area: str) -> int:
    """How many units in an area are not the mover's."""
    here = position.units_in(area)
    return sum(sum(units.values()) for faction, units in here.items() if faction != mover)


def target_button(position: Position, mover: str, area: str, chosen: bool) -> Button:
    """A button that names a target, with whom a shot at it may hit."""
    note = standing_there(position, mover, area)
    return Button(area, Intent("target", area), "chosen" if chosen else "plain", note=note)


def standing_there(position: Position, mover: str, area: str) -> str:
    """Whom a shot at an area may hit, in words."""
    n = enemies(position, mover, area)
    kinds = {unit for who, units in position.units_in(area).items() if who != mover for unit in units}
    if not n:
        return _("no enemy there")
    return _("{units} there").format(units=unit_count(kinds.pop() if len(kinds) == 1 else "unit", n))
