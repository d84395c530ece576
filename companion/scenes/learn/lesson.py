"""A tutorial played on the screen alone: the real scenes with a coach beside them, one touch at a time; never saved."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from companion.core.language import _
from companion.games.clock import GameClock
from companion.games.journal import system_of
from companion.games.match import SESSIONS, AnyMatch, open_game
from companion.scenes.base.stage import Scene, Stage, Table
from companion.scenes.table.ending import EndScene
from companion.systems.game_system import Slot
from companion.ui.screen import Block, Button, Buttons, Coach, Intent, Screen, Spotlight, Text, back_button
from companion.ui.small_map import SmallPicture

NEXT, LEAVE, PLAY, WHOLE = (Intent("coach", what) for what in ("next", "leave", "play", "whole"))
Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """One thing for the coach to say and the player to do.

    title, text: what the coach says. touches: what to touch, one after the other; none if there is only text to read.
    names: the areas, units and buttons' verbs to keep bright as well, as the text speaks of them. status: show the
    status bar meanwhile.
    """

    title: str
    text: str
    touches: tuple[Intent, ...] = ()
    names: Names = ()
    status: bool = False


@dataclass(frozen=True, slots=True)
class Tutorial:
    """A series of lessons on a game of its own.

    system: whose game it is. begin: makes the first scene, from a stage of its own and the scene to leave for.
    ending: what the coach says at the end. whole: begins a whole game to play next, from the app's stage and home.
    """

    system: str
    begin: Callable[[Stage, Scene], Scene]
    lessons: tuple[Lesson, ...]
    ending: str
    whole: Callable[[Stage, Scene], Scene] | None = None


@dataclass(frozen=True, slots=True)
class Box:
    """A box to set up: its name, a title and a note for its button, and what makes its tutorial."""

    name: str
    title: str
    note: str
    tutorial: Callable[[], Tutorial]


@dataclass(frozen=True, slots=True)
class Tutorials:
    """All tutorials of a system, made when asked for, in the language in use.

    title, text: for the list, on the first game. picture: a small one of the table.
    """

    title: Callable[[], str]
    text: Callable[[], str]
    first: Callable[[], Tutorial]
    boxes: Callable[[], tuple[Box, ...]]
    picture: Callable[[], SmallPicture]


SYSTEM_TUTORIALS = Slot[Tutorials]("tutorials")


def no_other_game(_system: str, back: Scene) -> Scene:
    """Stay in the lesson: a set-up's button for another game leads back to the same page."""
    return back


