"""The saved games: look at one, continue it, name it, copy it, move it to the trash."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from companion.core.errors import MatchError
from companion.core.language import _, plural
from companion.games.saved.shelf import Saved, copy, export, put_back, set_label, shelf, throw_away, trash
from companion.scenes.base.map_picture import small_map, start_picture
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import DetailsScene, details_button
from companion.scenes.base.typing import ENTER, Ask, Typed, TypingScene
from companion.scenes.home.only_look import scene_for_match
from companion.scenes.home.saved_search import Finder
from companion.scenes.review.log import REVIEWS
from companion.scenes.story.tables import PORTRAITS
from companion.scenes.systems import sight_of
from companion.text.faults import fault_words, short_path
from companion.text.saved_games import (
    against,
    board_of,
    machine_time,
    other_system,
    practice,
    state,
    still_reading,
    title,
    when,
)
from companion.ui.battlefield_picture import FieldPicture
from companion.ui.lazy import LazySequence
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Intent,
    MapPicture,
    Picture,
    Screen,
    Text,
    back_button,
    cancel_button,
)
from companion.ui.small_map import SmallDeck, SmallField, SmallPicture
from companion.ui.table_pictures import DuelPicture

LABEL_MOST = 32
MOST_COLUMNS = 4
LEAST_CARDS, MOST_CARDS = 3, 5  # of the small picture of a card game
RENEW_EVERY_S = 1.0  # how often the list is updated while games are being read


class SavedScene:
    """The list of saved games, or of those that a search found, the game played last first."""

    def __init__(self, stage: Stage, home: Scene) -> None:
        self.stage = stage
        self.home = home
        self.banner = ""
        self.thrown = ""  # the file in the trash of the game that was just moved there
        self.query = ""
        self._finder = Finder(machine_time())
        self._renewed_s: float | None = None
        self._portraits = SavedPortraits()
        self.renew()

    def renew(self) -> None:
        """List the games on the shelf and in the trash again."""
        self.games, self.trashed = shelf().look().games, trash().look().games

    def show(self) -> Screen:
        """List the games that fit the search, or all of them, with a button for each."""
        found = self._finder.find(self.games, self.query) if self.query else self.games
        blocks: list[Block] = [*still_reading(shelf())]
        if self.query and not found:
            blocks.append(Text(_("No games match.")))
        if not self.games and shelf().whole:
            blocks.append(Text(_("No games yet. Every game is saved here automatically.")))
        blocks.append(_list(found, "game", self._portraits.find))
        name = _("Games: “{query}”").format(query=self.query) if self.query else _("Saved games")
        empty = not self.games and shelf().whole
        picture = start_picture(self.stage.board) if empty else None
        return Screen(name, tuple(blocks), self._actions(), self.banner, map=picture)

    def _actions(self) -> tuple[Button, ...]:
        if not self.games:
            ways = [back_button(), Button(_("New game"), Intent("new"), "primary")]
        else:
            ways = [back_button("plain"), Button(_("Search"), Intent("search"))]
        if self.thrown:
            ways.insert(1, Button(_("Undo"), Intent("put-back", self.thrown), sign="undo"))
        if self.query:
            ways.insert(1, Button(_("All games"), Intent("all")))
        elif self.trashed and not self.thrown:
            label = plural("{n} game in the trash", "{n} games in the trash", len(self.trashed))
            ways.insert(1, Button(label, Intent("trash"), "quiet"))
        return tuple(ways)

    def touch(self, intent: Intent) -> Scene | None:
        """Open a game, the search or the trash, restore a game, begin a new one, or go back."""
        self.banner = self.thrown = ""
        match intent.verb:
            case "put-back":
                return self.put_back(intent.what)
            case "game":
                return self.scene_of(intent.what)
            case "search":
                return SavedSearchScene(self)
            case "all":
                return self.show_found("", self._finder)
            case "trash":
                return TrashScene(self)
            case "new":
                return self.home.touch(Intent("new"))
            case "back":
                return self.home
        return None

    def scene_of(self, name: str) -> Scene | None:
        """Return the page of the game whose file has this name; None if it is gone."""
        chosen = next((game for game in self.games if game.path.name == name), None)
        return SavedGameScene(self.stage, chosen, self) if chosen is not None else None

    def throw_away(self, game: Saved) -> Scene:
        """Move a game to the trash; return this scene, which offers to undo that. MatchError or OSError if refused."""
        self.thrown = throw_away(game.path).name
        self.banner = _("“{name}” moved to the trash.").format(name=title(game))
        self.renew()
        return self

    def put_back(self, name: str) -> Scene:
        """Restore the game whose file in the trash has this name; the banner says what the disk refuses."""
        game = next((game for game in self.trashed if game.path.name == name), None)
        if game is not None:
            try:
                put_back(game.path)
                self.banner = _("“{name}” restored.").format(name=title(game))
            except (MatchError, OSError) as error:
                self.banner = fault_words(error)
        self.renew()
        return self

    def show_found(self, query: str, finder: Finder) -> Scene:
        """Show the games that fit the query, or all for ""; return this scene."""
        self.query, self._finder = query, finder
        return self

    def tick(self, now_s: float) -> Scene | None:
        """Read on in the shelf, the trash and the pictures; return this scene if there is more to show, else None."""
        if self._portraits.read_next():
            return self
        came = (shelf().tick(now_s), trash().tick(now_s))
        if not any(came) or (
            self._renewed_s is not None and now_s - self._renewed_s < RENEW_EVERY_S and not shelf().whole
        ):
            return None
        self._renewed_s = now_s
        self.games, self.trashed = shelf().games, trash().games
        return self


class SavedSearchScene:
    """A search being typed, with the newest match so far below the keys: one touch opens it."""

    whole = True  # a keyboard needs the whole screen, in the two-sided layout too

    def __init__(self, saved: SavedScene) -> None:
        self.saved = saved
        self.typed_text = Typed(saved.query)
        self._finder = Finder(machine_time())

    def show(self) -> Screen:
        """Show the text line, the keyboard and the newest match; the keys keep their place."""
        found = self._found()
        newest = [Button(_("Newest"), Intent("game", game.path.name), note=title(game)) for game in found[:1]]
        count = plural("Show {n} game", "Show {n} games", len(found))
        return Screen(
            blocks=(self.typed_text.line(_("name, board or date")), self.typed_text.keys()),
            actions=(cancel_button(), *newest, Button(count, Intent("done"), "primary" if found else "off")),
        )

    def _found(self) -> tuple[Saved, ...]:
        return self._finder.find(self.saved.games, self.typed_text.text)

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a key, or open the newest match, all matches or the list before."""
        if intent.verb == "cancel":
            return self.saved
        if intent.verb == "game":
            return self.saved.scene_of(intent.what)
        if intent.verb == "done" or (intent.verb, intent.what) == ("type", ENTER):
            return self.saved.show_found(self.typed_text.text.strip(), self._finder) if self._found() else None
        self.typed_text.touch(intent)
        return None

    def tick(self, now_s: float) -> Scene | None:
        """Return the scene itself if more games have been read, as they may fit too; else None."""
        return self if self.saved.tick(now_s) is not None else None


