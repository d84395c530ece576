"""The table of a game, its menu and its score."""
