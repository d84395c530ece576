"""Saved games: the journal on the disk, the session that plays one, the shelf, and what many tell together."""
