"""Statistics across the saved games: who wins, how games go, dice and favourite actions. Counted while you wait."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path

from companion.core.language import _, plural
from companion.games.saved.listing import GameListing
from companion.games.saved.statistics import (
    PASS,
    GameFacts,
    Gathered,
    actions_of,
    collect,
    dice_of,
    finished_games,
    head_to_head,
    statistics_listing,
    wins,
)
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.home.statistics_system import system_page
from companion.systems.game_system import game_system
from companion.text.orders import action_name, faction_name
from companion.text.saved_games import played_title, still_reading
from companion.ui.screen import Bar, Bars, Block, Button, Choice, Columns, Intent, Screen, Slip, Text, back_button
from engine.systems import SYSTEMS
from engine.words import decimal

MOST = 6  # bars of a chart
LAST = 4  # games that were played last
RENEW_EVERY_S = 1.0  # how often it is shown what has been counted so far
Blocks = tuple[Block, ...]


class StatisticsScene(SubScene):
    """Short pages: the players, each system, dice. Games are read beside the screen, which stays ready meanwhile."""

    def __init__(self, folder: Path, back: Scene) -> None:
        super().__init__(back)
        self.tab = "players"
        self.statistics: Gathered | None = None
        self._counting = _listing(folder)
        self._renewed_s: float | None = None
        self._shown: dict[str, Blocks] = {}

    def tick(self, now_s: float) -> Scene | None:
        """Take what has been counted: all of it, or now and then what there is so far."""
        counting = self._counting
        if not counting.tick(now_s) and (self.statistics is not None or not counting.whole):
            return None
        if not counting.whole and self._renewed_s is not None and now_s - self._renewed_s < RENEW_EVERY_S:
            return None
        self._renewed_s = now_s
        return self._take()

    def wait(self) -> None:
        """Wait until all games are counted."""
        self._counting.finish()
        self._take()

    def _take(self) -> Scene:
        self.statistics, self._shown = collect(self._counting.things), {}
        return self

    def show(self) -> Screen:
        """Show the page of statistics that was chosen."""
        if self.tab not in self._shown:
            self._shown[self.tab] = self._blocks()
        return Screen(
            title=_("Statistics"), blocks=self._shown[self.tab], actions=(back_button("primary"),), page=self.page
        )

    def _blocks(self) -> Blocks:
        found = self.statistics
        if found is None:
            return (Text(_("Reading saved games …"), "quiet"),)
        if not found.games:
            return Text(_("No games played yet.")), *_damaged(found)
        pages = tabs_of(found)
        if self.tab not in pages:
            self.tab = "players"
        tabs = tuple(
            Button(name, Intent("tab", key), "chosen" if key == self.tab else "plain")
            for key, (name, _page) in pages.items()
        )
        return *still_reading(self._counting), Choice("", tabs), *pages[self.tab][1](), *_damaged(found)

    def touch(self, intent: Intent) -> Scene | None:
        """Open another page, or go back."""
        if intent.verb == "tab" and self.statistics is not None and intent.what in tabs_of(self.statistics):
            self.tab, self.page = intent.what, 0
        return super().touch(intent)


@lru_cache(maxsize=2)
def _listing(folder: Path) -> GameListing[GameFacts | str]:
    """Return the statistics of the games in a folder; the last two folders are remembered."""
    return statistics_listing(folder)


def _damaged(found: Gathered) -> Blocks:
    n = len(found.damaged)
    if not n:
        return ()
    text = plural(
        "{n} damaged game not counted.",
        "{n} damaged games not counted.",
        n,
    )
    return (Text(text, "warn"),)


# ---- the pages -----------------------------------------------------------------------------------


def _players(found: Gathered) -> Blocks:
    """Show how many games each player has won, and the results of each pair."""
    by_name = [
        Bar(name, won / played, _("{won} of {played}").format(won=won, played=played))
        for name, (won, played) in wins(found.games).items()
    ]
    pairs = [
        Bar(f"{player} – {other}", n / max(n + m, 1), f"{n} : {m}")
        for (player, other), (n, m) in head_to_head(found.games).items()
    ]
    left: Blocks = (Bars(_("Games won"), tuple(by_name[:MOST])),)
    if not by_name:
        why = _("Finish a game with player names to see them here.")
        if any(game.players for game in found.games):
            why = _("No finished games with player names yet.")
        left = (Text(why, "quiet"),)
    return (Columns(left, (Bars(_("Head to head"), tuple(pairs[:MOST])),) if pairs else ()), *_last_games(found))


def _last_games(found: Gathered) -> Blocks:
    """List the games that two people finished last, the newest first, with their points if the game has any."""
    over = [game for game in finished_games(found.games) if len(game.players) == 2][-LAST:]
    if not over:
        return ()
    slips = tuple(map(_result, reversed(over)))
    return Text(_("Last games"), "strong"), Columns(slips[::2], slips[1::2])


def _result(game: GameFacts) -> Slip:
    """Show one result: who beat whom, at what, and the points."""
    winner = next(who for who in game.players if who == game.winner)
    loser = next(who for who in game.players if who != game.winner)
    title = _("{winner} beat {loser}").format(winner=game.players[winner], loser=game.players[loser])
    points = f"{game.points[winner]} : {game.points[loser]}" if game.points else ""
    played = played_title(game.system, game.board, game.title).replace("\n", " ")
    return Slip(title, " · ".join(filter(None, (points, played))))


def _play(found: Gathered) -> Blocks:
    """Show average rolls and favourite actions of the games that have both."""
    games = [game for game in found.games if game.actions]
    dice = [
        Bar(name or faction_name(faction), pips / count / 2, decimal(pips / count, 2), faction)
        for (name, faction), (count, pips) in dice_of(games).items()
    ]
    times = actions_of(games).most_common(MOST + 2)
    most = times[0][1] if times else 1
    deeds = tuple(Bar(_("Pass") if action == PASS else action_name(action), n / most, str(n)) for action, n in times)
    rolled = Bars(_("Average roll (1.00 expected)"), tuple(dice[:MOST]))
    return (Columns((rolled,), (Bars(_("Actions used"), deeds),)),)


def tabs_of(found: Gathered) -> dict[str, tuple[str, Callable[[], Blocks]]]:
    """Return the pages there are: {key: (title, what shows it)}.

    They are the players, each system that was played, and what only one system has.
    """
    played = [game_system(name) for name in SYSTEMS if found.of(name)]
    systems = {
        system.name: (
            _("Games") if len(played) == 1 and system.has_board else _(system.title),
            partial(system_page, system, found.of(system.name)),
        )
        for system in played
    }
    rolled = (
        {"play": (_("Dice and actions"), partial(_play, found))} if any(game.actions for game in found.games) else {}
    )
    return {"players": (_("Players"), partial(_players, found)), **systems, **rolled}
