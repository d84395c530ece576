"""The set-up of a new game of General Orders: board, players, initiative, tokens, and laying out the pieces.

It starts from the names and the board of the last game, and ends with a `new` request and the game's table.
"""
