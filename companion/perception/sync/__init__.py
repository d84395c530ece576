"""What the screen says of the board: as recorded, a turn to confirm, an area to ask about, or out of sync.

Events come in, a `SyncStatus` goes out, by one pure fold: `advance(state, event)`. No camera, thread or clock is here,
and nothing changes a game: that takes a touch.
"""
