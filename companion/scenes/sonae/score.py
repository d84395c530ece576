"""How a battle stands, or how it ended and why, with its figures; afterwards its luck and its charges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.core.language import _, plural
from companion.games.sonae import sonae_throws
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene, SubScene
from companion.scenes.base.unsaved import leave_for_home
from companion.scenes.disputes.dispute import DecideScene
from companion.scenes.sonae.field import SEATS, Sketch, field_picture
from companion.scenes.sonae.presenter import units_left
from companion.scenes.story.tables import GameTable
from companion.text.percent import chance_percent
from companion.text.review import luck_lines
from companion.text.sonae import SIX, army_title, ending, title, titles
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Grid,
    Intent,
    Prompt,
    Screen,
    Slip,
    Tally,
    TallySide,
    Text,
    back_button,
)
from engine.dice import Throw
from engine.sonae.game import owed
from engine.sonae.position import Position
from engine.sonae.prospects import charge_chance
from engine.sonae.steps import Advance, Agreed, FallBack, Fire, Rally, Roll, Step, Wheel
from engine.sonae.turn import objective_holder
from engine.words import decimal

Table = GameTable[Position, Step]


class BattleScore(BackScene):
    """The score of a battle, its result or its figures, for both players, beside the field."""

    shared = True

    def __init__(self, table: Table, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.detailed = False

    def show(self) -> Screen:
        """Show the units left, who holds the objective and why the battle ended; or the figures."""
        position = self.table.position
        return Screen(
            title=_("The battle is over") if position.winner is not None else _("Score"),
            blocks=self._figures() if self.detailed else self._result(),
            actions=self._actions(),
            page=self.page,
            board=field_picture(position, Sketch()),
        )

    def _result(self) -> tuple[Block, ...]:
        position, people = self.table.position, self.table.people
        won = position.winner if position.winner is not None else objective_holder(position)
        sides = tuple(
            TallySide(SEATS[side], people.name(SEATS[side]), units_left(position, side), side == won) for side in BOTH
        )
        blocks: list[Block] = [Tally(sides)]
        if position.winner is not None:
            blocks.append(Prompt(SEATS[position.winner], ending(position)))
        blocks += [Text(text, "quiet") for text in (_("Big numbers: units left."), *self._why())]
        ways = [Button(_("Statistics"), Intent("figures"), sign="points")]
        if position.winner is None:
            ways.append(Button(_("Declare the winner"), Intent("by-hand"), "quiet"))
        return (*blocks, Buttons(tuple(ways), 2))

    def _why(self) -> list[str]:
        """Return who holds the objective, and when the game is decided."""
        position = self.table.position
        objective, turns = position.scenario.objective, position.scenario.turns
        lines = []
        if objective is not None:
            name = _(objective.title)
            held = objective_holder(position)
            form = _("{what}: held by {who}.") if held is not None else _("{what}: not held.")
            lines.append(form.format(what=name[:1].upper() + name[1:], who=army_title(position, held or 0)))
        if turns and position.winner is None:
            left = max(0, turns - position.turn)
            lines.append(plural("{n} turn left after this one.", "{n} turns left after this one.", left))
        return lines

    def _figures(self) -> tuple[Block, ...]:
        """Return a table of both sides' figures, and a sentence on their luck."""
        match = self.table.match
        both = [battle_figures(match.positions, match.steps, side) for side in BOTH]
        people = self.table.people
        rows = (
            (_("Units left"), *(str(side.units) for side in both)),
            (_("Units lost"), *(str(side.lost) for side in both)),
            (_("Orders given"), *(str(side.orders) for side in both)),
            (_("Exchanges of fire"), *(str(side.fired) for side in both)),
            (_("Hit dice rolled"), *(str(side.dice) for side in both)),
            (_("Sixes"), *(str(side.sixes) for side in both)),
            (_("Expected sixes"), *(decimal(side.hoped, 1) for side in both)),
        )
        luck = tuple(Text(_luck(people.name(SEATS[side]), both[side]), "quiet") for side in BOTH)
        return (Grid(("", *(people.name(seat) for seat in SEATS)), rows), *luck)

    def _actions(self) -> tuple[Button, ...]:
        if self.detailed:
            return (back_button("primary", verb="figures"),)
        over = self.table.winner is not None
        back = back_button("quiet" if over else "primary")
        return (back, Button(_("Home"), Intent("home"), "primary")) if over else (back,)

    def touch(self, intent: Intent) -> Scene | None:
        """Switch between result and figures, decide the battle by hand, leave for home, or go back."""
        if intent.verb == "figures":
            self.detailed, self.page = not self.detailed, 0
        elif intent.verb == "by-hand":
            return self._decide()
        elif intent.verb == "home":
            return leave_for_home(self.table, self)
        return super().touch(intent)

    def _decide(self) -> Scene:
        """Open the choice of the winner, for when one side gives up or the objective is counted differently."""
        words = _("Ends the battle. Logged as set by hand; you can undo it."), _("This ends the battle.")
        sides = self.table.position.scenario.sides
        return DecideScene(self.table, words, lambda side: Agreed(winner=sides[side], note=_("set by hand")), self)


