"""Setting up the camera, and what it sees."""
