"""What the camera means for the game: the watch, calibration, readings as positions, the turn that was seen."""
