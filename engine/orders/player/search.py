"""Looks ahead: a tree of turns, each with all ends its dice may bring, grown where it matters most.

A turn is worth what its ends are worth on average; an end, what the evaluation says, or once it has been looked into
what the turns from it are worth to whose turn it is: those that look best, and those looked into most, count most. The
best one alone would flatter: of many guesses the highest is too high, so that turns would look better or worse by how
deep they have been looked into. Each step of the search looks into one more end: of the turns that look best or have
been looked into least, that which is likeliest for how little is known of it.
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
"""A turn this much less likely to win than the best one counts for a third as much at first."""
FIRST_SIGHT = 3.0
"""The value of a position at first sight counts as much as this many looks."""
CAUTION = 0.05
"""How much better a turn not looked into yet has to look than one that is known well."""
SOONER = 0.002
WIDTH = 10
"""How many replies to a position are kept, the best ones."""
Stop = Callable[[], bool]
Worth = Callable[[Position, int], float]


class Node:
    """An end of a turn: who is to move, how likely they win, and their turns, where it has been looked into.

    `exact`: the game is over, or is in all that can follow, so that no guess is left in its value.
    """

    __slots__ = ("drift", "edges", "exact", "mover", "position", "value", "visits")

    def __init__(self, position: Position, value: float) -> None:
        """Begin with `value`, the chance to win of the faction to move."""
        self.position = position
        self.mover = position.to_move
        self.value = value
        self.exact = position.winner is not None
        self.visits = 0
        self.edges: list[Edge] = []
        self.drift = 0.0

    def for_faction(self, faction: int) -> float:
        """Return the chance of a faction, which need not be the mover, to win."""
        return self.value if self.mover == faction else 1.0 - self.value

    def settle(self) -> None:
        """Work out the node's drift and value again from its turns.

        drift: how much more its turns are worth on average once they are looked into. The value is never less than what
        its best turn is worth for sure, and exactly that if everything is sure.
        """
        known = shift = whole = worth = 0.0
        for edge in self.edges:
            known += edge.looked
            shift += edge.shift
        drift = self.drift = shift / known if known else 0.0
        for edge in self.edges:
            weight = FIRST_SIGHT * edge.prior + edge.visits
            whole += weight
            worth += weight * edge.worth(drift)
        self.exact = all(edge.exact for edge in self.edges)
        least = max([edge.least for edge in self.edges])
        self.value = least if self.exact else max(least, worth / whole)


class Edge:
    """A turn: its ends with their chances, and what it is worth to the side that takes it.

    `looked` is how much of it has been looked into, `sure` how much ends the game, and `shift` by how much it is worth
    more than at first sight, by the ends looked into. `exact`: all its ends are; `least`: what it is worth by those
    that are.
    """

    __slots__ = (
        "ends",
        "exact",
        "first",
        "least",
        "looked",
        "mover",
        "prior",
        "shift",
        "sure",
        "turn",
        "value",
        "visits",
    )

    def __init__(self, turn: Turn, mover: int, ends: Sequence[tuple[float, Node]]) -> None:
        self.turn, self.mover, self.ends = turn, mover, ends
        self.visits, self.prior = 0, 0.0
        self.sure = sum([chance for chance, node in ends if node.position.winner is not None])
        self.looked = self.shift = 0.0
        self.first = 0.0
        self.renew()
        self.first, self.shift = self.value, 0.0

    def renew(self) -> None:
        """Work out the turn's worth again from that of its ends."""
        value = looked = least = 0.0
        exact = True
        for chance, node in self.ends:
            part = chance * node.for_faction(self.mover)
            value += part
            looked += chance if node.visits else 0.0
            if node.exact:
                least += part
            else:
                exact = False
        self.value, self.looked, self.shift = value, looked, value - self.first
        self.exact, self.least = exact, least

    def leads_to_same_ends(self, other: Edge) -> bool:
        """Return whether this turn leads to the same ends as another, however it is written."""
        pairs = zip(self.ends, other.ends, strict=False)
        return len(self.ends) == len(other.ends) and all(
            node.position == twin.position for (_, node), (_, twin) in pairs
        )

    def worth(self, drift: float) -> float:
        """Return what the turn is worth, supposing that its ends not looked into yet will drift as others did."""
        return min(1.0, max(0.0, self.value + drift * max(0.0, 1.0 - self.looked - self.sure)))

    def score(self, drift: float) -> float:
        """Return the number by which turns are compared.

        How well the turn is known counts too, and a little its worth at first sight and whether it wins at once. But a
        turn never scores less than what is sure of it.
        """
        at_once = sum(chance for chance, node in self.ends if node.position.winner == self.mover)
        caution = 0.0 if self.exact else CAUTION / math.sqrt(1 + self.visits)
        return max(self.least, self.worth(drift) - caution) + SOONER * (at_once + self.first)


def edge_of(turn: Turn, mover: int, ends: Sequence[Ending], worth: Worth = winning_chance) -> Edge:
    """Build the edge for a turn, with each of its ends valued at first sight by `worth`."""
    return Edge(
        turn, mover, [(end.chance, Node(end.position, worth(end.position, end.position.to_move))) for end in ends]
    )


def root_of(position: Position, edges: list[Edge]) -> Node:
    """Build the root of a search: a position, with the turns to be compared."""
    node = Node(position, 0.0)
    _grow(node, edges, len(edges))
    return node


def search(root: Node, iterations: int, stop: Stop, turn: Edge | None = None) -> int:
    """Look into this many more positions, fewer if told to stop or if all is sure, and return how many.

    If a turn is given, look only into what it may lead to.
    """
    for done in range(iterations):
        if (turn or root).exact or stop():
            return done
        _step(root, turn)
    return iterations


def _step(root: Node, turn: Edge | None) -> None:
    """Look into one more position: the likeliest end of the turns that look best."""
    path: list[tuple[Node, Edge]] = []
    node = root
    while node.edges:
        edge = turn if turn is not None and node is root else _choose(node)
        path.append((node, edge))
        node = _likeliest(edge)
    found = prospects(node.position)
    _grow(node, [edge_of(turn, node.mover, endings(node.position, turn)) for turn in found], WIDTH)
    node.visits = 1
    for above, taken in reversed(path):
        taken.visits += 1
        taken.renew()
        above.visits += 1
        above.settle()


def _grow(node: Node, edges: list[Edge], width: int) -> None:
    """Give a node its best turns, and each its share of curiosity."""
    best = sorted(edges, key=lambda edge: -edge.first)[:width]
    weights = [math.exp((edge.first - best[0].first) / SPREAD) for edge in best]
    whole = sum(weights)
    for edge, weight in zip(best, weights, strict=True):
        edge.prior = weight / whole
    node.edges = best
    node.settle()


def _choose(node: Node) -> Edge:
    """Choose the turn that looks best, or has been looked into too little; what is sure needs no look."""
    drift, curiosity = node.drift, CURIOSITY * math.sqrt(1 + node.visits)
    unsure = [edge for edge in node.edges if not edge.exact]
    return max(unsure, key=lambda edge: edge.worth(drift) + edge.prior * curiosity / (1 + edge.visits))


def _likeliest(edge: Edge) -> Node:
    """Return the end of a turn that has been looked into least for how likely it is, of those that aren't sure yet."""
    unsure = [(chance, node) for chance, node in edge.ends if not node.exact]
    return max(unsure, key=lambda end: end[0] / (1 + end[1].visits))[1]
