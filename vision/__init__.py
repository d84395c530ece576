"""The eye: from pictures of a table to counts of pieces. It knows areas by name, and no rules."""

from vision.errors import BoardNotFound, CameraError, CornersError, PictureError, TableError, VisionError

__all__ = ["BoardNotFound", "CameraError", "CornersError", "PictureError", "TableError", "VisionError"]