def _list(games: Sequence[Saved], verb: str, picture: Callable[[Saved], SmallPicture | None]) -> Buttons:
    """Return a card for each game: where it stands, who plays, how far it is, when it was saved, whose turn it is.

    A touch sends this verb with the name of the file. Cards are made only as they come into view.
    """
    today = machine_time()

    def row(game: Saved) -> Button:
        facts = (other_system(game), state(game), when(game.written, today), practice(game))
        return Button(
            title(game),
            Intent(verb, game.path.name),
            note=" · ".join(filter(None, facts)),
            picture=picture(game),
            side=marked_seat(game),
        )

    return Buttons(LazySequence(games, row), MOST_COLUMNS, even=True, cards=True)


class SavedGameScene:
    """The page of a saved game: how it stands, on its picture and in words, and what can be done with it."""

    def __init__(self, stage: Stage, game: Saved, shelf: SavedScene) -> None:
        self.stage = stage
        self.game = game
        self.shelf = shelf
        self.banner = ""
        self.message = ""

    def show(self) -> Screen:
        """Show the game's map, its facts, and what can be done with it."""
        game = self.game
        facts = [state(game), when(game.written, machine_time()), *filter(None, (board_of(game), practice(game)))]
        if game.steps:
            facts.append(plural("{n} step", "{n} steps", game.steps))
        blocks: list[Block] = [Text(" · ".join(facts))]
        if game.label and game.readable:
            blocks.append(Text(against(game), "quiet"))
        if game.fault or game.look_only or not game.readable:
            blocks.append(Text(_fault(game), "bad"))
        if self.message:
            blocks.append(Text(self.message, "good"))
        naming = (Button(_("Rename"), Intent("name")), Button(_("Make a copy"), Intent("copy")))
        taking = Button(_("Save to a file"), Intent("export"), note=_("memory stick or folder"))
        away = Button(_("Delete"), Intent("throw"), "danger")
        over = game.readable and game.winner and not game.look_only
        review = (
            (Button(_("Review"), Intent("review"), sign="scales"),) if over and REVIEWS.is_filled(game.system) else ()
        )
        more = (details_button(),) if game.fault else ()
        blocks.append(Buttons((*review, *(naming if game.readable else ()), taking, *more, away), 2))
        actions = [back_button()]
        if game.readable:
            actions.append(Button(_("Continue") if game.running else _("View"), Intent("open"), "primary"))
        return Screen(
            title=title(game),
            blocks=tuple(blocks),
            actions=tuple(actions),
            banner=self.banner,
            banner_tone="bad",
            **sight_of(game),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Do what the touched button says; the banner says what the disk refuses."""
        self.banner = self.message = ""
        try:
            return self._do(intent.verb)
        except (MatchError, OSError) as error:
            self.banner = fault_words(error)
            return None

    def _do(self, verb: str) -> Scene | None:
        """Do what a button says; MatchError or OSError if the disk refuses."""
        path = self.game.path
        match verb:
            case "back":
                self.shelf.renew()
                return self.shelf
            case "open":
                return scene_for_match(self.stage, self.stage.services.games.open(path), self.shelf.home)
            case "review":
                table = scene_for_match(self.stage, self.stage.services.games.open(path), self.shelf.home)
                return REVIEWS.of(self.game.system)(table, table)
            case "name":
                ask = Ask(_("Name this game"), self.game.label, title(self.game), LABEL_MOST, empty=True)
                return TypingScene(ask, self._name, self)
            case "copy":
                set_label(copy(path), _("{name}, copy").format(name=title(self.game)))
                self.message = _("Copied. The copy continues from here; this game won't change.")
            case "export":
                self.message = _("Saved as {path}").format(path=short_path(export(path)))
            case "details":
                return DetailsScene((fault_words(self.game.fault),), self)
            case "throw":
                return self.shelf.throw_away(self.game)
        return None

    def _name(self, label: str) -> Scene:
        """Name the game, and read its entry on the shelf again; return this scene."""
        set_label(self.game.path, label)
        self.game = next((game for game in shelf().look().games if game.path == self.game.path), self.game)
        return self


def _fault(game: Saved) -> str:
    """Say what is wrong with a game's file, and what will happen if it is opened."""
    if not game.fault and game.readable:
        return _("This game was started in a newer Gunbai.")
    if not game.fault:
        return _("Can't open this game: its board, deck or battle has been removed.")
    if not game.readable:
        return _("Gunbai can't open this file.")
    if game.look_only:
        return _("This Gunbai can't replay it to the end. You can view it up to that point.")
    return _("The end of the file is damaged. It opens up to that point; the rest is kept in a separate file.")


class TrashScene:
    """The games in the trash; a touch restores one."""

    def __init__(self, shelf: SavedScene) -> None:
        self.shelf = shelf
        self._portraits = SavedPortraits()

    def show(self) -> Screen:
        """List the games in the trash; a touch on one restores it."""
        games = self.shelf.trashed
        hint = _("Touch a game to restore it.") if games else _("The trash is empty.")
        back = back_button("plain")
        return Screen(_("Trash"), (Text(hint, "quiet"), _list(games, "put-back", self._portraits.find)), (back,))

    def touch(self, intent: Intent) -> Scene | None:
        """Restore a game, or go back."""
        if intent.verb == "put-back":
            return self.shelf.put_back(intent.what)
        if intent.verb != "back":
            return None
        self.shelf.renew()
        return self.shelf

    def tick(self, now_s: float) -> Scene | None:
        """Read on in the games and pictures; return this scene if there is more to show, else None."""
        return self if self._portraits.read_next() or self.shelf.tick(now_s) is not None else None


MOST_KEPT = 64  # of the pictures: a few screens full of cards

_Key = tuple[Path, datetime]


class SavedPortraits:
    """Small pictures of how saved games stand, read one at a time as they are asked for."""

    def __init__(self) -> None:
        self._known: dict[_Key, SmallPicture | None] = {}
        self._wanted: dict[_Key, Saved] = {}

    def find(self, game: Saved) -> SmallPicture | None:
        """Return the picture of a game; None if there is none, or until `read_next` has read the game."""
        key = game.path, game.written
        if key not in self._known and game.readable:
            self._wanted[key] = game
        return self._known.get(key)

    def read_next(self) -> bool:
        """Read one game that was asked for; return whether it was the last one waiting."""
        if not self._wanted:
            return False
        key, game = self._wanted.popitem()
        if len(self._known) >= MOST_KEPT:
            self._known.clear()
        sight = sight_of(game)
        self._known[key] = small_picture(sight.get("map") or sight.get("board"))
        return not self._wanted


def small_picture(picture: MapPicture | Picture | None) -> SmallPicture | None:
    """Reduce a table's picture to what a card has room for; None for another kind of picture."""
    match picture:
        case MapPicture():
            return small_map(picture)
        case FieldPicture():
            bases = tuple((unit.seat, unit.place) for unit in picture.units if not unit.mark)
            return SmallField(picture.size, picture.grounds, bases)
        case DuelPicture():
            generals = sum(len(zone.cards) for zone in picture.zones)
            return SmallDeck(("general",) * min(max(generals, LEAST_CARDS), MOST_CARDS))
    return None


def marked_seat(game: Saved) -> str:
    """Return the seat whose mark a game's card bears: the winner, or whose turn it is; "" if nobody's."""
    side = game.winner or game.to_move
    return PORTRAITS.of(game.system).seat(game, side) if game.readable and side in game.sides else ""
