"""Whether a board is fair, and whether all its rules come up: whole games by themselves, from the printed start.

    python -m benchmarks.fairness [--board B]... [--player random|sensible] [--games 1000] [--seed 1]

Without a board, all that the engine has are played on. The random player takes any legal step; the sensible one is the
demo's, which weighs each turn by what it would lead to. Both sides are played by the same player, each faction begins
half of the games, and the bonus tokens are shuffled anew. Three figures a board: the share of games that the first
faction wins, and whoever has the initiative in the first round, with the 95 % interval of Wilson; the mean points; and
in how many games each action, card, bonus and special case of the rules came up.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import mean

from companion.demo.autoplayer import Autoplayer
from engine.orders.board import Board, board_names, load_board
from engine.orders.game import apply, new_game, owed
from engine.orders.odds import pool
from engine.orders.outlook import outlook
from engine.orders.position import Position, survey_of
from engine.orders.score import score
from engine.orders.steps import Deploy, Play, Reroll, Return, Roll, Step
from tests import play

Player = Callable[[Position], Step]
SURE = 1.96


@dataclass(frozen=True, slots=True)
class Ended:
    """How a game ended: who won and why, who began, the points of both, its turns, and what came up in it."""

    winner: str
    reason: str
    starter: str
    points: dict[str, int]
    turns: int
    seen: frozenset[str]


@dataclass(slots=True)
class Tally:
    """Many games of one board."""

    board: Board
    games: list[Ended] = field(default_factory=list)

    def won(self, faction: str) -> int:
        """The games that this faction won."""
        return sum(game.winner == faction for game in self.games)

    def won_by_starter(self) -> int:
        """The games that whoever had the initiative in the first round won."""
        return sum(game.winner == game.starter for game in self.games)

    def reasons(self) -> Counter[str]:
        """How many games ended for which reason."""
        return Counter(game.reason for game in self.games)

    def points(self, faction: str) -> float:
        """The mean of a faction's points at the end of the games that were counted out."""
        return mean([game.points[faction] for game in self.games if game.reason == "victory_points"] or [0])

    def seen(self) -> Counter[str]:
        """In how many games each thing came up."""
        return Counter(thing for game in self.games for thing in game.seen)


def interval(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson)."""
    share, spread = hits / of, SURE**2 / of
    middle = (share + spread / 2) / (1 + spread)
    half = SURE * sqrt(share * (1 - share) / of + spread / of / 4) / (1 + spread)
    return middle - half, middle + half


# --- playing ----------------------------------------------------------------------------


def players(kind: str, seed: int) -> Player:
    """A player of that kind, who plays both sides."""
    if kind == "sensible":
        return Autoplayer(seed).step
    chance = Random(seed)
    return lambda position: play.next_step(chance, position)


def play_game(board: Board, kind: str, seed: int) -> Ended:
    """A whole game; the parity of its seed says who begins."""
    chance = Random(f"fairness {seed}")
    starter = board.factions[seed % 2]
    tokens = chance.sample(sorted(board.mode.tokens), len(board.slots))
    position = new_game(board.name, starter, dict(zip(board.slots, tokens, strict=True)))
    player, seen, turns = players(kind, seed), set[str](), 0
    while position.winner is None:
        step = player(position)
        turns += owed(position) is None
        seen.update(happenings(position, step))
        position = apply(position, step)
    assert position.winner_name is not None
    counted = score(position)
    return Ended(position.winner_name, str(position.reason), starter, dict(counted.vp), turns, frozenset(seen))


def games(board: Board, kind: str, numbers: Sequence[int]) -> Tally:
    """The games of these numbers."""
    return Tally(board, [play_game(board, kind, number) for number in numbers])


# --- what comes up ----------------------------------------------------------------------


def happenings(position: Position, step: Step) -> Iterator[str]:
    """What a step brings up of the rules: "action siege", "card ambush", "bonus depot", "rule recall" ..."""
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
            yield from (f"dice {part.reason}" for part in pool(position))
            yield from (f"bonus {part.name}" for part in pool(position) if part.reason == "bonus")


def _deployment_events(position: Position, step: Deploy) -> Iterator[str]:
    board, space = position.board, position.board.space(step.space)
    yield f"action {space.action.name}"
    yield from (f"card {card}" for card in step.cards)
    if space.faction:
        yield f"own {space.name}"
    if step.recall:
        yield "rule recall"
    bonus = outlook(position, position.to_move).bonuses.get(space.action.name)
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
    """Everything that has to come up on a board of that mode, if all its rules are to be met there."""
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
    """A share in per cent with its interval."""
    low, high = interval(hits, of)
    return f"{100 * hits / of:5.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def report(tally: Tally) -> str:
    """All the figures of a board's games."""
    board, of = tally.board, len(tally.games)
    first, second = board.factions
    reasons = ", ".join(f"{reason} {100 * n / of:.0f} %" for reason, n in sorted(tally.reasons().items()))
    points = ", ".join(f"{faction} {tally.points(faction):.2f}" for faction in board.factions)
    seen = tally.seen()
    rare = sorted((seen[thing], thing) for thing in expected_events(board))
    lines = [
        f"{board.name}: {of} games, {mean(game.turns for game in tally.games):.0f} turns each",
        f"  {first} wins   {share_text(tally.won(first), of)}; {second} {100 * tally.won(second) / of:.1f} %",
        f"  starter wins {share_text(tally.won_by_starter(), of)}",
        f"  ends: {reasons}; points: {points}",
        f"  of {len(rare)} things that can come up, {sum(n == 0 for n, _ in rare)} never did; the rarest:",
        *(f"    {thing:32} {100 * n / of:5.1f} %" for n, thing in rare[:12]),
    ]
    return "\n".join(lines)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--board", action="append", help="a board; more than once for several")
    parser.add_argument("--player", choices=("random", "sensible"), default="random")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for name in args.board or board_names():
        numbers = range(args.seed, args.seed + args.games)
        print(report(games(load_board(name), args.player, numbers)), flush=True)


if __name__ == "__main__":
    main()
