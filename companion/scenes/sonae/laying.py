"""The field is laid: ground first, then division by division; ticked by touch, or by the camera's markers.

The battle lies on the disk already; everything may be skipped.
"""

from __future__ import annotations

from companion.core.language import _, plural
from companion.games.saved.shelf import discard
from companion.scenes.base.stage import Scene, Table
from companion.scenes.sonae.measure import MeasureScene
from companion.scenes.sonae.picture import SEATS, Sketch, field_picture
from companion.scenes.sonae.table import BattleTable
from companion.text.sonae import army_title, division_title, kind_words, short_title, sign_of
from companion.ui.battlefield_picture import SIGNS
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    CheckLine,
    Checklist,
    Intent,
    Look,
    Prompt,
    Screen,
    Text,
    back_button,
)
from engine.sonae.position import Position
from engine.words import decimal

GROUND = ""


class LayingScene:
    """One group after the other: its place on the field, each unit with its kind and where it faces."""

    def __init__(self, table: Table, before: Scene) -> None:
        self.table = table
        self.before = before
        self.at = 0
        self.done: set[str] = set()
        self.page = 0
        self.last = ""

    @property
    def position(self) -> Position:
        """The battle before its first turn."""
        position = self.table.match.position
        assert isinstance(position, Position)
        return position

    def groups(self) -> tuple[str, ...]:
        """Return the ground, then each division by name, those of the first army first."""
        return (GROUND, *(name for army in self.position.scenario.armies for name in army.divisions))

    # ---- what it shows -----------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the group that is being laid out, on the field and in words."""
        group = self.groups()[self.at]
        last = self.at == len(self.groups()) - 1
        actions = [
            back_button(),
            Button(_("Skip to battle"), Intent("skip"), "quiet"),
            Button(_("Start the battle") if last else _("Next"), Intent("next"), "primary"),
        ]
        if self.table.stage.senses.field_eye is not None and group:
            actions.insert(2, Button(_("Measure"), Intent("measure"), sign="camera"))
        return Screen(
            title=_("Set up the field · {n} of {all}").format(n=self.at + 1, all=len(self.groups())),
            blocks=self._division(group) if group else self._ground(),
            actions=tuple(actions),
            page=self.page,
            board=field_picture(self.position, self._sketch(group)),
        )

    def _sketch(self, group: str) -> Sketch:
        if not group:
            return Sketch()
        laid = set(self.groups()[: self.at])
        scenario = self.position.scenario
        marks = {name: "chosen" if kind.division == group else "" for name, kind in scenario.units.items()}
        marks |= {name: "spent" for name, kind in scenario.units.items() if kind.division not in laid | {group}}
        return Sketch(marks, focus=self.last or scenario.divisions[group].commander)

    def _ground(self) -> tuple[Block, ...]:
        """Show how large the field is, and what lies on it."""
        scenario = self.position.scenario
        text = _("The field is {wide} × {high} Movements. 1 Movement = the width of a base.")
        lines = tuple(CheckLine(_(terrain.title), terrain.name in self.done) for terrain in scenario.ground)
        grid = {"free": _("No grid – measure with a ruler."), "square": _("Square grid."), "hex": _("Hex grid.")}[
            scenario.grid
        ]
        size = text.format(wide=decimal(scenario.size[0]), high=decimal(scenario.size[1]))
        return Text(size), Text(grid, "quiet"), Checklist(_("Set up the terrain as shown"), lines)

    def _division(self, group: str) -> tuple[Block, ...]:
        """Show the division's units with their kinds and facings, and how its general begins."""
        position = self.position
        division = position.scenario.divisions[group]
        who = f"{army_title(position, division.side)}: {division_title(position, group)}"
        count = plural("{n} base", "{n} bases", len(division.units))
        hint = _("Place {count} at the marked spots. Touch one for its exact place.").format(count=count)
        if self.last:  # where the middle of the base goes that was touched last
            start = position.scenario.units[self.last].start
            form = _("{unit}: centre {x} Movements from the left edge and {y} from the near edge.")
            hint = form.format(unit=short_title(position, self.last), x=decimal(start.x, 1), y=decimal(start.y, 1))
        return Prompt(SEATS[division.side], who, hint), Buttons(tuple(map(self._unit, division.units)), 2)

    def _unit(self, name: str) -> Button:
        """Return the button that ticks off a unit: its kind, its facing, and its marker."""
        kind = self.position.scenario.units[name]
        way = _facings()[round(kind.start.facing_deg / 45.0) % 8]
        note = _("{kind}, facing {way}").format(kind=kind_words(self.position, name), way=way)
        note += " · " + _("marker {n}").format(n=kind.marker) if kind.marker >= 0 else ""
        look: Look = "chosen" if name in self.done else "plain"
        sign = SIGNS[sign_of(self.position, name)]
        return Button(short_title(self.position, name), Intent("tick", name), look, sign, note)

    # ---- touches -----------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Tick a unit, go on, go back, or skip the whole set-up."""
        match intent.verb:
            case "did" | "todo" | "next":
                return self._on()
            case "tick" if intent.what in self.position.scenario.units:
                self.done ^= {intent.what}
                self.last = intent.what
            case "skip":
                return self.table
            case "page":
                self.page += intent.n
            case "measure" if self.table.stage.senses.field_eye is not None and isinstance(self.table, BattleTable):
                return MeasureScene(self.table, self.table.stage.senses.field_eye, self, laying=True)
            case "back" if self.at > 0:
                self.at, self.page, self.last = self.at - 1, 0, ""
            case "back":  # a battle of which nothing was played is no game
                self.table.match.close()
                discard(self.table.match.path)
                return self.before
        return None

    def _on(self) -> Scene | None:
        """Go on to the next group, or after the last one to the battle."""
        group, scenario = self.groups()[self.at], self.position.scenario
        self.done.update(scenario.divisions[group].units if group else (terrain.name for terrain in scenario.ground))
        if self.at + 1 == len(self.groups()):
            return self.table
        self.at, self.page, self.last = self.at + 1, 0, ""
        return None


def _facings() -> tuple[str, ...]:
    """Return the names of the eight directions on the field as seen, clockwise from the far edge."""
    far, right, near, left = _("the far side"), _("right"), _("the near side"), _("left")
    corners = [_("{one}, {other}").format(one=edge, other=other) for edge in (far, near) for other in (right, left)]
    return far, corners[0], right, corners[2], near, corners[3], left, corners[1]
