"""The form of Advance and Sail: how many units from where."""

from __future__ import annotations

from companion.core.language import _
from companion.games.position_facts import reserve
from companion.scenes.base.map_picture import Marks
from companion.scenes.base.panels import Face, Reply
from companion.scenes.orders.forms import Counts, DeployForm, Key, key_of, key_text
from companion.scenes.orders.targeting import enemies
from companion.text.orders import area_label, short_units
from companion.ui.screen import Block, Intent, Stepper, Steppers
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import RESERVE, Deploy, Step


class MoveForm(DeployForm):
    """The form of Advance and Sail: how many units from where; a touch on a source sends one more."""

    def __init__(self, position: Position, space: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(position, space, cards)
        self.counts = Counts()
        self._sources: dict[Key, int] | None = None

    def most(self) -> dict[Key, int]:
        """Return the most units that each source can send: {(area or "reserve", unit): number}."""
        if self._sources is None:
            self._sources = {key: n for area in self.board.areas for key, n in self._from(area.name)}
        found = dict(self._sources)
        for card in self.added("join"):
            found[RESERVE, card.unit] = min(card.amount, reserve(self.position, self.mover, card.unit))
        return found

    def _from(self, area: str) -> list[tuple[Key, int]]:
        units = self.position.units_in(area).get(self.mover, {})
        spare = sum(units.values()) - 1
        steps = {unit: Deploy(self.space.name, moves=((area, unit, 1),), cards=self.cards) for unit in units}
        return [
            ((area, unit), min(n, spare))
            for unit, n in units.items()
            if spare and game.judge(self.position, steps[unit]).legal
        ]

    def begin(self, area: str = "") -> None:
        """Fill in all units that the touched area can send, else those of a usual move; no more than are useful."""
        sources = {key: n for key, n in self.most().items() if key[0] == area}
        left = self._useful()
        for key, n in (sources or self._usual()).items():
            self.counts.of[key] = min(n, left, self._spare(key[0]))
            left -= self.counts.of[key]

    def fill(self, step: Deploy) -> None:
        """Fill in the moves of a step."""
        self.counts.of = {(area, unit): n for area, unit, n in step.moves}

    def _spare(self, area: str) -> int:
        """Return how many more units may leave an area."""
        there = sum(self.position.units_in(area)[self.mover].values())
        return there - 1 - sum(n for (source, _unit), n in self.counts.of.items() if source == area)

    def _useful(self) -> int:
        """Return the most units worth sending: those that may stay there, and those a fight can cost."""
        target = self.board.area(self.space.area or "")
        defenders = enemies(self.position, self.mover, target.name)
        dice = self.board.mode.defence_dice if defenders else 0
        return self.board.mode.caps[target.kind] + defenders + dice * max(self.board.mode.die)

    def _usual(self) -> dict[Key, int]:
        """Return the usual numbers to send: all into a fight, else all of the fullest source.

        The headquarters sends some only if nothing else can.
        """
        most = self.most()
        home = {
            (area, unit): max(1, n - 1)
            for (area, unit), n in most.items()
            if area != RESERVE and self.board.area(area).hq == self.mover
        }
        away = {key: n for key, n in most.items() if key not in home} or home
        if enemies(self.position, self.mover, self.space.area or "") or not away:
            return away
        best = max(away, key=lambda key: away[key])
        return {best: away[best]}

    def step(self) -> Deploy:
        """Return the deployment as filled in so far."""
        return Deploy(self.space.name, moves=self.counts.loads(self.most()), cards=self.cards)

    def ready(self) -> bool:
        """Return whether any unit is to move."""
        return bool(self.step().moves)

    def touch(self, intent: Intent) -> Reply[Step]:
        """Open the ruling if the touched area can send nothing; handle any other touch as every form does."""
        if intent.verb == "area" and self._sends_nothing(intent.what):
            unit = next(iter(self.position.units_in(intent.what)[self.mover]))
            return self.why(Deploy(self.space.name, moves=((intent.what, unit, 1),), cards=self.cards))
        return super().touch(intent)

    def _sends_nothing(self, area: str) -> bool:
        """Return whether the mover has units in the area but cannot send any."""
        held = self.mover in self.position.units_in(area)
        return held and not any(source == area for source, _unit in self.most())

    def change(self, intent: Intent) -> None:
        """Change how many units a source sends, by stepper or map, or add or remove a card."""
        most = self.most()
        if intent.verb == "card":
            self.toggle(intent.what)
            self._sources = None
            card = self.board.mode.cards[intent.what]
            if card.verb == "join":  # all that it lets join; none once it is removed
                self.counts.of[RESERVE, card.unit] = self.most().get((RESERVE, card.unit), 0)
        elif intent.verb == "count" and key_of(intent.what) in most:
            self.counts.change(intent.what, intent.n, most[key_of(intent.what)])
        elif intent.verb in ("area", "drag"):
            source = intent.what.partition("/")[0]
            for key in [key for key in most if key[0] == source][:1]:
                alone = self.counts.total() == self.counts.of.get(key, 0)
                self.counts.next(key, most[key], 1 if alone else 0)  # a touch never leaves nothing to move

    def show(self) -> Face:
        """Show a stepper for each source, the forecast and the cards."""
        most = self.most()
        steppers = tuple(
            Stepper(_source_label(key, most), self.counts.of.get(key, 0), n, "count", key_text(key))
            for key, n in most.items()
        )
        blocks: tuple[Block, ...] = (
            self.title(_("Touch where units come from.")),
            Steppers(steppers),
            *self.forecast(),
            *self.objection(),
        )
        return Face(blocks, self.actions(_("Deploy")), self._marks(most))

    def _marks(self, most: dict[Key, int]) -> Marks:
        moved = self.counts.loads(most)
        areas = {area: "live" for area, _unit in most}
        areas.update({area: "chosen" for area, _unit, _n in moved})
        areas[self.space.area or ""] = "target"
        changes = {(area, unit): -n for area, unit, n in moved}
        for _source, unit, n in moved:
            key = (self.space.area or "", unit)
            changes[key] = changes.get(key, 0) + n
        sources = frozenset(area for area, _unit in most)
        return Marks(areas, changes, self.space.name, supply=self.supply(), counted=sources)


def _source_label(key: Key, most: dict[Key, int]) -> str:
    area, unit = key
    several = sum(1 for other, _unit in most if other == area) > 1
    name = _("Reserve") if area == RESERVE else area_label(area)
    return f"{name} · {short_units(unit)}" if several else name
