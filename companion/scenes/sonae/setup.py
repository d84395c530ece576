"""A new battle in few touches: scenario, players, house rules; or a rematch. Then the field is laid out.

The ground comes first, then division by division, ticked by touch or checked by camera. The battle is saved before
that, so all of it can be skipped.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.errors import MatchError
from companion.core.language import _, plural
from companion.games.saved.shelf import discard, known_names, shelf
from companion.scenes.base.new_game import (
    NAME_MOST,
    GameChoice,
    HouseRulesScene,
    answers_summary,
    game_button,
    name_buttons,
    with_people,
)
from companion.scenes.base.stage import Scene, Stage, Table
from companion.scenes.base.sub_scene import BackScene, SubScene
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.settings.pages import pages
from companion.scenes.settings.settings import PageScene
from companion.scenes.sonae.field import SEATS, Sketch, battle_picture, field_picture
from companion.scenes.sonae.questions import MeasureScene
from companion.scenes.sonae.table import BattleTable
from companion.scenes.story.tables import GameTable
from companion.text.faults import fault_words
from companion.text.sonae import army_title, division_title, kind_words, short_title, sign_of
from companion.ui.battlefield_picture import SIGNS
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    CheckLine,
    Checklist,
    Columns,
    Intent,
    Look,
    Prompt,
    Screen,
    Slip,
    Text,
    back_button,
)
from engine.errors import EngineError
from engine.rulebook import Reading
from engine.sonae.game import new_game, readings
from engine.sonae.position import Position
from engine.sonae.scenario import Scenario, load_scenario, scenario_names
from engine.sonae.steps import Step
from engine.words import decimal

SYSTEM = "sonae"


class BattleSetUp:
    """The choices made for a new battle so far."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        names = scenario_names()
        self.scenario = names[0] if names else ""
        self.switched: frozenset[str] = stage.game_defaults.readings & readings().keys()
        self.names = known_names(shelf().look().games)
        self.players: dict[str, str] = {}

    @property
    def readings(self) -> Mapping[str, Reading]:
        """The questions that the rules leave open, by name."""
        return readings()

    @property
    def chosen_scenario(self) -> Scenario:
        """The chosen scenario, read from its file."""
        return load_scenario(self.scenario)

    def name_player(self, side: str, name: str) -> None:
        """Set a side's player, "" for nobody; a player who had the other side leaves it."""
        self.players = {other: has for other, has in self.players.items() if has != name and other != side}
        if name:
            self.players[side] = name

    def request(self) -> dict[str, object]:
        """Return the `new` request for this battle."""
        request: dict[str, object] = {"system": SYSTEM, "scenario": self.scenario}
        players = {side: name for side, name in self.players.items() if side in self.chosen_scenario.sides}
        return with_people(request, self.switched, players)


