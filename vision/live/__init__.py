"""The camera while a game goes on.

In come frames, from a camera that may block, vanish or be knocked; what is seen of a table on which nothing moves goes
out as messages: readings, dice, knocks, states. `watcher` is the logic, without clock or camera; `camera_process` and
`camera_service` run it, as a child of the app or as a unit of its own.
"""

DRIVER_PATIENCE = {"OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT": "4"}
"""Seconds that Video for Linux waits for a frame: shorter than anybody takes a silent camera for a hung one.

It has to stand in the environment before OpenCV is loaded.
"""
