"""What the camera means for the game: the watch, calibration, readings as positions, the turn that was seen.

Messages of the camera process come in. `sync_monitor` weighs settled readings against the engine's legal turns and
gives a `SyncState`: in sync, a turn to confirm, an area to ask about, or out of sync. Nothing here changes a game.
"""
