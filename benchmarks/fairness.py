"""Whether a board is fair, and whether all its rules come up: whole games by themselves, from the printed start.

    python -m benchmarks.fairness [--board B]... [--player PLAYER] [--games 1000] [--keep FILE]

Without a board, all that the engine has are played on. The `random` player takes any legal step; the `sensible` one is
the demo's, which weighs each turn by what it would lead to; `child`, `even` and `strong` are the levels of
`engine.orders.player`. Both sides are played by the same player, each faction begins half of the games, and the bonus
tokens are shuffled anew. Three figures a board: the share of games that the first faction wins, and whoever has the
initiative in the first round, with the 95 % interval of Wilson; the mean points; and in how many games each action,
card, bonus and special case of the rules came up. With a file to keep them, games that are in it aren't played again,
and all of them are told.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

from benchmarks.seating.kept import Kept, interval
from benchmarks.seating.seats import LevelSeat, next_step
from companion.demo.autoplayer import Autoplayer
from engine.orders.board import Board, board_names, load_board
from engine.orders.game import apply, new_game, owed
from engine.orders.odds import roll_parts
from engine.orders.player import LEVELS
from engine.orders.position import Position, outlook_of, survey_of
from engine.orders.score import score
from engine.orders.steps import Deploy, Play, Reroll, Return, Roll, Step
from tests import play

Player = Callable[[Position], Step]


@dataclass(frozen=True)
class Ended:
    """How a game ended: who won and why, who began, its turns, and what came up in it."""

    winner: str
    reason: str
    starter: str
    turns: int
    seen: frozenset[str]


@dataclass(frozen=True)
class Counted(Ended):
    """A game of a board, with the points of both."""

    points: dict[str, int]


def game_of_figures(figures: dict[str, Any]) -> Counted:
    """Return a game from the figures that were kept of it."""
    return Counted(**{**figures, "seen": frozenset(figures["seen"])})


def figures(game: Counted) -> dict[str, Any]:
    """Return a game's figures to keep."""
    return {**vars(game), "seen": sorted(game.seen)}


def count_wins(games: Sequence[Ended], side: str) -> int:
    """Count the games that this side won."""
    return sum(game.winner == side for game in games)


def count_starter_wins(games: Sequence[Ended]) -> int:
    """Count the games that the side that began won."""
    return sum(game.winner == game.starter for game in games)


def reasons(games: Sequence[Ended]) -> dict[str, int]:
    """Return how many games ended for which reason."""
    return dict(sorted(Counter(game.reason for game in games).items()))


def events(games: Sequence[Ended]) -> Counter[str]:
    """Return in how many games each thing came up."""
    return Counter(thing for game in games for thing in game.seen)


def coverage_lines(games: Sequence[Ended], expected: set[str]) -> list[str]:
    """Return lines on how many of the expected things never came up, and how often the rarest did."""
    counts = events(games)
    rare = sorted((counts[thing], thing) for thing in expected)
    return [
        f"  of {len(rare)} things that can come up, {sum(n == 0 for n, _ in rare)} never did; the rarest:",
        *(f"    {thing:32} {100 * n / len(games):5.1f} %" for n, thing in rare[:12]),
    ]


# --- playing ----------------------------------------------------------------------------


def players(kind: str, seed: int) -> Player:
    """Return a player of that kind, who plays both sides."""
    if kind == "sensible":
        return Autoplayer(seed).step
    chance = Random(seed)
    if kind in LEVELS:
        seats = [LevelSeat(LEVELS[kind], f"{side} {seed}") for side in (0, 1)]
        return lambda position: next_step(position, seats, [0.0, 0.0], chance)
    return lambda position: play.next_step(chance, position)


def play_game(board: Board, kind: str, seed: int) -> Counted:
    """Play a whole game; the parity of its seed says who begins."""
    chance = Random(f"fairness {seed}")
    starter = board.factions[seed % 2]
    tokens = chance.sample(sorted(board.mode.tokens), len(board.slots))
    position = new_game(board.name, starter, dict(zip(board.slots, tokens, strict=True)))
    player, events, turns = players(kind, seed), set[str](), 0
    while position.winner is None:
        step = player(position)
        turns += owed(position) is None
        events.update(happenings(position, step))
        position = apply(position, step)
    assert position.winner_name is not None
    return Counted(
        position.winner_name, str(position.reason), starter, turns, frozenset(events), dict(score(position).vp)
    )


