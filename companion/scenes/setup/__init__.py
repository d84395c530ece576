"""The set-up of a new game of General Orders: board, players, initiative, tokens, and laying the pieces.

In come the names and the board of the last game, and touches; out comes the `new` request of a game, and its table.
"""
