"""The table of a game: its picture, the status, and one panel after another as the position asks for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Generic, TypeVar

from companion.core.errors import MatchError
from companion.core.language import _, language_in_use
from companion.games.match import GameSession
from companion.games.rules_search import Library
from companion.games.saved.shelf import export
from companion.games.status import Aloud, Rounds
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.panels import (
    Agree,
    Close,
    Face,
    FacingPanel,
    Lead,
    Offer,
    Open,
    Panel,
    Reply,
    Why,
    ask_button,
    in_half,
    log_button,
    redo_button,
    watcher_blocks,
)
from companion.scenes.base.rules import rules_at
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import PagesScene
from companion.scenes.disputes.dispute import DisputeScene, SettleScene
from companion.scenes.disputes.ruling import ReadingsScene, ruling_on, step_ruling
from companion.scenes.review.log import LogScene, MomentScene, UndoScene
from companion.scenes.story.game_log import MatchLog, redo_lines, step_lines, steps_left_by_undo, take_back
from companion.scenes.story.presenter import (
    ArgumentQuestion,
    RulesQuestion,
    SystemPresenter,
    Ways,
    explain,
    people_of,
    with_picture,
)
from companion.scenes.table.ending import EndScene
from companion.scenes.table.game_menu import MenuScene
from companion.text.faults import short_path, table_fault_words
from companion.text.people import People
from companion.ui.intents import Tooltip
from companion.ui.screen import Block, Button, Intent, MapPicture, Picture, Prompt, Screen, Text
from companion.ui.table_pictures import AnyTablePicture
from engine.ruling import Ruling

P = TypeVar("P")
S = TypeVar("S")

LOG_LINES = 14
MOST_BESIDE = 2  # buttons of a panel that leave room for one more in a half


class TableScene(Generic[P, S]):
    """A game at the table. What it shows is `match.position`, which changes only once a step is saved.

    A system's own table says which panel a position asks for, and which scenes lead on from it. alone: one person sits
    there, with the whole screen in any layout.
    """

    alone = False

    def __init__(self, stage: Stage, match: GameSession[P, S], home: Scene, presenter: SystemPresenter[P, S]) -> None:
        self.stage = stage
        self.match = match
        self.home = home
        self.presenter = presenter
        self.page = 0
        self.banner = match.notice or ""
        self._game_log = MatchLog(match, presenter)
        self._game_log.follow()
        self._log: tuple[object, object, tuple[str, ...]] = (None, None, ())
        self._again: tuple[object, bool] = (None, False)
        self._last_position = match.position
        self.panel: Panel[S] = self.asked_for()

    # ---- what a system's table says ----------------------------------------------------------------

    def asked_for(self) -> Panel[S]:
        """Return the panel for the current position."""
        raise NotImplementedError

    def straight(self, back: Scene) -> Scene:
        """Open the scene in which players correct the record by hand."""
        raise NotImplementedError

    def details(self, back: Scene) -> Scene:
        """Open the score of the game as it stands or ended."""
        raise NotImplementedError

    def score(self) -> Scene:
        """Open the end of a finished game, or the score of one still played."""
        return EndScene(self) if self.winner is not None else self.details(self)

    def questions(self, _back: Scene, _seat: str) -> tuple[ArgumentQuestion, ...]:
        """Return the system's own questions for an argument; seat: the half that asks, or ""."""
        return ()

    def ways(self, back: Scene) -> Ways:
        """Return the menu's additional buttons, each with what opens its scene: here one to save a copy."""
        copy = Button(_("Save a copy"), Intent("copy"), sign="log", note=_("take it with you"))
        return ((copy, lambda: self._copy(back)),)

    def moment(self, number: int, back: Scene) -> Scene:
        """Open the game as it was after this many steps."""
        return MomentScene(self, number, back)

    def step_scene(self, number: int, back: Scene) -> Scene:
        """Open the ruling on why a step (counted from 1) was allowed."""
        return step_ruling(self, number, back)

    def settle(self, question: RulesQuestion[P, S] | None, back: Scene) -> Scene:
        """Open the scene where players record an agreement. question: what was asked before, or None."""
        return SettleScene(self, question, back)

    def look(self) -> None:
        """Update the panel from the camera before it is shown; does nothing unless a system overrides it."""

    # ---- what the app asks ------------------------------------------------------------------------

    @property
    def position(self) -> P:
        """The position that panels start from: the match's, unless a system overrides it."""
        return self.match.position

    @property
    def picture(self) -> MapPicture | Picture:
        """The table as it stands, in the picture used for the end of a game."""
        return self.presenter.final_picture(self.match.position)

    @property
    def people(self) -> People:
        """Both sides with the players' names."""
        return people_of(self.presenter, self.match.position, self.match.players)

    @property
    def sides(self) -> tuple[str, ...]:
        """The colours of both sides, in the order of their indices."""
        return self.presenter.seats(self.presenter.keys(self.match.position))

    @property
    def waits_for(self) -> frozenset[str]:
        """The colours of the sides whose touch the table waits for."""
        return frozenset(self.sides[side] for side in self.presenter.waits_for(self.match.position))

    @property
    def asked_side(self) -> str:
        """The colour of the side that is asked first; the first side's if the table waits for none."""
        return self.sides[next(iter(self.presenter.waits_for(self.match.position)), 0)]

    @property
    def winner(self) -> str | None:
        """The colour of the side that has won; None while nobody has."""
        won = self.presenter.winner(self.match.position)
        return None if won is None else self.sides[won]

    @property
    def rounds(self) -> Rounds:
        """The round, and what else of the game's progress its system tells."""
        return self.presenter.rounds(self.match.position)

    def explain(self, key: str, picture: AnyTablePicture | None = None) -> Tooltip | None:
        """Return the tooltip of the thing under a long touch, by its key; None if it has none.

        picture: the one beside the thing or around it. Without one, as on a photo or on a half without a map, things
        are explained as the game has them now.
        """
        position = self.match.position
        return explain(self.presenter, (position, self.people), key, picture or self.presenter.picture(position))

    def speech(self) -> Aloud:
        """Return what the voice may say about the position, and the card titles it must never say."""
        presenter, position, people = self.presenter, self.match.position, self.people
        side = presenter.acting(position)
        acting = "" if side is None else self.sides[side]
        return Aloud(
            acting,
            _("{who}'s turn.").format(who=people.name(acting)) if acting else "",
            presenter.dice_owed(position, people),
            presenter.round_over(position, people),
            presenter.secret(position),
        )

    @property
    def announcement(self) -> str:
        """What the app's side is about to do, in a sentence; "" as people play both sides here."""
        return ""

    # ---- what the log and the menu ask -------------------------------------------------------------

    @property
    def game_log(self) -> MatchLog:
        """The log of the game."""
        return self._game_log

    def library(self) -> Library:
        """Return the searchable rules of this game."""
        return self.presenter.library(self.match.position)

    def readings(self, back: Scene) -> Scene:
        """Open the list of questions that the rules leave open."""
        return ReadingsScene(self, back)

    def _copy(self, back: Scene) -> Scene:
        """Export the game's file, and return a page that says where it is."""
        saved = _("Saved as {path}").format(path=short_path(export(self.match.path)))
        return PagesScene(_("Save a copy"), (Text(saved),), back)

    def log(self) -> tuple[str, ...]:
        """Return the last LOG_LINES steps in words, newest first; cached until the game or the language changes."""
        position, language = self.match.position, language_in_use()
        if self._log[0] is not position or self._log[1] is not language:
            lines = tuple(text for _number, text in islice(step_lines(self.game_log), LOG_LINES))
            self._log = position, language, lines
        return self._log[2]

    # ---- what it shows -----------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the whole table for both players."""
        face = self.face()
        return self.screen(face, face.blocks, (*face.actions, *self.ways_on()))

    def show_to(self, seat: str) -> Screen:
        """Show one half: the panel if this side must act, else whom the table waits for and the log."""
        self._catch_up()
        watches = self.winner is None and seat not in self.waits_for
        shown = self.asked_side if watches else seat
        face = self.panel.show_to(shown) if isinstance(self.panel, FacingPanel) else self.panel.show()
        if watches:
            prompt = Prompt(self.asked_side, _("Waiting for {who}.").format(who=self.people.name(self.asked_side)))
            return self.screen(face, watcher_blocks(face.blocks, prompt, (), self.log()), (ask_button(), log_button()))
        ask = () if self.stage.demo_on or len(face.actions) > MOST_BESIDE else (ask_button(),)
        return self.screen(face, in_half(face.blocks), (*face.actions, *ask, *self.take_over_button()))

    def face(self) -> Face:
        """Update the panel from the game and the camera, and return what it shows."""
        self._catch_up()
        return self.panel.show()

    def _catch_up(self) -> None:
        """Update the panel from what changed without a touch: the game, by a demo, and the camera."""
        if self._last_position is not self.match.position:  # the demo's player moved
            self.refresh()
        self.look()

    def screen(self, face: Face, blocks: tuple[Block, ...], actions: tuple[Button, ...]) -> Screen:
        """Lay out blocks and buttons under the status bar and beside the picture."""
        words = Screen(
            blocks=blocks,
            actions=self.with_redo(actions),
            banner=self.banner,
            status=self.presenter.status(self.position, self.people),
            page=self.page,
        )
        return with_picture(words, face.picture or self.presenter.picture(self.position))

    def with_redo(self, actions: tuple[Button, ...]) -> tuple[Button, ...]:
        """Return the buttons with "Redo" after "Undo", if there is an "Undo" and something to redo."""
        position = self.match.position
        if self._again[0] is not position:
            self._again = position, bool(redo_lines(self.game_log))
        undo = next((n for n, action in enumerate(actions) if action.intent.verb == "undo"), None)
        if undo is None or not self._again[1]:
            return actions
        return (*actions[: undo + 1], redo_button(), *actions[undo + 1 :])

    def ways_on(self) -> tuple[Button, ...]:
        """Return the buttons after the panel's own: "Ask", or "Take over" in a demo."""
        return self.take_over_button() or (ask_button(),)

    def take_over_button(self) -> tuple[Button, ...]:
        """Return the button that lets people take over a demo; empty outside a demo."""
        return (Button(_("Take over"), Intent("take-over"), "primary"),) if self.stage.demo_on else ()

    def refresh(self) -> None:
        """Replace the panel by the one for the current position, and bring the log up to date."""
        self._game_log.follow()
        self.panel, self.page, self._last_position = self.asked_for(), 0, self.match.position

    # ---- touches -----------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a touch by the table's own actions or else the panel; ignore it unless the table listens to it."""
        self.banner = ""
        if not self.listens(intent):
            return None
        own = self.own()
        return own[intent.verb](intent) if intent.verb in own else self.touch_panel(intent)

    def touch_panel(self, intent: Intent) -> Scene | None:
        """Pass a touch to the panel and carry out its reply; return the next scene, None to stay."""
        return self.follow(self.panel.touch(intent))

    def listens(self, intent: Intent) -> bool:
        """Return whether to act on a touch: a half that must wait can only use the table's own actions."""
        return not intent.seat or intent.seat in self.waits_for or intent.verb in self.own()

    def own(self) -> Mapping[str, Callable[[Intent], Scene | None]]:
        """Return the table's own actions by the verb that triggers them, whatever panel is open."""
        return {
            "undo": lambda intent: self.undo(),
            "redo": lambda intent: self.redo(),
            "undo-list": lambda intent: UndoScene(self, self),
            "menu": lambda intent: MenuScene(self.stage, self),
            "log": lambda intent: LogScene(self, self),
            "rules": lambda intent: rules_at(self.library(), self, intent.what),
            "readings": lambda intent: self.readings(self),
            "straight": lambda intent: self.straight(self),
            "dispute": lambda intent: DisputeScene(self.stage, self, intent.seat),
            "page": self._turn_page,
            "take-over": lambda intent: self._take_over(),
            "hush": lambda intent: None,
            "score": lambda intent: self.score(),
        }

    def follow(self, reply: Reply[S]) -> Scene | None:
        """Carry out a panel's reply; return the next scene, None to stay."""
        match reply:
            case Offer(step):
                return self.offer(step)
            case Why(step):
                return ruling_on(self, step, self)
            case Agree(step):
                asked = _("Set by hand?"), self.presenter.line_to_agree(step, self.match.position, self.people)
                return ConsentScene(asked, self.people, lambda: self.offer(step), self)
            case Open(panel):
                self.open(panel)
            case Close():
                self.refresh()
            case Lead(scene):
                return scene
        return None

    def open(self, panel: Panel[S]) -> None:
        """Replace the panel, at its first page."""
        self.panel, self.page = panel, 0

    def offer(self, step: S) -> Scene | None:
        """Take a step if it is legal, else return the ruling on it; return the next scene, None to stay."""
        ruling = self.try_step(step)
        if ruling is None:
            return None
        if not ruling.legal:
            return ruling_on(self, step, self)
        self.refresh()
        return self.end()

    def try_step(self, step: S) -> Ruling | None:
        """Take a step if it is legal; return the ruling; None, and why in the banner, if the match takes no steps."""
        self.stage.demo_on = False
        try:
            return self.match.offer(step)
        except MatchError as error:
            self.banner = table_fault_words(error)
            return None

    def end(self) -> Scene | None:
        """Return the page for the end of a finished game, if the settings want it shown unasked; else None."""
        return self.score() if self.winner is not None and self.stage.settings.score_at_end else None

    def undo(self) -> Scene | None:
        """Undo the last step worth a sentence, with all after it; return the next scene, None to stay."""
        if self.match.steps:
            return take_back(self, steps_left_by_undo(self.game_log), self)
        self.banner = _("Nothing to undo.")
        return None

    def redo(self) -> Scene | None:
        """Redo the next undone step worth a sentence, with the silent steps after it; return the next scene."""
        lines = redo_lines(self.game_log)
        if not lines:
            self.banner = _("Nothing to redo.")
            return None
        try:
            self.match.redo(lines[0][0])
        except MatchError as error:
            self.banner = table_fault_words(error)
        self.refresh()
        return self.end()

    def _turn_page(self, intent: Intent) -> None:
        self.page += intent.n

    def _take_over(self) -> None:
        self.stage.demo_on = False
        self.refresh()
