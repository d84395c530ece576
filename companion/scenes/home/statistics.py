"""Statistics across the saved games: who wins, how games go, dice and favourite actions; counted as games are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from pathlib import Path

from companion.core.language import _, plural
from companion.games.saved.index_file import printable
from companion.games.saved.statistics import (
    PASS,
    GameFacts,
    Gathered,
    biggest_swing,
    collect,
    count_actions,
    count_dice,
    finished_games,
    group_by_board,
    head_to_head,
    mean_curve,
    statistics_listing,
    turning_rounds,
    wins,
)
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.story.tables import PORTRAITS
from companion.systems.game_system import GameSystem, game_system
from companion.text.orders import action_name, faction_name
from companion.text.saved_games import played_title, still_reading
from companion.ui.charts import Curve, CurveSide
from companion.ui.screen import (
    Bar,
    Bars,
    Block,
    Button,
    Choice,
    Columns,
    Intent,
    Odds,
    Screen,
    Share,
    Slip,
    Text,
    back_button,
)
from engine.systems import SYSTEMS
from engine.words import decimal

MOST = 6  # bars of a chart
LAST = 4  # the most recent games to list
RENEW_EVERY_S = 1.0  # how often to show what has been counted so far
Blocks = tuple[Block, ...]

MOST_BOARDS = 3
MOST_COLUMNS = 12  # rounds side by side
CURVE_PT = 118.0


class StatisticsScene(SubScene):
    """The statistics on short pages: players, each system, dice; another thread reads the games."""

    def __init__(self, folder: Path, back: Scene) -> None:
        super().__init__(back)
        self.tab = "players"
        self.statistics: Gathered | None = None
        self._counting = _listing(folder)
        self._renewed_s: float | None = None
        self._shown: dict[str, Blocks] = {}

    def tick(self, now_s: float) -> Scene | None:
        """Collect what has been counted, now and then; return this scene if there is more to show, else None."""
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
        pages = statistics_pages(found)
        if self.tab not in pages:
            self.tab = "players"
        tabs = tuple(
            Button(name, Intent("tab", key), "chosen" if key == self.tab else "plain")
            for key, (name, _page) in pages.items()
        )
        return *still_reading(self._counting), Choice("", tabs), *pages[self.tab][1](), *_damaged(found)

    def touch(self, intent: Intent) -> Scene | None:
        """Open another page, or go back."""
        if intent.verb == "tab" and self.statistics is not None and intent.what in statistics_pages(self.statistics):
            self.tab, self.page = intent.what, 0
        return super().touch(intent)


_listing = lru_cache(maxsize=2)(statistics_listing)
"""The statistics of the games in a folder; the last two folders are remembered."""


def _damaged(found: Gathered) -> Blocks:
    n = len(found.damaged)
    if not n:
        return ()
    return (Text(plural("{n} damaged game not counted.", "{n} damaged games not counted.", n), "warn"),)


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
        for (name, faction), (count, pips) in count_dice(games).items()
    ]
    times = count_actions(games).most_common(MOST + 2)
    most = times[0][1] if times else 1
    deeds = tuple(Bar(_("Pass") if action == PASS else action_name(action), n / most, str(n)) for action, n in times)
    rolled = Bars(_("Average roll (1.00 expected)"), tuple(dice[:MOST]))
    return (Columns((rolled,), (Bars(_("Actions used"), deeds),)),)


def statistics_pages(found: Gathered) -> dict[str, tuple[str, Callable[[], Blocks]]]:
    """Return the pages {key: (title, what makes its blocks)}: players, each system played, any dice and actions."""
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


# ---- a page for each system: who wins where, how points go, which round decides ------------------


def system_page(system: GameSystem, games: Sequence[GameFacts]) -> Blocks:
    """Return a system's page: on the left its games and who won them, on the right how they went."""
    over = finished_games(games)
    lines = [*_lengths(system, games, over), *_swing(over)]
    right: list[Block] = []
    boards = group_by_board(over)
    if boards:
        most_played = next(iter(boards.values()))
        where = (Text(_played(most_played[0]), "strong"),) if len(boards) > 1 else ()
        right += [*where, *_curve(system, most_played), *_turning(system, over)]
    won = (block for games_on in list(boards.values())[:MOST_BOARDS] for block in _wins(system, games_on))
    return (Columns((*map(Text, lines), *won), tuple(right)),)


