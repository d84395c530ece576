"""Statistics over many saved games, computed from their journals; an unfinished game counts as begun only.

What each tells is kept in an index of its own (`companion.games.saved.listing`), so that it is counted once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Protocol

from companion.core.errors import MatchError
from companion.games.journal import AnyJournal, players_of, read_game
from companion.games.saved import index_file
from companion.games.saved.index_file import (
    Form,
    IndexEntry,
    clip,
    has_form,
    is_count,
    is_list,
    is_map,
    is_number,
    is_system,
    is_text,
    needs_mark,
    system_and_needs,
)
from companion.games.saved.listing import GameListing, ListingKind
from companion.games.summary import summary_of
from companion.systems.game_system import Slot

PASS = "pass"
INDEX = index_file.COUNTED
FACTIONS = frozenset({"red", "black", "blue", "yellow"})  # of all boards
LEFT_OUT = ("demo-", "tutorial")  # beginnings of the names of games without two players


Standing = tuple[int, int]
"""Both sides' points, units or resources, whatever the system counts; the near one's first."""


@dataclass(frozen=True, slots=True)
class CourseFacts:
    """How a game went.

    curve: the standing at the start and at the end of each round, or turn in a system without rounds; decided: the
    round of its turning point, from 1, 0 for none; fights: the number of turns with a conflict.
    """

    curve: tuple[Standing, ...] = ()
    decided: int = 0
    fights: int = 0


@dataclass(frozen=True, slots=True)
class GameFacts:
    """The statistics of one game: who played ({side: name}), who won, and how long it took.

    board, title, sides, names: as in `companion.games.summary.GameSummary`; curve, decided, fights: as in CourseFacts.
    The rest is empty unless the game's system counts it. points: {faction: points at the end}; dice: {faction: (dice
    rolled, pips)}; actions: {faction: {action: times}}; swing: the largest change of the lead in one turn, who gained,
    and the round.
    """

    name: str
    system: str
    players: Mapping[str, str]
    winner: str | None
    rounds: int
    turns: int
    points: Mapping[str, int] = field(default_factory=dict)
    dice: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    actions: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    swing: tuple[int, str, int] = (0, "", 0)
    board: str = ""
    title: str = ""
    sides: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    curve: tuple[Standing, ...] = ()
    decided: int = 0
    fights: int = 0


@dataclass(frozen=True, slots=True)
class Gathered:
    """The statistics of a folder's sound games, and the names of the files that can't be read to the end."""

    games: tuple[GameFacts, ...]
    damaged: tuple[str, ...]

    def of(self, system: str) -> tuple[GameFacts, ...]:
        """Return the games of a system."""
        return tuple(game for game in self.games if game.system == system)


def statistics_listing(folder: Path) -> GameListing[GameFacts | str]:
    """Return the listing that counts a folder's games: the facts of each, or the file's name if it is damaged."""
    return GameListing(folder, ListingKind(INDEX, _read, _unread, _count_game, LEFT_OUT))


def gather(folder: Path) -> Gathered:
    """Read the saved games of a folder, but for demonstrations and tutorials, and return their statistics."""
    listing = statistics_listing(folder)
    listing.finish()
    return collect(listing.things)


def collect(found: Iterable[GameFacts | str]) -> Gathered:
    """Split a listing's items into games and names of damaged files, both sorted by file name."""
    found = tuple(found)
    games = sorted((game for game in found if isinstance(game, GameFacts)), key=lambda game: game.name)
    return Gathered(tuple(games), tuple(sorted(name for name in found if isinstance(name, str))))


def _read(path: Path) -> dict[str, Any]:
    """Read what the index keeps of a game; of a damaged one, only what tells when to read it again."""
    try:
        journal = read_game(path)
    except MatchError:
        return _unread(path)
    if journal.look_only or journal.fault is not None:
        return _damaged_facts(journal.system.name, summary_of(journal).needs)
    facts = game_statistics("", journal)
    kept: dict[str, Any] = clip({part.name: getattr(facts, part.name) for part in fields(facts)})
    return kept | {"winner": kept["winner"] or ""}


def _unread(path: Path, _why: str = "") -> dict[str, Any]:
    return _damaged_facts(*system_and_needs(path))


def _damaged_facts(system: str, needs: Iterable[str]) -> dict[str, Any]:
    return {"system": system, "needs": clip(tuple(needs)), "again": needs_mark(system, needs)}


def _count_game(path: Path, entry: IndexEntry) -> GameFacts | str | None:
    """Rebuild a game's statistics from its index entry; the file's name if damaged, None if outdated or malformed."""
    facts = entry.facts or {}
    if has_form(facts, DAMAGED):
        return path.name if facts["again"] == needs_mark(facts["system"], facts["needs"]) else None
    if not has_form(facts, FORM) or not {*facts["points"], *facts["dice"], *facts["actions"]} <= FACTIONS:
        return None
    sides = tuple(facts["sides"])
    if len(sides) != 2 or not {*COURSE_PORTRAITS.of(facts["system"]).seats(sides)} <= FACTIONS:
        return None
    told = dict(facts) | {"name": path.stem, "winner": facts["winner"] or None, "swing": tuple(facts["swing"])}
    told |= {"sides": sides, "curve": tuple(map(tuple, facts["curve"]))}
    return GameFacts(**told | {"dice": {who: tuple(rolled) for who, rolled in facts["dice"].items()}})


def _is_pair(value: object, is_one: Callable[[object], bool]) -> bool:
    return is_list(value, is_one) and isinstance(value, list) and len(value) == 2


def _is_swing(value: object) -> bool:
    match value:
        case [change, str(who), number]:
            return is_count(change) and is_text(who) and is_count(number)
    return False


