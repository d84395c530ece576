"""How long a camera's driver is waited for. It has to stand in the environment before OpenCV is loaded."""

PATIENCE = {"OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT": "4"}
"""In seconds, for Video for Linux: shorter than anybody takes a silent camera for a hung one."""
