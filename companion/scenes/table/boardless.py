"""The table of a game without a board: its picture, the status, and one panel after another as it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Generic, TypeVar

from companion.core.errors import MatchError
from companion.core.language import _
from companion.games.rules_search import Library, book_library
from companion.games.session import GameSession
from companion.games.shelf import export
from companion.games.status import Rounds
from companion.scenes.base.boardless_panels import Agree, Close, Face, FacingPanel, Lead, Offer, Open, Panel, Reply, Why
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.halves import ask_button, in_half, log_button, watched
from companion.scenes.base.pages import PagesScene
from companion.scenes.base.rules import RulesScene
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.disputes.boardless_dispute import DisputeScene
from companion.scenes.disputes.boardless_readings import ReadingsScene
from companion.scenes.disputes.boardless_ruling import RulingScene, plea_of
from companion.scenes.disputes.narration import MomentScene, PlayTale
from companion.scenes.review.log import LogScene, UndoScene
from companion.scenes.story.game_log import last_told, told_steps
from companion.scenes.story.menu import Ways
from companion.scenes.story.presenter import SystemPresenter, people_of
from companion.scenes.story.taking_back import take_back
from companion.scenes.table.game_menu import MenuScene
from companion.text.people import People
from companion.text.table_faults import table_fault_words
from companion.ui.screen import Block, Button, Intent, Prompt, Screen, Text

P = TypeVar("P")
S = TypeVar("S")

LOG_LINES = 14
MOST_BESIDE = 2  # buttons of a panel that leave room for one more in a half


class BoardlessTableScene(Generic[P, S]):
    """A game at the table. What it shows is `match.position`, which changes only once the step is kept.

    A system's own table says which panel a position asks for.
    """

    def __init__(self, stage: Stage, match: GameSession[P, S], home: Scene, telling: SystemPresenter[P, S]) -> None:
        self.stage = stage
        self.match = match
        self.home = home
        self.telling = telling
        self.page = 0
        self.banner = match.notice or ""
        self._tale = PlayTale(match, telling)
        self._tale.follow()
        self._shown = match.position
        self.panel: Panel[S] = self.asked_for()

    def asked_for(self) -> Panel[S]:
        """The panel that the position asks for."""
        raise NotImplementedError

    # ---- what the app asks ------------------------------------------------------------------------

    @property
    def position(self) -> P:
        """The position the game has come to."""
        return self.match.position

    @property
    def people(self) -> People:
        """Who plays."""
        return people_of(self.telling, self.position, self.match.players)

    @property
    def sides(self) -> tuple[str, ...]:
        """The colours of both sides."""
        return self.telling.seats

    @property
    def waits_for(self) -> frozenset[str]:
        """The sides that the table waits for."""
        return frozenset(self.telling.seats[side] for side in self.telling.waits_for(self.position))

    @property
    def asked(self) -> str:
        """The side whose answer is asked for first."""
        return self.telling.seats[next(iter(self.telling.waits_for(self.position)), 0)]

    @property
    def winner(self) -> str | None:
        """The side that has won."""
        won = self.telling.winner(self.position)
        return None if won is None else self.telling.seats[won]

    @property
    def rounds(self) -> Rounds:
        """The turn that is played; of how many is a system's own to say."""
        return Rounds(self.telling.turn(self.position))

    # ---- what the log and the menu ask -------------------------------------------------------------

    @property
    def tale(self) -> PlayTale:
        """The game in words."""
        return self._tale

    def moment(self, number: int, back: Scene) -> Scene:
        """How it stood after so many steps."""
        return MomentScene(self, number, back)

    def library(self) -> Library:
        """The rules to look things up in."""
        return book_library(self.telling.rules(), self.telling.readings(), _)

    def readings(self, back: Scene) -> Scene:
        """What the rules leave open."""
        return ReadingsScene(self, back)

    def straight(self, back: Scene) -> Scene:
        """Where the record is put right by hand."""
        return self.telling.by_hand(self, back)

    def ways(self, back: Scene) -> Ways:
        """What the menu has more than of any game: a copy of it to take along."""
        copy = Button(_("Save a copy"), Intent("copy"), sign="log", note=_("to take along"))
        return ((copy, lambda: self._copy(back)),)

    def _copy(self, back: Scene) -> Scene:
        """The game's file, where it can be taken from."""
        told = _("Saved as {path}").format(path=export(self.match.path))
        return PagesScene(_("Save a copy"), (Text(told),), back)

    # ---- what it shows -----------------------------------------------------------------------------

    def show(self) -> Screen:
        """The whole table."""
        face = self._face()
        return self._screen(face, face.blocks, (*face.actions, *self._ways_on()))

    def show_to(self, seat: str) -> Screen:
        """A half: whoever has to answer gets the panel, the other one sees what is going on, and the log."""
        face = self._face()
        if self.winner is None and seat not in self.waits_for:
            prompt = Prompt(self.asked, _("{who} is asked.").format(who=self.people.name(self.asked)))
            return self._screen(face, watched(face.blocks, prompt, (), self.log()), (ask_button(), log_button()))
        own = self.panel.show_to(seat) if isinstance(self.panel, FacingPanel) else face
        ask = () if self.stage.demo_on or len(own.actions) > MOST_BESIDE else (ask_button(),)
        return self._screen(own, in_half(own.blocks), (*own.actions, *ask, *self._taken_over()))

    def log(self) -> tuple[str, ...]:
        """The last steps in words, the newest first."""
        return tuple(text for _number, text in islice(told_steps(self.tale), LOG_LINES))

    def _face(self) -> Face:
        if self._shown is not self.match.position:  # the demo's player moved
            self.refresh()
        return self.panel.show()

    def _screen(self, face: Face, blocks: tuple[Block, ...], actions: tuple[Button, ...]) -> Screen:
        return Screen(
            blocks=blocks,
            actions=actions,
            banner=self.banner,
            status=self.telling.status(self.position, self.people),
            board=face.picture or self.telling.picture(self.position),
            page=self.page,
        )

    def _ways_on(self) -> tuple[Button, ...]:
        return self._taken_over() or (Button(_("Who is right?"), Intent("dispute"), sign="scales"),)

    def _taken_over(self) -> tuple[Button, ...]:
        return (Button(_("Take over"), Intent("take-over"), "primary"),) if self.stage.demo_on else ()

    def refresh(self) -> None:
        """Show what the position asks for now."""
        self.panel, self.page, self._shown = self.asked_for(), 0, self.match.position
        self._tale.follow()

    # ---- touches -----------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """The table's own buttons first, then the panel's, where it is the toucher's to answer."""
        self.banner = ""
        own = self.own()
        if intent.verb in own:
            return own[intent.verb](intent)
        return self.follow(self.panel.touch(intent)) if self.listens(intent) else None

    def listens(self, intent: Intent) -> bool:
        """Whether this half's touch counts now; what is always there can be touched while it waits, too."""
        return not intent.seat or intent.seat in self.waits_for or intent.verb in self.own()

    def own(self) -> Mapping[str, Callable[[Intent], Scene | None]]:
        """What can be touched whatever panel is open."""
        return {
            "undo": lambda intent: self._undo(),
            "undo-list": lambda intent: UndoScene(self, self),
            "menu": lambda intent: MenuScene(self.stage, self),
            "log": lambda intent: LogScene(self, self),
            "rules": lambda intent: RulesScene(self.library(), self),
            "readings": lambda intent: self.readings(self),
            "straight": lambda intent: self.straight(self),
            "dispute": lambda intent: DisputeScene(self.stage, self, intent.seat),
            "page": self._turn_page,
            "take-over": lambda intent: self._take_over(),
            "hush": lambda intent: None,
            "score": lambda intent: self.score(),
        }

    def follow(self, reply: Reply[S]) -> Scene | None:
        """Do what a panel replies; the scene that follows, None to stay."""
        match reply:
            case Offer(step):
                return self.offer(step)
            case Why(step):
                return self.explain(step)
            case Agree(step):
                return self._agree(step)
            case Open(panel):
                self.panel, self.page = panel, 0
            case Close():
                self.refresh()
            case Lead(scene):
                return scene
        return None

    def offer(self, step: S) -> Scene | None:
        """Take the step; an objection leads to its ruling."""
        self.stage.demo_on = False
        try:
            ruling = self.match.offer(step)
        except MatchError as error:
            self.banner = table_fault_words(error)
            return None
        if not ruling.legal:
            return self.explain(step)
        self.refresh()
        return self.score() if self.winner is not None and self.stage.settings.score_at_end else None

    def explain(self, step: S) -> Scene:
        """The ruling on a step, with every criterion."""
        return RulingScene(self, plea_of(self, self.position, step), self)

    def _undo(self) -> Scene | None:
        """Take back the last step that is worth a sentence."""
        if self.match.steps:
            return take_back(self, last_told(self.tale), self)
        self.banner = _("There is nothing to take back.")
        return None

    def _agree(self, step: S) -> Scene:
        """Ask both, then record it."""
        asked = _("Set by hand?"), self.telling.line(step, self.position, self.people)
        return ConsentScene(asked, self.people, lambda: self.offer(step), self)

    def score(self) -> Scene:
        """How it stands, or ended."""
        return self.telling.score(self)

    def _turn_page(self, intent: Intent) -> None:
        self.page += intent.n

    def _take_over(self) -> None:
        self.stage.demo_on = False
        self.refresh()
