"""Finding the board in a picture."""

from __future__ import annotations

from vision.errors import BoardNotFound
from vision.geometry import Matrix, Picture
from vision.plan import BoardPlan


def find_corners(picture_bgr: Picture, plan: BoardPlan) -> Matrix:
    """The board's corners TL, TR, BR, BL (4, 2) in px; BoardNotFound where it is not seen."""
    raise BoardNotFound("the board was not found in the reference picture: give its corners")
