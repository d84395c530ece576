"""Deployments at a target: what a touch on a space probably means, and the forms of shots and Paradrop."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.core.language import _
from companion.games.position_facts import reserve
from companion.scenes.base.map_picture import Marks
from companion.scenes.base.panels import Face, Reply
from companion.scenes.orders.forms import Counts, DeployForm, key_of, listed_reserve, recall_blocks, recallable
from companion.text.orders import unit_count, units_name
from companion.ui.screen import Block, Button, Buttons, Intent, Stepper, Steppers, Text
from engine.areas import members
from engine.orders import game
from engine.orders.actions import VERBS
from engine.orders.board import Area, Space
from engine.orders.position import Position, outlook_of
from engine.orders.steps import Deploy, Load, Step

MOST_BUTTONS = 6  # for a drop: the map has all of its targets


# ---- what is meant by a space, where nobody has said from where, how many, or at what ------------


def attempt(position: Position, space: Space) -> Deploy:
    """Return the deployment that the mover probably means by a space, legal if possible, to be ruled on."""
    option = VERBS[space.action.verb].option(outlook_of(position, position.to_move), space)
    names = position.board.names(members(option.areas)) if option is not None else ()
    if space.action.verb == "move":
        here = {area: position.units_in(area)[position.to_move_name] for area in names or _nearby(position, space)}
        return Deploy(space.name, moves=tuple((area, next(iter(units)), 1) for area, units in here.items()))
    if space.action.verb in ("shoot", "drop"):
        return shot_at(space, likely_target(position, space, names))
    if space.action.verb == "place":
        unit = next(kind.name for kind in position.board.mode.units if kind.place == space.action.kind)
        step = Deploy(space.name, place=tuple((area, unit, 1) for area in names[:1]))
        return replace(step, recall=recall_for(position, step))
    return Deploy(space.name, draw=option.amount if option is not None else space.amount_for(position.to_move_name))


def recall_for(position: Position, step: Deploy) -> tuple[Load, ...]:
    """Return the units to recall so that the reserve suffices for a step; empty if it does, or never can.

    One unit stays in each area, and none is taken from an area that the step places units in.
    """
    mover, units, found = position.to_move_name, position.board.mode.unit_index, list[Load]()
    for unit in dict.fromkeys(unit for _area, unit, _n in step.place if unit in units):
        due = sum(n for _area, kind, n in step.place if kind == unit) - position.reserve(position.to_move, units[unit])
        for area in position.board.areas:
            here = position.units_in(area.name).get(mover, {})
            n = min(due, here.get(unit, 0), sum(here.values()) - 1)
            if n > 0 and all(area.name != place for place, _unit, _n in step.place):
                found.append((area.name, unit, n))
                due -= n
        if due > 0:
            return ()
    return tuple(found)


def _nearby(position: Position, space: Space) -> list[str]:
    """Return areas the mover may mean to send units from: adjacent, else across one water, else the nearest."""
    board, mover = position.board, position.to_move_name
    target = board.area(space.area or "")
    own = [area for area in board.areas if area.kind == target.kind and position.units_in(area.name).get(mover)]
    own = sorted((area for area in own if area is not target), key=lambda area: _distance(area, target))
    waters = [board.area(name) for name in target.adjacent if board.area(name).kind == "water"]
    beside = [area.name for area in own if area.name in target.adjacent]
    across = [area.name for area in own if any(area.name in water.adjacent for water in waters)]
    return beside or across or [area.name for area in own[:1]]


def _distance(area: Area, other: Area) -> float:
    """Return the distance between two areas in mm on the board."""
    return math.dist(area.centres_mm[0], other.centres_mm[0])


def shot_at(space: Space, target: str | None) -> Deploy:
    """Return the deployment to a space that shoots at the target and spends as little as possible."""
    return Deploy(space.name, target=target, payload=1 if space.action.payload else None)


def likely_target(position: Position, space: Space, legal: Sequence[str] = ()) -> str | None:
    """Return the likeliest target: the nearest one with an enemy, else the nearest; None if there is none.

    legal: the targets to choose from; if empty, all that the space reaches.
    """
    board, mover = position.board, position.to_move_name
    here = board.area(space.area or "")
    near = [board.area(name) for name in legal] or in_reach(space, board.areas, here)
    foes = [area for area in near if any(who != mover for who in position.units_in(area.name))]
    nearest = sorted(foes or near, key=lambda area: _distance(area, here))
    return nearest[0].name if nearest else None


def in_reach(space: Space, areas: Sequence[Area], here: Area) -> list[Area]:
    """Return the areas that a space may aim at, wherever units stand. here: the space's own area."""
    action = space.action
    fits = [area for area in areas if area.kind == (action.target or action.kind) and area is not here]
    if action.beneath:
        return [area for area in fits if area.zone == here.name]
    if action.verb == "shoot" and action.range < 2:
        return [area for area in fits if area.name in here.adjacent]
    return fits


