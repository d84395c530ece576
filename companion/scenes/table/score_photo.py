"""The score from a picture alone: taken now or from a file; what the eye is unsure of is asked, area by area."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.background import Errand
from companion.core.errors import CompanionError
from companion.core.language import _, plural
from companion.games.match import Match
from companion.perception.photo_reader import Settled, photos, position_of, settled_with_game, to_ask
from companion.scenes.base.map_picture import Marks, Overlay, map_picture
from companion.scenes.base.ports import Eye
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.table.score import SHOWN, areas, result
from companion.text.faults import fault_words
from companion.text.orders import unit_name, what_stands
from companion.text.people import People
from companion.text.score import board_outcome
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Choice,
    Intent,
    Screen,
    Stepper,
    Steppers,
    Text,
    back_button,
    cancel_button,
    confirm_button,
)
from engine.orders.board import Board
from engine.orders.position import Position
from vision.errors import VisionError
from vision.reading.read import Reading

MOST_FILES = 6
MOST_UNITS = 9


class PhotoScene:
    """Take a picture or choose a file; the eye reads it beside the screen."""

    def __init__(self, eye: Eye, game: tuple[Board, Match | None], back: Scene) -> None:
        self.eye = eye
        self.board, self.match = game
        self.back = back
        self.fault = ""
        self.files = photos()[:MOST_FILES]
        self._errand: Errand[Reading | str] = Errand("photo")

    def show(self) -> Screen:
        """Show the ways to get a picture, or that it is being read."""
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
        now = (Button(_("Take a photo now"), Intent("now"), "primary"),) if self.eye.camera else ()
        files = tuple(Button(path.name, Intent("file", "", n)) for n, path in enumerate(self.files))
        where = Text(_("Or one of your photos:") if files else _("No photos found."), "quiet")
        return *((Buttons(now, 1),) if now else ()), where, Buttons(files, 2)

    def touch(self, intent: Intent) -> Scene | None:
        """Begin to read."""
        self.fault = ""
        if intent.verb == "back":
            self._errand.close()
            return self.back
        if self._errand.idle and intent.verb == "now":
            self._begin(lambda: self.eye.read_now(self.match))
        elif self._errand.idle and intent.verb == "file" and 0 <= intent.n < len(self.files):
            path = self.files[intent.n]
            self._begin(lambda: self.eye.file(path))
        return None

    def _begin(self, look: Callable[[], Reading]) -> None:
        def work() -> Reading | str:
            try:
                return look()
            except (VisionError, CompanionError, OSError) as error:
                return fault_words(error)

        self._errand.begin(work)

    def wait(self) -> None:
        """Wait until the picture is read."""
        self._errand.wait()

    def tick(self, _now_s: float) -> Scene | None:
        """Fetch what was read."""
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
    """Asks about each doubtful area, and the initiative where it decides; then the score."""

    def __init__(self, seen: Settled, game: tuple[Board, Match | None], back: Scene) -> None:
        super().__init__(back)
        self.seen = seen
        self.board, self.match = game
        self.left = to_ask(self.board, seen)
        self.asked = len(self.left)
        self.counts: dict[tuple[str, str], int] = {}
        self.initiative: str | None = None
        self.detailed = False
        self._ask()

    @property
    def people(self) -> People:
        """Who plays, as far as a game tells."""
        return People(self.board.factions, self.match.players if self.match is not None else {})

    @property
    def position(self) -> Position:
        """What is scored. AdapterError where it can be no position."""
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
        stop = cancel_button("back")
        return Screen(
            title=what_stands(area),
            blocks=(Text(number, "quiet"), Steppers(steppers)),
            actions=(stop, confirm_button(_("That's right"), intent=Intent("said"))),
            map=map_picture(position, Marks({area: "target"}), None, Overlay()),
        )

    def _score(self, position: Position) -> Screen:
        ended = board_outcome(position, self.match is not None or self.initiative is not None)
        done = back_button("primary")
        turn = Button(_("Result") if self.detailed else _("Area by area"), Intent("areas"))
        if ended.winner is None:
            # a tie: the initiative decides, and no picture shows it
            buttons = tuple(
                Button(self.people.name(faction), Intent("initiative", faction)) for faction in self.board.factions
            )
            blocks: tuple[Block, ...] = (Choice(_("It's a tie. Who has the initiative?"), buttons),)
        else:
            blocks = areas(position, self.people) if self.detailed else (*result(position, self.people), self._sure())
        return Screen(
            title=_("Score from the photo"),
            blocks=blocks,
            actions=(turn, done),
            map=map_picture(position, Marks(), None, SHOWN),
            page=self.page,
        )

    def _sure(self) -> Block:
        """Say what the score rests on: the areas checked by people, and the camera's certainty."""
        if not self.asked:
            return Text(_("The camera was sure of every area."), "quiet")
        said = plural("You checked {n} area; the camera was sure of the rest.",
                      "You checked {n} areas; the camera was sure of the rest.", self.asked)  # fmt: skip
        return Text(said, "quiet")

    def touch(self, intent: Intent) -> Scene | None:
        """Count, say so, turn over, or go."""
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
