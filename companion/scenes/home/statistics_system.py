"""The page of the statistics for one system: who wins where, how points go, which round decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.core.language import _, plural
from companion.games.saved.saved_facts import printable
from companion.games.saved.statistics import (
    GameFacts,
    biggest_swing,
    boards_of,
    finished_games,
    mean_curve,
    turning_rounds,
)
from companion.scenes.story.portrait import PORTRAITS
from companion.systems.game_system import GameSystem
from companion.text.orders import faction_name
from companion.text.saved_games import played_title
from companion.ui.charts import Curve, CurveSide
from companion.ui.screen import Bar, Bars, Block, Columns, Odds, Share, Text
from engine.words import decimal

MOST_BOARDS = 3
MOST_COLUMNS = 12  # rounds side by side
CURVE_PT = 118.0
Blocks = tuple[Block, ...]
Boards = dict[tuple[str, str, tuple[str, ...]], list[GameFacts]]


def system_page(system: GameSystem, games: Sequence[GameFacts]) -> Blocks:
    """Show a system's statistics: at the left its games and who won them, at the right how they went."""
    over = finished_games(games)
    lines = [*_lengths(system, games, over), *_swing(over)]
    right: list[Block] = []
    boards = boards_of(over)
    if boards:
        most_played = next(iter(boards.values()))
        where = (Text(_played(most_played[0]), "strong"),) if len(boards) > 1 else ()
        right += [*where, *_curve(system, most_played), *_turning(system, over)]
    return (Columns((*map(Text, lines), *_wins(system, boards)), tuple(right)),)


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


def _wins(system: GameSystem, boards: Boards) -> Blocks:
    """Show the games won by each side for each board (battle, pair of decks), the most played first."""
    return tuple(block for games in list(boards.values())[:MOST_BOARDS] for block in _wins_on(system, games))


def _wins_on(system: GameSystem, games: Sequence[GameFacts]) -> Blocks:
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
    """Draw the average standing after each round or turn; all games are of one board.

    Return nothing with fewer than two rounds or turns to draw.
    """
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
