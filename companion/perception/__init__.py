"""What the camera means for the game: the watch, calibration, readings as positions, the turn that was seen.

Messages of the camera process come in; settled readings are weighed against the engine's legal turns. `sync` says what
that means for the screen. Nothing here changes a game.
"""
