"""Looking back: the log, undo and redo, corrections of recorded steps, and the pictures kept of them.

A match comes in; a correction replays it with one step changed, shows what follows, and asks both players.
"""
