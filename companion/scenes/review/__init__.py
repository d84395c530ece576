"""Looking back: the log, undo and redo, corrections, and trying other steps."""
