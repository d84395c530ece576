"""The score: points, the winner and why; area by area, set by hand, passed on; and from a picture alone."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.background import Errand
from companion.core.errors import CompanionError
from companion.core.language import _, plural
from companion.games.match import Match
from companion.games.position_facts import is_supplied
from companion.games.sharing import day_of
from companion.perception.photo_reader import Settled, areas_to_ask, photo_files, position_of, settled_with_game
from companion.scenes.base.map_picture import Marks, Overlay, map_picture
from companion.scenes.base.ports import Eye
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.base.unsaved import leave_for_home
from companion.scenes.disputes.dispute import DecideScene
from companion.scenes.story.tables import OrdersTable
from companion.scenes.table.ending import Result, ShareScene
from companion.text.faults import fault_words
from companion.text.orders import game_title, unit_name, what_stands
from companion.text.people import People
from companion.text.score import as_text, board_outcome, leader, made_up, reasons, verdict
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Choice,
    Grid,
    Intent,
    Prompt,
    Screen,
    Stepper,
    Steppers,
    Tally,
    TallySide,
    Text,
    back_button,
    cancel_button,
    confirm_button,
)
from engine.orders.board import Board
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.steps import Agreed, OtherCorrections
from vision.errors import VisionError
from vision.reading.read import Reading

SHOWN = Overlay(supply=True, points=True)
MOST_FILES = 6
MOST_UNITS = 9


class ScoreScene(BackScene):
    """The final score of a table's match, or the score as if the game ended now."""

    shared = True  # both look at it, on the map between them

    def __init__(self, table: OrdersTable, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.detailed = False

    @property
    def position(self) -> Position:
        """The position to score."""
        return self.table.match.position

    @property
    def people(self) -> People:
        """Both factions with the players' names."""
        return People(self.position.board.factions, self.table.match.players)

    def show(self) -> Screen:
        """Show the map with supply and points, and beside it the score with its reasons or area by area."""
        position = self.position
        ways = (
            Button(_("Area by area"), Intent("areas")),
            Button(_("Share"), Intent("share")),
            Button(_("Declare the winner"), Intent("by-hand"), "quiet"),
        )
        told = (*result_blocks(position, self.people), Buttons(ways, len(ways)))
        return Screen(
            title=_("Final score") if position.winner_name else _("Score right now"),
            blocks=area_blocks(position, self.people) if self.detailed else told,
            actions=self._actions(),
            page=self.page,
            map=map_picture(position, Marks(), None, SHOWN),
        )

    def _actions(self) -> tuple[Button, ...]:
        if self.detailed:
            return (back_button("primary", verb="areas"),)
        over = self.position.winner_name is not None
        back = back_button("quiet" if over else "primary")
        return (back, Button(_("Home"), Intent("home"), "primary")) if over else (back,)

    def touch(self, intent: Intent) -> Scene | None:
        """Switch to the score area by area or back, share it, declare a winner, or leave."""
        match intent.verb:
            case "areas":
                self.detailed, self.page = not self.detailed, 0
            case "share":
                return ShareScene(self.table, shareable_score(self.table), self)
            case "by-hand":
                return decide_scene(self.table, self)
            case "home":
                return leave_for_home(self.table, self)
        return super().touch(intent)


def decide_scene(table: OrdersTable, back: Scene) -> DecideScene:
    """Return the scene in which both players declare the winner by hand."""
    words = (_("Ends the game. Logged as set by hand; you can undo it."), _("This ends the game."))

    def step(side: int) -> Agreed:
        return Agreed(note=_("set by hand"), other=OtherCorrections(winner=table.match.board.factions[side]))

    return DecideScene(table, words, step, back)


def result_blocks(position: Position, people: People) -> tuple[Block, ...]:
    """Return blocks with both sides' points, the winner and the reasons."""
    counted, winner = score(position), leader(position)
    sides = tuple(
        TallySide(faction, people.name(faction), counted.vp[faction], faction == winner) for faction in people.factions
    )
    why = (*map(Text, reasons(position, people)), *(Text(text, "quiet") for text in made_up(position)))
    return Tally(sides), Prompt(winner, verdict(position, people)), *why


def area_blocks(position: Position, people: People) -> tuple[Block, ...]:
    """Return a table of the areas worth points: who scores each, or why nobody does, and the totals."""
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
    """Return the score to share: the points with reasons as text, and a picture with the map."""
    match, people = table.match, table.people
    return Result(as_text(match.position, people, day_of(match.path)), score_picture(match, people))


def score_picture(match: Match, people: People) -> Screen:
    """Return the screen to share as a picture: the map with supply and points, the result, the game and the day."""
    position = match.position
    day = Text(_("{game}, {day}").format(game=game_title(position.board), day=day_of(match.path)), "quiet")
    return Screen(
        title=_("Final score") if position.winner_name else _("Score so far"),
        blocks=(day, *result_blocks(position, people)),
        map=map_picture(position, Marks(), None, SHOWN),
    )


# ---- from a picture alone; what the eye is unsure of is asked, area by area ----------------------


class PhotoScene:
    """Asks for a photo of the board, from the camera or a file, and has it read in the background."""

    def __init__(self, eye: Eye, game: tuple[Board, Match | None], back: Scene) -> None:
        self.eye = eye
        self.board, self.match = game
        self.back = back
        self.fault = ""
        self.files = photo_files()[:MOST_FILES]
        self._errand: Errand[Reading | str] = Errand("photo")

    def show(self) -> Screen:
        """Show the ways to get a photo, or that one is being read."""
        if not self._errand.idle:
            blocks: tuple[Block, ...] = (Text(_("Reading the photo …"), "strong"),)
        else:
            blocks = self._ways()
        return Screen(
            title=_("Score from a photo"),
            blocks=blocks,
            actions=(back_button(),),
            banner=self.fault,
            banner_tone="bad",
        )

    def _ways(self) -> tuple[Block, ...]:
        now = (Button(_("Take a photo now"), Intent("now"), "primary"),) if self.eye.has_camera else ()
        files = tuple(Button(path.name, Intent("file", "", n)) for n, path in enumerate(self.files))
        where = Text(_("Or one of your photos:") if files else _("No photos found."), "quiet")
        return *((Buttons(now, 1),) if now else ()), where, Buttons(files, 2)

    def touch(self, intent: Intent) -> Scene | None:
        """Start reading the chosen photo, or go back."""
        self.fault = ""
        if intent.verb == "back":
            self._errand.close()
            return self.back
        if self._errand.idle and intent.verb == "now":
            self._begin(lambda: self.eye.read_now(self.match))
        elif self._errand.idle and intent.verb == "file" and 0 <= intent.n < len(self.files):
            path = self.files[intent.n]
            self._begin(lambda: self.eye.read_file(path))
        return None

    def _begin(self, look: Callable[[], Reading]) -> None:
        def work() -> Reading | str:
            try:
                return look()
            except (VisionError, CompanionError, OSError) as error:
                return fault_words(error)

        self._errand.begin(work)

    def wait(self) -> None:
        """Block until the photo is read."""
        self._errand.wait()

    def tick(self, _now_s: float) -> Scene | None:
        """Return the score scene once the photo is read, this scene if reading failed, else None."""
        read = self._errand.fetch() if not self._errand.idle else None
        if read is None:
            return None
        if isinstance(read, str):
            self.fault = read
            return self
        self._errand.close()
        game = self.match.position if self.match is not None else None
        return PhotoScoreScene(settled_with_game(read, game), (self.board, self.match), self.back)


class PhotoScoreScene(BackScene):
    """Asks about each doubtful area of a photo, then shows the score; asks for the initiative in a tie."""

    def __init__(self, seen: Settled, game: tuple[Board, Match | None], back: Scene) -> None:
        super().__init__(back)
        self.seen = seen
        self.board, self.match = game
        self.left = areas_to_ask(self.board, seen)
        self.asked = len(self.left)
        self.counts: dict[tuple[str, str], int] = {}
        self.initiative: str | None = None
        self.detailed = False
        self._ask()

    @property
    def people(self) -> People:
        """Both factions, with the players' names if there is a game."""
        return People(self.board.factions, self.match.players if self.match is not None else {})

    @property
    def position(self) -> Position:
        """The position to score. AdapterError if what was seen cannot be a position."""
        game = self.match.position if self.match is not None else None
        return position_of(self.board, self.seen, game, self.initiative)

    def _ask(self) -> None:
        """Fill the steppers with what the eye saw in the next doubtful area."""
        self.counts = {}
        if self.left:
            area = self.board.area(self.left[0])
            kinds = [kind.name for kind in self.board.mode.units if kind.place == area.kind]
            here = self.seen.units.get(area.name, {})
            self.counts = {(who, kind): here.get(who, {}).get(kind, 0) for who in self.board.factions for kind in kinds}

    def show(self) -> Screen:
        """Ask the next question about the board, or show the score."""
        try:
            position = self.position
        except CompanionError as error:
            back = back_button("primary")
            return Screen(title=_("Score from a photo"), blocks=(Text(fault_words(error), "bad"),), actions=(back,))
        if self.left:
            return self._question(position)
        return self._score(position)

    def _question(self, position: Position) -> Screen:
        area = self.left[0]
        number = _("Unsure: area {n} of {all}").format(n=self.asked - len(self.left) + 1, all=self.asked)
        steppers = tuple(
            Stepper(unit_name(who, kind), n, MOST_UNITS, "count", f"{who}/{kind}")
            for (who, kind), n in self.counts.items()
        )
        return Screen(
            title=what_stands(area),
            blocks=(Text(number, "quiet"), Steppers(steppers)),
            actions=(cancel_button("back"), confirm_button(_("That's right"), intent=Intent("said"))),
            map=map_picture(position, Marks({area: "target"}), None, Overlay()),
        )

    def _score(self, position: Position) -> Screen:
        ended = board_outcome(position, self.match is not None or self.initiative is not None)
        turn = Button(_("Result") if self.detailed else _("Area by area"), Intent("areas"))
        if ended.winner is None:
            # a tie: the initiative decides, and no picture shows it
            buttons = tuple(
                Button(self.people.name(faction), Intent("initiative", faction)) for faction in self.board.factions
            )
            blocks: tuple[Block, ...] = (Choice(_("It's a tie. Who has the initiative?"), buttons),)
        else:
            blocks = (
                area_blocks(position, self.people)
                if self.detailed
                else (*result_blocks(position, self.people), self._sure())
            )
        return Screen(
            title=_("Score from the photo"),
            blocks=blocks,
            actions=(turn, back_button("primary")),
            map=map_picture(position, Marks(), None, SHOWN),
            page=self.page,
        )

    def _sure(self) -> Block:
        """Return a line on how many areas people checked, and that the camera was sure of the rest."""
        if not self.asked:
            return Text(_("The camera was sure of every area."), "quiet")
        said = plural("You checked {n} area; the camera was sure of the rest.",
                      "You checked {n} areas; the camera was sure of the rest.", self.asked)  # fmt: skip
        return Text(said, "quiet")

    def touch(self, intent: Intent) -> Scene | None:
        """Change a count, confirm an area, set the initiative, switch the view, or go back."""
        match intent.verb:
            case "count":
                who, _slash, kind = intent.what.partition("/")
                self.counts[who, kind] = min(max(self.counts[who, kind] + intent.n, 0), MOST_UNITS)
            case "said" if self.left:
                self._said()
            case "initiative":
                self.initiative = intent.what
            case "areas":
                self.detailed = not self.detailed
        return super().touch(intent)

    def _said(self) -> None:
        force = {
            who: {k: n for (owner, k), n in self.counts.items() if owner == who and n} for who in self.board.factions
        }
        self.seen = self.seen.with_count(self.left.pop(0), {who: units for who, units in force.items() if units})
        self._ask()
