"""A new game of General Orders, from the players to the pieces on the board."""
