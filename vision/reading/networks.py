"""The networks with the packaged weights, each loaded when first asked for and kept."""

from __future__ import annotations

from functools import cache, lru_cache

from vision.reading.network import PieceNetwork
from vision.reading.piece_sets import SHIPS, PieceSet
from vision.reading.stacks import StackNetwork


@lru_cache(maxsize=1)
def network(known: PieceSet = SHIPS) -> PieceNetwork:
    """Return the network with the packaged weights of a set of pieces.

    It is kept for the set in use, as it holds 20 MB of its own.
    """
    return PieceNetwork(known=known)


@lru_cache(maxsize=1)
def window_network(known: PieceSet = SHIPS) -> PieceNetwork:
    """Return a second copy of `network`, for windows.

    One network that is given pictures of different sizes in turn is slower.
    """
    return PieceNetwork(known=known)


@cache
def stack_network() -> StackNetwork:
    """Return the network that looks again at discs, loaded once."""
    return StackNetwork()
