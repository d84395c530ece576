"""The search for saved games: by part of a player's name, the game's name, the board, the battle or the day."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import date, datetime

from companion.games.saved.shelf import Saved
from companion.text.saved_games import board_of, day_of, stem, system_title, when, who

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
    """Finds games by words; each game's searchable text is put together only once.

    today: the moment from which words such as "yesterday" count.
    """

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
        """Return the search words of the system, the board and the sides without a player; many games share them."""
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