def _luck(name: str, figures: BattleFigures) -> str:
    """Return how lucky a side's dice were, compared with their exact expectation."""
    if not figures.dice:
        return _("{name} rolled no hit dice.").format(name=name)
    luck = figures.sixes - figures.hoped
    form = _("{name}: {n} sixes luckier than average.")
    if luck < 0:
        form = _("{name}: {n} sixes unluckier than average.")
    return form.format(name=name, n=decimal(abs(luck), 1))


BOTH = (0, 1)


@dataclass(frozen=True, slots=True)
class BattleFigures:
    """One side's battle in figures. units: those left; fired: orders to fire; hoped: the expected sixes of its dice."""

    units: int
    lost: int
    orders: int
    fired: int
    dice: int
    sixes: int
    hoped: float


def battle_figures(positions: Sequence[Position], steps: Sequence[Step], side: int) -> BattleFigures:
    """Return a side's figures for the game so far; positions: one before each step, and the present one."""
    scenario = positions[0].scenario
    began = sum(kind.side == side for kind in scenario.units.values())
    left = sum(positions[-1].side(unit.name) == side for unit in positions[-1].units)
    rolls = [dice for before, step in zip(positions, steps, strict=False) for dice in _dice(before, step, side)]
    dice, sixes = sum(map(len, rolls)), sum(die == SIX for roll in rolls for die in roll)
    orders = [
        step
        for step in steps
        if isinstance(step, Advance | FallBack | Wheel | Fire | Rally) and scenario.units[step.unit].side == side
    ]
    fired = sum(isinstance(step, Fire) for step in orders)
    return BattleFigures(left, began - left, len(orders), fired, dice, sixes, dice / SIX)


def _dice(before: Position, step: Step, side: int) -> list[tuple[int, ...]]:
    """Return the hit dice that this side rolled in a step; the die for orders doesn't count."""
    now = owed(before) if isinstance(step, Roll) else None
    if now is None or now.pool is None or now.due.by != side or not isinstance(step, Roll):
        return []
    return [step.dice]


class BattleReview(SubScene):
    """How lucky both sides were, then each charge with its odds; a touch on one opens its moment."""

    shared = True

    def __init__(self, table: GameTable[Position, Step], back: Scene) -> None:
        super().__init__(back)
        self.table = table
        lucky = tuple(luck_lines(self.throws, table.people)) or (_("No hit dice were rolled."),)
        self._blocks = (*map(Text, lucky), Text(_("Charges and their odds"), "title"), *self._charged())

    def show(self) -> Screen:
        """Show how lucky both armies were, and the charges."""
        no_better = Text(_("Gunbai doesn't play Sonae, so it can't say which order was better."), "quiet")
        return Screen(
            title=_("Luck in this battle"),
            blocks=(*self._blocks, no_better),
            actions=(back_button("primary"),),
            page=self.page,
        )

    @property
    def throws(self) -> list[Throw]:
        """All rolls of hit dice, each with the colour of the side that rolled."""
        match = self.table.match
        seats = dict(zip(match.positions[0].scenario.sides, SEATS, strict=True))
        return [replace(throw, by=seats[throw.by]) for throw in sonae_throws(match.positions, match.steps)]

    def _charged(self) -> Iterator[Block]:
        """Yield a slip for each charge."""
        match, none = self.table.match, True
        for number, step in enumerate(match.steps):
            before = match.positions[number]
            against, chance = charge_chance(before, step) if isinstance(step, Advance) else ((), 0)
            if isinstance(step, Advance) and against:
                none = False
                told = _("{unit} charges {enemy}. It wins the melee in {percent} of rolls.").format(
                    unit=title(before, step.unit), enemy=titles(before, against), percent=chance_percent(chance)
                )
                yield Slip(_("Turn {n}").format(n=before.turn), told, intent=Intent("moment", "", number))
        if none:
            yield Text(_("Nobody charged."))

    def touch(self, intent: Intent) -> Scene | None:
        """Open a charge's moment, or go back."""
        if intent.verb == "moment":
            return self.table.moment(intent.n, self)
        return super().touch(intent)
