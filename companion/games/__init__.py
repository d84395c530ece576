"""Saved games of every system: the journal on the disk, the session that plays one, the shelf of all of them.

Steps come in, are judged by the engine, and are written and synced before anything else sees the new position. Undo,
clocks, labels and statistics are worked out from the journals or lie in files beside them (docs/saved-games.md).
"""
