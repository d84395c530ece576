"""Looks at dice in a tray beside the board, said, not photographed."""

from __future__ import annotations

from vision.dice.reader import DiceReading, Die

TRAY = [(-40.0, 20.0), (-30.0, 60.0), (-60.0, 90.0), (-50.0, 130.0)]


def look(*faces: int | None, move: float = 0.0, sure: float = 0.97) -> DiceReading:
    """Return a look at dice in the tray, None for one that cannot be read, all of them shifted by some mm."""
    places = [(x + move, y) for x, y in TRAY]
    dice = tuple(Die(at, face, sure) for at, face in zip(places, faces, strict=False) if face is not None)
    return DiceReading(dice, tuple(at for at, face in zip(places, faces, strict=False) if face is None))
