"""The start page and what it leads to: saved games, statistics, owners' boards and battles, the first game.

In come the shelf of saved games and touches; out come screens, and tables or set-ups to go on with. As the top room of
the scenes it may open any other.
"""
