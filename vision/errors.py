"""What can go wrong in the eye, as one small tree.

VisionError
- PictureError: a picture that cannot be read, or has the wrong size
- CornersError: four corners that are no sensible picture of a board
- BoardNotFound: no board was seen where one was looked for
- TableError: a table file that is broken, cut off or of another board
- UnknownPieces: a board with pieces that the eye has not learnt
- CameraError: a camera that cannot be opened, or gave nothing
"""

from intake.text import one_line


class VisionError(Exception):
    """Anything the eye refuses, with one clear sentence saying what and where."""

    def __str__(self) -> str:
        return one_line(super().__str__())


class PictureError(VisionError):
    """A picture that cannot be read, or whose size does not fit."""


class CornersError(VisionError):
    """Corners that are no convex quadrilateral, run the wrong way round or lie outside the picture."""


class BoardNotFound(VisionError):
    """No board was found in a picture."""


class TableError(VisionError):
    """A table file that is broken, cut off, of another version or of another board."""


class CameraError(VisionError):
    """A camera or a folder of pictures that cannot give a frame."""


class UnknownPieces(VisionError):
    """A board with pieces of colours or kinds that no packaged weights know."""