def _lengths(system: GameSystem, games: Sequence[GameFacts], over: Sequence[GameFacts]) -> list[str]:
    """Sum up how many games there were, how long they took, and how often there was a conflict."""
    lines = [
        plural("{n} game started", "{n} games started", len(games))
        + " · "
        + plural("{n} finished", "{n} finished", len(over))
    ]
    if over:
        lines.append(_("Average turns: {n}").format(n=f"{_mean(game.turns for game in over):.0f}"))
        if system.counts_rounds:
            lines[-1] += " · " + _("rounds: {n}").format(n=decimal(_mean(game.rounds for game in over), 1))
    if any(game.curve for game in over):
        lines.append(_("Turns with a conflict per game: {n}").format(n=decimal(_mean(game.fights for game in over), 1)))
    return lines


def _mean(numbers: Iterable[int]) -> float:
    found = tuple(numbers)
    return sum(found) / len(found)


def _swing(over: Sequence[GameFacts]) -> list[str]:
    """Describe the turn that changed the standing most; nothing if there is none."""
    swing = biggest_swing(over)
    if swing is None:
        return []
    game, (change, faction, number) = swing
    text = plural(
        "Biggest swing: {n} point in one turn, by {who} in round {round} ({game})",
        "Biggest swing: {n} points in one turn, by {who} in round {round} ({game})",
        change, who=game.players.get(faction) or faction_name(faction), round=number, game=printable(game.name),
    )  # fmt: skip
    return [text]


def _wins(system: GameSystem, games: Sequence[GameFacts]) -> Blocks:
    """Show the games won by each side on one board (battle, pair of decks)."""
    first, played = games[0], len(games)
    bars = []
    for side, seat in zip(first.sides, PORTRAITS.of(system.name).seats(first.sides), strict=True):
        won = sum(game.winner == side for game in games)
        many = _("{won} of {played}").format(won=won, played=played)
        bars.append(Bar(_side_name(first, side, seat), won / played, many, seat))
    if system.has_board:
        return (Bars(_("Wins: {where}").format(where=_played(first)), tuple(bars)),)
    return Text(_played(first), "strong"), Bars(_("Wins by side"), tuple(bars))  # two decks are too long for a heading


def _side_name(game: GameFacts, side: str, seat: str) -> str:
    return _(game.names[side]) if side in game.names else faction_name(seat)


def _played(game: GameFacts) -> str:
    return played_title(game.system, game.board, game.title)


def _curve(system: GameSystem, games: Sequence[GameFacts]) -> Blocks:
    """Draw the average standing after each round or turn on one board; nothing with fewer than two of them."""
    means = mean_curve(games)
    if len(means) < 2:
        return ()
    first, portrait = games[0], PORTRAITS.of(system.name)
    sides = [
        CurveSide(seat, _side_name(first, side, seat), tuple(mean[n] for mean in means))
        for n, (side, seat) in enumerate(zip(first.sides, portrait.seats(first.sides), strict=True))
    ]
    form = _("{what} by round, on average") if system.counts_rounds else _("{what} by turn, on average")
    title = form.format(what=portrait.standing_words())
    rounds = tuple((n, str(n + 1)) for n in range(len(means) - 1))
    ends = round(means[-1][0]), round(means[-1][1])
    return (Curve(title, (sides[0], sides[1]), rounds=rounds, now=ends, high_pt=CURVE_PT),)


def _turning(system: GameSystem, over: Sequence[GameFacts]) -> Blocks:
    """Show in which rounds or turns games turned, or their average."""
    found = turning_rounds(over)
    if not found:
        return ()
    if len(found) > MOST_COLUMNS:
        turned = [n for n, games in found.items() for _game in range(games)]
        text = _("Games are usually decided on turn {n}").format(n=f"{_mean(turned):.0f}")
        return (Text(text),)
    total = sum(found.values())
    title = _("Turning points by round") if system.counts_rounds else _("Turning points by turn")
    return (Odds(title, tuple(Share("", str(n), games / total, str(games)) for n, games in found.items())),)