# --- what comes up ----------------------------------------------------------------------


def happenings(position: Position, step: Step) -> Iterator[str]:
    """Yield what a step brings up of the rules: "action siege", "card ambush", "bonus depot", "rule recall" ..."""
    match step:
        case Deploy():
            yield from _deployment_events(position, step)
        case Play():
            yield f"card {step.card}"
        case Reroll():
            yield "rule reroll"
        case Return():
            yield "rule commander returned"
        case Roll():
            yield from (f"dice {part.reason}" for part in roll_parts(position))
            yield from (f"bonus {part.name}" for part in roll_parts(position) if part.reason == "bonus")


def _deployment_events(position: Position, step: Deploy) -> Iterator[str]:
    board, space = position.board, position.board.space(step.space)
    yield f"action {space.action.name}"
    yield from (f"card {card}" for card in step.cards)
    if space.faction:
        yield f"own {space.name}"
    if step.recall:
        yield "rule recall"
    bonus = outlook_of(position, position.to_move).bonuses.get(space.action.name)
    if bonus:
        yield f"bonus {bonus.name}"
    survey = survey_of(position)
    if survey.control[position.to_move] & ~survey.supply[position.to_move]:
        yield "rule out of supply"
    target = board.area_index.get(step.target or space.area or "", -1)
    if target >= 0 and board.forts >> target & 1 and survey.control[1 - position.to_move] >> target & 1:
        yield "rule fort attacked"
    for area, name in zip(board.slot_areas, position.bonuses, strict=True):
        held = any(supply >> area & 1 for supply in survey.supply)
        if held and board.mode.bonuses[name].verb == "commander":
            yield f"bonus {name}"


def expected_events(board: Board) -> set[str]:
    """Return everything that has to come up on a board of that mode, if all its rules are to be met there."""
    mode = board.mode
    own = {f"own {space.name}" for space in board.spaces if space.faction}
    forts = {"rule fort attacked", "dice fort"} if board.forts else set()
    zones = {"dice zone"} if mode.zone_dice and board.air else set()
    bonuses = {*mode.tokens, *(name for _, name in board.printed)}
    return (
        {f"action {action}" for action in mode.actions}
        | {f"card {card}" for card in mode.cards}
        | {f"bonus {bonus}" for bonus in bonuses}
        | {"rule recall", "rule reroll", "rule out of supply", "dice defence"}
        | own
        | forts
        | zones
    )


# --- telling ----------------------------------------------------------------------------


def share_text(hits: int, of: int) -> str:
    """Return a share in per cent with its interval."""
    low, high = interval(hits, of)
    return f"{100 * hits / of:5.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def report(board: Board, games: Sequence[Counted]) -> str:
    """Return all the figures of a board's games; mean points are those of the games that were counted out."""
    of = len(games)
    first, second = board.factions
    ends = ", ".join(f"{reason} {100 * n / of:.0f} %" for reason, n in reasons(games).items())
    counted = [game.points for game in games if game.reason == "victory_points"]
    points = ", ".join(f"{who} {mean([points[who] for points in counted] or [0]):.2f}" for who in board.factions)
    wins = [count_wins(games, faction) for faction in (first, second)]
    lines = [
        f"{board.name}: {of} games, {mean(game.turns for game in games):.0f} turns each",
        f"  {first} wins   {share_text(wins[0], of)}; {second} {100 * wins[1] / of:.1f} %",
        f"  starter wins {share_text(count_starter_wins(games), of)}",
        f"  ends: {ends}; points: {points}",
        *coverage_lines(games, expected_events(board)),
    ]
    return "\n".join(lines)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--board", action="append", help="a board; more than once for several")
    parser.add_argument("--player", choices=("random", "sensible", *LEVELS), default="random")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="games played before, and those played now")
    args = parser.parse_args()
    kept = Kept(args.keep, game_of_figures, figures)
    for name in args.board or board_names():
        board = load_board(name)
        play = partial(map, partial(play_game, board, args.player))
        print(report(board, kept.play(f"{args.player} {name}", range(1, args.games + 1), play)), flush=True)


if __name__ == "__main__":
    main()
