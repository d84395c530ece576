"""The form of Paradrop: where the units come down."""

from __future__ import annotations

from companion.core.language import _
from companion.games.position_facts import reserve
from companion.scenes.base.counts import Counts, split
from companion.scenes.base.map_picture import Marks
from companion.scenes.base.panels import Face, Reply
from companion.scenes.orders.deploying import DeployForm, listed_reserve
from companion.scenes.orders.recalling import recall_blocks, recallable
from companion.scenes.orders.shooting import enemies, target_button
from companion.text.orders import unit_count
from companion.ui.screen import Block, Buttons, Intent, Text
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Deploy, Step

MOST_BUTTONS = 6  # the map has all of them


class DropForm(DeployForm):
    """Paradrop: any land area that may be targeted, and what is recalled where the reserve is short."""

    def __init__(self, position: Position, space: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(position, space, cards)
        self.unit = self.space.action.unit
        self.target: str | None = None
        self.back = Counts()
        self._targets: tuple[str, ...] | None = None

    def begin(self, area: str = "") -> None:
        """The area touched, or where it is worth most."""
        targets = self._sorted()
        self.target = area if area in targets else next(iter(targets), None)

    def amount(self) -> int:
        """How many units come down, bonuses included, where the reserve has as many."""
        offer = game.legal(self.position).spaces.get(self.space.name)
        return offer.amount if offer else self.space.action.amount

    def falling(self) -> int:
        """How many units the reserve and what is recalled give."""
        return min(self.amount(), reserve(self.position, self.mover, self.unit) + self.back.total())

    def targets(self) -> tuple[str, ...]:
        """The areas that may be chosen, by asking the rules for each."""
        if self._targets is None:
            steps = {
                area.name: Deploy(self.space.name, target=area.name, cards=self.cards) for area in self.board.areas
            }
            self._targets = tuple(area for area, step in steps.items() if self._may(step))
        return self._targets

    def _may(self, step: Deploy) -> bool:
        """Whether nothing but a short reserve stands against it."""
        return {one.rule for one in game.judge(self.position, step).objections} <= {"reserve.short"}

    def _sorted(self) -> list[str]:
        """The targets that are worth most first: areas that would be won, with their points, before one's own."""
        return sorted(self.targets(), key=self._worth, reverse=True)

    def _worth(self, area: str) -> tuple[bool, int, int]:
        against = enemies(self.position, self.mover, area)
        holder = self.position.controller(area)
        return holder != self.mover and against < self.falling(), self.board.area(area).vp, -against

    def recallable(self) -> dict[tuple[str, str], int]:
        """What may be recalled: nothing while the reserve has enough."""
        lacks = self.space.action.recall and reserve(self.position, self.mover, self.unit) < self.amount()
        return recallable(self.position, self.mover, (self.unit,)) if lacks else {}

    def step(self) -> Deploy:
        """The deployment as filled in."""
        recall = self.back.loads(self.recallable())
        return Deploy(self.space.name, target=self.target, recall=recall, cards=self.cards)

    def ready(self) -> bool:
        """A target is chosen."""
        return self.target is not None

    def touch(self, intent: Intent) -> Reply[Step]:
        """As every form; an area that is no target says why."""
        if intent.verb == "area" and intent.what not in self.targets():
            return self.why(Deploy(self.space.name, target=intent.what, cards=self.cards))
        return super().touch(intent)

    def change(self, intent: Intent) -> None:
        """A target, on the map or by its button; a card; what is recalled."""
        if intent.verb in ("area", "target", "drag"):
            self.target = intent.what.rpartition("/")[2]
        elif intent.verb == "card":
            self.toggle(intent.what)
            self._targets = None
        elif intent.verb == "back":
            self.back.change(intent.what, intent.n, self._most_back(intent.what))

    def _most_back(self, what: str) -> int:
        """As many as are there to spare, and no more than the reserve lacks."""
        lacks = self.amount() - reserve(self.position, self.mover, self.unit) - self.back.total()
        return min(self.recallable().get(split(what), 0), self.back.of.get(split(what), 0) + lacks)

    def show(self) -> Face:
        """A button for the targets that are worth most; all of them are lit on the map."""
        buttons = tuple(target_button(self.position, self.mover, area, area == self.target) for area in self._listed())
        falls = _("{units} come down. Reserve: {reserve}.").format(
            units=unit_count(self.unit, self.falling()), reserve=listed_reserve(self.position, self.mover, [self.unit])
        )
        blocks: tuple[Block, ...] = (
            self.title(_("Touch any lit area of the map, near or far.")),
            Text(falls, "strong"),
            *recall_blocks(self.recallable(), self.back),
            Buttons(buttons, 3),
            *self.forecast(),
            *self.objection(),
        )
        return Face(blocks, self.actions(_("Deploy")), self._marks())

    def _listed(self) -> list[str]:
        """The chosen target, and the best of the others."""
        best = self._sorted()[:MOST_BUTTONS]
        return best if self.target is None or self.target in best else [self.target, *best[: MOST_BUTTONS - 1]]

    def _marks(self) -> Marks:
        areas = dict.fromkeys(self.targets(), "live")
        changes = {key: -n for key, n in self.back.of.items() if n}
        if self.target:
            areas[self.target] = "target"
            changes[self.target, self.unit] = self.falling()
        return Marks(areas, changes, self.space.name, supply=self.supply())
