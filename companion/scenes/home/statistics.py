"""Statistics across the saved games: who wins, how games go, dice and favourite actions. Counted while you wait."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from companion.core.language import _, plural
from companion.games.listing import GameListing
from companion.games.saved_facts import printable
from companion.games.statistics import (
    PASS,
    GameFacts,
    Gathered,
    actions_of,
    biggest_swing,
    collect,
    dice_of,
    finished_games,
    head_to_head,
    statistics_listing,
    wins,
    wins_by_faction,
)
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.systems.game_system import game_system
from companion.text.orders import action_name, faction_name
from companion.text.saved_games import still_reading
from companion.ui.screen import Bar, Bars, Block, Button, Choice, Columns, Intent, Screen, Text, back_button
from engine.systems import SYSTEMS

MOST = 6  # bars of a chart
RENEW_EVERY_S = 1.0  # how often it is shown what has been counted so far
Blocks = tuple[Block, ...]


class StatisticsScene(SubScene):
    """Three short pages; the games are looked at beside the screen, which stays ready meanwhile."""

    def __init__(self, folder: Path, back: Scene) -> None:
        super().__init__(back)
        self.tab = "players"
        self.found: Gathered | None = None
        self._counting = _listing(folder)
        self._renewed_s: float | None = None
        self._shown: dict[str, Blocks] = {}

    def tick(self, now_s: float) -> Scene | None:
        """Take what has been counted: all of it, or now and then what there is so far."""
        counting = self._counting
        if not counting.tick(now_s) and (self.found is not None or not counting.whole):
            return None
        if not counting.whole and self._renewed_s is not None and now_s - self._renewed_s < RENEW_EVERY_S:
            return None
        self._renewed_s = now_s
        return self._take()

    def wait(self) -> None:
        """Until all is counted."""
        self._counting.finish()
        self._take()

    def _take(self) -> Scene:
        self.found, self._shown = collect(self._counting.things), {}
        return self

    def show(self) -> Screen:
        """The chosen page."""
        if self.tab not in self._shown:
            self._shown[self.tab] = self._blocks()
        return Screen(
            title=_("Statistics"), blocks=self._shown[self.tab], actions=(back_button("primary"),), page=self.page
        )

    def _blocks(self) -> Blocks:
        found = self.found
        if found is None:
            return (Text(_("Reading saved games …"), "quiet"),)
        if not found.games:
            return Text(_("No games played yet.")), *_damaged(found)
        names = {"players": _("Players"), "games": _("Games"), "play": _("Dice and actions")}
        tabs = tuple(
            Button(name, Intent("tab", key), "chosen" if key == self.tab else "plain") for key, name in names.items()
        )
        return *still_reading(self._counting), Choice("", tabs), *PAGES[self.tab](found), *_damaged(found)

    def touch(self, intent: Intent) -> Scene | None:
        """Another page, or back."""
        if intent.verb == "tab" and intent.what in PAGES:
            self.tab, self.page = intent.what, 0
        return super().touch(intent)


@lru_cache(maxsize=2)
def _listing(folder: Path) -> GameListing[GameFacts | str]:
    """What is known of a folder, for the next look too."""
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
    """Who wins, and who against whom."""
    by_name = [
        Bar(name, won / played, _("{won} of {played}").format(won=won, played=played))
        for name, (won, played) in wins(found.games).items()
    ]
    pairs = [
        Bar(f"{one} – {other}", n / max(n + m, 1), f"{n} : {m}")
        for (one, other), (n, m) in head_to_head(found.games).items()
    ]
    left: Blocks = (Bars(_("Games won"), tuple(by_name[:MOST])),)
    if not by_name:
        why = _("Finish a game with player names to see them here.")
        if any(one.players for one in found.games):
            why = _("No finished games with player names yet.")
        left = (Text(why, "quiet"),)
    return (Columns(left, (Bars(_("Head to head"), tuple(pairs[:MOST])),) if pairs else ()),)


def _games(found: Gathered) -> Blocks:
    """How many, how long, how close; by faction. Where games of several systems were played, each by itself."""
    played = [(game_system(name), games) for name in SYSTEMS if (games := found.of(name))]
    lines: list[Block] = []
    for system, games in played:
        lines += [] if len(played) == 1 and system.has_board else [Text(_(system.title), "strong")]
        lines += map(Text, (*_lengths(games, finished_games(games), system.counts_rounds), *_swing(games)))
    over = [one for one in finished_games(found.games) if one.points]
    return (Columns(tuple(lines), _by_faction(over) if over else ()),)


def _lengths(games: Sequence[GameFacts], over: Sequence[GameFacts], in_rounds: bool) -> list[str]:
    """How many games, and how long they are."""
    lines = [
        plural("{n} game started", "{n} games started", len(games)),
        plural("{n} game finished", "{n} games finished", len(over)),
    ]
    if over:
        turns, rounds = sum(one.turns for one in over) / len(over), sum(one.rounds for one in over) / len(over)
        lines.append(_("Average turns: {n}").format(n=f"{turns:.0f}"))
        if in_rounds:
            lines.append(_("Average rounds: {n}").format(n=f"{rounds:.1f}"))
    return lines


def _swing(games: Sequence[GameFacts]) -> list[str]:
    """The turn that changed most."""
    swing = biggest_swing(games)
    if swing is None:
        return []
    one, (change, faction, number) = swing
    who = one.players.get(faction) or faction_name(faction)
    text = plural(
        "Biggest swing: {n} point in one turn, by {who} in round {round} ({game})",
        "Biggest swing: {n} points in one turn, by {who} in round {round} ({game})",
        change,
        who=who,
        round=number,
        game=printable(one.name),
    )
    return [text]


def _by_faction(over: Sequence[GameFacts]) -> Blocks:
    """Games won and points, for each colour, of the games that it was played in."""
    played: dict[str, list[GameFacts]] = {}
    for game in over:
        for one in game.points:
            played.setdefault(one, []).append(game)
    won = wins_by_faction(over)
    won_by = tuple(
        Bar(faction_name(one), won.get(one, 0) / len(games), str(won.get(one, 0)), one) for one, games in played.items()
    )
    means = {one: sum(game.points[one] for game in games) / len(games) for one, games in played.items()}
    best = max(means.values()) or 1
    points = tuple(Bar(faction_name(one), mean / best, f"{mean:.1f}", one) for one, mean in means.items())
    return Bars(_("Wins by side"), won_by), Bars(_("Average points"), points)


def _play(found: Gathered) -> Blocks:
    """Dice, and favourite actions, of the games that have both."""
    games = [one for one in found.games if one.actions]
    if not games:
        return (Text(_("Dice and actions are counted for General Orders only."), "quiet"),)
    dice = [
        Bar(name or faction_name(faction), pips / count / 2, f"{pips / count:.2f}", faction)
        for (name, faction), (count, pips) in dice_of(games).items()
    ]
    times = actions_of(games).most_common(MOST + 2)
    most = times[0][1] if times else 1
    deeds = tuple(Bar(_("Pass") if one == PASS else action_name(one), n / most, str(n)) for one, n in times)
    rolled = Bars(_("Average roll (1.00 expected)"), tuple(dice[:MOST]))
    return (Columns((rolled,), (Bars(_("Actions used"), deeds),)),)


PAGES: Mapping[str, Callable[[Gathered], Blocks]] = {"players": _players, "games": _games, "play": _play}
