"""Home and what it leads to: saved games, statistics, own boards and battles, the first game, a fault's calm screen.

This is the top of the scenes: it may open any other, and none opens it but through the `home` it was handed.
"""