DAMAGED: Form = {"system": is_system, "needs": is_list, "again": is_text}
FORM: Form = {
    "name": is_text,
    "system": is_system,
    "players": is_map,
    "winner": is_text,
    "points": lambda value: is_map(value, is_count),
    "rounds": is_number,
    "turns": is_number,
    "dice": lambda value: is_map(value, lambda rolled: _is_pair(rolled, is_number)),
    "actions": lambda value: is_map(value, lambda times: is_map(times, is_number)),
    "swing": _is_swing,
    **dict.fromkeys(("board", "title"), is_text),
    "sides": is_list,
    "names": is_map,
    "curve": lambda value: is_list(value, lambda standing: _is_pair(standing, is_count)),
    **dict.fromkeys(("decided", "fights"), is_number),
}
"""What the index keeps of a game that isn't damaged; DAMAGED: of one that is."""


STATISTICS = Slot[Callable[[GameFacts, Any], GameFacts]]("statistics")
"""Completes the statistics of a game with what only its system has."""


def game_statistics(name: str, journal: AnyJournal) -> GameFacts:
    """Collect the statistics of one saved game."""
    summary = summary_of(journal)
    players = {who: name for who, name in players_of(journal.request).items() if name}
    course = COURSE_PORTRAITS.of(summary.system).course(journal)
    facts = GameFacts(
        name, summary.system, players, summary.winner or None, summary.round, summary.round,
        board=summary.board, title=summary.title, sides=summary.sides, names=summary.names,
        curve=course.curve, decided=course.decided, fights=course.fights,
    )  # fmt: skip
    return STATISTICS.of(summary.system)(facts, journal) if STATISTICS.is_filled(summary.system) else facts


class CoursePortrait(Protocol):
    """The part of a system's portrait (`companion.scenes.story.tables`) that the statistics need."""

    def seats(self, sides: tuple[str, ...]) -> tuple[str, ...]:
        """Return the colours of both sides."""

    def course(self, journal: AnyJournal) -> CourseFacts:
        """Return how a game went."""


COURSE_PORTRAITS = Slot[CoursePortrait]("portrait")


# ---- together -----------------------------------------------------------------------------------


def finished_games(games: Iterable[GameFacts]) -> list[GameFacts]:
    """Return the games that have a winner."""
    return [game for game in games if game.winner is not None]


def wins(games: Iterable[GameFacts]) -> dict[str, tuple[int, int]]:
    """Count {player's name: (games won, games finished)}, most wins first."""
    won, played = Counter[str](), Counter[str]()
    for game in finished_games(games):
        for faction, name in game.players.items():
            played[name] += 1
            won[name] += faction == game.winner
    return {name: (won[name], played[name]) for name in sorted(played, key=lambda name: (-won[name], name))}


def head_to_head(games: Iterable[GameFacts]) -> dict[tuple[str, str], tuple[int, int]]:
    """Count {two names in alphabetical order: (games won by the first, by the second)}, most games first."""
    found: dict[tuple[str, str], list[int]] = {}
    for game in finished_games(games):
        names = sorted(set(game.players.values()))
        if len(names) == 2 and game.winner in game.players:
            found.setdefault((names[0], names[1]), [0, 0])[names.index(game.players[game.winner or ""])] += 1
    return {pair: (n[0], n[1]) for pair, n in sorted(found.items(), key=lambda item: -sum(item[1]))}


def count_dice(games: Iterable[GameFacts]) -> dict[tuple[str, str], tuple[int, int]]:
    """Count {(player, "") or, for the nameless, ("", faction): (dice rolled, pips)}."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for game in games:
        for faction, (count, pips) in game.dice.items():
            name = game.players.get(faction, "")
            who = (name, "" if name else faction)
            before = found.get(who, (0, 0))
            found[who] = before[0] + count, before[1] + pips
    return {who: rolled for who, rolled in found.items() if rolled[0]}


def count_actions(games: Iterable[GameFacts]) -> Counter[str]:
    """Count {action, or "pass": how often it was taken, by both sides together}."""
    found = Counter[str]()
    for times in (times for game in games for times in game.actions.values()):
        found.update(times)
    return found


def biggest_swing(games: Iterable[GameFacts]) -> tuple[GameFacts, tuple[int, str, int]] | None:
    """Return the game with the largest swing of points in one turn, and that swing; None if there is none."""
    found = max(games, key=lambda game: game.swing[0], default=None)
    return (found, found.swing) if found is not None and found.swing[0] else None


def group_by_board(games: Iterable[GameFacts]) -> dict[tuple[str, str, tuple[str, ...]], list[GameFacts]]:
    """Group finished games by {(board, battle or decks; its title; both sides): games}, most games first."""
    found: dict[tuple[str, str, tuple[str, ...]], list[GameFacts]] = {}
    for game in finished_games(games):
        found.setdefault((game.board, game.title, game.sides), []).append(game)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def mean_curve(games: Iterable[GameFacts]) -> tuple[tuple[float, float], ...]:
    """Return both sides' mean standing at the start and after each round, over the games that lasted so long."""
    curves = [game.curve for game in games]
    longest = max(map(len, curves), default=0)
    rows = ([curve[n] for curve in curves if len(curve) > n] for n in range(longest))
    return tuple(
        (sum(first for first, _other in row) / len(row), sum(second for _first, second in row) / len(row))
        for row in rows
    )


def turning_rounds(games: Iterable[GameFacts]) -> dict[int, int]:
    """Count {round: games with their turning point in it} for every round of the longest; {} if none had one."""
    over = [game for game in finished_games(games) if game.decided]
    found = Counter(game.decided for game in over)
    longest = max((len(game.curve) - 1 for game in over), default=0)
    return {n: found[n] for n in range(1, longest + 1)}
