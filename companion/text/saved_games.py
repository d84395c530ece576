"""Saved games in words: who plays, how far it is, and when it was played last."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from typing import Protocol

from companion.core.language import _, plural
from companion.games.saved.index_file import printable
from companion.games.saved.shelf import Saved
from companion.systems.game_system import game_system
from companion.text.orders import board_title, faction_name, practice_note
from companion.ui.screen import Text
from engine.errors import EngineError
from engine.orders.board import load_board
from engine.words import mark

MONTHS = (
    mark("January"), mark("February"), mark("March"), mark("April"), mark("May"), mark("June"),
    mark("July"), mark("August"), mark("September"), mark("October"), mark("November"), mark("December"),
)  # fmt: skip


def machine_time() -> datetime:
    """Return the machine's local time, to be shown only: the clock of a Pi may be wrong."""
    return datetime.now()


def when(moment: datetime, today: datetime) -> str:
    """Return a moment in words: "today, 14:02", "yesterday, 14:02", "3 May 2026"."""
    clock = f"{moment:%H:%M}"
    if moment.date() == today.date():
        return _("today, {time}").format(time=clock)
    if moment.date() == (today - timedelta(days=1)).date():
        return _("yesterday, {time}").format(time=clock)
    return day_of(moment)


def day_of(moment: datetime) -> str:
    """Return the day in words: "3 May 2026"."""
    return _("{day} {month} {year}").format(day=moment.day, month=_(MONTHS[moment.month - 1]), year=moment.year)


class BeingRead(Protocol):
    """Saved games that are being read in the background."""

    @property
    def whole(self) -> bool:
        """Whether all of them have been read."""

    @property
    def waiting(self) -> int:
        """How many games are still to be read, as far as that is known."""


def still_reading(games: BeingRead) -> tuple[Text, ...]:
    """Return a block that says that saved games are still being read; none once all are."""
    if games.whole:
        return ()
    if not games.waiting:
        return (Text(_("Reading saved games …"), "quiet"),)
    left = plural("Still reading: {n} game to go.", "Still reading: {n} games to go.", games.waiting)
    return (Text(left, "quiet"),)


def system_title(system: str) -> str:
    """Return the title of a system of rules, translated."""
    return _(game_system(system).title)


def stem(game: Saved) -> str:
    """Return the name of a game's file without its suffix, made printable whatever bytes it has."""
    name = game.path.stem
    return name if name.isprintable() else printable(os.fsencode(name).decode(errors="replace"))


def against(game: Saved) -> str:
    """Say who plays: "Ana vs Bia", a player without a name by their side."""
    one, other = (who(game, side) for side in game.factions)
    return _("{one} vs {other}").format(one=one, other=other)


def title(game: Saved) -> str:
    """Return what people call the game, or who plays it."""
    if game.label:
        return game.label
    if not game.readable:
        return stem(game)
    if game.demo:
        return _("Demo {name}").format(name=stem(game).rpartition("-")[2])
    return against(game)


def state(game: Saved) -> str:
    """Say how far a game is: "round 2, Red to move", "Black has won"; "can't be opened" for an unreadable one."""
    if not game.readable:
        return _("can't be opened")
    if game.winner:
        return _("{who} has won").format(who=who(game, game.winner))
    if game_system(game.system).counts_rounds:
        return _("round {n}, {who} to move").format(n=game.round, who=who(game, game.to_move))
    if not game.to_move:
        return turn(game)
    return _("turn {n}, {who} to act").format(n=game.round, who=who(game, game.to_move))


def headline(game: Saved) -> str:
    """Say whose move it is in an unfinished game; if it is nobody's, name the system."""
    if game_system(game.system).counts_rounds:
        return _("{who} to move").format(who=who(game, game.to_move))
    return _("{who} to act").format(who=who(game, game.to_move)) if game.to_move else system_title(game.system)


def turn(game: Saved) -> str:
    """Return the round or turn that a game is in: "round 2"."""
    form = _("round {n}") if game_system(game.system).counts_rounds else _("turn {n}")
    return form.format(n=game.round)


def board_of(game: Saved) -> str:
    """Return the name of a game's board, or of its system with the battle or decks; "" for an unreadable one."""
    if not game.readable:
        return ""
    if game_system(game.system).has_board:
        return board_title(load_board(game.board))
    return f"{system_title(game.system)}: {decks_title(game.title)}"


def decks_title(title: str) -> str:
    """Return the name of a battle, or of both decks: "Cranes – Wolves"."""
    return " – ".join(map(_, title.splitlines()))


def played_title(system: str, board: str, title: str) -> str:
    """Return the title of the board, battle or decks of a past game; a board that is gone by its bare name."""
    if not game_system(system).has_board:
        return decks_title(title)
    try:
        return board_title(load_board(board))
    except EngineError:
        return printable(board)


def other_system(game: Saved) -> str:
    """Return the title of a game's system if it has no boards; "" if its board tells, or the game is unreadable."""
    return system_title(game.system) if game.readable and not game_system(game.system).has_board else ""


def practice(game: Saved) -> str:
    """Return the note that a game is played on a practice board; "" for any other game."""
    return practice_note(load_board(game.board)) if game.readable and game_system(game.system).has_board else ""


def who(game: Saved, side: str) -> str:
    """Return a player's name, or else the side's."""
    return game.players.get(side) or _(game.names.get(side, "")) or faction_name(side)


def kind(system: str) -> str:
    """Return what kind of game a system is, for a button."""
    return _(game_system(system).kind)
