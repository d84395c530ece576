"""The chance to win, from a position in numbers: a logistic model whose weights change as the game goes on.

The weights are data (`engine/data/player`), fitted to self-play by `training.player_fit`; there is a table for each
mode, and one for any other.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from functools import cache, lru_cache
from operator import mul

from engine.orders.board import Board
from engine.orders.player.features import NAMES, measure
from engine.orders.position import Position
from engine.orders.score import points
from engine.tables import Each, read_table, table_names

KNOTS = (1, 2, 3, 5, 9, 16, 40)
"""The numbers of turns left for which there are weights; between them they are mixed."""
ANY = "any"
"""The table for modes that have none of their own."""
MOST_KNOWN = 2048
"""So many positions are remembered: several orders of turns lead to the same one."""
A_POINT = 0.3
"""What a point more seems to be worth to who counts nothing else, as the logarithm of odds."""
MOST = 6.0
"""The model is never surer than that: as the logarithm of odds."""
_FALLS = NAMES.index("our headquarters falls")
Weights = tuple[tuple[float, ...], ...]
"""For each of the KNOTS a weight for each of the NAMES."""


def turns_left(position: Position) -> int:
    """Count how many turns both sides may still take in the whole game, as far as their commanders go."""
    mode = position.board.mode
    here = sum(n for n, out in zip(position.commanders_left, position.passed, strict=True) if not out)
    return here + 2 * (mode.commanders - mode.standby) * (mode.rounds - position.round)


def winning_chance(position: Position, faction: int, unseen: int = -1) -> float:
    """Return how likely a faction wins, by the model; 1 or 0 in a finished game.

    A turn must not be in progress.

    What the faction `unseen` threatens is overlooked.
    """
    if position.winner is not None:
        return float(position.winner == faction)
    mine = chance_to_move(position, unseen)
    return mine if position.to_move == faction else 1.0 - mine


def chance_by_points(position: Position, faction: int) -> float:
    """Return how likely a faction seems to win to somebody who counts points and sees nothing else."""
    if position.winner is not None:
        return float(position.winner == faction)
    both = points(position)
    return logistic(A_POINT * (both[faction] - both[1 - faction]))


@lru_cache(maxsize=MOST_KNOWN)
def chance_to_move(position: Position, unseen: int = -1) -> float:
    """Return how likely the faction to move wins a game that is not finished, by the model.

    It is never less than the chance that it takes the other's headquarters with this turn.
    """
    weights, measures = _weights(position.board, turns_left(position)), measure(position, unseen)
    return max(measures[_FALLS], logistic(sum(map(mul, weights, measures))))


@cache
def _weights(board: Board, turns: int) -> tuple[float, ...]:
    return weights_at(table_for(board), turns)


def logistic(odds: float) -> float:
    """Return the chance that the logarithm of its odds stands for."""
    return 1.0 / (1.0 + math.exp(-max(-MOST, min(MOST, odds))))


@cache
def table_for(board: Board) -> Weights:
    """Load the weights for a board: those of its mode, or else of any mode."""
    return load_weights(board.mode.name if board.mode.name in table_names("player") else ANY)


_FORM = {"weights": Each([float])}


@cache
def load_weights(name: str) -> Weights:
    """Load a table of weights by the name of its mode; raise BadTable if its data break its form."""
    rows = read_table("player", name, _FORM)["weights"]
    columns = [rows.get(feature, [0.0] * len(KNOTS)) for feature in NAMES]
    return tuple(zip(*columns, strict=True))


def knot_share(turns: int) -> tuple[int, float]:
    """Return the first of the two KNOTS between which a number of turns lies, and the share of the second."""
    turns = max(KNOTS[0], min(KNOTS[-1], turns))
    upper = max(1, bisect_left(KNOTS, turns))
    low, high = KNOTS[upper - 1], KNOTS[upper]
    return upper - 1, (turns - low) / (high - low)


def weights_at(weights: Weights, turns: int) -> tuple[float, ...]:
    """Return the weights with so many turns left."""
    at, share = knot_share(turns)
    return tuple(low + share * (high - low) for low, high in zip(weights[at], weights[at + 1], strict=True))
