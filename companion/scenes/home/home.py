"""Home: continue the last game, begin a new one of any system, learn to play, and buttons to everything else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from companion import __version__
from companion.core.errors import MatchError
from companion.core.language import _, language_code
from companion.core.storage import games_dir
from companion.games.rules_search import library_of
from companion.games.saved.shelf import Saved, last_running, last_system, shelf
from companion.scenes.base.help import HelpScene
from companion.scenes.base.map_picture import start_picture
from companion.scenes.base.new_game import GameChoice, readings
from companion.scenes.base.rules import RulesScene
from companion.scenes.base.stage import Demonstrate, Leave, Scene, Stage
from companion.scenes.base.sub_scene import PagesScene, SubScene
from companion.scenes.camera.calibration import begin
from companion.scenes.home.only_look import scene_for_match
from companion.scenes.home.own_boards import OwnBoardsScene
from companion.scenes.home.saved import SavedScene
from companion.scenes.home.statistics import StatisticsScene
from companion.scenes.home.stick import StickScene
from companion.scenes.learn.learn import LearnScene
from companion.scenes.settings.checkup import CheckScene
from companion.scenes.settings.power import PowerScene, power_button
from companion.scenes.settings.settings import SettingsScene
from companion.scenes.story.tables import PORTRAITS, Sight
from companion.scenes.systems import card_picture, sight_of
from companion.scenes.table.score import PhotoScene
from companion.systems.game_system import Slot, game_system
from companion.text.faults import fault_words
from companion.text.saved_games import against, headline, kind, machine_time, practice, system_title, turn, when
from companion.ui.screen import Block, Button, Buttons, Intent, Prompt, Screen, Slip, Text, back_button
from engine.systems import SYSTEMS


class HomeScene:
    """The start page: its bright button continues the last game, or begins a new one."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.banner = ""
        self._shown: object = None

    def tick(self, now_s: float) -> Scene | None:
        """Read on in the shelf of games; return this scene if the games to offer have changed, else None."""
        return self if shelf().tick(now_s) and _offered(shelf().games) != self._shown else None

    def show(self) -> Screen:
        """Show the last game with its board, and buttons for everything the app does."""
        games = shelf().look().games
        last, shown, systems = self._shown = _offered(games)
        sight = sight_of(shown) if shown and (last or not game_system(shown.system).has_board) else {}
        first = _last(last) if last else (Text(_("Watches the table, knows the rules, keeps the score."), "quiet"),)
        return Screen(
            title="Gunbai",
            tone="title" if last else "hero",
            blocks=(*first, *_ways(last is not None, systems)),
            actions=(
                Button(_("Rules"), Intent("rules"), sign="book"),
                Button(_("Help"), Intent("guide"), sign="question"),
                Button(_("Settings"), Intent("settings"), sign="gear"),
                Button(_("More"), Intent("more"), sign="more"),
            ),
            banner=self.banner,
            banner_tone="bad",
            **(sight or Sight(map=start_picture(self.stage.board))),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Open what was touched; the banner says why a game can't be opened."""
        self.banner = ""
        if intent.verb == "new":
            return setup_of(intent.what or last_system(shelf().games), self.stage, self)
        lead = self._leads().get(intent.verb)
        return lead() if lead is not None else None

    def _leads(self) -> Mapping[str, Callable[[], Scene | None]]:
        return {
            "resume": self._resume,
            "learn": lambda: LearnScene(self.stage, self),
            "saved": lambda: SavedScene(self.stage, self),
            "statistics": lambda: StatisticsScene(games_dir(), self),
            "rules": self._rules,
            "guide": lambda: HelpScene(self),
            "settings": lambda: SettingsScene(self.stage, self),
            "more": lambda: HomeMoreScene(self.stage, self),
        }

    def _rules(self) -> Scene:
        """Open the rules of the last game while it is unfinished, otherwise those of the board set for a new game."""
        last = last_running(shelf().games)
        library = (
            library_of(self.stage.board.mode, _, language=language_code())
            if last is None
            else PORTRAITS.of(last.system).library(last)
        )
        return RulesScene(library, self)

    def _resume(self) -> Scene | None:
        last = last_running(shelf().look().games)
        if last is None:
            return None
        try:
            match = self.stage.services.games.open(last.path)
        except MatchError as error:
            self.banner = fault_words(error)
            return None
        return scene_for_match(self.stage, match, self)


def _offered(games: Sequence[Saved]) -> tuple[Saved | None, Saved | None, tuple[str, ...]]:
    """Choose what to offer: the game to continue, the game to show, and the systems in order.

    Either game may be None. The system that was played last comes first.
    """
    last = last_running(games)
    shown = last or next((game for game in games if not game.demo and game.readable), None)
    return last, shown, systems_in_order(games)


def _last(game: Saved) -> tuple[Block, ...]:
    """Introduce the unfinished game: who is to move, the opponent, its turn and its date; and a button to continue."""
    text = " · ".join(filter(None, (against(game), turn(game), when(game.written, machine_time()), practice(game))))
    return (
        Prompt(PORTRAITS.of(game.system).seat(game, game.to_move), headline(game), text),
        Buttons((Button(_("Continue last game"), Intent("resume"), "primary"),), 1),
    )


def _ways(running: bool, systems: tuple[str, ...]) -> tuple[Block, ...]:
    """Return the rows of buttons below: new games of every system, lessons, saved games and statistics.

    running: a game can be continued, so a new one is not what most people want.
    """
    new = Button(_("New game"), Intent("new"), "plain" if running else "primary", note=system_title(systems[0]))
    learn = Button(_("Learn by playing"), Intent("learn"), note=_("lessons for every game"))
    others = tuple(Button(system_title(system), Intent("new", system), note=kind(system)) for system in systems[1:])
    rows: tuple[tuple[Button, ...], ...] = (
        (new, learn),
        others,
        (
            Button(_("Saved games"), Intent("saved"), sign="log"),
            Button(_("Statistics"), Intent("statistics"), sign="points"),
        ),
    )
    return tuple(Buttons(row, len(row)) for row in rows if row)


class HomeMoreScene(SubScene):
    """The page of what is needed now and then: camera, photo, health check, sticks, owners' boards and so on."""

    def __init__(self, stage: Stage, home: Scene) -> None:
        super().__init__(home)
        self.stage = stage

    def show(self) -> Screen:
        """Show a button for each thing that this machine can do."""
        buttons = tuple(button for button, _lead in self._ways())
        return Screen(title=_("More"), blocks=(Buttons(buttons, 2),), actions=(back_button("plain"),))

    def touch(self, intent: Intent) -> Scene | None:
        """Open what was touched, or go back."""
        lead = next((lead for button, lead in self._ways() if button.intent.verb == intent.verb), None)
        return lead() if lead is not None else super().touch(intent)

    def _ways(self) -> Iterator[tuple[Button, Callable[[], Scene]]]:
        """Yield a button, and what opens its scene, for each thing that this machine can do."""
        stage, senses, services = self.stage, self.stage.senses, self.stage.services
        if (cameras := senses.cameras) is not None:
            note = _("camera is set up") if cameras.ready else _("not set up yet")
            button = Button(_("Set up the camera"), Intent("calibrate"), sign="camera", note=note)
            yield button, lambda: begin(cameras, self, trial=services.trial is not None)
        if (eye := senses.eye) is not None:
            button = Button(_("Score a photo"), Intent("photo"), sign="points", note=_("any board, no game needed"))
            yield button, lambda: PhotoScene(eye, (stage.board, None), self)
        if services.doctor is not None:
            button = Button(_("Health check"), Intent("check"), sign="tick", note=_("screen, camera, disk"))
            yield button, lambda: CheckScene(stage, self)
        if services.demonstration is not None:
            button = Button(_("Watch a demo"), Intent("demo"), sign="hand", note=_("a game that plays itself"))
            yield button, lambda: DemonstrationsScene(self)
        if (sticks := services.sticks) is not None:
            note = _("save, bring in, update")
            yield Button(_("Memory stick"), Intent("stick"), sign="log", note=note), lambda: StickScene(sticks, self)
        button = Button(_("Your boards"), Intent("boards"), sign="points", note=_("scan your own copy"))
        yield button, lambda: OwnBoardsScene(cameras, self)
        yield Button(_("Your battles"), Intent("battles"), sign="castle", note=_("for Sonae")), self._battles
        yield Button(_("Your decks"), Intent("decks"), sign="deck", note=_("for Generals Order")), self._decks
        yield Button(_("Unclear rules"), Intent("readings"), sign="scales"), self._readings
        button = Button(_("About Gunbai"), Intent("about"), sign="question", note=_("version and licences"))
        yield button, lambda: about(self)
        if (power := services.power) is not None:
            yield power_button(), lambda: PowerScene(power, self)
        else:
            yield Button(_("Quit Gunbai"), Intent("quit"), "quiet", "cross"), Leave

    def _battles(self) -> Scene:
        from companion.scenes.home.own_battles import OwnBattlesScene

        return OwnBattlesScene(self)

    def _decks(self) -> Scene:
        from companion.scenes.generals.decks import DecksScene

        return DecksScene(self)

    def _readings(self) -> Scene:
        open_questions = readings(self.stage.board, self.stage.game_defaults.readings)
        return PagesScene(_("Unclear rules"), open_questions, self)


# ---- the games to choose from --------------------------------------------------------------------


def systems_in_order(games: Iterable[Saved]) -> tuple[str, ...]:
    """Return the names of all systems, the one played last first."""
    last = last_system(games)
    return tuple(sorted(SYSTEMS, key=lambda system: system != last))


def _slips(verb: str) -> tuple[Block, ...]:
    """Return a slip for each system, the one played last first; a touch sends this verb with its name."""
    systems = map(game_system, systems_in_order(shelf().look().games))
    return tuple(
        Slip(_(system.title), _(system.blurb), intent=Intent(verb, system.name), picture=card_picture(system.name))
        for system in systems
    )


class GamesScene(SubScene):
    """The choice of a system for a new game; a touch opens its set-up."""

    def __init__(self, stage: Stage, home: Scene, back: Scene) -> None:
        super().__init__(back)
        self.stage = stage
        self.home = home

    def show(self) -> Screen:
        """List the systems to choose from, the one played last first."""
        return Screen(_("Which game?"), _slips("system"), (back_button(),))

    def touch(self, intent: Intent) -> Scene | None:
        """Open the set-up of a system, or go back."""
        if intent.verb == "system" and intent.what in SYSTEMS:
            return setup_of(intent.what, self.stage, self.home)
        return super().touch(intent)


class DemonstrationsScene(SubScene):
    """The choice of a system whose demo to watch."""

    def show(self) -> Screen:
        """List the systems whose demo can be watched."""
        quiet = Text(_("Plays both sides by itself; touch the screen to take over."), "quiet")
        return Screen(_("Watch a demo"), (*_slips("demo"), quiet), (back_button(),))

    def touch(self, intent: Intent) -> Scene | None:
        """Ask the app for the demo of a system, or go back."""
        if intent.verb == "demo" and intent.what in SYSTEMS:
            return Demonstrate(intent.what)
        return super().touch(intent)


SETUPS = Slot[Callable[[Stage, Scene, GameChoice], Scene]]("setup")
"""Make the set-up scene of a system's new game: (stage, scene to leave it for, what opens the other games)."""


def setup_of(system: str, stage: Stage, home: Scene) -> Scene:
    """Return the set-up scene of a new game of this system."""

    def games(other: str, back: Scene) -> Scene:
        return setup_of(other, stage, home) if other else GamesScene(stage, home, back)

    return SETUPS.of(system)(stage, home, games)


PARTS = (  # name, licence
    ("Atkinson Hyperlegible", "SIL Open Font License 1.1"),
    ("pygame-ce, SDL", "LGPL 2.1, zlib"),
    ("OpenCV", "Apache 2.0"),
    ("ONNX Runtime", "MIT"),
    ("EfficientNet-Lite0", "Apache 2.0"),
    ("NumPy", "BSD 3-Clause"),
    ("platformdirs", "MIT"),
)


def about(back: Scene) -> Scene:
    """Return the "About Gunbai" page: version, licence and the software it is built with."""
    parts = "\n".join(f"{name} · {licence}" for name, licence in PARTS)
    blocks: tuple[Block, ...] = (
        Text(_("Version {version}. Free software under the MIT licence.").format(version=__version__), "strong"),
        Text(
            _("An unofficial companion for General Orders (Sengoku Jidai and World War II), Sonae and Generals Order. "
              "You need your own copy of the game. Not made or endorsed by any publisher.")
        ),
        Text(_("The map and the icons are our own drawings; the rules are in our own words.")),
        Text(_("Built with"), "strong"),
        Text(parts, "quiet"),
    )  # fmt: skip
    return PagesScene(_("About Gunbai"), blocks, back)
