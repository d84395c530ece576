"""Dice beside the board: found against the empty table, cut out, counted by a small network.

In come a calibrated table and a frame; `reader` gives dice with their places and pips, and those not to be read.
"""