# ---- the forms ------------------------------------------------------------------------------------


class TargetForm(DeployForm):
    """The base of forms whose target is chosen on the map or by its button."""

    excused: frozenset[str] = frozenset()
    """Rules that a target may break: the form can still satisfy them."""

    def __init__(self, position: Position, space: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(position, space, cards)
        self.target: str | None = None
        self._targets: tuple[str, ...] | None = None

    def plain_step(self, target: str) -> Deploy:
        """Return the deployment at this target with as little else as possible."""
        return Deploy(self.space.name, target=target, cards=self.cards)

    def targets(self) -> tuple[str, ...]:
        """Return the areas that the rules allow as targets, apart from what `excused` covers."""
        if self._targets is None:
            steps = {area.name: self.plain_step(area.name) for area in self.board.areas}
            objections = {area: game.judge(self.position, step).objections for area, step in steps.items()}
            self._targets = tuple(
                area for area, found in objections.items() if {objection.rule for objection in found} <= self.excused
            )
        return self._targets

    def aim(self, target: str | None) -> None:
        """Set the target; None for none."""
        self.target = target

    def fill(self, step: Deploy) -> None:
        """Fill in the target of a step."""
        self.aim(step.target)

    def ready(self) -> bool:
        """Return whether a target is chosen."""
        return self.target is not None

    def touch(self, intent: Intent) -> Reply[Step]:
        """Open the ruling if the touched area is no legal target; handle any other touch as every form does."""
        if intent.verb == "area" and intent.what not in self.targets():
            return self.why(self.plain_step(intent.what))
        return super().touch(intent)

    def change(self, intent: Intent) -> None:
        """Choose a target by its area or button, or add or remove a card."""
        if intent.verb in ("area", "target", "drag"):
            self.aim(intent.what.rpartition("/")[2])
        elif intent.verb == "card":
            self.toggle(intent.what)
            self._targets = None

    def target_buttons(self, areas: list[str]) -> Buttons:
        """Return a button for each of these targets."""
        return Buttons(tuple(target_button(self.position, self.mover, area, area == self.target) for area in areas), 3)

    def enemies(self, area: str) -> int:
        """Return the number of units in an area that are not the mover's."""
        return enemies(self.position, self.mover, area)

    def marks(self, changes: dict[tuple[str, str], int]) -> Marks:
        """Return the map's marks: the legal targets, the chosen one, and these changes of units."""
        areas = dict.fromkeys(self.targets(), "live") | ({self.target: "target"} if self.target else {})
        return Marks(areas, changes, self.space.name, supply=self.supply())


class ShotForm(TargetForm):
    """The form of Bombard, Shell, Siege, Barrage and Bomb: the target; for Bomb also the aircraft spent."""

    def __init__(self, position: Position, space: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(position, space, cards)
        self.spent = 1 if self.space.action.payload else 0

    def begin(self, area: str = "") -> None:
        """Choose the touched area, if it is a legal target; else the enemy target with most points, then units."""
        targets = self.targets()
        held = [target for target in likely_first(self.position, self.mover, targets) if self.enemies(target)]
        self.aim(area if area in targets else next(iter(held), None))

    def fill(self, step: Deploy) -> None:
        """Fill in the target of a step and what is spent on it."""
        super().fill(step)
        self.spent = step.payload or 0

    def aim(self, target: str | None) -> None:
        """Set the target; if units are spent, spend up to as many as there are enemies to hit, but at least one."""
        super().aim(target)
        if self.space.action.payload and target is not None:
            self.spent = max(1, min(self.most(), self.enemies(target)))

    def most(self) -> int:
        """Return how many units may be spent at most."""
        offer = game.legal(self.position).spaces.get(self.space.name)
        return offer.payload if offer else 0

    def plain_step(self, target: str) -> Deploy:
        """Return the deployment at this target that spends as little as possible."""
        return replace(shot_at(self.space, target), cards=self.cards)

    def step(self) -> Deploy:
        """Return the deployment as filled in so far."""
        payload = self.spent if self.space.action.payload else None
        return Deploy(self.space.name, target=self.target, cards=self.cards, payload=payload)

    def change(self, intent: Intent) -> None:
        """Choose a target, change how many units are spent, or add or remove a card."""
        if intent.verb == "spend":
            self.spent = min(max(self.spent + intent.n, 1), self.most())
        super().change(intent)

    def show(self) -> Face:
        """Show a button for each target, those with enemies first, and the forecast."""
        unit = self.space.action.payload
        label = _("{units} spent").format(units=units_name(unit)) if unit else ""
        spending = (Steppers((Stepper(label, self.spent, self.most(), "spend", unit),)),) if unit else ()
        blocks: tuple[Block, ...] = (
            self.title(_("Touch the target. One die per aircraft spent.") if self.spent else _("Touch the target.")),
            *spending,
            self.target_buttons(likely_first(self.position, self.mover, self.targets())),
            *self.forecast(),
            *self.objection(),
        )
        changes = {(self.space.area or "", unit): -self.spent} if self.spent else {}
        return Face(blocks, self.actions(_("Deploy")), self.marks(changes))


class DropForm(TargetForm):
    """The form of Paradrop: its target, and what to recall if the reserve is short."""

    excused = frozenset({"reserve.short"})

    def __init__(self, position: Position, space: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(position, space, cards)
        self.unit = self.space.action.unit
        self.back = Counts()

    def begin(self, area: str = "") -> None:
        """Choose the touched area, if it is a legal target; else the target worth most."""
        targets = self._sorted()
        self.aim(area if area in targets else next(iter(targets), None))

    def fill(self, step: Deploy) -> None:
        """Fill in the target of a step and what is recalled for it."""
        super().fill(step)
        self.back.of = {(area, unit): n for area, unit, n in step.recall}

    def amount(self) -> int:
        """Return how many units may land, with bonuses, if the reserve has enough."""
        offer = game.legal(self.position).spaces.get(self.space.name)
        return offer.amount if offer else self.space.action.amount

    def units_landing(self) -> int:
        """Return how many units will land, as the reserve and the recalled units allow."""
        return min(self.amount(), reserve(self.position, self.mover, self.unit) + self.back.total())

    def _sorted(self) -> list[str]:
        """Return the targets, best first: areas that can be won come first, own ones last."""

        def worth(area: str) -> tuple[bool, bool, bool, int, int]:
            against, points = self.enemies(area), self.board.area(area).vp
            foreign = self.position.controller(area) != self.mover
            return foreign, foreign and against < self.units_landing(), bool(against or points), points, -against

        return sorted(self.targets(), key=worth, reverse=True)

    def recallable(self) -> dict[tuple[str, str], int]:
        """Return the most units to recall from each area; empty if the reserve has enough or the action allows none."""
        lacks = self.space.action.recall and reserve(self.position, self.mover, self.unit) < self.amount()
        return recallable(self.position, self.mover, (self.unit,)) if lacks else {}

    def step(self) -> Deploy:
        """Return the deployment as filled in so far."""
        recall = self.back.loads(self.recallable())
        return Deploy(self.space.name, target=self.target, recall=recall, cards=self.cards)

    def change(self, intent: Intent) -> None:
        """Choose a target, add or remove a card, or recall units: no more than can be spared and are lacking."""
        if intent.verb == "back":
            key = key_of(intent.what)
            lacks = self.amount() - reserve(self.position, self.mover, self.unit) - self.back.total()
            most = min(self.recallable().get(key, 0), self.back.of.get(key, 0) + lacks)
            self.back.change(intent.what, intent.n, most)
        super().change(intent)

    def show(self) -> Face:
        """Show buttons for the chosen target and the best of the others; mark all targets on the map."""
        best = self._sorted()[:MOST_BUTTONS]
        if self.target is not None and self.target not in best:
            best = [self.target, *best[: MOST_BUTTONS - 1]]
        falls = _("Landing: {units}. Reserve: {reserve}.").format(
            units=unit_count(self.unit, self.units_landing()),
            reserve=listed_reserve(self.position, self.mover, [self.unit]),
        )
        blocks: tuple[Block, ...] = (
            self.title(_("Touch any highlighted area, near or far.")),
            Text(falls, "strong"),
            *recall_blocks(self.recallable(), self.back),
            self.target_buttons(best),
            *self.forecast(),
            *self.objection(),
        )
        changes = {key: -n for key, n in self.back.of.items() if n}
        if self.target:
            changes[self.target, self.unit] = self.units_landing()
        return Face(blocks, self.actions(_("Deploy")), self.marks(changes))


def likely_first(position: Position, mover: str, targets: Iterable[str]) -> list[str]:
    """Return a shot's targets: those with enemies first, the mover's own last, else by points, then by enemies."""

    def worth(area: str) -> tuple[bool, bool, int, int]:
        against = enemies(position, mover, area)
        own = mover in position.units_in(area)
        return not against, own, -position.board.area(area).vp, -against

    return sorted(targets, key=worth)


def enemies(position: Position, mover: str, area: str) -> int:
    """Return the number of units in an area that are not the mover's."""
    here = position.units_in(area)
    return sum(sum(units.values()) for faction, units in here.items() if faction != mover)


def target_button(position: Position, mover: str, area: str, chosen: bool) -> Button:
    """Return the button for a target, with a note on who could be hit there."""
    note = standing_there(position, mover, area)
    return Button(area, Intent("target", area), "chosen" if chosen else "plain", note=note)


def standing_there(position: Position, mover: str, area: str) -> str:
    """Return a note on who could be hit by a shot at an area: "2 troops there"."""
    n = enemies(position, mover, area)
    kinds = {unit for who, units in position.units_in(area).items() if who != mover for unit in units}
    if not n:
        return _("no enemy there")
    return _("{units} there").format(units=unit_count(kinds.pop() if len(kinds) == 1 else "unit", n))