class BattleSetupScene(SubScene):
    """The first page of a battle's set-up: which battle, and who plays which army."""

    def __init__(self, stage: Stage, home: Scene, games: GameChoice) -> None:
        super().__init__(home)
        self.stage = stage
        self.games = games
        self.setup = BattleSetUp(stage)
        self.banner = ""

    def show(self) -> Screen:
        """Show the scenario above, the armies in two columns, and the house rules below."""
        scenario = self.setup.chosen_scenario
        left, right = (self._side(scenario, side) for side in (0, 1))
        house = Button(_("House rules"), Intent("house"), "quiet", note=answers_summary(self.setup.switched))
        below = [house]
        if self.stage.senses.field_eye is not None:
            bases = pages()["bases"]
            below.append(Button(bases.title, Intent("bases"), "quiet", note=bases.summary(self.stage.settings)))
        which = Button(_(scenario.title), Intent("scenarios"), sign="objective", note=origin_words(scenario))
        return Screen(
            title=_("Who plays?"),
            blocks=(Buttons((game_button(SYSTEM), which), 2), Columns(left, right), Buttons(tuple(below), len(below))),
            actions=(
                back_button(),
                Button(_("Quick start"), Intent("begin"), note=_("the field is already set up")),
                Button(_("Next"), Intent("next"), "primary"),
            ),
            banner=self.banner,
            banner_tone="bad",
            board=field_picture(new_game(scenario)),
            page=self.page,
        )

    def _side(self, scenario: Scenario, side: int) -> tuple[Block, ...]:
        """Show the army in its colour with its player, and offer names to choose from."""
        army = scenario.armies[side]
        chosen = self.setup.players.get(army.name, "")
        buttons = name_buttons(army.name, chosen, self.setup.names)
        title = _(army.title)
        return (
            Prompt(SEATS[side], f"{title}: {chosen}" if chosen else title),
            Buttons(tuple(buttons), min(2, len(buttons))),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Choose, open what was touched, or go back."""
        self.banner = ""
        match intent.verb:
            case "games":
                return self.games("", self)
            case "scenarios":
                return ScenariosScene(self.setup, self)
            case "house":
                return HouseRulesScene(self.setup, self)
            case "bases" if self.stage.senses.field_eye is not None:
                return PageScene(self.stage, "bases", self)
            case "name":
                side, _slash, name = intent.what.partition("/")
                self.setup.name_player(side, "" if self.setup.players.get(side) == name else name)
            case "type-name":
                return self._keyboard(intent.what)
            case "next" | "begin":
                return self._begin(guided=intent.verb == "next")
        return super().touch(intent)

    def _keyboard(self, side: str) -> Scene:
        army = next(army for army in self.setup.chosen_scenario.armies if army.name == side)

        def done(name: str) -> Scene:
            self.setup.names = tuple(dict.fromkeys((name, *self.setup.names)))
            self.setup.name_player(side, name)
            return self

        asked = _("Who plays {who}?").format(who=_(army.title))
        return TypingScene(Ask(asked, most=NAME_MOST, names=True), done, self)

    def _begin(self, guided: bool) -> Scene | None:
        """Save the new game, then open the guide to laying out the field, or else the table."""
        try:
            table = BattleTable(self.stage, self.stage.services.games.start(self.setup.request()), self.back)
        except (EngineError, MatchError) as error:
            self.banner = fault_words(error)
            return None
        return LayingScene(table, self) if guided else table


def origin_words(scenario: Scenario) -> str:
    """Return words for where a scenario comes from, such as "practice battle"."""
    return {
        "printed": _("as printed"),
        "owner": _("your own battle"),
        "practice": _("practice battle"),
    }[scenario.known]


def _facts(scenario: Scenario) -> str:
    """Return who fights, how large the field is, and for how many turns."""
    armies = _("{one} vs {other}").format(one=_(scenario.armies[0].title), other=_(scenario.armies[1].title))
    size = _("{wide} × {high} Movements").format(wide=decimal(scenario.size[0]), high=decimal(scenario.size[1]))
    turns = plural("{n} turn", "{n} turns", scenario.turns) if scenario.turns else _("no turn limit")
    return ", ".join((armies, size, turns, origin_words(scenario)))


class ScenariosScene(SubScene):
    """The choice of the battle: a slip for each, with its field beside it."""

    def __init__(self, setup: BattleSetUp, back: Scene) -> None:
        super().__init__(back)
        self.setup = setup

    def show(self) -> Screen:
        """Offer the battles, and show the field and the note of the chosen one."""
        chosen = self.setup.chosen_scenario
        slips = tuple(
            Slip(
                _(load_scenario(name).title),
                _facts(load_scenario(name)),
                intent=Intent("scenario", name),
                chosen=name == self.setup.scenario,
                picture=battle_picture(load_scenario(name)),
            )
            for name in scenario_names()
        )
        note = (Text(chosen.note, "quiet"),) if chosen.note and chosen.known == "owner" else ()
        return Screen(
            title=_("Which battle?"),
            blocks=(*slips, *note),
            actions=(back_button("primary"),),
            page=self.page,
            board=field_picture(new_game(chosen)),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Choose the scenario that was touched, or go back."""
        if intent.verb == "scenario" and intent.what in scenario_names():
            self.setup.scenario = intent.what
        return super().touch(intent)


def rematch(table: GameTable[Position, Step], back: Scene, swap: bool) -> Scene:
    """Begin the same battle again, and return the guide to laying out its field.

    back: where Back leads. swap: each player takes the other's army.
    """
    match, setup = table.match, BattleSetUp(table.stage)
    setup.scenario = match.position.scenario.name
    setup.switched = match.positions[0].readings
    names = [match.players.get(side, "") for side in setup.chosen_scenario.sides]
    for side, name in zip(setup.chosen_scenario.sides, reversed(names) if swap else names, strict=True):
        setup.name_player(side, name)
    following = table.stage.services.games.start(setup.request())
    match.close()
    return LayingScene(BattleTable(table.stage, following, table.home), back)


GROUND = ""


class LayingScene(BackScene):
    """The guide to laying out the field: first the ground, then each division, unit by unit."""

    def __init__(self, table: Table, before: Scene) -> None:
        super().__init__(before)
        self.table = table
        self.at = 0
        self.done: set[str] = set()
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
        if self.last:  # say where the middle of the last touched base goes
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
        """Tick a unit, measure by camera, go on, go back, or skip the rest; Back on the first page deletes the game."""
        match intent.verb:
            case "did" | "todo" | "next":
                return self._on()
            case "tick" if intent.what in self.position.scenario.units:
                self.done ^= {intent.what}
                self.last = intent.what
            case "skip":
                return self.table
            case "measure" if self.table.stage.senses.field_eye is not None and isinstance(self.table, BattleTable):
                return MeasureScene(self.table, self.table.stage.senses.field_eye, self, laying=True)
            case "back" if self.at > 0:
                self.at, self.page, self.last = self.at - 1, 0, ""
                return None
            case "back":  # nothing was played yet, so nothing is kept
                self.table.match.close()
                discard(self.table.match.path)
        return super().touch(intent)

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
