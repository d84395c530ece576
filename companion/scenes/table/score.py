"""The score: points, the winner and why; area by area on the map, with both supply chains; set by hand; passed on."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.language import _
from companion.games.match import Match
from companion.games.position_facts import is_supplied
from companion.games.sharing import day_of
from companion.scenes.base.map_picture import Marks, Overlay, map_picture
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.base.unsaved import leave_for_home
from companion.scenes.disputes.decide import DecideScene
from companion.scenes.story.tables import OrdersTable
from companion.scenes.table.share import Result, ShareScene
from companion.text.orders import game_title
from companion.text.people import People
from companion.text.score import as_text, leader, made_up, reasons, verdict
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Grid,
    Intent,
    Prompt,
    Screen,
    Tally,
    TallySide,
    Text,
    back_button,
)
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.steps import Agreed, OtherCorrections

SHOWN = Overlay(supply=True, points=True)


class ScoreScene(BackScene):
    """The final score, or the score as if the game ended now. With a table the position is its match's, always."""

    shared = True  # both look at it, on the map between them

    def __init__(
        self, played: tuple[Position, Mapping[str, str]], back: Scene, home: Scene, table: OrdersTable | None = None
    ) -> None:
        super().__init__(back)
        self._played = played
        self.home = home
        self.table = table
        self.detailed = False

    @property
    def position(self) -> Position:
        """What is scored."""
        return self._played[0] if self.table is None else self.table.match.position

    @property
    def people(self) -> People:
        """Who plays."""
        return People(self.position.board.factions, self._played[1])

    def show(self) -> Screen:
        """Show the map with supply and points, and beside it the score with its reasons or area by area."""
        position = self.position
        ways = [Button(_("Area by area"), Intent("areas"))]
        if self.table is not None:
            ways += [Button(_("Share"), Intent("share")), Button(_("Declare the winner"), Intent("by-hand"), "quiet")]
        return Screen(
            title=_("Final score") if position.winner_name else _("Score right now"),
            blocks=areas(position, self.people) if self.detailed else (*self.result(), Buttons(tuple(ways), len(ways))),
            actions=self._actions(),
            page=self.page,
            map=map_picture(position, Marks(), None, SHOWN),
        )

    def result(self) -> tuple[Block, ...]:
        """Show both sides' points, the winner and the reasons."""
        return result(self.position, self.people)

    def _actions(self) -> tuple[Button, ...]:
        if self.detailed:
            return (back_button("primary", verb="areas"),)
        over = self.position.winner_name is not None
        back = back_button("quiet" if over else "primary")
        return (back, Button(_("Home"), Intent("home"), "primary")) if over else (back,)

    def touch(self, intent: Intent) -> Scene | None:
        """Turn over, share, decide, or go."""
        match intent.verb:
            case "areas":
                self.detailed, self.page = not self.detailed, 0
            case "share" if self.table is not None:
                return ShareScene(self.table, shareable_score(self.table), self)
            case "by-hand" if self.table is not None:
                return decide_scene(self.table, self)
            case "home" if self.table is not None:
                return leave_for_home(self.table, self)
        return self.home if intent.verb == "home" else super().touch(intent)


def score_of(table: OrdersTable, back: Scene | None = None) -> ScoreScene:
    """Open the score of a table's match as it is now."""
    match = table.match
    return ScoreScene((match.position, match.players), back or table, table.home, table)


def decide_scene(table: OrdersTable, back: Scene) -> DecideScene:
    """Open the scene in which players declare the winner by hand."""
    words = (
        _("Ends the game. Logged as set by hand; you can undo it."),
        _("This ends the game."),
    )

    def step(side: int) -> Agreed:
        return Agreed(note=_("set by hand"), other=OtherCorrections(winner=table.match.board.factions[side]))

    return DecideScene(table, words, step, back)


def result(position: Position, people: People) -> tuple[Block, ...]:
    """Show both sides' points, the winner and the reasons."""
    counted, winner = score(position), leader(position)
    sides = tuple(
        TallySide(faction, people.name(faction), counted.vp[faction], faction == winner) for faction in people.factions
    )
    why = (*map(Text, reasons(position, people)), *(Text(text, "quiet") for text in made_up(position)))
    return Tally(sides), Prompt(winner, verdict(position, people)), *why


def areas(position: Position, people: People) -> tuple[Block, ...]:
    """List each area worth points with the side that earns them, what nobody earns, and why."""
    counted = score(position).areas
    rows = [
        (
            _label(position, area.name, people),
            *(str(counted[faction].get(area.name, "")) for faction in people.factions),
        )
        for area in position.board.areas
        if area.vp
    ]
    total = (_("Total"), *(str(sum(counted[faction].values())) for faction in people.factions))
    return (Grid((_("Area"), *map(people.name, people.factions)), (*rows, total)),)


def _label(position: Position, name: str, people: People) -> str:
    holder, vp = position.controller(name), position.board.area(name).vp
    label = f"{name} ({vp})"
    if len(position.units_in(name)) > 1:
        return _("{area}, undecided").format(area=label)
    if holder is None:
        return _("{area}, empty").format(area=label)
    if not is_supplied(position, name):
        return _("{area}, {who} cut off").format(area=label, who=people.name(holder))
    return label


def shareable_score(table: OrdersTable) -> Result:
    """Return the score to pass on: the points with reasons as text, and the map as a picture."""
    match, people = table.match, table.people
    return Result(as_text(match.position, people, day_of(match.path)), card(match, people))


def card(match: Match, people: People) -> Screen:
    """Lay out the picture to share: the map with supply and points, the result, the game and the day."""
    position = match.position
    day = Text(_("{game}, {day}").format(game=game_title(position.board), day=day_of(match.path)), "quiet")
    return Screen(
        title=_("Final score") if position.winner_name else _("Score so far"),
        blocks=(day, *result(position, people)),
        map=map_picture(position, Marks(), None, SHOWN),
    )
