"""Statistics across the saved games: who wins, how games go, dice and favourite actions. Counted while you wait."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from companion.errands import Errand
from companion.language import _, plural
from companion.scenes.saved_words import system_title
from companion.scenes.screen import Bar, Bars, Block, Button, Choice, Columns, Intent, Screen, Text
from companion.scenes.stage import Scene
from companion.scenes.words import action_name, faction_name
from companion.statistics import (
    PASS,
    GameFacts,
    Gathered,
    actions_of,
    between,
    biggest_swing,
    dice_of,
    finished,
    gather,
    wins,
    wins_by_faction,
)
from engine.systems import SYSTEMS

MOST = 6  # bars of a chart
Blocks = tuple[Block, ...]


class StatisticsScene:
    """Three short pages; the games are looked at beside the screen, which stays ready meanwhile."""

    def __init__(self, folder: Path, back: Scene) -> None:
        self.back = back
        self.tab = "players"
        self.page = 0
        self.found: Gathered | None = None
        self._errand: Errand[Gathered] = Errand("statistics")
        self._errand.begin(lambda: gather(folder))

    def tick(self, now_s: float) -> Scene | None:
        """Take what has been counted."""
        del now_s
        if self.found is not None:
            return None
        self.found = self._errand.fetch()
        return self if self.found is not None else None

    def wait(self) -> None:
        """Until all is counted."""
        self._errand.wait()
        self.tick(0.0)

    def show(self) -> Screen:
        """The chosen page."""
        back = Button(_("Back"), Intent("back"), "primary")
        return Screen(title=_("Statistics"), blocks=self._blocks(), actions=(back,), page=self.page)

    def _blocks(self) -> Blocks:
        found = self.found
        if found is None:
            return (Text(_("Looking at the saved games …"), "quiet"),)
        if not found.games:
            return Text(_("No game has been played yet.")), *_damaged(found)
        names = {"players": _("Players"), "games": _("Games"), "play": _("Dice and actions")}
        tabs = tuple(
            Button(name, Intent("tab", key), "chosen" if key == self.tab else "plain") for key, name in names.items()
        )
        return Choice("", tabs), *PAGES[self.tab](found), *_damaged(found)

    def touch(self, intent: Intent) -> Scene | None:
        """Another page, or back."""
        if intent.verb == "tab" and intent.what in PAGES:
            self.tab, self.page = intent.what, 0
        elif intent.verb == "page":
            self.page += intent.n
        if intent.verb == "back":
            self._errand.close()
            return self.back
        return None


def _damaged(found: Gathered) -> Blocks:
    n = len(found.damaged)
    if not n:
        return ()
    return (Text(plural("{n} damaged game is left out.", "{n} damaged games are left out.", n), "warn"),)


# ---- the pages -----------------------------------------------------------------------------------


def _players(found: Gathered) -> Blocks:
    """Who wins, and who against whom."""
    by_name = [
        Bar(name, won / played, _("{won} of {played}").format(won=won, played=played))
        for name, (won, played) in wins(found.games).items()
    ]
    pairs = [
        Bar(f"{one} – {other}", n / max(n + m, 1), f"{n} : {m}")
        for (one, other), (n, m) in between(found.games).items()
    ]
    left: Blocks = (Bars(_("Games won"), tuple(by_name[:MOST])),) if by_name else (_nobody_yet(found),)
    return (Columns(left, (Bars(_("Against one another"), tuple(pairs[:MOST])),) if pairs else ()),)


def _nobody_yet(found: Gathered) -> Text:
    """Why nobody is listed: no names were given, or none of the games with names is over."""
    if any(one.players for one in found.games):
        return Text(_("No game between players with names is over yet."), "quiet")
    return Text(_("Give names when a game begins, and they are told apart here."), "quiet")


def _games(found: Gathered) -> Blocks:
    """How many, how long, how close; by faction. Where games of several systems were played, each by itself."""
    played = [(system, games) for system in SYSTEMS if (games := found.of(system))]
    lines: list[Block] = []
    for system, games in played:
        lines += [Text(system_title(system), "strong")] if len(played) > 1 or system != SYSTEMS[0] else []
        lines += map(Text, (*_lengths(games, finished(games)), *_swing(games)))
    over = finished(found.of(SYSTEMS[0]))
    return (Columns(tuple(lines), _by_faction(over) if over else ()),)


def _lengths(games: Sequence[GameFacts], over: Sequence[GameFacts]) -> list[str]:
    """How many games, and how long they are."""
    lines = [
        plural("{n} game begun", "{n} games begun", len(games)),
        plural("{n} game finished", "{n} games finished", len(over)),
    ]
    if over:
        turns, rounds = sum(one.turns for one in over) / len(over), sum(one.rounds for one in over) / len(over)
        lines.append(_("Turns on average: {n}").format(n=f"{turns:.0f}"))
        if over[0].system == SYSTEMS[0]:
            lines.append(_("Rounds on average: {n}").format(n=f"{rounds:.1f}"))
    return lines


def _swing(games: Sequence[GameFacts]) -> list[str]:
    """The turn that changed most."""
    swing = biggest_swing(games)
    if swing is None:
        return []
    one, (change, faction, number) = swing
    who = one.players.get(faction) or faction_name(faction)
    told = plural(
        "Biggest swing: {n} point in one turn, by {who} in round {round} ({game})",
        "Biggest swing: {n} points in one turn, by {who} in round {round} ({game})",
        change,
        who=who,
        round=number,
        game=one.name,
    )
    return [told]


def _by_faction(over: Sequence[GameFacts]) -> Blocks:
    """Games won and points, for each colour, of the games that it was played in."""
    played = {one: [game for game in over if one in game.points] for game in over for one in game.points}
    won = wins_by_faction(over)
    won_by = tuple(
        Bar(faction_name(one), won.get(one, 0) / len(games), str(won.get(one, 0)), one) for one, games in played.items()
    )
    means = {one: sum(game.points[one] for game in games) / len(games) for one, games in played.items()}
    best = max(means.values()) or 1
    points = tuple(Bar(faction_name(one), mean / best, f"{mean:.1f}", one) for one, mean in means.items())
    return Bars(_("Won by"), won_by), Bars(_("Points on average"), points)


def _play(found: Gathered) -> Blocks:
    """Dice, and favourite actions, of the games on a board."""
    if not found.of(SYSTEMS[0]):
        return (Text(_("Dice and actions are counted in games of General Orders."), "quiet"),)
    dice = [
        Bar(name or faction_name(faction), pips / count / 2, f"{pips / count:.2f}", faction)
        for (name, faction), (count, pips) in dice_of(found.of(SYSTEMS[0])).items()
    ]
    times = actions_of(found.of(SYSTEMS[0])).most_common(MOST + 2)
    most = times[0][1] if times else 1
    deeds = tuple(Bar(_("Pass") if one == PASS else action_name(one), n / most, str(n)) for one, n in times)
    rolled = Bars(_("Pips a die (1.00 is usual)"), tuple(dice[:MOST]))
    return (Columns((rolled,), (Bars(_("Commanders sent to"), deeds),)),)


PAGES: Mapping[str, Callable[[Gathered], Blocks]] = {"players": _players, "games": _games, "play": _play}
