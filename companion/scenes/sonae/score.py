"""How a battle stands, or ended and why: units, the objective, the generals; the battle in figures; set by hand."""

from __future__ import annotations

from companion.core.language import _, plural
from companion.scenes.base.stage import Scene
from companion.scenes.base.unsaved import leave_for_home
from companion.scenes.disputes.decide import DecideScene
from companion.scenes.sonae.figures import BOTH, BattleFigures, battle_figures
from companion.scenes.sonae.picture import SEATS, Sketch, field_picture
from companion.scenes.story.tables import GameTable
from companion.text.sonae import army_title, ending
from companion.ui.screen import Block, Button, Buttons, Grid, Intent, Prompt, Screen, Tally, TallySide, Text
from engine.sonae.position import Position
from engine.sonae.steps import Agreed, Step
from engine.sonae.turn import holder

Table = GameTable[Position, Step]


class BattleScore:
    """Both look at it, beside the field as it stands."""

    shared = True

    def __init__(self, table: Table, back: Scene) -> None:
        self.table = table
        self.back = back
        self.detailed = False
        self.page = 0

    def show(self) -> Screen:
        """Units left, who holds the objective and why it ended; or the figures."""
        position = self.table.position
        return Screen(
            title=_("The battle is over") if position.winner is not None else _("How it stands"),
            blocks=self._figures() if self.detailed else self._result(),
            actions=self._actions(),
            page=self.page,
            board=field_picture(position, Sketch()),
        )

    def _result(self) -> tuple[Block, ...]:
        position, people = self.table.position, self.table.people
        won = position.winner if position.winner is not None else holder(position)
        sides = tuple(TallySide(SEATS[side], people.name(SEATS[side]), self._left(side), side == won) for side in BOTH)
        told: list[Block] = [Tally(sides)]
        if position.winner is not None:
            told.append(Prompt(SEATS[position.winner], ending(position)))
        told += [Text(text, "quiet") for text in (_("The large figures are the units left."), *self._why())]
        ways = [Button(_("In figures"), Intent("figures"), sign="points")]
        if position.winner is None:
            ways.append(Button(_("Decide by hand"), Intent("by-hand"), "quiet"))
        return (*told, Buttons(tuple(ways), 2))

    def _left(self, side: int) -> int:
        position = self.table.position
        return sum(position.side(one.name) == side for one in position.units)

    def _why(self) -> list[str]:
        """The objective and who holds it; when it is decided."""
        position = self.table.position
        objective, turns = position.scenario.objective, position.scenario.turns
        told = []
        if objective is not None:
            name = _(objective.title)
            held = holder(position)
            form = _("{what}: held by the {who}.") if held is not None else _("{what}: held by nobody.")
            told.append(form.format(what=name[:1].upper() + name[1:], who=army_title(position, held or 0)))
        if turns and position.winner is None:
            left = max(0, turns - position.turn)
            told.append(plural("{n} turn after this one.", "{n} turns after this one.", left))
        return told

    def _figures(self) -> tuple[Block, ...]:
        """A row a figure, a column a side; what luck came to in a sentence."""
        both = battle_figures(self.table.match.positions, self.table.match.steps)
        people = self.table.people
        rows = (
            (_("Units left"), *(str(one.units) for one in both)),
            (_("Units lost"), *(str(one.lost) for one in both)),
            (_("Orders given"), *(str(one.orders) for one in both)),
            (_("Exchanges of fire"), *(str(one.fired) for one in both)),
            (_("Hit dice rolled"), *(str(one.dice) for one in both)),
            (_("Sixes"), *(str(one.sixes) for one in both)),
            (_("Sixes to hope for"), *(f"{one.hoped:.1f}" for one in both)),
        )
        luck = tuple(Text(_luck(people.name(SEATS[side]), both[side]), "quiet") for side in BOTH)
        return (Grid(("", *(people.name(seat) for seat in SEATS)), rows), *luck)

    def _actions(self) -> tuple[Button, ...]:
        if self.detailed:
            return (Button(_("Back"), Intent("figures"), "primary"),)
        over = self.table.winner is not None
        back = Button(_("Back to the table"), Intent("back"), "quiet" if over else "primary")
        return (back, Button(_("Home"), Intent("home"), "primary")) if over else (back,)

    def touch(self, intent: Intent) -> Scene | None:
        """Turn over, decide, or go."""
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "figures":
            self.detailed, self.page = not self.detailed, 0
        elif intent.verb == "by-hand":
            return decide_scene(self.table, self)
        elif intent.verb == "home":
            return leave_for_home(self.table, self)
        return self.back if intent.verb == "back" else None


def _luck(name: str, one: BattleFigures) -> str:
    """How far the dice were with a side, against their exact expectation."""
    if not one.dice:
        return _("{name} rolled no hit dice.").format(name=name)
    form = _("{name}: {n} sixes more than its dice were worth.")
    if one.luck < 0:
        form = _("{name}: {n} sixes fewer than its dice were worth.")
    return form.format(name=name, n=f"{abs(one.luck):.1f}")


def decide_scene(table: Table, back: Scene) -> DecideScene:
    """Who has won, because one gave up or the objective is counted otherwise."""
    words = (
        _("It ends the battle, is marked in the log as set by hand, and can be taken back."),
        _("The battle ends with this."),
    )

    def step(side: int) -> Agreed:
        return Agreed(winner=table.position.scenario.sides[side], note=_("set by hand"))

    return DecideScene(table, words, step, back)
