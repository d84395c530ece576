"""Home and what it leads to: saved games, statistics, own boards and battles, the first game."""
