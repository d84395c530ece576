"""The chance to win, from a position in numbers: a logistic model whose weights change as the game goes on.

The weights are data (`engine/data/player`), fitted to self-play by `training.player_fit`; there is a table for each
mode, and one for any other. The numbers are seen by who is to move: what each side has, and what it threatens.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from functools import cache, lru_cache
from operator import mul, sub

from engine.orders.board import Board
from engine.orders.player.realm import MOST_REALMS, NO_THREATS, Side, Threats, side_of, threats
from engine.orders.player.terrain import terrain_of
from engine.orders.position import Position
from engine.orders.score import points
from engine.tables import Each, read_table, table_names

MOST_CARDS = 5

BALANCED = (
    "points",
    "points cut off",
    "land",
    "water and air",
    "troops",
    "other units",
    "heavy units",
    "units cut off",
    "mobile units",
    "closeness",
    "garrison",
    "thin garrison",
    "commanders",
    "cards",
    "initiative",
    "bonus place",
    "bonus join",
    "bonus shot",
    "bonus cards",
    "bonus commander",
    "reinforcements",
    "other reinforcements",
    "pressure on headquarters",
    "cards to draw",
)
"""What each side has, as the difference between the side to move and the other."""
OWN = (
    "headquarters falls",
    "headquarters surely falls",
    "best capture",
    "next capture",
    "all captures",
    "all shots",
    "new ground",
)
"""What each side could do in one turn: first the side to move, then the other."""
WHOLE = ("move", "first faction", "last turn", "lead", "lead if we gain", "lead if they gain", "lead if both gain")
NAMES = (*BALANCED, *(f"our {name}" for name in OWN), *(f"their {name}" for name in OWN), *WHOLE)


def measure(position: Position, unseen: int = -1) -> list[float]:
    """Measure the position as numbers, in the order of NAMES.

    No turn may be in progress, and the game must not be over. What the faction `unseen` threatens is left out.
    """
    me = position.to_move
    mine, theirs = side_of(position, me), side_of(position, 1 - me)
    ours = threats(position, mine, theirs) if unseen != me else NO_THREATS
    foes = threats(position, theirs, mine) if unseen != 1 - me else NO_THREATS
    first, second = _holdings(position, mine, ours), _holdings(position, theirs, foes)
    lead = first[0] - second[0] + (0.5 if position.initiative == me else -0.5)
    return [
        *map(sub, first, second),
        *ours[:7],
        *foes[:7],
        1.0,
        -1.0 if me else 1.0,
        1.0 if _left(position, me) > _left(position, 1 - me) else -1.0,
        math.tanh(lead),
        math.tanh(lead + ours.gain),
        math.tanh(lead - foes.gain),
        math.tanh(lead + ours.best - foes.best),
    ]


def _holdings(position: Position, side: Side, could: Threats) -> list[float]:
    """Return the numbers of BALANCED for one side."""
    me = side.me
    left, hand = _left(position, me), position.hands[me]
    cards = hand if isinstance(hand, int) else len(hand)
    return [
        *side.holdings,
        left,
        min(cards, MOST_CARDS),
        position.initiative == me,
        *_bonuses(position.board, position.bonuses, side.realm.supply),
        *_musters(position, me, left),
        could.pressure,
        _draws(position, me, left),
    ]


def _left(position: Position, faction: int) -> int:
    """Count the commanders that a faction may still deploy this round."""
    return 0 if position.passed[faction] else position.commanders_left[faction]


@lru_cache(maxsize=MOST_REALMS)
def _bonuses(board: Board, tokens: tuple[str, ...], supply: int) -> tuple[int, int, int, int, int]:
    """Count what the area bonuses in supply give.

    Units to place or drop, units that join, dice, cards, and commanders and defence together.
    """
    place = join = shot = cards = other = 0
    for area, name in zip(board.slot_areas, tokens, strict=True):
        if name and supply >> area & 1:
            bonus = board.mode.bonuses[name]
            verb = board.mode.actions[bonus.action].verb if bonus.action else ""
            place += verb in ("place", "drop")
            join += verb == "move"
            shot += verb == "shoot"
            cards += verb == "draw"
            other += not verb
    return place, join, shot, cards, other


def _musters(position: Position, me: int, left: int) -> tuple[float, float]:
    """Return the most units that one commander could still bring this round, on land and elsewhere.

    Elsewhere is on water or in the air.
    """
    if not left:
        return 0.0, 0.0
    mine, taken = position.commanders[me], position.commanders[0] | position.commanders[1]
    best = [0, 0]
    for muster in terrain_of(position.board).musters[me]:
        if not taken & muster.space and not mine & muster.twins:
            at = muster.place != "land"
            best[at] = max(best[at], min(muster.units, position.reserve(me, muster.unit)))
    return best[0], best[1]


def _draws(position: Position, me: int, left: int) -> bool:
    """Return whether a Plan is still open to a faction this round."""
    if not left:
        return False
    mine, taken = position.commanders[me], position.commanders[0] | position.commanders[1]
    return any(not taken & space and not mine & twins for space, twins in terrain_of(position.board).draws)


# --- the model --------------------------------------------------------------------------

KNOTS = (1, 2, 3, 5, 9, 16, 40)
"""The numbers of turns left for which there are weights; between them they are mixed."""
ANY = "any"
"""The table for modes that have none of their own."""
MOST_KNOWN = 2048
"""How many positions are remembered: several orders of turns lead to the same one."""
A_POINT = 0.3
"""What one point more seems worth to a player who counts nothing else, as the logarithm of odds."""
MOST = 6.0
"""The most that the model trusts either side, as the logarithm of odds."""
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

    No turn may be in progress. What the faction `unseen` threatens is left out.
    """
    if position.winner is not None:
        return float(position.winner == faction)
    mine = mover_winning_chance(position, unseen)
    return mine if position.to_move == faction else 1.0 - mine


def chance_by_points(position: Position, faction: int) -> float:
    """Return how likely a faction seems to win to a player who counts points and sees nothing else."""
    if position.winner is not None:
        return float(position.winner == faction)
    both = points(position)
    return logistic(A_POINT * (both[faction] - both[1 - faction]))


@lru_cache(maxsize=MOST_KNOWN)
def mover_winning_chance(position: Position, unseen: int = -1) -> float:
    """Return how likely the faction to move wins a game that is not finished, by the model.

    It is never less than the chance that it takes the other's headquarters with this turn.
    """
    weights, measures = _weights(position.board, turns_left(position)), measure(position, unseen)
    return max(measures[_FALLS], logistic(sum(map(mul, weights, measures))))


@cache
def _weights(board: Board, turns: int) -> tuple[float, ...]:
    return weights_at(table_for(board), turns)


def logistic(odds: float) -> float:
    """Return the chance for a logarithm of odds, which is first kept within MOST of 0."""
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
    """Return the weights for this many turns left, mixed from those of the KNOTS around it."""
    at, share = knot_share(turns)
    return tuple(low + share * (high - low) for low, high in zip(weights[at], weights[at + 1], strict=True))