class LessonScene:
    """Leads through a tutorial; a touch that isn't the next one gets a hint."""

    whole = True  # both players look at it together
    table = None  # the camera watches nothing

    def __init__(self, stage: Stage, make: Callable[[], Tutorial], home: Scene) -> None:
        self.home = home
        self._stage = stage
        self._make = make
        self.shelf = Aside()
        self.scene: Scene = self.tutorial.begin(lesson_stage(stage, self.shelf), self)
        self.number = self.touched = self.page = 0
        self.hint = ""

    @property
    def tutorial(self) -> Tutorial:
        """The tutorial, in the language in use."""
        return self._make()

    @property
    def lesson(self) -> Lesson | None:
        """The present lesson; None after the last one."""
        lessons = self.tutorial.lessons
        return lessons[self.number] if self.number < len(lessons) else None

    @property
    def wanted(self) -> Intent:
        """The touch that leads on from here."""
        lesson = self.lesson
        if lesson is None:
            return PLAY
        return lesson.touches[self.touched] if lesson.touches else NEXT

    # ---- show ----------------------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the lesson's scene under the coach, dimmed except for what the coach speaks of.

        The button that leads on stands beside the one that leaves the lesson, or alone if it is a way back itself.
        """
        inner, lesson = without_hand_marks(self.scene.show()), self.lesson
        if lesson is None:
            return self._at_the_end(inner)
        title = f"{self.number + 1}/{len(self.tutorial.lessons)} · {lesson.title}"
        hint = (Text(self.hint, "warn"),) if self.hint else ()
        on = self._on(inner)
        coach: tuple[Block, ...] = (Coach(title, lesson.text, not lesson.touches), *hint)
        return replace(
            inner,
            title="",
            banner="",
            status=inner.status if lesson.status else None,
            blocks=(*coach, *(inner.blocks if lesson.touches else ())),
            actions=on if any(button.spot == "leave" for button in on) else (replace(back_button(), intent=LEAVE), *on),
            page=self.page,
            spot=Spotlight(self.wanted, (*lesson.names, "coach", "leave")),
        )

    def _on(self, inner: Screen) -> tuple[Button, ...]:
        """Return the button that leads on if it is one of the screen's actions."""
        if self.wanted == NEXT:
            return (Button(_("Next"), NEXT, "primary"),)
        return tuple(action for action in inner.actions if action.intent == self.wanted)

    def _at_the_end(self, inner: Screen) -> Screen:
        """Show what was learned and the ways on; below, how the game ended if it was played out."""
        told = (
            [block for block in inner.blocks if not isinstance(block, Buttons)]
            if isinstance(self.scene, EndScene)
            else []
        )
        leave = (replace(back_button(), intent=LEAVE),)
        whole = (Button(_("A whole game"), WHOLE, "primary"),) if self.tutorial.whole is not None else ()
        play = Button(_("Start your own game"), PLAY, "plain" if whole else "primary")
        coach = Coach(_("The end"), self.tutorial.ending, large=not told)
        return replace(inner, title="", banner="", status=None, blocks=(coach, *told), actions=(*leave, play, *whole))

    # ---- touches -------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Lead on if the touch was the right one; otherwise say which one is."""
        self.hint = ""
        meant = replace(intent, seat="")
        if meant == LEAVE:
            return self._leave()
        if meant == WHOLE and self.lesson is None and self.tutorial.whole is not None:
            return self.tutorial.whole(self._stage, self._leave())
        if self.lesson is None:
            return self._leave().touch(Intent("new", self.tutorial.system)) if meant == PLAY else None
        if meant.verb == "page":
            self.page += meant.n
        elif self._is_wanted(meant):
            self._play()
        else:
            self.hint = _("Not yet – touch the highlighted spot.")
        return None

    def _is_wanted(self, meant: Intent) -> bool:
        """Return whether a finger touched the right thing; a space on the wanted area of the map counts as the area."""
        if self.wanted.verb == "area" and meant.verb == "space":
            return meant.what.partition(":")[2] == self.wanted.what
        return meant == self.wanted

    def _play(self) -> None:
        """Pass the touch to the scene, and go on to the next lesson once this one is done."""
        if self.wanted != NEXT:
            self.scene = self.scene.touch(self.wanted) or self.scene
        self.touched, self.page = self.touched + 1, 0
        if self.lesson is not None and self.touched >= len(self.lesson.touches):
            self.number, self.touched = self.number + 1, 0
            if isinstance(self.scene, Table):
                self.scene.refresh()

    def _leave(self) -> Scene:
        """Leave the lessons and keep nothing of their games."""
        self.shelf.discard()
        return self.home


def without_hand_marks(screen: Screen) -> Screen:
    """Return the screen without its marks for values set by hand, as setting up a lesson leaves them everywhere."""
    picture, status = screen.map, screen.status
    if picture is not None:
        picture = replace(picture, areas=tuple(replace(area, by_hand=False) for area in picture.areas))
    if status is not None:
        status = replace(status, sides=tuple(replace(side, by_hand=frozenset()) for side in status.sides))
    return replace(screen, map=picture, status=status)


class Aside:
    """Temporary games in a folder of their own, apart from the players' saved games."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="gunbai-"))
        self.clear_folder = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.begun: list[AnyMatch] = []

    def open(self, path: Path) -> AnyMatch:
        """Open a saved game; it isn't closed by `discard`."""
        return open_game(path)

    def copy(self, data: bytes) -> AnyMatch:
        """Write a game's file from its bytes, and open it; MatchError if it is no game."""
        path = self.folder / f"{len(self.begun)}.jsonl"
        path.write_bytes(data)
        self.begun.append(open_game(path))
        return self.begun[-1]

    def start(self, request: Mapping[str, object]) -> AnyMatch:
        """Begin a temporary game, as a `new` request asks."""
        path = self.folder / f"{len(self.begun)}.jsonl"
        self.begun.append(SESSIONS.of(system_of(request).name).begin(path, request, anyway=True))
        return self.begun[-1]

    def discard(self) -> None:
        """Close the games begun here and delete their folder; nothing can be begun afterwards."""
        for match in self.begun:
            match.close()
        self.clear_folder()


def lesson_stage(stage: Stage, shelf: Aside) -> Stage:
    """Return a copy of the stage for lessons: no camera, no reminders of pieces, no clock, and nothing is saved."""
    settings = replace(
        stage.settings,
        ask_cards=True,
        list_hands=False,
        score_at_end=True,
        round_end=False,
        show_changes=False,
        clock_minutes=0,
    )
    services = replace(stage.services, games=shelf, choices=None, export=None, clock=GameClock())
    return Stage(services, desk=stage.desk, settings=settings)
