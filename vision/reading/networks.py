"""The networks with the packaged weights, each loaded when first asked for and kept."""

from __future__ import annotations

from functools import cache, lru_cache

from vision.reading.network import PieceNetwork
from vision.reading.piece_sets import SHIPS, PieceSet
from vision.reading.stacks import StackNetwork


@lru_cache(maxsize=2)
def network(known: PieceSet = SHIPS) -> PieceNetwork:
    """Return the network with the packaged weights of a set of pieces.

    Those of the set in use are kept, one for each eye.
    """
    return PieceNetwork(known=known)


@cache
def stack_network() -> StackNetwork:
    """Return the network that looks again at discs, loaded once."""
    return StackNetwork()
