"""What many saved games tell together. Everything is worked out from the journals; a running game counts as begun."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from companion.errors import MatchError
from companion.gist import gist_of
from companion.journal import AnyJournal, OrdersJournal, of_orders, players_of, read_game
from companion.storage import GAME_SUFFIX
from engine.orders.score import score
from engine.orders.steps import Deploy, Pass, Roll
from engine.orders.turn import ready
from engine.systems import SYSTEMS

PASS = "pass"
LEFT_OUT = ("demo-", "tutorial")  # beginnings of the names of games that nobody played against anybody


@dataclass(frozen=True, slots=True)
class GameFacts:
    """One game: who played ({side: name}), who won, {faction: points at the end}, and how it went.

    Of a game of another system only who played, who won and how many turns it took is told.
    turns: commanders deployed and passes; dice: {faction: (rolled, pips)}; actions: {faction: {action: times}};
    swing: the most that the difference of points changed in one turn, by whom, and in which round.
    """

    name: str
    players: Mapping[str, str]
    winner: str | None
    points: Mapping[str, int]
    rounds: int
    turns: int
    dice: Mapping[str, tuple[int, int]]
    actions: Mapping[str, Mapping[str, int]]
    swing: tuple[int, str, int]
    system: str = SYSTEMS[0]


@dataclass(frozen=True, slots=True)
class Gathered:
    """All games of a folder that can be read, and the names of those that are damaged or no games at all."""

    games: tuple[GameFacts, ...]
    damaged: tuple[str, ...]

    def of(self, system: str) -> tuple[GameFacts, ...]:
        """The games of a system."""
        return tuple(one for one in self.games if one.system == system)


def gather(folder: Path) -> Gathered:
    """Look at every saved game of a folder; the files stay as they are."""
    paths = [path for path in sorted(folder.glob(f"*{GAME_SUFFIX}")) if not path.name.startswith(LEFT_OUT)]
    found = [_looked_at(path) for path in paths if path.is_file()]
    games = tuple(one for one in found if isinstance(one, GameFacts))
    return Gathered(games, tuple(one for one in found if isinstance(one, str)))


def _looked_at(path: Path) -> GameFacts | str:
    about = path.stat()
    return _facts(path, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=1024)
def _facts(path: Path, mtime_ns: int, size: int) -> GameFacts | str:
    """The facts of a game as it was at that time, with that size; only its name where it is damaged."""
    del mtime_ns, size
    try:
        journal = read_game(path)
    except MatchError:
        return path.name
    return facts_of(path.stem, journal) if journal.fault is None else path.name


def facts_of(name: str, journal: AnyJournal) -> GameFacts:
    """What one journal tells."""
    if journal.system.name == SYSTEMS[0]:
        return _orders(name, of_orders(journal, name))
    gist = gist_of(journal)
    return GameFacts(
        name, _players(journal), gist.winner or None, {}, gist.round, gist.round, {}, {}, (0, "", 0), gist.system
    )


def _players(journal: AnyJournal) -> dict[str, str]:
    """{side: name}, of those who gave one."""
    return {who: name for who, name in players_of(journal.request).items() if name}


def _orders(name: str, journal: OrdersJournal) -> GameFacts:
    last = journal.last
    deeds = [_deed(journal, i) for i, step in enumerate(journal.steps) if isinstance(step, Deploy | Pass)]
    actions: dict[str, Counter[str]] = {faction: Counter() for faction in last.board.factions}
    for faction, action in deeds:
        actions[faction][action] += 1
    return GameFacts(
        name=name,
        players=_players(journal),
        winner=last.winner_name,
        points=score(last).vp,
        rounds=last.round,
        turns=len(deeds),
        dice=_dice(journal),
        actions=actions,
        swing=_swing(journal),
    )


def _deed(journal: OrdersJournal, index: int) -> tuple[str, str]:
    """(faction, action) of a turn."""
    step, before = journal.steps[index], journal.positions[index]
    action = before.board.space(step.space).action.name if isinstance(step, Deploy) else PASS
    return ready(before, step).to_move_name, action


def _dice(journal: OrdersJournal) -> dict[str, tuple[int, int]]:
    found = dict.fromkeys(journal.last.board.factions, (0, 0))
    for step in journal.steps:
        if isinstance(step, Roll):
            count, pips = found[step.by]
            found[step.by] = count + len(step.dice), pips + sum(step.dice)
    return found


def _swing(journal: OrdersJournal) -> tuple[int, str, int]:
    """The largest change of the difference of points from one turn to the next: (by how much, who, in which round)."""
    first, second = journal.last.board.factions
    starts = [i for i, step in enumerate(journal.steps) if isinstance(step, Deploy | Pass)]
    most = (0, first, 1)
    ends = [*starts[1:], len(journal.steps)]
    for start, end in zip(starts, ends[: len(starts)], strict=True):
        leads = [score(journal.positions[i]).vp for i in (start, end)]
        change = (leads[1][first] - leads[1][second]) - (leads[0][first] - leads[0][second])
        if abs(change) > most[0]:
            most = abs(change), first if change > 0 else second, journal.positions[start].round
    return most


# ---- together -----------------------------------------------------------------------------------


def finished(games: Iterable[GameFacts]) -> list[GameFacts]:
    """Those with a winner."""
    return [one for one in games if one.winner is not None]


def wins(games: Iterable[GameFacts]) -> dict[str, tuple[int, int]]:
    """{player's name: (games won, games finished)}, who won most first; games without names are left out."""
    won, played = Counter[str](), Counter[str]()
    for one in finished(games):
        for faction, name in one.players.items():
            played[name] += 1
            won[name] += faction == one.winner
    return {name: (won[name], played[name]) for name in sorted(played, key=lambda name: (-won[name], name))}


def wins_by_faction(games: Iterable[GameFacts]) -> dict[str, int]:
    """{faction: games won}."""
    return dict(Counter(one.winner for one in finished(games) if one.winner))


def between(games: Iterable[GameFacts]) -> dict[tuple[str, str], tuple[int, int]]:
    """{two names in the order of the alphabet: (games won by the first, by the second)}, most games first."""
    found: dict[tuple[str, str], list[int]] = {}
    for one in finished(games):
        names = sorted(set(one.players.values()))
        if len(names) == 2 and one.winner is not None:
            found.setdefault((names[0], names[1]), [0, 0])[names.index(one.players[one.winner])] += 1
    return {pair: (n[0], n[1]) for pair, n in sorted(found.items(), key=lambda item: -sum(item[1]))}


def dice_of(games: Iterable[GameFacts]) -> dict[tuple[str, str], tuple[int, int]]:
    """{(player, ""), or ("", faction) without a name: (dice rolled, pips)}."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for one in games:
        for faction, (count, pips) in one.dice.items():
            name = one.players.get(faction, "")
            who = (name, "" if name else faction)
            before = found.get(who, (0, 0))
            found[who] = before[0] + count, before[1] + pips
    return {who: rolled for who, rolled in found.items() if rolled[0]}


def actions_of(games: Iterable[GameFacts]) -> Counter[str]:
    """{action, or "pass": how often}, over both sides."""
    return sum((Counter(times) for one in games for times in one.actions.values()), Counter())


def biggest_swing(games: Iterable[GameFacts]) -> tuple[GameFacts, tuple[int, str, int]] | None:
    """The game with the largest swing of points in one turn, and the swing; None where there was none."""
    found = max(games, key=lambda one: one.swing[0], default=None)
    return (found, found.swing) if found is not None and found.swing[0] else None
