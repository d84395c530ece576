"""Looks ahead: a tree of turns, each with all ends its dice may bring, grown where it matters most.

A turn is worth what its ends are worth on average, an end what the best turn from it is worth to whose turn it is, or
what the evaluation says where the tree ends. Each step of the search looks into one more end: of the turns that look
best or have been looked into least, that which is likeliest for how little is known of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from engine.orders.player.evaluation import winning_chance
from engine.orders.player.prospects import Turn, prospects
from engine.orders.player.unfolding import Ending, endings
from engine.orders.position import Position

CURIOSITY = 0.25
SPREAD = 0.04
"""A turn this much less likely to win than the best is looked into a third as often at first."""
SOONER = 0.002
WIDTH = 10
"""The replies that are kept of a position, the best ones."""
Stop = Callable[[], bool]
Worth = Callable[[Position, int], float]


class Node:
    """An end of a turn: who is to move, how likely they win, and their turns, where it has been looked into."""

    __slots__ = ("edges", "mover", "position", "value", "visits")

    def __init__(self, position: Position, value: float) -> None:
        """`value` is the chance to win of the faction to move."""
        self.position = position
        self.mover = position.to_move
        self.value = value
        self.visits = 0
        self.edges: list[Edge] = []

    def for_faction(self, faction: int) -> float:
        """The chance to win of a faction."""
        return self.value if self.mover == faction else 1.0 - self.value


class Edge:
    """A turn: its ends with their chances, and what it is worth to who takes it."""

    __slots__ = ("ends", "first", "mover", "prior", "turn", "value", "visits")

    def __init__(self, turn: Turn, mover: int, ends: Sequence[tuple[float, Node]]) -> None:
        self.turn, self.mover, self.ends = turn, mover, ends
        self.visits, self.prior = 0, 0.0
        self.value = self.first = self.mean()

    def mean(self) -> float:
        """What its ends are worth on average."""
        return sum(chance * node.for_faction(self.mover) for chance, node in self.ends)

    @property
    def score(self) -> float:
        """What it is worth, and a little for a game that is won at once."""
        return self.value + SOONER * sum(c for c, node in self.ends if node.position.winner == self.mover)

    @property
    def known(self) -> float:
        """How much of it has been looked into: the chance of its ends that were, or that are the end of the game."""
        return sum(chance for chance, node in self.ends if node.visits or node.position.winner is not None)


def edge_of(turn: Turn, mover: int, ends: Sequence[Ending], worth: Worth = winning_chance) -> Edge:
    """A turn with its ends as they look at first."""
    return Edge(turn, mover, [(end.chance, _node(end.position, worth)) for end in ends])


def _node(position: Position, worth: Worth) -> Node:
    return Node(position, worth(position, position.to_move))


def root_of(position: Position, edges: list[Edge]) -> Node:
    """A position to think about, with the turns to be compared."""
    node = Node(position, 0.0)
    _grow(node, edges, len(edges))
    return node


def search(root: Node, iterations: int, stop: Stop) -> int:
    """Look into so many positions, until told to stop; how many it were."""
    for done in range(iterations):
        if stop():
            return done
        if not _step(root):
            return done
    return iterations


def _step(root: Node) -> bool:
    """Look into one more position; False where nothing is left to look into."""
    path: list[tuple[Node, Edge]] = []
    node = root
    while node.edges:
        edge = _choose(node)
        node_below = _likeliest(edge)
        if node_below is None:
            return _back([*path, (node, edge)])
        path.append((node, edge))
        node = node_below
    found = prospects(node.position)
    edges = [edge_of(turn, node.mover, endings(node.position, turn)) for turn in found]
    _grow(node, edges, WIDTH)
    node.visits = 1
    return _back(path)


def _grow(node: Node, edges: list[Edge], width: int) -> None:
    """Give a node its best turns, and each its share of curiosity."""
    best = sorted(edges, key=lambda edge: -edge.first)[:width]
    weights = [math.exp((edge.first - best[0].first) / SPREAD) for edge in best]
    whole = sum(weights)
    for edge, weight in zip(best, weights, strict=True):
        edge.prior = weight / whole
    node.edges = best
    node.value = best[0].first


def _choose(node: Node) -> Edge:
    """The turn that looks best, or that has been looked into too little."""
    seen = math.sqrt(1 + sum(edge.visits for edge in node.edges))
    return max(node.edges, key=lambda edge: edge.value + CURIOSITY * edge.prior * seen / (1 + edge.visits))


def _likeliest(edge: Edge) -> Node | None:
    """The end of a turn that has been looked into least for how likely it is; None where the game is over in all."""
    open_ends = [(chance, node) for chance, node in edge.ends if node.position.winner is None]
    if not open_ends:
        return None
    return max(open_ends, key=lambda end: end[0] / (1 + end[1].visits))[1]


def _back(path: Sequence[tuple[Node, Edge]]) -> bool:
    for node, edge in reversed(path):
        edge.visits += 1
        edge.value = edge.mean()
        node.visits += 1
        node.value = max(one.value for one in node.edges)
    return True
