"""A new game of General Orders, from the players to the pieces on the board.

Touches come in; out goes the request that starts a match (board, initiative, bonus tokens, house rules) and its
table.
"""
