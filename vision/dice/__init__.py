"""Dice beside the board: found against the empty table, cut out, counted by a small network."""
