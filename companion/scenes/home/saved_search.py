"""Looking for a saved game: by part of a player's name, of what people call it, of the board, the battle or the day."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import date, datetime
from typing import Protocol

from companion.core.language import _, plural
from companion.games.saved.shelf import Saved
from companion.scenes.base.stage import Scene
from companion.scenes.base.typing import ENTER, Typed
from companion.text.saved_games import board_of, day_of, machine_time, stem, system_title, title, when, who
from companion.ui.screen import Button, Intent, Screen, cancel_button

Words = tuple[str, str, str, tuple[str, ...]]


def search_key(text: str) -> str:
    """Fold a text for searching: lower case, without accents.

    >>> search_key("Zoé Ångström")
    'zoe angstrom'
    """
    if text.isascii():
        return text.lower()
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


class Finder:
    """Finds games by their words; what a game can be found by is put together once."""

    def __init__(self, today: datetime) -> None:
        self._today = today
        self._texts: dict[int, tuple[Saved, str]] = {}  # by the games' order
        self._played: dict[Words, str] = {}
        self._days: dict[date, str] = {}
        self._last: tuple[object, str, tuple[Saved, ...]] = (None, "", ())

    def find(self, games: Sequence[Saved], query: str) -> tuple[Saved, ...]:
        """Return the games that contain every word of the query, in their old order.

        The same games and query return the same tuple; a query without words returns all games.
        """
        if self._last[0] is not games or self._last[1] != query:
            words = search_key(query).split()
            found = (game for game in games if all(word in self._text(game) for word in words))
            self._last = games, query, tuple(found if words else games)
        return self._last[2]

    def _text(self, game: Saved) -> str:
        """Return all words that a game can be found by."""
        known = self._texts.get(game.order)
        if known is None or known[0] is not game:
            own = " ".join((game.label, stem(game), *game.players.values()))
            text = f"{search_key(own)} {self._played_with(game)} {self._day(game.written)}"
            known = self._texts[game.order] = game, text
        return known[1]

    def _played_with(self, game: Saved) -> str:
        """Return the search words of the system, the board and the sides without a player.

        Many games share them, so they are kept.
        """
        nobody = tuple(side for side in game.sides if not game.players.get(side))
        key = game.system, game.board, game.title, nobody
        if key not in self._played:
            words = (system_title(game.system), board_of(game), *(who(game, side) for side in nobody))
            self._played[key] = search_key(" ".join(words))
        return self._played[key]

    def _day(self, moment: datetime) -> str:
        """Return the search words of a date: as figures, in words, and as the list of games writes it."""
        day = moment.date()
        if day not in self._days:
            lately = abs(self._today.date() - day).days < 2
            said = when(moment, self._today).partition(",")[0] if lately else ""
            self._days[day] = search_key(f"{day.isoformat()} {day_of(moment)} {said}")
        return self._days[day]


class SearchableScene(Scene, Protocol):
    """The list of games that is searched."""

    @property
    def query(self) -> str:
        """What it was searched for last."""

    @property
    def games(self) -> tuple[Saved, ...]:
        """All that are known."""

    def scene_of(self, name: str) -> Scene | None:
        """Open the page of the game in the file of this name; None if it is gone."""

    def show_found(self, query: str, finder: Finder) -> Scene:
        """Show only the games that fit the query; the finder has already looked for it."""

    def tick(self, now_s: float) -> Scene | None:
        """Return the scene itself if more games have become known, else None."""


class SavedSearchScene:
    """Words being typed, and below the keys what they lead to already: one touch opens it."""

    whole = True  # a keyboard needs the whole screen, in the two-sided layout too

    def __init__(self, saved: SearchableScene) -> None:
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
